"""Expert play of Lighthouse Architects: the whole own turn is searched, and what the next turn could bring.

Every end of the own turn, the new harbour stone included, is judged by the race and by how near the stones are to
orders.  For the best of them all turns of the next player are tried too, and all of the viewer's own after that as
if nothing had changed.
"""

from typing import NamedTuple

import numpy as np

from lanterns_agents.greedy_lighthouse import any_action, board_of, chance_held, harbour_of, nearness, points_of
from lanterns_agents.lighthouse_race import (
    NOBODY,
    after_capture,
    after_own,
    after_public,
    chance_to_win,
    hand_of,
    race_of,
    winner_of,
)
from lanterns_agents.lighthouse_turn import (
    LAID,
    NEXT_PLAYERS,
    NOBODYS,
    OWN_ORDER,
    PUBLIC,
    SEEN,
    UNKNOWN,
    Turn,
    going_on,
    may_end,
    outlook,
    seen_before,
    settled,
    stepped,
    turn_from,
)
from lanterns_env.compile import jit
from lanterns_env.games.lighthouse.components import (
    EMPTY,
    FIRST_TOWER,
    NO_COLOUR,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_ISLANDS,
    NUM_PILES,
    NUM_STACKS,
    STONES,
    TOWER,
    WITHOUT_TOP,
)
from lanterns_env.games.lighthouse.encoding import HIDDEN, LAID_BEFORE, ON_PILE, OWN_HAND
from lanterns_env.games.lighthouse.movement import HARBOUR, is_tower, stack_on, step_cost, with_stack
from lanterns_env.games.lighthouse.rules import CLAIM, DECLINE, LAY, MOVE, PLACES, STOP
from lanterns_env.games.lighthouse.towers import OTHERS_LAID, PUBLIC_ORDER

# What is tuned, with the range of each.
BOUNDS = {
    "near": (0.0, 1.5),  # weight of stones near to orders
    "near_public": (0.0, 1.5),  # of public orders beside own ones
    "near_laid": (0.0, 1.5),  # of orders laid before others
    "near_exposed": (-1.0, 1.0),  # of orders that others would lay or take from the viewer
    "height_1": (0.0, 0.3),  # of an island with one stone of an order
    "height_2": (0.0, 0.6),
    "height_3": (0.0, 1.0),
    "care": (0.0, 1.5),  # what the next player can surely win in his turn
    "care_hidden": (0.0, 1.5),  # what he may win if he holds the order
    "hope": (0.0, 1.5),  # what the viewer could win if it were his turn again
    "choices": (0.0, 0.5),  # every further order that he could finish then
}
NAMES = tuple(BOUNDS)
(
    NEAR,
    NEAR_PUBLIC,
    NEAR_LAID,
    NEAR_EXPOSED,
    HEIGHT_1,
    HEIGHT_2,
    HEIGHT_3,
    CARE,
    CARE_HIDDEN,
    HOPE,
    CHOICES,
) = range(len(NAMES))

NO_ACTION = -1
LIKELY = 0.5  # a tower whose order is held with less chance is taken to fall
LOOKED_AT = 12  # ends of the own turn from which the next turn is searched
NOISE = 1e-9  # no better than this is no better: compiled or not, the same is chosen
COLOUR_BITS = 5
COUNTS = STONES.sum(axis=1).astype(np.int64) @ (1 << COLOUR_BITS * np.arange(NUM_COLOURS))  # stones of each stack
ALL_STONES = 6 * (1 + (1 << COLOUR_BITS) + (1 << 2 * COLOUR_BITS))


class Sight(NamedTuple):
    """What the viewer knows, as the search needs it."""

    num_players: int
    race: int
    owners: np.ndarray  # [24] whose each order is
    loss: np.ndarray  # [24] what finishing a hidden tower costs on average
    held: np.ndarray  # [24] how likely the next player holds the order
    stands: int  # towers of hidden orders that more likely stand than fall, as bits
    promise: np.ndarray  # [stacks] what a stack promises


