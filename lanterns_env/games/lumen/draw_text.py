"""The table of Lumen as text: one view draws that player's eyes, the views of all the whole table."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.games.lumen.components import COLOURS, MAX_VALUE, NUM_COLOURS, POINT_UNIT, ROUNDS, TRUMP
from lanterns_env.games.lumen.rules import PLAY
from lanterns_env.games.lumen.text import colour_in, hand_size

LETTERS = "YRGBP"
TERMINAL = ("33", "31", "32", "34", "35")  # a terminal's codes for the colours
SLOT_WIDTH = 6
LABEL_WIDTH = 16

Card = tuple[int, int]  # colour, value


def draw(views: Sequence[Any], color: bool = False) -> str:
    """Players and trick as the first viewer sees them, then hands and cards as far as the viewers know them."""
    view = views[0]
    parts = [heading(view), "", *draw_players(view), ""]
    if view.phase == PLAY:
        parts += [*draw_tricks(view, color), ""]
    if len(views) == 1:
        parts += [*draw_hands(view, color), "", *draw_fan(view, {}, color), ""]
    else:
        for viewer in views:
            parts += [*draw_fan(viewer, held_values(views, viewer), color), ""]
    return "\n".join([*parts, *draw_colours(views, color)])


def heading(view: Any) -> str:
    start = f"Lumen, {view.num_players} players"
    if view.over:
        return f"{start}: the game is over, player {seat_at(view, winner(view))} wins"
    start += f", round {view.round_number} of {ROUNDS}"
    mover = f"player {seat_at(view, view.to_move)}"
    if view.phase == PLAY:
        return f"{start}, trick {view.tricks_done + 1} of {hand_size(view)}: {mover} plays a card"
    limit = f", at most {view.bid_limit} tip stones" if view.bid_limit < hand_size(view) else ""
    return f"{start}: {mover} bids{limit}"


def seat_at(view: Any, step: int) -> int:
    """The seat so many steps after the viewer."""
    return int((view.seat + step) % view.num_players)


def winner(view: Any) -> int:
    """LU-60..62, in turn order from the viewer."""
    n = int(view.num_players)
    dark = view.dark_plus.tolist().index(1)
    return max(range(n), key=lambda step: (view.total[step], view.last_score[step], -((step - dark) % n)))


# -- players and tricks ---------------------------------------------------------------------------------------


def draw_players(view: Any) -> list[str]:
    lines = [f"{'':{LABEL_WIDTH}}   bid   won   total   last round   (3+: 3 with extra)"]
    for step in range(view.num_players):
        mark = ">" if step == view.to_move and not view.over else " "
        name = f"player {seat_at(view, step)}"
        bid = f"{view.bid[step]}{'+' if view.extra[step] else ' '}" if view.has_bid[step] else "- "
        last = f"{POINT_UNIT * int(view.last_score[step]):+}" if view.round_number > 1 or view.over else "-"
        numbers = f"{bid:>6}{view.tricks[step]:6}{POINT_UNIT * int(view.total[step]):8}{last:>13}"
        lines.append(f"{mark}{name:{LABEL_WIDTH}}{numbers}   {marks(view, step)}".rstrip())
    return lines


def marks(view: Any, step: int) -> str:
    """What a player is beside."""
    said = ["dark plus"] if view.dark_plus[step] else []
    if view.starter[step] and not view.dark_plus[step]:
        said.append("starts the round")
    if view.leader[step] and not view.over and view.phase == PLAY:
        said.append("leads")
    return ", ".join(said)


def draw_tricks(view: Any, color: bool) -> list[str]:
    """The tricks of this round as far as they are recalled, each from its leader on, with its winner."""
    tricks = [played_in(view, trick) for trick in range(1, view.tricks_done + 2)]
    leader = view.starter.tolist().index(1)
    lines = []
    for number, cards in enumerate(tricks, 1):
        if not cards:
            continue
        taken = number <= view.tricks_done
        leader = leader if taken else view.leader.tolist().index(1)
        order = sorted(cards, key=lambda step: (step - leader) % view.num_players)
        row = "  ".join(f"{seat_at(view, step)}:{card_name(cards[step], color)}" for step in order)
        if taken:
            leader = trick_winner(cards, leader)
            row += f"  taken by {seat_at(view, leader)}"
        lines.append(f"{'trick ' + str(number):{LABEL_WIDTH}} {row}")
    return lines or [f"{'trick ' + str(view.tricks_done + 1):{LABEL_WIDTH}} no card yet"]


def played_in(view: Any, trick: int) -> dict[int, Card]:
    """The cards of a trick by who played them, in turn order from the viewer."""
    return {
        int(view.played_by[colour][value - 1]) - 1: (colour, value)
        for colour, value in all_cards()
        if view.played_in[colour][value - 1] == trick
    }


def trick_winner(cards: dict[int, Card], leader: int) -> int:
    """LU-35."""
    led = cards[leader][0]
    return max(cards, key=lambda step: (cards[step][0] == TRUMP, cards[step][0] == led, cards[step][1]))


# -- cards ----------------------------------------------------------------------------------------------------


def all_cards() -> Iterable[Card]:
    return ((colour, value) for colour in range(NUM_COLOURS) for value in range(1, MAX_VALUE + 1))


def hand_of(view: Any, step: int) -> list[Card]:
    """The cards in the hand of another player."""
    return [(colour, value) for colour, value in all_cards() if view.hands[step - 1][colour][value - 1]]


def draw_hands(view: Any, color: bool) -> list[str]:
    """The hands of the others, as they lie in their fans."""
    lines = []
    for step in range(1, view.num_players):
        label = f"player {seat_at(view, step)} holds"
        lines.append(f"{label:{LABEL_WIDTH}} {by_colour(hand_of(view, step), color) or 'no card'}")
    return lines


def by_colour(cards: list[Card], color: bool) -> str:
    """Y 3 9  R 1 7"""
    groups = []
    for colour in range(NUM_COLOURS):
        values = [str(value) for held, value in cards if held == colour]
        if values:
            groups.append(paint(" ".join([LETTERS[colour], *values]), colour, color))
    return "  ".join(groups)


def held_values(views: Sequence[Any], viewer: Any) -> dict[int, int]:
    """The values in the viewer's fan by slot, as another player sees them."""
    other = next(view for view in views if view.seat != viewer.seat)
    cards = hand_of(other, int((viewer.seat - other.seat) % viewer.num_players))
    held = np.flatnonzero(viewer.held).tolist()
    return {slot: value for slot, (_, value) in zip(held, cards, strict=True)}


