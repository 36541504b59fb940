"""The table of Lanterns as shapes: one view draws that player's eyes, the views of all the whole table."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from lanterns_env.games.lanterns.components import COLOURS, HAND, KINDS
from lanterns_env.games.lanterns.draw_text import heading, tile_sides
from lanterns_env.games.lanterns.draw_tiles import (
    FACES,
    NIGHT,
    Cell,
    lantern,
    platform,
    tile,
    tile_back,
)
from lanterns_env.games.lanterns.rules import NO_TILE
from lanterns_env.games.lanterns.text import SIDES
from lanterns_env.games.svg import Circle, Fade, Glow, Line, Picture, Polygon, Rectangle, Shape, Text

BACKGROUND, PANEL, PANEL_EDGE = NIGHT, "#182c45", "#2d4763"
WATER = Fade("#123a58", "#0b2136")
INK, SOFT, GOLD = "#f2f6fb", "#a9bfd3", "#ffd166"
MOON, RIPPLE, FREE, FREE_EDGE = "#fff3c450", "#a8d8ff22", "#ffffff0a", "#8fb4d048"

WIDTH, HEIGHT = 1000.0, 790.0
LAKE_LEFT, LAKE_TOP, LAKE_WIDTH, LAKE_HEIGHT = 10.0, 44.0, 620.0, 590.0
LAKE_RIM = 8.0
LARGEST_CELL = 86.0
RIPPLES, RIPPLE_ROOM = 13, 46.0  # lines of waves, and how far apart they are
PANEL_LEFT, PANEL_WIDTH = 642.0, 348.0
PLAYERS_HEIGHT, TALLEST_PLAYER, PLAYER_GAP = 340.0, 112.0, 8.0
SUPPLY_HEIGHT, PILES_HEIGHT = 76.0, 158.0
HANDS_TOP, HAND_TILE, HAND_STEP = 674.0, 72.0, 247.0
COUNTED = 31.0  # the size of a lantern with a number
KEY = 771.0


def picture(views: Sequence[Any]) -> Picture:
    """The lake and the public figures as the first viewer sees them, then the hands: those of others face down."""
    view = views[0]
    shapes: list[Shape] = [Text((LAKE_LEFT, 23), heading(view), 19, INK, "start", bold=True)]
    shapes += [*lake(view), *players(view), *supply(view), *piles(view)]
    open_hands = {int(viewer.seat): viewer for viewer in views}
    for step in range(view.num_players):
        seat = step if len(views) > 1 else (int(view.seat) + step) % int(view.num_players)
        shapes += hand(view, seat, open_hands.get(seat), LAKE_LEFT + step * HAND_STEP)
    return Picture(WIDTH, HEIGHT, [*shapes, *key()], background=BACKGROUND)


# -- the lake -------------------------------------------------------------------------------------------------


def lake(view: Any) -> Iterator[Shape]:
    yield Rectangle((LAKE_LEFT, LAKE_TOP), LAKE_WIDTH, LAKE_HEIGHT, WATER, rounding=12)
    yield from waves()
    laid, free = view.lake_tile != NO_TILE, view.slot_open != 0
    places = np.stack([view.lake_x[laid], view.lake_y[laid]], axis=1).tolist()
    slots = np.stack([view.slot_x[free], view.slot_y[free]], axis=1).tolist()
    xs, ys = zip(*places, *slots, strict=True)
    columns, rows = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
    size = min((LAKE_WIDTH - 2 * LAKE_RIM) / columns, (LAKE_HEIGHT - 2 * LAKE_RIM) / rows, LARGEST_CELL)
    left = LAKE_LEFT + (LAKE_WIDTH - columns * size) / 2 - min(xs) * size
    top = LAKE_TOP + (LAKE_HEIGHT - rows * size) / 2 + max(ys) * size
    for x, y in slots:
        yield from free_cell(Cell(left + x * size, top - y * size, size), x, y)
    cells = [Cell(left + x * size, top - y * size, size) for x, y in places]
    for cell, number, turn in zip(cells, view.lake_tile[laid].tolist(), view.lake_turn[laid].tolist(), strict=True):
        yield from tile(cell, number, tile_sides(number, turn))
    if len(cells) > 1:
        yield from last_tile(cells[-1])


def waves() -> Iterator[Shape]:
    """The moon on the water, and ripples across it."""
    yield Glow((LAKE_LEFT + 0.78 * LAKE_WIDTH, LAKE_TOP + 0.24 * LAKE_HEIGHT), 0.24 * LAKE_WIDTH, MOON)
    for row in range(RIPPLES):
        y = LAKE_TOP + 20 + row * RIPPLE_ROOM
        for part in range(3):
            left = LAKE_LEFT + 24 + (part * 210 + row * 83) % 520
            yield Line(tuple((left + 6 * step, y - 3 * math.sin(0.7 * step)) for step in range(10)), RIPPLE, 2.0)


def free_cell(cell: Cell, x: int, y: int) -> Iterator[Shape]:
    """A cell where a tile may be placed, by its coordinates."""
    inset, inner = 0.07 * cell.size, 0.86 * cell.size
    corner = cell.left + inset, cell.top + inset
    yield Rectangle(corner, inner, inner, FREE, FREE_EDGE, 0.02 * cell.size, 0.1 * cell.size)
    yield Text(cell.middle, f"{x},{y}", 0.27 * cell.size, SOFT)


def last_tile(cell: Cell) -> Iterator[Shape]:
    """A ring around the tile that was placed last."""
    out, size = 0.02 * cell.size, 1.04 * cell.size
    yield Rectangle((cell.left - out, cell.top - out), size, size, "none", GOLD, 0.06 * cell.size, 0.1 * cell.size)


# -- the figures beside it ------------------------------------------------------------------------------------


def panel(top: float, height: float, marked: bool = False) -> Shape:
    line, width = (GOLD, 3.0) if marked else (PANEL_EDGE, 1.2)
    return Rectangle((PANEL_LEFT, top), PANEL_WIDTH, height, PANEL, line, width, 8)


def player_room(view: Any) -> float:
    """How high the place of a player is."""
    return min(TALLEST_PLAYER, PLAYERS_HEIGHT / int(view.num_players))


def players(view: Any) -> Iterator[Shape]:
    """Everybody's honor, favors, tiles and lanterns, the viewer first."""
    room = player_room(view)
    for step in range(view.num_players):
        top = LAKE_TOP + step * room
        moving = step == view.to_move and not view.over
        yield panel(top, room - PLAYER_GAP, moving)
        row = top + 0.27 * room
        if moving:
            tip = PANEL_LEFT + 17, row
            yield Polygon(((tip[0] - 9, row - 7), tip, (tip[0] - 9, row + 7)), GOLD)
        seat = (view.seat + step) % view.num_players
        yield Text((PANEL_LEFT + 22, row), f"player {seat}", 17, INK, "start", bold=True)
        yield Text((PANEL_LEFT + 108, row), SIDES[view.side[step]], 15, SOFT, "start")
        for place, name in ((208, "honor"), (304, "favors")):
            yield Text((PANEL_LEFT + place, row), name, 15, SOFT, "end")
            yield Text((PANEL_LEFT + place + 8, row), str(view[name][step]), 19, INK, "start", bold=True)
        yield from counts(view.lanterns[step], top + 0.65 * room)


