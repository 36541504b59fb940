"""The table of Lanterns as text: one view draws that player's eyes, the views of all the whole table."""

from collections.abc import Sequence
from typing import Any

from lanterns_env.games.lanterns.components import (
    COLOURS,
    HAND,
    KINDS,
    MAX_LAID,
    PLATFORM,
    TILES,
)
from lanterns_env.games.lanterns.rules import NO_TILE
from lanterns_env.games.lanterns.text import SIDES, STEPS

LETTERS = "OGPWBRK"  # K is black
TERMINAL = ("38;5;208", "32", "35", "97", "34", "31", "90")  # a terminal's codes for the colours
CELL_WIDTH, CELLS_ACROSS = 5, 14  # a lake wider than this is drawn in parts, left to right

Cell = tuple[str, str, str]  # three lines of five letters


def draw(views: Sequence[Any], color: bool = False) -> str:
    """The lake as the first viewer sees it, then players, supply, piles and the hands of the viewers."""
    view = views[0]
    parts = [heading(view), f"seen by player {view.seat}, from below; * platform, + free cell"]
    parts += [*draw_lake(view, color), ""]
    parts += [*draw_players(view, color), "", *draw_piles(view), ""]
    for viewer in views:
        parts += draw_hand(viewer, color)
    if any(viewer.hand_size[0] for viewer in views):
        parts.append("sides in hand: 0 up, 1 right, 2 down, 3 left; 'red 0' is the red side drawn up")
    return "\n".join(parts)


def heading(view: Any) -> str:
    mover = (view.seat + view.to_move) % view.num_players
    if view.over:
        return f"Lanterns, {view.num_players} players: the game is over after {view.turn} turns"
    turn = f"{'final ' if view.final_round else ''}turn {view.turn + 1} of {number_of_turns(view)}"
    return f"Lanterns, {view.num_players} players, {turn}: player {mover} to move, {STEPS[view.phase]}"


def number_of_turns(view: Any) -> int:
    """LA-30, LA-31: one for every tile that is placed, then a final one for each player."""
    if view.final_round:
        return int(view.turn) // int(view.num_players) * int(view.num_players) + int(view.num_players)
    return int(view.turn) + int(view.pile) + int(view.hand_size.sum()) + int(view.num_players)


def draw_lake(view: Any, color: bool) -> list[str]:
    """The tiles by their coloured sides, * a platform; + marks a free cell."""
    cells = lake_cells(view, color)
    left, right = min(x for x, _ in cells), max(x for x, _ in cells)
    lines = []
    for first in range(left, right + 1, CELLS_ACROSS):
        lines += draw_part(cells, range(first, min(first + CELLS_ACROSS, right + 1)))
    return lines


def lake_cells(view: Any, color: bool) -> dict[tuple[int, int], Cell]:
    """What to write into each cell of the lake."""
    cells = {}
    for k in range(MAX_LAID):
        if view.lake_tile[k] != NO_TILE:
            tile, turn = int(view.lake_tile[k]), int(view.lake_turn[k])
            cells[int(view.lake_x[k]), int(view.lake_y[k])] = tile_cell(tile_sides(tile, turn), tile, color)
    for slot in range(len(view.slot_open)):
        if view.slot_open[slot]:
            cells[int(view.slot_x[slot]), int(view.slot_y[slot])] = ("     ", "  +  ", "     ")
    return cells


def draw_part(cells: dict[tuple[int, int], Cell], columns: range) -> list[str]:
    """Some columns of the lake, with coordinates."""
    heights = [y for x, y in cells if x in columns]
    lines = ["     " + "".join(f"{x:^{CELL_WIDTH}}" for x in columns).rstrip()]
    for y in range(max(heights), min(heights) - 1, -1):
        row = [cells.get((x, y), (" " * CELL_WIDTH,) * 3) for x in columns]
        for line in range(3):
            label = f"{y:4} " if line == 1 else "     "
            lines.append((label + "".join(cell[line] for cell in row)).rstrip())
    return lines


def tile_sides(tile: int, turn: int) -> list[int]:
    """The colours towards the viewer, its left, opposite and its right."""
    return [int(TILES[tile, (turn + side) % 4]) for side in range(4)]


def tile_cell(sides: list[int], tile: int, color: bool) -> Cell:
    near, left, far, right = (letter(colour, color) for colour in sides)
    middle = "*" if PLATFORM[tile] else "."
    return f"  {far}  ", f" {left}{middle}{right} ", f"  {near}  "


def letter(colour: int, color: bool) -> str:
    return paint(LETTERS[colour], colour) if color else LETTERS[colour]


def paint(text: str, colour: int) -> str:
    return f"\033[1;{TERMINAL[colour]}m{text}\033[0m"


def draw_players(view: Any, color: bool) -> list[str]:
    """A table: lanterns by colour, favors, honor, tiles."""
    letters = "".join(" " * len(name) + letter(colour, color) for colour, name in enumerate(COLOURS))
    names = "".join(" " + (paint(name, colour) if color else name) for colour, name in enumerate(COLOURS))
    lines = [f"{'':16}{letters}", f"{'':16}{names} favors honor tiles"]
    for step in range(view.num_players):
        seat = (view.seat + step) % view.num_players
        mark = ">" if step == view.to_move and not view.over else " "
        held = by_colour(view.lanterns[step])
        rest = f"{view.favors[step]:7}{view.honor[step]:6}{view.hand_size[step]:6}"
        lines.append(f"{mark}player {seat} {SIDES[view.side[step]]:<5} {held}{rest}")
    return [*lines, f"{'supply':16}{by_colour(view.supply)}"]


def by_colour(numbers: Any) -> str:
    """Numbers under the names of the colours."""
    return "".join(f" {number:{len(name)}}" for number, name in zip(numbers, COLOURS, strict=True))


def draw_piles(view: Any) -> list[str]:
    """What the next dedication of each kind scores; 0 tokens left: the generic value, without limit."""
    lines = [f"{'dedication':16} scores tokens left"]
    for kind, words in enumerate(KINDS):
        lines.append(f"{words:16}{view.token_value[kind]:7}{view.tokens_left[kind]:12}")
    return [*lines, f"draw pile: {view.pile} tiles"]


def draw_hand(view: Any, color: bool) -> list[str]:
    """The viewer's tiles, printed side 0 up."""
    tiles = [int(view.hand_tile[position]) for position in range(HAND) if view.hand_tile[position] != NO_TILE]
    if not tiles:
        return [f"player {view.seat} holds no tiles"]
    cells = [tile_cell(tile_sides(tile, 2), tile, color) for tile in tiles]  # side 0 opposite the viewer
    labels = [f"{'tile ' + str(tile):^9}" for tile in tiles]
    rows = [" " * 16 + "".join(f"  {cell[line]}  " for cell in cells).rstrip() for line in range(3)]
    return [f"player {view.seat} holds".ljust(16) + "".join(labels).rstrip(), *rows]
