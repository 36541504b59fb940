"""The ids of the games for PettingZoo and Gymnasium, and ``register`` for games of other packages."""

from functools import partial
from typing import Any

import gymnasium
import pettingzoo

from lanterns_env.engine.game import Game
from lanterns_env.games import GAMES

NAMESPACE = "lanterns_env"
VERSION = 0  # of the games in this package


def register(game: Game) -> None:
    """Add a game of another package to ``GAMES``, with PettingZoo and Gymnasium ids of its own."""
    GAMES.add(game)
    _register_ids(game.name, game.version)


def register_ids() -> None:
    for name in GAMES:
        _register_ids(name, VERSION)


def _register_ids(name: str, version: int) -> None:
    """Gymnasium writes names with a capital, PettingZoo without: both know both."""
    for written in (name.capitalize(), name):
        known_as = f"{NAMESPACE}/{written}-v{version}"
        gymnasium.register(
            known_as,
            entry_point="lanterns_env.seat:SeatEnv",
            vector_entry_point="lanterns_env.seat:SeatVectorEnv",
            kwargs={"game": name},
        )
        if hasattr(pettingzoo, "register"):  # since PettingZoo 1.27
            for kind in ("aec", "parallel"):
                pettingzoo.register(kind, known_as, entry_point=partial(_make, kind, name))


def _make(kind: str, name: str, **arguments: Any) -> Any:
    """The engine is imported when an environment is made."""
    from lanterns_env.envs.aec import make
    from lanterns_env.envs.parallel import GameParallelEnv

    return make(name, True, **arguments) if kind == "aec" else GameParallelEnv(name, **arguments)
