"""Tiles and lanterns as shapes: colours that eyes of all kinds tell apart, each with its letter."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lanterns_env.games.lanterns.components import PLATFORM
from lanterns_env.games.lanterns.draw_text import LETTERS
from lanterns_env.games.svg import Circle, Glow, Point, Polygon, Rectangle, Shape, Text, mixed

NIGHT = "#0d1a2b"
FILLS = ("#ffb43a", "#0b9e7a", "#c58af9", "#fffaf0", "#1757d6", "#d0183a", "#0c0e12")
SIGNS = ("#221500", "#ffffff", "#1d0836", "#2a2620", "#ffffff", "#ffffff", "#ffffff")  # letters on the fills
FACES = ("#a8600f", "#06634c", "#68409f", "#a5a8a6", "#123a96", "#8a1128", "#090c13")  # the water around a lantern
LIGHTS = ("#ffb43a", "#2fe0b4", "#d3a6ff", "#fff6da", "#5b93ff", "#ff5a70", "#c9d4e2")  # what they shed
RIMS = tuple(mixed(light, "#ffffff", 0.45) for light in LIGHTS)
WOOD, WOOD_EDGE, BACK, BACK_EDGE = "#d9a05b", "#fff0cf", "#20416b", "#6f94bd"
UNLIT_SIGN = "#8ea4ba"
DARK = 0.7  # how much night there is in a lantern that does not burn
RIGHT = ((0.2, -0.36), (0.36, -0.18), (0.4, 0.0), (0.36, 0.18), (0.2, 0.36))  # half of the body of a lantern
BODY = (*RIGHT, *((-across, -down) for across, down in RIGHT))
OUTWARDS = ((0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 0.0))  # near, left, far, right


class Cell(NamedTuple):
    """A square of the lake or of a hand."""

    left: float
    top: float
    size: float

    @property
    def middle(self) -> Point:
        return self.left + self.size / 2, self.top + self.size / 2

    def at(self, across: float, down: float) -> Point:
        """A place by its distance from the middle, in sizes of the cell."""
        x, y = self.middle
        return x + across * self.size, y + down * self.size


def lantern(middle: Point, size: float, colour: int, lit: bool = True) -> Iterator[Shape]:
    """A paper lantern with the letter of its colour, upright."""
    x, y = middle
    fill, rim = FILLS[colour], RIMS[colour]
    if lit:
        yield Glow(middle, 0.95 * size, LIGHTS[colour] + "d8")
    else:
        fill, rim = mixed(fill, NIGHT, DARK), mixed(rim, NIGHT, DARK)
    yield Rectangle((x - 0.13 * size, y - 0.46 * size), 0.26 * size, 0.92 * size, rim)
    body = tuple([(x + across * size, y + down * size) for across, down in BODY])
    yield Polygon(body, fill, rim, 0.05 * size)
    yield Text(middle, LETTERS[colour], 0.58 * size, SIGNS[colour] if lit else UNLIT_SIGN, bold=True)


def tile(cell: Cell, number: int, sides: Sequence[int]) -> Iterator[Shape]:
    """Four sides of coloured water, a lantern on each; the tile's number in the middle, on wood if it is a platform."""
    yield Rectangle((cell.left, cell.top), cell.size, cell.size, NIGHT)
    for colour, (x, y) in zip(sides, OUTWARDS, strict=True):
        ends = [cell.at(0.48 * x + a * 0.47 * y, 0.48 * y + a * 0.47 * x) for a in (-1, 1)]
        yield Polygon((*ends, cell.at(0.01 * x, 0.01 * y)), FACES[colour])
    for colour, (x, y) in zip(sides, OUTWARDS, strict=True):
        yield from lantern(cell.at(0.31 * x, 0.31 * y), 0.37 * cell.size, colour)
    if PLATFORM[number]:
        yield from platform(cell.middle, 0.18 * cell.size)
        yield Text(cell.middle, str(number), 0.165 * cell.size, NIGHT, bold=True)
    else:
        yield Circle(cell.middle, 0.125 * cell.size, NIGHT)
        yield Text(cell.middle, str(number), 0.16 * cell.size, RIMS[-1])


def platform(middle: Point, reach: float) -> Iterator[Shape]:
    """Planks on the water."""
    x, y = middle
    yield Polygon(((x - reach, y), (x, y - reach), (x + reach, y), (x, y + reach)), WOOD, WOOD_EDGE, 0.16 * reach)


def tile_back(cell: Cell) -> Iterator[Shape]:
    """A tile from behind: a moon over the water."""
    yield Rectangle((cell.left, cell.top), cell.size, cell.size, BACK, BACK_EDGE, 0.02 * cell.size, 0.1 * cell.size)
    yield Glow(cell.middle, 0.46 * cell.size, LIGHTS[3] + "50")
    yield Circle(cell.middle, 0.24 * cell.size, "#fff6da28", LIGHTS[3] + "66", 0.02 * cell.size)
