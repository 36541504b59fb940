"""The compiler's cache, and what importing loads."""

import copy
import dataclasses
import importlib
import os
import pathlib
import pickle
import shutil
import subprocess
import sys

import numpy as np
import pytest

import lanterns_env
from lanterns_env import GAMES, Batch
from lanterns_env.engine.compile import specialise, template
from lanterns_env.engine.sources import _file, _imports, fingerprint, has_sources
from tests.conftest import COMPILED

PACKAGE = pathlib.Path(lanterns_env.__file__).parent
FIRST_OBSERVATION = """
from lanterns_env import Batch
print(int(Batch("lanterns", 1, 4, seeds=[1]).observations.astype(int).sum()))
"""
COMPILING = "compiling"


def run(code, folder=None, **environment):
    """Run code in a fresh process; the copy of the package in a folder comes before the installed one."""
    command = [sys.executable, "-W", "error", "-c", code]
    environment = {**os.environ, **environment}
    environment.pop("NUMBA_CACHE_DIR", None)
    where = folder or PACKAGE.parent
    return subprocess.run(command, env=environment, cwd=where, capture_output=True, text=True, check=True)


@pytest.fixture
def copied_package(tmp_path):
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "lanterns_env", ignore=ignored)
    return tmp_path


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
@pytest.mark.slow_to_compile
def test_a_second_process_compiles_nothing_and_an_edited_rule_compiles_anew(copied_package):
    first = run(FIRST_OBSERVATION, copied_package)
    assert COMPILING in first.stderr
    second = run(FIRST_OBSERVATION, copied_package)
    assert (second.stdout, second.stderr) == (first.stdout, "")
    with (copied_package / "lanterns_env/games/lanterns/draw_svg.py").open("a") as drawing:
        drawing.write("# drawn otherwise\n")
    assert run(FIRST_OBSERVATION, copied_package).stderr == ""  # what no compiled function reaches
    constants = copied_package / "lanterns_env/games/lanterns/components.py"
    source = constants.read_text()
    constants.write_text(source.replace("STACK = np.array([5, 7, 8]", "STACK = np.array([5, 7, 9]"))
    assert constants.read_text() != source
    third = run(FIRST_OBSERVATION, copied_package)
    assert COMPILING in third.stderr
    assert int(third.stdout) == int(first.stdout) + 7  # one lantern more of each colour in the supply


FILES = {
    "__init__.py": "from .drawing import COLOUR",
    "rules.py": "from typing import Any\nfrom . import constants\nfrom .deep.more import LIMIT\nimport {package}.late",
    "constants.py": "from lanterns_env.engine.rng import below",
    "deep/__init__.py": "",
    "deep/more.py": "def limit():\n    from ..inner import MOST\n    return MOST",
    "inner.py": "MOST = 3",
    "late.py": "from {package}.rules import Any",
    "weights.toml": "one = 1",
    "drawing.py": "COLOUR = 1",
}
REACHED = {"rules.py", "constants.py", "deep/more.py", "inner.py", "late.py", "weights.toml"}


@pytest.mark.parametrize("edited", [None, *FILES])
def test_compiled_code_is_stamped_with_what_its_module_reaches(edited, tmp_path, monkeypatch):
    package = f"stamped_{len(edited or '')}_{(edited or 'none').partition('.')[0].replace('/', '_')}"
    for name, text in FILES.items():
        file = tmp_path / package / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.format(package=package))
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module(package)
    before = fingerprint(frozenset([f"{package}.rules"]))
    if edited:
        with (tmp_path / package / edited).open("a") as file:
            file.write("\n# another text\n")
    for each in (fingerprint, _imports, _file):
        each.cache_clear()
    assert (edited in REACHED) == (fingerprint(frozenset([f"{package}.rules"])) != before)
    assert has_sources(f"{package}.deep.more")
    assert not has_sources(f"{package}.nothing")


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
@pytest.mark.slow_to_compile
def test_an_install_that_cannot_be_written_works(copied_package):
    """No folder can hold a cache: every way that Numba knows to find one is closed."""
    code = """
import numba.core.caching as caching
def nowhere(cls, py_func, py_file): return None
for locator in caching.CacheImpl._locator_classes: locator.from_function = classmethod(nowhere)
"""
    shown = run(code + FIRST_OBSERVATION, copied_package)
    assert shown.stdout == run(FIRST_OBSERVATION).stdout


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
@pytest.mark.slow_to_compile
def test_a_game_from_outside_is_stamped_with_its_own_sources(copied_package):
    """A package of its own takes a game from here and changes a rule: an edit of that rule is noticed."""
    code = """
import dataclasses, lanterns_env, outside
lanterns_env.register(outside.GAME)
print(int(lanterns_env.Batch("dark_lanterns", 1, 4, seeds=[1]).scores()[0][0, 0]))
"""
    source = """
import dataclasses
from lanterns_env import GAMES, Batch
from lanterns_env.engine.compile import jit
BONUS = 1
@jit
def score(state, points, share):
    share[:] = 0
    points[:] = BONUS
GAME = dataclasses.replace(GAMES["lanterns"], name="dark_lanterns", score=score, play=GAMES["lanterns"].play)
"""
    module = copied_package / "outside.py"
    module.write_text(source)
    assert run(code, copied_package).stdout.split() == ["1"]
    module.write_text(source.replace("BONUS = 1", "BONUS = 5"))
    assert run(code, copied_package).stdout.split() == ["5"]


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
@pytest.mark.slow_to_compile
def test_machine_code_of_a_class_that_is_gone_is_compiled_anew(copied_package):
    """The index of the cache names the kinds of arguments; after a class was renamed it cannot be read."""
    code = "import outside, numpy\nprint(int(outside.first(outside.{}(numpy.array([7]), numpy.array([5])))))"
    source = """
from typing import Any, NamedTuple
from lanterns_env.engine.compile import jit
class Pair(NamedTuple):
    left: Any
    right: Any
@jit
def first(pair): return pair.left[0]
"""
    module = copied_package / "outside.py"
    module.write_text(source)
    assert run(code.format("Pair"), copied_package).stdout.split() == ["7"]
    module.write_text(source.replace("Pair", "Couple"))
    assert run(code.format("Couple"), copied_package).stdout.split() == ["7"]


