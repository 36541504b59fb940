"""All ends of the own turn of Lighthouse Architects, the new harbour stone included."""

from typing import NamedTuple

from lanterns_agents.lighthouse.player_model import COLOUR_BITS, COUNTED
from lanterns_agents.lighthouse.position import NO_ACTION, board_of, harbour_of, nearness, points_of
from lanterns_agents.lighthouse.race import NOBODY, after_capture, after_own, after_public, chance_to_win, winner_of
from lanterns_agents.lighthouse.turn import (
    LAID,
    NEXT_PLAYERS,
    NOBODYS,
    OWN_ORDER,
    PUBLIC,
    UNKNOWN,
    Turn,
    going_on,
    may_end,
    seen_before,
    settled,
    stepped,
)
from lanterns_agents.lighthouse.weights import NEAR
from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import (
    EMPTY,
    NO_COLOUR,
    NUM_COLOURS,
    NUM_ISLANDS,
)
from lanterns_env.games.lighthouse.movement import HARBOUR, first_tower, is_tower, stack_on, step_cost, with_stack
from lanterns_env.games.lighthouse.rules import MOVE, PLACES, STOP

COLOUR = (1 << COLOUR_BITS) - 1
PRIME = 1009
MUCH = 0.3  # in chances to win


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
def own_ends(view, mask, knowledge, weights, seen, by_first=False):
    """All ends of the own turn from here; those that are the same only once, or once for each first action."""
    ends = [End(0, 0, False, 0, 0, 0.0, 0)]
    ends.pop()
    board, harbour = board_of(view), harbour_of(view)
    turn = Turn(board, harbour, points_of(view), view.duty == 1, view.demolish_next == 1, 1 if view.built == 1 else 0)
    start = Node(turn, knowledge.race, 0, 0.0, NO_ACTION)
    if view.phase != MOVE:
        add_placements(ends, start, knowledge, weights)
        return ends
    seen[:] = -1
    if mask[STOP] == 1:
        add_ends(ends, Node(turn, knowledge.race, 0, 0.0, STOP), knowledge, weights)
    nodes = [start]
    while len(nodes) > 0:
        node = nodes.pop()
        for source in range(HARBOUR, NUM_ISLANDS):
            if not may_step(node, source, mask):
                continue
            then = after_step(node, source, knowledge)
            if seen_before(then.turn, seen, 1 + then.first if by_first else 0) and winner_of(then.race) == NOBODY:
                continue
            if winner_of(then.race) != NOBODY or may_end(then.turn):
                add_ends(ends, then, knowledge, weights)
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
def after_step(node, source, knowledge):
    """The position after a step; a tower of a hidden order stands or falls as is likelier."""
    first = 1 + source if node.first == NO_ACTION else node.first
    turn, island = stepped(node.turn, source)
    race, claimed, lost = node.race, node.claimed, node.lost
    if is_tower(turn.board, island):
        card = stack_on(turn.board, island) - first_tower(turn.board)
        bit = 1 << card
        falls = is_hidden(knowledge.owners[card]) and knowledge.stands & bit == 0
        if claimed & bit == 0:
            race, claimed = claimed_by_viewer(race, knowledge.owners[card]), claimed | bit
            lost += knowledge.loss[card]
        turn = settled(turn, island, falls)
    return Node(going_on(turn), race, claimed, lost, first)


@jit
def is_hidden(owner):
    return owner in (NOBODYS, UNKNOWN, NEXT_PLAYERS)


@jit
def claimed_by_viewer(race, owner):
    if owner == OWN_ORDER:
        return after_own(race, 0)
    if owner == PUBLIC:
        return after_public(race, 0)
    return after_capture(race, 0, owner - LAID) if owner > LAID else race


@jit
def add_ends(ends, node, knowledge, weights):
    """The ends of the turn once the movement is over: with each new stone in the harbour, if there is to be one."""
    if node.turn.harbour == NO_COLOUR and supply_of(node.turn, knowledge.stones) > 0 and winner_of(node.race) == NOBODY:
        add_placements(ends, node, knowledge, weights)
    else:
        ends.append(end_of(node, node.turn.board, node.turn.harbour, node.turn.doomed, node.first, knowledge, weights))


@jit
def add_placements(ends, node, knowledge, weights):
    supply, placing = supply_of(node.turn, knowledge.stones), node.first == NO_ACTION
    for colour in range(NUM_COLOURS):
        if (supply >> (COLOUR_BITS * colour)) & COLOUR == 0:
            continue
        board, doomed = node.turn.board, node.turn.doomed
        if supply == 1 << (COLOUR_BITS * colour):
            board, doomed = without_towers(board)
        first = PLACES + colour if placing else node.first
        ends.append(end_of(node, board, colour, doomed, first, knowledge, weights))


@jit
def end_of(node, board, harbour, doomed, first, knowledge, weights):
    worth = chance_to_win(node.race, 1, knowledge.num_players) - node.lost
    if winner_of(node.race) == NOBODY:
        worth += weights[NEAR] * nearness(board, harbour, knowledge.promise) + disturbed(board, knowledge.disturbance)
    return End(board, harbour, doomed, node.race, node.claimed, worth, first)


@jit
def disturbed(board, disturbance):
    """A number for a board, without sense."""
    return MUCH * (board % PRIME * disturbance % PRIME) / PRIME


@jit
def supply_of(turn, stones):
    """Of so many stones those that are not on the table, five bits a colour."""
    supply = stones
    for island in range(NUM_ISLANDS):
        supply -= int(COUNTED[stack_on(turn.board, island)])
    return supply if turn.harbour == NO_COLOUR else supply - (1 << (COLOUR_BITS * turn.harbour))


@jit
def without_towers(board):
    """LH-50, LH-51: the supply is used up; whether the next tower will fall."""
    doomed = True
    for island in range(NUM_ISLANDS):
        if is_tower(board, island):
            board, doomed = with_stack(board, island, EMPTY), False
    return board, doomed
