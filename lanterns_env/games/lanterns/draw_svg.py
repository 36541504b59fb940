"""The table of Lanterns as shapes: one view draws that player's eyes, the views of all the whole table."""

from collections.abc import Iterator, Sequence
from typing import Any

from lanterns_env.games.lanterns.components import COLOURS, HAND, KINDS, MAX_LAID, PLATFORM
from lanterns_env.games.lanterns.draw_text import LETTERS, heading, tile_sides
from lanterns_env.games.lanterns.rules import NO_TILE
from lanterns_env.games.svg import Circle, Picture, Polygon, Rectangle, Shape, Text

FILLS = ("#f39c12", "#2e9e5b", "#8e44ad", "#fdfdfd", "#2471c8", "#d62828", "#2b2b2b")
SIGNS = ("#222222", "#ffffff", "#ffffff", "#222222", "#ffffff", "#ffffff", "#ffffff")  # letters on the fills
WATER, EDGE, GREY, GOLD, MARK = "#cfe6ee", "#37474f", "#5f6b73", "#ffd54f", "#b3541e"

WIDTH, HEIGHT = 1000.0, 780.0
LAKE_LEFT, LAKE_TOP, LAKE_WIDTH, LAKE_HEIGHT = 10.0, 40.0, 620.0, 590.0
LARGEST_CELL = 84.0
PANEL_LEFT, PANEL_WIDTH = 645.0, 345.0
PLAYER_HEIGHT = 78.0
HANDS_TOP, HAND_TILE = 660.0, 66.0
SIDES = ("near side", "left", "far side", "right")


def picture(views: Sequence[Any]) -> Picture:
    """The lake and the public figures as the first viewer sees them, then the hands of the viewers."""
    view = views[0]
    shapes: list[Shape] = [Text((LAKE_LEFT, 20), heading(view), 17, anchor="start", bold=True)]
    shapes += [*lake(view), *players(view), *supply(view), *piles(view)]
    for place, viewer in enumerate(views):
        shapes += hand(viewer, 10 + place * (WIDTH - 10) / 4)
    return Picture(WIDTH, HEIGHT, shapes, background="#fbfaf6")


# -- the lake -------------------------------------------------------------------------------------------------


def lake(view: Any) -> Iterator[Shape]:
    yield Rectangle((LAKE_LEFT, LAKE_TOP), LAKE_WIDTH, LAKE_HEIGHT, WATER, rounding=8)
    tiles = [k for k in range(MAX_LAID) if view.lake_tile[k] != NO_TILE]
    slots = [slot for slot in range(len(view.slot_open)) if view.slot_open[slot]]
    xs = [int(view.lake_x[k]) for k in tiles] + [int(view.slot_x[slot]) for slot in slots]
    ys = [int(view.lake_y[k]) for k in tiles] + [int(view.slot_y[slot]) for slot in slots]
    columns, rows = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
    cell = min(LAKE_WIDTH / columns, LAKE_HEIGHT / rows, LARGEST_CELL)
    left = LAKE_LEFT + (LAKE_WIDTH - columns * cell) / 2 - min(xs) * cell
    top = LAKE_TOP + (LAKE_HEIGHT - rows * cell) / 2 + max(ys) * cell
    for slot in slots:
        x, y = int(view.slot_x[slot]), int(view.slot_y[slot])
        yield from free_cell(left + x * cell, top - y * cell, cell, x, y)
    for k in tiles:
        corner = left + int(view.lake_x[k]) * cell, top - int(view.lake_y[k]) * cell
        yield from tile(*corner, cell, int(view.lake_tile[k]), int(view.lake_turn[k]))


def free_cell(left: float, top: float, size: float, x: int, y: int) -> Iterator[Shape]:
    """A cell where a tile may be placed, by its coordinates."""
    inset = 0.06 * size
    inner = size - 2 * inset
    yield Rectangle((left + inset, top + inset), inner, inner, "#e9f5f8", "#9fc4d0", 0.02 * size, 0.08 * size)
    yield Text((left + size / 2, top + size / 2), f"{x},{y}", 0.26 * size, GREY)


