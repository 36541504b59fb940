"""Which orders of Lighthouse Architects are near on a board, as bits of a number: what a network is told.

A board is the numbers of the stacks in all positions: the harbour (0) and the islands (1..8).  What one turn could
finish is not searched.  What the two stacks before an island can do there, or the one before it and the harbour, stands
in tables (lighthouse_near.py).  Beyond that it is what one top of another stack can finish, or two, or one once the
island's own top has gone on, or a lower stone once what lies on it has.

Sets of colours are bits too, and of pairs of colours: bit 3 a + b for first a, then b.  What a set finishes on a stack
is looked up.
"""

from collections.abc import Callable

import numpy as np

from lanterns_agents.lighthouse_near import NUM_HARBOURS, NUM_UPPER, UPPER, orders_of_three
from lanterns_env.compile import jit
from lanterns_env.games.lighthouse.components import (
    CARDS,
    FIRST_TOWER,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_ISLANDS,
    NUM_STACKS,
    POINTS,
    STACKS,
    TOWER,
    WITHOUT_TOP,
)

POSITIONS = 1 + NUM_ISLANDS
BEGUN = TOWER - 1  # stacks of one to three stones
COMING = (2, 3)  # stones of a stack the last of which could come
# Finished within 1 .. 4 points; stacks begin it; two or three stones do, the last of which could come.
KINDS = POINTS + BEGUN + len(COMING)
ALL = (1 << NUM_COLOURS) - 1  # colours
LAST = POINTS - 1  # the place of four points


def orders_after(missing: int) -> np.ndarray:
    """The order, as a bit, that a stack's missing stones finish: [colour of each, stacks]."""
    orders = np.zeros((*(NUM_COLOURS,) * missing, NUM_STACKS), np.int64)
    for card, colours in enumerate(CARDS):
        below = STACKS.index(tuple(colours[: TOWER - missing]))
        orders[(*colours[TOWER - missing :], below)] = 1 << card
    return orders


def orders_begun() -> np.ndarray:
    """The orders, as bits, that a stack begins, if it has one, two or three stones: [3, stacks]."""
    orders = np.zeros((BEGUN, NUM_STACKS), np.int64)
    for card in range(NUM_CARDS):
        stack = FIRST_TOWER + card
        for height in range(BEGUN, 0, -1):
            stack = WITHOUT_TOP[stack]
            orders[height - 1, stack] |= 1 << card
    return orders


def orders_begun_with(height: int) -> np.ndarray:
    """The orders, as bits, that a stack of so many stones begins, the last of them being added: [colour, stacks]."""
    orders = np.zeros((NUM_COLOURS, NUM_STACKS), np.int64)
    for card, colours in enumerate(CARDS):
        orders[colours[height - 1], STACKS.index(tuple(colours[: height - 1]))] |= 1 << card
    return orders


def of_sets(orders: np.ndarray) -> np.ndarray:
    """All orders of a set, from those of its members [members, n]: [n, sets]."""
    orders = orders.reshape(-1, orders.shape[-1])
    sets = np.zeros((orders.shape[1], 1 << len(orders)), np.int64)
    for each in range(sets.shape[1]):
        for member, found in enumerate(orders):
            sets[:, each] |= found * (each >> member & 1)
    return sets


def colours_by_stack(has: Callable[[tuple[int, ...], int], bool]) -> np.ndarray:
    """For every stack the set of colours of which this is true."""
    return np.array([sum(1 << colour for colour in range(NUM_COLOURS) if has(stack, colour)) for stack in STACKS])


TOP_COLOUR = colours_by_stack(lambda stack, colour: stack[-1:] == (colour,))
SECOND = colours_by_stack(lambda stack, colour: stack[-2:-1] == (colour,))
THIRD = colours_by_stack(lambda stack, colour: stack[-3:-2] == (colour,))
LANDS = colours_by_stack(lambda stack, colour: len(stack) < TOWER and stack[-1:] != (colour,))  # LH-13
LANDS_LOW = colours_by_stack(lambda stack, colour: len(stack) < TOWER - 1 and stack[-1:] != (colour,))
AFTER_ONE, AFTER_TWO = of_sets(orders_after(1)), of_sets(orders_after(2))
BEGINS = orders_begun()
BEGINS_WITH = np.stack([of_sets(orders_begun_with(height)) for height in COMING])
FIRST = of_sets(1 << NUM_COLOURS * np.arange(NUM_COLOURS)[:, None])[0]  # its colours come first in pairs
# From two points on: [points - 2, whether the island's own top goes on, the stacks of the island, before it, third].
NEAR = orders_of_three(NUM_UPPER, False)[2:]
NEAR_HARBOUR = orders_of_three(NUM_HARBOURS, True)[2:]

BOARD = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("stacks", np.int64, POSITIONS),
                ("tops", np.int64, NUM_ISLANDS),  # the colour of each island's top, as a set
                ("lands", np.int64, NUM_ISLANDS),  # colours that can be added to it
                ("passes", np.int64, NUM_ISLANDS),  # or go over it
                ("arrivals", np.int64, (POINTS, NUM_ISLANDS)),  # tops that can come for 1 .. 4 points
                ("lifts", np.int64, NUM_ISLANDS),  # for how many points its own top could go on, 1 or 2; 0: never
                ("within", np.int64, (POINTS, NUM_ISLANDS)),  # the orders that can be finished there
                ("begun", np.int64, BEGUN + len(COMING)),  # the other kinds, of all islands
            ],
            align=True,
        ),
    )
)


