"""Orders as shapes: on cards with their names, laid open as small lighthouses, and face down."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from lanterns_env.games.lighthouse.components import NUM_PILES, TOWER
from lanterns_env.games.lighthouse.draw_text import held_by_others, seat_of
from lanterns_env.games.lighthouse.draw_towers import LAMP_HEIGHT, LINE, STONE_WIDTH, tower
from lanterns_env.games.lighthouse.observation import LAID_BEFORE, ON_PILE, OWN_HAND
from lanterns_env.games.lighthouse.text import letters, order_of
from lanterns_env.games.svg import Circle, Rectangle, Shape, Text

WORDS, MUTED, BOX, EDGE = "#f4f0e6", "#afc0cd", "#1a2b3a", "#38546a"
MARK, REACH = "#ff8560", "#ffc53d"  # what waits for an answer; a tower that can be finished now
MOVING = "#f4f0e6"
PAPER, INK, BACK, BACK_LINE = "#d9cba6", "#20242b", "#24506b", "#7ba3ba"

LEFT, WIDTH, PADDING = 584.0, 404.0, 12.0
CARD_WIDTH, CARD_HEIGHT, CARD_STEP = 52.0, 98.0, 59.0
CARD_FOOT, CARD_TOWER, CARD_STONE = 80.0, 30.0, 14.5  # from the top of a card; the width of its tower, a stone's height
LAID_STEP, LAID_TOP, TALL, HEAD, ROW_LEFT = 46.0, 52.0, 220.0, 34.0, 92.0
PILES_TOP, PILES_HEIGHT, PILES_CARDS = 44.0, 138.0, 32.0
PILE_STEP = 112.0
NAMES_A_LINE, NAME_STEP = 3, 53.0
SMALL, NORMAL = 15.0, 17.0


def card(left: float, top: float, colours: tuple[int, ...], frame: str) -> Iterator[Shape]:
    """An order as it is built, the lowest stone at the bottom, and its name.  A frame lights the lamp."""
    x = left + CARD_WIDTH / 2
    if frame:
        yield Rectangle((left - 3.5, top - 3.5), CARD_WIDTH + 7, CARD_HEIGHT + 7, frame, rounding=8)
    yield Rectangle((left, top), CARD_WIDTH, CARD_HEIGHT, PAPER, LINE, 1, 5)
    yield from tower(x, top + CARD_FOOT, colours, CARD_TOWER, CARD_STONE, bool(frame), len(colours))
    yield Text((x, top + 89), letters(colours), 13.5, INK, bold=True)


def face_down(left: float, top: float) -> Iterator[Shape]:
    yield Rectangle((left, top), CARD_WIDTH, CARD_HEIGHT, BACK, BACK_LINE, 2, 5)
    yield Circle((left + CARD_WIDTH / 2, top + CARD_HEIGHT / 2), 15, "none", BACK_LINE, 2)
    yield Text((left + CARD_WIDTH / 2, top + CARD_HEIGHT / 2), "?", 20, BACK_LINE, bold=True)


def frame_of(view: Any, reach: Any, number: int) -> str:
    """How an order is marked, if it is."""
    if view.claim_order[number]:
        return MARK
    return REACH if reach[number] else ""


# -- piles and what is known of hidden orders -------------------------------------------------------------------


def piles(view: Any, reach: Any) -> Iterator[Shape]:
    """The two public orders, how many lie below them, and which are known to."""
    yield Rectangle((LEFT, PILES_TOP), WIDTH, PILES_HEIGHT, BOX, EDGE, 1, 8)
    yield Text((LEFT + PADDING, PILES_TOP + 16), "public orders", NORMAL, WORDS, "start", bold=True)
    for pile in range(NUM_PILES):
        left, top = LEFT + PADDING + pile * PILE_STEP, PILES_TOP + PILES_CARDS
        cards = np.flatnonzero(view.order[:, ON_PILE + pile])
        if not len(cards):
            yield Text((left, top + 44), "used up", SMALL, MUTED, "start")
            continue
        yield from card(left, top, order_of(view, int(cards[0])), frame_of(view, reach, cards[0]))
        yield Text((left + CARD_WIDTH + 8, top + 38), f"{view.pile_size[pile] - 1}", NORMAL, WORDS, "start", bold=True)
        yield Text((left + CARD_WIDTH + 8, top + 58), "below", 14, MUTED, "start")
    yield from known(view, reach)


def known(view: Any, reach: Any) -> Iterator[Shape]:
    """The names of orders that must be buried, and of those that some other player must hold, if there are any."""
    lines = []
    for title, orders in (("buried", np.flatnonzero(view.proved_buried)), ("others have", held_by_others(view))):
        rows = [orders[first : first + NAMES_A_LINE] for first in range(0, len(orders), NAMES_A_LINE)]
        lines += [title, *rows] if rows else []
    step = min(18.0, (PILES_HEIGHT - 16) / max(1, len(lines)))
    left, size = LEFT + PADDING + NUM_PILES * PILE_STEP, min(13.0, 0.85 * step)
    for number, line in enumerate(lines):
        y = PILES_TOP + 16 + number * step
        if isinstance(line, str):
            yield Text((left, y), line, size, MUTED, "start")
            continue
        for place, order in enumerate(line):
            fill = frame_of(view, reach, order) or WORDS
            yield Text((left + place * NAME_STEP, y), letters(order_of(view, int(order))), size, fill, "start")


# -- players ----------------------------------------------------------------------------------------------------


def player(views: Sequence[Any], step: int, top: float, height: float, reach: Any) -> Iterator[Shape]:
    """What lies open before a player, and the hand: open to the viewers where they know it.

    A tall box has the hand below what is laid, any other beside it.
    """
    view = views[0]
    moving = bool(step == view.to_move and not view.over)
    line, width = (MOVING, 3.0) if moving else (EDGE, 1.0)
    yield Rectangle((LEFT, top), WIDTH, height, BOX, line, width, 8)
    left, right, foot = LEFT + PADDING, LEFT + WIDTH - PADDING, top + height - 6
    yield Text((left, top + 17), f"player {seat_of(view, step)}", NORMAL, WORDS, "start", bold=True)
    if role := doing(view, step):
        yield Text((left + 84, top + 17), role, SMALL, REACH, "start")
    whose = "own hand" if step == 0 and len(views) == 1 else "in hand"
    said = f"laid {view.laid[step]}", f"{whose} {view.hand_size[step]}"
    if height > TALL:
        middle, beside = top + HEAD + (height - HEAD) / 2, left + ROW_LEFT
        yield Text((left, middle - 50), said[0], SMALL, WORDS, "start")
        yield from laid(view, step, (beside, right), (top + HEAD, middle - 8), reach)
        yield Text((left, foot - 50), said[1], SMALL, WORDS, "start")
        yield from hand(views, step, beside, foot - CARD_HEIGHT - 4, reach)
    else:
        beside = right - 3 * CARD_STEP + 7
        yield Text((left, top + 40), said[0], SMALL, WORDS, "start")
        yield from laid(view, step, (left, beside - 14), (top + LAID_TOP, foot), reach)
        yield Text((beside, top + 17), said[1], SMALL, WORDS, "start")
        yield from hand(views, step, beside, foot - CARD_HEIGHT, reach)


def doing(view: Any, step: int) -> str:
    """Whether a player is to move, has the turn, or both."""
    if view.over:
        return ""
    words = {(1, 1): "to move", (1, 0): "is asked", (0, 1): "has the turn"}
    return words.get((int(step == view.to_move), int(view.builder[step])), "")


def laid(view: Any, step: int, sides: tuple[float, float], rows: tuple[float, float], reach: Any) -> Iterator[Shape]:
    """Small lighthouses side by side, closer together when there are many."""
    orders = np.flatnonzero(view.order[:, LAID_BEFORE + step])
    (start, end), (top, foot) = sides, rows
    room = min(LAID_STEP, (end - start) / max(1, len(orders)))
    width = min(room - 3, (foot - top) / 2)
    height = (foot - top - LAMP_HEIGHT * width / STONE_WIDTH) / TOWER
    for place, number in enumerate(orders):
        x, frame = start + (place + 0.5) * room, frame_of(view, reach, int(number))
        if frame:
            yield Rectangle((x - room / 2, top), room, foot - top + 3, "none", frame, 3, 5)
        colours = order_of(view, int(number))
        yield from tower(x, foot, colours, width, height, full=len(colours))


def hand(views: Sequence[Any], step: int, left: float, top: float, reach: Any) -> Iterator[Shape]:
    """The viewers' orders, those known of another player, and face down the others."""
    view = views[0]
    if step < len(views):
        orders = np.flatnonzero(views[step].order[:, OWN_HAND])
    else:
        orders = np.flatnonzero(view.proved_holder[step])
    for place in range(view.hand_size[step]):
        if place < len(orders):
            frame = frame_of(view, reach, orders[place])
            yield from card(left + place * CARD_STEP, top, order_of(view, int(orders[place])), frame)
        else:
            yield from face_down(left + place * CARD_STEP, top)
