"""What the stacks just before an island of Lighthouse Architects can finish on it: exact tables, for a network.

Three stacks in a row: that of the island, the one before it, and the one before that or the harbour stone, which is as
near as the one before.  All steps of their stones are followed to the last point; everything else counts as empty.
"""

import numpy as np

from lanterns_env.games.lighthouse.components import (
    FIRST_TOWER,
    NO_COLOUR,
    NO_STACK,
    NUM_COLOURS,
    NUM_STACKS,
    POINTS,
    STACKS,
    TOP,
    WITH_TOP,
    WITHOUT_TOP,
)

NUM_HARBOURS = 1 + NUM_COLOURS  # nothing, or a stone: the numbers of these stacks
# Of the stack two before an island only the upper two stones matter, as a stack of their own.
UPPER = np.array([STACKS.index(stack[-2:]) for stack in STACKS])
NUM_UPPER = 1 + int(UPPER.max())

LIFTS = 3  # the island's own top cannot go on; it can, for one point; for two

Step = tuple[int, np.ndarray, tuple[np.ndarray, np.ndarray, np.ndarray]]


def orders_of_three(thirds: int, beside: bool) -> np.ndarray:
    """The orders, as bits, that can be finished on the island.

    [points; whether the island's own top can go on; the stacks of the island, before it, and the third], the third
    being before that or, like the harbour stone, ``beside`` it.
    """
    island, before, third = np.indices((NUM_STACKS, NUM_STACKS, thirds))
    found = np.zeros((POINTS + 1, LIFTS, *island.shape), np.int32)
    for points in range(1, POINTS + 1):
        for cost, legal, then in steps(island, before, third, beside):
            built = (then[0] >= FIRST_TOWER) & (then[0] != island)
            tower = np.where(built, 1 << np.maximum(then[0] - FIRST_TOWER, 0), 0)
            for lifts in range(LIFTS if cost <= points else 0):
                found[points, lifts] |= np.where(legal, tower | found[points - cost, lifts][then], 0).astype(np.int32)
        for cost in range(1, min(LIFTS, points + 1)):  # for one point the next stone can go after it, for two it cannot
            found[points, cost] |= found[points - cost, cost % 2][WITHOUT_TOP[island], before, third]
    return found


def steps(island: np.ndarray, before: np.ndarray, third: np.ndarray, beside: bool) -> list[Step]:
    """Of each step of the other two: its cost, where it is legal, the stacks after it."""
    left, raised, legal = moved(before, island)
    found: list[Step] = [(1, legal, (raised, left, third))]
    left, raised, legal = moved(third, island)
    if beside:
        return [*found, (1, legal, (raised, before, left))]
    found.append((2, legal & (before >= FIRST_TOWER), (raised, before, left)))  # LH-12
    left, raised, legal = moved(third, before)
    return [*found, (1, legal, (island, raised, left))]


def moved(source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A stack without its top, the other with it, and where that is legal (LH-13)."""
    raised = WITH_TOP[target, TOP[source]].astype(np.int64)
    return WITHOUT_TOP[source], raised, (TOP[source] != NO_COLOUR) & (raised != NO_STACK)
