"""What a network is told beside the view: numbers that compiled code works out from the view alone.

A module ``sights_<game>`` offers ``WIDTH``, ``see_rows(views, sights)``, which fills float32[len(views), WIDTH], and
``EDITION``, a number to be raised whenever anything else is told: what was learnt from another is refused.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_agents.per_game import has_module, module_of
from lanterns_env.engine.game import Game

SIGHTS = "sights"  # as in the names of the modules, and among what networks take


def has_sights(game: str) -> bool:
    return has_module(SIGHTS, game)


def width_of(game: Game) -> int:
    """How many numbers, 0 for a game without."""
    return int(module_of(SIGHTS, game.name).WIDTH) if has_sights(game.name) else 0


def layout_of(game: Game) -> str:
    """The layout of all that a network is given: of the view, and the edition of the sights from the second on."""
    edition = module_of(SIGHTS, game.name).EDITION if has_sights(game.name) else 1
    return game.layout if edition == 1 else f"{game.layout}.{edition}"


def see(game: Game, observations: NDArray[np.int8]) -> NDArray[np.float32]:
    """The sights of these observations, of no width for a game without."""
    sights = np.empty((len(observations), width_of(game)), np.float32)
    if has_sights(game.name):
        own = np.array(observations, np.int8, order="C")  # one kind of array, so that one kind of code is compiled
        views: NDArray[Any] = own.view(game.view).reshape(-1)
        module_of(SIGHTS, game.name).see_rows(views, sights)
    return sights


def inputs_of(game: Game, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> dict[str, NDArray[Any]]:
    """All that an exported network of the game takes, by name."""
    given = {"observations": observations, "masks": masks}
    return {**given, SIGHTS: see(game, observations)} if has_sights(game.name) else given
