"""Expert play of Lighthouse Architects: the whole own turn is searched, and what the next turn could bring.

Every end of the own turn, the new harbour stone included, is evaluated by the race and by how near the stones are to
orders.  For the best of them all turns of the next player are tried too, and what the viewer could do were it his
turn again.
"""

import numpy as np

from lanterns_agents.lighthouse.evaluation import best_end, evaluate_end, worths_of_actions
from lanterns_agents.lighthouse.player_model import disturbance_of, knowledge_of
from lanterns_agents.lighthouse.position import any_action
from lanterns_agents.lighthouse.race import after_own, after_public, race_of
from lanterns_agents.lighthouse.turn import SEEN
from lanterns_agents.lighthouse.turn_search import own_ends
from lanterns_agents.ties import first_best
from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.rules import CLAIM, DECLINE, LAY
from lanterns_env.games.lighthouse.towers import OTHERS_LAID, PUBLIC_ORDER

LOOKED_AT = 12  # ends of the own turn from which the next turn is searched
SHARP = 0.02  # chances to win: an action worse by so much is e times less probable


@jit
def choose_rows(views, masks, weights, actions):
    seen = np.empty(SEEN, np.int64)
    for k in range(len(actions)):
        actions[k] = choose(views[k], masks[k], weights, seen)


@jit
def choose(view, mask, weights, seen):
    if view.phase == CLAIM:
        return choose_claim(view, mask)
    knowledge = knowledge_of(view, weights, disturbance_of(view))
    ends = own_ends(view, mask, knowledge, weights, seen)
    if len(ends) == 0:
        return any_action(mask)
    return ends[best_end(ends, knowledge, weights, seen, LOOKED_AT)].first


@jit
def logits_rows(views, masks, weights, logits):
    seen = np.empty(SEEN, np.int64)
    for k in range(len(logits)):
        fill_logits(views[k], masks[k], weights, seen, logits[k])


@jit
def fill_logits(view, mask, weights, seen, logits):
    """By the best end that begins with each action."""
    logits[:] = -np.inf
    if view.phase == CLAIM:
        logits[choose_claim(view, mask)] = 0
        return
    knowledge = knowledge_of(view, weights, disturbance_of(view))
    ends = own_ends(view, mask, knowledge, weights, seen, True)
    if len(ends) == 0:
        logits[any_action(mask)] = 0
        return
    worths = worths_of_actions(ends, knowledge, weights, seen)
    left, owners = np.array([end.worth for end in ends]), knowledge.owners.copy()
    for _ in range(min(LOOKED_AT, len(ends))):
        k = first_best(left)
        left[k] = -np.inf
        first = ends[k].first
        worths[first] = max(worths[first], evaluate_end(ends[k], knowledge, owners, weights, seen))
    logits[:] = (worths - worths.max()) / SHARP


@jit
def choose_claim(view, mask):
    """Claim, unless that would end the game and lose it."""
    race = race_of(view)
    then = after_public(race, 0) if view.claim_case[PUBLIC_ORDER] == 1 else after_own(race, 0)
    action = LAY if view.claim_case[OTHERS_LAID] == 1 or then != race else DECLINE
    return action if mask[action] == 1 else any_action(mask)
