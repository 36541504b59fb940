"""The native stable-baselines3 VecEnv, and a learner on it."""

import numpy as np
import pytest

from lanterns_env.seat import Seats

sb3_contrib = pytest.importorskip("sb3_contrib")
torch = pytest.importorskip("torch")

from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402

from lanterns_env.sb3 import SeatVecEnv  # noqa: E402
from tests.bridges import pages  # noqa: E402
from tests.conftest import COMPILED  # noqa: E402
from tests.play import choose  # noqa: E402

pytestmark = pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")


def test_rows_are_seats_and_masks_are_theirs(name):
    envs, seats = SeatVecEnv(name, 5, seed=3, scaled=False), Seats(name, 5)
    seats.seed_opponents(*range(3, 8))
    observations = envs.reset()
    seats.deal(seeds=range(3, 8))
    rng = np.random.default_rng(0)
    for _ in range(150):
        assert np.array_equal(observations, seats.observations())
        assert is_masking_supported(envs)
        masks = get_action_masks(envs)
        assert np.array_equal(masks, seats.action_masks)
        actions = np.array([choose(mask, rng) for mask in masks])
        observations, rewards, dones, infos = envs.step(actions)
        seats.step(actions)
        assert np.array_equal(rewards, seats.rewards)
        assert np.array_equal(dones, seats.dones)
        ended = np.flatnonzero(seats.dones)
        last = seats.observations()
        for row in ended:
            assert np.array_equal(infos[row]["terminal_observation"], last[row])
            assert infos[row]["episode"]["l"] > 0
        if len(ended):
            seats.deal(ended)


def test_without_a_seed_every_one_plays_other_deals(name):
    first, second = SeatVecEnv(name, 2), SeatVecEnv(name, 2)
    first.reset()
    second.reset()
    assert not set(first.seats.batch.seeds.tolist()) & set(second.seats.batch.seeds.tolist())


def test_scaled_observations_lie_between_minus_one_and_one(name):
    envs = SeatVecEnv(name, 3, seed=1)
    seen = envs.reset()
    assert seen.dtype == np.float32
    assert envs.observation_space.contains(seen[0])
    assert abs(seen).max() <= 1


def test_maskable_ppo_learns_on_it_and_repeats_itself(name):
    def learn():
        envs = SeatVecEnv(name, 8, seed=1)
        model = sb3_contrib.MaskablePPO("MlpPolicy", envs, n_steps=16, batch_size=64, n_epochs=1, seed=1, device="cpu")
        model.learn(256)
        masks = get_action_masks(envs)
        actions, _ = model.predict(envs.reset(), action_masks=masks, deterministic=True)
        return [parameter.detach().clone() for parameter in model.policy.parameters()], actions, masks

    torch.set_num_threads(1)
    weights, actions, masks = learn()
    assert masks[np.arange(8), actions].all()
    assert all(torch.equal(left, right) for left, right in zip(weights, learn()[0], strict=True))


def test_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    torch.set_num_threads(1)
    names = pages.run("sb3.md")
    assert all(result in (-1, 0, 1) for result in names["results"])
    assert names["row"].games == 40
    assert (tmp_path / "model.zip").is_file()
    assert names["model"].num_timesteps == 3 * 1024
