"""Whether a state is one that a game of Lighthouse Architects can stand in, so that play stays inside its arrays."""

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import (
    COUNTS,
    EMPTY,
    FIRST_OF_HEIGHT,
    MAX_PILE,
    MAX_PLAYERS,
    NO_COLOUR,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_ISLANDS,
    NUM_PILES,
)
from lanterns_env.games.lighthouse.movement import (
    HARBOUR,
    LOWER,
    can_step,
    empty_board,
    first_tower,
    movable_after_two,
    num_islands,
    stack_on,
    step_cost,
    with_stack,
)
from lanterns_env.games.lighthouse.rules import CLAIM, PLACE, asks_everyone
from lanterns_env.games.lighthouse.towers import (
    IN_HAND,
    LAID,
    NO_CARD,
    NO_CLAIM,
    NO_ISLAND,
    NOBODY,
    OTHERS_ORDER,
    OUT,
    PILE,
    claim_case,
    top_of_pile,
)
from lanterns_env.games.lighthouse.variants import PLAYABLE, fill_in_play, why_not

MOST_PROVED = 2  # the kinds of proof that a hand's order can have


@jit
def sound(state):
    """Players, flags and options have been checked."""
    return (
        has_sound_options(state)
        and has_sound_stones(state)
        and has_sound_orders(state)
        and has_sound_end(state)
        and has_sound_turn(state)
        and (state.over or has_sound_phase(state))
    )


# -- stones ---------------------------------------------------------------------------------------------------


@jit
def has_sound_options(state):
    """LH-88: a game can be played like that."""
    n, islands, tower, colours = int(state.num_players), int(state.islands), int(state.tower), int(state.colours)
    return why_not(n, islands, tower, colours, int(state.stones), int(state.cards), int(state.hand)) == PLAYABLE


@jit
def has_sound_stones(state):
    """LH-03, LH-13: the islands hold stacks, and all stones of a colour are there, in the harbour or in the supply."""
    board, colours = int(state.board), int(state.colours)
    if board < 0 or not NO_COLOUR <= state.harbour < NUM_COLOURS:
        return False
    if board >> LOWER != empty_board(int(state.islands), int(state.tower), int(state.move_points)) >> LOWER:
        return False
    stones = np.zeros(NUM_COLOURS, np.int64)
    for island in range(NUM_ISLANDS):
        stack = stack_on(board, island)
        if stack >= FIRST_OF_HEIGHT[state.tower + 1] or (stack != EMPTY and island >= num_islands(board)):
            return False
        for colour in range(NUM_COLOURS):
            stones[colour] += int(COUNTS[stack, colour])
    for colour in range(NUM_COLOURS):
        stones[colour] += int(state.supply[colour]) + (state.harbour == colour)
        if state.supply[colour] < 0 or stones[colour] != (state.stones if colour < colours else 0):
            return False
    return True


# -- orders ---------------------------------------------------------------------------------------------------


@jit
def has_sound_orders(state):
    """LH-04..07, LH-73: every order is in one place, hands and piles as large as they say, proofs of hidden ones."""
    n = int(state.num_players)
    if not has_orders_in_play(state):
        return False
    held, buried = np.zeros(MAX_PLAYERS, np.int64), np.zeros(NUM_PILES, np.int64)
    for card in range(NUM_CARDS):
        place, proved = int(state.place[card]), int(state.proved[card])
        if IN_HAND <= place < IN_HAND + n:
            held[place - IN_HAND] += 1
        elif PILE <= place < PILE + NUM_PILES:
            buried[place - PILE] += 1
        elif place == OUT and proved == 0:
            continue
        elif not LAID <= place < LAID + n or proved != 0:
            return False
        if proved > (MOST_PROVED if place < LAID else 1):
            return False
    for seat in range(MAX_PLAYERS):
        if state.hand_size[seat] != held[seat] or held[seat] > state.hand:
            return False
    return has_sound_piles(state, buried)


@jit
def has_orders_in_play(state):
    """LH-84: those that are, and no others."""
    cards, out = np.empty(NUM_CARDS, np.int16), np.ones(NUM_CARDS, np.bool_)
    for k in range(fill_in_play(int(state.colours), int(state.tower), int(state.cards), cards)):
        out[cards[k]] = False
    return bool((out == (state.place == OUT)).all())


