"""Gymnasium's usual wrappers around a seat, alone and in many games; the mask stays within reach."""

import gymnasium
import numpy as np
import pytest
from gymnasium import wrappers
from gymnasium.wrappers import vector

from lanterns_env import GAMES
from tests.conftest import COMPILED
from tests.play import choose

KINDS = [(name, kind) for name in GAMES for kind in ("flat", "planes") if kind == "flat" or GAMES[name].planes]
STEPS = 60 if COMPILED else 8
SINGLE = {
    "flatten": wrappers.FlattenObservation,
    "normalize": wrappers.NormalizeObservation,
    "stack": lambda env: wrappers.FrameStackObservation(env, 3),
    "rescale": lambda env: wrappers.RescaleObservation(env, np.float32(0), np.float32(1)),
    "statistics": wrappers.RecordEpisodeStatistics,
    "dtype": lambda env: wrappers.DtypeObservation(env, np.float64),
    "delay": lambda env: wrappers.DelayObservation(env, 1),
    "reward": wrappers.NormalizeReward,
    "time limit": lambda env: wrappers.TimeLimit(env, 5),
    "all": lambda env: wrappers.RecordEpisodeStatistics(
        wrappers.FrameStackObservation(wrappers.NormalizeObservation(wrappers.FlattenObservation(env)), 2)
    ),
}
MANY = {
    "flatten": vector.FlattenObservation,
    "normalize": vector.NormalizeObservation,
    "rescale": lambda envs: vector.RescaleObservation(envs, np.float32(0), np.float32(1)),
    "statistics": vector.RecordEpisodeStatistics,
    "dtype": lambda envs: vector.DtypeObservation(envs, np.float64),
}


def shape_of(name, kind):
    return GAMES[name].planes.shape if kind == "planes" else (GAMES[name].view.itemsize,)


@pytest.mark.parametrize(("name", "kind"), KINDS)
@pytest.mark.parametrize("wrapper", SINGLE)
def test_around_one_seat(name, kind, wrapper):
    env = SINGLE[wrapper](gymnasium.make(f"lanterns_env/{name}-v0", observation=kind, disable_env_checker=True))
    seen, info = env.reset(seed=1)
    rng, ended = np.random.default_rng(1), False
    for _ in range(STEPS):
        assert seen in env.observation_space
        assert np.prod(seen.shape) % np.prod(shape_of(name, kind)) == 0
        assert np.array_equal(info["action_mask"], env.unwrapped.action_masks())
        seen, _, over, cut, info = env.step(choose(info["action_mask"], rng))
        if over or cut:
            ended = True
            assert "statistics" not in wrapper or info["episode"]["l"] > 0
            seen, info = env.reset()
    assert ended or not COMPILED or name == "lighthouse"


@pytest.mark.parametrize(("name", "kind"), KINDS)
@pytest.mark.parametrize("wrapper", MANY)
def test_around_many_seats(name, kind, wrapper):
    envs = MANY[wrapper](gymnasium.make_vec(f"lanterns_env/{name}-v0", 4, observation=kind))
    seen, infos = envs.reset(seed=1)
    rng, games = np.random.default_rng(1), 0
    for _ in range(2 * STEPS):
        assert seen.shape[0] == 4
        assert np.array_equal(infos["action_mask"], envs.unwrapped.action_masks())
        seen, _, over, cut, infos = envs.step([choose(mask, rng) for mask in infos["action_mask"]])
        if (over | cut).any():
            finished = infos["final_info"]["finished"]
            games += 1
            assert finished["_length"].tolist() == (over | cut).tolist()
            assert "statistics" not in wrapper or infos["_episode"].tolist() == (over | cut).tolist()
    assert games or not COMPILED


def test_a_stack_of_images_keeps_them_apart():
    env = gymnasium.make("lanterns_env/lighthouse-v0", observation="planes")
    env = wrappers.FrameStackObservation(env, 3)
    assert (3, *GAMES["lighthouse"].planes.shape) == env.reset(seed=1)[0].shape
