"""RLlib's PPO in self-play, as its page shows; and our environments under the Gymnasium that RLlib asks for."""

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from lanterns_env import GAMES
from lanterns_env.envs.aec import make
from tests.bridges import pages


def test_the_page_trains_with_legal_actions_alone(taken, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    torch.set_num_threads(1)
    names = pages.run("rllib.md")
    results = names["results"]
    steps = [result["env_runners"]["num_env_steps_sampled_lifetime"] for result in results]
    assert steps == [400, 800, 1200]
    losses = results[-1]["learners"]["shared"]
    assert np.isfinite(losses["total_loss"])
    assert losses["num_module_steps_trained_lifetime"] >= 2 * 1200  # epochs of steps
    assert len(taken) >= 1200
    assert all(taken)
    assert names["row"].games == 60


@pytest.mark.parametrize("name", list(GAMES))
def test_our_environments_run_under_this_gymnasium(name):
    assert gymnasium.__version__ == "1.2.2"
    check_env(gymnasium.make(f"lanterns_env/{name.capitalize()}-v0").unwrapped, skip_render_check=True)
    api_test(make(name, True), num_cycles=200)
    seed_test(lambda: make(name, True))
    for mode in gymnasium.vector.AutoresetMode:
        play_vector(name, mode)


def play_vector(name, mode):
    envs = gymnasium.make_vec(f"lanterns_env/{name.capitalize()}-v0", num_envs=4, autoreset_mode=mode)
    observations, _ = envs.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(100):
        masks = observations["action_mask"]
        actions = np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])
        observations, _, ended, cut, _ = envs.step(actions)
        assert observations in envs.observation_space
        if mode == gymnasium.vector.AutoresetMode.DISABLED and (ended | cut).any():
            observations, _ = envs.reset(options={"reset_mask": ended | cut})
