"""Expert play of Lanterns: exchange, dedication and placement are weighed together, from the view alone."""

import numpy as np

from lanterns_agents.lanterns.placements import CLEARLY, LAKE, best_place
from lanterns_agents.lanterns.values import (
    OTHERS,
    OUTLOOK,
    fear,
    holdings,
    least_missed,
    look_out,
    look_round,
    number_of,
    packed,
    record,
    size_of,
    some,
    trimmed,
    turns_left,
    value_of_token,
)
from lanterns_agents.lanterns.weights import BOUNDS
from lanterns_env.engine.compile import jit
from lanterns_env.games.lanterns.components import (
    EXCHANGE_COST,
    FOUR_OF_A_KIND,
    NUM_COLOURS,
    NUM_KINDS,
    SEVEN_DIFFERENT,
    THREE_PAIRS,
    TRIPLES,
)
from lanterns_env.games.lanterns.rules import DEDICATE, DISCARD, DISCARDS, EXCHANGE, FOURS, PAIRS, SEVEN, SKIP

__all__ = ["BOUNDS", "NAMES", "choose_rows"]
NAMES = tuple(BOUNDS)
NO_SET = NUM_KINDS  # nothing is dedicated
KEPT = 3  # plans that are followed up to the placement
FAR_BEHIND = 4.0  # honor: such plans are not
LANTERN_TIE = 1e-5  # a lantern after the last dedication: it may break a tie
NO_PLAN = -1e9


# The best ways through exchange and dedication, the best first.
PLAN = record(
    ("worth", np.float64),
    ("action", np.int64),  # the first
    ("lanterns", np.int64),  # what it leads to
    ("favors", np.int64),
    ("supply", np.int64),
    ("kind", np.int64),
)
# How all see the game, by the kind whose token is taken now.
PROSPECTS = record(
    ("theirs", OUTLOOK),
    ("own", OUTLOOK),
    ("rivals", np.float64),  # what the others' holdings cost
)


@jit
def choose_rows(views, masks, weights, actions):
    # Records live only as long as their arrays, so these are held here.
    others, lake = np.zeros(1, OTHERS), np.zeros(1, LAKE)
    prospects, plans = np.zeros(NUM_KINDS + 1, PROSPECTS), np.zeros(KEPT, PLAN)
    for k in range(len(actions)):
        actions[k] = choose(views[k], masks[k], weights, others[0], lake[0], prospects, plans)


@jit
def choose(view, mask, weights, others, lake, prospects, plans):
    lanterns, favors, supply = packed(view.lanterns[0]), int(view.favors[0]), packed(view.supply)
    turns = turns_left(view, 0)
    look_round(view, weights, others)
    if view.phase == EXCHANGE or view.phase == DEDICATE:
        for kind in range(NUM_KINDS + 1):
            look_ahead(view, weights, others, kind, prospects[kind])
        for k in range(KEPT):
            plans[k].worth = NO_PLAN
        consider_sets(view, prospects, plans, lanterns, favors, supply, turns, SKIP, view.phase == DEDICATE)
        if view.phase == EXCHANGE:
            consider_exchanges(view, mask, prospects, plans, lanterns, favors, supply, turns)
        return best_plan(view, others, lake, prospects, plans, turns)
    look_ahead(view, weights, others, NO_SET, prospects[NO_SET])
    own, theirs = prospects[NO_SET].own, prospects[NO_SET].theirs
    if view.phase == DISCARD:
        return DISCARDS + least_missed(own, lanterns, favors, turns)
    return best_place(view, lake, own, theirs, others, lanterns, favors, supply, turns)[1]


@jit
def look_ahead(view, weights, others, kind, prospect):
    look_out(view, weights, kind, prospect.theirs)
    look_out(view, weights, kind, prospect.own)
    fear(prospect.own, others)
    prospect.rivals = 0.0
    for step in range(1, others.number + 1):
        held = holdings(prospect.theirs, others.lanterns[step], others.favors[step], others.turns[step])
        prospect.rivals += others.weight[step] * held