def draw_fan(view: Any, values: dict[int, int], color: bool) -> list[str]:
    """A fan by slots: values if they are given, else what they can be; (7) has been played."""
    slots = range(hand_size(view))
    colours = [colour_in(view, slot) for slot in slots]
    letters = [LETTERS[colour] if colour >= 0 else "-" for colour in colours]
    lines = [
        row(f"player {view.seat}, slot", [str(slot) for slot in slots]),
        row("colour", letters, colours, color),
        row("value", [value_name(view, slot, values) for slot in slots], colours, color),
    ]
    if values or not view.held.any():
        return lines
    lines.append(row("can be", [" " if not view.held[slot] else span(view, slot) for slot in slots]))
    if view.belief.any():
        lines.append("chance in %")
        lines += [row(f"of {value}", [chance(view, slot, value) for slot in slots]) for value in all_values(view)]
    return lines


def row(label: str, cells: list[str], colours: list[int] | None = None, color: bool = False) -> str:
    """A line of cells; painted only after they are as wide as they should be."""
    wide = [f"{cell:>{SLOT_WIDTH}}" for cell in cells]
    if colours is not None:
        wide = [paint(cell, colour, color and colour >= 0) for cell, colour in zip(wide, colours, strict=True)]
    return f"{label:{LABEL_WIDTH}}{''.join(wide)}".rstrip()


def value_name(view: Any, slot: int, values: dict[int, int]) -> str:
    if view.held[slot]:
        return str(values.get(slot, "?"))
    return f"({view.slot_value[slot]})" if view.slot_value[slot] else "-"


def deck_of(view: Any) -> NDArray[np.bool_]:
    """All cards of the game by colour and value, for each is somewhere in the view."""
    deck: NDArray[np.bool_] = (view.unseen > 0) | (view.played_by > 0) | view.hands.any(0)
    return deck


def all_values(view: Any) -> range:
    """LU-02, LU-A19."""
    return range(1, int(deck_of(view)[TRUMP].sum()) + 1)


def all_colours(view: Any) -> range:
    """LU-A18."""
    return range(int(deck_of(view)[:, 0].sum()))


def chance(view: Any, slot: int, value: int) -> str:
    return str(view.belief[slot][value - 1]) if view.held[slot] and view.belief[slot][value - 1] else "."


def span(view: Any, slot: int) -> str:
    """LU-74: the lowest and the highest value that a card in hand can have, by what is in view."""
    colour = colour_in(view, slot)
    slots, values = range(hand_size(view)), list(all_values(view))
    low, high = bounds(view, colour, slots, values)[slot], bounds(view, colour, slots[::-1], values[::-1])[slot]
    return str(low) if low == high else f"{low}-{high}"


def bounds(view: Any, colour: int, slots: range, values: list[int]) -> dict[int, int]:
    """From one end of a fan on: every card in hand gets the first unseen value after its neighbour's."""
    found = {}
    for slot in slots:
        if colour_in(view, slot) != colour:
            continue
        fits = [v for v in values if (view.unseen[colour][v - 1] if view.held[slot] else v == view.slot_value[slot])]
        found[slot] = fits[0]
        values = values[values.index(fits[0]) + 1 :]
    return found


def draw_colours(views: Sequence[Any], color: bool) -> list[str]:
    """How many cards of each colour are set aside, and the values that no viewer sees."""
    who = f"not seen by player {views[0].seat}" if len(views) == 1 else "seen by nobody"
    lines = [f"{'':{LABEL_WIDTH}} set aside   {who}"]
    for colour in all_colours(views[0]):
        unseen = [str(v) for v in all_values(views[0]) if all(view.unseen[colour][v - 1] for view in views)]
        label = paint(f"{LETTERS[colour]} {COLOURS[colour]:{LABEL_WIDTH - 2}}", colour, color)
        lines.append(f"{label} {views[0].undealt[colour]:5}       {' '.join(unseen)}".rstrip())
    return lines


def card_name(card: Card, color: bool) -> str:
    return paint(f"{LETTERS[card[0]]}{card[1]}", card[0], color)


def paint(text: str, colour: int, color: bool) -> str:
    return f"\033[1;{TERMINAL[colour]}m{text}\033[0m" if color else text
