"""Stones, lighthouses and islands as shapes.  What is drawn again and again is kept."""

import math
from collections.abc import Iterator
from functools import lru_cache

from lanterns_env.games.lighthouse.components import TOWER
from lanterns_env.games.lighthouse.text import LETTERS
from lanterns_env.games.svg import Circle, Glow, Point, Polygon, Rectangle, Shape, Text

FILLS = ("#cf3346", "#f6f2e6", "#2a2d35")
SIGNS = ("#ffffff", "#20242b", "#ffffff")  # letters on the fills
LINE, SHADE, LAMP, DARK_LAMP, ROOF = "#0c1620", "#00000038", "#fff0ae", "#8d8f92", "#8c2231"
SHINE, BEAM = "#ffd35ce0", "#ffe79026"
SAND, SHORE, FOAM, GROUND = "#e2cf9c", "#a98f5c", "#6aa9c0", "#cdb881"

STONE_WIDTH, STONE_HEIGHT = 50.0, 19.0
TAPER = 0.08  # of the lowest stone's width: how much narrower each stone is at its top
SEAM = 0.7  # half the line between two stones
LIT_PART = 0.4  # where the shade begins, from the middle to the right side
LETTER_PART, LETTER_WIDTH = 0.78, 0.72  # of a stone's height and width, at most
LAMP_HEIGHT = 33.0  # of gallery, lamp room and roof on a tower of that width
SHINE_RADIUS, BEAM_LENGTH = 46.0, 84.0
ISLAND_WIDTH, ISLAND_HEIGHT = 60.0, 31.0  # half of each
ROUND = 18  # corners of an island
KEPT = 1024

Shapes = tuple[Shape, ...]


def tower(
    x: float,
    foot: float,
    colours: tuple[int, ...],
    width: float = STONE_WIDTH,
    height: float = STONE_HEIGHT,
    lit: bool = True,
    full: int = TOWER,
) -> Iterator[Shape]:
    """Stones of this width and height on each other; so many that they are full bear a lamp."""
    top, scale = foot - len(colours) * height, width / STONE_WIDTH
    if lit and len(colours) == full:
        yield Glow((round(x, 1), round(top - 11 * scale, 1)), SHINE_RADIUS * scale, SHINE)
    yield from stack(x, foot, colours, width, height)
    if len(colours) == full:
        yield from lamp(x, top, scale, lit)


@lru_cache(maxsize=KEPT)
def stack(x: float, foot: float, colours: tuple[int, ...], width: float, height: float, taper: float = TAPER) -> Shapes:
    """Stones on each other, the lowest of this width, with their letters."""
    if not colours:
        return ()

    def side(up: float, part: float = 1.0, less: float = 0.0) -> Point:
        """A corner so many stones up; the part of the way from the middle to the right side."""
        half = (1 - taper * up) * width / 2 - less
        return round(x + part * half, 1), round(foot - up * height, 1)

    high, seam = len(colours), SEAM / height
    shapes: list[Shape] = [Polygon((side(0, -1), side(high, -1), side(high), side(0)), LINE)]
    for level, colour in enumerate(colours):
        low, top = level + seam, level + 1 - seam
        corners = side(low, -1, 1), side(top, -1, 1), side(top, 1, 1), side(low, 1, 1)
        shapes.append(Polygon(corners, FILLS[colour]))
    shapes.append(Polygon((side(0, LIT_PART), side(high, LIT_PART), side(high), side(0)), SHADE))
    size = min(LETTER_PART * height, LETTER_WIDTH * width)
    for level, colour in enumerate(colours):
        middle = x, foot - (level + 0.5) * height
        shapes.append(Text(middle, LETTERS[colour], size, SIGNS[colour], bold=True))
    return tuple(shapes)


@lru_cache(maxsize=KEPT)
def lamp(x: float, foot: float, scale: float, lit: bool) -> Shapes:
    """Gallery, lamp room and roof."""

    def box(left: float, right: float, bottom: float, top: float, fill: str) -> Shape:
        corner = round(x + left * scale, 1), round(foot - top * scale, 1)
        return Rectangle(corner, (right - left) * scale, (top - bottom) * scale, fill)

    roof = tuple(
        (round(x + across * scale, 1), round(foot - up * scale, 1)) for across, up in ((-15, 18), (0, 30), (15, 18))
    )
    light = LAMP if lit else DARK_LAMP
    return (
        box(-22, 22, 0, 4, LINE),
        box(-12, 12, 4, 19, LINE),
        box(-10, -1, 5, 18, light),
        box(1, 10, 5, 18, light),
        Polygon(roof, ROOF),
        Circle((x, foot - 30 * scale), 2.6 * scale, light),
    )


def beams(x: float, foot: float, stones: int) -> Iterator[Shape]:
    """The light of a finished tower of so many stones over the water, fainter far away."""
    y = foot - stones * STONE_HEIGHT - 11
    for way in (-1, 1):
        for part in (1.0, 0.8, 0.6):
            far = x + way * part * BEAM_LENGTH
            yield Polygon(((x, y), (far, y - 16 * part), (far, y + 10 * part)), BEAM)


@lru_cache
def island(x: float, y: float, marked: str = "") -> Shapes:
    """A low island in its surf, ringed by a colour if it is marked."""
    shapes = [
        Polygon(blob(x, y + 3, 7), FOAM),
        Polygon(blob(x, y + 4, 1), SHORE),
        Polygon(blob(x, y, 0), SAND),
        Polygon(((x - 34, y + 8), (x - 29, y), (x + 29, y), (x + 34, y + 8)), GROUND),
    ]
    return tuple([Polygon(blob(x, y + 3, 13), marked), *shapes] if marked else shapes)


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
