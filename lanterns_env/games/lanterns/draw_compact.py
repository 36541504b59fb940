"""The table of Lanterns for a low terminal: tiles of two lines, and everything else beside the lake."""

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from lanterns_env.games.lanterns.components import COLOURS, HAND, KINDS, MAX_LAID, PLATFORM
from lanterns_env.games.lanterns.draw_text import heading, letter, tile_sides
from lanterns_env.games.lanterns.rules import NO_TILE
from lanterns_env.games.lanterns.text import SIDES

CELL_WIDTH = 4
GAP = 2  # between the lake and what stands beside it
LABEL_WIDTH, HAND_LABEL = 10, 12
LEGEND = ("far above left-near-right", "* platform  + free  K black")
LINE_WIDTH = 80
CODES = re.compile(r"\033\[[0-9;]*m")  # of colours, which take no room

Cell = tuple[str, str]  # two lines; the upper one is empty where nothing is laid


def draw_compact(views: Sequence[Any], color: bool = False) -> str:
    """As ``draw``; where the lake is too wide, everything else stands below it."""
    view = views[0]
    lake = draw_lake(view, color)
    hands = [line for viewer in views for line in draw_hand(viewer, color)]
    for gap in (" ", ""):
        panel = [*draw_players(view, color, gap), "", *draw_piles(view), "", *hands, *LEGEND]
        if max(map(visible, lake)) + GAP + max(map(visible, panel)) <= LINE_WIDTH:
            return "\n".join([heading(view), *beside(lake, panel)])
    below = beside(draw_players(view, color), [*hands, *draw_piles(view)])
    return "\n".join([heading(view), *lake, *below, "; ".join(LEGEND)])


def beside(left: list[str], right: list[str]) -> list[str]:
    """Two blocks of lines side by side."""
    start = max(map(visible, left)) + GAP
    rows = zip_longest(left, right, fillvalue="")
    return [(before + " " * (start - visible(before)) + after).rstrip() for before, after in rows]


def visible(line: str) -> int:
    """How many columns a line takes."""
    return len(CODES.sub("", line))


# -- the lake -------------------------------------------------------------------------------------------------


def draw_lake(view: Any, color: bool) -> list[str]:
    """Rows of two lines, of one where there are free cells only."""
    cells = lake_cells(view, color)
    columns = range(min(x for x, _ in cells), max(x for x, _ in cells) + 1)
    lines = [("    " + "".join(f"{x:^3} " for x in columns)).rstrip()]
    for y in range(max(y for _, y in cells), min(y for _, y in cells) - 1, -1):
        row = [cells.get((x, y), (" " * CELL_WIDTH,) * 2) for x in columns]
        upper, lower = ("".join(cell[line] for cell in row).rstrip() for line in range(2))
        lines += [f"    {upper}"] if upper else []
        lines.append(f"{y:3} {lower}")
    return lines


def lake_cells(view: Any, color: bool) -> dict[tuple[int, int], Cell]:
    """What to write into each cell of the lake."""
    cells = {}
    for slot in range(len(view.slot_open)):
        if view.slot_open[slot]:
            cells[int(view.slot_x[slot]), int(view.slot_y[slot])] = ("    ", " +  ")
    for k in range(MAX_LAID):
        if view.lake_tile[k] != NO_TILE:
            tile, turn = int(view.lake_tile[k]), int(view.lake_turn[k])
            cells[int(view.lake_x[k]), int(view.lake_y[k])] = tile_cell(tile_sides(tile, turn), tile, color)
    return cells


def tile_cell(sides: list[int], tile: int, color: bool) -> Cell:
    near, left, far, right = (letter(colour, color) for colour in sides)
    return f" {far}{'*' if PLATFORM[tile] else ' '} ", f"{left}{near}{right} "


# -- beside the lake ------------------------------------------------------------------------------------------


def draw_players(view: Any, color: bool, gap: str = "") -> list[str]:
    """Lanterns by colour, favors, honor and tiles; then the supply."""
    letters = "".join(gap + letter(colour, color) for colour in range(len(COLOURS)))
    lines = [f"{'':{LABEL_WIDTH}}{letters} fav hon tile"]
    for step in range(view.num_players):
        seat = (view.seat + step) % view.num_players
        mark = ">" if step == view.to_move and not view.over else " "
        numbers = f"{digits(view.lanterns[step], gap)}{view.favors[step]:4}{view.honor[step]:4}{view.hand_size[step]:5}"
        lines.append(f"{mark}{seat} {SIDES[view.side[step]]:<{LABEL_WIDTH - 3}}{numbers}")
    return [*lines, f"{' supply':{LABEL_WIDTH}}{digits(view.supply, gap)}"]


def digits(lanterns: Any, gap: str) -> str:
    """LA-05: of a colour there are at most 8."""
    return "".join(f"{gap}{number}" for number in lanterns)


def draw_piles(view: Any) -> list[str]:
    """What the next dedication of each kind scores, and how many tokens are left; the draw pile."""
    rows = zip(KINDS, view.token_value, view.tokens_left, strict=True)
    return [*(f"{words:15} {value:2} ({left} left)" for words, value, left in rows), f"{'draw pile':15} {view.pile:2}"]


def draw_hand(view: Any, color: bool) -> list[str]:
    """The viewer's tiles, printed side 0 up."""
    tiles = [int(view.hand_tile[position]) for position in range(HAND) if view.hand_tile[position] != NO_TILE]
    if not tiles:
        return [f"{view.seat} holds no tiles"]
    cells = [tile_cell(tile_sides(tile, 2), tile, color) for tile in tiles]
    return [
        (f"{'tiles of ' + str(view.seat):{HAND_LABEL}}" + "".join(f"{tile:^6}" for tile in tiles)).rstrip(),
        (f"{'side 0 above':{HAND_LABEL}}" + "".join(f" {upper} " for upper, _ in cells)).rstrip(),
        (" " * HAND_LABEL + "".join(f" {lower} " for _, lower in cells)).rstrip(),
    ]
