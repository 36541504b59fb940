"""What a player of Lanterns reckons with: what there is to go on with, what the others hold, what sets will score."""

from typing import NamedTuple

import numpy as np

from lanterns_agents.lanterns.values import (
    COLOUR,
    LANTERN_MISSING,
    MAX_OWN_TURNS,
    OUTLOOK,
    chance,
    measure,
    packed,
    record,
    worth_of_holdings,
)
from lanterns_agents.lanterns.weights import LATE, LEADER, NEAR_FOUR, NUM_WEIGHTS, OTHER, RACE, SCARCE
from lanterns_env.engine.compile import jit
from lanterns_env.games.lanterns.components import (
    GENERIC_VALUE,
    MAX_PLAYERS,
    NUM_COLOURS,
    NUM_KINDS,
    TOKEN_VALUES,
    TOKENS_IN_PILE,
)

LEAD = 10.0  # honor that makes a leader
NO_SET = NUM_KINDS  # nothing is dedicated

# The other players, in turn order from the viewer, who is left out.
OTHERS = record(
    ("number", np.int64),
    ("lanterns", np.int64, MAX_PLAYERS),
    ("favors", np.int64, MAX_PLAYERS),
    ("turns", np.int64, MAX_PLAYERS),  # dedications to come
    ("weight", np.float64, MAX_PLAYERS),
)
# How all see the game, by the kind whose token is taken now.
PROSPECTS = record(
    ("theirs", OUTLOOK),
    ("own", OUTLOOK),
    ("rivals", np.float64),  # what the others' holdings cost
)


class Stock(NamedTuple):
    """What a player has to go on with."""

    lanterns: int
    favors: int
    supply: int  # the lanterns that can still be taken
    turns: int  # dedications to come, this turn's not counted


@jit
def stock_of(view):
    favors = np.int64(view.favors[0])  # so that a stock has one type, wherever it comes from
    return Stock(packed(view.lanterns[0]), favors, packed(view.supply), turns_left(view, 0))


@jit
def look_ahead(view, weights, others, kind, prospect):
    """The prospect once the token of a kind (or none) has been taken."""
    find_outlook(view, weights, kind, prospect.theirs)
    find_outlook(view, weights, kind, prospect.own)
    discount_tokens(prospect.own, others)
    prospect.rivals = 0.0
    for step in range(1, others.number + 1):
        held = worth_of_holdings(prospect.theirs, others.lanterns[step], others.favors[step], others.turns[step])
        prospect.rivals += others.weight[step] * held


@jit
def find_others(view, weights, others):
    players = int(view.num_players)
    others.number = players - 1
    mean = 0.0
    for step in range(players):
        mean += int(view.honor[step]) / players
    for step in range(1, players):
        others.lanterns[step] = packed(view.lanterns[step])
        others.favors[step] = view.favors[step]
        others.turns[step] = turns_left(view, step)
        lead = max(-1.0, min(1.0, (int(view.honor[step]) - mean) / LEAD))
        others.weight[step] = weights[OTHER] * max(0.0, 1.0 + weights[LEADER] * lead)


@jit
def find_outlook(view, weights, taken, outlook):
    """As the next player to dedicate sees it, after a token of a kind (or none) has been taken."""
    for k in range(NUM_WEIGHTS):
        outlook.weights[k] = weights[k]
    for colour in range(NUM_COLOURS):
        more = weights[SCARCE] / (1.0 + 2.0 * int(view.supply[colour]))
        outlook.cost[colour] = int((1.0 + more) * (LANTERN_MISSING // (COLOUR + 1))) * (COLOUR + 1)
    for kind in range(NUM_KINDS):
        for turns in range(1, MAX_OWN_TURNS + 1):
            outlook.rate[turns, kind] = weights[NEAR_FOUR + kind] * (1.0 + weights[LATE] / turns) / LANTERN_MISSING
        gone = int(kind == taken)
        outlook.value[kind] = value_of_token(view, kind, gone)
        outlook.following[kind] = value_of_token(view, kind, gone + 1)


@jit
def value_of_token(view, kind, gone):
    """What a kind scores after so many more dedications."""
    left = int(view.tokens_left[kind]) - gone
    if left <= 0:
        return float(GENERIC_VALUE)
    size = int(view.num_players) - 2
    return float(TOKEN_VALUES[size, kind, int(TOKENS_IN_PILE[size]) - left])


@jit
def discount_tokens(outlook, others):
    """Tokens are worth less to the mover, when the others may take them first."""
    threat = np.zeros(NUM_KINDS)
    for step in range(1, others.number + 1):
        if others.turns[step] > 0:
            measure(outlook, 0, others.lanterns[step])
            for kind in range(NUM_KINDS):
                threat[kind] += chance(outlook, kind, outlook.far[0, kind], others.turns[step])
    for kind in range(NUM_KINDS):
        fall = outlook.value[kind] - outlook.following[kind]
        outlook.value[kind] -= outlook.weights[RACE] * fall * min(1.0, threat[kind])


@jit
def turns_left(view, step):
    """The dedications that a player has still to come, this turn's not counted."""
    players = int(view.num_players)
    seat = (int(view.seat) + step) % players
    begun = (int(view.turn) - seat + players) // players  # turns that have begun, this one included
    return placements_each(view) + 1 - begun


@jit
def placements_each(view):
    """How many tiles each player places in the whole game: those that lie there, and those still to come."""
    players, turn = int(view.num_players), int(view.turn)
    if view.final_round:
        return turn // players - int(view.over)
    coming = int(view.pile)
    for step in range(players):
        coming += int(view.hand_size[step])
    return (turn + coming) // players
