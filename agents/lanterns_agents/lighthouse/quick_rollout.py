"""A quick policy for rollouts of Lighthouse Architects."""

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.engine.rng import below
from lanterns_env.games.lighthouse.components import MAX_PLAYERS, NUM_CARDS
from lanterns_env.games.lighthouse.movement import destination, first_tower, is_tower, landed, stack_on, stone_at
from lanterns_env.games.lighthouse.rules import CLAIM, DECLINE, LAY, MOVE, STOP
from lanterns_env.games.lighthouse.towers import (
    LAID,
    OTHERS_LAID,
    OTHERS_ORDER,
    OWN_ORDER,
    PILE,
    PUBLIC_ORDER,
    claim_case,
)
from lanterns_env.search.tree import rollout as random_rollout

OWN, PUBLIC, CAPTURED = 1.6, 1.0, 1.2  # what a tower that is finished brings, in laid orders
USELESS = -0.1  # a tower whose order nobody can lay


@jit
def rollout(state, mask, count, rng):
    """A step that finishes a tower for oneself, else any that finishes none for others."""
    if state.phase == CLAIM:
        return quick_claim(state, mask)
    if state.phase != MOVE:
        return random_rollout(state, mask, count, rng)
    best, ways, chosen = -np.inf, 0, STOP
    for action in range(STOP + 1):
        if mask[action] == 0:
            continue
        gain = gain_of_step(state, action - 1) if action < STOP else 0.0
        if gain > best:
            best, ways = gain, 0
        if gain == best:
            ways += 1
            if below(rng, ways) == 0:
                chosen = action
    return chosen


@jit
def gain_of_step(state, source):
    """What a step brings by the tower that it finishes, 0 if it finishes none."""
    board = int(state.board)
    island, _ = destination(board, source)
    after = landed(board, stone_at(board, int(state.harbour), source), island)
    if not is_tower(after, island):
        return 0.0
    card = stack_on(after, island) - first_tower(after)
    case = claim_case(state, card)
    if case == OWN_ORDER:
        return OWN
    if case == OTHERS_ORDER:
        return -OWN
    if case == PUBLIC_ORDER:
        return PUBLIC
    return CAPTURED if case == OTHERS_LAID else USELESS


@jit
def quick_claim(state, mask):
    """Lay the order if one can, unless that would end the game for somebody else."""
    if mask[LAY] == 0:
        return DECLINE
    seat, place = int(state.player), int(state.place[state.claim_card])
    ends = (place < LAID and state.hand_size[seat] == 1) or (place >= PILE and state.pile_size.sum() == 1)
    return LAY if not ends or leads(state, seat) else DECLINE


@jit
def leads(state, seat):
    """Whether one more order makes a player a winner."""
    laid = np.zeros(MAX_PLAYERS, np.int64)
    for card in range(NUM_CARDS):
        if LAID <= state.place[card] < PILE:
            laid[state.place[card] - LAID] += 1
    return laid[seat] + 1 >= laid.max()
