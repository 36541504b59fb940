"""Actions of Lanterns as moves and as words, and why one is not allowed: all from the mover's view."""

import re
from typing import Any, NamedTuple

from lanterns_env.engine.game import ActionRange
from lanterns_env.engine.words import plain_words
from lanterns_env.games.lanterns.components import (
    COLOURS,
    EXCHANGE_COST,
    FOUR_OF_A_KIND,
    HAND,
    HAND_LIMIT,
    KINDS,
    NUM_COLOURS,
    SEVEN_DIFFERENT,
    THREE_PAIRS,
    TRIPLES,
)
from lanterns_env.games.lanterns.lake import NUM_SLOTS
from lanterns_env.games.lanterns.rules import (
    DEDICATE,
    DISCARD,
    DISCARDS,
    EXCHANGE,
    FOURS,
    NO_TILE,
    PAIRS,
    PER_SLOT,
    PLACE,
    PLACES,
    SEVEN,
    SKIP,
)

ACTIONS = (
    ActionRange(0, FOURS - 1, "exchange: `6 g + t - [t > g]`, give colour g, take colour t"),
    ActionRange(FOURS, PAIRS - 1, "dedicate four of colour 0..6"),
    ActionRange(PAIRS, SEVEN - 1, "dedicate three pairs: the colour triples in lexicographic order"),
    ActionRange(SEVEN, SEVEN, "dedicate seven different"),
    ActionRange(DISCARDS, PLACES - 1, "discard colour 0..6"),
    ActionRange(PLACES, SKIP - 1, "place: `92 + 12 slot + 4 position + side`, the printed side that faces the mover"),
    ActionRange(SKIP, SKIP, "skip the exchange or the dedication"),
)
STEPS = ("the exchange", "the dedication", "returning lanterns", "the placement")
SIDES = ("near", "left", "far", "right")  # of a tile, and of the table, as the viewer sees them


class Exchange(NamedTuple):
    give: int
    take: int


class Dedicate(NamedTuple):
    kind: int
    colours: tuple[int, ...]


class Discard(NamedTuple):
    colour: int


class Place(NamedTuple):
    slot: int
    position: int
    side: int  # the printed side that faces the mover


class Skip(NamedTuple):
    pass


Move = Exchange | Dedicate | Discard | Place | Skip


def move_of(action: int) -> Move:
    """An action number as a move."""
    if action < FOURS:
        give, take = divmod(action, NUM_COLOURS - 1)
        return Exchange(give, take + (take >= give))
    if action < PAIRS:
        return Dedicate(FOUR_OF_A_KIND, (action - FOURS,))
    if action < SEVEN:
        return Dedicate(THREE_PAIRS, tuple(int(colour) for colour in TRIPLES[action - PAIRS]))
    if action == SEVEN:
        return Dedicate(SEVEN_DIFFERENT, tuple(range(NUM_COLOURS)))
    if action < PLACES:
        return Discard(action - DISCARDS)
    if action == SKIP:
        return Skip()
    slot, rest = divmod(action - PLACES, PER_SLOT)
    return Place(slot, *divmod(rest, 4))


def action_of(move: Move) -> int:
    """A move as an action number."""
    match move:
        case Exchange(give, take):
            return (NUM_COLOURS - 1) * give + take - (take > give)
        case Dedicate(kind, colours) if kind == FOUR_OF_A_KIND:
            return FOURS + colours[0]
        case Dedicate(kind, colours) if kind == THREE_PAIRS:
            return PAIRS + int(TRIPLES.tolist().index(sorted(colours)))
        case Dedicate():
            return SEVEN
        case Discard(colour):
            return DISCARDS + colour
        case Place(slot, position, side):
            return PLACES + PER_SLOT * slot + 4 * position + side
        case Skip():
            return SKIP


# -- to words -------------------------------------------------------------------------------------------------


def describe(view: Any, action: int) -> str:
    """An action in the words of the game, for the player whose view it is."""
    match move_of(action):
        case Exchange(give, take):
            return f"exchange {COLOURS[give]} for {COLOURS[take]}"
        case Dedicate(kind, colours):
            named = "" if kind == SEVEN_DIFFERENT else ": " + ", ".join(COLOURS[colour] for colour in colours)
            return f"dedicate {KINDS[kind]}{named}"
        case Discard(colour):
            return f"discard {COLOURS[colour]}"
        case Skip():
            return "skip"
        case Place() as place:
            return describe_place(view, place)


