"""Write the tables of planes in docs/guides/observations.md anew, from the games themselves.

    python scripts/pages/observations.py

Everything between ``<!-- table GAME -->`` and ``<!-- end -->`` is generated; the rest of the page is left alone.
"""

import pathlib
import re

from lanterns_env import GAMES
from lanterns_env.engine.game import Game
from lanterns_env.support.files import write_whole

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "guides" / "observations.md"
MARKED = re.compile(r"(<!-- table (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
FLOAT_BYTES = 4
HEAD = ["| planes | name | shape | meaning |", "|---|---|---|---|"]


def plane_table(game: Game) -> list[str]:
    """What is drawn, plane by plane; then the fields that are constant planes."""
    planes = game.planes
    count, height, width = planes.shape
    size = count * height * width * FLOAT_BYTES // 1000
    rows = [f"float32[{count}, {height}, {width}], {size} kB.", "", *HEAD]
    for kind in planes.board:
        shape = " x ".join(map(str, kind.shape)) or "1"
        rows.append(f"| {numbers(planes.places[kind.name])} | `{kind.name}` | {shape} | {kind.meaning} |")
    constant = planes.kinds[len(planes.board) :]
    named = ", ".join(f"`{kind.name}` {numbers(planes.places[kind.name])}" for kind in constant)
    return [*rows, "", f"Constant planes: {named}."]


def numbers(place: slice) -> str:
    last = place.stop - 1
    return str(last) if place.start == last else f"{place.start}..{last}"


def current(page: str) -> str:
    """The page with its tables as they ought to be."""

    def table(found: re.Match[str]) -> str:
        return found[1] + "\n".join(plane_table(GAMES[found[2]])) + "\n" + found[3]

    return MARKED.sub(table, page)


def main() -> None:
    write_whole(PAGE, current(PAGE.read_text()))


if __name__ == "__main__":
    main()