@jit
def find_orders(board, near, near_harbour):
    """The orders within reach of each island and those begun, from the stacks."""
    look_at(board)
    for island in range(NUM_ISLANDS):
        board.lifts[island] = lifts(board, island)
    for island in range(NUM_ISLANDS):
        finish_by_tops(board, island)
        finish_by_lower_stones(board, island)
        finish_nearby(board, island, near, near_harbour)
    find_begun(board)


@jit
def look_at(board):
    stacks, arrivals = board.stacks, board.arrivals
    for island in range(NUM_ISLANDS):
        stack = stacks[island + 1]
        board.tops[island] = TOP_COLOUR[stack]
        board.lands[island] = LANDS[stack]
        board.passes[island] = ALL if stack >= FIRST_TOWER else LANDS[stack]
    for island in range(NUM_ISLANDS):
        arrivals[0, island] = board.tops[island - 1]
    arrivals[0, 0] |= TOP_COLOUR[stacks[0]]  # LH-02: the harbour feeds the first island
    for points in range(1, POINTS):
        for island in range(NUM_ISLANDS):
            arrivals[points, island] = arrivals[points - 1, island - 1] & board.passes[island - 1]


@jit
def after(island, steps):
    return (island + steps) % NUM_ISLANDS


@jit
def is_full(board, island):
    return board.stacks[island + 1] >= FIRST_TOWER


@jit
def goes_on(board, island, steps):
    """Whether an island's top could be added to the one so many further."""
    return board.tops[island] & board.lands[after(island, steps)] != 0


@jit
def goes_on_low(board, island, steps):
    """And one more stone after it."""
    return board.tops[island] & LANDS_LOW[board.stacks[after(island, steps) + 1]] != 0


@jit
def lifts(board, island):
    if goes_on(board, island, 1):
        return 1
    if board.tops[island] == 0:
        return 0
    following = after(island, 1)
    if is_full(board, following):
        return 2 if goes_on(board, island, 2) else 0
    return 2 if goes_on(board, following, 1) else 0  # its own colour goes on first


@jit
def finish_by_tops(board, island):
    """What one top can finish that comes, or two that come one after the other."""
    stack, lands, within = board.stacks[island + 1], board.lands[island], board.within
    one, more, most = board.arrivals[0, island], board.arrivals[1, island], board.arrivals[2, island]
    three = FIRST[one] * (one | more) | FIRST[more] * one
    four = three | FIRST[one] * most | FIRST[more] * more | FIRST[most] * one
    for points in range(POINTS):
        within[points, island] = AFTER_ONE[stack, lands & board.arrivals[points, island]]
    first = FIRST[lands] * ALL
    within[LAST - 1, island] |= AFTER_TWO[stack, first & three]
    within[LAST, island] |= AFTER_TWO[stack, first & four]


@jit
def finish_by_lower_stones(board, island):
    """What a stone below a top can finish, for four points, or a top on what is below the island's own.

    Colours below a top come once what lies on them has gone on: from three islands before, on or over the next; the
    third stone from two before.  And, if a full island's own top has to follow the top of the island before over it,
    the stone below that one, onto what is left there.
    """
    stacks, stack = board.stacks, board.stacks[island + 1]
    one_before, two_before, three_before = after(island, -1), after(island, -2), after(island, -3)
    late = 0
    if goes_on(board, three_before, 1):
        late |= SECOND[stacks[three_before + 1]] & board.passes[one_before]
    if goes_on_low(board, two_before, 1):
        late |= THIRD[stacks[two_before + 1]]
    board.within[LAST, island] |= AFTER_ONE[stack, board.lands[island] & late]
    on_lower = board.arrivals[2, island] if board.lifts[island] == 1 else 0
    if is_full(board, island) and board.tops[one_before] != board.tops[island] and goes_on_low(board, one_before, 2):
        on_lower |= SECOND[stacks[one_before + 1]]
    lower = WITHOUT_TOP[stack]
    board.within[LAST, island] |= AFTER_ONE[lower, LANDS[lower] & on_lower]


@jit
def finish_nearby(board, island, near, near_harbour):
    """What the stacks just before the island finish on it; and what fewer points finish."""
    stacks, within, lift = board.stacks, board.within, board.lifts[island]
    own, before, third = stacks[island + 1], stacks[after(island, -1) + 1], UPPER[stacks[after(island, -2) + 1]]
    for points in range(1, POINTS):
        orders = within[points - 1, island] | near[points - 1, lift, own, before, third]
        if island == 0:
            orders |= near_harbour[points - 1, lift, own, before, stacks[0]]
        elif island == 1:  # LH-02: it comes over the first island as the last island's top does
            orders |= near[points - 1, lift, own, before, stacks[0]]
        within[points, island] |= orders


@jit
def find_begun(board):
    board.begun[:] = 0
    for height in range(BEGUN):
        for position in range(POSITIONS):
            board.begun[height] |= BEGINS[height, board.stacks[position]]
    for island in range(NUM_ISLANDS):
        coming = 0
        for points in range(POINTS):
            coming |= board.arrivals[points, island]
        for k in range(len(COMING)):
            board.begun[BEGUN + k] |= BEGINS_WITH[k, board.stacks[island + 1], board.lands[island] & coming]