def test_two_games_of_one_name_share_no_machine_code():
    game = GAMES["lanterns"]
    variant = dataclasses.replace(game, margin_scale=game.margin_scale / 20)
    rewards = []
    for each in (game, variant, game):
        batch = Batch(each, 1, 2, seeds=[5], reward="margin", autoreset=False)
        rng = np.random.default_rng(5)
        while not batch.dones[0]:
            batch.step(batch.sample(rng))
        rewards.append(batch.rewards[0])
    assert (20 * rewards[0]).tolist() == pytest.approx(rewards[1].tolist())
    assert rewards[0].tolist() == rewards[2].tolist()
    with pytest.raises(pickle.PicklingError, match="registered"):
        pickle.dumps(variant)
    assert copy.deepcopy(variant) is variant


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
@pytest.mark.slow_to_compile
def test_a_game_that_is_typed_in_is_compiled_anew_each_time():
    for points in (1, 7):
        code = f"""
import dataclasses
from lanterns_env import GAMES, Batch
from lanterns_env.engine.compile import jit
@jit
def score(state, points, share):
    share[:] = 0
    points[:] = {points}
game = dataclasses.replace(GAMES["lanterns"], name="typed", score=score)
print(Batch(game, 1, 2).scores()[0][0, 0])
"""
        assert run(code).stdout.split() == [f"{points}.0"]


@pytest.mark.skipif(not COMPILED, reason="plays in both modes by itself")
def test_the_same_game_compiled_or_not(name):
    """The other mode of the compiler gives the same bytes."""
    code = f"""
import hashlib, numpy as np
from lanterns_env import Batch
batch = Batch({name!r}, 2, seed=6)
rng = np.random.default_rng(6)
digest = hashlib.sha256()
for _ in range(80):
    batch.step(batch.sample(rng))
    for array in (batch.states, batch.observations, batch.action_masks, batch.rewards):
        digest.update(array.tobytes())
digest.update(batch.worlds([0, 1], [0, 1], [5, 6]).states.tobytes())
digest.update(np.array(batch.random_rollouts(2)).tobytes())
print(digest.hexdigest())
"""
    assert run(code, NUMBA_DISABLE_JIT="1").stdout == run(code, NUMBA_DISABLE_JIT="0").stdout


@template
def count_actions(states, mask):
    return count_of_first(states, mask)


@template
def count_of_first(states, mask):
    return legal(states[0], mask)  # noqa: F821


def test_templates_are_specialised_with_the_templates_they_call(name):
    game = GAMES[name]
    num_players = game.default_players
    states = game.blank(game.check_options(num_players, {}))
    states["num_players"] = num_players
    game.deal(states[0], num_players, np.uint64(1))
    mask = np.zeros(game.num_actions, np.int8)
    counted = specialise(count_actions, game)
    assert counted(states, mask) == mask.sum() > 0
    assert counted is specialise(count_actions, game)


def test_importing_the_package_loads_neither_the_compiler_nor_torch_nor_pygame():
    code = "import sys, lanterns_env; print(sorted({'numba', 'torch', 'pygame', 'PIL', 'rich'} & set(sys.modules)))"
    assert run(code).stdout == "[]\n"
