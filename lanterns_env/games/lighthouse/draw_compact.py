"""The table of Lighthouse Architects for a low terminal: harbour and islands in one row."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from lanterns_env.games.lighthouse.components import NUM_PILES
from lanterns_env.games.lighthouse.draw_text import (
    LABEL_WIDTH,
    draw_hand,
    draw_player,
    draw_supply,
    heading,
    order,
    stone,
)
from lanterns_env.games.lighthouse.observation import ON_PILE
from lanterns_env.games.lighthouse.text import harbour_of, height_of, islands_of, stack_of

CELL_WIDTH = 8
EMPTY = " . "


def draw_compact(views: Sequence[Any], color: bool = False) -> str:
    """As ``draw``, the ring unrolled: stones go to the right, from the last island to the first."""
    view = views[0]
    lines = [*heading(view), *draw_row(view, color), *draw_supply(view), draw_piles(view, color)]
    for step in range(view.num_players):
        lines += draw_player(view, step, color)
    for viewer in views:
        lines += draw_hand(viewer, color)
    return "\n".join(line.rstrip() for line in lines)


def draw_row(view: Any, color: bool) -> list[str]:
    """A column an island, top stones above, and the names below."""
    islands = range(islands_of(view))
    stacks = [stack_of(view, island) for island in islands]
    harbour = harbour_of(view)
    lines = []
    for level in range(height_of(view) - 1, -1, -1):
        signs = [stone(stack[level], color) if level < len(stack) else EMPTY for stack in stacks]
        first = "   " if level else EMPTY if harbour < 0 else stone(harbour, color)
        lines.append("".join(f"  {sign}   " for sign in [first, *signs]))
    names = "".join(f"> {island + 1:^{CELL_WIDTH - 2}}" for island in islands)
    return [*lines, f"{'harbour':{CELL_WIDTH}}{names}> 1"]


def draw_piles(view: Any, color: bool) -> str:
    """The public orders, and how many lie below them."""
    shown = []
    for pile in range(NUM_PILES):
        cards = np.flatnonzero(view.order[:, ON_PILE + pile])
        shown.append(f"{order(view, int(cards[0]), color)} and {view.pile_size[pile] - 1} below" if len(cards) else "-")
    return "piles, bottom first".ljust(LABEL_WIDTH) + ";  ".join(shown)
