"""Steps of stones around the islands, and the duty to move the harbour stone.

Islands 0..7 lie clockwise; the harbour feeds into island 0 and is written -1 where a step starts.

    harbour ->  0  1  2  3
                7  6  5  4
"""

from lanterns_env.compile import jit
from lanterns_env.games.lighthouse.components import (
    EMPTY,
    FIRST_TOWER,
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


@jit
def destination(islands, source):
    """LH-11, LH-15: the next island clockwise that is not full, and LH-12: what the way there costs.

    At most four islands are full (LH-03), so the way never leads back to its start.
    """
    island = (source + 1) % NUM_ISLANDS
    cost = 1
    while islands[island] >= FIRST_TOWER:
        island = (island + 1) % NUM_ISLANDS
        cost += 1
    return island, cost


@jit
def step_cost(islands, source, colour):
    """LH-12, LH-13: the cost of a step with a stone of this colour, NEVER if the same colour lies in its way."""
    if colour == NO_COLOUR:
        return NEVER
    island, cost = destination(islands, source)
    return NEVER if WITH_TOP[islands[island], colour] == NO_STACK else cost


@jit
def island_step_cost(islands, source):
    """The same for the top stone of an island."""
    return step_cost(islands, source, int(TOP[islands[source]]))


@jit
def can_step(islands, harbour, points):
    """LH-19: whether any step is possible."""
    if step_cost(islands, HARBOUR, harbour) <= points:
        return True
    for source in range(NUM_ISLANDS):  # noqa: SIM110
        if island_step_cost(islands, source) <= points:
            return True
    return False


@jit
def keeps_duty(islands, source, harbour, points, doomed):
    """LH-23: after this island's step the harbour stone can still be moved, whether a finished tower stands or not.

    ``doomed``: the next tower will be demolished (LH-51).  The step is tried on the islands and taken back.
    """
    left = points - island_step_cost(islands, source)
    if left <= 0:
        return False
    island, _ = destination(islands, source)
    lifted, covered = islands[source], islands[island]
    islands[source] = WITHOUT_TOP[lifted]
    islands[island] = WITH_TOP[covered, TOP[lifted]]
    finished = islands[island] >= FIRST_TOWER
    kept = True
    for gone in (False, True):
        if (gone and not finished) or (finished and doomed and not gone):
            continue
        if gone:
            islands[island] = EMPTY
        movable = step_cost(islands, HARBOUR, harbour) <= left
        for other in range(NUM_ISLANDS):
            movable = movable or keeps_duty(islands, other, harbour, left, doomed and not finished)
        kept = kept and movable
    islands[source], islands[island] = lifted, covered
    return kept
