"""Measure the panel of ``lanterns score``: its members meet each other, and their strengths become constants.

Three of the five are scored, so that nearly all pairs meet; what is there already is not played again, and the script
can be stopped and started again.  It writes lanterns_env/score/panel.json, and the scores into docs/results/scores.

    python scripts/panel.py              # plays what is missing, half an hour on two cores
    python scripts/panel.py --confirm 3  # after an edit that is to change no move: plays samples of the scores again;
                                         # if they go the same way, the panel keeps its name
"""

import argparse
import json
import pathlib
import re
import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lanterns_env.match.ratings import strengths
from lanterns_env.score.again import check_sample
from lanterns_env.score.members import name_of_panel, sources
from lanterns_env.score.panel import FILE, PREVIEW, Panel, key_of, panel_json, read_panel
from lanterns_env.score.playing import computed_with, play_score
from lanterns_env.score.protocol import ALONE, ANCHOR, Contest, Protocol, Where
from lanterns_env.score.result import ScoreResult
from lanterns_env.score.saved import read_score
from lanterns_env.support.files import sealed, write_whole

ROOT = pathlib.Path(__file__).parents[1]
SCORES = ROOT / "docs" / "results" / "scores"
KEPT = ROOT / "build" / "panel"
VERSION = PREVIEW
SCORED = ("greedy", "expert", "champion")  # the others meet them, not each other


def unmeasured(protocol: Protocol) -> Panel:
    """The members as they are now, all alike strong."""
    files = sources()
    level = {where: dict.fromkeys(protocol.members, 0.0) for where in protocol.tables}
    return Panel(name_of_panel(Protocol(), files), VERSION, (), files, level)


def measured(panel: Panel, results: Sequence[ScoreResult]) -> Panel:
    """The panel with the strengths that follow from the scores of its members."""
    protocol = results[0].protocol
    return replace(panel, strengths={where: fit(results, where) for where in protocol.tables})


def fit(results: Sequence[ScoreResult], where: Where) -> dict[str, float]:
    """The most likely strengths at a table, that of the anchor 0."""
    members = results[0].protocol.members
    seats, games, won = [], [], np.zeros(len(members))
    for result in results:
        for contest in result.contests(where):
            shares = result.tallies[contest.key].shares
            one, other = members.index(result.subject.agent), members.index(contest.member)
            seats.append(seated(contest, one, other, len(members)))
            games.append(shares.size)
            won[one] += shares.sum()
            won[other] += shares.size - shares.sum()
    logs = strengths(np.array(seats), np.array([games], np.float64), won[None])[0]
    return {member: float(logs[k] - logs[members.index(ANCHOR)]) for k, member in enumerate(members)}


def seated(contest: Contest, agent: int, member: int, members: int) -> list[float]:
    """How many seats each has."""
    alone, others = 1.0, contest.where[1] - 1.0
    taken = [0.0] * members
    taken[agent], taken[member] = (alone, others) if contest.side == ALONE else (others, alone)
    return taken


def matches(results: Sequence[ScoreResult]) -> dict[str, list[list[object]]]:
    """Of every table: who met whom, from which side, in how many games, and the share of the win of all its seats."""
    found: dict[str, list[list[object]]] = {}
    for result in results:
        for where in result.protocol.tables:
            for contest in result.contests(where):
                shares = result.tallies[contest.key].shares
                line = [result.subject.agent, contest.member, contest.side, shares.size, float(shares.mean())]
                found.setdefault(key_of(where), []).append(line)
    return found


def file_of(agent: str, folder: pathlib.Path) -> pathlib.Path:
    return folder / f"{re.sub('[^a-z0-9]+', '-', agent)}.json"


def measure(protocol: Protocol, target: pathlib.Path, scores: pathlib.Path, kept: pathlib.Path, workers: int) -> int:
    panel, results = unmeasured(protocol), []
    for member in SCORED:
        folder = kept / f"{panel.name}-{member}"
        print(f"{member}: {folder}", file=sys.stderr)
        result = play_score(member, workers=workers, directory=folder, panel=panel, protocol=protocol)
        if not result.complete:
            print("interrupted: the next run goes on from here", file=sys.stderr)
            return 1
        results.append(result)
    panel = measured(panel, results)
    more = {"command": "make panel", "versions": computed_with(), "matches": matches(results)}
    write_panel(panel, target, **more)
    for result in results:
        replace(result, panel=panel).save(file_of(result.subject.agent, scores))
    return 0


def write_panel(panel: Panel, target: pathlib.Path, **more: object) -> None:
    write_whole(target, compact(json.dumps(sealed(panel_json(panel, **more)), indent=1)) + "\n")


def compact(text: str) -> str:
    """Lists of plain values on one line each."""
    return re.sub(r"\[[^\[\]{}]*\]", lambda found: " ".join(found[0].split()), text)


def confirm(samples: int, target: pathlib.Path, scores: pathlib.Path, workers: int) -> int:
    """Whether the members decide as they did when they were measured: then the panel stays what it is."""
    panel, files = read_panel(target), sources()
    name = name_of_panel(Protocol(), files)
    if name in (panel.name, *panel.alike):
        print(f"nothing has changed since {panel.words} was measured")
        return 0
    alike = replace(panel, alike=(*panel.alike, name), files=files)
    for file in sorted(scores.glob("*.json")):
        saved = read_score(file, alike)
        if saved.subject.agent in saved.protocol.members:
            for seed in range(samples):
                games, difference = check_sample(saved, seed=seed, workers=workers)
                if difference:
                    print(f"{saved.subject.agent} is another now: {difference}; make panel measures all anew")
                    return 1
                print(f"{saved.subject.agent}: {games} games went the same way", file=sys.stderr)
    data = json.loads(target.read_text())
    write_panel(alike, target, **{key: data[key] for key in ("command", "versions", "matches")})
    return 0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--confirm", type=int, metavar="SAMPLES", help="of every score, at all tables")
    parser.add_argument("--workers", type=int, help="(default: one a core)")
    args = parser.parse_args(arguments)
    if args.confirm:
        return confirm(args.confirm, FILE, SCORES, args.workers)
    for folder in (SCORES, KEPT):
        folder.mkdir(parents=True, exist_ok=True)
    return measure(Protocol(), FILE, SCORES, KEPT, args.workers)


if __name__ == "__main__":
    sys.exit(main())