def describe_place(view: Any, place: Place) -> str:
    """By tile, cell and colour; a slot or hand position that is empty is called by its number."""
    tile = int(view.hand_tile[place.position])
    if tile == NO_TILE or not view.slot_open[place.slot]:
        return f"place hand {place.position} on slot {place.slot}, side {place.side} facing me"
    x, y = int(view.slot_x[place.slot]), int(view.slot_y[place.slot])
    return f"place tile {tile} at ({x}, {y}), {side_name(view, place.position, place.side)} facing me"


def describe_to(views: Any, mover: int, listener: int, action: int) -> str:
    """A placement as it looks in the listener's drawing: the cell, and the colours on the four sides."""
    match move_of(action):
        case Place(slot, position, side):
            held, seen = views[mover], views[listener]
            turn = int(seen.side[(mover - listener) % seen.num_players])  # the side of the listener the mover sits on
            sides = [held.hand_sides[position][(side + d - turn) % 4] - 1 for d in range(4)]
            colours = ", ".join(f"{COLOURS[colour]} {where}" for colour, where in zip(sides, SIDES, strict=True))
            cell = f"({seen.slot_x[slot]}, {seen.slot_y[slot]})"
            return f"place tile {held.hand_tile[position]} at {cell}: {colours}"
    return describe(views[mover], action)


def side_name(view: Any, position: int, side: int) -> str:
    """A side by its colour, with its number if the tile shows the colour more than once."""
    sides = view.hand_sides[position].tolist()
    colour = COLOURS[sides[side] - 1]
    return colour if sides.count(sides[side]) == 1 else f"{colour} {side}"


def chapter(view: Any) -> str:
    """The turn and whose it is."""
    mover = (view.seat + view.to_move) % view.num_players
    return f"{'final ' if view.final_round else ''}turn {view.turn + 1}, player {mover}"


# -- from words -----------------------------------------------------------------------------------------------

COLOUR = "(" + "|".join(COLOURS) + ")"
FILLERS = {"at", "cell", "kind", "lantern", "lanterns", "of", "on", "to"}
PATTERNS = (
    (re.compile(rf"exchange {COLOUR} for {COLOUR}"), "exchange"),
    (re.compile(rf"dedicate 4 {COLOUR}"), "four"),
    (re.compile(rf"dedicate 3 pairs {COLOUR} {COLOUR} {COLOUR}"), "pairs"),
    (re.compile(r"dedicate 7 different"), "seven"),
    (re.compile(rf"(?:discard|return) {COLOUR}"), "discard"),
    (re.compile(r"skip(?: exchange| dedication)?"), "skip"),
    (re.compile(rf"place tile (\d+) (-?\d+) (-?\d+) {COLOUR}(?: ([0-3]))?(?: (?:side )?facing me)?"), "place"),
    (re.compile(r"place hand ([0-2]) slot (\d+) side ([0-3])(?: facing me)?"), "number"),
)


def parse(view: Any, words: str) -> int:
    """The action that words describe; ValueError says what was not understood."""
    text = plain_words(words, FILLERS)
    for pattern, kind in PATTERNS:
        found = pattern.fullmatch(text)
        if found:
            return action_of(parsed_move(view, kind, found.groups()))
    raise ValueError(
        f"not understood: {words!r}; say for instance 'exchange purple for red', 'dedicate three pairs: red, blue, "
        "white', 'dedicate seven different', 'discard red', 'place tile 32 at (2, -1), orange facing me' or 'skip'"
    )


def parsed_move(view: Any, kind: str, parts: tuple[str, ...]) -> Move:
    """The move of the words, its parts as the pattern found them."""
    if kind == "place":
        return parsed_place(view, parts)
    if kind == "number":
        position, slot, side = (int(part) for part in parts)
        if slot >= NUM_SLOTS:
            raise ValueError(f"there is no slot {slot}; slots are 0 to {NUM_SLOTS - 1}")
        return Place(slot, position, side)
    if kind == "skip":
        return Skip()
    colours = tuple(COLOURS.index(part) for part in parts)
    if len(set(colours)) < len(colours):
        raise ValueError(f"the colours must differ: {', '.join(parts)}")
    if kind == "exchange":
        return Exchange(*colours)
    if kind == "discard":
        return Discard(*colours)
    return Dedicate(("four", "pairs", "seven").index(kind), colours)


