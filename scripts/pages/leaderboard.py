"""Write docs/leaderboard.md from the scores in docs/results/scores: nothing is played.

    python scripts/pages/leaderboard.py

A score of the panel of this package is read with all checks.  Scores of other panels are shown apart, as they are.
"""

import pathlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from results_cache import code, columns, figure, folded

from lanterns_env import GAMES
from lanterns_env.score.panel import Panel, installed, key_of
from lanterns_env.score.protocol import ALONE, AMONG, OVERALL, Protocol, Where
from lanterns_env.score.rating import Meeting, Rating, mean_rating, rate
from lanterns_env.score.result import ScoreResult
from lanterns_env.score.saved import read_score
from lanterns_env.support.files import check_checksum, printable, read_json, write_whole

DOCS = pathlib.Path(__file__).parents[2] / "docs"
RUNS = 3  # of a trained agent, at least
MILLION = 1_000_000

HEAD = """# Leaderboard

<!-- written by make leaderboard -->

How strong agents are, by the standard benchmark: [what it measures, and how to send a result in](guides/score.md).
`expert` has {zero} points; 400 points more are ten times the odds of winning against one opponent. A rating is the mean
over the tables of a game, the overall one the mean over the games; in brackets 95 % intervals. Where several runs of
one method were sent in it is their mean, in brackets the weakest and the strongest.

Results of different panels say nothing about each other. The time for a decision is that of the machine that the file
names.
"""
PREVIEW_NOTE = """A preview: its champion will be replaced, and its results with it. Version 1 is the first to be kept.
"""
PLACED_NOTE = "{} {} placed by what the other members of the panel won against them; their time is not known."
TOO_FEW = "* fewer than {} runs with different training seeds."
COLUMNS = (
    "agent",
    "trained for",
    "runs",
    "over all",
    *(GAMES[name].title for name in Protocol().games),
    "ms per move",
    "size",
)


@dataclass(frozen=True)
class Entry:
    """A line: the runs of one method, trained for as many decisions, or an agent that was not trained."""

    name: str
    decisions: int | None
    runs: tuple[Mapping[str, Any], ...]

    @property
    def words(self) -> str:
        few = self.decisions and len(self.runs) < RUNS
        return f"{self.name}{'*' if few else ''}"

    @property
    def strength(self) -> tuple[bool, float]:
        """What the lines are sorted by: those without a rating over all come last."""
        means = [self.mean(name) for name in (OVERALL, *Protocol().games)]
        known = [mean for mean in means if mean is not None]
        return means[0] is not None, known[0] if known else 0.0

    def mean(self, name: str) -> float | None:
        found = [run["ratings"][name]["rating"] for run in self.runs if name in run["ratings"]]
        return sum(found) / len(found) if len(found) == len(self.runs) else None

    def cell(self, name: str) -> str:
        mean = self.mean(name)
        if mean is None:
            return "–"  # noqa: RUF001
        values = [run["ratings"][name]["rating"] for run in self.runs]
        spread = (min(values), max(values)) if len(values) > 1 else self.runs[0]["ratings"][name]["interval"]
        return figure(mean, spread, ".0f")


def entries(scores: Iterable[Mapping[str, Any]]) -> list[Entry]:
    """The strongest first."""
    groups: dict[tuple[str, int | None], list[Mapping[str, Any]]] = {}
    for data in scores:
        name = printable(data["method"]) or code(data["agent"])
        groups.setdefault((name, data.get("decisions")), []).append(data)
    made = [Entry(name, decisions, tuple(runs)) for (name, decisions), runs in groups.items()]
    return sorted(made, key=lambda entry: entry.strength, reverse=True)


def line(entry: Entry) -> str:
    cells = [
        entry.words,
        "" if entry.decisions is None else f"{entry.decisions / MILLION:g} M",
        str(len(entry.runs)),
        *(entry.cell(name) for name in (OVERALL, *Protocol().games)),
        speed(entry.runs),
        ", ".join(sorted({run["size"] for run in entry.runs})),
    ]
    return f"| {' | '.join(cells)} |"


def speed(runs: Sequence[Mapping[str, Any]]) -> str:
    """Milliseconds for a decision."""
    matches = [each for run in runs for each in run["records"].values()]
    decisions = sum(each["decisions"] for each in matches)
    return f"{1000 * sum(each['seconds'] for each in matches) / decisions:.3f}" if decisions else ""


def table_lines(found: Sequence[Entry]) -> list[str]:
    """Every table by itself, of the first run of each line."""
    keys = [key_of(where) for where in Protocol().tables]
    names = [f"{GAMES[game].title}, {players}" for game, players in Protocol().tables]
    lines = columns(["table", *(entry.name for entry in found)])
    for key, name in zip(keys, names, strict=True):
        cells = [entry.runs[0]["tables"].get(key) for entry in found]
        lines.append(f"| {name} | {' | '.join(map(table_cell, cells))} |")
    return lines


