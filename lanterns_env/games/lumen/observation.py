"""What a player of Lumen sees.  Players are listed in turn order from the viewer.

Cards of others are given by colour and value (column value - 1), the own ones by the slot of the fan, the
way they are played.  Their values stay hidden until they lie on the table.
"""

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.engine.game import Field, view_dtype
from lanterns_env.games.lumen.belief import belief, deck
from lanterns_env.games.lumen.components import (
    HAND,
    MAX_PLAYERS,
    MAX_VALUE,
    MIN_PLAYERS,
    NUM_COLOURS,
    POINT_UNIT,
    ROUNDS,
    TOP_VALUE,
    UNDEALT,
)
from lanterns_env.games.lumen.rules import NO_BID, NO_SLOT, bid_limit, colour_of, highest_value, value_of

CARDS = (NUM_COLOURS, MAX_VALUE)
MAX_LOSS, MAX_GAIN = 10, 8  # of a round, in fives: ten tricks off; a bid that comes true in round 4
MAX_TOTAL = 20  # in fives: all four bids come true
LEAST_TOP = int(TOP_VALUE[0])  # of the full games; a lower one shows in the cards, which are all in some field

FIELDS = (
    Field("num_players", (), MIN_PLAYERS, MAX_PLAYERS, "how many play"),
    Field("seat", (), 0, MAX_PLAYERS - 1, "the viewer's seat"),
    Field("to_move", (), 0, MAX_PLAYERS - 1, "who is to move, in turn order from the viewer"),
    Field("phase", (), 0, 1, "what is done now: 0 bidding, 1 playing tricks"),
    Field("round_number", (), 1, ROUNDS, "the round"),
    Field("tricks_done", (), 0, HAND, "tricks of this round that have been taken"),
    Field("over", (), 0, 1, "the game is over"),
    Field("top_value", (), LEAST_TOP, MAX_VALUE, "the highest value of every colour; 8 also if it is less"),
    Field("bid_limit", (), 0, HAND, "the most tip stones that may be bid now"),
    Field("dark_plus", (MAX_PLAYERS,), 0, 1, "who holds the dark plus card"),
    Field("starter", (MAX_PLAYERS,), 0, 1, "who bids first and leads the first trick of the round"),
    Field("leader", (MAX_PLAYERS,), 0, 1, "who leads the trick"),
    Field("has_bid", (MAX_PLAYERS,), 0, 1, "each player has made its bid"),
    Field("bid", (MAX_PLAYERS,), 0, HAND, "tip stones of each player"),
    Field("extra", (MAX_PLAYERS,), 0, 1, "extra stones of each player"),
    Field("tricks", (MAX_PLAYERS,), 0, HAND, "tricks each player has won in this round"),
    Field("total", (MAX_PLAYERS,), -ROUNDS * MAX_LOSS, MAX_TOTAL, "each player's points, in fives"),
    Field("last_score", (MAX_PLAYERS,), -MAX_LOSS, MAX_GAIN, "points of the round that ended last, in fives"),
    Field("undealt", (NUM_COLOURS,), 0, UNDEALT, "cards of each colour set aside in this round; 10 also if it is more"),
    Field("led", (NUM_COLOURS,), 0, 1, "the colour led in this trick, none before a card is played"),
    Field("trick_colour", (MAX_PLAYERS, NUM_COLOURS), 0, 1, "the colour of the card each player has in the trick"),
    Field("trick_value", (MAX_PLAYERS,), 0, MAX_VALUE, "its value, 0: no card"),
    Field("held", (HAND,), 0, 1, "slots of the own fan whose card is still in hand"),
    Field("slot_colour", (HAND, NUM_COLOURS), 0, 1, "the colour of each slot; without recall none once it is played"),
    Field("slot_value", (HAND,), 0, MAX_VALUE, "the revealed value of a slot, 0: in hand, or not recalled"),
    Field("hands", (MAX_PLAYERS - 1, *CARDS), 0, 1, "the cards in the hands of the others, next player first"),
    Field("unseen", CARDS, 0, 1, "cards not in view: own, set aside, without recall also those of earlier tricks"),
    Field("played_by", CARDS, 0, MAX_PLAYERS, "1 + who played a card in this round, 0: not played, or not recalled"),
    Field("played_in", CARDS, 0, HAND, "the trick in which it was played, 0: as above"),
    Field("belief", (HAND, MAX_VALUE), 0, 100, "chance of each value for each slot, in hundredths; 0 without option"),
)
VIEW = view_dtype(FIELDS)


