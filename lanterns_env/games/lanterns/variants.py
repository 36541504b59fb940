"""Smaller games of Lanterns: which options go together, presets, and all deals one by one."""

from collections.abc import Mapping
from typing import Any

from lanterns_env.games.deals import Deals, Group, arrangements, check_count, count_arrangements, equal_chances
from lanterns_env.games.lanterns.components import LAKE_TILES, MAX_PILE, PLACEMENTS

LINE = {"tiles": 6, "placements": 2, "hand": 1, "columns": 7, "rows": 1, "stack": 3, "empty_chair": 2}
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "tiny": {**LINE, "first_tile": 24},
    "small": {**LINE, "first_tile": 27, "left": 1},  # with a free cell on both sides of the start tile
}
DRAWN_CHAIRS = (1, 2, 3)  # LA-A3


def placements_of(num_players: int, options: Mapping[str, Any]) -> int:
    """LA-51: how many tiles each player places."""
    return options["placements"] or int(PLACEMENTS[num_players - 2])


def why_unplayable(num_players: int, options: Mapping[str, Any]) -> str | None:
    """LA-50..52: tiles, hands and the lake are large enough for each other, and small enough for the view."""
    each, most, hand = placements_of(num_players, options), int(PLACEMENTS[num_players - 2]), options["hand"]
    placed, first, tiles = num_players * each, options["first_tile"], options["tiles"]
    columns, left, rows = options["columns"], options["left"], options["rows"]
    if first + tiles - 1 > LAKE_TILES:
        return f"there are lake tiles 1 to {LAKE_TILES}, not {first} to {first + tiles - 1}"
    if each > most:
        return f"placements must be at most {most}, not {each}"
    if placed > tiles:
        return f"with {each} placements each, {placed} tiles are placed; tiles must be at least that, not {tiles}"
    if hand > each:
        return f"a hand of {hand} tiles is more than the {each} that each player places"
    if num_players * (each - hand) > MAX_PILE:
        return f"with hands of {hand}, {num_players * (each - hand)} tiles are drawn; a pile holds at most {MAX_PILE}"
    if left and left >= columns:
        return f"of {columns or 'no'} columns {left} cannot lie left of the start tile"
    if columns and rows and columns * rows <= placed:
        return f"a lake of {columns} x {rows} cells is too small for the start tile and {placed} more"
    return None


def deals(num_players: int, options: Mapping[str, Any]) -> Deals:
    """LA-A8: every order in which tiles come to hands and pile, with every chair that may be empty.

    Nobody ever sees the box: its tiles stand from low to high.
    """
    placed = num_players * placements_of(num_players, options)
    groups = Group(placed, ordered=True), Group(options["tiles"] - placed, ordered=False)
    chairs = chairs_of(num_players, options)
    check_count(len(chairs) * count_arrangements(groups))
    first = options["first_tile"]
    return equal_chances([[*(first + k for k in order), chair] for order in arrangements(groups) for chair in chairs])


def chairs_of(num_players: int, options: Mapping[str, Any]) -> tuple[int, ...]:
    """What a deal may say of the empty chair; where it makes no difference, one chair stands for all."""
    if options["empty_chair"] != "drawn":
        return (int(options["empty_chair"]),)
    return DRAWN_CHAIRS if num_players == 3 else DRAWN_CHAIRS[:1]
