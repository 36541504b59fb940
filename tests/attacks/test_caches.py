"""Compiled code on disk that is damaged, mixed up or written by several processes at once: compiled anew, never run."""

import os
import subprocess
import sys

import pytest

from tests.attacks.scale import scaled
from tests.conftest import COMPILED

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not COMPILED, reason="nothing is compiled")]

MODULE = """
import numpy as np
from lanterns_env.engine.compile import jit

def total(numbers):
    found = numbers[0] * 0
    for k in range(len(numbers)):
        found += numbers[k] * (k + 1)
    return found

def fresh():
    return jit(total)  # as in a new process: what it knows, it knows from the disk

INTEGERS, FLOATS = np.arange(5), np.arange(5) / 2

def answers(function):
    return int(function(INTEGERS)), float(function(FLOATS))
"""
DAMAGE = """
import pathlib, sys
import numpy as np
import kernel
folder, tries = pathlib.Path(sys.argv[1]), int(sys.argv[2])
rng = np.random.default_rng(tries)
assert kernel.answers(kernel.fresh()) == (40, 20.0)

def spoil(data):
    way, at = rng.integers(6), int(rng.integers(len(data)))
    if way == 0:
        return b""
    if way == 1:
        return data[:at]
    if way == 2:
        return bytes(len(data))
    if way == 3:
        return rng.bytes(len(data))
    if way == 4:
        return data + data
    return data[:at] + bytes([data[at] ^ (1 << int(rng.integers(8)))]) + data[at + 1 :]

for number in range(tries):
    files = sorted(file for kind in ("*.nbi", "*.nbc") for file in folder.rglob(kind))
    assert len(files) == 3, files  # an index, and code for integers and for fractions
    chosen = files if number % 4 == 0 else [files[rng.integers(3)]]
    good = [file.read_bytes() for file in chosen]
    bad = [spoil(data) for data in good]
    for file, data in zip(chosen, bad):
        file.write_bytes(data)
    function = kernel.fresh()
    assert kernel.answers(function) == (40, 20.0)
    misses = sum(function.stats.cache_misses.values())
    assert (misses > 0) == (bad != good), (misses, chosen)
    assert kernel.answers(kernel.fresh()) == (40, 20.0)
healed = kernel.fresh()
assert kernel.answers(healed) == (40, 20.0)
print(sum(healed.stats.cache_hits.values()))
"""
MIXED_UP = """
import pathlib, sys
import kernel
assert kernel.answers(kernel.fresh()) == (40, 20.0)
first, second = sorted(pathlib.Path(sys.argv[1]).rglob("*.nbc"))
swapped = second.read_bytes(), first.read_bytes()
first.write_bytes(swapped[0])
second.write_bytes(swapped[1])
function = kernel.fresh()
assert kernel.answers(function) == (40, 20.0)
print(sum(function.stats.cache_misses.values()))
"""
ONE_OF_MANY = """
import kernel
function = kernel.fresh()
assert kernel.answers(function) == (40, 20.0)
print(sum(function.stats.cache_hits.values()))
"""


@pytest.fixture
def kernels(tmp_path):
    """A folder with a module of one small kernel, and how to start a process there whose compiled code lies apart."""
    (tmp_path / "kernel.py").write_text(MODULE)
    cache = tmp_path / "cache"

    def start(code, *arguments):
        command = [sys.executable, "-W", "error", "-c", code, str(cache), *map(str, arguments)]
        paths = os.pathsep.join([str(tmp_path), os.getcwd(), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": paths}
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen(command, cwd=tmp_path, env=environment, **streams)

    return start


def ended(process):
    printed, errors = process.communicate(timeout=scaled(300, 7200))
    assert process.returncode == 0, errors[-2000:]
    return printed.split()


def test_damaged_files_are_as_good_as_none(kernels):
    """One of them or all, the index as well: the same answers, found on disk again the next time."""
    assert ended(kernels(DAMAGE, scaled(24, 20_000))) == ["2"]


def test_code_for_other_arguments_is_not_run(kernels):
    """As two processes leave it that give their code the same number at the same time."""
    assert ended(kernels(MIXED_UP)) == ["2"]


def test_many_processes_write_at_the_same_time(kernels):
    for _ in range(scaled(1, 50)):
        together = [kernels(ONE_OF_MANY) for _ in range(4)]
        assert all(ended(process) for process in together)
    assert ended(kernels(ONE_OF_MANY)) == ["2"]


def test_a_cache_that_cannot_be_written_any_more_is_done_without(kernels):
    """Numba finds the folder at first, and it is a file when code is to be kept."""
    code = """
import kernel, pathlib, shutil, sys
function = kernel.fresh()
for folder in pathlib.Path(sys.argv[1]).iterdir():
    shutil.rmtree(folder)
    folder.write_text("in the way")
print(*kernel.answers(function))
"""
    assert ended(kernels(code)) == ["40", "20.0"]


def test_should_numba_rename_what_is_its_own_everything_is_compiled_anew(kernels):
    code = """
import numba.core.caching as caching, kernel, pathlib, sys
del caching.IndexDataCacheFile._open_for_write
print(*kernel.answers(kernel.fresh()), len([*pathlib.Path(sys.argv[1]).rglob("*.nb?")]))
"""
    assert ended(kernels(code)) == ["40", "20.0", "0"]
