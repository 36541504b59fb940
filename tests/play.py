"""What many tests do: play games with random legal actions."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from lanterns_env.envs.aec import GameEnv, make


def choose(mask: np.ndarray, rng: np.random.Generator) -> int:
    legal = np.flatnonzero(mask)
    return int(legal[int(rng.random() * len(legal))])


def decisions(env: Any, seed: int, limit: int = 10**6) -> Iterator[tuple[str, int]]:
    """Play one game at random; before every decision the agent to move and the action it is about to take."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    for _ in range(limit):
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            return
        action = choose(env.infos[agent]["action_mask"], rng)
        yield agent, action
        env.step(action)


def play_to_end(env: Any, seed: int) -> None:
    for _ in decisions(env, seed):
        pass


def middle(name: str, num_players: int, steps: int = 12, seed: int = 3, guarded: bool = False, **rest: Any) -> GameEnv:
    """An environment some random moves into a game."""
    env = make(name, guarded, num_players=num_players, **rest)
    for _ in decisions(env, seed, steps):
        pass
    return env


def same(left: Any, right: Any) -> bool:
    """Whether two observations are the same."""
    return all(np.array_equal(left[key], right[key]) for key in left) and left.keys() == right.keys()