def tile(left: float, top: float, size: float, number: int, turn: int) -> Iterator[Shape]:
    """Four coloured sides with their letters, a ring for a platform, the tile's number in the middle."""
    middle = left + size / 2, top + size / 2
    near_left, far_left = (left, top + size), (left, top)
    near_right, far_right = (left + size, top + size), (left + size, top)
    edges = ((near_left, near_right), (far_left, near_left), (far_left, far_right), (far_right, near_right))
    offsets = ((0.0, 0.34), (-0.34, 0.0), (0.0, -0.34), (0.34, 0.0))
    for colour, edge, (across, down) in zip(tile_sides(number, turn), edges, offsets, strict=True):
        yield Polygon((*edge, middle), FILLS[colour], EDGE, 0.015 * size)
        place = middle[0] + across * size, middle[1] + down * size
        yield Text(place, LETTERS[colour], 0.22 * size, SIGNS[colour], bold=True)
    ring = GOLD if PLATFORM[number] else "#ffffff"
    yield Circle(middle, 0.17 * size, ring, EDGE, (0.05 if PLATFORM[number] else 0.015) * size)
    yield Text(middle, str(number), 0.19 * size)


# -- the figures beside it ------------------------------------------------------------------------------------


def players(view: Any) -> Iterator[Shape]:
    """Everybody's honor, favors, tiles and lanterns, the viewer first."""
    for step in range(view.num_players):
        top = LAKE_TOP + step * PLAYER_HEIGHT
        moving = step == view.to_move and not view.over
        line = MARK if moving else "#d5d2c8"
        yield Rectangle((PANEL_LEFT, top), PANEL_WIDTH, PLAYER_HEIGHT - 6, "#ffffff", line, 3 if moving else 1, 6)
        seat = (view.seat + step) % view.num_players
        name = f"player {seat}, {SIDES[view.side[step]]}" + (", to move" if moving else "")
        yield Text((PANEL_LEFT + 10, top + 16), name, 14, anchor="start", bold=True)
        figures = f"honor {view.honor[step]}   favors {view.favors[step]}   tiles {view.hand_size[step]}"
        yield Text((PANEL_LEFT + PANEL_WIDTH - 10, top + 16), figures, 13, anchor="end")
        yield from counts(view.lanterns[step], top + 32)


def supply(view: Any) -> Iterator[Shape]:
    top = LAKE_TOP + 4 * PLAYER_HEIGHT + 12
    yield Text((PANEL_LEFT + 10, top + 8), "supply of lanterns", 14, anchor="start", bold=True)
    yield from counts(view.supply, top + 24)


def counts(numbers: Any, top: float) -> Iterator[Shape]:
    """A number for each colour, in a box of the colour with its letter."""
    width = (PANEL_WIDTH - 20) / len(COLOURS)
    for colour, number in enumerate(numbers):
        left = PANEL_LEFT + 10 + colour * width
        yield Rectangle((left, top), 22, 28, FILLS[colour], EDGE, 1, 4)
        yield Text((left + 11, top + 14), LETTERS[colour], 14, SIGNS[colour], bold=True)
        yield Text((left + 33, top + 14), str(number), 16, "#222222" if number else "#a9a9a9", bold=True)


def piles(view: Any) -> Iterator[Shape]:
    """What the next dedication of each kind scores, and the draw pile."""
    top = LAKE_TOP + 4 * PLAYER_HEIGHT + 84
    yield Text((PANEL_LEFT + 10, top), "dedications", 14, anchor="start", bold=True)
    for kind, name in enumerate(KINDS):
        row = top + 28 + 36 * kind
        left = int(view.tokens_left[kind])
        rest = f"{left} tokens left" if left else "used up"
        yield Circle((PANEL_LEFT + 26, row), 15, GOLD, EDGE, 1.5)
        yield Text((PANEL_LEFT + 26, row), str(view.token_value[kind]), 16, bold=True)
        yield Text((PANEL_LEFT + 52, row), f"{name}, {rest}", 14, anchor="start")
    yield Text((PANEL_LEFT + 10, top + 140), f"draw pile: {view.pile} tiles", 14, anchor="start", bold=True)
    key = "a letter names each colour: " + "  ".join(
        f"{sign} {name}" for sign, name in zip(LETTERS, COLOURS, strict=True)
    )
    yield Text((LAKE_LEFT, HEIGHT - 12), key + "    golden ring: platform    x,y: free cell", 12, GREY, "start")


def hand(view: Any, left: float) -> Iterator[Shape]:
    """The viewer's tiles, printed side 0 away from it."""
    yield Text((left, HANDS_TOP - 14), f"hand of player {view.seat}", 14, anchor="start", bold=True)
    held = [int(view.hand_tile[position]) for position in range(HAND) if view.hand_tile[position] != NO_TILE]
    for place, number in enumerate(held):
        yield from tile(left + place * (HAND_TILE + 8), HANDS_TOP, HAND_TILE, number, 2)
    if not held:
        yield Text((left, HANDS_TOP + 24), "no tiles", 13, GREY, "start")
