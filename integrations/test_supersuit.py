"""SuperSuit's usual wrappers around observations that are arrays; the mask stays in info."""

import numpy as np
import pytest
import supersuit as ss
from pettingzoo.test import api_test

from lanterns_env import GAMES
from lanterns_env.envs.aec import make
from lanterns_env.envs.parallel import GameParallelEnv
from tests.bridges import pages

STEPS = 120
KINDS = [(name, kind) for name in GAMES for kind in ("flat", "planes") if kind == "flat" or GAMES[name].planes]
ANY = {
    "dtype": lambda env: ss.dtype_v0(env, np.float16),
    "normalize": lambda env: ss.normalize_obs_v0(env, 0, 1),
    "flatten": ss.flatten_v0,
    "stack": lambda env: ss.frame_stack_v1(env, 3),
    "indicator": ss.agent_indicator_v0,
    "pad observations": ss.pad_observations_v0,
    "pad actions": ss.pad_action_space_v0,
    "delay": lambda env: ss.delay_observations_v0(env, 2),
    "clip rewards": ss.clip_reward_v0,
    "all": lambda env: ss.agent_indicator_v0(ss.frame_stack_v1(ss.normalize_obs_v0(ss.flatten_v0(env)), 2)),
}
CASES = [(name, kind, wrapper) for name, kind in KINDS for wrapper in ANY]


def prepared(env, kind):
    """SuperSuit has channels last."""
    if kind == "flat":
        return env
    box = type(env.observation_space(env.possible_agents[0]))

    def moved(space):
        low, high = (np.moveaxis(bound, 0, -1) for bound in (space.low, space.high))
        return box(low, high, dtype=space.dtype.type)

    return ss.observation_lambda_v0(env, lambda image, _: np.moveaxis(image, 0, -1), moved)


@pytest.mark.parametrize(("name", "kind", "wrapper"), CASES)
def test_around_a_game(name, kind, wrapper, taken):
    env = ANY[wrapper](prepared(make(name, True, observation=kind), kind))
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    for agent in env.agent_iter(STEPS):
        observation, _, over, cut, info = env.last()
        space = env.observation_space(agent)
        assert (space.shape, space.dtype) == (observation.shape, observation.dtype)
        assert np.isfinite(observation).all()
        if over or cut:
            env.step(None)
            continue
        assert np.array_equal(env.unwrapped.batch.action_masks[0], info["action_mask"])
        env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
    assert len(taken) > 20
    assert all(taken)


@pytest.mark.parametrize(("name", "kind"), KINDS)
@pytest.mark.parametrize("wrapper", ["black death", "normalize", "stack", "indicator"])
def test_around_a_parallel_game(name, kind, wrapper, taken):
    wrap = ss.black_death_v3 if wrapper == "black death" else ANY[wrapper]
    env = wrap(prepared(GameParallelEnv(name, observation=kind), kind))
    _, infos = env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(STEPS):
        actions = {agent: int(rng.choice(np.flatnonzero(info["action_mask"]))) for agent, info in infos.items()}
        observations, _, over, cut, infos = env.step(actions)
        for agent, observation in observations.items():
            assert env.observation_space(agent).shape == observation.shape
        if any(over.values()) or any(cut.values()) or not env.unwrapped.agents:
            _, infos = env.reset()
    assert len(taken) > 20
    assert all(taken)


@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_as_a_vector_of_agents(name, kind, taken):
    envs = ss.pettingzoo_env_to_vec_env_v1(GameParallelEnv(name, observation=kind))
    envs = ss.concat_vec_envs_v1(envs, 2, num_cpus=0, base_class="gymnasium")
    observations, infos = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(STEPS):
        assert observations.shape == (envs.num_envs, *envs.observation_space.shape)
        actions = [int(rng.choice(np.flatnonzero(info["action_mask"]))) for info in infos]
        observations, _, _, _, infos = envs.step(np.array(actions))
    assert len(taken) > STEPS
    assert all(taken)


@pytest.mark.filterwarnings("ignore")
def test_a_wrapped_game_passes_pettingzoos_own_test():
    api_test(ss.frame_stack_v1(ss.normalize_obs_v0(make("lumen", True, observation="flat")), 4), num_cycles=100)


def test_the_page(taken):
    names = pages.run("supersuit.md")
    assert (4 * GAMES["lanterns"].view.itemsize + 3,) == names["observation"].shape
    assert names["observations"]["player_0"].shape == (4, 33, 2 * 67)
    assert all(taken)
