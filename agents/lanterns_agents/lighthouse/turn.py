"""Turns of Lighthouse Architects in a search: the stones after each step, and what the next turn could bring."""

from typing import NamedTuple

from lanterns_agents.lighthouse.race import after_capture, after_own, after_public, chance_to_win
from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import EMPTY, NO_COLOUR, NUM_ISLANDS
from lanterns_env.games.lighthouse.movement import (
    ALL_STACKS,
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
    turn_points,
    with_stack,
)

# Whose an order is for the viewer; LAID and more: it lies before this player and the next ones.
NOBODYS, OWN_ORDER, PUBLIC, NEXT_PLAYERS, UNKNOWN, LAID = range(6)
SEEN = 512  # places for positions met before; a power of two


class Turn(NamedTuple):
    """The stones, and how far the turn is."""

    board: int
    harbour: int
    points: int
    duty: bool
    doomed: bool  # the next tower will be demolished
    towers: int  # finished in this turn


class Reply(NamedTuple):
    """A position of the search of the next turn."""

    turn: Turn
    theirs: int  # the race if it is the turn of the next player
    ours: int  # the race if it is a turn of the viewer
    finished: int  # the orders of its towers, as bits


class Outlook(NamedTuple):
    """What the next turn can bring."""

    worst: float  # the viewer's chance to win after the best known turn of the next player
    hidden: int  # orders that the next player may hold and could finish, as bits
    best: float  # the viewer's chance after the best turn of his own, were it his again
    own: int  # orders that he could finish in it, as bits


# -- steps --------------------------------------------------------------------------------------------------


@jit
def turn_from(board, harbour, doomed):
    """A new turn."""
    points = turn_points(board)
    return Turn(board, harbour, points, step_cost(board, harbour, HARBOUR) <= points, doomed, 0)


@jit
def stepped(turn, source):
    """The turn after a step, and the island on which the stone has landed; a tower there is still to be settled."""
    board, harbour, duty = turn.board, turn.harbour, turn.duty
    island, cost = destination(board, source)
    colour = stone_at(board, harbour, source)
    if source == HARBOUR:
        harbour, duty = NO_COLOUR, False
    else:
        board = lifted(board, source)
    board = landed(board, colour, island)
    return Turn(board, harbour, turn.points - cost, duty, turn.doomed, turn.towers), island


@jit
def settled(turn, island, falls):
    """A finished tower stands or is demolished."""
    board = with_stack(turn.board, island, EMPTY) if falls or turn.doomed else turn.board
    return Turn(board, turn.harbour, turn.points, turn.duty, False, turn.towers + 1)


@jit
def going_on(turn):
    """Before the next step: the harbour stone may have become movable."""
    duty = turn.duty or step_cost(turn.board, turn.harbour, HARBOUR) <= turn.points
    return Turn(turn.board, turn.harbour, turn.points, duty, turn.doomed, turn.towers)


@jit
def may_end(turn):
    """Whether the movement may end here, after a step at least."""
    return not turn.duty and (turn.towers > 0 or not can_step(turn.board, turn.harbour, turn.points))


@jit
def folded(key):
    """The whole key in its last bits, to find a place by."""
    return key ^ (key >> 11) ^ (key >> 23) ^ (key >> 37) ^ (key >> 47)


@jit
def seen_before(turn, seen, mark=0):
    """Whether other steps have led to the same position and mark; notes it.  What is forgotten only costs time."""
    key = (turn.board & ALL_STACKS) | ((turn.harbour + 1) << 48) | (turn.points << 50) | (turn.towers << 53)
    key |= (int(turn.duty) << 56) | (int(turn.doomed) << 57) | (mark << 58)
    place = (folded(key) ^ mark) & (len(seen) - 1)
    if seen[place] == key:
        return True
    seen[place] = key
    return False


# -- the next turn ------------------------------------------------------------------------------------------


@jit
def outlook(turn, race, owners, num_players, seen):
    """What the next player can do with these stones, and what the viewer could."""
    seen[:] = -1
    after_next = 2 % num_players
    worst, best = chance_to_win(race, after_next, num_players), chance_to_win(race, 1, num_players)
    hidden, own = 0, 0
    nodes = [Reply(turn, race, race, 0)]
    while len(nodes) > 0:
        node = nodes.pop()
        for source in range(HARBOUR, NUM_ISLANDS):
            if step_cost(node.turn.board, node.turn.harbour, source) > node.turn.points:
                continue
            then, island = stepped(node.turn, source)
            reply = Reply(then, node.theirs, node.ours, node.finished)
            if is_tower(then.board, island):
                card = stack_on(then.board, island) - first_tower(then.board)
                reply = after_tower(reply, island, card, owners[card])
                if then.points > 0 or not then.duty:
                    worst = min(worst, chance_to_win(reply.theirs, after_next, num_players))
                    if owners[card] == UNKNOWN:
                        hidden |= 1 << card
                    if reply.ours != node.ours:
                        own |= 1 << card
                        best = max(best, chance_to_win(reply.ours, 1, num_players))
            if then.points > 0 and not seen_before(reply.turn, seen):
                nodes.append(Reply(going_on(reply.turn), reply.theirs, reply.ours, reply.finished))
    return Outlook(worst, hidden, best, own)


@jit
def after_tower(reply, island, card, owner):
    """A tower of the next turn: what it is for the next player, and what it would be for the viewer."""
    theirs, ours, bit = reply.theirs, reply.ours, 1 << card
    if reply.finished & bit:
        pass
    elif owner == PUBLIC:
        theirs, ours = after_public(theirs, 1), after_public(ours, 0)
    elif owner == OWN_ORDER:
        ours = after_own(ours, 0)
    elif owner == NEXT_PLAYERS:
        theirs = after_own(theirs, 1)
    elif owner >= LAID:
        holder = owner - LAID
        theirs = theirs if holder == 1 else after_capture(theirs, 1, holder)
        ours = ours if holder == 0 else after_capture(ours, 0, holder)
    return Reply(settled(reply.turn, island, owner == NOBODYS), theirs, ours, reply.finished | bit)
