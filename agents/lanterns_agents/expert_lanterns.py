"""Expert play of Lanterns: exchange, dedication and placement are weighed together, from the view alone."""

from typing import Any, NamedTuple

import numpy as np

from lanterns_agents.lanterns_place import CLEARLY, best_place
from lanterns_agents.lanterns_worth import (
    BOUNDS,
    feared,
    holdings,
    least_missed,
    number_of,
    others_of,
    outlook_of,
    packed,
    size_of,
    some,
    trimmed,
    turns_left,
    value_of_token,
)
from lanterns_env.compile import jit
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


class Prospects(NamedTuple):
    """How all see the game after each kind of dedication, and after none."""

    others: Any
    theirs: Any  # four outlooks
    own: Any  # four outlooks
    rivals: Any  # float64[4]: what the others' holdings cost


class Plans(NamedTuple):
    """The best ways through exchange and dedication, the best first."""

    worth: Any  # float64[KEPT]
    action: Any  # int64[KEPT, ...]: the first action, and what the plan leads to
    lanterns: Any
    favors: Any
    supply: Any
    kind: Any


@jit
def choose_rows(views, masks, weights, actions):
    for k in range(len(actions)):
        actions[k] = choose(views[k], masks[k], weights)


@jit
def choose(view, mask, weights):
    lanterns, favors, supply = packed(view.lanterns[0]), int(view.favors[0]), packed(view.supply)
    turns = turns_left(view, 0)
    others = others_of(view, weights)
    if view.phase == EXCHANGE or view.phase == DEDICATE:
        prospects = prospects_of(view, weights, others)
        plans = no_plans()
        consider_sets(view, prospects, plans, lanterns, favors, supply, turns, SKIP, view.phase == DEDICATE)
        if view.phase == EXCHANGE:
            consider_exchanges(view, mask, prospects, plans, lanterns, favors, supply, turns)
        return best_plan(view, prospects, plans, turns)
    theirs = outlook_of(view, weights, NO_SET)
    own = feared(theirs, others)
    if view.phase == DISCARD:
        return DISCARDS + least_missed(own, lanterns, favors, turns)
    return best_place(view, own, theirs, others, lanterns, favors, supply, turns)[1]


@jit
def prospects_of(view, weights, others):
    theirs = (
        outlook_of(view, weights, FOUR_OF_A_KIND),
        outlook_of(view, weights, THREE_PAIRS),
        outlook_of(view, weights, SEVEN_DIFFERENT),
        outlook_of(view, weights, NO_SET),
    )
    own = (
        feared(theirs[0], others),
        feared(theirs[1], others),
        feared(theirs[2], others),
        feared(theirs[3], others),
    )
    rivals = np.zeros(NUM_KINDS + 1)
    for kind in range(NUM_KINDS + 1):
        for step in range(1, others.number + 1):
            held = holdings(theirs[kind], others.lanterns[step], others.favors[step], others.turns[step])
            rivals[kind] += others.weight[step] * held
    return Prospects(others, theirs, own, rivals)


# -- plans --------------------------------------------------------------------------------------------------


@jit
def no_plans():
    return Plans(
        np.full(KEPT, NO_PLAN),
        np.zeros(KEPT, np.int64),
        np.zeros(KEPT, np.int64),
        np.zeros(KEPT, np.int64),
        np.zeros(KEPT, np.int64),
        np.zeros(KEPT, np.int64),
    )


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
    outlook = prospects.own[kind]
    if turns > 0:
        lanterns = trimmed(outlook, lanterns, favors, turns)
    worth = honor_of(view, kind) + holdings(outlook, lanterns, favors, turns) - prospects.rivals[kind]
    worth += LANTERN_TIE * size_of(lanterns)
    place = KEPT
    while place > 0 and worth > plans.worth[place - 1] + CLEARLY:
        place -= 1
    if place == KEPT:
        return
    for k in range(KEPT - 1, place, -1):
        copy_plan(plans, k - 1, k)
    plans.worth[place], plans.action[place], plans.lanterns[place] = worth, action, lanterns
    plans.favors[place], plans.supply[place], plans.kind[place] = favors, supply, kind


@jit
def copy_plan(plans, source, target):
    plans.worth[target] = plans.worth[source]
    plans.action[target] = plans.action[source]
    plans.lanterns[target] = plans.lanterns[source]
    plans.favors[target] = plans.favors[source]
    plans.supply[target] = plans.supply[source]
    plans.kind[target] = plans.kind[source]


@jit
def honor_of(view, kind):
    return 0.0 if kind == NO_SET else value_of_token(view, kind, 0)


@jit
def best_plan(view, prospects, plans, turns):
    """The first action of the plan that is best with the placement that follows it."""
    if turns == 0 or plans.worth[1] < plans.worth[0] - FAR_BEHIND:
        return plans.action[0]
    best, action = NO_PLAN, plans.action[0]
    for k in range(KEPT):
        if plans.worth[k] < plans.worth[0] - FAR_BEHIND:
            break
        kind = plans.kind[k]
        own, theirs = prospects.own[kind], prospects.theirs[kind]
        lanterns, favors, supply = plans.lanterns[k], plans.favors[k], plans.supply[k]
        placed, _ = best_place(view, own, theirs, prospects.others, lanterns, favors, supply, turns)
        worth = honor_of(view, kind) + placed - prospects.rivals[kind]
        if worth > best + CLEARLY:
            best, action = worth, plans.action[k]
    return action
