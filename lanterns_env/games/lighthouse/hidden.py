"""What a player cannot know: the orders in the other hands and below the tops of the piles.

A finished tower tells everybody where its hidden order is: in the hand of the one who is asked, or buried if
nobody is.  Nothing else is told, so every way to spread the other hidden orders over the other hands, and all
buried ones over the piles, is equally likely.
"""

import numpy as np

from lanterns_env.chance import REDEAL, generator, shuffle
from lanterns_env.compile import jit
from lanterns_env.games.lighthouse.components import NUM_CARDS, NUM_PILES
from lanterns_env.games.lighthouse.towers import IN_HAND, LAID, NOBODY, PILE, is_buried


@jit
def redeal(state, player, seed):
    """LH-71..73: first the free hand places, then the buried places, from shuffled cards."""
    rng = generator(seed, REDEAL)
    cards = np.empty(NUM_CARDS, np.int8)
    count = unproved_cards(state, player, cards)
    shuffle(rng, cards, count)
    k = 0
    for seat in range(state.num_players):
        for _ in range(hand_room(state, seat) if seat != player else 0):
            state.place[cards[k]] = IN_HAND + seat
            k += 1
    bury(state, cards, k, count, rng)
    state.seed = seed


@jit
def bury(state, cards, first, count, rng):
    """The cards from the first on and those proved buried, in any order, below the tops of the piles."""
    buried = np.empty(NUM_CARDS, np.int8)
    total = 0
    for card in range(NUM_CARDS):
        if state.proved[card] and state.place[card] >= PILE:
            buried[total] = card
            total += 1
    for k in range(first, count):
        buried[total] = cards[k]
        total += 1
    shuffle(rng, buried, total)
    k = 0
    for pile in range(NUM_PILES):
        for depth in range(state.pile_size[pile] - 1):
            state.piles[pile, depth] = buried[k]
            state.place[buried[k]] = PILE + pile
            k += 1


@jit
def unproved_cards(state, player, cards):
    """The orders that this player does not see and no tower has placed, ascending; how many they are."""
    count = 0
    for card in range(NUM_CARDS):
        if not state.proved[card] and is_hidden(state, player, card):
            cards[count] = card
            count += 1
    return count


@jit
def is_hidden(state, player, card):
    """LH-70..72: neither open nor in the player's own hand."""
    place = int(state.place[card])
    return (place < LAID and place - IN_HAND != player) or is_buried(state, card)


@jit
def hand_room(state, seat):
    """How many orders of a hand no tower has shown."""
    room = int(state.hand_size[seat])
    for card in range(NUM_CARDS):
        if state.proved[card] and state.place[card] == IN_HAND + seat:
            room -= 1
    return room


@jit
def only_hand_with_room(state, player):
    """The one other seat of whose hand not all is shown, NOBODY if there are more or none."""
    only, count = NOBODY, 0
    for seat in range(state.num_players):
        if seat != player and hand_room(state, seat) > 0:
            only, count = seat, count + 1
    return only if count == 1 else NOBODY


@jit
def buried_places(state):
    """How many orders lie below the tops of the piles."""
    places = 0
    for pile in range(NUM_PILES):
        places += max(0, int(state.pile_size[pile]) - 1)
    return places