def parsed_place(view: Any, parts: tuple[str, ...]) -> Place:
    """Find tile, cell and side in the view."""
    tile, x, y = (int(part) for part in parts[:3])
    if tile not in view.hand_tile:
        held = ", ".join(str(t) for t in view.hand_tile if t != NO_TILE) or "none"
        raise ValueError(f"LA-14: tile {tile} is not in your hand; your tiles: {held}")
    position = view.hand_tile.tolist().index(tile)
    cells = [s for s in range(NUM_SLOTS) if view.slot_open[s] and (view.slot_x[s], view.slot_y[s]) == (x, y)]
    if not cells:
        raise ValueError(f"LA-14: ({x}, {y}) is not a free cell next to a tile")
    sides = [s for s in range(4) if view.hand_sides[position][s] == 1 + COLOURS.index(parts[3])]
    if parts[4] is not None:
        sides = [side for side in sides if side == int(parts[4])]
    if not sides:
        raise ValueError(f"LA-14: tile {tile} has no such side: {parts[3]} {parts[4] or ''}".rstrip())
    if len(sides) > 1:
        choices = " or ".join(f"{parts[3]} {side}" for side in sides)
        raise ValueError(f"tile {tile} has {len(sides)} sides of that colour: say {choices}")
    return Place(cells[0], position, sides[0])


# -- why not --------------------------------------------------------------------------------------------------


def why_illegal(view: Any, action: int) -> str | None:
    """The rule that forbids an action to the player whose view it is, None if it may be taken."""
    if view.over:
        return "LA-31: the game is over"
    match move_of(action):
        case Exchange(give, take):
            return why_no_exchange(view, give, take)
        case Dedicate(kind, colours):
            return why_no_dedication(view, kind, colours)
        case Discard(colour):
            return why_no_discard(view, colour)
        case Skip():
            skippable = view.phase in (EXCHANGE, DEDICATE)
            rule = "LA-13" if view.phase == DISCARD else "LA-14"
            return None if skippable else f"{rule}: {STEPS[view.phase]} cannot be skipped"
        case Place() as place:
            return why_no_place(view, place)


def why_no_exchange(view: Any, give: int, take: int) -> str | None:
    if view.favors[0] < EXCHANGE_COST:
        return f"LA-10: an exchange costs {EXCHANGE_COST} favors, you have {view.favors[0]}"
    if view.lanterns[0][give] == 0:
        return f"LA-10: you have no {COLOURS[give]} lantern to return"
    if view.supply[take] == 0:
        return f"LA-10: the {COLOURS[take]} stack is empty"
    if view.phase != EXCHANGE:
        return f"LA-10: an exchange is the first step of a turn, and only one; now it is {STEPS[view.phase]}"
    return None


def why_no_dedication(view: Any, kind: int, colours: tuple[int, ...]) -> str | None:
    needed = (4, 2, 1)[kind]
    for colour in colours:
        if view.lanterns[0][colour] < needed:
            held = view.lanterns[0][colour]
            return f"LA-11: {KINDS[kind]} takes {needed} {COLOURS[colour]}, you have {held}"
    if view.phase == EXCHANGE:
        return "LA-11: the dedication comes after the exchange: exchange, or skip it, first"
    if view.phase != DEDICATE:
        return f"LA-11: at most one dedication a turn, before the placement; now it is {STEPS[view.phase]}"
    return None


def why_no_discard(view: Any, colour: int) -> str | None:
    held = int(view.lanterns[0].sum())
    if view.final_round:
        return "LA-31: in the final turn no lanterns are returned, the hand limit belongs to placing"
    if held <= HAND_LIMIT:
        return f"LA-13: lanterns are returned only above {HAND_LIMIT}, you have {held}"
    if view.lanterns[0][colour] == 0:
        return f"LA-13: you have no {COLOURS[colour]} lantern to return"
    if view.phase != DISCARD:
        return f"LA-13: lanterns are returned just before the placement; now it is {STEPS[view.phase]}"
    return None


def why_no_place(view: Any, place: Place) -> str | None:
    if view.final_round:
        return "LA-31: in the final turn no tile is placed"
    if view.hand_tile[place.position] == NO_TILE:
        return f"LA-14: hand position {place.position} of 0 to {HAND - 1} holds no tile"
    if not view.slot_open[place.slot]:
        return f"LA-14: slot {place.slot} is not a free cell next to a tile"
    if view.phase == DISCARD:
        held = int(view.lanterns[0].sum())
        return f"LA-13: you hold {held} lanterns; return {held - HAND_LIMIT} before placing"
    if view.phase != PLACE:
        return f"LA-14: the placement is the last step of a turn; now it is {STEPS[view.phase]}, which you may skip"
    return None
