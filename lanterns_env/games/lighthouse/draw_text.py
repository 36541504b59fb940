"""The table of Lighthouse Architects as text: one view draws that player's eyes, the views of all the whole table."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from lanterns_env.games.lighthouse.components import COLOURS, NUM_PILES
from lanterns_env.games.lighthouse.observation import HIDDEN, LAID_BEFORE, ON_PILE, OWN_HAND
from lanterns_env.games.lighthouse.rules import CLAIM, MOVE
from lanterns_env.games.lighthouse.text import (
    LETTERS,
    claimed_order,
    harbour_of,
    height_of,
    islands_of,
    order_of,
    points_of,
    stack_of,
)

TERMINAL = ("1;97;41", "1;30;107", "1;97;100")  # a terminal's codes for the colours
CELL_WIDTH = 11
LABEL_WIDTH = 20
ORDERS_A_LINE = 11
LATE = 90  # hundredths of max_turns: from here on the cut is near


def draw(views: Sequence[Any], color: bool = False) -> str:
    """The ring of islands, the open orders, and what each of the viewers holds and knows."""
    view = views[0]
    parts = [*heading(view), "", *draw_ring(view, color), "", *draw_supply(view), ""]
    parts += ["orders, each from bottom to top:", *draw_piles(view, color)]
    for step in range(view.num_players):
        parts += draw_player(view, step, color)
    for viewer in views:
        parts += ["", *draw_hand(viewer, color)]
    return "\n".join(line.rstrip() for line in parts)


def seat_of(view: Any, step: int) -> int:
    """The seat that sits so many steps after the viewer."""
    return int(view.seat + step) % int(view.num_players)


# -- the turn -------------------------------------------------------------------------------------------------


def heading(view: Any) -> list[str]:
    title = f"Lighthouse Architects, {view.num_players} players"
    if view.over:
        return [f"{title}: the game is over"]
    mover, builder = seat_of(view, view.to_move), seat_of(view, int(view.builder.argmax()))
    if view.phase == CLAIM:
        return [
            f"{title}: player {mover} {claim(view)}",
            *([] if mover == builder else [f"then player {builder} goes on, {points_left(view)}"]),
        ]
    if view.phase == MOVE:
        return [f"{title}: player {mover} to move, {points_left(view)}", *conditions(view)]
    return [f"{title}: player {mover} to place a stone into the harbour"]


def claim(view: Any) -> str:
    order, island = claimed_order(view), int(view.claim_island.argmax()) + 1
    if can_lay(view):
        return f"may claim {order}, the tower on island {island}"
    return f"is asked for {order}, tower on island {island}"


def can_lay(view: Any) -> bool:
    """Whether who is asked can lay the order, for all that the viewer knows."""
    card = view.claim_order.argmax()
    if view.order[card, HIDDEN]:
        return bool(view.proved_holder[view.to_move, card])
    return bool(view.to_move == 0 or not view.order[card, OWN_HAND])


def points_left(view: Any) -> str:
    points = points_of(view)
    return f"{points} point{'' if points == 1 else 's'} left"


def conditions(view: Any) -> list[str]:
    """What else binds the movement."""
    lines = ["the harbour stone must be moved in this turn"] if view.duty else []
    if view.built:
        lines.append("a tower was finished in this turn: the rest of the points is optional")
    return lines


# -- the ring -------------------------------------------------------------------------------------------------


def draw_ring(view: Any, color: bool) -> list[str]:
    """Two rows of islands, to be read clockwise, and the harbour before the first."""
    islands = islands_of(view)
    turn = (islands + 1) // 2  # the far shore begins here
    ways = f"{'^':^{CELL_WIDTH}}" + " " * (CELL_WIDTH * (turn - 2)) + f"{'v':^{CELL_WIDTH}}"
    return [
        *draw_shore(view, range(turn), True, color),
        " " * CELL_WIDTH + (ways if turn > 1 else f"{'^ v':^{CELL_WIDTH}}"),
        *draw_shore(view, range(islands - 1, turn - 1, -1), False, color),
    ]


def draw_shore(view: Any, islands: range, near: bool, color: bool) -> list[str]:
    """A row of stacks on their islands, the near one from left to right; it begins with the harbour."""
    stacks = [stack_of(view, island) for island in islands]
    lines = []
    for level in range(height_of(view) - 1, -1, -1):
        row = "".join(cell(stone(stack[level], color) if level < len(stack) else " . ") for stack in stacks)
        start = harbour_stone(view, color) if near and level == 0 else " " * CELL_WIDTH
        lines.append(start + row)
    names = (" > " if near else " < ").join(f"island {island + 1}" for island in islands)
    return [*lines, ("   harbour > " if near else " " * (CELL_WIDTH + 2)) + names]


def harbour_stone(view: Any, color: bool) -> str:
    colour = harbour_of(view)
    return cell(" . " if colour < 0 else stone(colour, color))


def cell(sign: str) -> str:
    """Three visible letters in the middle of a column."""
    return " " * ((CELL_WIDTH - 3) // 2) + sign + " " * ((CELL_WIDTH - 3) // 2)


def stone(colour: int, color: bool) -> str:
    sign = f"[{LETTERS[colour]}]"
    return paint(sign, colour) if color else sign


def paint(text: str, colour: int) -> str:
    return f"\033[{TERMINAL[colour]}m{text}\033[0m"


def draw_supply(view: Any) -> list[str]:
    supply = ", ".join(f"{view.supply[colour]} {name} ({LETTERS[colour]})" for colour, name in enumerate(COLOURS))
    doomed = ["the supply has run out: the next tower will be demolished"] if view.demolish_next else []
    late = [f"the game is cut soon: {view.clock} % of its turns are played"] if view.clock >= LATE else []
    return [f"supply: {supply}", *doomed, *late]


# -- the orders -----------------------------------------------------------------------------------------------


def draw_piles(view: Any, color: bool) -> list[str]:
    lines = []
    for pile in range(NUM_PILES):
        cards = np.flatnonzero(view.order[:, ON_PILE + pile])
        below = f"  and {view.pile_size[pile] - 1} below it" if len(cards) else ""
        lines.append(listed(view, f"  public, pile {pile + 1}", cards, color)[0] + below)
    return lines


def draw_player(view: Any, step: int, color: bool) -> list[str]:
    """What lies open before a player, and how many orders are hidden in the hand."""
    mark = ">" if step == view.to_move and not view.over else " "
    label = f"{mark} player {seat_of(view, step)}, {view.hand_size[step]} held"
    return listed(view, label, np.flatnonzero(view.order[:, LAID_BEFORE + step]), color)


def draw_hand(view: Any, color: bool) -> list[str]:
    """The viewer's orders, and what the viewer knows of hidden ones."""
    lines = listed(view, f"player {view.seat} holds", np.flatnonzero(view.order[:, OWN_HAND]), color)
    known = np.flatnonzero(view.proved_holder[0])
    if len(known):
        lines += listed(view, "  all know of", known, color)
    held = np.flatnonzero(view.proved_held & view.order[:, OWN_HAND] & ~view.proved_holder[0])
    if len(held):
        lines += listed(view, "  known to be held", held, color)
    for step in range(1, view.num_players):
        held = np.flatnonzero(view.proved_holder[step])
        if len(held):
            lines += listed(view, f"  player {seat_of(view, step)} has", held, color)
    unsure = held_by_others(view)
    if len(unsure):
        lines += listed(view, "  others have", unsure, color)
    buried = np.flatnonzero(view.proved_buried)
    if len(buried):
        lines += listed(view, "  buried are", buried, color)
    return lines


def held_by_others(view: Any) -> Any:
    """The hidden orders of which the viewer knows that they are in another hand, but not in whose."""
    return np.flatnonzero(view.proved_held & view.order[:, HIDDEN] & ~view.proved_holder[1:].any(axis=0))


def listed(view: Any, label: str, cards: Any, color: bool) -> list[str]:
    """Orders after a label, some in a line."""
    lines = []
    for first in range(0, max(1, len(cards)), ORDERS_A_LINE):
        strips = " ".join(order(view, int(card), color) for card in cards[first : first + ORDERS_A_LINE])
        lines.append((label if first == 0 else "").ljust(LABEL_WIDTH) + (strips or "-"))
    return lines


def order(view: Any, card: int, color: bool) -> str:
    """An order as a strip of colours, bottom first."""
    return "".join(paint(LETTERS[colour], int(colour)) if color else LETTERS[colour] for colour in order_of(view, card))
