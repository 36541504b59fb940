"""What search is told of Lighthouse Architects: every position is judged by the best end of the turn that it allows.

The ends, and the look at the next turn after them, are those of expert play; who is to move judges by what he sees.
"""

import numpy as np

from lanterns_agents.expert import read_weights, vector_for, weights_file
from lanterns_agents.expert_lighthouse import first_of_best, judged
from lanterns_agents.lighthouse_ends import own_ends
from lanterns_agents.lighthouse_race import NOBODY, chance_to_win, laid_by, hand_of, in_piles, winner_of
from lanterns_agents.lighthouse_race import HAND_BITS, HANDS, LAID_BITS, PILES
from lanterns_agents.lighthouse_sight import BOUNDS, Sight, sight_of
from lanterns_agents.lighthouse_turn import SEEN
from lanterns_env.compile import jit
from lanterns_env.games.lighthouse.components import MAX_PLAYERS
from lanterns_env.games.lighthouse.encoding import VIEW, observe
from lanterns_env.games.lighthouse.rules import CLAIM, DECLINE, LAY, NUM_ACTIONS, legal

VECTORS = read_weights(weights_file("lighthouse"), BOUNDS)
WEIGHTS = np.array([vector_for(VECTORS, max(n, 2)) for n in range(MAX_PLAYERS + 1)])  # by number of players first
exploration = 0.5
TEMPERATURE = 0.05  # of the prior, in chances to win
LOOKED_AT = 3  # ends from which the next turn is searched
CERTAIN = 0.98  # no judgement before the end goes beyond
POWER = np.array([0.0, 0.0, 1.0, np.log2(3), 2.0])  # by number of players: makes a half, against each, a fair share
LEAST = 1e-4  # of a weight


@jit
def evaluate(state, values):
    """Shares of the win by the best end of the turn; the others share what is left by their places in the race."""
    if state.phase == CLAIM:
        return False
    n, seen = int(state.num_players), np.empty(SEEN, np.int64)
    weights, mask, sight = WEIGHTS[n], np.zeros(NUM_ACTIONS, np.int8), sight_by(state)
    legal(state, mask)
    ends = own_ends_by(state, mask, sight, weights, seen)
    left, owners = np.array([end.worth for end in ends]), sight.owners.copy()
    best, chosen = -np.inf, 0
    for _ in range(min(LOOKED_AT, len(ends))):
        k = first_of_best(left)
        left[k] = -np.inf
        worth = judged(ends[k], sight, owners, weights, seen)
        if worth > best:
            best, chosen = worth, k
    share_out(state, ends[chosen].race, best, values)
    return True


@jit
def view_by(state):
    views = np.empty(1, VIEW)
    observe(state, int(state.player), views[0])
    return views


@jit
def sight_by(state):
    sight = sight_of(view_by(state)[0], WEIGHTS[int(state.num_players)])
    return Sight(
        sight.num_players, sight.race, sight.owners, sight.loss, sight.held, sight.stands, sight.promise, 0
    )


@jit
def own_ends_by(state, mask, sight, weights, seen):
    return own_ends(view_by(state)[0], mask, sight, weights, seen)


@jit
def share_out(state, race, worth, values):
    n, mover = int(state.num_players), int(state.player)
    values[:] = 0
    if winner_of(race) == 0:
        values[mover] = 1
        return
    values[mover] = min(max(worth, 1 - CERTAIN), CERTAIN) ** POWER[n]
    total = 0.0
    for step in range(1, n):
        seat = (mover + step) % n
        values[seat] = 0.01 + chance_to_win(seen_from(race, step, n), n - step + 1 if step > 1 else 0, n) ** POWER[n]
        total += values[seat]
    for step in range(1, n):
        values[(mover + step) % n] *= (1 - values[mover]) / total


@jit
def seen_from(race, viewer, num_players):
    """The race with the players listed from another one on; nobody has won it."""
    turned = in_piles(race) << PILES
    for step in range(num_players):
        seat = (viewer + step) % num_players
        turned |= laid_by(race, seat) << (LAID_BITS * step)
        turned |= hand_of(race, seat) << (HANDS + HAND_BITS * step)
    return turned


@jit
def weigh(state, mask, weights):
    """By the best end of the turn that begins with an action."""
    weights[:] = 1
    if state.phase == CLAIM:
        return
    vector, seen = WEIGHTS[int(state.num_players)], np.empty(SEEN, np.int64)
    sight = sight_by(state)
    ends = own_ends_by(state, mask, sight, vector, seen)
    best, owners = np.full(len(mask), -1), sight.owners.copy()
    for k in range(len(ends)):
        first = ends[k].first
        if best[first] < 0 or ends[k].worth > ends[best[first]].worth:
            best[first] = k
    worths = np.full(len(mask), -np.inf)
    for action in range(len(mask)):
        if best[action] >= 0:
            worths[action] = judged(ends[best[action]], sight, owners, vector, seen)
    top = worths.max()
    for action in range(len(mask)):
        weights[action] = LEAST + np.exp((worths[action] - top) / TEMPERATURE)
