"""What search asks of Lighthouse Architects: what a move has shown, how a turn's start stands, quick play to it."""

import numpy as np

from lanterns_env.engine.rng import below
from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import (
    FIRST_TOWER,
    HAND,
    MAX_PLAYERS,
    NO_COLOUR,
    NO_STACK,
    NUM_CARDS,
    NUM_ISLANDS,
    NUM_PILES,
    NUM_STACKS,
    POINTS,
    TOWER,
    WITH_TOP,
    WITHOUT_TOP,
)
from lanterns_env.games.lighthouse.movement import (
    destination,
    is_tower,
    landed,
    stack_on,
    stone_at,
)
from lanterns_env.games.lighthouse.rules import CLAIM, DECLINE, LAY, MOVE, STOP
from lanterns_env.games.lighthouse.towers import (
    IN_HAND,
    LAID,
    OTHERS_LAID,
    OTHERS_ORDER,
    OWN_ORDER,
    PILE,
    PUBLIC_ORDER,
    claim_case,
    top_of_pile,
)
from lanterns_env.search.leads import share_by_leads

# What an order is worth to a player, in laid orders.
LAID_FROM_HAND = 0.6  # beside its point: it brings the end nearer
OWN, PUBLIC, CAPTURED = 1.6, 1.0, 1.2  # before its tower stands
NEARNESS = 0.25  # weight of progress
NEXT = 0.25  # more for who moves next
PER_HEIGHT = np.array([0.0, 0.05, 0.16, 0.45, 1.0])  # of a stack that is the bottom of an order
PER_WAY = np.array([0.0, 1.0, 0.8, 0.6, 0.4])  # by the steps that the next stone needs
SPREAD = 1.0  # of the final lead about the expected one, in laid orders

PHASE_BITS, SIZE_BITS, CARD_BITS, STONES_BITS = 2, 2, 5, 5  # of what a move has shown


# -- what a move has shown --------------------------------------------------------------------------------------


@jit
def shows(state):
    """What hidden orders tell by a move: whether one is asked for, whose it was, if its tower fell; the new tops."""
    shown = (int(state.over) << PHASE_BITS) | int(state.phase)
    for seat in range(MAX_PLAYERS):
        shown = (shown << SIZE_BITS) | int(state.hand_size[seat])
    for pile in range(NUM_PILES):
        shown = (shown << CARD_BITS) | (top_of_pile(state, pile) + 1)
    return (shown << STONES_BITS) | int(state.supply.sum())


# -- how a turn's start stands ----------------------------------------------------------------------------------


@jit
def evaluate(state, values):
    """Before a movement: shares of the win by orders laid, and how near others are."""
    if state.phase != MOVE or state.points != POINTS:
        return False
    n = int(state.num_players)
    values[:] = 0
    for card in range(NUM_CARDS):
        if LAID <= state.place[card] < PILE:
            values[state.place[card] - LAID] += 1
    promise = np.empty(NUM_STACKS)
    for seat in range(n):
        promises(state, seat, promise)
        values[seat] += LAID_FROM_HAND * (HAND - state.hand_size[seat])
        values[seat] += (NEARNESS + NEXT * (seat == state.player)) * nearness(state, promise)
    share_by_leads(values, n, SPREAD)
    return True


@jit
def worth_of_order(state, seat, card):
    """What the tower of an order would bring to a player."""
    place = int(state.place[card])
    if place < LAID:
        return OWN if place - IN_HAND == seat else 0.0
    if place < PILE:
        return CAPTURED if place - LAID != seat else 0.0
    return PUBLIC if top_of_pile(state, place - PILE) == card else 0.0


@jit
def promises(state, seat, promise):
    """For each stack what the orders are worth that begin with it, more for a higher stack."""
    promise[:] = 0.0
    for card in range(NUM_CARDS):
        worth = worth_of_order(state, seat, card)
        stack = FIRST_TOWER + card
        for height in range(TOWER, 0, -1):
            promise[stack] += worth * PER_HEIGHT[height]
            stack = int(WITHOUT_TOP[stack])


@jit
def nearness(state, promise):
    """What all islands promise, and the stones on their way to them."""
    board, harbour, total = int(state.board), int(state.harbour), 0.0
    for island in range(NUM_ISLANDS):
        stack = stack_on(board, island)
        if stack >= FIRST_TOWER:
            continue
        best = arrival(stack, harbour, island + 1, promise) if island < POINTS else 0.0
        for way in range(1, POINTS + 1):
            colour = stone_at(board, harbour, (island - way) % NUM_ISLANDS)
            best = max(best, arrival(stack, colour, way, promise))
        total += promise[stack] + best
    return total


@jit
def arrival(stack, colour, way, promise):
    """What a stone adds to a stack from some steps away."""
    if colour == NO_COLOUR:
        return 0.0
    higher = int(WITH_TOP[stack, colour])
    return 0.0 if higher == NO_STACK else PER_WAY[way] * (promise[higher] - promise[stack])


# -- quick play -------------------------------------------------------------------------------------------------


@jit
def rollout(state, mask, count, rng):
    """A step that finishes a tower for oneself, else any that finishes none for others."""
    if state.phase == CLAIM:
        return quick_claim(state, mask)
    if state.phase != MOVE:
        return nth_legal(mask, below(rng, count))
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
    card = stack_on(after, island) - FIRST_TOWER
    case = claim_case(state, card)
    if case == OWN_ORDER:
        return OWN
    if case == OTHERS_ORDER:
        return -OWN
    if case == PUBLIC_ORDER:
        return PUBLIC
    return CAPTURED if case == OTHERS_LAID else -0.1


@jit
def nth_legal(mask, number):
    for action in range(len(mask)):
        number -= mask[action]
        if number < 0:
            return action
    return -1


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