# -- plans --------------------------------------------------------------------------------------------------


@jit
def consider_exchanges(view, mask, prospects, plans, lanterns, favors, supply, turns):
    """Every exchange, with every dedication after it (LA-10)."""
    for give in range(NUM_COLOURS):
        for take in range(NUM_COLOURS):
            action = (NUM_COLOURS - 1) * give + take - (take > give)
            if take == give or mask[action] == 0:
                continue
            change = some(take, 1) - some(give, 1)
            left = favors - EXCHANGE_COST
            consider_sets(view, prospects, plans, lanterns + change, left, supply - change, turns, action, False)


@jit
def consider_sets(view, prospects, plans, lanterns, favors, supply, turns, action, by_set):
    """Every dedication of these lanterns and none; its first action is given, or the dedication itself."""
    consider(view, prospects, plans, lanterns, favors, supply, turns, action, NO_SET)
    pairs, seven = 0, 0
    for colour in range(NUM_COLOURS):
        number = number_of(lanterns, colour)
        pairs += number >= 2
        seven += some(colour, 1) * (number >= 1)
        if number >= 4:
            handed = some(colour, 4)
            first = FOURS + colour if by_set else action
            consider(view, prospects, plans, lanterns - handed, favors, supply + handed, turns, first, FOUR_OF_A_KIND)
    if pairs >= 3:
        consider_pairs(view, prospects, plans, lanterns, favors, supply, turns, action, by_set)
    if size_of(seven) == NUM_COLOURS:
        first = SEVEN if by_set else action
        consider(view, prospects, plans, lanterns - seven, favors, supply + seven, turns, first, SEVEN_DIFFERENT)


@jit
def consider_pairs(view, prospects, plans, lanterns, favors, supply, turns, action, by_set):
    for triple in range(len(TRIPLES)):
        handed, held = 0, True
        for k in range(3):
            colour = int(TRIPLES[triple, k])
            held = held and number_of(lanterns, colour) >= 2
            handed += some(colour, 2)
        if held:
            first = PAIRS + triple if by_set else action
            consider(view, prospects, plans, lanterns - handed, favors, supply + handed, turns, first, THREE_PAIRS)


@jit
def consider(view, prospects, plans, lanterns, favors, supply, turns, action, kind):
    """Keep a plan if it is among the best."""
    own = prospects[kind].own
    if turns > 0:
        lanterns = trimmed(own, lanterns, favors, turns)
    worth = honor_of(view, kind) + holdings(own, lanterns, favors, turns) - prospects[kind].rivals
    worth += LANTERN_TIE * size_of(lanterns)
    place = KEPT
    while place > 0 and worth > plans[place - 1].worth + CLEARLY:
        place -= 1
        if place + 1 < KEPT:
            plans[place + 1] = plans[place]
    if place < KEPT:
        plan = plans[place]
        plan.worth, plan.action, plan.kind = worth, action, kind
        plan.lanterns, plan.favors, plan.supply = lanterns, favors, supply


@jit
def honor_of(view, kind):
    return 0.0 if kind == NO_SET else value_of_token(view, kind, 0)


@jit
def best_plan(view, others, lake, prospects, plans, turns):
    """The first action of the plan that is best with the placement that follows it."""
    if turns == 0 or plans[1].worth < plans[0].worth - FAR_BEHIND:
        return plans[0].action
    best, action = NO_PLAN, plans[0].action
    for k in range(KEPT):
        plan = plans[k]
        if plan.worth < plans[0].worth - FAR_BEHIND:
            break
        now = prospects[plan.kind]
        placed, _ = best_place(view, lake, now.own, now.theirs, others, plan.lanterns, plan.favors, plan.supply, turns)
        worth = honor_of(view, plan.kind) + placed - now.rivals
        if worth > best + CLEARLY:
            best, action = worth, plan.action
    return action
