"""Expert play of Lanterns: exchange, dedication and placement are weighed together, from the view alone."""

import numpy as np

from lanterns_agents.lanterns.outlook import NO_SET, OTHERS, PROSPECTS, Stock, find_others, look_ahead, stock_of
from lanterns_agents.lanterns.placements import LAKE, Turn, best_place
from lanterns_agents.lanterns.plans import (
    KEPT,
    NO_PLAN,
    PLAN,
    clear_plans,
    consider_exchanges,
    consider_sets,
    honor_of,
)
from lanterns_agents.lanterns.values import least_missed
from lanterns_agents.ties import NOISE
from lanterns_env.engine.compile import jit
from lanterns_env.games.lanterns.components import NUM_KINDS
from lanterns_env.games.lanterns.rules import DEDICATE, DISCARD, DISCARDS, EXCHANGE, SKIP

FAR_BEHIND = 4.0  # honor: plans that are so much worse are not followed up


@jit
def choose_rows(views, masks, weights, actions):
    # Records live only as long as their arrays, so these are held here.
    others, lake = np.zeros(1, OTHERS), np.zeros(1, LAKE)
    prospects, plans = np.zeros(NUM_KINDS + 1, PROSPECTS), np.zeros(KEPT, PLAN)
    for k in range(len(actions)):
        actions[k] = choose(views[k], masks[k], weights, others[0], lake[0], prospects, plans)


@jit
def choose(view, mask, weights, others, lake, prospects, plans):
    stock = stock_of(view)
    find_others(view, weights, others)
    if view.phase == EXCHANGE or view.phase == DEDICATE:
        for kind in range(NUM_KINDS + 1):
            look_ahead(view, weights, others, kind, prospects[kind])
        clear_plans(plans)
        consider_sets(view, prospects, plans, stock, SKIP, view.phase == DEDICATE)
        if view.phase == EXCHANGE:
            consider_exchanges(view, mask, prospects, plans, stock)
        return best_plan(view, others, lake, prospects, plans, stock.turns)
    look_ahead(view, weights, others, NO_SET, prospects[NO_SET])
    own, theirs = prospects[NO_SET].own, prospects[NO_SET].theirs
    if view.phase == DISCARD:
        return DISCARDS + least_missed(own, stock.lanterns, stock.favors, stock.turns)
    return best_place(Turn(view, own, theirs, others, lake, stock))[1]


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
        now, stock = prospects[plan.kind], Stock(plan.lanterns, plan.favors, plan.supply, turns)
        placed, _ = best_place(Turn(view, now.own, now.theirs, others, lake, stock))
        worth = honor_of(view, plan.kind) + placed - now.rivals
        if worth > best + NOISE:
            best, action = worth, plan.action
    return action
