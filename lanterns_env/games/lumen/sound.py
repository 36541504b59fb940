"""Whether a state is one that a game of Lumen can stand in, so that play stays inside its arrays from there on."""

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.games.lumen.components import (
    EXACT_POINTS,
    HAND,
    LOSS_POINTS,
    MAX_PLAYERS,
    MAX_VALUE,
    NUM_CARDS,
    NUM_COLOURS,
    POINT_UNIT,
    ROUNDS,
)
from lanterns_env.games.lumen.rules import (
    BID,
    NO_BID,
    NO_SLOT,
    PLAY,
    STATE,
    deck_size,
    first_round,
    highest_value,
    richest,
    round_points,
    trick_winner,
    value_of,
)


@jit
def sound(state):
    """Players, flags and each option by itself have been checked."""
    return (
        has_sound_deck(state)
        and has_sound_round(state)
        and has_sound_fans(state)
        and has_sound_bids(state)
        and has_sound_tricks(state)
        and has_sound_points(state)
    )


# -- the round ------------------------------------------------------------------------------------------------


@jit
def has_sound_deck(state):
    """LU-A23: there are cards enough."""
    return int(state.hand) * int(state.num_players) < deck_size(state)


@jit
def has_sound_round(state):
    """LU-05, LU-08..10, LU-50: the round, who holds the dark plus, and who begins."""
    n = int(state.num_players)
    begun = int(state.round_number) - first_round(state) + 1  # rounds, with this one
    if state.truncated or not BID <= state.phase <= PLAY or not 1 <= begun <= state.rounds:
        return False
    if not (is_seat(state, state.dark_plus) and is_seat(state, state.starter) and is_seat(state, state.leader)):
        return False
    first = int(state.first_dark_plus) - 1  # -1: drawn
    if first >= 0 and state.dark_plus != (first + begun) % n:
        return False
    if state.over and state.round_number < ROUNDS:
        return False
    return state.over or state.starter == expected_starter(state)


@jit
def is_seat(state, seat):
    return 0 <= seat < state.num_players


@jit
def expected_starter(state):
    return richest(state) if state.num_players == 3 and state.round_number == ROUNDS else int(state.dark_plus)


@jit
def has_sound_fans(state):
    """LU-07, LU-12: in every round no card is in two hands, and every fan is sorted; what is not dealt is set aside."""
    dealt = np.empty(NUM_CARDS, np.uint8)
    first = first_round(state)
    if np.any(state.fans[: first - 1] != 0):
        return False
    for number in range(first, ROUNDS + 1):
        if not is_sound_deal(state, state.fans[number - 1], dealt):
            return False
        if number == state.round_number and not is_sound_rest(state, dealt):
            return False
    return True


@jit
def is_sound_deal(state, fans, dealt):
    """The fans of a round; which cards are in them."""
    n, hand, top = int(state.num_players), int(state.hand), highest_value(state)
    dealt[:] = 0
    for seat in range(MAX_PLAYERS):
        if np.any(fans[seat, (hand if seat < n else 0) :] != 0):
            return False
    for seat in range(n):
        before = -1
        for slot in range(hand):
            card = int(fans[seat, slot])
            if not before < card < MAX_VALUE * int(state.colours) or value_of(card) > top or dealt[card] == 1:
                return False
            dealt[card] = 1
            before = card
    return True


@jit
def is_sound_rest(state, dealt):
    for colour in range(NUM_COLOURS):
        cards = highest_value(state) if colour < state.colours else 0
        in_hands = int(dealt[MAX_VALUE * colour : MAX_VALUE * (colour + 1)].sum())
        if state.undealt[colour] != cards - in_hands:
            return False
    return True


# -- bids -----------------------------------------------------------------------------------------------------


@jit
def has_sound_bids(state):
    """LU-20..22, LU-A1: those who have bid are the first from the starter on, and there were tip stones enough."""
    n = int(state.num_players)
    made = (int(state.player) - int(state.starter)) % n if state.phase == BID else n
    stones = 0
    for seat in range(MAX_PLAYERS):
        bid, extra = int(state.bid[seat]), int(state.extra[seat])
        if seat >= n or (seat - int(state.starter)) % n >= made:
            if bid != NO_BID or extra != 0:
                return False
            continue
        if not 0 <= bid <= state.hand or not 0 <= extra <= 1:
            return False
        stones += bid
    return stones <= state.beads or not state.bead_limit


