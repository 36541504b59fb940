"""Actions of Lighthouse Architects as moves and as words, and why one is not allowed: all from the mover's view."""

import re
from typing import Any, NamedTuple

from lanterns_env.engine.game import ActionRange
from lanterns_env.engine.words import plain_words
from lanterns_env.games.lighthouse.components import (
    COLOURS,
    FIRST_OF_HEIGHT,
    NO_COLOUR,
    POINTS,
    STACKS,
)
from lanterns_env.games.lighthouse.movement import (
    HARBOUR,
    destination,
    empty_board,
    keeps_duty,
    step_cost,
    stone_at,
    with_stack,
)
from lanterns_env.games.lighthouse.observation import HIDDEN
from lanterns_env.games.lighthouse.rules import CLAIM, DECLINE, LAY, MOVE, PLACES, STOP

ACTIONS = (
    ActionRange(0, 0, "move the harbour stone"),
    ActionRange(1, STOP - 1, "move the top stone of island 1..8"),
    ActionRange(STOP, STOP, "stop, once a tower was finished in this turn"),
    ActionRange(PLACES, LAY - 1, "place a stone into the harbour: red, white, black"),
    ActionRange(LAY, LAY, "claim the order of a finished tower"),
    ActionRange(DECLINE, DECLINE, "decline it"),
)
LETTERS = "RWB"


class Step(NamedTuple):
    source: int  # an island 0..7, or HARBOUR


class Stop(NamedTuple):
    pass


class Place(NamedTuple):
    colour: int


class Claim(NamedTuple):
    pass


class Decline(NamedTuple):
    pass


Move = Step | Stop | Place | Claim | Decline


def move_of(action: int) -> Move:
    """An action number as a move."""
    if action < STOP:
        return Step(action - 1)
    if action == STOP:
        return Stop()
    if action < LAY:
        return Place(action - PLACES)
    return Claim() if action == LAY else Decline()


def action_of(move: Move) -> int:
    """A move as an action number."""
    match move:
        case Step(source):
            return 1 + source
        case Stop():
            return STOP
        case Place(colour):
            return PLACES + colour
        case Claim():
            return LAY
        case Decline():
            return DECLINE


# -- to words -------------------------------------------------------------------------------------------------


def describe(view: Any, action: int) -> str:
    """An action in the words of the game; the same words in every position."""
    match move_of(action):
        case Step(source):
            return "move the harbour stone" if source == HARBOUR else f"move the top of island {source + 1}"
        case Stop():
            return "stop"
        case Place(colour):
            return f"place {COLOURS[colour]}"
        case Claim():
            return "claim"
        case Decline():
            return "decline"


def describe_to(views: Any, mover: int, listener: int, action: int) -> str:
    """A claim by its order, which everybody sees as a tower."""
    words = describe(views[mover], action)
    return f"{words} the order {claimed_order(views[mover])}" if isinstance(move_of(action), Claim | Decline) else words


def letters(colours: Any) -> str:
    """A stack or an order by its colours, bottom first."""
    return "".join(LETTERS[colour] for colour in colours)


# -- from words -----------------------------------------------------------------------------------------------

FILLERS = {"from", "in", "into", "it", "of", "on", "order", "stone", "top"}
PATTERNS = (
    (re.compile(r"move (?:island|i)? ?(\d+)"), "island"),
    (re.compile(r"move harbou?r"), "harbour"),
    (re.compile(r"place (\w+)(?: harbou?r)?"), "place"),
    (re.compile(r"stop"), "stop"),
    (re.compile(r"claim"), "claim"),
    (re.compile(r"decline"), "decline"),
)


def parse(view: Any, words: str) -> int:
    """The action that words describe; ValueError says what was not understood."""
    text = plain_words(words, FILLERS)
    for pattern, kind in PATTERNS:
        found = pattern.fullmatch(text)
        if found:
            return action_of(parsed_move(view, kind, found.groups()))
    raise ValueError(
        f"not understood: {words!r}; say for instance 'move the top of island 4', 'move the harbour stone', "
        "'place red', 'claim', 'decline' or 'stop'"
    )


def parsed_move(view: Any, kind: str, parts: tuple[str, ...]) -> Move:
    """The move of the words, its parts as the pattern found them."""
    match kind:
        case "island":
            if not 1 <= int(parts[0]) <= islands_of(view):
                raise ValueError(f"there is no island {parts[0]}; islands are 1 to {islands_of(view)}")
            return Step(int(parts[0]) - 1)
        case "harbour":
            return Step(HARBOUR)
        case "place":
            if parts[0] not in COLOURS:
                raise ValueError(f"there is no colour {parts[0]!r}; colours are {', '.join(COLOURS)}")
            return Place(COLOURS.index(parts[0]))
        case "stop":
            return Stop()
        case "claim":
            return Claim()
        case _:
            return Decline()


