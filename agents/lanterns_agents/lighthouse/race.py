"""The race of Lighthouse Architects: who has laid how many orders, and how likely each then wins.

A race is one whole number, so a search copies it at every step: five bits a player for the orders laid, two for
those in the hand, five for the orders in the piles, three for the winner.  Players are listed from the viewer.
"""

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import HAND, MAX_PLAYERS

LAID_BITS, HAND_BITS = 5, 2
LAID, HAND_SIZE = (1 << LAID_BITS) - 1, (1 << HAND_BITS) - 1
HANDS = LAID_BITS * MAX_PLAYERS
PILES = HANDS + HAND_BITS * MAX_PLAYERS
WINNER = PILES + LAID_BITS  # the winner and 1; 0 while nobody has won
NOBODY = -1

# What a turn brings in games between good players, measured, by the number of players.
OWN = 0.06  # a chance to lay an order of the hand, for each in it
PUBLIC = 0.09
CAPTURES = {2: 0.2, 3: 0.5, 4: 0.65}

LEAD = 12  # orders; a greater lead counts for no more
SWEEPS = 120


def win_chances(num_players):
    """[own hand, other hand, lead and LEAD]: how likely the one of two players wins who is to move."""
    chances = np.full((HAND + 1, HAND + 1, 2 * LEAD + 1), 0.5)
    lead = np.arange(-LEAD, LEAD + 1)
    from_other = CAPTURES[num_players] / (num_players - 1)
    one = PUBLIC + CAPTURES[num_players] - from_other  # orders that do not come from the other
    for _ in range(SWEEPS):
        for own in range(1, HAND + 1):
            for other in range(1, HAND + 1):
                waiting = following(chances[other, own], 0)
                laid = following(chances[other, own - 1], 1) if own > 1 else np.where(lead >= -1, 1.0, waiting)
                more = one * following(chances[other, own], 1) + from_other * following(chances[other, own], 2)
                stay = 1.0 - OWN * own - one - from_other
                chances[own, other] = OWN * own * laid + more + stay * waiting
    return chances


def following(chances, gain):
    """For each lead: the chance of who has moved and gained so many orders, from the chances of the other."""
    leads = np.minimum(np.arange(2 * LEAD + 1) + gain, 2 * LEAD)
    return 1.0 - chances[2 * LEAD - leads]


CHANCES = np.array([win_chances(max(n, 2)) for n in range(MAX_PLAYERS + 1)])  # by number of players first


@jit
def race_of(view):
    race = (int(view.pile_size[0]) + int(view.pile_size[1])) << PILES
    for step in range(int(view.num_players)):
        race |= int(view.laid[step]) << (LAID_BITS * step)
        race |= int(view.hand_size[step]) << (HANDS + HAND_BITS * step)
    return race


@jit
def laid_by(race, step):
    return (race >> (LAID_BITS * step)) & LAID


@jit
def hand_of(race, step):
    return (race >> (HANDS + HAND_BITS * step)) & HAND_SIZE


@jit
def in_piles(race):
    return (race >> PILES) & LAID


@jit
def winner_of(race):
    return (race >> WINNER) - 1


@jit
def after_end(race, step):
    """A player lays the order that ends the game; who would lose by it declines."""
    for other in range(MAX_PLAYERS):
        if other != step and laid_by(race, other) > laid_by(race, step) + 1:
            return race
    return race | ((step + 1) << WINNER)


@jit
def after_own(race, step):
    """A player lays an order of the hand."""
    if hand_of(race, step) == 1:
        return after_end(race, step)
    return race + (1 << (LAID_BITS * step)) - (1 << (HANDS + HAND_BITS * step))


@jit
def after_public(race, step):
    """A player lays the order on a pile."""
    if in_piles(race) == 1:
        return after_end(race, step)
    return race + (1 << (LAID_BITS * step)) - (1 << PILES)


@jit
def after_capture(race, step, holder):
    """A player takes an order that lies before another."""
    return race + (1 << (LAID_BITS * step)) - (1 << (LAID_BITS * holder))


@jit
def chance_to_win(race, mover, num_players):
    """Of the viewer, against each of the others as if these two were alone; the mean."""
    if winner_of(race) != NOBODY:
        return 1.0 if winner_of(race) == 0 else 0.0
    own, total = hand_of(race, 0), 0.0
    for step in range(1, num_players):
        other = hand_of(race, step)
        lead = max(-LEAD, min(LEAD, laid_by(race, 0) - laid_by(race, step)))
        first = CHANCES[num_players, own, other, LEAD + lead]
        second = 1.0 - CHANCES[num_players, other, own, LEAD - lead]
        total += first if mover == 0 else second if mover == step else 0.5 * (first + second)
    return total / (num_players - 1)