# -- tricks ---------------------------------------------------------------------------------------------------


@jit
def has_sound_tricks(state):
    """LU-30..38: the tricks done, taken once more, and the cards of this one, from the leader on to who is to move."""
    n = int(state.num_players)
    done = int(state.tricks_done)
    if not 0 <= done <= state.hand or (done == state.hand) != state.over or (state.phase == BID and done > 0):
        return False
    if state.over and state.phase != PLAY:
        return False
    on_table = 0 if state.phase == BID or state.over else (int(state.player) - int(state.leader)) % n
    if not has_sound_cards(state, done, on_table):
        return False
    return has_sound_winners(state, done)


@jit
def has_sound_cards(state, done, on_table):
    """Every hand has given one card to every trick done, and to this one those who lie on the table."""
    n = int(state.num_players)
    for seat in range(MAX_PLAYERS):
        slot = int(state.table[seat])
        played = done + (seat < n and (seat - int(state.leader)) % n < on_table)
        if seat >= n:
            played = 0
        if np.any(state.trick_of[seat, int(state.hand) :] != 0):
            return False
        if not are_tricks(state.trick_of[seat, : int(state.hand)], played):
            return False
        if played <= done and slot != NO_SLOT:
            return False
        if seat < n and played > done and not (0 <= slot < state.hand and state.trick_of[seat, slot] == played):
            return False
    return True


@jit
def are_tricks(trick_of, played):
    """A hand's cards have been played into the first so many tricks, one into each; the others are held."""
    found = np.zeros(HAND + 1, np.int64)
    for slot in range(len(trick_of)):
        trick = int(trick_of[slot])
        if not 0 <= trick <= played:
            return False
        found[trick] += 1
    for trick in range(1, played + 1):  # noqa: SIM110
        if found[trick] != 1:
            return False
    return True


@jit
def has_sound_winners(state, done):
    """LU-36: who won each trick led the next, and has it."""
    twins = np.zeros(1, STATE)
    twins[0] = state
    twin = twins[0]
    twin.leader = state.starter
    won = np.zeros(MAX_PLAYERS, np.int64)
    for trick in range(1, done + 1):
        for seat in range(state.num_players):
            for slot in range(int(state.hand)):
                if state.trick_of[seat, slot] == trick:
                    twin.table[seat] = slot
        twin.leader = trick_winner(twin)
        won[twin.leader] += 1
    for seat in range(MAX_PLAYERS):
        if state.tricks[seat] != won[seat]:
            return False
    return state.leader == twin.leader


# -- points ---------------------------------------------------------------------------------------------------


@jit
def has_sound_points(state):
    """LU-40..43: totals that the rounds scored so far can have brought."""
    n = int(state.num_players)
    begun = int(state.round_number) - first_round(state) + 1
    scored = begun if state.over else begun - 1
    for seat in range(MAX_PLAYERS):
        total, last = int(state.total[seat]), int(state.last_score[seat])
        rounds = scored if seat < n else 0
        if not is_total(state, total, rounds) or not is_total(state, total - last, max(0, rounds - 1)):
            return False
        if not -LOSS_POINTS * int(state.hand) <= last <= EXACT_POINTS * (first_round(state) + rounds - 1):
            return False
        if state.over and seat < n and last != points_of_round(state, seat):
            return False
    return True


@jit
def is_total(state, points, rounds):
    """Whether the first so many rounds can bring such points."""
    most = EXACT_POINTS * rounds * (2 * first_round(state) + rounds - 1) // 2
    return -LOSS_POINTS * int(state.hand) * rounds <= points <= most and points % POINT_UNIT == 0


@jit
def points_of_round(state, seat):
    return round_points(int(state.round_number), int(state.bid[seat]), int(state.extra[seat]), int(state.tricks[seat]))
