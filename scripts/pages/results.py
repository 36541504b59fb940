"""Play the ladders and matches of the results page, and write the page.

Every result is a JSON file of its own; what is there already, complete and of the same settings and version,
is kept, so that the script can be stopped and started again.

    python scripts/pages/results.py                                # docs/results.md, docs/results/, docs/images/
    python scripts/pages/results.py --deals 8 --folder build/try   # a small one somewhere else
"""

import argparse
import pathlib
import re
import sys
from types import SimpleNamespace
from typing import Any

from results_cache import code, command, figure, first_interval, folded, kept, kept_match, settings

from lanterns_env import GAMES
from lanterns_env.match import play_ladder
from lanterns_env.match.rating_plot import rating_picture, write_picture
from lanterns_env.match.statistics import chunk_words
from lanterns_env.support.files import check_target, read_json, write_whole

DOCS = pathlib.Path(__file__).parents[2] / "docs"
SEED = 1

FIELD = "random,greedy,expert"
# game, players, agents, deals at each table
LADDERS: list[tuple[str, int, str, int]] = [
    ("lanterns", 2, FIELD, 256),
    ("lanterns", 3, FIELD, 128),
    ("lanterns", 4, FIELD, 128),
    ("lumen", 3, FIELD, 64),
    ("lumen", 4, FIELD, 64),
    ("lumen", 5, FIELD, 64),
    ("lighthouse", 2, FIELD, 128),
    ("lighthouse", 3, FIELD, 64),
    ("lighthouse", 4, FIELD, 64),
]
# game, players, agents, deals at most, the win share at which it is asked "above or below?" (None: all deals)
MATCHES: list[tuple[str, int, str, int, float | None]] = [
    ("lanterns", 2, "greedy,random", 1000, None),
    ("lumen", 3, "greedy,random", 700, None),
    ("lighthouse", 2, "greedy,random", 1000, None),
    ("lanterns", 2, "expert,greedy", 1000, None),
    ("lanterns", 3, "expert,greedy", 700, None),
    ("lanterns", 4, "expert,greedy", 500, None),
    ("lumen", 3, "expert,greedy", 700, None),
    ("lumen", 4, "expert,greedy", 500, None),
    ("lighthouse", 2, "expert,greedy", 1000, None),
    ("lanterns", 2, "search:2000,expert", 200, 0.55),
    ("lanterns", 4, "search:2000,expert", 100, 0.2875),
    ("lumen", 3, "search:2000,expert", 133, 0.3833),
    ("lumen", 4, "search:2000,expert", 100, 0.2875),
    ("lighthouse", 2, "search:2000,expert", 100, 0.55),
    ("lanterns", 2, "search:400+champion,champion", 250, None),
]

HEAD = """# Results

<!-- written by make ladder -->

Matches between the agents of this package. How they are played, and how to play your own: [matches](guides/matches.md).
Every deal is played once from every seat; in brackets 95 % intervals over deals; n is the number of games.
Ratings are on Elo's scale (400 more is ten times as strong), with `random` at 0.
"""
RATINGS = ["| agent | rating | win share of a seat | points | place | n (seats) |", "|---|--:|--:|--:|--:|--:|"]
DUELS = [
    "| game, players | match | win share of the first | fair | its margin | n |",
    "|---|---|--:|--:|--:|--:|",
]
SEPARATED = "ahead of all, or behind all, in every game"


def ladder(folder: pathlib.Path, game: str, players: int, agents: str, deals: int, workers: int | None) -> list[str]:
    """The lines of one ladder."""
    file = folder / "results" / f"ladder-{game}-{players}.json"
    invited = agents.split(",")
    data = kept(file, {"kind": "ladder", **settings(GAMES[game], players, deals, SEED)})
    if data is None or {*data["agents"], *data["skipped"]} != set(invited):
        check_target(file)
        print(f"{GAMES[game].title}, {players} players: {', '.join(invited)}", file=sys.stderr)
        result = play_ladder(game, invited, players, deals, SEED, workers)
        if not result.complete:
            raise KeyboardInterrupt
        result.save(file)
        data = read_json(file)
    picture = f"images/ratings-{game}-{players}.svg"
    write_picture(rating_picture([SimpleNamespace(**row) for row in data["results"]]), folder / picture)
    words = f"lanterns ladder --game {game} --players {players} --agents {','.join(data['agents'])}"
    words += f" --deals {deals} --seed {SEED}{chunk_words(data)}"
    return [
        f"\n## {GAMES[game].title}, {players} players\n",
        f"{data['games']} games, {data['games_truncated']} of them truncated.\n",
        f"![Ratings]({picture})\n",
        *RATINGS,
        *(rated(row) for row in data["results"]),
        *skipped(data["skipped"]),
        *folded("Command", [words]),
    ]


def rated(row: dict[str, Any]) -> str:
    """A line of a ladder's table."""
    cells = [
        code(row["agent"]),
        SEPARATED if row["separated"] else figure(row["rating"], row["interval"], ".0f"),
        figure(row["win_share"], row["win_share_interval"], ".3f"),
        figure(row["mean_points"], row["points_interval"], ".1f"),
        figure(row["mean_place"], row["place_interval"], ".2f"),
        str(row["seats"]),
    ]
    return f"| {' | '.join(cells)} |"


def skipped(reasons: dict[str, str]) -> list[str]:
    lines = [f"{code(agent)} does not play here: {code(reason)}." for agent, reason in reasons.items()]
    return ["", *lines] if lines else []


def match(
    folder: pathlib.Path, game: str, players: int, agents: str, deals: int, until: float | None, workers: int | None
) -> tuple[str, str]:
    """The line of one match, and the command that plays it."""
    file = folder / "results" / f"match-{game}-{players}-{re.sub('[^a-z0-9.]+', '-', agents)}.json"
    data = kept_match(file, GAMES[game], agents.split(","), players, deals, SEED, workers, until)
    first = data["results"][0]
    cells = [
        f"{GAMES[game].title}, {players}",
        f"{code(first['agent'])} against {', '.join(map(code, data['agents'][1:]))}",
        figure(first["win_share"], first_interval(data), ".3f"),
        f"{1 / players:.3f}",
        figure(first["mean_margin"], first["margin_interval"], "+.1f"),
        str(data["games"]),
    ]
    return f"| {' | '.join(cells)} |", command(data)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, help="at every table, instead of each ladder's and match's own number")
    parser.add_argument("--folder", type=pathlib.Path, default=DOCS, help="where the page and its files go")
    parser.add_argument("--workers", type=int, help="(default: one a core)")
    args = parser.parse_args(arguments)
    for name in ("results", "images"):
        (args.folder / name).mkdir(parents=True, exist_ok=True)
    page = args.folder / "results.md"
    check_target(page)
    try:
        matches = [
            match(args.folder, game, players, agents, args.deals or deals, until, args.workers)
            for game, players, agents, deals, until in MATCHES
        ]
        lines = [HEAD, "## Matches\n", *DUELS, *(line for line, _ in matches)]
        lines += folded("Commands", [words for _, words in matches])
        for game, players, invited, deals in LADDERS:
            lines += ladder(args.folder, game, players, invited, args.deals or deals, args.workers)
    except KeyboardInterrupt:
        print("interrupted: the next run goes on from here; the page is as it was", file=sys.stderr)
        return 1
    write_whole(page, "\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
