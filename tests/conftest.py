"""Every contract test runs for all games, at every number of players."""

import os
import signal

import numba
import pytest
from hypothesis import HealthCheck, settings
from lanterns_agents.features import check_reference

from lanterns_env import GAMES

COMPILED = not numba.config.DISABLE_JIT
TABLES = [(name, n) for name in GAMES for n in GAMES[name].players]

for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
    if signal.getsignal(number) is signal.SIG_IGN:  # the suite was started by nohup or in the background
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)

settings.register_profile("package", deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "package"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if {"name", "num_players"} <= set(metafunc.fixturenames):
        metafunc.parametrize(("name", "num_players"), TABLES, ids=[f"{name}-{n}" for name, n in TABLES])
    elif "name" in metafunc.fixturenames:
        metafunc.parametrize("name", list(GAMES))


@pytest.fixture(autouse=True, scope="session")
def fewer_worlds():
    """Plain Python draws fewer worlds where cards are played out: what it does with them is the same."""
    with pytest.MonkeyPatch.context() as patch:
        if not COMPILED:
            check_reference(GAMES["lumen"])  # networks are held to the features as they are
            patch.setattr("lanterns_agents.lumen.expert.BID_WORLDS", 4)
            patch.setattr("lanterns_agents.lumen.expert.EFFORT", 500)
            patch.setattr("lanterns_agents.lumen.endgame.EFFORT", 100)
        yield


@pytest.fixture
def few() -> int:
    """How often to repeat what is repeated: plain Python is some hundred times slower."""
    return 20 if COMPILED else 2
