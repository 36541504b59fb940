"""Worlds of Lumen that fit a view: own hands drawn from the exact belief, and what everybody knows in them.

A world names cards by *places*: the own ones by their slots, the others' in order from the lowest of the first
colour.  In every world each player knows its own values by chances alone, as in the game.
"""

import numpy as np

from lanterns_agents.popcount import count
from lanterns_env.engine.compile import jit
from lanterns_env.engine.rng import WORD, below, draw
from lanterns_env.games.lumen.belief import spread
from lanterns_env.games.lumen.components import HAND, MAX_PLAYERS, MAX_VALUE, NUM_COLOURS, TRUMP

NO_COLOUR = -1
HALF_WORD = WORD / 2

PLACES, SETS = (MAX_PLAYERS, HAND), (MAX_PLAYERS, NUM_COLOURS)
WORLD = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("held", np.int64, PLACES),  # [player, k]: the places of the cards in hand, in order
                ("number", np.int64, MAX_PLAYERS),  # how many they are
                ("colour", np.int64, PLACES),  # [player, place]
                ("value", np.int64, PLACES),  # the true one
                ("likely", np.int64, PLACES),  # what its owner expects, rounded
                ("above", np.float64, (*PLACES, MAX_VALUE + 1)),  # the chance that it is above v, as its owner knows
                ("hands", np.int64, SETS),  # [player, colour]: the true values in hand as bits, value v as bit v - 1
                ("played", np.int64, SETS),  # those played in this round
                ("whim", np.float64, PLACES),  # [player, place], -1 .. 1: what others play for reasons unknown
                ("unseen", np.int64, NUM_COLOURS),  # the values that the viewer does not see
            ],
            align=True,
        ),
    )
)


# -- what is the same in all worlds ---------------------------------------------------------------------------


@jit
def take_in(view, world):
    """The part of a world that is in view: all but the own values and what others can know."""
    world.number[:] = 0
    world.hands[:] = 0
    world.played[:] = 0
    world.whim[:] = 0.0
    for colour in range(NUM_COLOURS):
        for column in range(MAX_VALUE):
            if view.played_by[colour, column]:
                world.played[int(view.played_by[colour, column]) - 1, colour] |= 1 << column
            for player in range(1, view.num_players):
                if view.hands[player - 1, colour, column]:
                    take_up(world, player, int(world.number[player]), colour, column + 1)
    take_in_own(view, world)
    chances = np.zeros((HAND, MAX_VALUE))
    own_chances(view, world, chances)
    weigh_own(world, 0, chances)


@jit
def take_in_own(view, world):
    """The slots held, and the values that the viewer does not see: enough to know the chances of the own values."""
    world.number[0] = 0
    world.unseen[:] = 0
    for colour in range(NUM_COLOURS):
        for column in range(MAX_VALUE):
            if view.unseen[colour, column]:
                world.unseen[colour] |= 1 << column
    for slot in range(HAND):
        if view.held[slot]:
            take_up(world, 0, slot, colour_of_slot(view, slot), 0)


@jit
def take_up(world, player, place, colour, value):
    world.held[player, world.number[player]] = place
    world.number[player] += 1
    world.colour[player, place] = colour
    world.value[player, place] = value
    if value > 0:
        world.hands[player, colour] |= 1 << (value - 1)


@jit
def colour_of_slot(view, slot):
    for colour in range(NUM_COLOURS):
        if view.slot_colour[slot, colour]:
            return colour
    return NO_COLOUR


@jit
def hand_size(view):
    """The cards dealt to each player in this round: in hand, in the trick, in tricks that are over."""
    cards = int(view.tricks_done) + (1 if view.trick_value[0] > 0 else 0)
    for slot in range(HAND):
        cards += int(view.held[slot])
    return cards


@jit
def power_of(colour, value, led):
    """LU-35: trumps over the led colour over all others."""
    if colour == TRUMP:
        return MAX_VALUE + value
    return value if colour == led else 0


# -- the own hand ---------------------------------------------------------------------------------------------


