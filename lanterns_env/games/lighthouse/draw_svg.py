"""The table of Lighthouse Architects as shapes: one view draws that player's eyes, all views the whole table."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from lanterns_env.games.lighthouse.components import CARDS, COLOURS, NUM_ISLANDS, NUM_PILES
from lanterns_env.games.lighthouse.draw_text import heading, held_by_others, seat_of
from lanterns_env.games.lighthouse.observation import LAID_BEFORE, ON_PILE, OWN_HAND
from lanterns_env.games.lighthouse.text import LETTERS, harbour_of, stack_of
from lanterns_env.games.svg import Circle, Picture, Polygon, Rectangle, Shape, Text

FILLS = ("#d1344b", "#fdfdfd", "#2b2b2b")
SIGNS = ("#ffffff", "#222222", "#ffffff")  # letters on the fills
EDGE, GREY, MARK, SEA, SAND = "#37474f", "#5f6b73", "#b3541e", "#cfe6ee", "#efe3c2"

WIDTH, HEIGHT = 1000.0, 800.0
SEA_LEFT, SEA_TOP, SEA_SIZE = 10.0, 84.0, 560.0
CENTER = (SEA_LEFT + SEA_SIZE / 2, SEA_TOP + SEA_SIZE / 2)
RING, ISLAND = 205.0, 54.0  # how far the islands lie from the middle, and how large they are
STONE_WIDTH, STONE_HEIGHT = 44.0, 17.0
PANEL_LEFT, PANEL_WIDTH = 585.0, 405.0
STRIP_STEP, STRIP_GAP, STRIP_HEIGHT = 25.0, 4.0, 60.0
HAND_ROOM, KNOWN_ROOM = 170.0, 100.0
HANDS_TOP = 668.0


def picture(views: Sequence[Any]) -> Picture:
    """The ring as the first viewer sees it, the open orders, and what each viewer holds and knows."""
    view = views[0]
    shapes: list[Shape] = []
    for row, words in enumerate(heading(view)):
        shapes.append(Text((SEA_LEFT, 20 + 22 * row), words, 17 if row == 0 else 14, anchor="start", bold=row == 0))
    shapes += [*sea(view), *supply(view), *piles(view)]
    for step in range(view.num_players):
        shapes += player(view, step)
    for place, viewer in enumerate(views):
        shapes += hand(viewer, SEA_LEFT + place * (WIDTH - SEA_LEFT) / 4, len(views) == 1)
    return Picture(WIDTH, HEIGHT, shapes, background="#fbfaf6")


# -- the ring -------------------------------------------------------------------------------------------------


def sea(view: Any) -> Iterator[Shape]:
    """Eight islands clockwise from the upper left, the harbour before the first, the supply in the middle."""
    yield Rectangle((SEA_LEFT, SEA_TOP), SEA_SIZE, SEA_SIZE, SEA, rounding=8)
    for island in range(NUM_ISLANDS):
        yield arrow(place_of(island - 0.5), island)
        claimed = bool(view.claim_island[island])
        x, y = place_of(island)
        yield Circle((x, y), ISLAND, SAND, MARK if claimed else "#c9b88a", 4.0 if claimed else 1.5)
        yield Text((x, y + 40), f"island {island + 1}", 12, GREY)
        for level, colour in enumerate(stack_of(view, island)):
            yield from stone(x, y + 20 - level * (STONE_HEIGHT + 1), colour)
    yield from harbour(view)


def place_of(island: float) -> tuple[float, float]:
    """Where an island lies: clockwise, the first a little right of the top."""
    angle = math.tau * (island + 0.5) / NUM_ISLANDS
    return CENTER[0] + RING * math.sin(angle), CENTER[1] - RING * math.cos(angle)


def arrow(tip: tuple[float, float], island: int) -> Shape:
    """A small triangle between two islands that points clockwise."""
    angle = math.tau * island / NUM_ISLANDS
    along, out = (math.cos(angle), math.sin(angle)), (math.sin(angle), -math.cos(angle))
    corners = ((8, 0), (-5, 7), (-5, -7))
    points = tuple((tip[0] + a * along[0] + o * out[0], tip[1] + a * along[1] + o * out[1]) for a, o in corners)
    return Polygon(points, "#7fa8b5")


def stone(x: float, y: float, colour: int) -> Iterator[Shape]:
    corner = (x - STONE_WIDTH / 2, y - STONE_HEIGHT / 2)
    yield Rectangle(corner, STONE_WIDTH, STONE_HEIGHT, FILLS[colour], EDGE, 1, 3)
    yield Text((x, y), LETTERS[colour], 13, SIGNS[colour], bold=True)


def harbour(view: Any) -> Iterator[Shape]:
    """It lies inside the ring and feeds into the first island."""
    x, y = CENTER[0], CENTER[1] - 70
    yield Rectangle((x - 50, y - 34), 100, 68, "#d9c8a0", MARK if view.duty else "#a08f62", 4 if view.duty else 1.5, 8)
    if harbour_of(view) >= 0:
        yield from stone(x, y - 8, harbour_of(view))
    yield Text((x, y + 20), "harbour", 13)
    yield Text((x + 64, y - 26), "to island 1", 11, GREY, "start")
    if view.duty:
        yield Text((x, y + 48), "must be moved", 13, MARK, bold=True)


def supply(view: Any) -> Iterator[Shape]:
    x, y = CENTER[0], CENTER[1] + 30
    yield Text((x, y), "supply", 13)
    for colour in range(len(COLOURS)):
        left = x - 70 + 70 * colour
        yield from stone(left, y + 24, colour)
        yield Text((left, y + 46), f"{view.supply[colour]}", 16, bold=True)
    if view.demolish_next:
        yield Text((x, y + 74), "the next tower is demolished", 13, MARK, bold=True)


# -- the orders -----------------------------------------------------------------------------------------------


def strip(left: float, top: float, width: float, number: int, marked: bool) -> Iterator[Shape]:
    """An order as it is built: four stones, the lowest at the bottom."""
    height = STRIP_HEIGHT / 4
    for level, colour in enumerate(CARDS[number]):
        corner = (left, top + STRIP_HEIGHT - (level + 1) * height)
        yield Rectangle(corner, width, height, FILLS[colour], EDGE, 0.8)
        yield Text((left + width / 2, corner[1] + height / 2), LETTERS[colour], 11, SIGNS[colour])
    if marked:
        yield Rectangle((left - 2, top - 2), width + 4, STRIP_HEIGHT + 4, "none", MARK, 3, 3)


def strips(left: float, top: float, room: float, numbers: Any, view: Any) -> Iterator[Shape]:
    """Orders side by side, closer together when there are many; the one to be claimed is marked."""
    step = min(STRIP_STEP, room / max(1, len(numbers)))
    for place, number in enumerate(numbers):
        marked = bool(view.claim_order[number])
        yield from strip(left + place * step, top, step - STRIP_GAP, int(number), marked)


def piles(view: Any) -> Iterator[Shape]:
    """The two public orders and how many lie below them."""
    yield Text((PANEL_LEFT, SEA_TOP + 8), "public orders", 14, anchor="start", bold=True)
    for pile in range(NUM_PILES):
        left = PANEL_LEFT + pile * 150
        cards = np.flatnonzero(view.order[:, ON_PILE + pile])
        yield from strips(left, SEA_TOP + 24, STRIP_STEP, cards, view)
        below = f"and {view.pile_size[pile] - 1} below it" if len(cards) else "used up"
        yield Text((left + 32, SEA_TOP + 54), below, 13, GREY, "start")


def player(view: Any, step: int) -> Iterator[Shape]:
    """What lies open before a player, and how many orders are hidden in the hand."""
    top = SEA_TOP + 104 + step * 116
    moving = step == view.to_move and not view.over
    line, width = (MARK, 3.0) if moving else ("#d5d2c8", 1.0)
    yield Rectangle((PANEL_LEFT, top), PANEL_WIDTH, 108, "#ffffff", line, width, 6)
    doing = (", turn" if view.builder[step] else "") + (", to move" if moving else "")
    yield Text((PANEL_LEFT + 10, top + 16), f"player {seat_of(view, step)}{doing}", 14, anchor="start", bold=True)
    figures = f"laid {view.laid[step]}   in hand {view.hand_size[step]}"
    yield Text((PANEL_LEFT + PANEL_WIDTH - 10, top + 16), figures, 13, anchor="end")
    laid = np.flatnonzero(view.order[:, LAID_BEFORE + step])
    yield from strips(PANEL_LEFT + 10, top + 36, PANEL_WIDTH - 20, laid, view)


def hand(view: Any, left: float, with_knowledge: bool) -> Iterator[Shape]:
    """The viewer's orders; alone also what it knows of hidden ones."""
    yield Text((left, HANDS_TOP), f"hand of player {view.seat}", 14, anchor="start", bold=True)
    yield from strips(left, HANDS_TOP + 16, HAND_ROOM, np.flatnonzero(view.order[:, OWN_HAND]), view)
    if not with_knowledge:
        return
    left += 180
    holders = [f"player {seat_of(view, step)} has" for step in range(1, view.num_players)]
    known = dict(zip(holders, map(np.flatnonzero, view.proved_holder[1:]), strict=False))
    if len(held_by_others(view)):
        known["others have"] = held_by_others(view)
    for words, orders in known.items():
        yield Text((left, HANDS_TOP), words, 13, GREY, "start")
        yield from strips(left, HANDS_TOP + 16, KNOWN_ROOM, orders, view)
        left += 110
    yield Text((left, HANDS_TOP), "buried", 13, GREY, "start")
    yield from strips(left, HANDS_TOP + 16, WIDTH - left - 10, np.flatnonzero(view.proved_buried), view)
