"""How good an end of the own turn is in Lighthouse Architects: with a look at the next turn, for expert and search.

An end is worth the viewer's chance to win, less what the next player can do about it, and something for what the
viewer could do were it his turn again.
"""

import numpy as np

from lanterns_agents.lighthouse.race import NOBODY, after_own, chance_to_win, winner_of
from lanterns_agents.lighthouse.turn import LAID, OWN_ORDER, PUBLIC, outlook, turn_from
from lanterns_agents.lighthouse.weights import CARE, CARE_HIDDEN, CHOICES, HOPE
from lanterns_agents.ties import NOISE, first_best
from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import NUM_CARDS
from lanterns_env.games.lighthouse.rules import NUM_ACTIONS

NO_END = -1


@jit
def best_end(ends, knowledge, weights, seen, most):
    """The place of the best end, after a look at the next turn from so many of the most promising ones."""
    left, owners = np.array([end.worth for end in ends]), knowledge.owners.copy()
    best, chosen = -np.inf, 0
    for _ in range(min(most, len(ends))):
        k = first_best(left)
        left[k] = -np.inf
        worth = evaluate_end(ends[k], knowledge, owners, weights, seen)
        if worth > best + NOISE:
            best, chosen = worth, k
    return chosen


@jit
def worths_of_actions(ends, knowledge, weights, seen):
    """The worth of the most promising end that begins with each action."""
    best, owners = np.full(NUM_ACTIONS, NO_END), knowledge.owners.copy()
    for k in range(len(ends)):
        first = ends[k].first
        if best[first] == NO_END or ends[k].worth > ends[best[first]].worth + NOISE:
            best[first] = k
    worths = np.full(NUM_ACTIONS, -np.inf)
    for action in range(NUM_ACTIONS):
        if best[action] != NO_END:
            worths[action] = evaluate_end(ends[best[action]], knowledge, owners, weights, seen)
    return worths


@jit
def evaluate_end(end, knowledge, owners, weights, seen):
    """The worth of one end; ``owners`` is overwritten."""
    if winner_of(end.race) != NOBODY:
        return end.worth
    for card in range(NUM_CARDS):
        owner = knowledge.owners[card]
        owners[card] = LAID if is_taken(end, card, owner) else owner
    turn = turn_from(end.board, end.harbour, end.doomed)
    ahead = outlook(turn, end.race, owners, knowledge.num_players, seen)
    return end.worth - threat(end, ahead, knowledge, weights) + opportunity(end, ahead, knowledge, weights)


@jit
def is_taken(end, card, owner):
    """Whether an order lies before the viewer since this turn."""
    return (end.claimed >> card) & 1 == 1 and (owner in (OWN_ORDER, PUBLIC) or owner > LAID)


@jit
def threat(end, ahead, knowledge, weights):
    """What the next player takes from the viewer's chance to win."""
    after_next = 2 % knowledge.num_players
    now = chance_to_win(end.race, after_next, knowledge.num_players)
    known, hidden = now - ahead.worst, now - chance_to_win(after_own(end.race, 1), after_next, knowledge.num_players)
    none = 1.0
    for card in range(NUM_CARDS):
        if (ahead.hidden >> card) & 1:
            none *= 1.0 - knowledge.held[card]
    return weights[CARE] * known + weights[CARE_HIDDEN] * (1.0 - none) * max(0.0, hidden - known)


@jit
def opportunity(end, ahead, knowledge, weights):
    """What the viewer could do, were it his turn."""
    gain, orders = ahead.best - chance_to_win(end.race, 1, knowledge.num_players), 0
    for card in range(NUM_CARDS):
        orders += (ahead.own >> card) & 1
    return weights[HOPE] * gain + (weights[CHOICES] * gain * (orders - 1) if orders > 1 else 0.0)
