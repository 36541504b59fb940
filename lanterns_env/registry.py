"""The ids under which PettingZoo finds the games, and the door for games from outside."""

from functools import partial
from typing import Any

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
    if hasattr(pettingzoo, "register"):  # since PettingZoo 1.27
        pettingzoo.register("aec", f"{NAMESPACE}/{name}-v{VERSION}", entry_point=partial(_make, name))


def _make(name: str, **arguments: Any) -> Any:
    from lanterns_env.aec import make

    return make(name, guarded=True, **arguments)
