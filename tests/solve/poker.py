"""Kuhn's poker for two and three players, and Leduc poker: games whose solutions stand in textbooks.

A share of the win is the share of all chips on the table: everybody brings the same stack.
"""

from collections import Counter
from itertools import permutations

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.engine.game import Field, Game, state_dtype
from lanterns_env.engine.rng import DEAL, REDEAL, generator, shuffle
from lanterns_env.games.deals import Deals, equal_chances

ANTE = 1
UNKNOWN = -1  # in views

# Kuhn's poker: one card each, one card more than players; everybody may bet once.
PASS, BET = 0, 1
KUHN_PLAYERS = 3  # at most
KUHN_STACK = 2
KUHN_MOVES = 2 * KUHN_PLAYERS - 1  # all pass but the last, who bets; all others answer
KUHN = state_dtype({}, ("cards", np.int8, KUHN_PLAYERS), ("moves", np.int8, KUHN_MOVES), ("num_moves", np.int16))
KUHN_FIELDS = (
    Field("seat", (), 0, KUHN_PLAYERS - 1, "the viewer's seat"),
    Field("card", (), 0, KUHN_PLAYERS, "the viewer's card"),
    Field("moves", (KUHN_MOVES,), UNKNOWN, BET, "0 a pass, 1 a bet, in turn; -1 not yet"),
)


@jit
def deal_kuhn(state, num_players, seed):
    deck = np.arange(num_players + 1)
    shuffle(generator(seed, DEAL), deck, num_players + 1)
    deal_kuhn_cards(state, num_players, deck)


@jit
def deal_kuhn_cards(state, num_players, order):
    state.moves[:] = UNKNOWN
    for player in range(num_players):
        state.cards[player] = order[player]


@jit
def legal_kuhn(state, mask):
    mask[:] = 0
    mask[PASS] = mask[BET] = 1
    return 2


@jit
def first_bet(state):
    """The seat that bet first, -1 if nobody has."""
    for move in range(int(state.num_moves)):
        if state.moves[move] == BET:
            return move
    return -1


@jit
def play_kuhn(state, action):
    state.moves[state.num_moves] = action
    state.num_moves += 1
    players, moves = int(state.num_players), int(state.num_moves)
    bet = first_bet(state)
    state.over = moves == players if bet < 0 else moves == bet + players
    if not state.over:
        state.player = moves % players


@jit
def observe_kuhn(state, player, view):
    view.seat = player
    view.card = state.cards[player]
    for move in range(KUHN_MOVES):
        view.moves[move] = state.moves[move]


@jit
def score_kuhn(state, points, share):
    """The highest card of those who are in for most takes all."""
    players = int(state.num_players)
    points[:] = 0
    share[:] = 0
    for move in range(int(state.num_moves)):
        points[move % players] -= state.moves[move]
    most = points.min()
    winner = -1
    for player in range(players):
        points[player] -= ANTE
        if points[player] + ANTE == most and (winner < 0 or state.cards[player] > state.cards[winner]):
            winner = player
    points[winner] -= points.sum()
    for player in range(players):
        share[player] = (KUHN_STACK + points[player]) / (KUHN_STACK * players)


@jit
def redeal_kuhn(state, player, seed):
    players, own = int(state.num_players), int(state.cards[player])
    others = np.array([card for card in range(players + 1) if card != own])
    shuffle(generator(seed, REDEAL), others, players)
    for step in range(players - 1):
        state.cards[(player + 1 + step) % players] = others[step]
    state.seed = seed


def deals_of_kuhn(num_players, options):
    return equal_chances(list(permutations(range(num_players + 1), num_players)))


# Leduc poker: two of each of three ranks, one card each and, for the second stage, one for both.
FOLD, CALL, RAISE = range(3)
RANKS, SUITS = 3, 2
RAISED_BY = (2, 4)  # chips, by stage
MOST_RAISES = 2  # a stage
LEDUC_MOVES = 4  # a stage: nobody raises at once, then both do, then a call
LEDUC_STACK = 16  # more than the 13 that can be lost; a power of two, so that single precision holds all shares
LEDUC = state_dtype(
    {},
    ("ranks", np.int8, 2),
    ("shared", np.int8),
    ("stage", np.int16),  # 0 or 1: the round of betting
    ("moves", np.int8, (2, LEDUC_MOVES)),
    ("num_moves", np.int16),  # of this stage
    ("raises", np.int16),  # of this stage
    ("paid", np.int16, 2),
    ("folded", np.int8, 2),
)
LEDUC_FIELDS = (
    Field("seat", (), 0, 1, "the viewer's seat"),
    Field("rank", (), 0, RANKS - 1, "the viewer's card"),
    Field("shared", (), UNKNOWN, RANKS - 1, "the card for both, -1 in the first stage"),
    Field("moves", (2, LEDUC_MOVES), UNKNOWN, RAISE, "by stage, in turn: 0 fold, 1 call, 2 raise; -1 not yet"),
)


