"""Finished towers: whose order they are, what claiming it does, and how the game ends by it."""

from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import (
    COUNTS,
    EMPTY,
    NUM_COLOURS,
    NUM_ISLANDS,
)
from lanterns_env.games.lighthouse.movement import is_tower, stack_on, with_stack

# Where an order is: in the hand of seat 0..3, laid open before seat 0..3, in one of the two public piles, not in play.
IN_HAND, LAID, PILE, OUT = 0, 4, 8, 10
NO_CARD = NO_ISLAND = NOBODY = -1
BY_LAYER, BY_BUILDER = range(2)  # option ender
OWN_ORDER, PUBLIC_ORDER, OTHERS_ORDER, OTHERS_LAID, NO_CLAIM = range(5)  # cases a to d of LH-32..35, or none
# What towers have proved of a hidden order (state.proved): nothing; in which hand it is, or that it is buried (LH-73);
# that it is in some hand (LH-79).
NOT_PROVED, PLACE_PROVED, HAND_PROVED = range(3)


@jit
def top_of_pile(state, pile):
    """LH-06: the public order on top, NO_CARD if the pile is used up."""
    return int(state.piles[pile, state.pile_size[pile] - 1]) if state.pile_size[pile] > 0 else NO_CARD


@jit
def claim_case(state, card):
    """LH-31: the one case that a tower of this order is for the builder."""
    place = int(state.place[card])
    if place >= PILE:
        return PUBLIC_ORDER if is_public(state, card) else NO_CLAIM
    if place >= LAID:
        return NO_CLAIM if place - LAID == state.builder else OTHERS_LAID
    return OWN_ORDER if place - IN_HAND == state.builder else OTHERS_ORDER


@jit
def is_public(state, card):
    """LH-33: on top of a pile."""
    place = int(state.place[card])
    return PILE <= place < OUT and top_of_pile(state, place - PILE) == card


@jit
def is_buried(state, card):
    """LH-37: below the top of a pile."""
    place = int(state.place[card])
    return PILE <= place < OUT and top_of_pile(state, place - PILE) != card


@jit
def is_hidden(state, player, card):
    """LH-70..72: neither open nor in the player's own hand."""
    place = int(state.place[card])
    return (place < LAID and place - IN_HAND != player) or is_buried(state, card)


@jit
def lay(state, card, seat):
    """LH-32..35: the order is laid open before a seat, wherever it was; the pile shows the next one (LH-07)."""
    place = int(state.place[card])
    if place >= PILE:
        pile = place - PILE
        state.pile_size[pile] -= 1
        state.piles[pile, state.pile_size[pile]] = NO_CARD
        if state.pile_size[pile] > 0:
            state.proved[top_of_pile(state, pile)] = NOT_PROVED
    elif place < LAID:
        state.hand_size[seat] -= 1
    state.place[card] = LAID + seat
    state.proved[card] = NOT_PROVED
    last_private = place < LAID and state.hand_size[seat] == 0  # LH-60, LH-62
    last_public = place >= PILE and state.pile_size.sum() == 0  # LH-61
    if last_private or last_public:
        state.over = True
        state.ended_by = state.builder if state.ender == BY_BUILDER else seat  # LH-66


@jit
def demolish(state, island):
    """LH-37: its stones go back to the supply."""
    stack = stack_on(int(state.board), island)
    for colour in range(NUM_COLOURS):
        state.supply[colour] += COUNTS[stack, colour]
    state.board = with_stack(int(state.board), island, EMPTY)


@jit
def demolish_all(state):
    """LH-50, LH-51: all towers, or the next one to be built if there is none."""
    state.demolish_next = True
    for island in range(NUM_ISLANDS):
        if is_tower(int(state.board), island):
            demolish(state, island)
            state.demolish_next = False
