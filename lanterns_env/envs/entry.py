"""How a game's module gets its PettingZoo entry points."""

from functools import partial
from typing import Any

from lanterns_env.envs.aec import make
from lanterns_env.envs.parallel import GameParallelEnv


def entry_points(game: str) -> tuple[Any, Any, Any]:
    """A game's ``env``, ``raw_env`` and ``parallel_env``."""
    return partial(make, game, True), partial(make, game, False), partial(GameParallelEnv, game)
