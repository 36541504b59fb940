"""Heuristics for search in Lanterns: what expert play makes of lanterns, favors and placements."""

import numpy as np

from lanterns_agents.lanterns.outlook import (
    NO_SET,
    OTHERS,
    PROSPECTS,
    find_others,
    find_outlook,
    look_ahead,
    stock_of,
)
from lanterns_agents.lanterns.placements import LAKE, Turn, place_of, placements, survey, worth_of_place
from lanterns_agents.lanterns.plans import (
    KEPT,
    PLAN,
    clear_plans,
    consider,
    consider_sets,
    dedicated,
    exchange_of,
    exchanged,
    set_of,
)
from lanterns_agents.lanterns.rough_values import best_set, dedications_left, prior_of_discards
from lanterns_agents.lanterns.values import OUTLOOK, expected_honor, packed, record, some
from lanterns_agents.lanterns.weights import FAVOR
from lanterns_agents.weights import weights_by_players
from lanterns_agents.win_shares import softmax_win_shares
from lanterns_env.engine.compile import jit
from lanterns_env.games.lanterns.components import (
    EXCHANGE_COST,
    HAND,
    NUM_COLOURS,
    NUM_KINDS,
    PLATFORM,
    TILES,
)
from lanterns_env.games.lanterns.lake import NUM_SLOTS
from lanterns_env.games.lanterns.observation import VIEW, observe
from lanterns_env.games.lanterns.rules import (
    DEDICATE,
    DISCARD,
    NO_TILE,
    PLACE,
    SKIP,
    final_round,
    placements_each,
    tokens_left,
)

WEIGHTS = weights_by_players("lanterns")
c_puct = 0.4
TEMPERATURE = 0.3  # of the prior, in honor
# What each of these is worth in the end, in honor, and how far the end lies from that: least squares on games of
# expert play, a row for every round that is left after the present one, the last row for all earlier ones.
PROSPECT, BOATS, NUMBER, TILE, MOVER, TURNS, PLATFORMS, SPREAD = range(8)
FITTED = np.array(
    [
        [  # 2 players
            [0.62, 0.09, 0.24, 0.17, 0.23, -0.62, 0.10, 1.8],
            [0.53, 0.14, 0.52, 0.26, 0.12, 0.75, 0.28, 2.0],
            [0.23, 0.12, 0.97, 0.28, -0.07, 1.14, 0.19, 2.4],
            [0.35, 0.14, 0.84, 0.21, 0.31, 1.21, 0.25, 2.6],
            [0.22, 0.09, 1.11, 0.28, -0.04, 1.43, 0.20, 3.0],
            [0.17, 0.09, 1.23, 0.25, 0.16, 1.48, 0.28, 3.2],
            [0.32, 0.05, 0.97, 0.23, 0.25, 1.45, 0.30, 3.2],
        ],
        [  # 3 players
            [0.52, 0.22, 0.48, 0.10, 0.37, -1.23, 0.22, 1.4],
            [0.45, 0.23, 0.65, 0.31, -0.04, 1.18, 0.12, 1.8],
            [0.30, 0.20, 0.88, 0.37, -0.29, 1.42, 0.19, 2.0],
            [0.31, 0.27, 0.91, 0.36, -0.31, 1.52, 0.16, 2.2],
            [0.25, 0.19, 1.11, 0.39, -0.47, 1.63, 0.19, 2.6],
            [0.29, 0.17, 1.10, 0.43, -0.57, 1.83, 0.15, 2.8],
            [0.32, 0.17, 1.06, 0.39, -0.31, 1.88, 0.13, 3.2],
        ],
        [  # 4 players
            [0.69, 0.20, 0.28, 0.09, 0.20, -1.80, 0.36, 1.4],
            [0.52, 0.27, 0.52, 0.30, -0.05, 1.85, 0.27, 1.8],
            [0.40, 0.26, 0.74, 0.45, -0.68, 2.11, 0.26, 2.2],
            [0.25, 0.25, 0.99, 0.46, -0.68, 2.20, 0.22, 2.6],
            [0.28, 0.16, 1.07, 0.52, -0.96, 2.57, 0.23, 3.2],
            [0.37, 0.09, 1.00, 0.47, -0.61, 2.39, 0.23, 3.6],
            [0.56, 0.07, 0.64, 0.39, -0.05, 2.14, 0.19, 3.6],
        ],
    ]
)
LAST_SPREAD = 1.0  # in the final round

SUPPLIES = record(  # of a state, under the names of a view
    ("num_players", np.int64),
    ("supply", np.int64, NUM_COLOURS),
    ("tokens_left", np.int64, NUM_KINDS),
)


# -- how a position stands --------------------------------------------------------------------------------------


@jit
def evaluate(state, values):
    """Shares of the win by the honor that everybody is expected to end with."""
    return fill_shares(state, values, np.zeros(1, SUPPLIES), np.zeros(1, OUTLOOK))


@jit
def fill_shares(state, values, supplies, outlooks):
    """The same.  (Arrays are handed on, for a record alone would outlive its memory.)"""
    n = int(state.num_players)
    take_stock(state, supplies[0])
    find_outlook(supplies[0], WEIGHTS[n], NO_SET, outlooks[0])
    fitted, spread = fitted_now(state)
    for seat in range(n):
        values[seat] = state.honor[seat] + expected_gain(state, seat, outlooks[0], fitted)
    softmax_win_shares(values, n, spread)
    return True


