"""Which towers the builder can finish with the points that are left."""

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import NO_COLOUR, NUM_ISLANDS, POINTS
from lanterns_env.games.lighthouse.movement import (
    HARBOUR,
    destination,
    first_tower,
    is_tower,
    keeps_duty,
    landed,
    lifted,
    stack_on,
    step_cost,
    stone_at,
)


@jit
def towers_in_reach(board, harbour, points, duty, doomed, found):
    """Flag the orders of all towers that legal steps can finish, up to the first tower of each row of steps."""
    boards = np.empty(POINTS + 1, np.int64)
    harbours = np.empty(POINTS + 1, np.int64)
    left = np.empty(POINTS + 1, np.int64)
    bound = np.empty(POINTS + 1, np.bool_)
    source = np.empty(POINTS + 1, np.int64)
    boards[0], harbours[0], left[0], bound[0], source[0] = board, harbour, points, duty, HARBOUR - 1
    depth = 0  # steps made, at most one for each point
    while depth >= 0:
        source[depth] += 1
        start = source[depth]
        if start == NUM_ISLANDS:
            depth -= 1
            continue
        here, stone = boards[depth], harbours[depth]
        cost = step_cost(here, stone, start)
        must = bound[depth] and start != HARBOUR
        if cost > left[depth] or (must and not keeps_duty(here, stone, start, left[depth], doomed)):
            continue
        island, _ = destination(here, start)
        then = landed(here if start == HARBOUR else lifted(here, start), stone_at(here, stone, start), island)
        if is_tower(then, island):
            found[stack_on(then, island) - first_tower(then)] = 1
            continue
        depth += 1
        boards[depth], left[depth], source[depth] = then, left[depth - 1] - cost, HARBOUR - 1
        harbours[depth] = NO_COLOUR if start == HARBOUR else stone
        bound[depth] = must or step_cost(then, harbours[depth], HARBOUR) <= left[depth]  # LH-22
