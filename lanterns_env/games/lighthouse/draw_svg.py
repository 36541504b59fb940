"""The table of Lighthouse Architects as a bay at dusk: one view draws that player's eyes, all views the whole table."""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from lanterns_env.games.lighthouse.components import COLOURS, NUM_CARDS
from lanterns_env.games.lighthouse.draw_orders import (
    MARK,
    MUTED,
    PILES_HEIGHT,
    PILES_TOP,
    REACH,
    SMALL,
    WORDS,
    piles,
    player,
)
from lanterns_env.games.lighthouse.draw_text import heading
from lanterns_env.games.lighthouse.draw_towers import beams, island, stack, tower
from lanterns_env.games.lighthouse.reach import towers_in_reach
from lanterns_env.games.lighthouse.rules import MOVE
from lanterns_env.games.lighthouse.text import (
    board_of,
    harbour_of,
    height_of,
    islands_of,
    points_of,
    stack_of,
    turn_points_of,
)
from lanterns_env.games.svg import Circle, Glow, Line, Picture, Point, Polygon, Rectangle, Shape, Text, mixed

NIGHT = "#0e1924"
SKY, SEA = ("#141c3d", "#51406a", "#d98b62"), ("#3d7f9a", "#16405c")  # from top to bottom
WAVE, ARROW, MOON, MOONLIGHT = "#5d9cb3", "#bfe2ee", "#fdf6dc", "#fdf1c4b0"
HULL, HULL_SHADE, MAST, PLANK, INK = "#8f5b3a", "#6d4229", "#d8c39a", "#b08d5c", "#20242b"

WIDTH, HEIGHT = 1000.0, 748.0
BAY_LEFT, BAY_TOP, BAY_WIDTH, BAY_BOTTOM = 12.0, 44.0, 560.0, 660.0
DUSK, HORIZON = 100.0, 146.0
WAVES, BANDS = 26, 24
CENTER = (BAY_LEFT + BAY_WIDTH / 2, 411.0)
RING_WIDTH, RING_HEIGHT = 208.0, 200.0
PLAYERS_TOP, GAP = PILES_TOP + PILES_HEIGHT + 8, 8.0
LEGEND_TOP, LEGEND_STEP = 684.0, 25.0


def picture(views: Sequence[Any]) -> Picture:
    """The bay as the first viewer sees it, the open orders, and what the viewers hold and know."""
    view = views[0]
    reach = in_reach(view)
    title, *conditions = heading(view)
    shapes: list[Shape] = [Text((BAY_LEFT, 22), title, 20, WORDS, "start", bold=True)]
    shapes += [*bay(), *sky_words(view, conditions), *islands(view), *harbour(view), *supply(view)]
    shapes += piles(view, reach)
    height = (HEIGHT - 8 - PLAYERS_TOP + GAP) / int(view.num_players)
    for step in range(view.num_players):
        shapes += player(views, step, PLAYERS_TOP + step * height, height - GAP, reach)
    return Picture(WIDTH, HEIGHT, [*shapes, *legend()], NIGHT)


def in_reach(view: Any) -> Any:
    """Flags of the orders whose towers the builder can finish with the points left."""
    found = np.zeros(NUM_CARDS, np.int8)
    if view.phase == MOVE and not view.over:
        duty, doomed = bool(view.duty), bool(view.demolish_next)
        towers_in_reach(board_of(view), harbour_of(view), points_of(view), duty, doomed, found)
    return found


# -- the bay --------------------------------------------------------------------------------------------------


@cache
def bay() -> tuple[Shape, ...]:
    """Sky and water, with the moon and some waves: always the same."""
    return tuple(water_and_sky())


def water_and_sky() -> Iterator[Shape]:
    yield from bands(BAY_TOP, DUSK, SKY[0], SKY[1])
    yield from bands(DUSK, HORIZON, SKY[1], SKY[2])
    moon = BAY_LEFT + 46, HORIZON
    yield Glow(moon, 44, MOONLIGHT)
    yield Circle(moon, 18, MOON)
    yield from bands(HORIZON, BAY_BOTTOM, *SEA)
    for number in range(WAVES):
        x = BAY_LEFT + 30 + number * 197 % (BAY_WIDTH - 70)
        y = HORIZON + 14 + number * (BAY_BOTTOM - HORIZON - 24) / WAVES
        yield Line(((x - 13, y + 2), (x - 6, y), (x, y + 2), (x + 6, y), (x + 13, y + 2)), WAVE, 1.6)


def bands(top: float, bottom: float, first: str, last: str) -> Iterator[Shape]:
    """From one colour to another in steps: a large filling that fades is slow in pixels."""
    height = (bottom - top) / BANDS
    for number in range(BANDS):
        fill = mixed(first, last, number / BANDS)
        yield Rectangle((BAY_LEFT, round(top + number * height, 1)), BAY_WIDTH, height + 0.6, fill)


