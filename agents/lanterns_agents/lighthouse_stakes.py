"""What is at stake in Lighthouse Architects, for a network: the viewer's chance to win, by who lays which order next.

The chances are those of the race (lighthouse_race.py).  Players are listed from the viewer, places of orders as in
lighthouse_places.py.
"""

import numpy as np

from lanterns_agents.lighthouse_places import (
    HELD,
    LAID_BY_NEXT,
    LAID_BY_OTHERS,
    LAID_BY_VIEWER,
    NUM_WHERE,
    OWN,
    PUBLIC,
    UNKNOWN,
)
from lanterns_agents.lighthouse_race import CHANCES, LEAD
from lanterns_env.compile import jit
from lanterns_env.games.lighthouse.components import HAND, MAX_PLAYERS

VIEWER, NEXT, THIRD, FOURTH = range(MAX_PLAYERS)
NOBODY, FROM_HAND, FROM_PILE = -1, -2, -3  # instead of the player from whom an order is taken

STAKES = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("players", np.int64),
                ("laid", np.int64, MAX_PLAYERS),
                ("hands", np.int64, MAX_PLAYERS),
                ("piles", np.int64),
                ("mover", np.int64),  # who moves once the turn is over
                ("now", np.float64),  # the viewer's chance then, if nothing is laid
                ("chance", np.float64),  # that after the own turn
                ("gains", np.float64, NUM_WHERE),  # in the own turn, by an order in each place that is finished
                ("losses", np.float64, NUM_WHERE),  # the same in the next player's turn
            ],
            align=True,
        ),
    )
)


@jit
def find_stakes(view, stakes):
    stakes.players = view.num_players
    stakes.piles = view.pile_size.sum()
    for player in range(MAX_PLAYERS):
        stakes.laid[player] = view.laid[player]
        stakes.hands[player] = view.hand_size[player]
    begin_turn(stakes, NEXT)
    stakes.chance = stakes.now
    by_place(stakes, stakes.gains, VIEWER, NEXT, LAID_BY_NEXT)
    begin_turn(stakes, NEXT + 1)
    by_place(stakes, stakes.losses, NEXT, VIEWER, LAID_BY_VIEWER)


@jit
def begin_turn(stakes, following):
    """LH-10: who moves after it."""
    stakes.mover = following % stakes.players
    stakes.now = chance(stakes)


@jit
def by_place(stakes, gains, builder, rival, laid_by_rival):
    """What an order is worth to the viewer that is finished in this builder's turn."""
    gains[:] = 0.0
    gains[OWN] = gain(stakes, VIEWER, FROM_HAND)
    gains[PUBLIC] = gain(stakes, builder, FROM_PILE)
    gains[laid_by_rival] = gain(stakes, builder, rival)
    if stakes.players > NEXT + 1:
        gains[LAID_BY_OTHERS] = 0.5 * (gain(stakes, builder, THIRD) + gain(stakes, builder, FOURTH))
    gains[UNKNOWN] = gains[HELD] = gain(stakes, NEXT, FROM_HAND)


@jit
def gain(stakes, who, source):
    """Of the viewer's chance, if one lays an order from there."""
    if (source == FROM_HAND and stakes.hands[who] == 1) or (source == FROM_PILE and stakes.piles == 1):  # LH-60, LH-61
        if stakes.laid[who] + 1 < stakes.laid.max():  # LH-64, LH-65: it would not win
            return 0.0
        return (1.0 if who == VIEWER else 0.0) - stakes.now
    lay(stakes, who, source, 1)
    then = chance(stakes)
    lay(stakes, who, source, -1)
    return then - stakes.now


@jit
def lay(stakes, who, source, number):
    stakes.laid[who] += number
    if source == FROM_HAND:
        stakes.hands[who] -= number
    elif source >= VIEWER:
        stakes.laid[source] -= number


@jit
def chance(stakes):
    """Of the viewer to win, against each of the others as if these two were alone, the mean."""
    total, n = 0.0, stakes.players
    own = min(max(0, stakes.hands[VIEWER]), HAND)
    for other in range(NEXT, n):
        theirs = min(max(0, stakes.hands[other]), HAND)
        lead = LEAD + min(max(-LEAD, stakes.laid[VIEWER] - stakes.laid[other]), LEAD)
        first, second = CHANCES[n, own, theirs, lead], 1.0 - CHANCES[n, theirs, own, 2 * LEAD - lead]
        total += first if stakes.mover == VIEWER else second if stakes.mover == other else 0.5 * (first + second)
    return total / (n - 1)
