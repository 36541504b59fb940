"""Images of views, for convolutions: what a game says of its planes, and how they are made."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.engine.game import Field


@dataclass(frozen=True)
class Plane:
    """One plane of an image, or several of a kind.

    Attributes:
        name: Of the kind, unique among those of a game.
        shape: () for a single plane.
        low: The least that its numbers can be.
        high: The most.
        meaning: What they say.
    """

    name: str
    shape: tuple[int, ...]
    low: float
    high: float
    meaning: str

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=int))


@dataclass(frozen=True, eq=False)
class Planes:
    """A game's views as images: first planes on which the board is drawn, then every other number as a constant plane.

    Called with views, it returns float32[n, C, H, W].  The constant planes hold the numbers of "flat".

    Attributes:
        fields: Those of the view.
        board: The planes that are drawn.
        height: Of the board, in cells.
        width: Of the board, in cells.
        draw: Compiled, (views, images): draws the board of every view on the first planes, which are blank yet.
        drawn: The fields that the board shows; all others are constant planes.
    """

    fields: tuple[Field, ...]
    board: tuple[Plane, ...]
    height: int
    width: int
    draw: Callable[..., Any]
    drawn: frozenset[str]

    @cached_property
    def kinds(self) -> tuple[Plane, ...]:
        """All planes in order, those of a kind together."""
        return (*self.board, *(_constant(field) for field in self.fields if field.name not in self.drawn))

    @cached_property
    def places(self) -> dict[str, slice]:
        """Which planes are of a kind, by its name."""
        ends = np.cumsum([0, *(kind.size for kind in self.kinds)]).tolist()
        return {kind.name: slice(*ends[k : k + 2]) for k, kind in enumerate(self.kinds)}

    @cached_property
    def shape(self) -> tuple[int, int, int]:
        return sum(kind.size for kind in self.kinds), self.height, self.width

    @property
    def low(self) -> NDArray[np.float32]:
        """The lower bound of every plane."""
        return np.concatenate([np.full(kind.size, kind.low, np.float32) for kind in self.kinds])

    @property
    def high(self) -> NDArray[np.float32]:
        """The upper bound of every plane."""
        return np.concatenate([np.full(kind.size, kind.high, np.float32) for kind in self.kinds])

    def __call__(self, views: NDArray[Any]) -> NDArray[np.float32]:
        images = np.empty((len(views), *self.shape), np.float32)
        self.write(views, images)
        return images

    def write(self, views: NDArray[Any], images: NDArray[np.float32]) -> None:
        """Draw views into an array."""
        views = views if views.flags.writeable else views.copy()  # Numba would compile anew for what is read-only
        columns, bounds = self._constants
        numbers = views.view(np.ndarray).view(np.int8).reshape(len(views), -1)
        board = self.shape[0] - len(columns)
        images[:, :board] = 0
        self.draw(views, images)
        images[:, board:] = (numbers[:, columns] / bounds)[:, :, None, None]

    @cached_property
    def _constants(self) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Which numbers of a view are constant planes, and their bounds."""
        constant = np.concatenate([np.full(field.size, field.name not in self.drawn) for field in self.fields])
        bounds = np.concatenate([np.full(field.size, field.bound, np.float32) for field in self.fields])
        return np.flatnonzero(constant), bounds[constant]


def _constant(field: Field) -> Plane:
    """The planes of a field, one a number."""
    return Plane(field.name, field.shape, field.low / field.bound, field.high / field.bound, field.meaning)
