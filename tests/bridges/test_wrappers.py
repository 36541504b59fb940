"""Gymnasium's usual wrappers around a seat, alone and in many games; the mask stays within reach."""

import gymnasium
import numpy as np
import pytest
from gymnasium import wrappers
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector

from lanterns_env import GAMES
from tests.conftest import COMPILED
from tests.play import choose

KINDS = [(name, kind) for name in GAMES for kind in ("flat", "planes") if kind == "flat" or GAMES[name].planes]
STEPS = 60 if COMPILED else 8
SHORT = {"lighthouse": {"max_turns": 20}}  # random players finish no towers
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
OVERFLOW = "ignore:overflow encountered in cast:RuntimeWarning"  # Gymnasium's own, where a Box gets a wider dtype
MANY = {  # those of observations know no autoreset in the same step
    "flatten": vector.FlattenObservation,
    "normalize": vector.NormalizeObservation,
    "rescale": lambda envs: vector.RescaleObservation(envs, np.float32(0), np.float32(1)),
    "statistics": vector.RecordEpisodeStatistics,
    "dtype": lambda envs: vector.DtypeObservation(envs, np.float64),
}


def shape_of(name, kind):
    return GAMES[name].planes.shape if kind == "planes" else (GAMES[name].view.itemsize,)


@pytest.mark.filterwarnings(OVERFLOW)
@pytest.mark.parametrize("table", KINDS, ids="-".join)
@pytest.mark.parametrize("wrapper", SINGLE)
def test_around_one_seat(table, wrapper):
    name, kind = table
    arguments = {"observation": kind, "disable_env_checker": True, **SHORT.get(name, {})}
    env = SINGLE[wrapper](gymnasium.make(f"lanterns_env/{name}-v0", **arguments))
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
    assert ended or not COMPILED


@pytest.mark.filterwarnings(OVERFLOW)
@pytest.mark.parametrize("table", KINDS, ids="-".join)
@pytest.mark.parametrize("wrapper", MANY)
def test_around_many_seats(table, wrapper):
    name, kind = table
    arguments = {"observation": kind, "autoreset_mode": AutoresetMode.NEXT_STEP, **SHORT.get(name, {})}
    envs = MANY[wrapper](gymnasium.make_vec(f"lanterns_env/{name}-v0", 4, **arguments))
    seen, infos = envs.reset(seed=1)
    rng, games = np.random.default_rng(1), 0
    for _ in range(2 * STEPS):
        assert seen.shape[0] == 4
        masks = infos["action_mask"]
        assert np.array_equal(masks, envs.unwrapped.action_masks())
        seen, _, over, cut, infos = envs.step([choose(mask, rng) if mask.any() else 0 for mask in masks])
        if (over | cut).any():
            games += 1
            assert infos["finished"]["_length"].tolist() == (over | cut).tolist()
            assert "statistics" not in wrapper or infos["_episode"].tolist() == (over | cut).tolist()
    assert games or not COMPILED


def test_statistics_of_many_seats_with_autoreset_in_the_same_step(name):
    arguments = {"observation": "flat", **SHORT.get(name, {})}
    envs = vector.RecordEpisodeStatistics(gymnasium.make_vec(f"lanterns_env/{name}-v0", 4, **arguments))
    _, infos = envs.reset(seed=1)
    rng, games = np.random.default_rng(1), 0
    while not games:
        _, rewards, over, cut, infos = envs.step([choose(mask, rng) for mask in infos["action_mask"]])
        for row in np.flatnonzero(over | cut):
            games += 1
            finished = infos["final_info"]["finished"]
            n, share = envs.unwrapped.seats.num_players, finished["shares"][row, 0]
            assert infos["episode"]["r"][row] == rewards[row] == pytest.approx((n * share - 1) / (n - 1))


def test_a_stack_of_images_keeps_them_apart():
    env = gymnasium.make("lanterns_env/lighthouse-v0", observation="planes")
    env = wrappers.FrameStackObservation(env, 3)
    assert (3, *GAMES["lighthouse"].planes.shape) == env.reset(seed=1)[0].shape
