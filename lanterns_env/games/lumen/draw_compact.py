"""The table of Lumen for a low terminal: a line a player, the last trick and the running one, the own fan."""

from collections.abc import Sequence
from typing import Any

from lanterns_env.games.lumen.components import POINT_UNIT
from lanterns_env.games.lumen.draw_text import (
    LETTERS,
    Card,
    all_colours,
    all_values,
    by_colour,
    draw_tricks,
    hand_of,
    heading,
    paint,
    row,
    seat_at,
    span,
)
from lanterns_env.games.lumen.rules import PLAY
from lanterns_env.games.lumen.text import colour_in, hand_size


def draw_compact(views: Sequence[Any], color: bool = False) -> str:
    """As ``draw``, without chances, earlier tricks, and what else would take more than a line."""
    view = views[0]
    lines = [heading(view), *draw_players(views, color)]
    if view.phase == PLAY:
        lines += draw_tricks(view, color)[-2 if view.trick_value.any() else -1 :]  # the last one, and the running one
    if len(views) == 1:
        lines += draw_fan(view, color)
    return "\n".join([*lines, *draw_unseen(views, color)])


def draw_players(views: Sequence[Any], color: bool) -> list[str]:
    """Bid, tricks, total, last round, and the cards in hand as far as the viewers see them."""
    view = views[0]
    n = int(view.num_players)
    dark, leader = (seat_at(view, flags.tolist().index(1)) for flags in (view.dark_plus, view.leader))
    leads = f"; player {leader} leads" if view.phase == PLAY and not view.over else ""
    lines = [f"{'':11} bid won total last    dark plus: player {dark}{leads}"]
    for step in range(n):
        mark = ">" if step == view.to_move and not view.over else " "
        bid = f"{view.bid[step]}{'+' if view.extra[step] else ' '}" if view.has_bid[step] else "- "
        last = f"{POINT_UNIT * int(view.last_score[step]):+}" if view.round_number > 1 or view.over else "-"
        numbers = f"{bid:>5}{view.tricks[step]:3}{POINT_UNIT * int(view.total[step]):6}{last:>5}"
        cards = by_colour(cards_of(views, step), color) or "no card"
        shown = cards if step or len(views) > 1 else "see below" if view.held.any() else "no card"
        lines.append(f"{mark}player {seat_at(view, step):<3}{numbers}    {shown}")
    return lines


def cards_of(views: Sequence[Any], step: int) -> list[Card]:
    """The cards of a player as another one sees them; none of the first viewer's if there is no other."""
    if step:
        return hand_of(views[0], step)
    return hand_of(views[1], int((views[0].seat - views[1].seat) % views[0].num_players)) if len(views) > 1 else []


def draw_fan(view: Any, color: bool) -> list[str]:
    """The own fan: colours, values of what has been played, and what the others can be."""
    slots = range(hand_size(view))
    colours = [colour_in(view, slot) for slot in slots]
    lines = [
        row(f"player {view.seat}, slot", [str(slot) for slot in slots]),
        row("colour, played", [name(view, slot, colours[slot]) for slot in slots], colours, color),
    ]
    if view.held.any():
        lines.append(row("can be", [span(view, slot) if view.held[slot] else "" for slot in slots]))
    return lines


def name(view: Any, slot: int, colour: int) -> str:
    """R, or (R7) once it has been played."""
    if view.held[slot]:
        return LETTERS[colour]
    return f"({LETTERS[colour]}{view.slot_value[slot]})" if view.slot_value[slot] else "-"


def draw_unseen(views: Sequence[Any], color: bool) -> list[str]:
    """The values that no viewer sees, and how many cards of each colour are set aside."""
    groups, aside = [], []
    for colour in all_colours(views[0]):
        unseen = [str(v) for v in all_values(views[0]) if all(view.unseen[colour][v - 1] for view in views)]
        if unseen:
            groups.append(paint(" ".join([LETTERS[colour], *unseen]), colour, color))
        aside.append(paint(f"{LETTERS[colour]}{views[0].undealt[colour]}", colour, color))
    who = "not in view" if len(views) == 1 else "seen by nobody"
    return [f"{who:16} {'  '.join(groups) or '-'}", f"{'set aside':16} {' '.join(aside)}"]
