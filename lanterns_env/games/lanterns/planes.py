"""Lanterns as an image, from the viewer's chair: x runs to the right, y up, away from the viewer.

The window stands around the start tile and moves only as far as the lake needs, so that all of it is in view as long as
it is no longer than the window.  What does not fit is left out, and counted on planes of its own.
"""

from lanterns_env.engine.compile import jit
from lanterns_env.engine.planes import Plane, Planes
from lanterns_env.games.lanterns.components import HAND, MAX_LAID, NUM_COLOURS, NUM_TILES, PLATFORM, TILES
from lanterns_env.games.lanterns.lake import NUM_SLOTS
from lanterns_env.games.lanterns.observation import FIELDS
from lanterns_env.games.lanterns.rules import NO_TILE

SIZE = 19
TILE, NUMBER, AGE, TURN, HAS_PLATFORM, COLOUR = range(6)  # planes; COLOUR: the first of four times seven
FREE = COLOUR + 4 * NUM_COLOURS
SLOT, MATCH = FREE + 1, FREE + 2  # MATCH: the first of three times four
TILES_OUTSIDE = MATCH + HAND * 4
FREE_OUTSIDE = TILES_OUTSIDE + 1

BOARD = (
    Plane("tile", (), 0, 1, "a tile lies here"),
    Plane("tile_number", (), 0, 1, f"1 + its number, over {NUM_TILES}"),
    Plane("tile_age", (), 0, 1, f"1 + its place in the order of laying, over {MAX_LAID}"),
    Plane("tile_turn", (), 0, 1, "the printed side that faces the viewer, over 3"),
    Plane("tile_platform", (), 0, 1, "it shows a platform"),
    Plane("tile_colour", (4, NUM_COLOURS), 0, 1, "the colours of its near, left, far and right side, as flags"),
    Plane("free", (), 0, 1, "a free cell next to a tile: a slot for a placement"),
    Plane("slot", (), 0, 1, f"1 + the number of the slot, over {NUM_SLOTS}"),
    Plane("match", (HAND, 4), 0, 1, "sides that match here, over 4: of each own tile, by the side facing the viewer"),
    Plane("tiles_outside", (), 0, 1, f"everywhere: tiles that do not fit the window, over {MAX_LAID}"),
    Plane("free_outside", (), 0, 1, f"everywhere: free cells that do not fit the window, over {NUM_SLOTS}"),
)
DRAWN = frozenset(
    ("lake_tile", "lake_x", "lake_y", "lake_turn", "slot_open", "slot_x", "slot_y", "touch", "touch_platform")
)


@jit
def draw(views, images):
    for i in range(len(views)):
        draw_view(views[i], images[i])


@jit
def draw_view(view, image):
    left = window(view.lake_x, view.slot_x)
    bottom = window(view.lake_y, view.slot_y)
    outside = 0
    for k in range(MAX_LAID):
        if view.lake_tile[k] == NO_TILE:
            continue
        column, row = int(view.lake_x[k]) - left, SIZE - 1 - (int(view.lake_y[k]) - bottom)
        if is_inside(column, row):
            draw_tile(image[:, row, column], view, k)
        else:
            outside += 1
    image[TILES_OUTSIDE] = outside / MAX_LAID
    outside = 0
    for slot in range(NUM_SLOTS):
        if view.slot_open[slot] == 0:
            continue
        column, row = int(view.slot_x[slot]) - left, SIZE - 1 - (int(view.slot_y[slot]) - bottom)
        if is_inside(column, row):
            draw_slot(image[:, row, column], view, slot)
        else:
            outside += 1
    image[FREE_OUTSIDE] = outside / NUM_SLOTS


@jit
def window(tiles, slots):
    """Where the window begins along one direction; absent tiles and slots lie at 0, as the start tile does."""
    low = min(int(tiles.min()), int(slots.min()))
    high = max(int(tiles.max()), int(slots.max()))
    start = -(SIZE // 2)
    if high - low >= SIZE:
        return start
    return min(max(start, high - SIZE + 1), low)


@jit
def is_inside(column, row):
    return 0 <= column < SIZE and 0 <= row < SIZE


@jit
def draw_tile(cell, view, k):
    tile, turn = int(view.lake_tile[k]), int(view.lake_turn[k])
    cell[TILE] = 1
    cell[NUMBER] = (1 + tile) / NUM_TILES
    cell[AGE] = (1 + k) / MAX_LAID
    cell[TURN] = turn / 3
    cell[HAS_PLATFORM] = PLATFORM[tile]
    for side in range(4):
        cell[COLOUR + NUM_COLOURS * side + int(TILES[tile, (turn + side) % 4])] = 1


@jit
def draw_slot(cell, view, slot):
    cell[FREE] = 1
    cell[SLOT] = (1 + slot) / NUM_SLOTS
    for position in range(HAND):
        if view.hand_tile[position] == NO_TILE:
            continue
        for turn in range(4):
            matching = 0
            for side in range(4):
                matching += view.touch[slot, side] == view.hand_sides[position, (turn + side) % 4]
            cell[MATCH + 4 * position + turn] = matching / 4


PLANES = Planes(FIELDS, BOARD, SIZE, SIZE, draw, DRAWN)
