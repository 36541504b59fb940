"""Stones, lighthouses and islands as shapes."""

import math
from collections.abc import Iterator, Sequence

from lanterns_env.games.lighthouse.components import TOWER
from lanterns_env.games.lighthouse.text import LETTERS
from lanterns_env.games.svg import Circle, Glow, Point, Polygon, Rectangle, Shape, Text

FILLS = ("#cf3346", "#f6f2e6", "#2a2d35")
SHADES = ("#a02334", "#d3cdbb", "#14161b")  # the side away from the light
SIGNS = ("#ffffff", "#20242b", "#ffffff")  # letters on the fills
LINE, LAMP, DARK_LAMP, SHINE, BEAM, ROOF = "#0c1620", "#fff0ae", "#8d8f92", "#ffd35ce0", "#ffe79026", "#8c2231"
SAND, SHORE, FOAM, GROUND = "#e2cf9c", "#a98f5c", "#8cc3d699", "#cdb881"

STONE_WIDTH, STONE_HEIGHT = 50.0, 19.0
TAPER = 0.08  # of the lowest stone's width: how much narrower each stone is at its top
LAMP_HEIGHT = 33.0  # of gallery, lamp room and roof on a tower of that width
SHINE_RADIUS, BEAM_LENGTH = 46.0, 84.0
ISLAND_WIDTH, ISLAND_HEIGHT = 60.0, 31.0  # half of each
ROUND = 18  # corners of an island
SHADE_PART = 0.3  # of a stone's width
LETTER_PART = 0.78  # of a stone's height


def stone(x: float, foot: float, colour: int, width: float, height: float, taper: float = 0.0) -> Iterator[Shape]:
    """A stone that stands on its foot, narrower at its top by the taper, with its letter."""
    yield slab((x - width / 2, x + width / 2), foot, height, taper / 2, LINE)
    low, foot, inner = width / 2 - 1, foot - 0.7, height - 1.4
    yield slab((x - low, x + low), foot, inner, taper / 2, FILLS[colour])
    yield slab((x + (1 - 2 * SHADE_PART) * low, x + low), foot, inner, taper / 2, SHADES[colour])
    yield Text((x, foot - inner / 2), LETTERS[colour], LETTER_PART * height, SIGNS[colour], bold=True)


def slab(sides: tuple[float, float], foot: float, height: float, lean: float, fill: str) -> Shape:
    """Two upright edges that lean toward each other; the left one is upright where it is right of the middle."""
    left, right = sides
    inward = lean if right - left > 4 * lean else 0.0
    points = ((left, foot), (left + inward, foot - height), (right - lean, foot - height), (right, foot))
    return Polygon(tuple((round(x, 1), round(y, 1)) for x, y in points), fill)


def tower(
    x: float,
    foot: float,
    stack: Sequence[int],
    width: float = STONE_WIDTH,
    height: float = STONE_HEIGHT,
    lit: bool = True,
) -> Iterator[Shape]:
    """Stones of this width and height on each other; four of them bear a lamp."""
    top, taper, scale = foot - len(stack) * height, TAPER * width, width / STONE_WIDTH
    if lit and len(stack) == TOWER:
        yield Glow((x, round(top - 11 * scale, 1)), SHINE_RADIUS * scale, SHINE)
    for level, colour in enumerate(stack):
        yield from stone(x, foot - level * height, colour, width - level * taper, height, taper)
    if len(stack) == TOWER:
        yield from lamp(x, top, scale, lit)


def lamp(x: float, foot: float, scale: float, lit: bool) -> Iterator[Shape]:
    """Gallery, lamp room and roof."""

    def box(width: float, bottom: float, top: float, fill: str) -> Shape:
        corner = round(x - width * scale / 2, 1), round(foot - top * scale, 1)
        return Rectangle(corner, width * scale, (top - bottom) * scale, fill)

    yield box(44, 0, 4, LINE)
    yield box(24, 4, 19, LINE)
    yield box(20, 5, 18, LAMP if lit else DARK_LAMP)
    yield box(2, 4, 18, LINE)
    roof = ((-15, 18), (0, 30), (15, 18))
    yield Polygon(tuple((round(x + across * scale, 1), round(foot - up * scale, 1)) for across, up in roof), ROOF)
    yield Circle((x, foot - 30 * scale), 2.6 * scale, LAMP if lit else DARK_LAMP)


def beams(x: float, foot: float) -> Iterator[Shape]:
    """The light of a finished tower over the water."""
    y = foot - TOWER * STONE_HEIGHT - 11
    for way in (-1, 1):
        for part in (1.0, 0.8, 0.6):
            far = x + way * part * BEAM_LENGTH
            yield Polygon(((x, y), (far, y - 16 * part), (far, y + 10 * part)), BEAM)


def island(x: float, y: float, marked: str = "") -> Iterator[Shape]:
    """A low island in its surf, ringed by a colour if it is marked."""
    if marked:
        yield Polygon(blob(x, y + 3, 13), marked)
    yield Polygon(blob(x, y + 3, 7), FOAM)
    yield Polygon(blob(x, y + 4, 1), SHORE)
    yield Polygon(blob(x, y, 0), SAND)
    yield Rectangle((x - STONE_WIDTH / 2 - 6, y), STONE_WIDTH + 12, 9, GROUND, rounding=4)


def blob(x: float, y: float, more: float) -> tuple[Point, ...]:
    """A flat, uneven ring of corners."""
    turns = [math.tau * step / ROUND for step in range(ROUND)]
    uneven = [1 + 0.035 * math.sin(3 * turn + x) for turn in turns]
    return tuple(
        (
            round(x + (ISLAND_WIDTH + more) * part * math.cos(turn), 1),
            round(y + (ISLAND_HEIGHT + 0.7 * more) * part * math.sin(turn), 1),
        )
        for turn, part in zip(turns, uneven, strict=True)
    )
