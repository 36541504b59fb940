"""The turn-based parallel interface: whoever waits has one action."""

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import parallel_api_test
from pettingzoo.test.seed_test import parallel_seed_test

from lanterns_env.envs.aec import make
from lanterns_env.envs.parallel import GameParallelEnv
from tests.conftest import COMPILED
from tests.play import choose, play_to_end


def actions_of(env, observations, rng):
    return {agent: choose(observations[agent]["action_mask"], rng) for agent in env.agents}


def test_pettingzoos_own_tests(name, num_players):
    parallel_api_test(GameParallelEnv(name, num_players=num_players), num_cycles=300 if COMPILED else 20)
    parallel_seed_test(lambda: GameParallelEnv(name, num_players=num_players), num_cycles=50)


def test_it_is_the_aec_game_with_waiting(name, num_players):
    """Every observation, reward and flag of whole games, for every agent; the second reset the same as the first."""
    env, single = GameParallelEnv(name, num_players=num_players), make(name, False, num_players=num_players)
    wait = env.wait
    for seed in (5, 6, 5) if COMPILED else (5,):
        rng = np.random.default_rng(5)
        observations, infos = env.reset(seed=seed)
        single.reset(seed=seed)
        while env.agents:
            mover = single.agent_selection
            for agent in env.agents:
                seen = single.observe(agent)
                assert np.array_equal(observations[agent]["observation"], seen["observation"])
                assert np.array_equal(observations[agent]["action_mask"][:wait], seen["action_mask"])
                assert observations[agent]["action_mask"][wait] == (agent != mover)
                assert infos[agent]["action_mask"] is observations[agent]["action_mask"]
                assert env.observation_space(agent).contains(observations[agent])
            actions = actions_of(env, observations, rng)
            assert [actions[agent] for agent in env.agents if agent != mover] == [wait] * (num_players - 1)
            observations, rewards, over, cut, infos = env.step(actions)
            single.step(actions[mover])
            assert (rewards, over, cut) == (single.rewards, single.terminations, single.truncations)
        assert set(observations) == set(env.possible_agents)


def test_only_the_parallel_environment_calls_itself_parallelizable(name):
    assert GameParallelEnv(name).metadata["is_parallelizable"] is True
    assert make(name, True).metadata["is_parallelizable"] is False
    by_id = pettingzoo.make("parallel", f"lanterns_env/{name}-v0")
    assert isinstance(by_id, GameParallelEnv)


def test_moving_out_of_turn_waiting_in_turn_and_illegal_actions_end_the_game(name):
    for wrong in ("moves out of turn", "waits in turn", "illegal"):
        env = GameParallelEnv(name)
        observations, _ = env.reset(seed=1)
        mover = env.game_env.agent_selection
        idle = next(agent for agent in env.agents if agent != mover)
        actions = actions_of(env, observations, np.random.default_rng(1))
        offender = idle if wrong == "moves out of turn" else mover
        actions[offender] = {
            "moves out of turn": actions[mover],
            "waits in turn": env.wait,
            "illegal": int(np.flatnonzero(observations[mover]["action_mask"] == 0)[0]),
        }[wrong]
        _, rewards, over, cut, infos = env.step(actions)
        assert rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
        assert all(over.values())
        assert not any(cut.values())
        assert infos[offender]["illegal"]
        assert env.agents == []


def test_a_finished_game_comes_back_finished(name):
    single = make(name, True)
    play_to_end(single, 3)
    env = GameParallelEnv(name)
    env.reset(options={"state": single.get_state()})
    assert env.agents == []


def test_bad_calls_are_said(name):
    env = GameParallelEnv(name)
    observations, _ = env.reset(seed=1)
    actions = actions_of(env, observations, np.random.default_rng(1))
    with pytest.raises(ValueError, match="every agent"):
        env.step({})
    for action in (env.wait + 1, -1, None, 0.5):
        with pytest.raises(ValueError, match="action"):
            env.step({**actions, env.possible_agents[0]: action})
    env.step(actions)
