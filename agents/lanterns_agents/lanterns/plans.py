"""Plans for a turn of Lanterns: the ways through exchange and dedication, and what each leads to."""

import numpy as np

from lanterns_agents.lanterns.outlook import NO_SET, Stock, value_of_token
from lanterns_agents.lanterns.values import number_of, record, size_of, some, trimmed, worth_of_holdings
from lanterns_agents.ties import NOISE
from lanterns_env.engine.compile import jit
from lanterns_env.games.lanterns.components import (
    EXCHANGE_COST,
    FOUR_OF_A_KIND,
    NUM_COLOURS,
    SEVEN_DIFFERENT,
    THREE_PAIRS,
    TRIPLES,
)
from lanterns_env.games.lanterns.rules import FOURS, PAIRS, SEVEN, SKIP

KEPT = 3  # plans that are followed up to the placement
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


@jit
def dedicated(stock, handed):
    """After these lanterns have gone back to the supply."""
    return Stock(stock.lanterns - handed, stock.favors, stock.supply + handed, stock.turns)


@jit
def exchanged(stock, give, take):
    change = some(take, 1) - some(give, 1)
    return Stock(stock.lanterns + change, stock.favors - EXCHANGE_COST, stock.supply - change, stock.turns)


# -- finding plans ------------------------------------------------------------------------------------------


@jit
def clear_plans(plans):
    for k in range(KEPT):
        plans[k].worth = NO_PLAN


@jit
def consider_exchanges(view, mask, prospects, plans, stock):
    """Every exchange, with every dedication after it (LA-10)."""
    for action in range(FOURS):
        if mask[action]:
            give, take = exchange_of(action)
            consider_sets(view, prospects, plans, exchanged(stock, give, take), action, False)


@jit
def consider_sets(view, prospects, plans, stock, action, by_set):
    """Every dedication of these lanterns and none; its first action is given, or the dedication itself."""
    consider(view, prospects, plans, stock, action, NO_SET)
    pairs, seven = 0, 0
    for colour in range(NUM_COLOURS):
        number = number_of(stock.lanterns, colour)
        pairs += number >= 2
        seven += some(colour, 1) * (number >= 1)
        if number >= 4:
            first = FOURS + colour if by_set else action
            consider(view, prospects, plans, dedicated(stock, some(colour, 4)), first, FOUR_OF_A_KIND)
    if pairs >= 3:
        consider_pairs(view, prospects, plans, stock, action, by_set)
    if size_of(seven) == NUM_COLOURS:
        first = SEVEN if by_set else action
        consider(view, prospects, plans, dedicated(stock, seven), first, SEVEN_DIFFERENT)


@jit
def consider_pairs(view, prospects, plans, stock, action, by_set):
    for triple in range(len(TRIPLES)):
        handed, held = 0, True
        for k in range(3):
            colour = int(TRIPLES[triple, k])
            held = held and number_of(stock.lanterns, colour) >= 2
            handed += some(colour, 2)
        if held:
            first = PAIRS + triple if by_set else action
            consider(view, prospects, plans, dedicated(stock, handed), first, THREE_PAIRS)


@jit
def consider(view, prospects, plans, stock, action, kind):
    """Keep a plan if it is among the best."""
    own, lanterns = prospects[kind].own, stock.lanterns
    if stock.turns > 0:
        lanterns = trimmed(own, lanterns, stock.favors, stock.turns)
    worth = honor_of(view, kind) + worth_of_holdings(own, lanterns, stock.favors, stock.turns) - prospects[kind].rivals
    worth += LANTERN_TIE * size_of(lanterns)
    place = KEPT
    while place > 0 and worth > plans[place - 1].worth + NOISE:
        place -= 1
        if place + 1 < KEPT:
            plans[place + 1] = plans[place]
    if place < KEPT:
        plan = plans[place]
        plan.worth, plan.action, plan.kind = worth, action, kind
        plan.lanterns, plan.favors, plan.supply = lanterns, stock.favors, stock.supply


@jit
def honor_of(view, kind):
    return 0.0 if kind == NO_SET else value_of_token(view, kind, 0)


# -- what actions stand for ---------------------------------------------------------------------------------


@jit
def exchange_of(action):
    """The colours that an exchange gives and takes."""
    give, take = action // (NUM_COLOURS - 1), action % (NUM_COLOURS - 1)
    return give, take + (take >= give)


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