@jit
def gap_of(view, world, k):
    """Own cards from the k-th held one on, between revealed ones: the first that is not, and their values.

    Slots that are empty without a known value, as without recall, do not part a gap.
    """
    slots, number = world.held[0], int(world.number[0])
    colour = int(world.colour[0, slots[k]])
    lowest, end = bound_below(view, int(slots[k]), colour), k + 1
    while end < number and world.colour[0, slots[end]] == colour:
        if bound_below(view, int(slots[end]), colour) > lowest:
            break
        end += 1
    highest = bound_above(view, int(slots[end - 1]), colour)
    return end, world.unseen[colour] & values_between(lowest, highest)


@jit
def bound_below(view, slot, colour):
    """The nearest revealed value below a slot in its colour, 0 if there is none."""
    for other in range(slot - 1, -1, -1):
        if view.slot_value[other] and view.slot_colour[other, colour]:
            return int(view.slot_value[other])
    return 0


@jit
def bound_above(view, slot, colour):
    for other in range(slot + 1, HAND):
        if view.slot_value[other] and view.slot_colour[other, colour]:
            return int(view.slot_value[other])
    return MAX_VALUE + 1


@jit
def values_between(lowest, highest):
    """The set of values between two, both left out."""
    return ((1 << (highest - 1)) - 1) & ~((1 << lowest) - 1)


@jit
def own_chances(view, world, chances):
    """The exact chance of every value (column value - 1) for every slot held."""
    k = 0
    in_order = np.zeros((HAND, MAX_VALUE))
    while k < world.number[0]:
        end, values = gap_of(view, world, k)
        spread(values, k, end - k, in_order)
        k = end
    for k in range(world.number[0]):
        chances[world.held[0, k]] = in_order[k]


@jit
def draw_own(view, world, rng):
    """Own values, all that fit alike."""
    world.hands[0] = 0
    k = 0
    while k < world.number[0]:
        end, values = gap_of(view, world, k)
        left = count(values)
        for bit in range(MAX_VALUE):
            if (values >> bit) & 1 == 0:
                continue
            if below(rng, left) < end - k:
                slot = world.held[0, k]
                world.value[0, slot] = bit + 1
                world.hands[0, world.colour[0, slot]] |= 1 << bit
                k += 1
            left -= 1


@jit
def draw_whims(world, num_players, rng):
    """For the others; the own play is known."""
    for player in range(1, num_players):
        for k in range(world.number[player]):
            world.whim[player, k] = whim(rng)


@jit
def whim(rng):
    """From -1 to 1."""
    return (draw(rng) - HALF_WORD) / HALF_WORD


# -- what the players know of their hands ---------------------------------------------------------------------


@jit
def weigh_own(world, player, chances):
    """Chances of values as they are asked for in play: above each value, and the mean."""
    for k in range(world.number[player]):
        place = world.held[player, k]
        over, mean = 0.0, 0.0
        for column in range(MAX_VALUE - 1, -1, -1):
            world.above[player, place, column + 1] = over
            over += chances[place, column]
            mean += chances[place, column] * (column + 1)
        world.above[player, place, 0] = 1.0
        world.likely[player, place] = int(mean + 0.5)


@jit
def weigh_others(world, num_players):
    chances = np.empty((HAND, MAX_VALUE))
    for player in range(1, num_players):
        weigh_hand(world, player, chances)


@jit
def weigh_hand(world, player, chances):
    """Of one whose places count its cards: it sees all other hands, and so its own cards mixed with those set aside."""
    chances[:] = 0.0
    k = 0
    while k < world.number[player]:
        colour = int(world.colour[player, k])
        mine = int(world.hands[player, colour])
        aside = world.unseen[colour] & ~world.hands[0, colour]
        between = gap_around(int(world.value[player, k]), int(world.played[player, colour]))
        width = count(mine & between)
        spread((mine | aside) & between, k, width, chances)
        k += width
    weigh_own(world, player, chances)


@jit
def gap_around(value, played):
    """The values about one that lie between the same revealed ones."""
    lowest, highest = 0, MAX_VALUE + 1
    for other in range(1, MAX_VALUE + 1):
        if (played >> (other - 1)) & 1:
            if other < value:
                lowest = other
            elif highest > MAX_VALUE:
                highest = other
    return values_between(lowest, highest)