class Node(NamedTuple):
    """A position of the search of the own turn."""

    turn: Turn
    race: int
    claimed: int  # orders laid in the search, as bits
    lost: float  # by towers of hidden orders
    first: int  # the action that led here from the present position


class End(NamedTuple):
    """An end of the own turn."""

    board: int
    harbour: int
    doomed: bool
    race: int
    claimed: int
    worth: float
    first: int


@jit
def choose_rows(views, masks, weights, actions):
    seen = np.empty(SEEN, np.int64)
    for k in range(len(actions)):
        actions[k] = choose(views[k], masks[k], weights, seen)


@jit
def choose(view, mask, weights, seen):
    if view.phase == CLAIM:
        return choose_claim(view, mask)
    sight = sight_of(view, weights)
    ends = own_ends(view, mask, sight, weights, seen)
    return best_end(ends, sight, weights, seen) if len(ends) > 0 else any_action(mask)


# -- what the viewer knows ----------------------------------------------------------------------------------


@jit
def sight_of(view, weights):
    num_players, race = int(view.num_players), race_of(view)
    owners = np.empty(NUM_CARDS, np.int64)
    loss, held = np.zeros(NUM_CARDS), np.zeros(NUM_CARDS)
    stands = 0
    share = share_of_next(view)
    for card in range(NUM_CARDS):
        owners[card] = owner_of(view, card)
        if view.order[card, HIDDEN] == 1:
            chance = chance_held(view, card)
            stands |= int(chance >= LIKELY) << card
            if owners[card] == UNKNOWN:
                held[card] = chance * share
            loss[card] = chance * loss_by(view, race, card)
    promise = promises(owners, loss, race, num_players, weights)
    return Sight(num_players, race, owners, loss, held, stands, promise)


@jit
def owner_of(view, card):
    """Whose an order is, as far as the viewer knows."""
    if view.order[card, OWN_HAND] == 1:
        return OWN_ORDER
    if view.order[card, ON_PILE : ON_PILE + NUM_PILES].any():
        return PUBLIC
    for step in range(int(view.num_players)):
        if view.order[card, LAID_BEFORE + step] == 1:
            return LAID + step
    if view.proved_holder[1, card] == 1:
        return NEXT_PLAYERS
    if view.proved_buried[card] == 1:
        return NOBODYS
    elsewhere = view.proved_holder[:, card].any()
    return NOBODYS if elsewhere else UNKNOWN


@jit
def share_of_next(view):
    """How likely the next player is the one who holds an order that some other player holds."""
    room, all_room = int(view.hand_size[1]), int(view.hand_size[1:].sum())
    for card in range(NUM_CARDS):
        room -= int(view.proved_holder[1, card])
        for step in range(1, int(view.num_players)):
            all_room -= int(view.proved_holder[step, card])
    return room / all_room if all_room > 0 else 0.0


@jit
def loss_by(view, race, card):
    """What it costs on average that one of the others lays an order of his hand."""
    num_players = int(view.num_players)
    now, total, among = chance_to_win(race, 0, num_players), 0.0, 0
    for step in range(1, num_players):
        lost = now - chance_to_win(after_own(race, step), 0, num_players)
        if view.proved_holder[step, card] == 1:
            return lost
        total += lost * int(view.hand_size[step])
        among += int(view.hand_size[step])
    return total / among


@jit
def promises(owners, loss, race, num_players, weights):
    """For each stack: what the orders are worth that begin with it, more for a higher stack."""
    promise = np.zeros(NUM_STACKS)
    now = chance_to_win(race, 1, num_players)
    heights = (0.0, weights[HEIGHT_1], weights[HEIGHT_2], weights[HEIGHT_3])
    for card in range(NUM_CARDS):
        worth = promised(owners[card], loss[card], race, num_players, now, weights)
        stack = FIRST_TOWER + card
        promise[stack] = worth
        for missing in range(1, TOWER):
            stack = int(WITHOUT_TOP[stack])
            promise[stack] += worth * heights[TOWER - missing]
    return promise