def table_cell(found: Mapping[str, Any] | None) -> str:
    if found is None:
        return "–"  # noqa: RUF001
    return figure(found["rating"], found["interval"], ".0f") + (" †" if found["bounded"] else "")


# -- members without a score of their own ---------------------------------------------------------------------


def placed(panel: Panel, member: str, results: Sequence[ScoreResult]) -> dict[str, Any]:
    """A member without a score of its own, as the others' scores have it."""
    protocol = results[0].protocol
    whole = [where for where in protocol.tables if all(where in result.tables for result in results)]
    meetings = {where: reversed_meetings(panel, member, results, where) for where in whole}
    tables = {where: rate(where[1], found) for where, found in meetings.items()}
    complete = [
        name for name in protocol.games if all(where in tables for where in protocol.tables if where[0] == name)
    ]
    ratings = {name: mean_rating([tables[where] for where in tables if where[0] == name]) for name in complete}
    if complete == protocol.games:
        ratings[OVERALL] = mean_rating(list(ratings.values()))
    return {
        "agent": member,
        "method": "",
        "size": "default",
        "complete": True,
        "ratings": {name: rated(each) for name, each in ratings.items()},
        "tables": {
            key_of(where): {**rated(each), "bounded": bounded(meetings[where])} for where, each in tables.items()
        },
        "records": {},
    }


def bounded(meetings: Sequence[Meeting]) -> bool:
    """Whether everything was won, or nothing."""
    sides = [side for each in meetings for side in (each.alone, each.among) if side is not None]
    shares = np.concatenate(sides)
    return bool(np.ptp(shares) == 0 and shares[0] in (0, 1))


def reversed_meetings(panel: Panel, member: str, results: Sequence[ScoreResult], where: Where) -> list[Meeting]:
    """Who is alone on one side is one among many on the other."""
    meetings = []
    for result in results:
        sides = {each.side: result.tallies[each.key] for each in result.contests(where) if each.member == member}
        shares = [1 - sides[side].per_deal for side in (AMONG, ALONE) if side in sides]
        strength = panel.strengths[where][result.subject.agent]
        meetings.append(Meeting(strength, shares[0], shares[1] if len(shares) > 1 else None))
    return meetings


def rated(rating: Rating) -> dict[str, Any]:
    return {"rating": rating.value, "interval": rating.interval}


# -- the page -------------------------------------------------------------------------------------------------


def page(folder: pathlib.Path, panel: Panel) -> str:
    own, others = scores(folder, panel)
    members = [result for result in own.values() if result.subject.agent in result.protocol.members]
    listed = [result.to_json() for result in own.values()]
    scored = {result.subject.agent for result in members}
    if members:
        listed += [placed(panel, each, members) for each in Protocol().members if each not in scored]
    lines = [HEAD.format(zero=f"{1000:,}"), *section(panel.words, panel.version == 0, listed)]
    for name, found in others.items():
        lines += section(f"panel {name}", False, found)
    files = [file for file, result in own.items() if result.complete]
    lines += folded("Commands", [command(own[file], file) for file in files]) if files else []
    return "\n".join(lines) + "\n"


def scores(
    folder: pathlib.Path, panel: Panel
) -> tuple[dict[pathlib.Path, ScoreResult], dict[str, list[dict[str, Any]]]]:
    """Those of this panel by their files, and those of others by the name of the panel."""
    own, others = {}, {}
    for file in sorted(folder.rglob("*.json")):
        data = read_json(file)
        check_checksum(data, str(file))
        if data["panel"] == panel.name:
            own[file] = read_score(file)
        else:
            others.setdefault(data["panel"], []).append(data)
    return own, others


def section(title: str, preview: bool, listed: Sequence[Mapping[str, Any]]) -> list[str]:
    found = entries(listed)
    lines = [f"\n## {title[0].upper()}{title[1:]}\n", *([PREVIEW_NOTE] if preview else []), *columns(COLUMNS)]
    lines += [line(entry) for entry in found]
    absent = [entry.name for entry in found if not entry.runs[0]["records"]]
    notes = [PLACED_NOTE.format(" and ".join(absent), "are" if len(absent) > 1 else "is")] if absent else []
    cut = [entry.name for entry in found if not all(run["complete"] for run in entry.runs)]
    notes += [f"Not played to the end: {', '.join(cut)}."] if cut else []
    notes += [TOO_FEW.format(RUNS)] if any(entry.words.endswith("*") for entry in found) else []
    lines += ["", *notes, "\n### Table by table\n", *table_lines(found)]
    bounded = any(each["bounded"] for entry in found for each in entry.runs[0]["tables"].values())
    return [*lines, "", *(["† It won everything there, or nothing: the rating is a bound."] if bounded else [])]


def command(result: ScoreResult, file: pathlib.Path) -> str:
    words = f"lanterns score {result.subject.agent}" + (" --full" if result.size == "full" else "")
    return f"{words} --json {file.name}"


def main() -> int:
    write_whole(DOCS / "leaderboard.md", page(DOCS / "results" / "scores", installed()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
