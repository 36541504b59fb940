"""What came of a move of Lighthouse Architects: towers finished, standing or fallen, and orders laid."""

from typing import Any

from lanterns_env.games.lighthouse.movement import destination, stone_at
from lanterns_env.games.lighthouse.observation import LAID_BEFORE
from lanterns_env.games.lighthouse.rules import CLAIM
from lanterns_env.games.lighthouse.text import (
    Place,
    Step,
    board_of,
    harbour_of,
    height_of,
    islands_of,
    letters,
    move_of,
    order_of,
    stack_of,
)


def describe_outcome(before: Any, mover: int, action: int, listener: int, after: Any) -> list[str]:
    """By the listener's views alone: everything here lies open."""
    view, seen = before[listener], after[listener]
    move = move_of(action)
    if isinstance(move, Step):
        return [*step_outcome(view, seen, move.source), *laid(view, seen)]
    gone = fallen(view, seen)
    if isinstance(move, Place):
        return [f"the supply is empty: all towers fall ({len(gone)})"] if gone else []
    return [f"the tower on island {name(island)} falls" for island in gone]


def step_outcome(view: Any, seen: Any, source: int) -> list[str]:
    """The last stone finishes a tower."""
    board, harbour = board_of(view), harbour_of(view)
    island, _ = destination(board, source)
    stack = (*stack_of(view, island), stone_at(board, harbour, source))
    height = height_of(view)
    if len(stack) < height:
        return []
    end = "is finished" if seen.phase == CLAIM else "stands" if len(stack_of(seen, island)) == height else "falls"
    return [f"the tower {letters(stack)} on island {name(island)} {end}"]


def laid(view: Any, seen: Any) -> list[str]:
    """Orders that are laid without being asked for."""
    lines = []
    for step in range(view.num_players):
        new = (seen.order[:, LAID_BEFORE + step] > view.order[:, LAID_BEFORE + step]).nonzero()[0]
        seat = (view.seat + step) % view.num_players
        lines += [f"the order {letters(order_of(view, int(card)))} lies before player {seat} now" for card in new]
    return lines


def fallen(view: Any, seen: Any) -> list[int]:
    """The islands whose towers are gone."""
    islands, height = range(islands_of(view)), height_of(view)
    return [i for i in islands if len(stack_of(view, i)) == height and not stack_of(seen, i)]


def name(island: int) -> int:
    return island + 1
