"""The tuned weights of expert play: read from a file, checked, and picked by the number of players.

The module ``weights`` of a game offers ``BOUNDS``: name -> (lowest, highest) of every weight, in the order of the
vector, and ``NAMES = tuple(BOUNDS)``.  Beside it lies ``weights.toml``: either ``name = value`` for all weights, the
same at every table, or one table of them ``[players_<n>]`` for each number of players.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_agents.per_game import module_for
from lanterns_env import GAMES

Vectors = dict[int, NDArray[np.float64]]  # the weights by number of players
ANY_NUMBER = 0  # the weights for every number of players that has none of its own
TABLE = "players_"  # and the number of players
LONGEST = 1 << 20  # bytes of a file of weights
LARGEST = 1e6  # weight


def weights_file(game: str) -> Path:
    """The tuned weights that come with the package."""
    return Path(__file__).parent / game / "weights.toml"


def read_weights(file: str | Path, names: Mapping[str, Any]) -> Vectors:
    """The vectors in a file of weights, every one complete."""
    return vectors_in(read_file(file), names, str(file))


def read_file(file: str | Path) -> dict[str, Any]:
    """What a file of weights holds, whatever game it is for."""
    try:
        if not Path(file).is_file():
            raise ValueError("there is no such file")
        with open(file, "rb") as stream:
            text = stream.read(LONGEST + 1)
        if len(text) > LONGEST:
            raise ValueError(f"it is longer than {LONGEST} bytes")
        return tomllib.loads(text.decode())
    except RecursionError:
        raise ValueError(f"the weights {str(file)!r:.200} cannot be read: they are nested too deeply") from None
    except (OSError, ValueError) as error:
        raise ValueError(f"the weights {str(file)!r:.200} cannot be read: {error}") from None


def vectors_in(content: dict[str, Any], names: Mapping[str, Any], file: str) -> Vectors:
    """The vectors for a game; ValueError unless every weight is there."""
    tables = {name: part for name, part in content.items() if isinstance(part, dict)}
    if not tables:
        return {ANY_NUMBER: _vector_of(content, names, file)}
    strays = [name for name in content if not (name in tables and name.removeprefix(TABLE).isdecimal())]
    if strays:
        raise ValueError(f"{file}: beside tables like [{TABLE}2] there must be nothing, but there is {strays[0]!r}")
    return {int(name.removeprefix(TABLE)): _vector_of(part, names, f"{file}, {name}") for name, part in tables.items()}


def vector_for(vectors: Vectors, count: int) -> NDArray[np.float64]:
    """The weights for a number of players."""
    for number in (count, ANY_NUMBER):
        if number in vectors:
            return vectors[number]
    raise ValueError(f"the weights have no table [{TABLE}{count}], and none for every number of players")


def weights_by_players(game: str) -> NDArray[np.float64]:
    """The tuned weights as one array: a row for every number of players, zeros where there is no such game."""
    bounds = module_for("weights", game).BOUNDS
    vectors, counts = read_weights(weights_file(game), bounds), GAMES[game].players
    rows = np.zeros((max(counts) + 1, len(bounds)))
    for count in counts:
        rows[count] = vector_for(vectors, count)
    return rows


def _vector_of(values: Mapping[str, Any], names: Mapping[str, Any], where: str) -> NDArray[np.float64]:
    """The weights in the order of their names."""
    unknown, missing = [n for n in values if n not in names], [n for n in names if n not in values]
    if unknown or missing:
        strays = [f"unknown: {', '.join(unknown)}"] * bool(unknown)
        gaps = [f"missing: {', '.join(missing)}"] * bool(missing)
        raise ValueError(f"{where}: not the weights of this game; {'; '.join([*strays, *gaps])}")
    for name, value in values.items():
        if type(value) not in (int, float) or not -LARGEST <= value <= LARGEST:
            raise ValueError(f"{where}: {name} must be a number from {-LARGEST:g} to {LARGEST:g}, not {value!r:.40}")
    return np.array([values[name] for name in names], np.float64)
