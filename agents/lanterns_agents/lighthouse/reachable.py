"""Which orders of Lighthouse Architects can be finished in a turn, by island, as bits: features are counted from them.

All steps are followed as the rules allow them, whoever takes them and whatever he wants; what the last two points
finish is looked up in an exact table.  Towers are taken to stand, but no step counts on that for the duty.
"""

import numpy as np

from lanterns_agents.lighthouse.turn import Turn, seen_before
from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import (
    EMPTY,
    FIRST_OF_HEIGHT,
    NO_COLOUR,
    NO_STACK,
    NUM_COLOURS,
    NUM_ISLANDS,
    NUM_STACKS,
    STACKS,
    TOP,
    TOWER,
    WITH_TOP,
    WITHOUT_TOP,
)
from lanterns_env.games.lighthouse.movement import (
    HARBOUR,
    NEVER,
    destination,
    first_tower,
    keeps_duty,
    lifted,
    num_islands,
    stack_on,
    step_cost,
    stone_at,
    tower_height,
    with_stack,
    worlds,
)

BEGUN = TOWER - 1  # stacks of one to three stones
HEIGHTS = range(TOWER, 1, -1)  # of towers, as tables are ordered: by how much lower they are
WAITING = 64  # positions that are yet to be followed: four points leave fewer
PLACES = 64  # for positions seen before; a power of two


def orders_begun(tower: int) -> np.ndarray:
    """The orders for so many stones, as bits, that a stack begins, if it has one, two or three stones: [3, stacks]."""
    orders = np.zeros((BEGUN, NUM_STACKS), np.int64)
    for card, stack in enumerate(range(FIRST_OF_HEIGHT[tower], FIRST_OF_HEIGHT[tower + 1])):
        begun = stack
        for height in range(tower - 1, 0, -1):
            begun = WITHOUT_TOP[begun]
            orders[height - 1, begun] |= 1 << card
    return orders


BEGINS = np.array([orders_begun(tower) for tower in HEIGHTS])


# -- what two points can finish -----------------------------------------------------------------------------

# Of the stack two before an island only the top matters, as a stack of its own: none, or a stone of each colour.
TOPS = np.array([STACKS.index(stack[-1:]) for stack in STACKS])
NUM_TOPS = 1 + NUM_COLOURS

# First steps of two, as bits, by where they start; each may be ruled out.
FROM_THIRD, FROM_BEFORE, FROM_ISLAND = 1, 2, 4
FIRST_STEPS = FROM_THIRD | FROM_BEFORE | FROM_ISLAND


def orders_of_three(height: int) -> np.ndarray:
    """The orders for so many stones, as bits, that two points can finish on an island, by three stacks in a row.

    [first steps that another may follow, the stacks of the island, before it, and third]
    """
    first = int(FIRST_OF_HEIGHT[height])
    island, before, third = np.indices((NUM_STACKS, NUM_STACKS, NUM_TOPS))
    now = island, before, third
    _, raised, legal = moved(third, island, first)  # LH-12: over a full island for two points
    found = np.where(legal & (before >= first), tower(island, raised, first), 0)
    lower = WITHOUT_TOP[island]
    _, raised, legal = moved(before, lower, first)
    by_first = {FROM_ISLAND: np.where(legal, tower(lower, raised, first), 0)}
    for source, (legal, then) in zip((FROM_BEFORE, FROM_THIRD), steps(now, first), strict=True):
        found |= np.where(legal, tower(island, then[0], first), 0)
        both = [np.where(legal & later, tower(then[0], last[0], first), 0) for later, last in steps(then, first)]
        by_first[source] = np.bitwise_or.reduce(both)
    followed = np.arange(1 + FIRST_STEPS).reshape(-1, 1, 1, 1)
    for source, orders in by_first.items():
        found = found | np.where(followed & source, orders, 0)
    return found


Stacks = tuple[np.ndarray, np.ndarray, np.ndarray]


def steps(stacks: Stacks, first: int) -> list[tuple[np.ndarray, Stacks]]:
    """Of each step of the other two for one point: where it is legal, the stacks after it."""
    island, before, third = stacks
    left, raised, legal = moved(before, island, first)
    found = [(legal, (raised, left, third))]
    left, raised, legal = moved(third, before, first)
    return [*found, (legal, (island, raised, left))]


def moved(source: np.ndarray, target: np.ndarray, first: int) -> Stacks:
    """A stack without its top, the other with it, and where that is legal (LH-11, LH-13)."""
    raised = WITH_TOP[target, TOP[source]].astype(np.int64)
    return WITHOUT_TOP[source], raised, (TOP[source] != NO_COLOUR) & (raised != NO_STACK) & (target < first)


def tower(before: np.ndarray, after: np.ndarray, first: int) -> np.ndarray:
    """The order, as a bit, that the island's stack has become."""
    built = (after >= first) & (after != before)
    return np.where(built, 1 << np.maximum(after - first, 0), 0)


NEAR = np.array([orders_of_three(height) for height in HEIGHTS])
NEAR_ISLANDS = 4  # in a smaller ring three stacks in a row are not all


# -- what all points can finish -----------------------------------------------------------------------------

REACH = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("orders", np.int64, NUM_ISLANDS),  # what has been found to be finished on each island
                ("board", np.int64, WAITING),
                ("harbour", np.int64, WAITING),
                ("points", np.int64, WAITING),
                ("duty", np.int8, WAITING),
                ("waiting", np.int64),
                ("seen", np.int64, PLACES),
            ],
            align=True,
        ),
    )
)


