"""The rules of Lumen, numbered as in RULES.md.

Four rounds; in each, everybody bids once and then ten tricks are played.  All chance lies in the deal: the
cards of all four rounds, and who holds the dark plus card first.  A hand is a *fan* of ten slots, sorted by
colour and value once and for all; the undealt cards are those in nobody's fan.  Smaller variants use the first
slots, the first colours and the last rounds; the rest stays zero.
"""

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.engine.game import Option, state_dtype
from lanterns_env.engine.rng import DEAL, below, generator, shuffle
from lanterns_env.games.lumen.components import (
    BEADS,
    EXACT_POINTS,
    EXTRA_POINTS,
    HAND,
    LOSS_POINTS,
    MAX_PLAYERS,
    MAX_VALUE,
    MIN_PLAYERS,
    NUM_COLOURS,
    ROUNDS,
    TOP_VALUE,
    TRUMP,
)

OPTIONS = {
    "first_dark_plus": Option(
        "drawn",
        ("drawn", *range(MAX_PLAYERS)),
        "LU-A16: the seat that holds the dark plus card before the first deal; its left neighbour begins round 1",
        names_seat=True,
    ),
    "bead_limit": Option(False, (False, True), "LU-A1: the 15 tip stones limit the bids of a round"),
    "recall": Option(True, (False, True), "LU-A7: cards seen in this round stay in view; else the bare table"),
    "belief": Option(False, (False, True), "LU-74: the view gives the exact chances of every own card"),
    "colours": Option(NUM_COLOURS, range(2, NUM_COLOURS + 1), "LU-A18: how many colours there are, yellow first"),
    "top_value": Option(0, range(MAX_VALUE + 1), "LU-A19: the highest value of every colour; 0: by number of players"),
    "hand": Option(HAND, range(1, HAND + 1), "LU-A20: cards dealt to each player, and tricks of a round"),
    "rounds": Option(ROUNDS, range(1, ROUNDS + 1), "LU-A21: how many rounds are played: the last ones of the four"),
    "beads": Option(BEADS, range(1, BEADS + 1), "LU-A22: how many tip stones there are, where bead_limit holds"),
}

BID, PLAY = range(2)  # what is done now, state.phase
NO_BID = -1
NO_SLOT = -1

STATE = state_dtype(
    OPTIONS,
    ("phase", np.int8),
    ("round_number", np.int16),  # 1 .. ROUNDS
    ("tricks_done", np.int16),  # of this round
    ("dark_plus", np.int16),  # the seat that holds it in this round
    ("starter", np.int16),  # the seat that bids first and leads the first trick
    ("leader", np.int16),  # the seat that leads the trick
    ("fans", np.int8, (ROUNDS, MAX_PLAYERS, HAND)),  # the cards of all rounds, sorted; those of later rounds too
    ("trick_of", np.int8, (MAX_PLAYERS, HAND)),  # the trick, from 1, in which a card of this round was played; 0: held
    ("table", np.int8, MAX_PLAYERS),  # the slot each seat has played into this trick, or NO_SLOT
    ("undealt", np.int16, NUM_COLOURS),  # cards of each colour set aside in this round
    ("bid", np.int16, MAX_PLAYERS),  # tip stones, or NO_BID
    ("extra", np.int16, MAX_PLAYERS),  # extra stones: 0 or 1
    ("tricks", np.int16, MAX_PLAYERS),  # won in this round
    ("total", np.int16, MAX_PLAYERS),  # points
    ("last_score", np.int16, MAX_PLAYERS),  # points of the round that ended last
)

# Actions, numbered by blocks.
BIDS = HAND + 1  # 0 .. 10 tip stones
EXTRA_BIDS = BIDS  # the same with the extra stone
PLAYS = 2 * BIDS  # slots 0 .. 9
NUM_ACTIONS = PLAYS + HAND


# -- deal -----------------------------------------------------------------------------------------------------


@jit
def deal(state, num_players, seed):
    """LU-05, LU-07..12: the cards of all rounds, in this order, after the first holder of the dark plus."""
    rng = generator(seed, DEAL)
    drawn = below(rng, num_players)
    size = deck_size(state)
    order = np.empty(1 + int(state.rounds) * size, np.int16)
    order[0] = drawn if state.first_dark_plus == 0 else int(state.first_dark_plus) - 1
    for start in range(1, len(order), size):
        draw_owners(state, order[start : start + size], rng)
    deal_cards(state, num_players, order)