def sky_words(view: Any, conditions: Sequence[str]) -> Iterator[Shape]:
    """The points left of the turn, and what binds it."""
    if not view.over:
        yield Text((BAY_LEFT + 14, BAY_TOP + 18), "points left", SMALL, WORDS, "start")
        for point in range(turn_points_of(view)):
            fill = REACH if point < points_of(view) else "none"
            yield Circle((BAY_LEFT + 122 + 22 * point, BAY_TOP + 18), 8, fill, REACH, 1.5)
    for line, words in enumerate(conditions):
        yield Text((BAY_LEFT + 14, BAY_TOP + 42 + 20 * line), words, SMALL, WORDS, "start")


def place_of(number: float, islands: int) -> Point:
    """Where one of so many islands lies: clockwise, the first a little right of the top."""
    angle = math.tau * (number + 0.5) / islands
    return CENTER[0] + RING_WIDTH * math.sin(angle), CENTER[1] - RING_HEIGHT * math.cos(angle)


def islands(view: Any) -> Iterator[Shape]:
    """The islands with their stones, and arrows the way stones go."""
    ring, height = islands_of(view), height_of(view)
    for number in range(ring):
        yield arrow(place_of(number - 0.5, ring), math.tau * number / ring)
    for number in sorted(range(ring), key=lambda number: min(number, ring - 1 - number)):  # from back to front
        x, y = place_of(number, ring)
        yield from island(x, y, MARK if view.claim_island[number] else "")
        yield Text((x, y + 18), f"island {number + 1}", SMALL, INK)
        stones = stack_of(view, number)
        if len(stones) == height:
            yield from beams(x, y + 6, height)
        yield from tower(x, y + 6, stones, full=height)


def arrow(tip: Point, angle: float) -> Shape:
    """A small triangle that points clockwise where the way from the middle has this angle."""
    along, out = (math.cos(angle), math.sin(angle)), (math.sin(angle), -math.cos(angle))

    def corner(a: float, o: float) -> Point:
        return round(tip[0] + a * along[0] + o * out[0], 1), round(tip[1] + a * along[1] + o * out[1], 1)

    return Polygon((corner(11, 0), corner(-7, 8), corner(-7, -8)), ARROW)


def harbour(view: Any) -> Iterator[Shape]:
    """A boat inside the ring, on its way to the first island; its load is the stone of the harbour."""
    x, y = CENTER[0], CENTER[1] - 92
    if view.duty:
        yield Rectangle((x - 66, y - 52), 132, 104, "#ff856030", MARK, 3, 10)
    yield Line(((x - 40, y), (x - 40, y - 44)), MAST, 3)
    yield Polygon(((x - 37, y - 44), (x - 37, y - 18), (x - 14, y - 30)), WORDS)
    if harbour_of(view) >= 0:
        yield from stack(x + 8, y, (harbour_of(view),), 50, 20)
    yield Polygon(((x - 56, y), (x + 56, y), (x + 42, y + 20), (x - 44, y + 20)), HULL)
    yield Polygon(((x - 50, y + 9), (x + 50, y + 9), (x + 42, y + 20), (x - 44, y + 20)), HULL_SHADE)
    yield Text((x, y + 36), "must be moved" if view.duty else "harbour", SMALL, WORDS, bold=bool(view.duty))
    yield arrow((x + 74, y - 48), -math.tau / 8)


def supply(view: Any) -> Iterator[Shape]:
    """The stones that are left, on a raft, with their numbers."""
    x, y = CENTER[0], CENTER[1] + 62
    yield Rectangle((x - 78, y), 156, 9, PLANK, INK, 1, 2)
    for colour in range(len(COLOURS)):
        left = x + 50 * (colour - 1)
        yield from stack(left, y, (colour,) * int(view.supply[colour]), 38, 12, taper=0)
        yield Text((left, y + 22), str(view.supply[colour]), 17, WORDS, bold=True)
    yield Text((x, y + 42), "supply", SMALL, WORDS)
    if view.demolish_next:
        for line, words in enumerate(("the next tower", "is demolished")):
            yield Text((x, y + 66 + 18 * line), words, SMALL, WORDS, bold=True)


def legend() -> Iterator[Shape]:
    """What letters, names and frames mean."""
    for colour, name in enumerate(COLOURS):
        left = BAY_LEFT + 22 + 100 * colour
        yield from stack(left, LEGEND_TOP + 10, (colour,), 38, 19)
        yield Text((left + 27, LEGEND_TOP), name, SMALL, WORDS, "start")
    yield Text((BAY_LEFT + 320, LEGEND_TOP), "names: from bottom to top", SMALL, MUTED, "start")
    notes = ("gold frame, lit lamp: can be finished in this turn", "red frame: to be claimed or moved now")
    for line, words in enumerate(notes, 1):
        yield Text((BAY_LEFT, LEGEND_TOP + line * LEGEND_STEP), words, SMALL, MUTED, "start")
