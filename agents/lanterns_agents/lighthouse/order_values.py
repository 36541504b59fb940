"""What orders are worth in Lighthouse Architects, by where they may be: the viewer's chance to win, once one is laid.

The chances are those of the race.  Players are listed from the viewer.
"""

import numpy as np

from lanterns_agents.lighthouse.race import LAID_BITS, after_capture, after_own, after_public, chance_to_win, race_of
from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import MAX_PLAYERS

# Where an order may be; every one is in one of these places.
OWN, PUBLIC, LAID_BY_VIEWER, LAID_BY_NEXT, LAID_BY_OTHERS, UNKNOWN, BURIED, HELD = range(8)
NUM_WHERE = 8  # how many they are
CERTAIN = (PUBLIC, LAID_BY_VIEWER, HELD)  # what the next player could lay if it were finished; UNKNOWN: perhaps

VIEWER, NEXT, THIRD, FOURTH = range(MAX_PLAYERS)

STAKES = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("chance", np.float64),  # the viewer's after the own turn, if nothing is laid
                ("gains", np.float64, NUM_WHERE),  # in the own turn, by an order in each place that is finished
                ("losses", np.float64, NUM_WHERE),  # the same in the next player's turn
            ],
            align=True,
        ),
    )
)


@jit
def find_stakes(view, stakes):
    race, n = even_race(view), int(view.num_players)
    stakes.chance = chance_to_win(race, NEXT, n)
    by_place(race, n, stakes.gains, VIEWER, NEXT, LAID_BY_NEXT)
    by_place(race, n, stakes.losses, NEXT, VIEWER, LAID_BY_VIEWER)


@jit
def even_race(view):
    """With an order more before everybody: the leads are as they are, and there is one to be taken from each."""
    race = race_of(view)
    for player in range(MAX_PLAYERS):
        race += 1 << (LAID_BITS * player)
    return race


@jit
def by_place(race, n, gains, builder, rival, laid_by_rival):
    """What an order is worth to the viewer that is finished in this builder's turn."""
    mover = (builder + 1) % n  # LH-10: once it is over
    now = chance_to_win(race, mover, n)
    gains[:] = 0.0
    gains[OWN] = chance_to_win(after_own(race, VIEWER), mover, n) - now
    gains[PUBLIC] = chance_to_win(after_public(race, builder), mover, n) - now
    gains[laid_by_rival] = chance_to_win(after_capture(race, builder, rival), mover, n) - now
    if n > THIRD:
        third = chance_to_win(after_capture(race, builder, THIRD), mover, n)
        gains[LAID_BY_OTHERS] = 0.5 * (third + chance_to_win(after_capture(race, builder, FOURTH), mover, n)) - now
    gains[UNKNOWN] = gains[HELD] = chance_to_win(after_own(race, NEXT), mover, n) - now
