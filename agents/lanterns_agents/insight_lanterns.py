"""What search is to know of Lanterns beside its rules: the expert's judgement of lanterns, favors and placements."""

import numpy as np

from lanterns_agents.expert import read_weights, vector_for, weights_file
from lanterns_agents.expert_lanterns import NO_SET, PROSPECTS, look_ahead
from lanterns_agents.lanterns_place import LAKE, survey, worth_of_place
from lanterns_agents.lanterns_weights import BOUNDS
from lanterns_agents.lanterns_worth import OTHERS, OUTLOOK, holdings, look_out, look_round, packed, record, turns_left
from lanterns_env.compile import jit
from lanterns_env.games.lanterns import foresight
from lanterns_env.games.lanterns.components import HAND, MAX_PLAYERS, NUM_COLOURS, NUM_KINDS
from lanterns_env.games.lanterns.encoding import VIEW, observe
from lanterns_env.games.lanterns.lake import NUM_SLOTS
from lanterns_env.games.lanterns.rules import DEDICATE, PER_SLOT, PLACE, PLACES, final_round, tokens_left

VECTORS = read_weights(weights_file("lanterns"), BOUNDS)
WEIGHTS = np.array([vector_for(VECTORS, max(count, 2)) for count in range(MAX_PLAYERS + 1)])  # by number of players
exploration = 0.5
TEMPERATURE = 0.7  # of the prior, in honor
SPREAD, SPREAD_A_TURN = 1.2, 0.2  # of the final lead about the expected one: at the end, and for every turn before
TO_MOVE = 0.8  # honor: a dedication before the others

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
    """The honor that a player's lanterns and favors will still bring."""
    turns = foresight.dedications_left(state, seat)
    if turns > 0 and final_round(state):
        return foresight.best_set(state, state.lanterns[seat])
    hope = holdings(outlook, packed(state.lanterns[seat]), int(state.favors[seat]), turns)
    return hope + TO_MOVE * (seat == state.player and state.phase <= DEDICATE)


# -- first sight ------------------------------------------------------------------------------------------------


@jit
def weigh(state, mask, weights):
    """Placements by the expert's worth of them."""
    if state.phase != PLACE:
        foresight.weigh(state, mask, weights)
        return
    views, others, lake, prospects = np.zeros(1, VIEW), np.zeros(1, OTHERS), np.zeros(1, LAKE), np.zeros(1, PROSPECTS)
    observe(state, int(state.player), views[0])
    best = worths_of_places(views[0], others[0], lake[0], prospects[0], weights)
    for slot in range(NUM_SLOTS):
        if state.slot_open[slot]:
            first = PLACES + PER_SLOT * slot
            for action in range(first, first + PER_SLOT):
                weights[action] = np.exp((weights[action] - best) / TEMPERATURE)


@jit
def worths_of_places(view, others, lake, prospects, worths):
    """What the expert makes of every placement; the best."""
    weights = WEIGHTS[int(view.num_players)]
    look_round(view, weights, others)
    look_ahead(view, weights, others, NO_SET, prospects)
    own, theirs = prospects.own, prospects.theirs
    lanterns, favors, supply = packed(view.lanterns[0]), int(view.favors[0]), packed(view.supply)
    turns = turns_left(view, 0)
    survey(view, lake, own, theirs, others, lanterns, favors, supply, turns)
    best = -np.inf
    for slot in range(NUM_SLOTS):
        for position in range(HAND):
            if view.slot_open[slot] == 0 or view.hand_tile[position] < 0:
                continue
            for side in range(4):
                worth = worth_of_place(view, lake, own, others, lanterns, favors, supply, turns, slot, position, side)
                worths[PLACES + PER_SLOT * slot + 4 * position + side] = worth
                best = max(best, worth)
    return best
