"""The table of Lumen as stained glass: one view draws that player's eyes, the views of all the whole table.

Each player has a strip with its figures and its fan; the tricks and what is hidden stand beside them.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from lanterns_env.games.lumen.components import COLOURS, POINT_UNIT
from lanterns_env.games.lumen.draw_panes import PANE_WIDTH, frame, lit, spent, swatch, unlit
from lanterns_env.games.lumen.draw_text import (
    Card,
    all_colours,
    hand_of,
    heading,
    held_values,
    marks,
    seat_at,
    span,
    winner,
)
from lanterns_env.games.lumen.draw_tricks import (
    BOX,
    EDGE,
    LAST_MOVE,
    MARK,
    MUTED,
    SMALL,
    WORDS,
    Trick,
    badge,
    last_move,
    last_trick,
    on_the_table,
    tricks_of,
    unseen,
)
from lanterns_env.games.lumen.rules import BID
from lanterns_env.games.lumen.text import colour_in, hand_size
from lanterns_env.games.svg import Picture, Rectangle, Shape, Text

WALL = "#14151c"
WIDTH, HEIGHT = 1000.0, 692.0
STRIPS_TOP, STRIPS_BOTTOM, GAP = 44.0, 606.0, 6.0
STRIP_LEFT, STRIP_WIDTH = 10.0, 676.0
FAN_LEFT, FAN_STEP = 189.0, 49.2
OWN_HEIGHT = 150.0  # of the viewer's strip
SLOT_ROOM, CHANCE_ROOM = 22.0, 36.0  # of the lines below a fan
FIGURES = (("bid", 24.0), ("won", 64.0), ("total", 107.0), ("round", 153.0))
LEGEND_TOP = 626.0
LEGEND_STEP, NOTE_STEP = 24.0, 330.0
SWATCHES = (0, 165, 260, 375, 480)  # of the colours, from the left
SLOTS, CHANCES = "below a fan: slots", "below a slot: likeliest value, chance"


def picture(views: Sequence[Any]) -> Picture:
    """The hands as far as the viewers know them; tricks and figures as the first viewer sees them."""
    view = views[0]
    tricks = tricks_of(view)
    shapes: list[Shape] = [Text((STRIP_LEFT, 22), heading(view), 20, WORDS, "start", bold=True)]
    if len(views) == 1:
        shapes += one_players_eyes(view, tricks)
    else:
        shapes += whole_table(views, last_move(tricks))
    shapes += [*on_the_table(view, tricks), *last_trick(view, tricks), *unseen(views, STRIPS_BOTTOM)]
    return Picture(WIDTH, HEIGHT, [*shapes, *legend(views)], WALL)


def one_players_eyes(view: Any, tricks: list[Trick]) -> Iterator[Shape]:
    """The hands of the others in turn order, and the own fan at the bottom."""
    others = int(view.num_players) - 1
    height = (STRIPS_BOTTOM - OWN_HEIGHT - STRIPS_TOP) / others
    for step in range(1, others + 1):
        top = STRIPS_TOP + (step - 1) * height
        yield from strip(view, step, top, height - GAP)
        yield from hand(view, step, tricks, top + 8, height - GAP - 16)
    top = STRIPS_BOTTOM - OWN_HEIGHT
    yield from strip(view, 0, top, OWN_HEIGHT)
    room = SLOT_ROOM + (CHANCE_ROOM if view.belief.any() else 0)
    yield from fan(view, {}, last_of(last_move(tricks), 0), top + 8, OWN_HEIGHT - room - 16)


def whole_table(views: Sequence[Any], marked: tuple[int, Card] | None) -> Iterator[Shape]:
    """All fans, of which the others together see the values."""
    height = (STRIPS_BOTTOM - STRIPS_TOP) / len(views)
    for step, viewer in enumerate(views):
        top = STRIPS_TOP + step * height
        room = height - (GAP if step + 1 < len(views) else 0)
        yield from strip(views[0], step, top, room)
        yield from fan(viewer, held_values(views, viewer), last_of(marked, step), top + 7, room - SLOT_ROOM - 10)


def last_of(move: tuple[int, Card] | None, step: int) -> Card | None:
    """The card of the last move if it came from this player."""
    return move[1] if move is not None and move[0] == step else None


# -- players --------------------------------------------------------------------------------------------------


def strip(view: Any, step: int, top: float, height: float) -> Iterator[Shape]:
    """Name, bid, tricks won and points of a player; who is to move is framed."""
    wins = bool(view.over) and step == winner(view)
    line, width = (MARK, 3.0) if wins or (step == view.to_move and not view.over) else (EDGE, 1.0)
    yield Rectangle((STRIP_LEFT, top), STRIP_WIDTH, height, BOX, line, width, 8)
    middle = top + height / 2
    yield from badge(STRIP_LEFT + 22, middle - 28, seat_at(view, step))
    yield Text((STRIP_LEFT + 42, middle - 28), f"player {seat_at(view, step)}", 18, WORDS, "start", bold=True)
    yield Text(
        (STRIP_LEFT + 10, middle - 6), ", ".join(filter(None, [marks(view, step), "wins" * wins])), 14, MARK, "start"
    )
    bid = f"{view.bid[step]}{'+' if view.extra[step] else ''}" if view.has_bid[step] else "-"
    gained = f"{POINT_UNIT * int(view.last_score[step]):+}" if view.round_number > 1 or view.over else "-"
    numbers = (bid, str(view.tricks[step]), str(POINT_UNIT * int(view.total[step])), gained)
    for (name, left), words in zip(FIGURES, numbers, strict=True):
        yield Text((STRIP_LEFT + left, middle + 14), name, 14, MUTED)
        yield Text((STRIP_LEFT + left, middle + 34), words, 18, WORDS, bold=True)
    if step == last_bidder(view):
        yield Rectangle((STRIP_LEFT + 4, middle + 22), 40, 23, "none", LAST_MOVE, 2, 5)


def last_bidder(view: Any) -> int:
    """Who made the last move, if it was a bid, in turn order from the viewer; else -1."""
    before = int(view.to_move - 1) % int(view.num_players)
    return before if view.phase == BID and view.has_bid[before] else -1


# -- fans -----------------------------------------------------------------------------------------------------


def hand(view: Any, step: int, tricks: list[Trick], top: float, height: float) -> Iterator[Shape]:
    """The fan of another player: what is held, and grey what is remembered to have been played."""
    held = hand_of(view, step)
    played = [card for trick in tricks for player, card in trick if player == step]
    marked = last_of(last_move(tricks), step)
    for place, card in enumerate(sorted(held + played)):
        left = FAN_LEFT + place * FAN_STEP
        yield from (lit if card in held else spent)(left, top, height, card[0], str(card[1]))
        if card == marked:
            yield frame(left, top, height, LAST_MOVE)


def fan(view: Any, values: dict[int, int], marked: Card | None, top: float, height: float) -> Iterator[Shape]:
    """A fan by slots: values if they are given, else what they can be; grey cards have been played."""
    for slot in range(hand_size(view)):
        left, colour, value = FAN_LEFT + slot * FAN_STEP, colour_in(view, slot), int(view.slot_value[slot])
        if not view.held[slot]:
            yield from spent(left, top, height, colour, str(value or "-"))
        elif values:
            yield from lit(left, top, height, colour, str(values[slot]))
        else:
            yield from unlit(left, top, height, colour, span(view, slot))
        if (colour, value) == marked:
            yield frame(left, top, height, LAST_MOVE)
        below = left + PANE_WIDTH / 2, top + height + 13
        yield Text(below, str(slot), SMALL, MUTED)
        if view.held[slot] and not values and view.belief[slot].any():
            likeliest, chance = view.belief[slot].argmax() + 1, view.belief[slot].max()
            yield Text((below[0], below[1] + 19), str(likeliest), SMALL, WORDS, bold=True)
            yield Text((below[0], below[1] + 36), f"{chance}%", 14, WORDS)


def legend(views: Sequence[Any]) -> Iterator[Shape]:
    """What letters, figures and frames mean."""
    for colour in all_colours(views[0]):
        left, name = SWATCHES[colour], COLOURS[colour]
        yield from swatch(STRIP_LEFT + left, LEGEND_TOP, colour, 22)
        words = f"{name}, trump" if colour == 0 else name
        yield Text((STRIP_LEFT + left + 30, LEGEND_TOP), words, SMALL, WORDS, "start")
    alone = len(views) == 1
    below = CHANCES if alone and views[0].belief.any() else SLOTS
    notes = [
        *("grey: played", "white frame: last move", "gold frame: to move", "3+: a bid of 3 with the extra stone"),
        *("round: points of the round before", below, *(["own panes: lowest-highest value"] if alone else [])),
    ]
    for place, words in enumerate(notes, 2):
        line, column = divmod(place, 3)
        where = STRIP_LEFT + column * NOTE_STEP, LEGEND_TOP + line * LEGEND_STEP
        yield Text(where, words, SMALL, MUTED, "start")
