"""Panes of leaded glass: a card as a lancet window whose pattern, like its letter, belongs to its colour."""

import itertools
import math
from collections.abc import Iterator
from functools import lru_cache

from lanterns_env.games.lumen.draw_text import LETTERS
from lanterns_env.games.svg import Circle, Point, Polygon, Rectangle, Shape, Text

GLASS = (  # of each colour: lit, plain and shaded; neighbours differ in brightness too
    ("#ffe488", "#f6c431", "#dd9d1a"),
    ("#e4666f", "#bf2743", "#87142c"),
    ("#9be0b0", "#48b873", "#2b8c52"),
    ("#86bff7", "#3080d8", "#1b57a0"),
    ("#b681cf", "#7d3b9d", "#54216a"),
)
PALE = ("#fff6d5", "#ffe6e6", "#e2f6e6", "#e0efff", "#f3e5fa")  # the clear glass around a value
SIGNS = ("#221a05", "#ffffff", "#08210f", "#ffffff", "#ffffff")  # letters on plain glass
LEAD, DIM, DIM_SIGN, DARK, INK, LIGHT = "#0d0e13", "#343743", "#b9bdc9", "#1c1d26", "#16171d", "#fff6dc"

PANE_WIDTH = 46.0
ARCH_STEPS = 5  # corners of each side of the arch
CAME = 1.7  # half the width of the lead between two pieces
LETTER_TOP, LETTER_SIZE, BOSS = 21.0, 15.0, 10.5
VALUE_PLACE = 0.64  # how far down a pane its value stands
VALUE_RADIUS = 17.5
VALUE_SIZES = {1: 23.0, 2: 22.0, 3: 17.0, 4: 15.0}  # by the number of letters
SMALLEST_VALUE = 14.0
KEPT = 2048  # panes, which come again in the next picture

Outline = tuple[Point, ...]
Shapes = tuple[Shape, ...]


@lru_cache(maxsize=KEPT)
def lit(left: float, top: float, height: float, colour: int, words: str) -> Shapes:
    """A card whose value is known, on clear glass."""
    middle = left + PANE_WIDTH / 2, top + VALUE_PLACE * height
    glass = Circle(middle, VALUE_RADIUS, PALE[colour], LEAD, 2)
    return *window(left, top, height, colour), glass, Text(middle, words, size_of(words), INK, bold=True)


@lru_cache(maxsize=KEPT)
def unlit(left: float, top: float, height: float, colour: int, words: str) -> Shapes:
    """A card whose value is hidden: the words say what it may be."""
    middle = left + PANE_WIDTH / 2, top + VALUE_PLACE * height
    band = Rectangle((left, middle[1] - VALUE_RADIUS), PANE_WIDTH, 2 * VALUE_RADIUS, DARK)
    return *window(left, top, height, colour), band, Text(middle, words, size_of(words), LIGHT, bold=True)


@lru_cache(maxsize=KEPT)
def spent(left: float, top: float, height: float, colour: int, words: str) -> Shapes:
    """A card that has been played: grey, with a strip of its colour at the foot."""
    x = left + PANE_WIDTH / 2
    pane = Polygon(moved(arch(height), left, top), DIM)
    value = Text((x, top + VALUE_PLACE * height), words, size_of(words), DIM_SIGN)
    if colour < 0:
        return pane, value
    strip = Rectangle((left + 4, top + height - 9), PANE_WIDTH - 8, 5, GLASS[colour][1])
    return pane, value, strip, Text((x, top + LETTER_TOP), LETTERS[colour], LETTER_SIZE, DIM_SIGN)


@lru_cache(maxsize=KEPT)
def window(left: float, top: float, height: float, colour: int) -> Shapes:
    """The glass of a colour in its lead, with the letter."""
    boss = left + PANE_WIDTH / 2, top + LETTER_TOP
    glass = [Polygon(moved(piece, left, top), GLASS[colour][shade]) for piece, shade in pieces(colour, height)]
    letter = Text(boss, LETTERS[colour], LETTER_SIZE, GLASS[colour][0], bold=True)
    return Polygon(moved(arch(height), left, top), LEAD), *glass, Circle(boss, BOSS, LEAD), letter


def frame(left: float, top: float, height: float, line: str) -> Shape:
    """A bright line around a pane."""
    return Rectangle((left - 3, top - 3), PANE_WIDTH + 6, height + 6, "none", line, 3, 7)


def swatch(left: float, middle: float, colour: int, size: float) -> Iterator[Shape]:
    """A small square of a colour with its letter."""
    yield Rectangle((left, middle - size / 2), size, size, GLASS[colour][1], LEAD, 1, 4)
    yield Text((left + size / 2, middle), LETTERS[colour], LETTER_SIZE, SIGNS[colour], bold=True)


def size_of(words: str) -> float:
    """The size of letters that fit into a pane."""
    return VALUE_SIZES.get(len(words), SMALLEST_VALUE)


# -- geometry -------------------------------------------------------------------------------------------------


