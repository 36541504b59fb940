"""PettingZoo's tutorial for stable-baselines3, with the game changed; its model as an agent."""

import gymnasium
import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import pettingzoo.utils
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from sb3_contrib.common.wrappers import ActionMasker

from lanterns_env import lanterns_v0
from lanterns_env.match import play_match
from tests.conftest import COMPILED


class SB3ActionMaskWrapper(pettingzoo.utils.BaseWrapper, gymnasium.Env):
    """As in the tutorial: all seats are one learner, which gets the observation without the mask."""

    def reset(self, seed=None, options=None):
        super().reset(seed, options)
        self.observation_space = super().observation_space(self.possible_agents[0])["observation"]
        self.action_space = super().action_space(self.possible_agents[0])
        return self.observe(self.agent_selection), {}

    def step(self, action):
        current_agent = self.agent_selection
        super().step(action)
        next_agent = self.agent_selection
        return (
            self.observe(next_agent),
            self._cumulative_rewards[current_agent],
            self.terminations[next_agent],
            self.truncations[next_agent],
            self.infos[next_agent],
        )

    def observe(self, agent):
        return super().observe(agent)["observation"]

    def action_mask(self):
        return super().observe(self.agent_selection)["action_mask"]


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_the_tutorial_learns_on_our_env_and_its_model_plays_a_match(tmp_path):
    env = SB3ActionMaskWrapper(lanterns_v0.env(num_players=2))
    env.reset(seed=1)
    masked = ActionMasker(env, lambda wrapped: wrapped.action_mask())
    model = MaskablePPO(MaskableActorCriticPolicy, masked, n_steps=64, n_epochs=1, seed=1, device="cpu")
    model.set_random_seed(1)
    model.learn(total_timesteps=128)
    model.save(tmp_path / "lanterns_v0")
    result = play_match("lanterns", [f"sb3:{tmp_path}/lanterns_v0", "random"], num_players=2, deals=8, workers=1)
    assert 16 == result.rows[0].games
    assert np.isin(result.records.shares, (0, 0.5, 1)).all()