def supply(view: Any) -> Iterator[Shape]:
    top = LAKE_TOP + LAKE_HEIGHT - PILES_HEIGHT - SUPPLY_HEIGHT - PLAYER_GAP
    yield Text((PANEL_LEFT + 12, top + 14), "supply of lanterns", 16, INK, "start", bold=True)
    yield from counts(view.supply, top + 50)


def counts(numbers: Any, row: float) -> Iterator[Shape]:
    """A number for each colour, beside a lantern of the colour; dark ones are none."""
    width = (PANEL_WIDTH - 16) / len(COLOURS)
    for colour, number in enumerate(numbers):
        left = PANEL_LEFT + 8 + colour * width
        yield from lantern((left + 14, row), COUNTED, colour, lit=bool(number))
        yield Text((left + 30, row), str(number), 19, INK if number else SOFT, "start", bold=bool(number))


def piles(view: Any) -> Iterator[Shape]:
    """What the next dedication of each kind scores, and the draw pile."""
    top = LAKE_TOP + LAKE_HEIGHT - PILES_HEIGHT
    yield panel(top, PILES_HEIGHT)
    yield Text((PANEL_LEFT + 12, top + 19), "dedications", 16, INK, "start", bold=True)
    for kind, name in enumerate(KINDS):
        row = top + 52 + 37 * kind
        left = int(view.tokens_left[kind])
        if left:
            yield Glow((PANEL_LEFT + 30, row), 26, GOLD + "70")
        yield Circle((PANEL_LEFT + 30, row), 16, GOLD if left else SOFT, NIGHT, 1.5)
        yield Text((PANEL_LEFT + 30, row), str(view.token_value[kind]), 18, NIGHT, bold=True)
        yield Text((PANEL_LEFT + 56, row), name, 16, INK, "start")
        yield Text((PANEL_LEFT + 212, row), f"{left} left" if left else "used up", 15, SOFT, "start")
    yield from tile_back(Cell(PANEL_LEFT + 286, top + 52, 46))
    yield Text((PANEL_LEFT + 309, top + 75), str(view.pile), 20, INK, bold=True)
    yield Text((PANEL_LEFT + 309, top + 114), "draw pile", 13, SOFT)


# -- below ----------------------------------------------------------------------------------------------------


def hand(view: Any, seat: int, viewer: Any, left: float) -> Iterator[Shape]:
    """A player's tiles, printed side 0 up; from behind where that player is no viewer."""
    yield Text((left, HANDS_TOP - 18), f"hand of player {seat}", 16, INK, "start", bold=True)
    held: list[int] = []
    if viewer is not None:
        held = [int(viewer.hand_tile[position]) for position in range(HAND) if viewer.hand_tile[position] != NO_TILE]
    size = int(view.hand_size[(seat - int(view.seat)) % int(view.num_players)])
    cells = [Cell(left + place * (HAND_TILE + 6), HANDS_TOP, HAND_TILE) for place in range(size)]
    for place, cell in enumerate(cells):
        if viewer is None:
            yield from tile_back(cell)
        else:
            yield from tile(cell, held[place], tile_sides(held[place], 2))
    if not cells:
        yield Text((left, HANDS_TOP + 22), "no tiles", 15, SOFT, "start")


def key() -> Iterator[Shape]:
    """What letters and marks mean."""
    for colour, name in enumerate(COLOURS):
        left = LAKE_LEFT + 88 * colour
        yield from lantern((left + 12, KEY), 26, colour)
        yield Text((left + 26, KEY), name, 14, SOFT, "start")
    yield from platform((LAKE_LEFT + 640, KEY), 11)
    yield Text((LAKE_LEFT + 658, KEY), "platform", 14, SOFT, "start")
    yield Rectangle((LAKE_LEFT + 744, KEY - 10), 20, 20, FREE, FREE_EDGE, 1.5, 3)
    yield Text((LAKE_LEFT + 772, KEY), "x,y free cell", 14, SOFT, "start")
    yield Rectangle((LAKE_LEFT + 884, KEY - 10), 20, 20, FACES[4], GOLD, 3, 3)
    yield Text((LAKE_LEFT + 912, KEY), "last tile", 14, SOFT, "start")