@jit
def deal_cards(state, num_players, order):
    """A deal as drawn: who holds the dark plus first, then round by round the owner of every card of the deck."""
    size, first = deck_size(state), first_round(state)
    for number in range(first, ROUNDS + 1):
        start = 1 + (number - first) * size
        deal_round(state, number, order[start : start + size])
    state.dark_plus = order[0]
    begin_round(state, first)


@jit
def highest_value(state):
    """LU-02, LU-A19: the highest value of every colour."""
    return int(state.top_value) if state.top_value > 0 else int(TOP_VALUE[state.num_players - MIN_PLAYERS])


@jit
def deck_size(state):
    return int(state.colours) * highest_value(state)


@jit
def first_round(state):
    """LU-A21."""
    return ROUNDS + 1 - int(state.rounds)


@jit
def draw_owners(state, owners, rng):
    """LU-07: every card of the deck gets an owner by chance; owner num_players: set aside."""
    n, hand = int(state.num_players), int(state.hand)
    owners[:] = n
    for seat in range(n):
        owners[seat * hand : (seat + 1) * hand] = seat
    shuffle(rng, owners, len(owners))


@jit
def deal_round(state, number, owners):
    """LU-12: taken in order, the cards fill sorted fans."""
    n, top = int(state.num_players), highest_value(state)
    filled = np.zeros(MAX_PLAYERS + 1, np.int64)
    k = 0
    for colour in range(int(state.colours)):
        for value in range(1, top + 1):
            owner = int(owners[k])
            k += 1
            if owner < n:
                state.fans[number - 1, owner, filled[owner]] = MAX_VALUE * colour + value - 1
                filled[owner] += 1


@jit
def begin_round(state, number):
    """LU-08..10, LU-20: fans and dark plus go to the left; who holds it now begins."""
    n = int(state.num_players)
    state.round_number = number
    state.tricks_done = 0
    state.dark_plus = (int(state.dark_plus) + 1) % n
    state.starter = richest(state) if n == 3 and number == ROUNDS else int(state.dark_plus)  # LU-50
    state.leader = state.starter
    state.player = state.starter
    state.phase = BID
    state.trick_of[:] = 0
    state.table[:] = NO_SLOT
    state.bid[:] = NO_BID
    state.extra[:] = 0
    state.tricks[:] = 0
    state.undealt[:] = 0
    state.undealt[: int(state.colours)] = highest_value(state)
    for seat in range(n):
        for slot in range(int(state.hand)):
            state.undealt[colour_of(state.fans[number - 1, seat, slot])] -= 1


@jit
def richest(state):
    """LU-50, LU-51: the seat with the most points; of equals the first, clockwise from the dark plus."""
    n = int(state.num_players)
    best = int(state.dark_plus)
    for step in range(1, n):
        seat = (int(state.dark_plus) + step) % n
        if state.total[seat] > state.total[best]:
            best = seat
    return best


@jit
def colour_of(card):
    return int(card) // MAX_VALUE


@jit
def value_of(card):
    return int(card) % MAX_VALUE + 1


# -- what may be done -----------------------------------------------------------------------------------------


@jit
def legal(state, mask):
    """All actions of the player to move; how many they are."""
    mask[:] = 0
    if state.phase == BID:
        return legal_bid(state, mask)
    return legal_play(state, mask)


@jit
def legal_bid(state, mask):
    """LU-21, LU-22: any number of tip stones, with or without the extra stone."""
    most = bid_limit(state)
    for stones in range(most + 1):
        mask[stones] = 1
        mask[EXTRA_BIDS + stones] = 1
    return 2 * (most + 1)


@jit
def bid_limit(state):
    """LU-A1: the most tip stones that may be taken."""
    left = BEADS
    if state.bead_limit:
        left = int(state.beads)
        for seat in range(state.num_players):
            if state.bid[seat] != NO_BID:
                left -= int(state.bid[seat])
    return min(left, int(state.hand))


