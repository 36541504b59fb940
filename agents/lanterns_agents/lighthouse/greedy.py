"""Greedy play of Lighthouse Architects: the best rest of the own turn, from the view alone.

All sequences of steps are tried.  Each is worth the towers finished in it, and how near the stones then are to
towers whose orders the player could lay.
"""

from typing import NamedTuple

import numpy as np

from lanterns_agents.lighthouse.position import (
    LIKELY,
    NO_ACTION,
    add_promise,
    any_action,
    board_of,
    chance_held,
    harbour_of,
    in_play,
    nearness,
    points_of,
)
from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import (
    EMPTY,
    NO_COLOUR,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_ISLANDS,
    NUM_PILES,
    NUM_STACKS,
    STONES,
    TOWER,
)
from lanterns_env.games.lighthouse.movement import (
    HARBOUR,
    can_step,
    destination,
    first_tower,
    is_tower,
    landed,
    lifted,
    stack_on,
    step_cost,
    stone_at,
    with_stack,
)
from lanterns_env.games.lighthouse.observation import HIDDEN, LAID_BEFORE, ON_PILE, OWN_HAND
from lanterns_env.games.lighthouse.rules import CLAIM, DECLINE, LAY, MOVE, PLACES, STOP
from lanterns_env.games.lighthouse.towers import OTHERS_LAID, PUBLIC_ORDER

OWN = 2.5  # what an order from the own hand is worth: it also brings the end nearer
PUBLIC = 1.0
CAPTURED = 0.7  # less, or players take the same order from each other for ever
GIVEN = -1.2  # what an order is worth that another player lays
WIN = 100.0  # what the end of the game is worth to its winner
MOST_PROMISED = 3.0  # no order counts for more before its tower stands
NEED = 0.01  # weight of a stone that an order needs, at a placement
PER_HEIGHT = np.array([0.0, 0.05, 0.16, 0.4, 1.0])  # of a stack that is the bottom of an order


class Node(NamedTuple):
    """A position of the search."""

    board: int
    harbour: int
    points: int
    duty: bool
    doomed: bool  # the next tower will be demolished
    built: bool
    settled: int  # one bit for each order whose tower was finished in the search
    worth: float  # of the towers finished in the search
    first: int  # the action that led here from the present position


@jit
def choose_rows(views, masks, actions):
    for k in range(len(actions)):
        actions[k] = choose(views[k], masks[k])


@jit
def choose(view, mask):
    if view.phase == MOVE:
        return choose_step(view, mask)
    if view.phase == CLAIM:
        return choose_claim(view, mask)
    return choose_place(view, mask)


# -- reading the view ---------------------------------------------------------------------------------------


@jit
def most_laid(view, but):
    """The most orders before one player, not counting those of one of them."""
    most = 0
    for step in range(int(view.num_players)):
        if step != but:
            most = max(most, int(view.laid[step]))
    return most


@jit
def wins_by_ending(view, step):
    """Whether a player who ends the game by one more order wins it."""
    return int(view.laid[step]) + 1 >= most_laid(view, step)


@jit
def last_public(view):
    return int(view.pile_size[0]) + int(view.pile_size[1]) == 1


# -- what orders are worth ----------------------------------------------------------------------------------


@jit
def worth_of_orders(view):
    """What finishing the tower of each order is worth to the viewer."""
    worth = np.zeros(NUM_CARDS)
    for card in range(NUM_CARDS):
        if view.order[card, OWN_HAND] == 1:
            worth[card] = worth_of_laying(view, OWN, view.hand_size[0] == 1)
        elif view.order[card, HIDDEN] == 1:
            worth[card] = worth_of_hidden(view, card)
        elif view.order[card, LAID_BEFORE] == 0 and in_play(view, card):
            on_pile = view.order[card, ON_PILE : ON_PILE + NUM_PILES].any()
            worth[card] = worth_of_laying(view, PUBLIC, last_public(view)) if on_pile else CAPTURED
    return worth


@jit
def worth_of_laying(view, worth, ends):
    """An order that ends the game is worth the win; one that would lose it, nothing: it is not claimed."""
    if not ends:
        return worth
    return WIN if wins_by_ending(view, 0) else 0.0


@jit
def worth_of_hidden(view, card):
    """What others would lay costs, by how likely each of them holds it."""
    chance = chance_held(view, card)
    total, others = 0.0, int(view.hand_size.sum()) - int(view.hand_size[0])
    for step in range(1, int(view.num_players)):
        loss = -WIN if view.hand_size[step] == 1 and wins_by_ending(view, step) else GIVEN
        if view.proved_holder[step, card] == 1:
            return loss
        total += loss * chance * int(view.hand_size[step]) / others
    return total


