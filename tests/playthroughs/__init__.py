"""Recorded games: every decision in words, with checksums of state and views.

``python -m tests.playthroughs`` writes them anew.  Look at the difference before keeping it.
"""

import pathlib
import zlib
from collections.abc import Iterator

import numpy as np

from lanterns_env import GAMES
from lanterns_env.envs.aec import make
from tests.play import decisions

FOLDER = pathlib.Path(__file__).parent
SEED = 2026
DRAWN_EVERY = 40  # decisions


def path(name: str, num_players: int) -> pathlib.Path:
    return FOLDER / f"{name}_{num_players}.txt"


def actions_of(text: str) -> list[int]:
    return [int(line.split()[1]) for line in text.splitlines() if line.startswith("action ")]


def record(name: str, num_players: int, actions: list[int]) -> Iterator[str]:
    """The lines of a recorded game."""
    env = make(name, False, num_players=num_players, reward="points")
    env.reset(seed=SEED)
    yield f"game {name}, {num_players} players, seed {SEED}"
    for number, action in enumerate(actions):
        if number % DRAWN_EVERY == 0:
            yield from (f"| {line}".rstrip() for line in env.game.draw(env._views([env._to_move])).splitlines())
        yield f"action {action:3} {env.agent_selection}: {env.describe(action)}"
        env.step(action)
        views = b"".join(env.observe(agent)["observation"].tobytes() for agent in env.possible_agents)
        mask = env._batch.action_masks[0]
        checks = (env._batch.states.tobytes(), views, mask.tobytes())
        sums = " ".join(f"{zlib.crc32(data):08x}" for data in checks)
        yield f"       {mask.sum():3} next, state views mask {sums}"
    points, share = env._batch.scores()
    yield f"over {env._ended}, points {points[0].tolist()}, share {np.round(share[0], 3).tolist()}"


def write() -> None:
    for name in GAMES:
        for num_players in GAMES[name].players:
            env = make(name, False, num_players=num_players)
            actions = [action for _, action in decisions(env, SEED)]
            path(name, num_players).write_text("\n".join(record(name, num_players, actions)) + "\n")
