"""Features: numbers that compiled code works out from a view, given to a network beside the observation.

The module ``features`` of a game offers ``WIDTH``, ``compute_rows(views, features)``, which fills
float32[len(views), WIDTH], and ``EDITION``, a number to be raised whenever a feature changes.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_agents.per_game import has_module, module_for
from lanterns_env.engine.game import Game

FEATURES = "features"  # as in the names of the modules, and among what networks take


def has_features(game: str) -> bool:
    return has_module(FEATURES, game)


def width_of(game: Game) -> int:
    """How many numbers, 0 for a game without."""
    return int(module_for(FEATURES, game.name).WIDTH) if has_features(game.name) else 0


def layout_of(game: Game) -> str:
    """The layout of all that a network is given: of the view, and the edition of the features from the second on."""
    edition = module_for(FEATURES, game.name).EDITION if has_features(game.name) else 1
    return game.layout if edition == 1 else f"{game.layout}.{edition}"


def compute_features(game: Game, observations: NDArray[np.int8]) -> NDArray[np.float32]:
    """float32[N, WIDTH], of no width for a game without."""
    features = np.empty((len(observations), width_of(game)), np.float32)
    if has_features(game.name):
        own = np.array(observations, np.int8, order="C")  # one kind of array, so that one kind of code is compiled
        views: NDArray[Any] = own.view(game.view).reshape(-1)
        module_for(FEATURES, game.name).compute_rows(views, features)
    return features


def inputs_of(game: Game, observations: NDArray[np.int8], masks: NDArray[np.int8]) -> dict[str, NDArray[Any]]:
    """All that an exported network of the game takes, by name."""
    given = {"observations": observations, "masks": masks}
    return {**given, FEATURES: compute_features(game, observations)} if has_features(game.name) else given