@jit
def demolished_orders(view):
    """The orders whose towers will more likely fall than stand, as bits."""
    fallen = 0
    for card in range(NUM_CARDS):
        if not in_play(view, card) or (view.order[card, HIDDEN] == 1 and chance_held(view, card) < LIKELY):
            fallen |= 1 << card
    return fallen


# -- how near the towers are --------------------------------------------------------------------------------


@jit
def promises(worth, board):
    """For each stack: what the orders are worth that begin with it."""
    promise, first = np.zeros(NUM_STACKS), first_tower(board)
    for card in range(NUM_CARDS):
        promised = max(-MOST_PROMISED, min(MOST_PROMISED, worth[card]))
        add_promise(promise, first + card, promised, max(0.0, promised), PER_HEIGHT)
    return promise


# -- movement -----------------------------------------------------------------------------------------------


@jit
def choose_step(view, mask):
    """The first step of the best sequence; a list of positions, for a cached function cannot call itself."""
    worth, fallen = worth_of_orders(view), demolished_orders(view)
    open_nodes = [present(view)]
    promise = promises(worth, open_nodes[0].board)
    best, action = -np.inf, NO_ACTION
    if mask[STOP] == 1:
        best, action = nearness(open_nodes[0].board, open_nodes[0].harbour, promise), STOP
    while len(open_nodes) > 0:
        node = open_nodes.pop()
        if may_end(node):
            value = node.worth + nearness(node.board, node.harbour, promise)
            if value > best:
                best, action = value, node.first
        sources = [source for source in range(HARBOUR, NUM_ISLANDS) if may_step(node, source, mask)]
        open_nodes.extend([after_step(node, source, worth, fallen) for source in sources])
    return action if action != NO_ACTION else any_action(mask)


@jit
def present(view):
    """Where the search begins."""
    duty, doomed, built = view.duty == 1, view.demolish_next == 1, view.built == 1
    return Node(board_of(view), harbour_of(view), points_of(view), duty, doomed, built, 0, 0.0, NO_ACTION)


@jit
def may_step(node, source, mask):
    """The mask knows about the first step; later ones must be paid for, and nobody plays on after the end."""
    if node.first == NO_ACTION:
        return mask[1 + source] == 1
    if abs(node.worth) > WIN / 2:
        return False
    return step_cost(node.board, node.harbour, source) <= node.points


@jit
def after_step(node, source, worth, fallen):
    """The position after a step; a tower of a hidden order stands or falls as is likelier."""
    board, harbour, points = node.board, node.harbour, node.points
    duty, doomed, built, settled, gained = node.duty, node.doomed, node.built, node.settled, node.worth
    first = 1 + source if node.first == NO_ACTION else node.first
    island, cost = destination(board, source)
    colour = stone_at(board, harbour, source)
    if source == HARBOUR:
        harbour, duty = NO_COLOUR, False
    else:
        board = lifted(board, source)
    board = landed(board, colour, island)
    if is_tower(board, island):
        card = stack_on(board, island) - first_tower(board)
        bit = 1 << card
        gained += 0.0 if settled & bit else worth[card]
        if doomed or fallen & bit:
            board = with_stack(board, island, EMPTY)
        built, doomed, settled = True, False, settled | bit
    duty = duty or step_cost(board, harbour, HARBOUR) <= points - cost
    return Node(board, harbour, points - cost, duty, doomed, built, settled, gained, first)


@jit
def may_end(node):
    """Whether the movement may end here, after a step at least."""
    if node.first == NO_ACTION:
        return False
    if abs(node.worth) > WIN / 2:
        return True
    return not node.duty and (node.built or not can_step(node.board, node.harbour, node.points))


# -- placement and claim ------------------------------------------------------------------------------------


@jit
def choose_place(view, mask):
    """The colour that brings the viewer's orders nearest; of equal ones the one that they need most."""
    worth, board = worth_of_orders(view), board_of(view)
    promise = promises(worth, board)
    best, action = -np.inf, NO_ACTION
    for colour in range(NUM_COLOURS):
        if mask[PLACES + colour] == 0:
            continue
        value = nearness(board, colour, promise) + NEED * need_of(colour, worth, first_tower(board))
        if value > best:
            best, action = value, PLACES + colour
    return action


@jit
def need_of(colour, worth, first):
    """How many stones of a colour the viewer's orders have, by what they are worth."""
    need = 0.0
    for card in range(NUM_CARDS):
        for level in range(TOWER):
            if STONES[first + card, level, colour] == 1:
                need += max(0.0, min(MOST_PROMISED, worth[card]))
    return need


@jit
def choose_claim(view, mask):
    """Claim, unless that would end the game and lose it."""
    public = view.claim_case[PUBLIC_ORDER] == 1
    captured = view.claim_case[OTHERS_LAID] == 1
    ends = last_public(view) if public else not captured and view.hand_size[0] == 1
    action = DECLINE if ends and not wins_by_ending(view, 0) else LAY
    return action if mask[action] == 1 else any_action(mask)
