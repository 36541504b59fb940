"""The table of Lumen as shapes: one view draws that player's eyes, the views of all the whole table."""

from collections.abc import Iterator, Sequence
from typing import Any

from lanterns_env.games.lumen.components import COLOURS, HAND, POINT_UNIT
from lanterns_env.games.lumen.draw_text import LETTERS, all_values, hand_of, heading, held_values, marks, seat_at, span
from lanterns_env.games.lumen.text import colour_in
from lanterns_env.games.svg import Picture, Rectangle, Shape, Text

FILLS = ("#f6c945", "#d1344b", "#2e9e5b", "#2471c8", "#8e44ad")
SIGNS = ("#222222", "#ffffff", "#ffffff", "#ffffff", "#ffffff")  # letters on the fills
EDGE, GREY, FAINT, MARK = "#37474f", "#5f6b73", "#e4e0d6", "#b3541e"

WIDTH, HEIGHT = 1000.0, 860.0
MARGIN, TOP = 10.0, 44.0
PLAYER_WIDTH, PLAYER_HEIGHT = 560.0, 34.0
TRICK_LEFT, TRICK_STEP = 600.0, 78.0
CARD_WIDTH, CARD_HEIGHT = 40.0, 54.0
FANS_TOP, FAN_HEIGHT, FAN_LEFT, FAN_STEP = 250.0, 88.0, 150.0, 82.0
UNSEEN_TOP, UNSEEN_STEP = 712.0, 24.0


def picture(views: Sequence[Any]) -> Picture:
    """Players and trick as the first viewer sees them, the hands, and what is in view of nobody drawn."""
    view = views[0]
    shapes: list[Shape] = [Text((MARGIN, 20), heading(view), 17, anchor="start", bold=True)]
    shapes += [*players(view), *trick(view)]
    if len(views) == 1:
        for step in range(1, view.num_players):
            shapes += hand(view, step, FANS_TOP + (step - 1) * FAN_HEIGHT)
        shapes += fan(view, {}, FANS_TOP + (view.num_players - 1) * FAN_HEIGHT)
    else:
        for place, viewer in enumerate(views):
            shapes += fan(viewer, held_values(views, viewer), FANS_TOP + place * FAN_HEIGHT)
    return Picture(WIDTH, HEIGHT, [*shapes, *unseen(views)], background="#fbfaf6")


def card(left: float, top: float, colour: int, words: str, faint: bool = False) -> Iterator[Shape]:
    """A card of a colour with its letter above, and a value or what stands for it below."""
    fill, sign = (FAINT, GREY) if faint else (FILLS[colour], SIGNS[colour])
    yield Rectangle((left, top), CARD_WIDTH, CARD_HEIGHT, fill, EDGE, 1, 5)
    yield Text((left + CARD_WIDTH / 2, top + 14), LETTERS[colour], 14, sign)
    yield Text((left + CARD_WIDTH / 2, top + 36), words, 20, sign, bold=True)


# -- players and trick ----------------------------------------------------------------------------------------


def players(view: Any) -> Iterator[Shape]:
    """Bid, tricks won and points of everybody, the viewer first."""
    columns = (170, 250, 330, 420)
    for left, name in zip(columns, ("bid", "won", "total", "last round"), strict=True):
        yield Text((MARGIN + left, TOP + 6), name, 13, GREY)
    for step in range(view.num_players):
        top = TOP + 18 + step * PLAYER_HEIGHT
        moving = step == view.to_move and not view.over
        line, width = (MARK, 3.0) if moving else ("#d5d2c8", 1.0)
        yield Rectangle((MARGIN, top), PLAYER_WIDTH, PLAYER_HEIGHT - 4, "#ffffff", line, width, 5)
        middle = top + PLAYER_HEIGHT / 2 - 2
        yield Text((MARGIN + 10, middle), f"player {seat_at(view, step)}", 14, anchor="start", bold=True)
        bid = f"{view.bid[step]}{'+' if view.extra[step] else ''}" if view.has_bid[step] else "-"
        last = f"{POINT_UNIT * int(view.last_score[step]):+}" if view.round_number > 1 or view.over else "-"
        figures = (bid, str(view.tricks[step]), str(POINT_UNIT * int(view.total[step])), last)
        for left, words in zip(columns, figures, strict=True):
            yield Text((MARGIN + left, middle), words, 16, bold=True)
        yield Text((MARGIN + PLAYER_WIDTH - 8, middle), marks(view, step), 12, GREY, "end")


