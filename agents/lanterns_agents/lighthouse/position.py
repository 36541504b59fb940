"""Positions of Lighthouse Architects: the stones that a view shows, and how near they are to orders."""

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import (
    EMPTY,
    HEIGHT,
    NO_COLOUR,
    NO_STACK,
    NUM_CARDS,
    NUM_COLOURS,
    POINTS,
    TOWER,
    WITH_TOP,
    WITHOUT_TOP,
)
from lanterns_env.games.lighthouse.movement import (
    is_tower,
    num_islands,
    stack_on,
    stone_at,
    tower_height,
    with_stack,
)
from lanterns_env.games.lighthouse.observation import HIDDEN, missing

NO_ACTION = -1
LIKELY = 0.5  # a tower whose order is held with less chance is taken to fall
NEARNESS = 0.3  # weight of progress beside finished towers
PER_WAY = np.array([0.0, 1.0, 0.8, 0.6, 0.4])  # by the steps that the next stone needs


# -- reading the view ---------------------------------------------------------------------------------------


@jit
def board_of(view):
    """The board as the rules number it."""
    board = missing(view)
    height = tower_height(board)
    for island in range(num_islands(board)):
        stack = EMPTY
        for level in range(height):
            for colour in range(NUM_COLOURS):
                if view.stones[island, level, colour] == 1:
                    stack = int(WITH_TOP[stack, colour])
        board = with_stack(board, island, stack)
    return board


@jit
def harbour_of(view):
    for colour in range(NUM_COLOURS):
        if view.harbour[colour] == 1:
            return colour
    return NO_COLOUR


@jit
def points_of(view):
    for points in range(POINTS + 1):
        if view.points[points] == 1:
            return points
    return 0


@jit
def in_play(view, card):
    """Whether an order is in this game at all."""
    return view.order[card].any()


@jit
def chance_held(view, card):
    """How likely a hidden order is in another hand."""
    if view.proved_held[card] == 1:
        return 1.0
    if view.proved_buried[card] == 1:
        return 0.0
    held, unknown = int(view.hand_size.sum()) - int(view.hand_size[0]), 0
    for other in range(NUM_CARDS):
        if view.order[other, HIDDEN] == 1:
            held -= int(view.proved_held[other])
            unknown += view.proved_held[other] == 0 and view.proved_buried[other] == 0
    return held / unknown


@jit
def any_action(mask):
    for action in range(len(mask)):
        if mask[action] == 1:
            return action
    return NO_ACTION


# -- how near the towers are --------------------------------------------------------------------------------


@jit
def add_promise(promise, stack, tower, begun, heights):
    """Note what an order promises: its tower, and the stacks that it begins with, the more the nearer to it."""
    promise[stack] = tower
    for less in range(1, int(HEIGHT[stack])):
        stack = int(WITHOUT_TOP[stack])
        promise[stack] += begun * heights[TOWER - less]


@jit
def nearness(board, harbour, promise):
    """What all islands promise, and the stones on their way to them."""
    total = 0.0
    for island in range(num_islands(board)):
        if not is_tower(board, island):
            stack = stack_on(board, island)
            total += promise[stack] + best_arrival(board, harbour, island, promise)
    return NEARNESS * total


@jit
def best_arrival(board, harbour, island, promise):
    """The most that one more stone would add, less for a longer way."""
    stack, best, islands = stack_on(board, island), 0.0, num_islands(board)
    if island < POINTS:
        best = gain_of_arrival(stack, harbour, island + 1, promise)
    for way in range(1, min(POINTS + 1, islands)):
        source = island - way
        colour = stone_at(board, harbour, source if source >= 0 else source + islands)
        best = max(best, gain_of_arrival(stack, colour, way, promise))
    return best


@jit
def gain_of_arrival(stack, colour, way, promise):
    """What a stone adds to a stack from some steps away."""
    if colour == NO_COLOUR:
        return 0.0
    higher = int(WITH_TOP[stack, colour])
    return 0.0 if higher == NO_STACK else PER_WAY[way] * (promise[higher] - promise[stack])