@jit
def promised(owner, loss, race, num_players, now, weights):
    """What it is worth to come nearer to an order."""
    if owner == OWN_ORDER:
        return chance_to_win(after_own(race, 0), 1, num_players) - now
    if owner == PUBLIC:
        return weights[NEAR_PUBLIC] * (chance_to_win(after_public(race, 0), 1, num_players) - now)
    if owner == LAID:
        return -weights[NEAR_EXPOSED] * (now - chance_to_win(after_capture(race, 1, 0), 1, num_players))
    if owner > LAID:
        return weights[NEAR_LAID] * (chance_to_win(after_capture(race, 0, owner - LAID), 1, num_players) - now)
    return -weights[NEAR_EXPOSED] * loss


# -- the own turn -------------------------------------------------------------------------------------------


@jit
def own_ends(view, mask, sight, weights, seen):
    """All ends of the own turn from here."""
    ends = [End(0, 0, False, 0, 0, 0.0, 0)]
    ends.pop()
    board, harbour = board_of(view), harbour_of(view)
    turn = Turn(board, harbour, points_of(view), view.duty == 1, view.demolish_next == 1, 1 if view.built == 1 else 0)
    start = Node(turn, sight.race, 0, 0.0, NO_ACTION)
    if view.phase != MOVE:
        add_placements(ends, start, sight, weights)
        return ends
    seen[:] = -1
    if mask[STOP] == 1:
        add_ends(ends, Node(turn, sight.race, 0, 0.0, STOP), sight, weights)
    nodes = [start]
    while len(nodes) > 0:
        node = nodes.pop()
        for source in range(HARBOUR, NUM_ISLANDS):
            if not may_step(node, source, mask):
                continue
            then = after_step(node, source, sight)
            if seen_before(then.turn, seen) and winner_of(then.race) == NOBODY:
                continue
            if winner_of(then.race) != NOBODY or may_end(then.turn):
                add_ends(ends, then, sight, weights)
            if then.turn.points > 0 and winner_of(then.race) == NOBODY:
                nodes.append(then)
    return ends


@jit
def may_step(node, source, mask):
    """The mask knows about the first step; later ones must be paid for."""
    if node.first == NO_ACTION:
        return mask[1 + source] == 1
    return step_cost(node.turn.board, node.turn.harbour, source) <= node.turn.points


@jit
def after_step(node, source, sight):
    """The position after a step; a tower of a hidden order stands or falls as is likelier."""
    first = 1 + source if node.first == NO_ACTION else node.first
    turn, island = stepped(node.turn, source)
    race, claimed, lost = node.race, node.claimed, node.lost
    if is_tower(turn.board, island):
        card = stack_on(turn.board, island) - FIRST_TOWER
        bit = 1 << card
        falls = is_hidden(sight.owners[card]) and sight.stands & bit == 0
        if claimed & bit == 0:
            race, claimed = claimed_by_viewer(race, sight.owners[card]), claimed | bit
            lost += sight.loss[card]
        turn = settled(turn, island, falls)
    return Node(going_on(turn), race, claimed, lost, first)


@jit
def is_hidden(owner):
    return owner == NOBODYS or owner == UNKNOWN or owner == NEXT_PLAYERS


@jit
def claimed_by_viewer(race, owner):
    if owner == OWN_ORDER:
        return after_own(race, 0)
    if owner == PUBLIC:
        return after_public(race, 0)
    return after_capture(race, 0, owner - LAID) if owner > LAID else race


@jit
def add_ends(ends, node, sight, weights):
    """The ends of the turn once the movement is over: with each new stone in the harbour, if there is to be one."""
    if node.turn.harbour == NO_COLOUR and supply_of(node.turn) > 0 and winner_of(node.race) == NOBODY:
        add_placements(ends, node, sight, weights)
    else:
        ends.append(end_of(node, node.turn.board, node.turn.harbour, node.turn.doomed, node.first, sight, weights))


