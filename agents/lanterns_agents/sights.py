"""What a network is told beside the view: numbers that compiled code works out from the view alone.

A module ``sights_<game>`` offers ``WIDTH`` and ``see_rows(views, sights)``, which fills float32[len(views), WIDTH].
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_agents.finding import has_module, module_of
from lanterns_env.game import Game

SIGHTS = "sights"  # as in the names of the modules, and among what networks take


def has_sights(game: str) -> bool:
    return has_module(SIGHTS, game)


def see(game: Game, observations: NDArray[np.int8]) -> NDArray[np.float32]:
    """The sights of these observations."""
    module = module_of(SIGHTS, game.name)
    views: NDArray[Any] = np.ascontiguousarray(observations, np.int8).view(game.view).reshape(-1)
    sights = np.empty((len(views), module.WIDTH), np.float32)
    module.see_rows(views, sights)
    return sights


def inputs_of(game: Game, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> dict[str, NDArray[Any]]:
    """All that an exported network of the game takes, by name."""
    given = {"observations": observations, "masks": masks}
    return {**given, SIGHTS: see(game, observations)} if has_sights(game.name) else given
