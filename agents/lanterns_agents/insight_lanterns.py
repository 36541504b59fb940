"""What search is to know of Lanterns beside its rules: the expert's judgement of lanterns, favors and placements."""

import numpy as np

from lanterns_agents.expert import read_weights, vector_for, weights_file
from lanterns_agents.expert_lanterns import (
    KEPT,
    NO_PLAN,
    NO_SET,
    PLAN,
    PROSPECTS,
    consider,
    consider_sets,
    look_ahead,
)
from lanterns_agents.lanterns_place import LAKE, survey, worth_of_place
from lanterns_agents.lanterns_weights import BOUNDS, FAVOR
from lanterns_agents.lanterns_worth import (
    OTHERS,
    OUTLOOK,
    holdings,
    look_out,
    look_round,
    packed,
    record,
    some,
    turns_left,
)
from lanterns_env.compile import jit
from lanterns_env.games.lanterns import foresight
from lanterns_env.games.lanterns.components import (
    EXCHANGE_COST,
    FOUR_OF_A_KIND,
    HAND,
    MAX_PLAYERS,
    NUM_COLOURS,
    NUM_KINDS,
    PLACEMENTS,
    PLATFORM,
    SEVEN_DIFFERENT,
    THREE_PAIRS,
    TILES,
    TRIPLES,
)
from lanterns_env.games.lanterns.encoding import VIEW, observe
from lanterns_env.games.lanterns.lake import NUM_SLOTS
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

VECTORS = read_weights(weights_file("lanterns"), BOUNDS)
WEIGHTS = np.array([vector_for(VECTORS, max(count, 2)) for count in range(MAX_PLAYERS + 1)])  # by number of players
exploration = 0.2
TEMPERATURE = 0.3  # of the prior, in honor
SPREAD, SPREAD_A_TURN = 2.0, 0.3  # of the final lead about the expected one: at the end, and for every turn before
NEXT_TILE = np.array([1.0, 0.7, 0.6, 0.5])  # weight of the best next tile, by the turns until it is laid

SUPPLIES = record(  # of a state, under the names of a view
    ("num_players", np.int64),
    ("supply", np.int64, NUM_COLOURS),
    ("tokens_left", np.int64, NUM_KINDS),
)


# -- how a position stands --------------------------------------------------------------------------------------


@jit
def evaluate(state, values):
    """Shares of the win by the honor that everybody is expected to end with."""
    supplies, outlooks = np.zeros(1, SUPPLIES), np.zeros(1, OUTLOOK)
    n = int(state.num_players)
    take_stock(state, supplies[0])
    look_out(supplies[0], WEIGHTS[n], NO_SET, outlooks[0])
    values[:] = 0
    best, total = -np.inf, 0.0
    for seat in range(n):
        values[seat] = state.honor[seat] + hopes(state, seat, outlooks[0])
        best = max(best, values[seat])
    spread = SPREAD + SPREAD_A_TURN * foresight.dedications_left(state, 0)
    for seat in range(n):
        values[seat] = np.exp((values[seat] - best) / spread)
        total += values[seat]
    for seat in range(n):
        values[seat] /= total
    return True


@jit
def take_stock(state, supplies):
    supplies.num_players = state.num_players
    for colour in range(NUM_COLOURS):
        supplies.supply[colour] = state.supply[colour]
    for kind in range(NUM_KINDS):
        supplies.tokens_left[kind] = tokens_left(state, kind)


@jit
def hopes(state, seat, outlook):
    """The honor that a player's lanterns, favors and next tile will still bring."""
    turns = foresight.dedications_left(state, seat)
    lanterns, favors = packed(state.lanterns[seat]), int(state.favors[seat])
    if turns == 0:
        return 0.0
    if final_round(state):
        return foresight.best_set(state, state.lanterns[seat])
    now = holdings(outlook, lanterns, favors, turns)
    if not will_place(state, seat):
        return now
    gain = np.empty(NUM_COLOURS)
    for colour in range(NUM_COLOURS):
        more = holdings(outlook, lanterns + some(colour, 1), favors, turns) - now
        gain[colour] = more if state.supply[colour] > 0 else 0.0
    following = (seat - int(state.player)) % int(state.num_players)
    return now + NEXT_TILE[following] * best_tile(state, seat, gain, outlook.weights[FAVOR])


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


# -- first sight ------------------------------------------------------------------------------------------------


@jit
def weigh(state, mask, weights):
    """The expert's worth of every action, turned into a prior."""
    if state.phase == DISCARD:
        foresight.weigh(state, mask, weights)
        return
    views, others = np.zeros(1, VIEW), np.zeros(1, OTHERS)
    observe(state, int(state.player), views[0])
    look_round(views[0], WEIGHTS[int(state.num_players)], others[0])
    if state.phase == PLACE:
        lake, prospects = np.zeros(1, LAKE), np.zeros(1, PROSPECTS)
        worths_of_places(views[0], others[0], lake[0], prospects[0], weights)
    else:
        all_prospects, plans = np.zeros(NO_SET + 1, PROSPECTS), np.zeros(KEPT, PLAN)
        worths_of_plans(views[0], mask, others[0], all_prospects, plans, weights)
    best = -np.inf
    for action in range(len(mask)):
        if mask[action]:
            best = max(best, weights[action])
    for action in range(len(mask)):
        if mask[action]:
            weights[action] = np.exp((weights[action] - best) / TEMPERATURE)


@jit
def worths_of_plans(view, mask, others, prospects, plans, worths):
    """Exchanges with the best dedication after them, or dedications."""
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
def worths_of_places(view, others, lake, prospects, worths):
    weights = WEIGHTS[int(view.num_players)]
    look_ahead(view, weights, others, NO_SET, prospects)
    own, theirs = prospects.own, prospects.theirs
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
