"""Runs that are stopped from outside: saved within seconds, and the same in the end as if they had not been stopped."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from lanterns_agents.networks.arrays import read_arrays  # noqa: E402
from lanterns_agents.training import evaluate, ppo, stopping  # noqa: E402
from lanterns_agents.training.arguments import RUNS, make_config  # noqa: E402
from lanterns_agents.training.folder import CHECKPOINT  # noqa: E402
from lanterns_agents.training.logging import LOG, read_log  # noqa: E402

from tests.conftest import COMPILED  # noqa: E402
from tests.learning.runs import opened  # noqa: E402
from tests.learning.trainers import BC, PPO, SB3, TRAINERS  # noqa: E402

SCRIPTS = pathlib.Path(__file__).parents[2] / "scripts"
TINY = {"num_games": 4, "batch_size": 40, "hidden_size": 8, "entity_size": 4, "eval_deals": 1, "tensorboard": False}
TINY |= {"eval_opponents": ["random"], "run_name": "mine", "game": "lighthouse", "minibatch_size": 20, "eval_every": 0}
MIXED = {
    "self_play_fraction": 0.4,
    "pool_fraction": 0.3,
    "bot_fraction": 0.3,
    "bot_opponents": ["greedy"],
    "snapshot_every": 2,
    "pool_size": 2,
}
FOLDER = RUNS / "mine"
SECONDS = 20  # in which a stopped run must have ended: 3 and what a busy machine adds
PATIENCE = 120  # seconds for what should take few
UNIX = pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
compiled = pytest.mark.skipif(not COMPILED, reason="processes that train")


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def configured(trainer=PPO, **settings):
    return make_config({**TINY, **settings}, trainer.config)


def logged():
    return [line["update"] for line in read_log(FOLDER / LOG)]


def saved_updates():
    return read_arrays(FOLDER / CHECKPOINT)[1]["updates"]


# -- in this process ------------------------------------------------------------------------------------------


@UNIX
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_run_after_the_update(number):
    handlers = [signal.getsignal(each) for each in stopping.SIGNALS]
    run, folder = opened(configured(checkpoint_minutes=60.0))

    def update(run):
        if run.updates == 2:
            signal.raise_signal(number)
        return ppo.update(run)

    ppo.train(run, folder, update)
    assert [1, 2, 3] == logged()
    assert 3 == saved_updates()
    assert "results" not in read_log(folder / LOG)[-1]
    assert handlers == [signal.getsignal(each) for each in stopping.SIGNALS]


@UNIX
def test_a_signal_gives_an_evaluation_up(monkeypatch):
    """All is saved before it begins; the update before it is in the log."""
    found = []

    def stopped(run):
        if not run.updates:
            return {}  # the one before the first update
        found.append(saved_updates())
        signal.raise_signal(signal.SIGTERM)
        pytest.fail("it goes on")

    monkeypatch.setattr(evaluate, "evaluate", stopped)
    run, folder = opened(configured(eval_every=2))
    ppo.train(run, folder)
    assert [2] == found
    assert [0, 1, 2] == logged()
    assert 2 == saved_updates()


@UNIX
def test_what_is_ignored_stays_ignored():
    """As with nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def update(run):
        signal.raise_signal(signal.SIGHUP)
        return ppo.update(run)

    try:
        run, folder = opened(configured(total_decisions=100))
        ppo.train(run, folder, update)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert run.decisions >= 100


@UNIX
@pytest.mark.parametrize("trainer", TRAINERS.values(), ids=TRAINERS)
def test_an_update_that_takes_too_long_is_given_up(trainer, monkeypatch):
    """What was whole before it is saved while it goes on."""
    left = []

    def leave(status):
        left.append((status, saved_updates()))

    def update(run):
        if run.updates == 2:
            signal.raise_signal(signal.SIGTERM)
            begun = time.monotonic()
            while not left and time.monotonic() - begun < PATIENCE:
                time.sleep(0.01)
        return trainer.update(run)

    monkeypatch.setattr(stopping, "GRACE", 0.05)
    monkeypatch.setattr(stopping, "leave", leave)
    run, folder = opened(configured(trainer, checkpoint_minutes=60.0), False, trainer.run)
    ppo.train(run, folder, update)
    assert [(0, 2)] == left


# -- in processes of their own --------------------------------------------------------------------------------

