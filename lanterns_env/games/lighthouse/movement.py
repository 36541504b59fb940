"""Steps of stones around the islands, and the duty to move the harbour stone.

Islands 0..7 lie clockwise; the harbour feeds into island 0 and is written -1 where a step starts.

    harbour ->  0  1  2  3
                7  6  5  4

A board is one whole number: six bits for the stack of each island.  So every step gives a new board, and the
look-ahead of the duty need not take anything back.  The bits above say by how much a game is smaller (LH-81): they are
0 in the full game, and no step changes them.
"""

from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import (
    EMPTY,
    FIRST_OF_HEIGHT,
    FIRST_TOWER,
    HEIGHT,
    NO_COLOUR,
    NO_STACK,
    NUM_ISLANDS,
    POINTS,
    TOP,
    WITH_TOP,
    WITHOUT_TOP,
)

HARBOUR = -1
NEVER = POINTS + 1  # more than a turn has
BITS, STACK = 6, 63
ALL_STACKS = (1 << (BITS * NUM_ISLANDS)) - 1
# Above the stacks: by how many numbers the first tower comes before that of four stones, the points that a turn has
# less, and the islands that are missing.
LOWER, LOWER_BITS, POINTS_BITS = BITS * NUM_ISLANDS, 5, 2
LOWERED, POINTS_LESS = (1 << LOWER_BITS) - 1, (1 << POINTS_BITS) - 1
WEAKER = LOWER + LOWER_BITS
FEWER = WEAKER + POINTS_BITS


@jit
def empty_board(islands, tower, points):
    """LH-81..86: so many islands, all empty, on which so many stones are a tower, and so many points for a turn."""
    lower = FIRST_TOWER - int(FIRST_OF_HEIGHT[tower])
    return (lower << LOWER) | ((POINTS - points) << WEAKER) | ((NUM_ISLANDS - islands) << FEWER)


@jit
def first_tower(board):
    """The first stack that is a tower; the stack of an order is so many more."""
    return FIRST_TOWER - ((board >> LOWER) & LOWERED)


@jit
def tower_height(board):
    """LH-82: the stones of a full island."""
    return int(HEIGHT[first_tower(board)])


@jit
def turn_points(board):
    """LH-86: the points of a whole turn."""
    return POINTS - ((board >> WEAKER) & POINTS_LESS)


@jit
def num_islands(board):
    return NUM_ISLANDS - (board >> FEWER)


@jit
def stack_on(board, island):
    """The number of an island's stack."""
    return (board >> (BITS * island)) & STACK


@jit
def with_stack(board, island, stack):
    """The board with another stack on an island."""
    return (board & ~(STACK << (BITS * island))) | (stack << (BITS * island))


@jit
def is_tower(board, island):
    return stack_on(board, island) >= first_tower(board)


# -- steps --------------------------------------------------------------------------------------------------


@jit
def destination(board, source):
    """LH-11, LH-15: the next island clockwise that is not full, and LH-12: what the way there costs.

    There are not stones enough to fill all other islands (LH-03, LH-88), so the way never leads back to its start.
    """
    last = num_islands(board) - 1
    island = source + 1 if source < last else 0
    cost = 1
    while is_tower(board, island):
        island = island + 1 if island < last else 0
        cost += 1
    return island, cost


@jit
def stone_at(board, harbour, source):
    """LH-16: the colour of the stone that would be moved, or NO_COLOUR."""
    return harbour if source == HARBOUR else int(TOP[stack_on(board, source)])


@jit
def step_cost(board, harbour, source):
    """LH-12, LH-13: what a step costs, NEVER if there is no stone or its colour lies on top where it would land."""
    colour = stone_at(board, harbour, source)
    if colour == NO_COLOUR:
        return NEVER
    island, cost = destination(board, source)
    return NEVER if WITH_TOP[stack_on(board, island), colour] == NO_STACK else cost


@jit
def can_step(board, harbour, points):
    """LH-19: whether any step is possible."""
    for source in range(HARBOUR, NUM_ISLANDS):  # noqa: SIM110
        if step_cost(board, harbour, source) <= points:
            return True
    return False


@jit
def landed(board, colour, island):
    """The board with one more stone on an island."""
    return with_stack(board, island, int(WITH_TOP[stack_on(board, island), colour]))


@jit
def lifted(board, island):
    """The board without the top stone of an island."""
    return with_stack(board, island, int(WITHOUT_TOP[stack_on(board, island)]))


# -- the duty -----------------------------------------------------------------------------------------------


@jit
def keeps_duty(board, harbour, source, points, doomed):
    """LH-23: after the step of an island's stone the harbour stone can still be moved, come what may.

    ``doomed``: the next tower will be demolished (LH-51).  With four points there is time for two more steps.
    """
    left = points - step_cost(board, harbour, source)
    stands, gone, doomed = worlds(board, source, doomed)
    return movable_after_two(stands, harbour, left, doomed) and movable_after_two(gone, harbour, left, doomed)


@jit
def worlds(board, source, doomed):
    """The boards that a step may lead to, and whether the next tower is doomed then.

    A finished tower may stand or be demolished: its order may be hidden.  Else both boards are the same.
    """
    island, _ = destination(board, source)
    stands = landed(lifted(board, source), int(TOP[stack_on(board, source)]), island)
    if not is_tower(stands, island):
        return stands, stands, doomed
    gone = with_stack(stands, island, EMPTY)
    return gone if doomed else stands, gone, False


@jit
def movable_after_two(board, harbour, points, doomed):
    """The harbour stone can be moved, if need be after at most two other steps, in all their worlds."""
    if step_cost(board, harbour, HARBOUR) <= points:
        return True
    for source in range(NUM_ISLANDS):
        left = points - step_cost(board, harbour, source)
        if left > 0:
            stands, gone, then = worlds(board, source, doomed)
            if movable_after_one(stands, harbour, left, then) and movable_after_one(gone, harbour, left, then):
                return True
    return False


@jit
def movable_after_one(board, harbour, points, doomed):
    """The same with at most one other step.  (A function that called itself could not be kept in the cache.)"""
    if step_cost(board, harbour, HARBOUR) <= points:
        return True
    for source in range(NUM_ISLANDS):
        left = points - step_cost(board, harbour, source)
        if left > 0:
            stands, gone, _ = worlds(board, source, doomed)
            if step_cost(stands, harbour, HARBOUR) <= left and step_cost(gone, harbour, HARBOUR) <= left:
                return True
    return False
