"""Processes that are killed: what has been played is kept, and nobody is left behind."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

from tests.conftest import COMPILED

pytestmark = [
    pytest.mark.skipif(not COMPILED, reason="thousands of games"),
    pytest.mark.skipif(not pathlib.Path("/proc").is_dir(), reason="processes are looked up in /proc"),
]
LEAVE_SECONDS = 10
SCRIPT = """
from lanterns_env.match import play_match

def show(progress):
    if progress.deals:
        print(progress.deals, flush=True)

if __name__ == "__main__":
    result = play_match("lanterns", ["random"], 2, deals=10**7, workers=2, progress=show, **{more})
    print("kept", len(result.records), result.why_incomplete, flush=True)
"""


@pytest.fixture
def begun(tmp_path):
    """A match that goes on in a session of its own, and has played its first chunk."""
    started = []

    def begin(**more):
        script = tmp_path / "long.py"
        script.write_text(SCRIPT.replace("{more}", repr(more)))
        running = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, start_new_session=True)
        started.append(running)
        assert running.stdout.readline().strip().isdecimal()
        return running

    yield begin
    for running in started:
        for process in of_session(running.pid):
            os.kill(process, signal.SIGKILL)
        running.wait()
        running.stdout.close()


def of_session(leader):
    """The processes of a session that have not ended, and how each was called."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if fields[0] != "Z" and int(fields[3]) == leader:
                found[int(entry.name)] = (entry / "cmdline").read_text().replace("\0", " ")
        except (OSError, IndexError, ValueError):
            continue
    return found


def wait_until_gone(leader):
    until = time.monotonic() + LEAVE_SECONDS
    while of_session(leader) and time.monotonic() < until:
        time.sleep(0.05)
    return of_session(leader)


def workers(leader):
    return [process for process, words in of_session(leader).items() if "spawn_main" in words]


def test_a_worker_that_is_killed_leaves_what_was_played(begun):
    running = begun()
    assert len(workers(running.pid)) == 2
    os.kill(workers(running.pid)[0], signal.SIGKILL)
    words, _ = running.communicate(timeout=60)
    kept, deals, reason = words.splitlines()[-1].split(" ", 2)
    assert "kept" == kept
    assert int(deals) > 0
    assert reason.startswith("a process ended in the middle of its work")
    assert not wait_until_gone(running.pid)


@pytest.mark.parametrize("more", [{}, {"isolate": True}], ids=["plain", "isolated"])
def test_when_the_parent_is_killed_nobody_is_left(begun, more):
    running = begun(**more)
    assert len(of_session(running.pid)) >= 3
    os.kill(running.pid, signal.SIGKILL)
    assert not wait_until_gone(running.pid)
