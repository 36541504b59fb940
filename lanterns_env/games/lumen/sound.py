"""Whether a state is one that a game of Lumen can stand in, so that play stays inside its arrays from there on."""

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.games.lumen.components import (
    BEADS,
    EXACT_POINTS,
    HAND,
    LOSS_POINTS,
    MAX_PLAYERS,
    MAX_VALUE,
    MIN_PLAYERS,
    NUM_CARDS,
    NUM_COLOURS,
    POINT_UNIT,
    ROUNDS,
    TOP_VALUE,
)
from lanterns_env.games.lumen.rules import (
    BID,
    NO_BID,
    NO_SLOT,
    PLAY,
    STATE,
    richest,
    round_points,
    trick_winner,
    value_of,
)


@jit
def sound(state):
    """Players, flags and options have been checked."""
    return (
        has_sound_round(state)
        and has_sound_fans(state)
        and has_sound_bids(state)
        and has_sound_tricks(state)
        and has_sound_points(state)
    )


# -- the round ------------------------------------------------------------------------------------------------


@jit
def has_sound_round(state):
    """LU-05, LU-08..10, LU-50: the round, who holds the dark plus, and who begins."""
    n = int(state.num_players)
    if state.truncated or not BID <= state.phase <= PLAY or not 1 <= state.round_number <= ROUNDS:
        return False
    if not (is_seat(state, state.dark_plus) and is_seat(state, state.starter) and is_seat(state, state.leader)):
        return False
    first = int(state.first_dark_plus) - 1  # -1: drawn
    if first >= 0 and state.dark_plus != (first + int(state.round_number)) % n:
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
    n = int(state.num_players)
    top = int(TOP_VALUE[n - MIN_PLAYERS])
    for number in range(ROUNDS):
        dealt = np.zeros(NUM_CARDS, np.uint8)
        for seat in range(n, MAX_PLAYERS):
            if np.any(state.fans[number, seat] != 0):
                return False
        for seat in range(n):
            before = -1
            for slot in range(HAND):
                card = int(state.fans[number, seat, slot])
                if not before < card < NUM_CARDS or value_of(card) > top or dealt[card] == 1:
                    return False
                dealt[card] = 1
                before = card
        if number != state.round_number - 1:
            continue
        for colour in range(NUM_COLOURS):
            in_hands = int(dealt[MAX_VALUE * colour : MAX_VALUE * (colour + 1)].sum())
            if state.undealt[colour] != top - in_hands:
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
        if not 0 <= bid <= HAND or not 0 <= extra <= 1:
            return False
        stones += bid
    return stones <= BEADS or not state.bead_limit


# -- tricks ---------------------------------------------------------------------------------------------------


@jit
def has_sound_tricks(state):
    """LU-30..38: the tricks done, taken once more, and the cards of this one, from the leader on to who is to move."""
    n = int(state.num_players)
    done = int(state.tricks_done)
    if not 0 <= done <= HAND or (done == HAND) != state.over or (state.phase == BID and done > 0):
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
        if not are_tricks(state.trick_of[seat], played):
            return False
        if played <= done and slot != NO_SLOT:
            return False
        if seat < n and played > done and not (0 <= slot < HAND and state.trick_of[seat, slot] == played):
            return False
    return True


@jit
def are_tricks(trick_of, played):
    """A hand's cards have been played into the first so many tricks, one into each; the others are held."""
    found = np.zeros(HAND + 1, np.int64)
    for slot in range(HAND):
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
            for slot in range(HAND):
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
    scored = ROUNDS if state.over else int(state.round_number) - 1
    for seat in range(MAX_PLAYERS):
        total, last = int(state.total[seat]), int(state.last_score[seat])
        rounds = scored if seat < n else 0
        if not is_total(total, rounds) or not is_total(total - last, max(0, rounds - 1)):
            return False
        if not -LOSS_POINTS * HAND <= last <= EXACT_POINTS * rounds:
            return False
        if state.over and seat < n and last != points_of_round(state, seat):
            return False
    return True


@jit
def is_total(points, rounds):
    """Whether so many rounds can bring such points."""
    most = EXACT_POINTS * rounds * (rounds + 1) // 2
    return -LOSS_POINTS * HAND * rounds <= points <= most and points % POINT_UNIT == 0


@jit
def points_of_round(state, seat):
    return round_points(int(state.round_number), int(state.bid[seat]), int(state.extra[seat]), int(state.tricks[seat]))
