"""Write the table of strengths in README.md anew, from the results in docs/results.

    python scripts/pages/readme.py

Everything between ``<!-- table strength -->`` and ``<!-- end -->`` is generated; the rest is left alone.
"""

import pathlib
import re

from results_cache import figure

from lanterns_env import GAMES
from lanterns_env.engine.files import write_whole
from lanterns_env.match import read

ROOT = pathlib.Path(__file__).parents[2]
README, RESULTS = ROOT / "README.md", ROOT / "docs" / "results"
MARKED = re.compile(r"(<!-- table strength -->\n).*?(<!-- end -->)", re.DOTALL)
# The columns, and where their results are kept.
PAIRS = {
    "greedy against random": "match-{game}-{players}-greedy-random.json",
    "expert against greedy": "match-{game}-{players}-expert-greedy.json",
    "search:2000 against expert": "match-{game}-{players}-search-2000-expert.json",
    "champion against expert": "champion-{game}-{players}-expert.json",
}
ROWS = (("lanterns", 2), ("lanterns", 4), ("lumen", 3), ("lighthouse", 2))


def cell(file: pathlib.Path) -> str:
    """The first agent's win share, from the records of all games; empty where there is no such match."""
    if not file.exists():
        return ""
    result = read(file)
    row = result.rows[0]
    interval = result.stop.interval if result.stop else row.interval
    return f"{figure(row.win_share, interval, '.3f')}, n = {row.games}"


def table() -> list[str]:
    lines = [f"| | {' | '.join(PAIRS)} |", "|---" * (1 + len(PAIRS)) + "|"]
    for game, players in ROWS:
        cells = [cell(RESULTS / name.format(game=game, players=players)) for name in PAIRS.values()]
        lines.append(f"| {GAMES[game].title}, {players} players (fair {1 / players:.3f}) | {' | '.join(cells)} |")
    return lines


def current(page: str) -> str:
    """The page with its table as it ought to be."""
    return MARKED.sub(lambda found: found[1] + "\n".join(table()) + "\n" + found[2], page)


def main() -> None:
    write_whole(README, current(README.read_text()))


if __name__ == "__main__":
    main()
