"""Features: numbers that compiled code works out from a view, given to a network beside the observation.

The module ``features`` of a game offers ``WIDTH`` and ``compute_rows(views, features)``, which fills
float32[len(views), WIDTH].  A network has learnt from these very numbers, so they are pinned by what they are:
``reference_features.npz`` in the folder of the game holds positions and their features.  Whatever is loaded is refused
where the features of these positions are not the same any more, or where it was trained on others.
``scripts/pin_features.py`` writes the file anew.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_agents.per_game import has_module, module_for
from lanterns_env.engine.game import Game

FEATURES = "features"  # as in the names of the modules, and among what networks take
OBSERVATIONS = "observations"
REFERENCE = "reference_features.npz"
TOLERANCE = 1e-6  # between features computed and pinned: other processors round otherwise
DIGITS = 16  # of a fingerprint


@dataclass(frozen=True)
class Reference:
    """Positions of a game and their features as networks have learnt from them."""

    observations: NDArray[np.int8]  # [positions, D]
    features: NDArray[np.float32]  # [positions, WIDTH]

    @property
    def fingerprint(self) -> str:
        whole = hashlib.sha256(self.observations.tobytes() + self.features.tobytes())
        return whole.hexdigest()[:DIGITS]


def has_features(game: str) -> bool:
    return has_module(FEATURES, game)


def width_of(game: Game) -> int:
    """How many numbers, 0 for a game without."""
    return int(module_for(FEATURES, game.name).WIDTH) if has_features(game.name) else 0


def compute_features(game: Game, observations: NDArray[np.int8]) -> NDArray[np.float32]:
    """float32[N, WIDTH], of no width for a game without."""
    features = np.empty((len(observations), width_of(game)), np.float32)
    if has_features(game.name):
        own = np.array(observations, np.int8, order="C")  # one kind of array, so that one kind of code is compiled
        views: NDArray[Any] = own.view(game.view).reshape(-1)
        module_for(FEATURES, game.name).compute_rows(views, features)
    return features


def inputs_of(game: Game, observations: NDArray[np.int8], action_masks: NDArray[np.int8]) -> dict[str, NDArray[Any]]:
    """All that an exported network of the game takes, by name."""
    given = {OBSERVATIONS: observations, "action_masks": action_masks}
    return {**given, FEATURES: compute_features(game, observations)} if has_features(game.name) else given


# -- what networks have learnt from -----------------------------------------------------------------------------------


def reference_file(game: str) -> Path:
    return Path(__file__).parent / game / REFERENCE


def read_reference(file: Path) -> Reference:
    with np.load(file, allow_pickle=False) as arrays:
        return Reference(arrays[OBSERVATIONS], arrays[FEATURES])


def write_reference(file: Path, reference: Reference) -> None:
    np.savez_compressed(file, observations=reference.observations, features=reference.features)


@cache
def features_fingerprint(game: str) -> str:
    """By which a network knows the features it was trained on; empty for a game without."""
    return read_reference(reference_file(game)).fingerprint if has_features(game) else ""


def check_features(game: Game, fingerprint: str) -> None:
    """Refuse what was trained on other features than those that are computed now."""
    if fingerprint != features_fingerprint(game.name):
        raise ValueError(
            f"this network was trained on other features of {game.title} ({fingerprint or 'none'}; now "
            f"{features_fingerprint(game.name) or 'none'}): train it anew"
        )
    if has_features(game.name):
        check_reference(game)


@cache
def check_reference(game: Game) -> None:
    """Refuse to go on with features that are not the pinned ones.  Asked once, as code does not change meanwhile."""
    pinned = read_reference(reference_file(game.name))
    if pinned.observations.shape[1] != game.view.itemsize:
        raise ValueError(
            f"{reference_file(game.name)} holds positions of another layout of {game.title}: pin them anew"
        )
    found = differing(compute_features(game, pinned.observations), pinned.features)
    if found:
        raise ValueError(f"the features of {game.title} are not those that its networks were trained on: {found}")


def differing(features: NDArray[np.float32], pinned: NDArray[np.float32]) -> str:
    """Where features are not as they are pinned, in words; empty if they are."""
    if features.shape != pinned.shape:
        return f"a position has {features.shape[1]} of them, and had {pinned.shape[1]}"
    apart = ~(np.abs(features - pinned) <= TOLERANCE)  # also where one is no number
    if not apart.any():
        return ""
    row, column = np.argwhere(apart)[0].tolist()
    return (
        f"{apart.sum()} numbers differ, first feature {column} of reference position {row}, "
        f"which is {features[row, column]:.7g} and was {pinned[row, column]:.7g}"
    )
