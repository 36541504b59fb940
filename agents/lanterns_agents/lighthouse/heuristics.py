"""Heuristics for search in Lighthouse Architects: a position is worth the best end of the turn that it allows.

The ends, and the look at the next turn after them, are those of expert play; who is to move knows what his view shows.
A claim is answered first, by a quick rule.
"""

import numpy as np

from lanterns_agents.lighthouse.evaluation import best_end, is_taken, worths_of_actions
from lanterns_agents.lighthouse.player_model import knowledge_of
from lanterns_agents.lighthouse.position import nearness
from lanterns_agents.lighthouse.quick_rollout import rollout
from lanterns_agents.lighthouse.race import (
    HAND_BITS,
    HANDS,
    LAID_BITS,
    PILES,
    chance_to_win,
    hand_of,
    in_piles,
    laid_by,
    winner_of,
)
from lanterns_agents.lighthouse.turn import (
    LAID,
    NEXT_PLAYERS,
    NOBODYS,
    SEEN,
    UNKNOWN,
    outlook,
    turn_from,
)
from lanterns_agents.lighthouse.turn_search import own_ends
from lanterns_agents.weights import weights_by_players
from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import NUM_CARDS
from lanterns_env.games.lighthouse.observation import VIEW, observe
from lanterns_env.games.lighthouse.rules import CLAIM, NUM_ACTIONS, legal
from lanterns_env.games.lighthouse.towers import IN_HAND

__all__ = ["c_puct", "evaluate", "prior", "rollout"]

WEIGHTS = weights_by_players("lighthouse")
c_puct = 0.4
POWER = 2  # of the chances of the others, before they are scaled
TEMPERATURE = 0.05  # of the prior, in chances to win
LOOKED_AT = 3  # ends from which the next turn is searched
LEAST = 1e-4  # of a weight

# What an end of the turn makes of the chance to win, in log odds: fitted to games between experts, by the number of
# players: of the race, of the own and the next player's nearness, of a turn that wins for him or gains so much.
RACE, NEAR, NEXT_NEAR, LOST, TAKEN, ALWAYS = range(6)
FITTED = np.array(
    [
        [0.0] * 6,
        [0.0] * 6,
        [0.83, 3.0, -5.3, -0.8, -1.15, 0.05],
        [0.65, 5.1, -0.6, -0.9, -2.0, -0.82],
        [0.41, 4.8, -1.5, -0.7, -1.1, -1.25],
    ]
)
SURE = 0.01  # a chance in the race is never nearer to 0 or 1


@jit
def evaluate(state, values):
    """Shares of the win by the best end of the turn; the others divide what is left by their places in the race."""
    if state.phase == CLAIM:
        return False
    n, seen = int(state.num_players), np.empty(SEEN, np.int64)
    weights, mask, knowledge = WEIGHTS[n], np.zeros(NUM_ACTIONS, np.int8), knowledge_of_player(state, int(state.player))
    legal(state, mask)
    ends = own_ends_by(state, mask, knowledge, weights, seen)
    if len(ends) == 0:
        return False
    end = ends[best_end(ends, knowledge, weights, seen, LOOKED_AT)]
    chance = 1.0 if winner_of(end.race) == 0 else chance_after(state, end, knowledge, weights, seen)
    fill_shares(state, end.race, chance, values)
    return True


@jit
def chance_after(state, end, knowledge, weights, seen):
    """The chance to win of who ends his turn so, the hand of the next player being known."""
    n = knowledge.num_players
    following = (int(state.player) + 1) % n
    theirs = knowledge_of_player(state, following)
    race = chance_to_win(end.race, 1, n)
    owners = owners_after(state, end, knowledge, following)
    worst = outlook(turn_from(end.board, end.harbour, end.doomed), end.race, owners, n, seen).worst
    fitted = FITTED[n]
    odds = fitted[ALWAYS] + fitted[RACE] * log_odds(race)
    odds += fitted[NEAR] * nearness(end.board, end.harbour, knowledge.promise)
    odds += fitted[NEXT_NEAR] * nearness(end.board, end.harbour, theirs.promise)
    odds += fitted[LOST] if worst < SURE else fitted[TAKEN] * max(0.0, race - worst)
    return 1 / (1 + np.exp(-odds))


@jit
def log_odds(chance):
    chance = min(max(chance, SURE), 1 - SURE)
    return np.log(chance / (1 - chance))


@jit
def owners_after(state, end, knowledge, following):
    """Whose the orders are, for the next turn."""
    owners = knowledge.owners.copy()
    for card in range(NUM_CARDS):
        owner = owners[card]
        if owner == UNKNOWN:
            owners[card] = NEXT_PLAYERS if int(state.place[card]) == IN_HAND + following else NOBODYS
        if is_taken(end, card, owner):
            owners[card] = LAID
    return owners


@jit
def knowledge_of_player(state, player):
    return knowledge_in(state, player, np.empty(1, VIEW))


@jit
def knowledge_in(state, player, views):
    """What a player knows.  (An array is handed on, for a record alone would outlive its memory.)"""
    observe(state, player, views[0])
    return knowledge_of(views[0], WEIGHTS[int(state.num_players)], 0)


@jit
def own_ends_by(state, mask, knowledge, weights, seen):
    return own_ends_in(state, mask, knowledge, weights, seen, np.empty(1, VIEW))


@jit
def own_ends_in(state, mask, knowledge, weights, seen, views):
    observe(state, int(state.player), views[0])
    return own_ends(views[0], mask, knowledge, weights, seen)


@jit
def fill_shares(state, race, chance, values):
    """The chance to win of who is to move; the rest for the others by their places in the race."""
    n, mover, total = int(state.num_players), int(state.player), 0.0
    values[:] = 0
    for step in range(1, n):
        seat = (mover + step) % n
        values[seat] = SURE + chance_to_win(seen_from(race, step, n), (n + 1 - step) % n, n) ** POWER
        total += values[seat]
    for step in range(1, n):
        values[(mover + step) % n] *= (1 - chance) / total
    values[mover] = chance


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
def prior(state, mask, weights):
    """By the best end of the turn that begins with an action."""
    weights[:] = 1
    if state.phase == CLAIM:
        return
    vector, seen = WEIGHTS[int(state.num_players)], np.empty(SEEN, np.int64)
    knowledge = knowledge_of_player(state, int(state.player))
    ends = own_ends_by(state, mask, knowledge, vector, seen)
    worths = worths_of_actions(ends, knowledge, vector, seen)
    top = worths.max()
    if top == -np.inf:
        return
    for action in range(NUM_ACTIONS):
        weights[action] = LEAST + np.exp((worths[action] - top) / TEMPERATURE)
