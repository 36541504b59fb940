"""What a player cannot know: the orders in the other hands and below the tops of the piles.

A finished tower tells everybody where its hidden order is: in the hand of the one who is asked, or buried if nobody is.
Where everyone is asked it tells at most whether its order is buried or in some hand.  Nothing else is revealed, so all
ways to spread the hidden orders that fit are equally likely.  Every one of them comes from one choice among the orders
of which nothing is known, as many as there are places left in hands beside the orders in some hand; from one order in
which these together fill those places; and from one order of all others in the buried places.
"""

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.engine.rng import REDEAL, generator, shuffle
from lanterns_env.games.lighthouse.components import NUM_CARDS, NUM_PILES
from lanterns_env.games.lighthouse.towers import (
    HAND_PROVED,
    IN_HAND,
    NOBODY,
    NOT_PROVED,
    PILE,
    PLACE_PROVED,
    is_hidden,
)


@jit
def redeal(state, player, seed):
    """LH-71..73, LH-79: first the free hand places, then the buried places, from shuffled cards."""
    rng = generator(seed, REDEAL)
    cards = np.empty(NUM_CARDS, np.int8)
    held = hidden_cards(state, player, HAND_PROVED, cards)
    count = held + hidden_cards(state, player, NOT_PROVED, cards[held:])
    shuffle(rng, cards[held:], count - held)
    if held > 0:  # the orders in some hand and those that have come next, all in any order
        shuffle(rng, cards, room_of_others(state, player))
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
        if state.proved[card] == PLACE_PROVED and state.place[card] >= PILE:
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
def hidden_cards(state, player, proof, cards):
    """The orders that this player does not see and of which towers have proved so much, ascending; how many."""
    count = 0
    for card in range(NUM_CARDS):
        if state.proved[card] == proof and is_hidden(state, player, card):
            cards[count] = card
            count += 1
    return count


@jit
def hand_room(state, seat):
    """How many orders of a hand no tower has placed there."""
    room = int(state.hand_size[seat])
    for card in range(NUM_CARDS):
        if state.proved[card] == PLACE_PROVED and state.place[card] == IN_HAND + seat:
            room -= 1
    return room


@jit
def room_of_others(state, player):
    """The same of all hands but a player's own."""
    room = 0
    for seat in range(state.num_players):
        room += hand_room(state, seat) if seat != player else 0
    return room


@jit
def known_holder(state, player, card):
    """Who holds an order that is in some hand, NOBODY if it may be in several; of an own order if all others know."""
    if state.place[card] == IN_HAND + player:
        return player if state.num_players == 2 else NOBODY
    return only_hand_with_room(state, player)


@jit
def only_hand_with_room(state, player):
    """The one other seat in whose hand not all is placed, NOBODY if there are more or none."""
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