PROGRAM = """
import sys
sys.path.insert(0, {scripts!r})
import {module} as trainer
from lanterns_agents.training import ppo
from lanterns_agents.training.commands import as_command
whole = trainer.update
{before}
if trainer is ppo:
    ppo.train.__defaults__ = (update,)
as_command("trainer", trainer.main)
"""
AS_IT_IS = "update = whole"
STUCK = """
from lanterns_env.engine.compile import jit

@jit
def spin(n):
    total = 0.0
    for k in range(n):
        total += 1.0 / (k + 1)
    return total

spin(1)

def update(run):
    if run.updates == 2:
        spin(1 << 45)
    return whole(run)
"""


@contextmanager
def training(trainer, *words, before=AS_IT_IS, lines=2):
    """The process of a run, once there are so many lines in its log."""
    program = PROGRAM.format(scripts=str(SCRIPTS), module=trainer.module.__name__, before=before)
    command = [sys.executable, "-c", program, *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        begun = time.monotonic()
        try:
            while not (FOLDER / LOG).exists() or (FOLDER / LOG).read_text().count("\n") < lines:
                assert process.poll() is None, process.stderr.read()
                assert time.monotonic() - begun < PATIENCE
                time.sleep(0.02)
            yield process
        finally:
            process.kill()


def as_words(settings):
    return [f"{key}={json.dumps(value)}" for key, value in {**TINY, **settings}.items()]


def ended(process):
    """Its exit status, which comes in time."""
    return process.wait(SECONDS)


@UNIX
@compiled
@pytest.mark.parametrize(
    "trainer",
    [pytest.param(each, id=name, marks=() if name == "ppo" else pytest.mark.slow) for name, each in TRAINERS.items()],
)
def test_a_run_that_was_killed_and_stopped_ends_as_one_that_was_not(trainer):
    """First kill -9, then SIGTERM, then some more updates."""
    settings = {"checkpoint_minutes": 0.0}
    settings |= {PPO: MIXED, BC: {"bc_teacher": "greedy"}, SB3: {"opponents": ["greedy"], "snapshot_every": 2}}[trainer]
    settings |= {"bc_decisions" if trainer is BC else "total_decisions": 10**9}
    with training(trainer, *as_words(settings)) as process:
        process.kill()
        assert -signal.SIGKILL == ended(process)
    killed = saved_updates()
    with training(trainer, "--resume", str(FOLDER), lines=killed + 3) as process:
        process.terminate()
        assert 0 == ended(process)
    assert list(range(1, saved_updates() + 1)) == logged()
    again, _ = opened(configured(trainer, **settings), True, trainer.run)
    assert again.updates > killed
    whole, _ = opened(configured(trainer, **settings, run_name="whole"), False, trainer.run)
    updates = again.updates + 3
    for run in (again, whole):
        while run.updates < updates:
            trainer.update(run)
    left, right = whole.saved()[0], again.saved()[0]
    assert sorted(left) == sorted(right)
    assert [] == [name for name, array in left.items() if array.tobytes() != right[name].tobytes()]


@pytest.mark.slow
@UNIX
@compiled
def test_an_evaluation_of_hours_ends_in_time():
    with training(PPO, *as_words({"eval_every": 2, "eval_deals": 1 << 20}), lines=1) as process:
        time.sleep(1)
        process.terminate()
        assert 0 == ended(process)
    assert [0] == logged()
    assert not (FOLDER / CHECKPOINT).exists()  # nothing was learnt: the run can be begun again


@pytest.mark.slow
@UNIX
@compiled
def test_an_update_of_hours_in_compiled_code_ends_in_time():
    """Where Python's own handlers are never asked."""
    with training(PPO, *as_words({"checkpoint_minutes": 60.0}), before=STUCK) as process:
        time.sleep(1)
        process.terminate()
        assert 0 == ended(process)
        assert "runs/mine: stopped; what was not finished in 3 s is given up\n" == process.stderr.read()
    assert [1, 2] == logged()
    assert 2 == saved_updates()


@UNIX
@compiled
def test_a_second_signal_ends_a_run_at_once():
    with training(PPO, *as_words({"checkpoint_minutes": 60.0}), before=STUCK) as process:
        time.sleep(1)
        process.terminate()
        time.sleep(0.5)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert 128 + signal.SIGINT == ended(process)
        assert stopping.GRACE > time.monotonic() - begun
    assert not (FOLDER / CHECKPOINT).exists()
