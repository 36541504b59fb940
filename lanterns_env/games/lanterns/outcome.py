"""What came of a move of Lanterns: who got which lanterns, favors and honor."""

from typing import Any

from lanterns_env.games.lanterns.components import COLOURS
from lanterns_env.games.lanterns.text import Dedicate, Place, move_of


def describe_outcome(before: Any, mover: int, action: int, listener: int, after: Any) -> list[str]:
    """A placement by what everybody gets, from the mover on; a dedication by its honor."""
    view, seen = before[listener], after[listener]
    match move_of(action):
        case Place():
            seats = [(mover + step) % view.num_players for step in range(view.num_players)]
            return ["; ".join(f"player {seat}: {gained(view, seen, seat)}" for seat in seats)]
        case Dedicate():
            step = (mover - listener) % view.num_players
            return [f"player {mover}: {seen.honor[step] - view.honor[step]} honor"]
    return []


def gained(view: Any, seen: Any, seat: int) -> str:
    """LA-20..24: "2 red, blue, 1 favor"."""
    step = (seat - view.seat) % view.num_players
    numbers = (seen.lanterns[step] - view.lanterns[step]).tolist()
    got = [f"{number} {name}" for name, number in zip(COLOURS, numbers, strict=True) if number]
    favors = int(seen.favors[step] - view.favors[step])
    if favors:
        got.append(f"{favors} favor{'s'[: favors > 1]}")
    return ", ".join(got) or "nothing"
