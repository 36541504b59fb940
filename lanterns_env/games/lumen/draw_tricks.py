"""What stands beside the hands in a picture of Lumen: the trick, the last one, and the values that are hidden."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from lanterns_env.games.lumen.components import COLOURS
from lanterns_env.games.lumen.draw_panes import GLASS, PANE_WIDTH, SIGNS, frame, lit, swatch
from lanterns_env.games.lumen.draw_text import Card, all_colours, all_values, seat_at, trick_winner
from lanterns_env.games.lumen.text import led_in
from lanterns_env.games.svg import Circle, Glow, Rectangle, Shape, Text

LEFT, RIGHT, PADDING = 694.0, 990.0, 11.0
PANE_HEIGHT, PANE_TOP, BADGE_TOP, LABEL_TOP = 80.0, 64.0, 47.0, 158.0
TRICK_TOP, LAST_TOP, UNSEEN_TOP, GAP = 44.0, 222.0, 400.0, 8.0
ROW, TILE, SWATCH, ASIDE, NARROW = 32.0, 26.0, 24.0, 25.0, 20.0
BADGE, SHINE = 12.0, 58.0
SMALL, NORMAL, NARROW_SIZE, TWO_DIGITS = 15.0, 16.0, 12.8, 10
WORDS, MUTED, BOX, EDGE, MARK, LAST_MOVE = "#f4f0e6", "#b3b9c9", "#232530", "#3d4152", "#ffc53d", "#ffffff"
EMPTY, DOT = "#191b23", "#565c70"

Trick = list[tuple[int, Card]]  # who played which card, in the order played; players in turn order from the viewer


# -- reading a view -------------------------------------------------------------------------------------------


def tricks_of(view: Any) -> list[Trick]:
    """The tricks of this round, the one on the table last; without recall the others are empty."""
    cards: list[dict[int, Card]] = [{} for _ in range(view.tricks_done + 1)]
    for colour, column in np.argwhere(view.played_in).tolist():
        cards[view.played_in[colour, column] - 1][int(view.played_by[colour, column]) - 1] = (colour, column + 1)
    tricks, leader = [], view.starter.tolist().index(1)
    for number, by_player in enumerate(cards):
        if number == view.tricks_done:
            leader = view.leader.tolist().index(1)
        order = ((leader + place) % view.num_players for place in range(view.num_players))
        tricks.append([(step, by_player[step]) for step in order if step in by_player])
        if len(by_player) == view.num_players:
            leader = trick_winner(by_player, leader)
    return tricks


def last_move(tricks: list[Trick]) -> tuple[int, Card] | None:
    """Who played which card last; None before the first of a round, and where it is not in view any more."""
    lying = tricks[-1] or (tricks[-2] if len(tricks) > 1 else [])
    return lying[-1] if lying else None


# -- tricks ---------------------------------------------------------------------------------------------------


def panel(top: float, bottom: float, title: str) -> Iterator[Shape]:
    yield Rectangle((LEFT, top), RIGHT - LEFT, bottom - top, BOX, EDGE, 1, 8)
    yield Text((LEFT + PADDING, top + 19), title, SMALL, WORDS, "start", bold=True)


def badge(x: float, y: float, seat: int) -> Iterator[Shape]:
    """The number of a seat in a ring."""
    yield Circle((x, y), BADGE, "#454a5e", MUTED, 1)
    yield Text((x, y), str(seat), SMALL, WORDS, bold=True)


def on_the_table(view: Any, tricks: list[Trick]) -> Iterator[Shape]:
    """The cards of the trick from its leader on, and the colour led."""
    yield from panel(TRICK_TOP, LAST_TOP - GAP, "on the table")
    led = led_in(view)
    if led >= 0:
        yield Text((RIGHT - PADDING - SWATCH - 8, TRICK_TOP + 19), f"{COLOURS[led]} is led", NORMAL, WORDS, "end")
        yield from swatch(RIGHT - PADDING - SWATCH, TRICK_TOP + 19, led, SWATCH)
    leader = view.leader.tolist().index(1)
    yield from row(view, TRICK_TOP, tricks[-1], leader, last_move(tricks))
    if not view.over:
        yield label(view, TRICK_TOP, 0, "leads")


def last_trick(view: Any, tricks: list[Trick]) -> Iterator[Shape]:
    """The trick before from its leader on, and who took it."""
    yield from panel(LAST_TOP, UNSEEN_TOP - GAP, "last trick")
    cards = tricks[-2] if len(tricks) > 1 else []
    if not cards:
        words = "not in view any more" if view.tricks_done else "none in this round yet"
        yield Text((LEFT + PADDING, LAST_TOP + 60), words, SMALL, MUTED, "start")
        return
    leader = cards[0][0]
    taker = trick_winner(dict(cards), leader)
    yield Text((RIGHT - PADDING, LAST_TOP + 19), f"player {seat_at(view, taker)} took it", NORMAL, WORDS, "end")
    yield from row(view, LAST_TOP, cards, leader, last_move(tricks))
    place = (taker - leader) % int(view.num_players)
    yield label(view, LAST_TOP, 0, "led" if place else "led, took")
    if place:
        yield label(view, LAST_TOP, place, "took")


def row(view: Any, top: float, cards: Trick, leader: int, marked: tuple[int, Card] | None) -> Iterator[Shape]:
    """Panes side by side under the seats of their players, the last move framed; empty where no card lies yet."""
    for place in range(view.num_players):
        middle = middle_of(view, place)
        left = middle - PANE_WIDTH / 2
        yield from badge(middle, top + BADGE_TOP, seat_at(view, leader + place))
        if place >= len(cards):
            yield Rectangle((left, top + PANE_TOP), PANE_WIDTH, PANE_HEIGHT, EMPTY, EDGE, 1, 8)
            continue
        colour, value = cards[place][1]
        yield Glow((middle, top + PANE_TOP + 0.6 * PANE_HEIGHT), SHINE, f"{GLASS[colour][0]}a0")
        yield from lit(left, top + PANE_TOP, PANE_HEIGHT, colour, str(value))
        if cards[place] == marked:
            yield frame(left, top + PANE_TOP, PANE_HEIGHT, LAST_MOVE)


def middle_of(view: Any, place: int) -> float:
    """Where a card of a trick stands, from the leader on."""
    return LEFT + (place + 0.5) * (RIGHT - LEFT) / int(view.num_players)


def label(view: Any, top: float, place: int, words: str) -> Shape:
    x = max(middle_of(view, place), LEFT + 42)
    return Text((x, top + LABEL_TOP), words, SMALL, MARK, bold=True)


# -- what is hidden -------------------------------------------------------------------------------------------


def unseen(views: Sequence[Any], bottom: float) -> Iterator[Shape]:
    """A mosaic of the values that no viewer sees, and how many cards of each colour are set aside."""
    who = f"player {views[0].seat}" if len(views) == 1 else "all"
    yield from panel(UNSEEN_TOP, bottom, f"hidden from {who}")
    yield Text((RIGHT - PADDING, UNSEEN_TOP + 19), "set aside", 14, MUTED, "end")
    hidden = np.all([view.unseen for view in views], axis=0)
    values = all_values(views[0])
    width = (RIGHT - LEFT - 2 * PADDING - SWATCH - ASIDE) / len(values)
    for colour in all_colours(views[0]):
        middle = UNSEEN_TOP + 52 + colour * ROW
        yield from swatch(LEFT + PADDING, middle, colour, SWATCH)
        for value in values:
            x = LEFT + PADDING + SWATCH + 3 + (value - 0.5) * width
            if hidden[colour, value - 1]:
                yield Rectangle((x - width / 2 + 0.5, middle - TILE / 2), width - 1, TILE, GLASS[colour][1])
                size = NARROW_SIZE if value >= TWO_DIGITS and width < NARROW else SMALL
                yield Text((x, middle), str(value), size, SIGNS[colour])
            else:
                yield Circle((x, middle), 1.6, DOT)
        yield Text((RIGHT - PADDING, middle), str(views[0].undealt[colour]), NORMAL, WORDS, "end", bold=True)
