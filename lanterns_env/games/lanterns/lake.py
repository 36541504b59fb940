"""The lake: tiles on a grid without edge (unless an option sets one), and the free cells next to them: numbered slots.

Chairs 0..3 lie clockwise around the table; coordinates are those of chair 0: x to its right, y away from it.

            chair 2
              +y
    chair 1   ..   +x  chair 3
            chair 0
"""

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.games.lanterns.components import MAX_LAID, PLATFORM, TILES

# A shape of t tiles has at most 2 t + 2 free neighbour cells; before the last placement t is at most 32.
NUM_SLOTS = 2 * (MAX_LAID - 1) + 2
# The lake and its free cells span at most 35 cells, so that a grid wound around itself loses nothing.
WIDTH = 36
DX = np.array([0, -1, 0, 1], np.int8)  # the cell towards each chair
DY = np.array([-1, 0, 1, 0], np.int8)
WATER, COVERED = 0, -1  # what a cell of the grid holds, or slot + 1

LAKE_FIELDS = (
    ("num_laid", np.int16),
    ("laid", np.int8, MAX_LAID),  # tiles in the order of laying
    ("laid_x", np.int8, MAX_LAID),
    ("laid_y", np.int8, MAX_LAID),
    ("laid_turn", np.int8, MAX_LAID),  # the printed side that faces chair 0
    ("grid", np.int8, (WIDTH, WIDTH)),
    ("slot_open", np.uint8, NUM_SLOTS),
    ("slot_x", np.int8, NUM_SLOTS),
    ("slot_y", np.int8, NUM_SLOTS),
    ("touch", np.int8, (NUM_SLOTS, 4)),  # 1 + the colour that touches the cell from each chair's side, or 0
    ("touch_platform", np.uint8, (NUM_SLOTS, 4)),  # it belongs to a platform tile
)


@jit
def lay(state, tile, turn, x, y, open_cells):
    """Put a tile on the table; its free neighbour cells without a slot take the lowest free ones."""
    k = int(state.num_laid)
    state.laid[k], state.laid_x[k], state.laid_y[k], state.laid_turn[k] = tile, x, y, turn
    state.num_laid += 1
    state.grid[x % WIDTH, y % WIDTH] = COVERED
    if not open_cells:
        return
    for chair in range(4):
        beside_x, beside_y = x + int(DX[chair]), y + int(DY[chair])
        mark = int(state.grid[beside_x % WIDTH, beside_y % WIDTH])
        if mark == COVERED:
            continue
        if mark == WATER:
            if not is_in_lake(state, beside_x, beside_y):
                continue
            mark = 1 + open_slot(state, beside_x, beside_y)
        opposite = (chair + 2) % 4  # seen from the free cell the new tile lies on the other side
        state.touch[mark - 1, opposite] = 1 + TILES[tile, (turn + chair) % 4]
        state.touch_platform[mark - 1, opposite] = PLATFORM[tile]


@jit
def is_in_lake(state, x, y):
    """LA-52: within the edge, if there is one."""
    if state.columns > 0 and not 0 <= x + state.left < state.columns:
        return False
    return state.rows == 0 or 0 <= y < state.rows


@jit
def place(state, slot, tile, turn, open_cells):
    """Fill a free cell; its slot is free again."""
    state.slot_open[slot] = 0
    state.touch[slot] = 0
    state.touch_platform[slot] = 0
    lay(state, tile, turn, int(state.slot_x[slot]), int(state.slot_y[slot]), open_cells)


@jit
def open_slot(state, x, y):
    """Give a free cell the lowest free slot."""
    slot = 0
    while state.slot_open[slot] == 1:
        slot += 1
    state.slot_open[slot] = 1
    state.slot_x[slot] = x
    state.slot_y[slot] = y
    state.grid[x % WIDTH, y % WIDTH] = slot + 1
    return slot


@jit
def clear_slots(state):
    """After the last placement no free cell is kept."""
    state.slot_open[:] = 0
    state.touch[:] = 0
    state.touch_platform[:] = 0
