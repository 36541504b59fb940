"""Expert play of Lighthouse Architects: the whole own turn is searched, and what the next turn could bring.

Every end of the own turn, the new harbour stone included, is judged by the race and by how near the stones are to
orders.  For the best of them all turns of the next player are tried too, and what the viewer could do were it his
turn again.
"""

import numpy as np

from lanterns_agents.lighthouse.greedy import NO_ACTION, any_action
from lanterns_agents.lighthouse.player_model import BOUNDS, CARE, CARE_HIDDEN, CHOICES, HOPE, NAMES, knowledge_of
from lanterns_agents.lighthouse.race import NOBODY, after_own, after_public, chance_to_win, race_of, winner_of
from lanterns_agents.lighthouse.turn import LAID, OWN_ORDER, PUBLIC, SEEN, outlook, turn_from
from lanterns_agents.lighthouse.turn_search import own_ends
from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import NUM_CARDS
from lanterns_env.games.lighthouse.rules import CLAIM, DECLINE, LAY, NUM_ACTIONS
from lanterns_env.games.lighthouse.towers import OTHERS_LAID, PUBLIC_ORDER

__all__ = ["BOUNDS", "NAMES", "choose_rows", "weigh_rows"]

LOOKED_AT = 12  # ends of the own turn from which the next turn is searched
NO_END = -1
SHARP = 0.02  # chances to win: an action worse by so much has a weight e times smaller
NOISE = 1e-9  # no better than this is no better: compiled or not, the same is chosen


@jit
def choose_rows(views, masks, weights, actions):
    seen = np.empty(SEEN, np.int64)
    for k in range(len(actions)):
        actions[k] = choose(views[k], masks[k], weights, seen)


@jit
def choose(view, mask, weights, seen):
    if view.phase == CLAIM:
        return choose_claim(view, mask)
    knowledge = knowledge_of(view, weights)
    ends = own_ends(view, mask, knowledge, weights, seen)
    return best_end(ends, knowledge, weights, seen) if len(ends) > 0 else any_action(mask)


@jit
def weigh_rows(views, masks, weights, logs):
    seen = np.empty(SEEN, np.int64)
    for k in range(len(logs)):
        weigh(views[k], masks[k], weights, seen, logs[k])


@jit
def weigh(view, mask, weights, seen, logs):
    """By the judgement of the best end that begins with each action."""
    logs[:] = -np.inf
    if view.phase == CLAIM:
        logs[choose_claim(view, mask)] = 0
        return
    knowledge = knowledge_of(view, weights)
    ends = own_ends(view, mask, knowledge, weights, seen, True)
    if len(ends) == 0:
        logs[any_action(mask)] = 0
        return
    worths = worths_of_actions(ends, knowledge, weights, seen)
    left, owners = np.array([end.worth for end in ends]), knowledge.owners.copy()
    for _ in range(min(LOOKED_AT, len(ends))):
        k = first_of_best(left)
        left[k] = -np.inf
        first = ends[k].first
        worths[first] = max(worths[first], judged(ends[k], knowledge, owners, weights, seen))
    logs[:] = (worths - worths.max()) / SHARP


# -- the judgement ------------------------------------------------------------------------------------------


@jit
def best_end(ends, knowledge, weights, seen):
    """The first action towards the best end, after a look at the next turn from the most promising ones."""
    left = np.array([end.worth for end in ends])
    owners = knowledge.owners.copy()
    best, action = -np.inf, NO_ACTION
    for _ in range(min(LOOKED_AT, len(ends))):
        k = first_of_best(left)
        left[k] = -np.inf
        worth = judged(ends[k], knowledge, owners, weights, seen)
        if worth > best + NOISE:
            best, action = worth, ends[k].first
    return action


@jit
def first_of_best(values):
    best = 0
    for k in range(1, len(values)):
        if values[k] > values[best] + NOISE:
            best = k
    return best


@jit
def judged(end, knowledge, owners, weights, seen):
    """An end of the own turn, less what the next player can do, and what the viewer can hope for."""
    if winner_of(end.race) != NOBODY:
        return end.worth
    for card in range(NUM_CARDS):
        owner = knowledge.owners[card]
        taken = (end.claimed >> card) & 1 == 1 and (owner in (OWN_ORDER, PUBLIC) or owner > LAID)
        owners[card] = LAID if taken else owner
    turn = turn_from(end.board, end.harbour, end.doomed)
    ahead = outlook(turn, end.race, owners, knowledge.num_players, seen)
    return end.worth - threat(end, ahead, knowledge, weights) + prospect(end, ahead, knowledge, weights)


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
def prospect(end, ahead, knowledge, weights):
    """What the viewer could do, were it his turn."""
    gain, orders = ahead.best - chance_to_win(end.race, 1, knowledge.num_players), 0
    for card in range(NUM_CARDS):
        orders += (ahead.own >> card) & 1
    return weights[HOPE] * gain + (weights[CHOICES] * gain * (orders - 1) if orders > 1 else 0.0)


@jit
def worths_of_actions(ends, knowledge, weights, seen):
    """The judgement of the most promising end that begins with each action."""
    best, owners = np.full(NUM_ACTIONS, NO_END), knowledge.owners.copy()
    for k in range(len(ends)):
        first = ends[k].first
        if best[first] == NO_END or ends[k].worth > ends[best[first]].worth + NOISE:
            best[first] = k
    worths = np.full(NUM_ACTIONS, -np.inf)
    for action in range(NUM_ACTIONS):
        if best[action] != NO_END:
            worths[action] = judged(ends[best[action]], knowledge, owners, weights, seen)
    return worths


# -- claims -------------------------------------------------------------------------------------------------


@jit
def choose_claim(view, mask):
    """Claim, unless that would end the game and lose it."""
    race = race_of(view)
    then = after_public(race, 0) if view.claim_case[PUBLIC_ORDER] == 1 else after_own(race, 0)
    action = LAY if view.claim_case[OTHERS_LAID] == 1 or then != race else DECLINE
    return action if mask[action] == 1 else any_action(mask)