@jit
def deal_leduc(state, num_players, seed):
    deck = np.arange(RANKS * SUITS)
    shuffle(generator(seed, DEAL), deck, RANKS * SUITS)
    deal_leduc_cards(state, num_players, deck // SUITS)


@jit
def deal_leduc_cards(state, num_players, order):
    state.moves[:] = UNKNOWN
    state.paid[:] = ANTE
    state.ranks[0] = order[0]
    state.ranks[1] = order[1]
    state.shared = order[2]


@jit
def legal_leduc(state, mask):
    mask[:] = 0
    mask[CALL] = 1
    mask[FOLD] = state.paid[state.player] < state.paid.max()
    mask[RAISE] = state.raises < MOST_RAISES
    return 1 + mask[FOLD] + mask[RAISE]


@jit
def play_leduc(state, action):
    state.moves[state.stage, state.num_moves] = action
    state.num_moves += 1
    player = int(state.player)
    if action == FOLD:
        state.folded[player] = 1
        state.over = True
        return
    state.paid[player] = state.paid.max()
    if action == RAISE:
        state.paid[player] += RAISED_BY[state.stage]
        state.raises += 1
    if action == CALL and state.num_moves > 1:
        state.over = state.stage == 1
        state.stage = 1
        state.num_moves = state.raises = state.player = 0
    else:
        state.player = 1 - player


@jit
def observe_leduc(state, player, view):
    view.seat = player
    view.rank = state.ranks[player]
    view.shared = state.shared if state.stage == 1 else UNKNOWN
    for part in range(2):
        for move in range(LEDUC_MOVES):
            view.moves[part, move] = state.moves[part, move]


@jit
def strength(state, player):
    """A pair with the card for both beats everything."""
    rank = int(state.ranks[player])
    return rank + RANKS * (rank == state.shared) - 2 * RANKS * state.folded[player]


@jit
def score_leduc(state, points, share):
    points[:] = 0
    own, other = strength(state, 0), strength(state, 1)
    if own > other:
        points[0] = state.paid[1]
    elif own < other:
        points[0] = -state.paid[0]
    points[1] = -points[0]
    for player in range(2):
        share[player] = (LEDUC_STACK + points[player]) / (2 * LEDUC_STACK)


@jit
def redeal_leduc(state, player, seed):
    known = np.zeros(RANKS, np.int64)
    known[state.ranks[player]] += 1
    if state.stage == 1:
        known[state.shared] += 1
    rest = np.array([rank for rank in range(RANKS) for _ in range(SUITS - known[rank])])
    shuffle(generator(seed, REDEAL), rest, len(rest))
    state.ranks[1 - player] = rest[0]
    if state.stage == 0:
        state.shared = rest[1]
    state.seed = seed


def deals_of_leduc(num_players, options):
    """Suits mean nothing: deals of the same ranks are one, and as likely as all of them."""
    ranks = Counter(tuple(card // SUITS for card in cards) for cards in permutations(range(RANKS * SUITS), 3))
    return Deals(np.array(list(ranks), np.int16), np.array(list(ranks.values())) / ranks.total())


def worded(names):
    """The words of a game: names of its actions."""
    return {
        "describe": lambda view, action: names[action],
        "parse": lambda view, words: names.index(words),
        "why_illegal": lambda view, action: "not now",
        "draw": lambda views, color=False: "\n".join(map(str, views)),
    }


def poker(name, names, players, **parts):
    return Game(
        name=name,
        title=name.capitalize(),
        version=0,
        players=players,
        default_players=2,
        num_actions=len(names),
        margin_scale=1.0,
        options={},
        **parts,
        **worded(names),
    )


KUHN_GAME = poker(
    "kuhn",
    ("pass", "bet"),
    range(2, KUHN_PLAYERS + 1),
    state=KUHN,
    fields=KUHN_FIELDS,
    deal=deal_kuhn,
    legal=legal_kuhn,
    play=play_kuhn,
    observe=observe_kuhn,
    score=score_kuhn,
    redeal=redeal_kuhn,
    deal_cards=deal_kuhn_cards,
    deals=deals_of_kuhn,
)
LEDUC_GAME = poker(
    "leduc",
    ("fold", "call", "raise"),
    range(2, 3),
    state=LEDUC,
    fields=LEDUC_FIELDS,
    deal=deal_leduc,
    legal=legal_leduc,
    play=play_leduc,
    observe=observe_leduc,
    score=score_leduc,
    redeal=redeal_leduc,
    deal_cards=deal_leduc_cards,
    deals=deals_of_leduc,
)
