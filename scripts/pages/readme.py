"""Write the tables of README.md and of the pages on speed and installing anew, from docs/results and pyproject.toml.

    python scripts/pages/readme.py

Everything between ``<!-- table NAME -->`` and ``<!-- end -->`` is generated; the rest is left alone.
"""

import pathlib
import re
import tomllib
from functools import cache

from results_cache import columns, figure
from speed_tables import engine_table, parts_table, seats_table, training_table

from lanterns_env import GAMES
from lanterns_env.match import read
from lanterns_env.match.statistics import Interval
from lanterns_env.support.files import read_json, write_whole

ROOT = pathlib.Path(__file__).parents[2]
RESULTS = ROOT / "docs" / "results"
PAGES = (ROOT / "README.md", ROOT / "docs" / "guides" / "speed.md", ROOT / "docs" / "install.md")
MARKED = re.compile(r"(<!-- table (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
# The matches, and where their results are kept.
PAIRS = {
    "greedy against random": "match-{game}-{players}-greedy-random.json",
    "expert against greedy": "match-{game}-{players}-expert-greedy.json",
    "search:2000 against expert": "match-{game}-{players}-search-2000-expert.json",
    "champion against expert": "champion-{game}-{players}-expert.json",
}
ROWS = (("lanterns", 2), ("lanterns", 4), ("lumen", 3), ("lighthouse", 2))

EXTRAS = {
    "cli": "tables and panels in colour at the terminal",
    "render": "pixels, windows, pictures as files",
    "learned": "play with trained networks, `champion` too",
    "train": "`lanterns train`, `lanterns pretrain`, `lanterns exploit`",
    "export": "`lanterns export`: a trained network as an ONNX file",
    "sb3": "stable-baselines3 and sb3-contrib",
    "openspiel": "the games as OpenSpiel games",
    "classic": "PettingZoo's own games, beside ours in the benchmark",
    "peers": "further packages' games, beside ours in the benchmark",
    "tune": "tune the weights of `expert`",
    "docs": "build the site",
    "test": "run the tests",
    "dev": "all that `make` needs",
}
REQUIREMENT = re.compile(r"[\w.-]+(\[[\w,]+\])?")  # a package's name, and its own extras


@cache
def strength(game: str, players: int, pair: str) -> tuple[float, Interval, int] | None:
    """The first agent's win share, its interval, and the number of games; None where there is no such match."""
    file = RESULTS / PAIRS[pair].format(game=game, players=players)
    if not file.exists():
        return None
    result = read(file)
    row = result.rows[0]
    return row.win_share, result.stop.interval if result.stop else row.interval, row.games


def strength_table() -> list[str]:
    """Matches between the agents, from the records of all games."""
    titles = [f"{GAMES[game].title}, {players} players" for game, players in ROWS]
    lines = columns(["", *titles])
    lines.append(f"| fair share | {' | '.join(f'{1 / players:.3f}' for _, players in ROWS)} |")
    for pair in PAIRS:
        found = [strength(*row, pair) for row in ROWS]
        cells = [f"{figure(each[0], each[1], '.3f')}, n = {each[2]}" if each else "" for each in found]
        lines.append(f"| {pair} | {' | '.join(cells)} |")
    return lines


def extras_table() -> list[str]:
    """What else can be installed, and what for."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    lines = ["| extra | what for | installs |", "|---|---|---|"]
    for name, requirements in extras.items():
        installed = ", ".join(found[0] for found in map(REQUIREMENT.match, requirements) if found)
        lines.append(f"| `{name}` | {EXTRAS[name]} | {installed} |")
    return lines


def speed() -> dict[str, dict]:
    """What was measured last."""
    report: dict[str, dict] = read_json(RESULTS / "speed.json")
    return report


TABLES = {
    "extras": extras_table,
    "strength": strength_table,
    "engine": lambda: engine_table(speed()),
    "seats": lambda: seats_table(speed()),
    "training": lambda: training_table(speed()),
    "parts": lambda: parts_table(speed()),
}


def current(page: str) -> str:
    """The page with its tables as they ought to be."""
    return MARKED.sub(lambda found: found[1] + "\n".join(TABLES[found[2]]()) + "\n" + found[3], page)


def main() -> None:
    for page in PAGES:
        write_whole(page, current(page.read_text()))


if __name__ == "__main__":
    main()