def moved(outline: Outline, left: float, top: float) -> Outline:
    return tuple((round(left + x, 1), round(top + y, 1)) for x, y in outline)


@lru_cache
def arch(height: float) -> Outline:
    """The outline of a pane, clockwise from the foot at the left: a pointed arch above straight sides."""
    turns = [math.pi / 3 * step / ARCH_STEPS for step in range(ARCH_STEPS + 1)]
    right = [(PANE_WIDTH * math.cos(turn), PANE_WIDTH * (math.sin(math.pi / 3) - math.sin(turn))) for turn in turns]
    left = [(PANE_WIDTH - x, y) for x, y in right]
    return ((0.0, height), *left, *right[-2::-1], (PANE_WIDTH, height))


@lru_cache
def pieces(colour: int, height: float) -> tuple[tuple[Outline, int], ...]:
    """The pieces of glass of a colour and their shades, cut to the arch and set apart by the lead."""
    cut = []
    for outline, shade in PATTERNS[colour]:
        piece = [(x * PANE_WIDTH, y * height) for x, y in outline]
        border = arch(height)
        for start, end in zip(border, (*border[1:], border[0]), strict=True):
            piece = kept(piece, start, end)
        if len(piece) > 2:
            cut.append((inset(piece), shade))
    return tuple(cut)


def kept(piece: list[Point], start: Point, end: Point) -> list[Point]:
    """What of a convex piece lies to the right of a line, seen along it (y points down)."""

    def side(point: Point) -> float:
        return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])

    rest: list[Point] = []
    for one, other in zip(piece, [*piece[1:], *piece[:1]], strict=True):
        here, there = side(one), side(other)
        if here >= 0:
            rest.append(one)
        if here * there < 0:
            part = here / (here - there)
            rest.append((one[0] + part * (other[0] - one[0]), one[1] + part * (other[1] - one[1])))
    return rest


def inset(piece: list[Point]) -> Outline:
    """The piece smaller by about the lead around it."""
    x = sum(point[0] for point in piece) / len(piece)
    y = sum(point[1] for point in piece) / len(piece)
    return tuple((a + CAME * toward(x - a), b + CAME * toward(y - b)) for a, b in piece)


def toward(way: float) -> float:
    """One step in the direction of a way, less where the way is short."""
    return max(-1.0, min(1.0, way / (2 * CAME)))


# -- patterns: pieces in a square of side 1 with y down, and their shades ---------------------------------------

Pattern = tuple[tuple[Outline, int], ...]


def sun() -> Pattern:
    """Rays around the value: yellow, the trump."""
    heart = (0.5, VALUE_PLACE)
    right = ((0.5, 0.0), (1.0, 0.22), (1.0, 0.5), (1.0, 0.8), (1.0, 1.0), (0.65, 1.0))
    rim = (*right, *((1.0 - x, y) for x, y in right[:0:-1]))
    return tuple(
        ((heart, one, other), (0, 1, 2, 1, 0)[place % 5])
        for place, (one, other) in enumerate(zip(rim, (*rim[1:], rim[0]), strict=True))
    )


def flames() -> Pattern:
    """Chevrons that rise in the middle."""
    halves = []
    for step in range(5):
        high, low = 0.24 * step - 0.1, 0.24 * (step + 1) - 0.1
        slope = 0.16
        halves += [
            (((0.0, high + slope), (0.5, high), (0.5, low), (0.0, low + slope)), step % 2),
            (((0.5, high), (1.0, high + slope), (1.0, low + slope), (0.5, low)), 1 + step % 2),
        ]
    return tuple(halves)


def leaves() -> Pattern:
    """A lozenge, halved, and four corners."""
    top, right, foot, left = (0.5, -0.1), (1.0, 0.55), (0.5, 1.1), (0.0, 0.55)
    return (
        ((top, foot, left), 0),
        ((top, right, foot), 1),
        (((0.0, 0.0), top, left), 2),
        ((top, (1.0, 0.0), right), 1),
        ((right, (1.0, 1.0), foot), 2),
        ((left, foot, (0.0, 1.0)), 1),
    )


def waves() -> Pattern:
    """Slanting bands."""
    edges = ((-0.2, 0.1), (0.3, 0.16), (0.42, 0.5), (0.72, 0.6), (0.8, 0.94), (1.2, 1.0))
    return tuple(
        (((0.0, a), (1.0, b), (1.0, d), (0.0, c)), (1, 0, 2)[place % 3])
        for place, ((a, b), (c, d)) in enumerate(itertools.pairwise(edges))
    )


def tiles() -> Pattern:
    """Two columns of upright panes."""
    edges = ((0.0, 0.36, 0.74, 1.0), (0.0, 0.5, 0.86, 1.0))
    return tuple(
        (((0.5 * k, a), (0.5 * k + 0.5, a), (0.5 * k + 0.5, b), (0.5 * k, b)), (k + place) % 3)
        for k, column in enumerate(edges)
        for place, (a, b) in enumerate(itertools.pairwise(column))
    )


PATTERNS = (sun(), flames(), leaves(), waves(), tiles())
