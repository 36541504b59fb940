"""What lanterns and favors are worth in Lanterns: the honor they will bring in the dedications to come.

The lanterns of a player are one integer, four bits a colour: it is quickly copied and changed.
"""

from typing import Any

import numpy as np

from lanterns_agents.lanterns.weights import (
    ENOUGH,
    FAVOR,
    FLEXIBLE,
    GLUT,
    LANTERN,
    NUM_WEIGHTS,
    SECOND,
    WILD,
)
from lanterns_env.engine.compile import jit
from lanterns_env.games.lanterns.components import (
    EXCHANGE_COST,
    FOUR_OF_A_KIND,
    HAND_LIMIT,
    NUM_COLOURS,
    NUM_KINDS,
    SEVEN_DIFFERENT,
    THREE_PAIRS,
)

BITS, COUNT = 4, 15  # of one colour
TIE = 1e-3  # a favor when no dedication is left: it breaks a tie
MAX_OWN_TURNS = 12  # of one player, the final one included
LANTERN_MISSING = 1 << 13  # one lantern; finer differences of colours are below
COLOUR = 7  # the bits of a colour
FAR_AWAY = 1 << 40
SIZES = np.array([4, 6, 7])  # of the sets


def record(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    """Records with named fields: compiled functions take one quicker than many arrays."""
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


# What one side reckons with.
OUTLOOK = record(
    ("weights", np.float64, NUM_WEIGHTS),
    ("cost", np.int64, NUM_COLOURS),  # what a missing lantern of each colour counts
    ("rate", np.float64, (MAX_OWN_TURNS + 1, NUM_KINDS)),  # how much chance that costs, by the dedications to come
    ("value", np.float64, NUM_KINDS),  # what each kind of set will score
    ("following", np.float64, NUM_KINDS),  # and the next of the same kind
    ("far", np.int64, (2, NUM_KINDS)),  # how much is missing, of the next set and the one after
    ("left", np.int64, (2, NUM_KINDS)),  # the lanterns that are not part of it
)


# -- lanterns as one integer --------------------------------------------------------------------------------


@jit
def packed(counts):
    lanterns = 0
    for colour in range(NUM_COLOURS):
        lanterns |= int(counts[colour]) << (BITS * colour)
    return lanterns


@jit
def number_of(lanterns, colour):
    return (lanterns >> (BITS * colour)) & COUNT


@jit
def some(colour, number):
    return number << (BITS * colour)


@jit
def size_of(lanterns):
    total = 0
    for colour in range(NUM_COLOURS):
        total += number_of(lanterns, colour)
    return total


# -- the sets -----------------------------------------------------------------------------------------------


@jit
def measure(outlook, row, lanterns):
    """What each kind of set misses, and what it leaves.

    No branches: a colour is kept in the lowest bits of what it misses.
    """
    four, seven, ones = FAR_AWAY, 0, 0
    first, second, third = FAR_AWAY, FAR_AWAY, FAR_AWAY  # the colours nearest to a pair
    for colour in range(NUM_COLOURS):
        number, cost = number_of(lanterns, colour), outlook.cost[colour]
        four = min(four, max(0, 4 - number) * cost + colour)
        nearness = max(0, 2 - number) * cost + colour
        third = min(third, max(nearness, second))
        second = min(second, max(nearness, first))
        first = min(first, nearness)
        seven += max(0, 1 - number) * cost
        ones += some(colour, min(number, 1))
    outlook.far[row, FOUR_OF_A_KIND] = four - (four & COLOUR)
    pairs = first + second + third
    outlook.far[row, THREE_PAIRS] = pairs - ((first & COLOUR) + (second & COLOUR) + (third & COLOUR))
    outlook.far[row, SEVEN_DIFFERENT] = seven
    outlook.left[row, FOUR_OF_A_KIND] = without(lanterns, four & COLOUR, 4)
    left = without(without(lanterns, first & COLOUR, 2), second & COLOUR, 2)
    outlook.left[row, THREE_PAIRS] = without(left, third & COLOUR, 2)
    outlook.left[row, SEVEN_DIFFERENT] = lanterns - ones


@jit
def without(lanterns, colour, number):
    return lanterns - some(colour, min(number, number_of(lanterns, colour)))


@jit
def chance(outlook, kind, far, turns):
    """How likely a set that misses so much will be dedicated."""
    sure = max(0.0, 1.0 - far * outlook.rate[turns, kind])
    return sure * sure


@jit
def expected_honor(outlook, lanterns, exchange, turns):
    """The honor to be expected of lanterns, with so many dedications to come."""
    if turns <= 0:
        return 0.0
    weights = outlook.weights
    size = size_of(lanterns)
    wild = weights[WILD] * LANTERN_MISSING
    measure(outlook, 0, lanterns)
    best, total = 0.0, 0.0
    for kind in range(NUM_KINDS):
        far = outlook.far[0, kind]
        if exchange and size >= SIZES[kind]:
            far = max(0.0, far - wild)
        plan = outlook.value[kind] * chance(outlook, kind, far, turns)
        if turns > 1 and plan > 0.0:
            plan += weights[SECOND] * best_single(outlook, outlook.left[0, kind], kind, turns - 1)
        best = max(best, plan)
        total += plan
    spare = weights[LANTERN] * min(float(size), weights[ENOUGH]) * (turns - 1) / turns
    return best + weights[FLEXIBLE] * (total - best) + spare


@jit
def best_single(outlook, lanterns, dedicated, turns):
    """The best set after one of a kind has been dedicated."""
    measure(outlook, 1, lanterns)
    best = 0.0
    for kind in range(NUM_KINDS):
        value = outlook.following[kind] if kind == dedicated else outlook.value[kind]
        best = max(best, value * chance(outlook, kind, outlook.far[1, kind], turns))
    return best


@jit
def worth_of_favors(outlook, favors, turns):
    if turns <= 0:
        return TIE * favors
    weights = outlook.weights
    return weights[FAVOR] * favors / (1.0 + weights[GLUT] * favors / turns)


@jit
def worth_of_holdings(outlook, lanterns, favors, turns):
    """What lanterns and favors are worth together."""
    return expected_honor(outlook, lanterns, favors >= EXCHANGE_COST, turns) + worth_of_favors(outlook, favors, turns)


@jit
def trimmed(outlook, lanterns, favors, turns):
    """The hand limit: without the lanterns that are missed least."""
    size = size_of(lanterns)
    while size > HAND_LIMIT:
        lanterns -= some(least_missed(outlook, lanterns, favors, turns), 1)
        size -= 1
    return lanterns


@jit
def least_missed(outlook, lanterns, favors, turns):
    best, least = -1e9, 0
    for colour in range(NUM_COLOURS):
        if number_of(lanterns, colour) == 0:
            continue
        worth = worth_of_holdings(outlook, lanterns - some(colour, 1), favors, turns)
        if worth > best + 1e-9:
            best, least = worth, colour
    return least
