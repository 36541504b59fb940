"""What a player knows of its own fan, exactly: the chances of every value, and worlds dealt anew from them.

A player sees all other fans and what has been played.  Its own cards of a colour lie in order, and every
choice of values that fits is equally likely: a *gap*, neighbouring own cards that are not yet revealed,
holds some of the unseen values between its revealed neighbours, each set of them as likely as any other,
whatever the other gaps hold.  Sets of cards are written as bits, card k as ``1 << k``.
"""

from math import comb

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.engine.rng import REDEAL, below, generator
from lanterns_env.games.lumen.components import MAX_VALUE, NUM_COLOURS, ROUNDS
from lanterns_env.games.lumen.rules import colour_of, deal_round, deck_size, draw_owners, highest_value, value_of

COLOUR_BITS = (1 << MAX_VALUE) - 1
DECKS = np.array(  # all cards of the game, by the number of colours and the highest value
    [
        [sum(((1 << top) - 1) << (MAX_VALUE * c) for c in range(number)) for top in range(MAX_VALUE + 1)]
        for number in range(NUM_COLOURS + 1)
    ],
    np.int64,
)
CHOICES = np.array([[comb(n, k) for k in range(MAX_VALUE + 1)] for n in range(MAX_VALUE + 1)], np.float64)


@jit
def deck(state):
    """LU-02: all cards of the game, as bits."""
    return np.int64(DECKS[int(state.colours), highest_value(state)])


@jit
def unseen_cards(state, player):
    """LU-70..72: the cards that are in no other fan, as bits."""
    seen = 0
    fans = state.fans[state.round_number - 1]
    for seat in range(state.num_players):
        for slot in range(int(state.hand)):
            if seat != player:
                seen |= 1 << int(fans[seat, slot])
    return deck(state) & ~np.int64(seen)


@jit
def gap_end(state, player, slot):
    """The first slot after this one that is revealed or of another colour."""
    fan, hand = state.fans[state.round_number - 1, player], int(state.hand)
    end = slot + 1
    while end < hand and state.trick_of[player, end] == 0 and colour_of(fan[end]) == colour_of(fan[slot]):
        end += 1
    return end


@jit
def gap_values(state, player, first, end, unseen):
    """The unseen values between the revealed neighbours of slots first .. end - 1, value v as bit v - 1.

    So the revealed own cards, which are in no other fan either, are left out.
    """
    fan = state.fans[state.round_number - 1, player]
    colour = colour_of(fan[first])
    values = (unseen >> (MAX_VALUE * colour)) & COLOUR_BITS
    if first > 0 and colour_of(fan[first - 1]) == colour:  # revealed, else it were in the gap
        values &= ~((1 << value_of(fan[first - 1])) - 1)
    if end < int(state.hand) and colour_of(fan[end]) == colour:
        values &= (1 << (value_of(fan[end]) - 1)) - 1
    return values


@jit
def belief(state, player, probabilities):
    """LU-74: the chance of every value (column value - 1) for every slot of the player's fan."""
    probabilities[:] = 0.0
    unseen, hand = unseen_cards(state, player), int(state.hand)
    slot = 0
    while slot < hand:
        if state.trick_of[player, slot] != 0:
            probabilities[slot, value_of(state.fans[state.round_number - 1, player, slot]) - 1] = 1.0
            slot += 1
            continue
        end = gap_end(state, player, slot)
        spread(gap_values(state, player, slot, end, unseen), slot, end - slot, probabilities)
        slot = end


@jit
def spread(values, slot, width, probabilities):
    """The chances of a gap of so many slots: how the j-th lowest of a random choice of values falls."""
    number = 0
    for bit in range(MAX_VALUE):
        number += (values >> bit) & 1
    below_it = 0
    for bit in range(MAX_VALUE):
        if (values >> bit) & 1 == 0:
            continue
        above_it = number - 1 - below_it
        for j in range(max(0, width - 1 - above_it), min(width - 1, below_it) + 1):
            ways = CHOICES[below_it, j] * CHOICES[above_it, width - 1 - j]
            probabilities[slot + j, bit] = ways / CHOICES[number, width]
        below_it += 1


@jit
def redeal(state, player, seed):
    """LU-70..74: the own cards not yet revealed, uniformly from all that fits, and the cards of later rounds."""
    rng = generator(seed, REDEAL)
    unseen, hand = unseen_cards(state, player), int(state.hand)
    slot = 0
    while slot < hand:
        if state.trick_of[player, slot] != 0:
            slot += 1
            continue
        end = gap_end(state, player, slot)
        choose(state, player, slot, end, gap_values(state, player, slot, end, unseen), rng)
        slot = end
    owners = np.empty(deck_size(state), np.int16)
    for number in range(int(state.round_number) + 1, ROUNDS + 1):
        draw_owners(state, owners, rng)
        deal_round(state, number, owners)
    state.seed = seed


@jit
def choose(state, player, slot, end, values, rng):
    """Fill a gap from the lowest value on: each is taken with the chance that a random choice contains it."""
    fan = state.fans[state.round_number - 1, player]
    colour = colour_of(fan[slot])
    left = 0
    for bit in range(MAX_VALUE):
        left += (values >> bit) & 1
    for bit in range(MAX_VALUE):
        if (values >> bit) & 1 == 0:
            continue
        if below(rng, left) < end - slot:
            fan[slot] = MAX_VALUE * colour + bit
            slot += 1
        left -= 1