@jit
def find_orders(board, harbour, points, duty, near, reach):
    """All that can be finished from here on, with so many points; the duty: that of the harbour stone (LH-22)."""
    reach.orders[:] = 0
    reach.seen[:] = -1
    reach.waiting = 0
    wait(reach, board, harbour, points, duty)
    while reach.waiting > 0:
        reach.waiting -= 1
        k = reach.waiting
        board, harbour, points = reach.board[k], reach.harbour[k], reach.points[k]
        duty = reach.duty[k] == 1 or step_cost(board, harbour, HARBOUR) <= points
        if points == 1 and not duty:
            finish_by_one(board, harbour, reach.orders)
        elif points == 2 and not duty and num_islands(board) >= NEAR_ISLANDS:
            finish_by_two(board, free_harbour(board, harbour, reach.orders), near, reach.orders)
        else:
            landing, cost = destination(board, HARBOUR)
            free = points - cost if duty else NEVER
            for source in range(HARBOUR, NUM_ISLANDS):
                if not comes_later(source, landing, free, num_islands(board)):
                    follow(board, harbour, points, duty, source, reach)


@jit
def comes_later(source, landing, free, islands):
    """Nothing can depend on this step where the harbour stone is to land: it may as well come after that one."""
    between = free - 1  # points for other steps between the two
    return landing + between < source < islands - 1 - between


@jit
def wait(reach, board, harbour, points, duty):
    k = reach.waiting
    reach.board[k], reach.harbour[k], reach.points[k], reach.duty[k] = board, harbour, points, duty
    reach.waiting += 1


@jit
def follow(board, harbour, points, duty, source, reach):
    """A step, if it is possible and keeps the duty."""
    colour = stone_at(board, harbour, source)
    if colour == NO_COLOUR:
        return
    island, cost = destination(board, source)
    raised, left = int(WITH_TOP[stack_on(board, island), colour]), points - cost
    duty = duty and source != HARBOUR
    if raised == NO_STACK or left < 0 or (duty and left == 0):  # LH-13, LH-22
        return
    then = with_stack(board if source == HARBOUR else lifted(board, source), island, raised)
    harbour = NO_COLOUR if source == HARBOUR else harbour
    # LH-23; mostly the stone can go at once, whether a tower stands or not, and the longer question is not needed
    too_late = duty and step_cost(then, harbour, HARBOUR) > left
    if too_late and (left == 1 or not keeps_duty(board, harbour, source, points, False)):
        return
    reach.orders[island] |= tower_of(raised, first_tower(board))
    if duty and left == 1:
        finish_by_harbour(then, harbour, reach.orders)
    elif left > 0 and not seen_before(Turn(then, harbour, left, duty, False, 0), reach.seen):
        wait(reach, then, harbour, left, duty)


@jit
def tower_of(stack, first):
    return 1 << (stack - first) if stack >= first else 0


@jit
def finish_by_harbour(board, harbour, orders):
    """What the harbour stone finishes on its first step."""
    island, _ = destination(board, HARBOUR)
    orders[island] |= tower_of(int(WITH_TOP[stack_on(board, island), harbour]), first_tower(board))


@jit
def finish_by_one(board, harbour, orders):
    """What a stone of the island before finishes, or that of the harbour on the first."""
    first, islands = first_tower(board), num_islands(board)
    least = FIRST_OF_HEIGHT[tower_height(board) - 1]
    for island in range(islands):
        stack = stack_on(board, island)
        if least <= stack < first:
            before = stack_on(board, island - 1 if island > 0 else islands - 1)
            if before != EMPTY:
                orders[island] |= tower_of(int(WITH_TOP[stack, TOP[before]]), first)
            if island == 0 and harbour != NO_COLOUR:
                orders[island] |= tower_of(int(WITH_TOP[stack, harbour]), first)


@jit
def free_harbour(board, harbour, orders):
    """The steps for one point, as bits of islands, after which the harbour stone has to go for another (LH-22).

    What that stone finishes then is noted.  It can be freed only where it lands for one point: on the first island.
    """
    freeing = 0
    for source in (0, num_islands(board) - 1):
        if harbour != NO_COLOUR and step_cost(board, harbour, source) == 1:
            then, _, _ = worlds(board, source, False)
            if step_cost(then, harbour, HARBOUR) == 1:
                freeing |= 1 << source
                finish_by_harbour(then, harbour, orders)
    return freeing


@jit
def finish_by_two(board, freeing, near, orders):
    """What two steps finish, or one for two points; the freeing ones are followed by no other."""
    islands, height = num_islands(board), tower_height(board)
    least = FIRST_OF_HEIGHT[height - 2]
    third, before = stack_on(board, islands - 2), stack_on(board, islands - 1)
    freeing |= freeing << islands
    for island in range(islands):
        stack = stack_on(board, island)
        if stack >= least:
            following = stack_on(board, island + 1 if island + 1 < islands else 0)
            followed = ~(freeing >> (island + islands - 2)) & FIRST_STEPS
            if WITH_TOP[following, TOP[stack]] == NO_STACK or following >= first_tower(board):
                followed &= ~FROM_ISLAND
            orders[island] |= near[TOWER - height, followed, stack, before, TOPS[third]]
        third, before = before, stack