# -- why not --------------------------------------------------------------------------------------------------


def why_illegal(view: Any, action: int) -> str | None:
    """The rule that forbids an action to the player whose view it is, None if it may be taken."""
    if view.over:
        return "LH-63: the game is over"
    match move_of(action):
        case Step(source):
            return why_no_step(view, source) if view.phase == MOVE else why_not_now(view, "LH-10: stones are moved")
        case Stop():
            return why_no_stop(view) if view.phase == MOVE else why_not_now(view, "LH-20: one stops")
        case Place(colour):
            return why_no_place(view, colour)
        case Claim() | Decline() if view.phase != CLAIM:
            return "LH-38: no tower waits for a claim"
        case Claim():
            return why_no_claim(view)
        case Decline():
            return None


def why_not_now(view: Any, what: str) -> str:
    if view.phase == CLAIM:
        return f"LH-38: claim or decline the order {claimed_order(view)} first"
    return f"{what} in the movement only; now a stone is placed into the harbour"


def why_no_step(view: Any, source: int) -> str | None:
    """LH-11..13, LH-23, with the numbers that do not fit."""
    if source >= islands_of(view):
        return f"LH-81: there is no island {source + 1}"
    board, harbour, points = board_of(view), harbour_of(view), points_of(view)
    colour = stone_at(board, harbour, source)
    if colour == NO_COLOUR:
        return "LH-11: the harbour is empty" if source == HARBOUR else f"LH-11: island {source + 1} is empty"
    island, cost = destination(board, source)
    if cost > points:
        over = f"{cost - 1} full island{'s' if cost > 2 else ''}"
        return f"LH-12: the step jumps {over} and costs {cost} points, you have {points}"
    if step_cost(board, harbour, source) > points:
        return f"LH-13: {COLOURS[colour]} may not land on {COLOURS[colour]}, the top of island {island + 1}"
    if source == HARBOUR or not view.duty or keeps_duty(board, harbour, source, points, bool(view.demolish_next)):
        return None
    return f"LH-23: with the {points - cost} points left then, the harbour stone might not get away in this turn"


def why_no_stop(view: Any) -> str | None:
    if not view.built:
        return f"LH-19: points must be used until a tower is finished; you have {points_of(view)}"
    return "LH-22: the harbour stone must be moved first" if view.duty else None


def why_no_place(view: Any, colour: int) -> str | None:
    if view.phase == CLAIM:
        return why_not_now(view, "")
    if view.phase == MOVE:
        return f"LH-25: a stone is placed when the movement is over; you have {points_of(view)} points"
    return None if view.supply[colour] > 0 else f"LH-25: the supply has no {COLOURS[colour]} stone"


def why_no_claim(view: Any) -> str | None:
    if view.order[view.claim_order.argmax(), HIDDEN] == 0:
        return None
    return f"LH-76: you do not hold the order {claimed_order(view)}, you can only decline"


def chapter(view: Any) -> str:
    """Whose turn it is: the next one is another player's."""
    return f"turn of player {(view.seat + int(view.builder.argmax())) % view.num_players}"


# -- reading a view -------------------------------------------------------------------------------------------


def islands_of(view: Any) -> int:
    """How many islands there are (LH-89)."""
    return sum(not bool(levels[0].all()) for levels in view.stones)


def height_of(view: Any) -> int:
    """How many stones are a tower (LH-89)."""
    return sum(not bool(level.all()) for level in view.stones[0])


def stack_of(view: Any, island: int) -> tuple[int, ...]:
    """The colours on an island, bottom first."""
    return tuple(int(level.argmax()) for level in view.stones[island] if level.sum() == 1)


def board_of(view: Any) -> int:
    """The board as the rules number it."""
    board: int = empty_board(islands_of(view), height_of(view), turn_points_of(view))
    for island in range(islands_of(view)):
        board = with_stack(board, island, STACKS.index(stack_of(view, island)))
    return board


def harbour_of(view: Any) -> int:
    return int(view.harbour.argmax()) if view.harbour.any() else NO_COLOUR


def points_of(view: Any) -> int:
    return int(view.points.argmax())


def order_of(view: Any, card: int) -> tuple[int, ...]:
    """The colours of an order, bottom first."""
    return STACKS[int(FIRST_OF_HEIGHT[height_of(view)]) + card]


def turn_points_of(view: Any) -> int:
    """The points of a whole turn (LH-89)."""
    return POINTS + 1 - int(view.points.sum())


def claimed_order(view: Any) -> str:
    return letters(order_of(view, int(view.claim_order.argmax())))
