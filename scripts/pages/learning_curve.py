"""What is kept of how a champion was trained: the evaluations of all runs that made it, docs/results/curve-GAME.json.

A run's evaluations come from its log.  Of runs without one (``"source": "picture"``) they were read off the picture
that the run had drawn, to about 0.005; ``""`` means that nothing was kept.
"""

import pathlib
from typing import Any

from lanterns_agents.training.logging import LOG, read_log

Phase = dict[str, Any]
LOGGED, PICTURE, LOST = "log", "picture", ""


def phases_of(run: pathlib.Path, card: dict[str, Any], kept: list[Phase]) -> list[Phase]:
    """All runs of a network, the first one first: from their logs beside this run's, or as they were kept."""
    before = [
        phase_of(run.parent / trained["config"]["run_name"], trained, kept) for trained in card["initialised_from"]
    ]
    return [*before, phase_of(run, card, [])]


def phase_of(run: pathlib.Path, trained: dict[str, Any], kept: list[Phase]) -> Phase:
    """One run."""
    name, decisions = trained["config"]["run_name"], trained["decisions"]
    phase = {"name": name, "minutes": trained["seconds"] / 60, "decisions": decisions}
    if (run / LOG).is_file():
        lines = [line for line in read_log(run / LOG) if "results" in line]
        evaluations = [{"minutes": line["minutes"], "results": line["results"]} for line in lines]
        return {**phase, "source": LOGGED, "evaluations": evaluations}
    same = [each for each in kept if (each["name"], each["decisions"]) == (name, decisions)]
    return same[0] if same else {**phase, "source": LOST, "evaluations": []}


def with_matches(phases: list[Phase], results: list[dict[str, Any]]) -> list[Phase]:
    """With the matches of the finished network in the place of its last evaluation."""
    *before, last = phases
    shares = {f"{each['agents'][1]} {each['players']}p": [each["win_share"], *each["interval"]] for each in results}
    return [
        *before,
        {**last, "evaluations": [*last["evaluations"][:-1], {"minutes": last["minutes"], "results": shares}]},
    ]
