"""PettingZoo's own tests, and what its documentation asks for beyond them."""

import importlib
import warnings

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.save_obs_test import test_save_obs as save_obs_test
from pettingzoo.test.state_test import test_state as state_test

from lanterns_env.envs.aec import make
from tests.conftest import COMPILED
from tests.play import decisions


@pytest.mark.filterwarnings("ignore::UserWarning")  # it warns of every Dict observation, its own games' too
def test_api(name, num_players):
    """With an illegal action ending the game, and without."""
    for guarded in (True, False):
        env = make(name, guarded, num_players=num_players)
        api_test(env, num_cycles=200 if COMPILED else 30, verbose_progress=False)


def test_seed(name, num_players):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of its own deprecated arguments
        seed_test(lambda: make(name, True, num_players=num_players), num_cycles=100 if COMPILED else 20)


def test_render(name, num_players):
    def make_env(render_mode):
        return make(name, True, num_players=num_players, render_mode=render_mode)

    render_test(make_env, custom_tests={"human": lambda picture: picture is None})


def test_save_obs(name, num_players):
    save_obs_test(make(name, True, num_players=num_players))


def test_state(name, num_players):
    env = make(name, True, num_players=num_players)
    state_test(env, 20)


def test_module_and_registry_make_the_same_game(name, num_players):
    module = importlib.import_module(f"lanterns_env.{name}_v0")
    by_module, raw = module.env(num_players=num_players), module.raw_env(num_players=num_players)
    by_id = pettingzoo.make("aec", f"lanterns_env/{name}-v0", num_players=num_players)
    for env in (by_module, raw, by_id):
        env.reset(seed=5)
    assert by_module.get_state() == by_id.get_state() == raw.get_state()
    assert (by_module.guarded, by_id.guarded, raw.guarded) == (True, True, False)


def test_metadata_is_said_truthfully(name):
    env = make(name, True)
    assert env.metadata["name"] == f"{name}_v0"
    assert env.metadata["is_parallelizable"] is False
    for mode in env.metadata["render_modes"]:
        shown = make(name, True, render_mode=mode)
        shown.reset(seed=1)
        assert isinstance(shown.render(), {"ansi": str, "human": type(None), "rgb_array": np.ndarray}[mode])


def test_spaces_stay_the_same_objects_and_hold_every_observation(name, num_players):
    env = make(name, True, num_players=num_players)
    spaces = {agent: env.observation_space(agent) for agent in env.possible_agents}
    assert all(env.observation_space(agent) is spaces[agent] for agent in spaces)
    assert all(env.action_space(agent) is env.action_space(agent) for agent in spaces)
    for agent, action in decisions(env, 1, 60):
        for other in env.possible_agents:
            assert spaces[other].contains(env.observe(other))
        assert env.action_space(agent).contains(np.int64(action))


def test_masks_and_info_agree_and_only_the_mover_has_actions(name, num_players):
    env = make(name, True, num_players=num_players)
    for agent, _ in decisions(env, 2, 80):
        observation, _, _, _, info = env.last()
        assert info["action_mask"] is observation["action_mask"]
        assert observation["action_mask"].any()
        assert np.array_equal(env.infos[agent]["action_mask"], observation["action_mask"])
        for other in set(env.possible_agents) - {agent}:
            assert not env.observe(other)["action_mask"].any()
            assert not env.infos[other]["action_mask"].any()


def test_a_game_ends_for_all_at_once_and_agents_leave_by_none(name, num_players):
    env = make(name, True, num_players=num_players)
    for _ in decisions(env, 3):
        pass
    assert all(env.terminations[agent] != env.truncations[agent] for agent in env.agents)
    assert len(set(env.terminations.values())) == 1
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)
    gone = []
    for agent in env.agent_iter():
        assert env.last()[2] or env.last()[3]
        gone.append(agent)
        env.step(None)
    assert sorted(gone) == env.possible_agents
    with pytest.raises(ValueError, match="reset"):
        env.step(0)
