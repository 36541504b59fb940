"""The ids under which PettingZoo finds the games, and the door for games from outside."""

from functools import partial
from typing import Any

import gymnasium
import pettingzoo

from lanterns_env.game import Game
from lanterns_env.games import GAMES

NAMESPACE = "lanterns_env"
VERSION = 0


def register(game: Game) -> None:
    """Take in a game from outside: from now on it is one of ``GAMES``, with ids of its own."""
    GAMES.add(game)
    _register_id(game.name)


def register_ids() -> None:
    for name in GAMES:
        _register_id(name)


def _register_id(name: str) -> None:
    gymnasium.register(
        f"{NAMESPACE}/{name.capitalize()}-v{VERSION}",
        entry_point="lanterns_env.seat:SeatEnv",
        vector_entry_point="lanterns_env.seat:SeatVectorEnv",
        kwargs={"game": name},
    )
    if hasattr(pettingzoo, "register"):  # since PettingZoo 1.27
        for kind in ("aec", "parallel"):
            pettingzoo.register(kind, f"{NAMESPACE}/{name}-v{VERSION}", entry_point=partial(_make, kind, name))


def _make(kind: str, name: str, **arguments: Any) -> Any:
    """The engine is imported when an environment is made."""
    from lanterns_env.entry import entry_points

    env, _, parallel_env = entry_points(name)
    return env(**arguments) if kind == "aec" else parallel_env(**arguments)