# -- the view -------------------------------------------------------------------------------------------------


@jit
def observe(state, player, view):
    """LU-70..73: everything public, all other fans, and of the own fan colours and order."""
    n = int(state.num_players)
    view.num_players = n
    view.seat = player
    view.to_move = (int(state.player) - player) % n
    view.phase = state.phase
    view.round_number = state.round_number
    view.tricks_done = state.tricks_done
    view.over = state.over
    view.top_value = max(LEAST_TOP, highest_value(state))
    view.bid_limit = bid_limit(state)
    for colour in range(NUM_COLOURS):
        view.undealt[colour] = min(UNDEALT, int(state.undealt[colour]))
    observe_players(state, player, view)
    observe_trick(state, player, view)
    observe_fan(state, player, view)
    observe_cards(state, player, view)
    view.belief[:] = 0
    if state.belief:
        observe_belief(state, player, view)


@jit
def observe_players(state, player, view):
    view.dark_plus[:] = 0
    view.starter[:] = 0
    view.leader[:] = 0
    view.has_bid[:] = 0
    view.bid[:] = 0
    view.extra[:] = 0
    view.tricks[:] = 0
    view.total[:] = 0
    view.last_score[:] = 0
    n = int(state.num_players)
    for step in range(n):
        seat = (player + step) % n
        view.dark_plus[step] = seat == state.dark_plus
        view.starter[step] = seat == state.starter
        view.leader[step] = seat == state.leader
        view.has_bid[step] = state.bid[seat] != NO_BID
        view.bid[step] = max(0, int(state.bid[seat]))
        view.extra[step] = state.extra[seat]
        view.tricks[step] = state.tricks[seat]
        view.total[step] = int(state.total[seat]) // POINT_UNIT
        view.last_score[step] = int(state.last_score[seat]) // POINT_UNIT


@jit
def observe_trick(state, player, view):
    view.led[:] = 0
    view.trick_colour[:] = 0
    view.trick_value[:] = 0
    n = int(state.num_players)
    fans = state.fans[state.round_number - 1]
    for step in range(n):
        seat = (player + step) % n
        slot = int(state.table[seat])
        if slot == NO_SLOT:
            continue
        card = int(fans[seat, slot])
        view.trick_colour[step, colour_of(card)] = 1
        view.trick_value[step] = value_of(card)
        if seat == state.leader:
            view.led[colour_of(card)] = 1


@jit
def observe_fan(state, player, view):
    """LU-70: colours and order; a value only once it is revealed."""
    view.held[:] = 0
    view.slot_colour[:] = 0
    view.slot_value[:] = 0
    fan = state.fans[state.round_number - 1, player]
    for slot in range(int(state.hand)):
        trick = int(state.trick_of[player, slot])
        view.held[slot] = trick == 0
        view.slot_value[slot] = value_of(fan[slot]) if trick != 0 and in_view(state, trick) else 0
        view.slot_colour[slot, colour_of(fan[slot])] = trick == 0 or in_view(state, trick)


@jit
def in_view(state, trick):
    """LU-37, LU-A7: cards of earlier tricks are seen by those with recall alone."""
    return state.recall or trick == state.tricks_done + 1


@jit
def observe_cards(state, player, view):
    """LU-71: the hands of the others, and what has been played."""
    view.hands[:] = 0
    view.played_by[:] = 0
    view.played_in[:] = 0
    n = int(state.num_players)
    fans = state.fans[state.round_number - 1]
    seen = 0
    for step in range(n):
        seat = (player + step) % n
        for slot in range(int(state.hand)):
            card = int(fans[seat, slot])
            trick = int(state.trick_of[seat, slot])
            colour, column = card // MAX_VALUE, card % MAX_VALUE
            if trick == 0:
                if step > 0:
                    view.hands[step - 1, colour, column] = 1
                    seen |= 1 << card
            elif in_view(state, trick):
                view.played_by[colour, column] = step + 1
                view.played_in[colour, column] = trick
                seen |= 1 << card
    unseen = deck(state) & ~np.int64(seen)
    for colour in range(NUM_COLOURS):
        for column in range(MAX_VALUE):
            view.unseen[colour, column] = (unseen >> (MAX_VALUE * colour + column)) & 1


@jit
def observe_belief(state, player, view):
    chances = np.empty((HAND, MAX_VALUE))
    belief(state, player, chances)
    for slot in range(HAND):
        for column in range(MAX_VALUE):
            view.belief[slot, column] = int(100 * chances[slot, column] + 0.5)