@jit
def fitted_now(state):
    """What counts in this round, and how open the game still is."""
    n = int(state.num_players)
    left = placements_each(state) - int(state.turn) // n
    fitted = FITTED[n - 2, min(max(left, 1), FITTED.shape[1]) - 1]
    return fitted, LAST_SPREAD if left == 0 else fitted[SPREAD]


@jit
def take_stock(state, supplies):
    supplies.num_players = state.num_players
    for colour in range(NUM_COLOURS):
        supplies.supply[colour] = state.supply[colour]
    for kind in range(NUM_KINDS):
        supplies.tokens_left[kind] = tokens_left(state, kind)


@jit
def expected_gain(state, seat, outlook, fitted):
    """The honor that a player's lanterns, favors and next tile will still bring."""
    turns = dedications_left(state, seat)
    if turns == 0:
        return 0.0
    if final_round(state):
        return best_set(state, state.lanterns[seat])
    lanterns, favors, mover = packed(state.lanterns[seat]), int(state.favors[seat]), seat == state.player
    now = expected_honor(outlook, lanterns, favors >= EXCHANGE_COST, turns)
    hope = fitted[PROSPECT] * now + fitted[BOATS] * favors + fitted[TURNS] * turns + fitted[MOVER] * mover
    hope += fitted[NUMBER] * state.lanterns[seat].sum()
    if not will_place(state, seat):
        return hope
    for position in range(HAND):
        tile = int(state.hands[seat, position])
        hope += fitted[PLATFORMS] * (tile != NO_TILE and PLATFORM[tile])
    if not mover:
        return hope
    gain = np.empty(NUM_COLOURS)
    for colour in range(NUM_COLOURS):
        more = expected_honor(outlook, lanterns + some(colour, 1), favors >= EXCHANGE_COST, turns) - now
        gain[colour] = more if state.supply[colour] > 0 else 0.0
    return hope + fitted[TILE] * best_tile(state, seat, gain, outlook.weights[FAVOR])


@jit
def will_place(state, seat):
    n = int(state.num_players)
    turn = int(state.turn) + (seat - int(state.player)) % n
    return turn < n * placements_each(state)


@jit
def best_tile(state, seat, gain, favor):
    """The most that a tile in hand brings its player where the lake is open."""
    best, chair = 0.0, int(state.chair[seat])
    for slot in range(NUM_SLOTS):
        if state.slot_open[slot] == 0:
            continue
        for position in range(HAND):
            tile = int(state.hands[seat, position])
            if tile == NO_TILE:
                continue
            for turn in range(4):
                total, matched = gain[TILES[tile, (turn + chair) & 3]], False
                for towards in range(4):
                    colour = int(TILES[tile, (turn + towards) & 3])
                    if state.touch[slot, towards] == colour + 1:
                        matched = True
                        total += gain[colour] + favor * state.touch_platform[slot, towards]
                if matched:
                    total += favor * PLATFORM[tile]
                best = max(best, total)
    return best


# -- the prior --------------------------------------------------------------------------------------------------


@jit
def prior(state, mask, weights):
    """Actions by the expert's worth of them."""
    if state.phase == DISCARD:
        prior_of_discards(state, mask, weights)
        return
    fill_worths(state, mask, weights, np.zeros(1, VIEW), np.zeros(1, OTHERS))
    best = -np.inf
    for action in range(len(mask)):
        if mask[action]:
            best = max(best, weights[action])
    for action in range(len(mask)):
        if mask[action]:
            weights[action] = np.exp((weights[action] - best) / TEMPERATURE)


@jit
def fill_worths(state, mask, worths, views, others):
    """What the expert of the player to move would make of every action."""
    observe(state, int(state.player), views[0])
    find_others(views[0], WEIGHTS[int(state.num_players)], others[0])
    if state.phase == PLACE:
        worths_of_places(views, others, np.zeros(1, LAKE), np.zeros(1, PROSPECTS), worths)
    else:
        worths_of_plans(views, mask, others, np.zeros(NO_SET + 1, PROSPECTS), np.zeros(KEPT, PLAN), worths)


@jit
def worths_of_plans(views, mask, all_others, prospects, plans, worths):
    """Exchanges with the best dedication after them, or dedications."""
    view, others = views[0], all_others[0]
    for kind in range(NO_SET + 1):
        look_ahead(view, WEIGHTS[int(view.num_players)], others, kind, prospects[kind])
    stock = stock_of(view)
    for action in range(len(mask)):
        if mask[action] == 0:
            continue
        clear_plans(plans)
        if view.phase == DEDICATE:
            handed, kind = set_of(action)
            consider(view, prospects, plans, dedicated(stock, handed), action, kind)
        else:
            after = stock
            if action != SKIP:
                give, take = exchange_of(action)
                after = exchanged(stock, give, take)
            consider_sets(view, prospects, plans, after, action, False)
        worths[action] = plans[0].worth


@jit
def worths_of_places(views, all_others, lakes, prospects, worths):
    view, others = views[0], all_others[0]
    look_ahead(view, WEIGHTS[int(view.num_players)], others, NO_SET, prospects[0])
    turn = Turn(view, prospects[0].own, prospects[0].theirs, others, lakes[0], stock_of(view))
    survey(turn)
    for action in placements(view):
        slot, position, side = place_of(action)
        worths[action] = worth_of_place(turn, slot, position, side)
