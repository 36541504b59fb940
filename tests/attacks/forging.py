"""Saved games that somebody has made up: other contents under a checksum that is right."""

import json
from contextlib import suppress
from typing import Any

import numpy as np

from lanterns_env import GAMES
from lanterns_env.engine import serialization as saving
from lanterns_env.engine.game import Option
from lanterns_env.envs.aec import GameEnv, make


def tables() -> list[tuple[str, int]]:
    return [(name, num_players) for name in GAMES for num_players in GAMES[name].players]


def options_by_chance(name: str, num_players: int, rng: np.random.Generator) -> dict[str, Any]:
    """Some value for every option, so that they go together."""
    while True:
        chosen = {option: value_by_chance(known, rng) for option, known in GAMES[name].options.items()}
        with suppress(ValueError):
            return GAMES[name].check_options(num_players, chosen)


def value_by_chance(option: Option, rng: np.random.Generator) -> Any:
    values = option.values
    if isinstance(values, range):
        values = [value for value in (1, 20, 500, values[0], values[-1], option.default) if value in values]
    return values[rng.integers(len(values))]


def somewhere(name: str, num_players: int, rng: np.random.Generator) -> GameEnv:
    """An environment somewhere in a game, under some options."""
    env = make(name, False, num_players=num_players, **options_by_chance(name, num_players, rng))
    env.reset(seed=int(rng.integers(1 << 60)))
    play_on(env, int(rng.integers(80)), rng)
    return env


def play_on(env: GameEnv, moves: int, rng: np.random.Generator) -> None:
    """Random legal moves, until the game is over."""
    for _ in range(moves):
        if env._ended:
            return
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(rng.choice(np.flatnonzero(mask))))


def parts(saved: bytes) -> tuple[dict[str, Any], bytes]:
    """Header and contents of a saved game."""
    line, _, payload = saved[len(saving.MAGIC) : -saving.DIGEST_BYTES].partition(b"\n")
    return json.loads(line), payload


def forged(header: Any, payload: bytes) -> bytes:
    """A saved game of any header and contents, with the right checksum."""
    body = saving.MAGIC + json.dumps(header).encode() + b"\n" + payload
    return body + saving._digest(body)


def spoil(data: bytearray, rng: np.random.Generator) -> None:
    """Damage as disks and networks do it: bits, gaps, zeros, what was never there, an end too early."""
    at = int(rng.integers(len(data)))
    match rng.integers(5):
        case 0:
            data[at] ^= 1 << int(rng.integers(8))
        case 1:
            del data[at:]
        case 2:
            del data[at : at + int(rng.integers(1, 40))]
        case 3:
            data[at:at] = rng.bytes(int(rng.integers(1, 20)))
        case _:
            data[at : at + 8] = bytes(8)