def trick(view: Any) -> Iterator[Shape]:
    """The cards on the table, each under the player who laid it."""
    yield Text((TRICK_LEFT, TOP + 6), "on the table", 13, GREY, "start")
    for step in range(view.num_players):
        left = TRICK_LEFT + step * TRICK_STEP
        yield Text((left + CARD_WIDTH / 2, TOP + 34), f"player {seat_at(view, step)}", 12, bold=bool(view.leader[step]))
        if view.trick_value[step]:
            colour = int(view.trick_colour[step].argmax())
            yield from card(left, TOP + 46, colour, str(view.trick_value[step]))
        else:
            yield Rectangle((left, TOP + 46), CARD_WIDTH, CARD_HEIGHT, "none", "#c9c5b9", 1, 5)
    note = "bold: leads the trick    3+: a bid of 3 with the extra stone"
    yield Text((TRICK_LEFT, TOP + 122), note, 12, GREY, "start")


# -- cards ----------------------------------------------------------------------------------------------------


def hand(view: Any, step: int, top: float) -> Iterator[Shape]:
    """What another player holds, as it lies in the fan."""
    yield Text((MARGIN, top + 28), f"player {seat_at(view, step)} holds", 14, anchor="start", bold=True)
    for place, (colour, value) in enumerate(hand_of(view, step)):
        yield from card(FAN_LEFT + place * FAN_STEP, top, colour, str(value))


def fan(view: Any, values: dict[int, int], top: float) -> Iterator[Shape]:
    """A fan by slots: values if they are given, else what they can be; faint cards have been played."""
    yield Text((MARGIN, top + 18), f"player {view.seat}", 14, anchor="start", bold=True)
    yield Text((MARGIN, top + 38), "own fan, by slots", 12, GREY, "start")
    for slot in range(HAND):
        left, colour = FAN_LEFT + slot * FAN_STEP, colour_in(view, slot)
        if colour < 0:  # played, and not recalled
            yield Rectangle((left, top), CARD_WIDTH, CARD_HEIGHT, FAINT, "#c9c5b9", 1, 5)
        elif view.held[slot]:
            yield from card(left, top, colour, str(values.get(slot, "?")))
        else:
            yield from card(left, top, colour, str(view.slot_value[slot] or "-"), faint=True)
        known = span_of(view, slot) if view.held[slot] and not values else ""
        yield Text((left + CARD_WIDTH / 2, top + CARD_HEIGHT + 10), f"slot {slot}", 11, GREY)
        yield Text((left + CARD_WIDTH / 2, top + CARD_HEIGHT + 23), known, 12)


def span_of(view: Any, slot: int) -> str:
    """What a held card can be; with beliefs also its likeliest value."""
    words = f"is {span(view, slot)}"
    if not view.belief[slot].any():
        return words
    return f"{span(view, slot)}; {view.belief[slot].argmax() + 1} {view.belief[slot].max()}%"


def unseen(views: Sequence[Any]) -> Iterator[Shape]:
    """How many cards of each colour are set aside, and the values that no viewer sees."""
    who = f"player {views[0].seat}" if len(views) == 1 else "everybody"
    yield Text((MARGIN, UNSEEN_TOP), "set aside", 13, GREY, "start")
    yield Text((FAN_LEFT + 80, UNSEEN_TOP), f"values hidden from {who}", 13, GREY, "start")
    for colour, name in enumerate(COLOURS):
        row = UNSEEN_TOP + 24 + colour * UNSEEN_STEP
        yield Rectangle((MARGIN, row - 10), 22, 20, FILLS[colour], EDGE, 1, 4)
        yield Text((MARGIN + 11, row), LETTERS[colour], 13, SIGNS[colour])
        trump = ", trump" if colour == 0 else ""
        yield Text((MARGIN + 32, row), f"{name}{trump}", 13, anchor="start")
        yield Text((FAN_LEFT, row), str(views[0].undealt[colour]), 14, bold=True)
        hidden = [str(v) for v in all_values(views[0]) if all(view.unseen[colour][v - 1] for view in views)]
        yield Text((FAN_LEFT + 80, row), "  ".join(hidden) or "none", 14, anchor="start")