@jit
def public_orders(state):
    """LH-06: how many were dealt into the piles."""
    in_play = 0
    for card in range(NUM_CARDS):
        in_play += state.place[card] != OUT
    return in_play - int(state.hand) * int(state.num_players)


@jit
def has_sound_piles(state, buried):
    """LH-06: two halves; a pile's orders are those that are said to be in it, and the top one lies open."""
    dealt = public_orders(state)
    found = np.zeros(NUM_CARDS, np.uint8)
    for pile in range(NUM_PILES):
        size = int(state.pile_size[pile])
        if size != buried[pile] or size > (dealt + 1 - pile) // 2:
            return False
        for depth in range(MAX_PILE):
            card = int(state.piles[pile, depth])
            if depth >= size:
                if card != NO_CARD:
                    return False
                continue
            if not 0 <= card < NUM_CARDS or found[card] == 1 or state.place[card] != PILE + pile:
                return False
            found[card] = 1
        if size > 0 and state.proved[top_of_pile(state, pile)] != 0:
            return False
    return True


# -- the end --------------------------------------------------------------------------------------------------


@jit
def has_sound_end(state):
    """LH-60..67: a game goes on while there are turns, public orders, and an order in every hand; it ends by one."""
    n = int(state.num_players)
    ends = int(state.pile_size.sum() == 0 and public_orders(state) > 0)
    for seat in range(n):
        ends += state.hand_size[seat] == 0
    if not NOBODY <= state.ended_by < n or not 0 <= state.turn <= state.max_turns:
        return False
    if state.truncated:
        return ends == 0 and state.ended_by == NOBODY and (state.turn == state.max_turns or stands_still(state))
    if state.turn == state.max_turns:
        return False
    return ends == state.over and (state.ended_by != NOBODY) == state.over


@jit
def stands_still(state):
    """LH-87: nobody can ever move a stone."""
    return not can_step(int(state.board), int(state.harbour), int(state.move_points))


# -- the turn -------------------------------------------------------------------------------------------------


@jit
def has_sound_turn(state):
    """LH-10, LH-38: a builder, points left, and a tower to be claimed if and only if somebody is asked."""
    if not PLACE <= state.phase <= CLAIM or not 0 <= state.points <= state.move_points:
        return False
    if not 0 <= state.builder < state.num_players:
        return False
    if state.over or state.phase != CLAIM:
        return state.claim_card == NO_CARD and state.claim_island == NO_ISLAND
    return 0 <= state.claim_card < NUM_CARDS and 0 <= state.claim_island < state.islands


@jit
def has_sound_phase(state):
    if state.phase == CLAIM:
        return has_sound_claim(state)
    if state.player != state.builder:
        return False
    if state.phase == PLACE:  # LH-25
        return state.points == 0 and state.harbour == NO_COLOUR and state.supply.sum() > 0 and not state.duty
    board, harbour, points = int(state.board), int(state.harbour), int(state.points)
    due = step_cost(board, harbour, HARBOUR) <= points  # LH-22
    return can_step(board, harbour, points) and (state.duty or not due)


@jit
def has_sound_claim(state):
    """LH-31..38: the tower stands and somebody may be asked about it; LH-23."""
    card, island = int(state.claim_card), int(state.claim_island)
    if stack_on(int(state.board), island) != first_tower(int(state.board)) + card:
        return False
    if state.points == state.move_points or not state.built or not has_sound_claimant(state, card):
        return False
    return not state.duty or keeps_duty_after(state, island)


@jit
def has_sound_claimant(state, card):
    """LH-32..35: the builder or the holder is asked; LH-75: of a hidden order perhaps any who has orders."""
    if asks_everyone(state, card):
        return state.hand_size[state.player] > 0
    case = claim_case(state, card)
    if case == OTHERS_ORDER:
        return int(state.place[card]) == IN_HAND + int(state.player)
    return case != NO_CLAIM and state.player == state.builder


@jit
def keeps_duty_after(state, island):
    """LH-23: whether the tower stands or is demolished, the harbour stone can still be moved in this turn."""
    harbour, points = int(state.harbour), int(state.points)
    gone = with_stack(int(state.board), island, EMPTY)
    stands = gone if state.demolish_next else int(state.board)
    return movable_after_two(stands, harbour, points, False) and movable_after_two(gone, harbour, points, False)
