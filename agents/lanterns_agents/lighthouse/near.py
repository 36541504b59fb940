"""What two points can finish on an island of Lighthouse Architects: an exact table.

Of three stacks in a row: that of the island, the one before it, and the one before that.
"""

import numpy as np

from lanterns_env.games.lighthouse.components import (
    FIRST_TOWER,
    NO_COLOUR,
    NO_STACK,
    NUM_COLOURS,
    NUM_STACKS,
    STACKS,
    TOP,
    WITH_TOP,
    WITHOUT_TOP,
)

# Of the stack two before an island only the top matters, as a stack of its own: none, or a stone of each colour.
TOPS = np.array([STACKS.index(stack[-1:]) for stack in STACKS])
NUM_TOPS = 1 + NUM_COLOURS

# First steps of two, as bits, by where they start; each may be ruled out.
FROM_THIRD, FROM_BEFORE, FROM_ISLAND = 1, 2, 4
FIRST_STEPS = FROM_THIRD | FROM_BEFORE | FROM_ISLAND


def orders_of_three() -> np.ndarray:
    """The orders, as bits: [first steps that another may follow, the stacks of the island, before it, and third]."""
    now = tuple(np.indices((NUM_STACKS, NUM_STACKS, NUM_TOPS)))
    island, before, third = now
    _, raised, legal = moved(third, island)  # LH-12: over a full island for two points
    found = np.where(legal & (before >= FIRST_TOWER), tower(island, raised), 0)
    lower = WITHOUT_TOP[island]
    _, raised, legal = moved(before, lower)
    by_first = {FROM_ISLAND: np.where(legal, tower(lower, raised), 0)}
    for first, (legal, then) in zip((FROM_BEFORE, FROM_THIRD), steps(*now), strict=True):
        found |= np.where(legal, tower(island, then[0]), 0)
        both = [np.where(legal & later, tower(then[0], last[0]), 0) for later, last in steps(*then)]
        by_first[first] = np.bitwise_or.reduce(both)
    followed = np.arange(1 + FIRST_STEPS).reshape(-1, 1, 1, 1)
    for first, orders in by_first.items():
        found = found | np.where(followed & first, orders, 0)
    return found


Stacks = tuple[np.ndarray, np.ndarray, np.ndarray]


def steps(island: np.ndarray, before: np.ndarray, third: np.ndarray) -> list[tuple[np.ndarray, Stacks]]:
    """Of each step of the other two for one point: where it is legal, the stacks after it."""
    left, raised, legal = moved(before, island)
    found = [(legal, (raised, left, third))]
    left, raised, legal = moved(third, before)
    return [*found, (legal, (island, raised, left))]


def moved(source: np.ndarray, target: np.ndarray) -> Stacks:
    """A stack without its top, the other with it, and where that is legal (LH-13)."""
    raised = WITH_TOP[target, TOP[source]].astype(np.int64)
    return WITHOUT_TOP[source], raised, (TOP[source] != NO_COLOUR) & (raised != NO_STACK)


def tower(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """The order, as a bit, that the island's stack has become."""
    built = (after >= FIRST_TOWER) & (after != before)
    return np.where(built, 1 << np.maximum(after - FIRST_TOWER, 0), 0)