@jit
def add_placements(ends, node, sight, weights):
    supply, placing = supply_of(node.turn), node.first == NO_ACTION
    for colour in range(NUM_COLOURS):
        if (supply >> (COLOUR_BITS * colour)) & 31 == 0:
            continue
        board, doomed = node.turn.board, node.turn.doomed
        if supply == 1 << (COLOUR_BITS * colour):
            board, doomed = without_towers(board)
        first = PLACES + colour if placing else node.first
        ends.append(end_of(node, board, colour, doomed, first, sight, weights))


@jit
def end_of(node, board, harbour, doomed, first, sight, weights):
    worth = chance_to_win(node.race, 1, sight.num_players) - node.lost
    if winner_of(node.race) == NOBODY:
        worth += weights[NEAR] * nearness(board, harbour, sight.promise)
    return End(board, harbour, doomed, node.race, node.claimed, worth, first)


@jit
def supply_of(turn):
    """The stones that are not on the table, five bits a colour."""
    supply = ALL_STONES
    for island in range(NUM_ISLANDS):
        supply -= COUNTS[stack_on(turn.board, island)]
    return supply if turn.harbour == NO_COLOUR else supply - (1 << (COLOUR_BITS * turn.harbour))


@jit
def without_towers(board):
    """LH-50, LH-51: the supply is used up; whether the next tower will fall."""
    doomed = True
    for island in range(NUM_ISLANDS):
        if is_tower(board, island):
            board, doomed = with_stack(board, island, EMPTY), False
    return board, doomed


# -- the judgement ------------------------------------------------------------------------------------------


@jit
def best_end(ends, sight, weights, seen):
    """The first action towards the best end, after a look at the next turn from the most promising ones."""
    left = np.array([end.worth for end in ends])
    owners = sight.owners.copy()
    best, action = -np.inf, NO_ACTION
    for _ in range(min(LOOKED_AT, len(ends))):
        k = first_of_best(left)
        left[k] = -np.inf
        worth = judged(ends[k], sight, owners, weights, seen)
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
def judged(end, sight, owners, weights, seen):
    """An end of the own turn, less what the next player can do, and what the viewer can hope for."""
    if winner_of(end.race) != NOBODY:
        return end.worth
    for card in range(NUM_CARDS):
        owner = sight.owners[card]
        taken = (end.claimed >> card) & 1 == 1 and (owner == OWN_ORDER or owner == PUBLIC or owner > LAID)
        owners[card] = LAID if taken else owner
    turn = turn_from(end.board, end.harbour, end.doomed)
    ahead = outlook(turn, end.race, owners, sight.num_players, seen)
    return end.worth - threat(end, ahead, sight, weights) + prospect(end, ahead, sight, weights)


@jit
def threat(end, ahead, sight, weights):
    """What the next player takes from the viewer's chance to win."""
    after_next = 2 % sight.num_players
    now = chance_to_win(end.race, after_next, sight.num_players)
    known, hidden = now - ahead.worst, now - chance_to_win(after_own(end.race, 1), after_next, sight.num_players)
    none = 1.0
    for card in range(NUM_CARDS):
        if (ahead.hidden >> card) & 1:
            none *= 1.0 - sight.held[card]
    return weights[CARE] * known + weights[CARE_HIDDEN] * (1.0 - none) * max(0.0, hidden - known)


@jit
def prospect(end, ahead, sight, weights):
    """What the viewer could do, were it his turn."""
    gain, orders = ahead.best - chance_to_win(end.race, 1, sight.num_players), 0
    for card in range(NUM_CARDS):
        orders += (ahead.own >> card) & 1
    return weights[HOPE] * gain + (weights[CHOICES] * gain * (orders - 1) if orders > 1 else 0.0)


# -- claims -------------------------------------------------------------------------------------------------


@jit
def choose_claim(view, mask):
    """Claim, unless that would not be laid: it would end the game and lose it."""
    race = race_of(view)
    if view.claim_case[OTHERS_LAID] == 1:
        then = race + 1
    elif view.claim_case[PUBLIC_ORDER] == 1:
        then = after_public(race, 0)
    else:
        then = after_own(race, 0)
    action = LAY if then != race else DECLINE
    return action if mask[action] == 1 else any_action(mask)
