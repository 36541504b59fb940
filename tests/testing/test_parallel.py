"""The kit plays a parallel environment in turns: a correct one passes, a defect is named by its check."""

import pytest
from pettingzoo.test import parallel_api_test

from lanterns_env import GAMES
from lanterns_env.testing import check_env
from tests.testing.rounds import BROKEN, Rounds
from tests.testing.test_kit import LIMITS


def test_nothing_is_found_in_a_correct_parallel_game():
    parallel_api_test(Rounds(), num_cycles=50)
    assert [] == check_env(Rounds, hidden=False)


@pytest.mark.parametrize("env", BROKEN, ids=lambda env: env.__name__)
def test_a_defect_of_a_parallel_game_is_named_by_its_check(env):
    assert BROKEN[env] == {finding.check for finding in check_env(env, hidden=False)}


def test_nothing_is_found_in_our_parallel_games(name):
    from lanterns_env import lanterns_v0, lighthouse_v0, lumen_v0

    modules = {"lanterns": lanterns_v0, "lighthouse": lighthouse_v0, "lumen": lumen_v0}
    assert set(GAMES) == set(modules)
    limits = {"seeds": [0], "max_steps": 60, "positions_per_game": 2, "actions_per_position": 60, **LIMITS}
    assert [] == check_env(modules[name].parallel_env, **limits)