@jit
def legal_play(state, mask):
    """LU-31, LU-32: a card of the led colour, if one is held; else any card."""
    player = int(state.player)
    fan = state.fans[state.round_number - 1, player]
    held = state.trick_of[player]
    led = led_colour(state)
    count = 0
    if led >= 0:
        for slot in range(int(state.hand)):
            if held[slot] == 0 and colour_of(fan[slot]) == led:
                mask[PLAYS + slot] = 1
                count += 1
    if count == 0:
        for slot in range(int(state.hand)):
            if held[slot] == 0:
                mask[PLAYS + slot] = 1
                count += 1
    return count


@jit
def led_colour(state):
    """LU-31: the colour of the first card of the trick, -1 before it is played."""
    slot = int(state.table[state.leader])
    return -1 if slot == NO_SLOT else colour_of(state.fans[state.round_number - 1, state.leader, slot])


# -- what an action does --------------------------------------------------------------------------------------


@jit
def play(state, action):
    if action < PLAYS:
        play_bid(state, action % BIDS, action // BIDS)
    else:
        play_card(state, action - PLAYS)


@jit
def play_bid(state, stones, extra):
    """LU-20: everybody bids once, clockwise; then the starter leads."""
    player = int(state.player)
    state.bid[player] = stones
    state.extra[player] = extra
    state.player = (player + 1) % int(state.num_players)
    if state.player == state.starter:
        state.phase = PLAY


@jit
def play_card(state, slot):
    """LU-30, LU-33: a card from a slot, clockwise; the trick ends when all have played."""
    player = int(state.player)
    state.trick_of[player, slot] = int(state.tricks_done) + 1
    state.table[player] = slot
    following = (player + 1) % int(state.num_players)
    if following == state.leader:
        end_trick(state)
    else:
        state.player = following


@jit
def end_trick(state):
    """LU-36, LU-38: the winner takes the trick and leads the next; after the last the round is scored."""
    winner = trick_winner(state)
    state.tricks[winner] += 1
    state.tricks_done += 1
    state.table[:] = NO_SLOT
    state.leader = winner
    if state.tricks_done < state.hand:
        state.player = winner
        return
    score_round(state)
    if state.round_number == ROUNDS:  # LU-60: the tables stay as they are
        state.over = True
    else:
        begin_round(state, int(state.round_number) + 1)


@jit
def trick_winner(state):
    """LU-35: the highest yellow card, else the highest of the led colour."""
    led = led_colour(state)
    winner, best = -1, -1
    for seat in range(state.num_players):
        card = int(state.fans[state.round_number - 1, seat, state.table[seat]])
        strength = value_of(card)
        if colour_of(card) == TRUMP:
            strength += MAX_VALUE
        elif colour_of(card) != led:
            strength = 0
        if strength > best:
            winner, best = seat, strength
    return winner


@jit
def score_round(state):
    for seat in range(state.num_players):
        points = round_points(
            int(state.round_number), int(state.bid[seat]), int(state.extra[seat]), int(state.tricks[seat])
        )
        state.last_score[seat] = points
        state.total[seat] += points


@jit
def round_points(number, bid, extra, tricks):
    """LU-40..43: a bid that comes true scores by the round, one that does not loses by the tricks it is off."""
    if extra == 0 and tricks == bid:
        return EXACT_POINTS * number
    if extra == 1 and (tricks == bid or tricks == bid + 1):
        return EXTRA_POINTS * number
    return -LOSS_POINTS * abs(tricks - bid)


# -- the end --------------------------------------------------------------------------------------------------


@jit
def score(state, points, share):
    """LU-60: the totals, and the one winner as it stands."""
    points[:] = 0
    share[:] = 0
    for seat in range(state.num_players):
        points[seat] = state.total[seat]
    share[winner_of_game(state)] = 1


@jit
def winner_of_game(state):
    """LU-60..62: most points, then most in the last round, then the first clockwise from the dark plus."""
    n = int(state.num_players)
    best = int(state.dark_plus)
    for step in range(1, n):
        seat = (int(state.dark_plus) + step) % n
        more = int(state.total[seat]) - int(state.total[best])
        if more > 0 or (more == 0 and state.last_score[seat] > state.last_score[best]):
            best = seat
    return best
