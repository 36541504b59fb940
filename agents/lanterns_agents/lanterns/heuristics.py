"""What search is to know of Lanterns beside its rules: the expert's judgement of lanterns, favors and placements."""

import numpy as np

from lanterns_agents.expert import weights_by_players
from lanterns_agents.lanterns.expert import (
    KEPT,
    NO_PLAN,
    NO_SET,
    PLAN,
    PROSPECTS,
    consider,
    consider_sets,
    look_ahead,
)
from lanterns_agents.lanterns.placements import LAKE, survey, worth_of_place
from lanterns_agents.lanterns.rough_values import best_set, dedications_left, weigh_discards
from lanterns_agents.lanterns.values import (
    OTHERS,
    OUTLOOK,
    look_out,
    look_round,
    packed,
    prospect,
    record,
    some,
    turns_left,
)
from lanterns_agents.lanterns.weights import FAVOR
from lanterns_agents.win_shares import softmax_win_shares
from lanterns_env.engine.compile import jit
from lanterns_env.games.lanterns.components import (
    EXCHANGE_COST,
    FOUR_OF_A_KIND,
    HAND,
    NUM_COLOURS,
    NUM_KINDS,
    PLACEMENTS,
    PLATFORM,
    SEVEN_DIFFERENT,
    THREE_PAIRS,
    TILES,
    TRIPLES,
)
from lanterns_env.games.lanterns.lake import NUM_SLOTS
from lanterns_env.games.lanterns.observation import VIEW, observe
from lanterns_env.games.lanterns.rules import (
    DEDICATE,
    DISCARD,
    FOURS,
    NO_TILE,
    PAIRS,
    PER_SLOT,
    PLACE,
    PLACES,
    SEVEN,
    SKIP,
    final_round,
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
    return judge(state, values, np.zeros(1, SUPPLIES), np.zeros(1, OUTLOOK))


@jit
def judge(state, values, supplies, outlooks):
    """The same.  (Arrays are handed on, for a record alone would outlive its memory.)"""
    n = int(state.num_players)
    take_stock(state, supplies[0])
    look_out(supplies[0], WEIGHTS[n], NO_SET, outlooks[0])
    fitted, spread = fitted_now(state)
    for seat in range(n):
        values[seat] = state.honor[seat] + hopes(state, seat, outlooks[0], fitted)
    softmax_win_shares(values, n, spread)
    return True


@jit
def fitted_now(state):
    """What counts in this round, and how open the game still is."""
    n = int(state.num_players)
    left = int(PLACEMENTS[n - 2]) - int(state.turn) // n
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
def hopes(state, seat, outlook, fitted):
    """The honor that a player's lanterns, favors and next tile will still bring."""
    turns = dedications_left(state, seat)
    if turns == 0:
        return 0.0
    if final_round(state):
        return best_set(state, state.lanterns[seat])
    lanterns, favors, mover = packed(state.lanterns[seat]), int(state.favors[seat]), seat == state.player
    now = prospect(outlook, lanterns, favors >= EXCHANGE_COST, turns)
    hope = fitted[PROSPECT] * now + fitted[BOATS] * favors + fitted[TURNS] * turns + fitted[MOVER] * mover
    hope += fitted[NUMBER] * state.lanterns[seat].sum()
    if not will_place(state, seat):
        return hope
    for position in range(HAND):
        tile = int(state.hand[seat, position])
        hope += fitted[PLATFORMS] * (tile != NO_TILE and PLATFORM[tile])
    if not mover:
        return hope
    gain = np.empty(NUM_COLOURS)
    for colour in range(NUM_COLOURS):
        more = prospect(outlook, lanterns + some(colour, 1), favors >= EXCHANGE_COST, turns) - now
        gain[colour] = more if state.supply[colour] > 0 else 0.0
    return hope + fitted[TILE] * best_tile(state, seat, gain, outlook.weights[FAVOR])


@jit
def will_place(state, seat):
    n = int(state.num_players)
    turn = int(state.turn) + (seat - int(state.player)) % n
    return turn < n * int(PLACEMENTS[n - 2])


@jit
def best_tile(state, seat, gain, favor):
    """The most that a tile in hand brings its player where the lake is open."""
    best, chair = 0.0, int(state.chair[seat])
    for slot in range(NUM_SLOTS):
        if state.slot_open[slot] == 0:
            continue
        for position in range(HAND):
            tile = int(state.hand[seat, position])
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


# -- prior --------------------------------------------------------------------------------------------------------


@jit
def prior(state, mask, weights):
    """The expert's worth of every action, turned into a prior."""
    if state.phase == DISCARD:
        weigh_discards(state, mask, weights)
        return
    weigh_seen(state, mask, weights, np.zeros(1, VIEW), np.zeros(1, OTHERS))
    best = -np.inf
    for action in range(len(mask)):
        if mask[action]:
            best = max(best, weights[action])
    for action in range(len(mask)):
        if mask[action]:
            weights[action] = np.exp((weights[action] - best) / TEMPERATURE)


@jit
def weigh_seen(state, mask, weights, views, others):
    """By what the player to move sees."""
    observe(state, int(state.player), views[0])
    look_round(views[0], WEIGHTS[int(state.num_players)], others[0])
    if state.phase == PLACE:
        worths_of_places(views, others, np.zeros(1, LAKE), np.zeros(1, PROSPECTS), weights)
    else:
        worths_of_plans(views, mask, others, np.zeros(NO_SET + 1, PROSPECTS), np.zeros(KEPT, PLAN), weights)


@jit
def worths_of_plans(views, mask, all_others, prospects, plans, worths):
    """Exchanges with the best dedication after them, or dedications."""
    view, others = views[0], all_others[0]
    for kind in range(NO_SET + 1):
        look_ahead(view, WEIGHTS[int(view.num_players)], others, kind, prospects[kind])
    lanterns, favors, supply = packed(view.lanterns[0]), int(view.favors[0]), packed(view.supply)
    turns = turns_left(view, 0)
    for action in range(len(mask)):
        if mask[action] == 0:
            continue
        for k in range(KEPT):
            plans[k].worth = NO_PLAN
        if view.phase == DEDICATE:
            handed, kind = set_of(action)
            consider(view, prospects, plans, lanterns - handed, favors, supply + handed, turns, action, kind)
        else:
            change, cost = exchange_of(action)
            left = favors - cost
            consider_sets(view, prospects, plans, lanterns + change, left, supply - change, turns, action, False)
        worths[action] = plans[0].worth


@jit
def set_of(action):
    """The lanterns of a dedication, and its kind."""
    if action == SKIP:
        return 0, NO_SET
    handed = 0
    if action < PAIRS:
        return some(action - FOURS, 4), FOUR_OF_A_KIND
    if action < SEVEN:
        for k in range(3):
            handed += some(int(TRIPLES[action - PAIRS, k]), 2)
        return handed, THREE_PAIRS
    for colour in range(NUM_COLOURS):
        handed += some(colour, 1)
    return handed, SEVEN_DIFFERENT


@jit
def exchange_of(action):
    """What an exchange changes about the lanterns, and what it costs."""
    if action == SKIP:
        return 0, 0
    give, take = action // (NUM_COLOURS - 1), action % (NUM_COLOURS - 1)
    return some(take + (take >= give), 1) - some(give, 1), EXCHANGE_COST


@jit
def worths_of_places(views, all_others, lakes, prospects, worths):
    view, others, lake = views[0], all_others[0], lakes[0]
    weights = WEIGHTS[int(view.num_players)]
    look_ahead(view, weights, others, NO_SET, prospects[0])
    own, theirs = prospects[0].own, prospects[0].theirs
    lanterns, favors, supply = packed(view.lanterns[0]), int(view.favors[0]), packed(view.supply)
    turns = turns_left(view, 0)
    survey(view, lake, own, theirs, others, lanterns, favors, supply, turns)
    for slot in range(NUM_SLOTS):
        for position in range(HAND):
            if view.slot_open[slot] == 0 or view.hand_tile[position] < 0:
                continue
            for side in range(4):
                worth = worth_of_place(view, lake, own, others, lanterns, favors, supply, turns, slot, position, side)
                worths[PLACES + PER_SLOT * slot + 4 * position + side] = worth
