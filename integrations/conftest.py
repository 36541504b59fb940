"""Every action that reaches a game is recorded, and whether it was legal."""

import numpy as np
import pytest

from lanterns_env.envs.aec import GameEnv
from lanterns_env.seat import SeatEnv


@pytest.fixture
def taken(monkeypatch):
    """One boolean for each action taken by a learner: was it legal?"""
    legal = []

    def watch(kind, mask_of):
        step = kind.step

        def watched(env, action):
            if action is not None:
                legal.append(bool(mask_of(env)[int(action)]))
            return step(env, action)

        monkeypatch.setattr(kind, "step", watched)

    watch(GameEnv, lambda env: np.zeros(env.game.num_actions) if env._ended else env.batch.action_masks[0])
    watch(SeatEnv, lambda env: env.action_masks())
    return legal
