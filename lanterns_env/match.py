"""Agents against agents: deals in pairs, seats rotated, intervals over deals, on all cores.

    result = play_match("lanterns", ["greedy", "random"], num_players=2, deals=500, seed=1)
    result.rows[0].win_share, result.rows[0].interval

The same settings give the same numbers on any number of processes.
"""

import json
import math
import pathlib
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.agent import Given, name_of
from lanterns_env.chairs import Limits, limits_of
from lanterns_env.game import Game
from lanterns_env.playing import (
    FORMAT,
    INTERRUPTED,
    Chunk,
    Forfeit,
    Match,
    make_match,
    play_task,
    tasks_of,
    whole_chunks,
)
from lanterns_env.results import Difference, Records, Row, deal_means, differences, rows, save_json
from lanterns_env.sequential import ConfidenceSequence, Stop
from lanterns_env.workers import WorkerLost, check_processes, in_order

NORMAL = 1.96  # standard errors of half a 95 % interval
NOT_COMPARED = ("version", "complete", "why_incomplete", "deals", "timing")  # when a match has been played again
GIVEN = "an agent was given as an object, and cannot be loaded again by its name"


@dataclass(frozen=True)
class Progress:
    """Of a running match."""

    deals: int  # played
    of: int
    agent: str
    win_share: float  # of the first agent so far
    error: float  # half an interval, roughly


@dataclass
class MatchResult:
    """What a match brought; ``complete`` unless ``why_incomplete`` says otherwise."""

    match: Match
    records: Records
    forfeits: list[Forfeit]  # games lost by agents that could not go on
    why_incomplete: str
    stop: Stop | None  # where the match was to stop once decided
    seconds: float  # of the whole match
    thinking: NDArray[np.float64]  # seconds of every agent, over all processes
    processes: int
    limits: Limits | None = None  # of agents in processes of their own
    given: str = ""  # why agents that were given as objects keep the match from being played again

    @property
    def complete(self) -> bool:
        return not self.why_incomplete

    @property
    def why_not_reproducible(self) -> str:
        """Empty where the same settings always give the same numbers."""
        if self.forfeits:
            return f"{len(self.forfeits)} games were forfeited"
        return self.given or self.match.why_not_reproducible

    @cached_property
    def rows(self) -> list[Row]:
        return rows(self.records, self.match.agents, self.match.seatings, self.match.seed)

    @cached_property
    def differences(self) -> list[Difference]:
        return differences(self.records, self.match.agents, self.match.seatings, self.match.seed)

    @property
    def question(self) -> str:
        """What the sequential stop has to say, in words; empty where the match was not to stop early."""
        if self.stop is None:
            return ""
        low, high = self.stop.interval
        shares = f"{self.stop.threshold:.3g} (interval at the stop {low:.3f} to {high:.3f}, {self.stop.deals} deals)"
        if not self.stop.decided:
            return f"not decided whether the win share of {self.match.agents[0]} is above or below {shares}"
        side = "above" if low > self.stop.threshold else "below"
        return f"decided: the win share of {self.match.agents[0]} is {side} {shares}"

    def to_json(self) -> dict[str, Any]:
        match = self.match
        return {
            "kind": "match",
            **match.to_json(),
            "seatings": match.seatings.tolist(),
            "deals_played": len(self.records),
            "games": int(self.records.cut.size),
            "games_cut": int(self.records.cut.sum()),
            "complete": self.complete,
            "why_incomplete": self.why_incomplete,
            "reproducible": not self.why_not_reproducible,
            "why_not_reproducible": self.why_not_reproducible,
            "until": match.until,
            "stop": self.stop.to_json() if self.stop else None,
            "results": [row.to_json() for row in self.rows],
            "differences": [difference.to_json() for difference in self.differences],
            "forfeits": [forfeit.to_json() for forfeit in self.forfeits],
            "timing": {
                "seconds": self.seconds,
                "processes": self.processes,
                "limits": asdict(self.limits) if self.limits else None,
                "games_per_second": self.records.cut.size / self.seconds,
                "thinking_seconds": self.thinking.tolist(),
                "ms_per_move": self.ms_per_move,
            },
            "records": self.records.to_json(),
        }

    def save(self, file: str | pathlib.Path) -> None:
        save_json(self.to_json(), file)

    @property
    def ms_per_move(self) -> list[float]:
        """Of every agent."""
        moves = [self.records.decisions[:, self.match.seatings == k].sum() for k in range(len(self.match.agents))]
        return [1000 * float(spent) / max(1, int(count)) for spent, count in zip(self.thinking, moves, strict=True)]


def play_match(
    game: str | Game,
    agents: Sequence[Given],
    num_players: int | None = None,
    deals: int = 500,
    seed: int = 0,
    processes: int | None = None,
    until: float | str | None = None,
    progress: Callable[[Progress], None] | None = None,
    secret: str | None = None,
    isolate: bool = False,
    move_seconds: float | None = None,
    **options: Any,
) -> MatchResult:
    """Play agents against each other, given by their names, as objects, or as functions that make one.

    Every seat of every deal has an agent of its own: objects are copied as they were given, functions called.

    ``until`` is a win share, or "fair": the match stops once the first agent's is known to be above or below.
    ``secret`` is a key that the deals follow from beside the seed, or "random" for one by chance.
    ``isolate`` gives every agent of every seat a process of its own, which is sent what that seat may know; if it
    crashes, or takes longer than ``move_seconds`` for a decision (which isolates too), it loses that game.
    Ctrl-C stops a match; what has been played is the result, which says that it is not complete.
    """
    match = make_match(game, [name_of(agent) for agent in agents], num_players, deals, seed, until, secret, **options)
    limits = limits_of(isolate, move_seconds)
    if all(isinstance(agent, str) for agent in agents):
        return run(match, processes, progress, limits=limits)
    if processes not in (None, 1):
        raise ValueError("agents given as objects play in this process: leave processes at 1, or name the agents")
    return run(match, 1, progress, agents, limits)


def run(
    match: Match,
    processes: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    agents: Sequence[Given] | None = None,
    limits: Limits | None = None,
) -> MatchResult:
    """Play a match chunk by chunk.  Agents, if they are given, cannot be loaded again by their names."""
    tasks = [task for number in match.chunks for task in tasks_of(match, number, limits, agents)]
    workers = min(check_processes(processes), len(tasks))
    sequence = None if match.until is None else ConfidenceSequence(match.until)
    begin, why_incomplete = time.perf_counter(), ""
    chunks: list[Chunk] = []
    shares: list[NDArray[np.float64]] = []  # of the first agent, deal by deal
    with closing(in_order(play_task, tasks, workers)) as played:
        try:
            for chunk in whole_chunks(tasks, played):
                shares.append(deal_means(chunk.records.shares, match.seatings == 0))
                if sequence:
                    sequence.add(shares[-1])
                chunks.append(chunk)
                if progress:
                    progress(_progress(match, np.concatenate(shares)))
                if sequence and sequence.decided:
                    break
        except (KeyboardInterrupt, WorkerLost) as error:
            if not chunks:
                raise
            why_incomplete = str(error) or INTERRUPTED
    return MatchResult(
        match=match,
        records=Records.join(chunk.records for chunk in chunks),
        forfeits=[forfeit for chunk in chunks for forfeit in chunk.forfeits],
        why_incomplete=why_incomplete,
        stop=sequence.stop() if sequence else None,
        seconds=time.perf_counter() - begin,
        thinking=np.sum([chunk.seconds for chunk in chunks], axis=0),
        processes=workers,
        limits=limits,
        given=GIVEN if agents else "",
    )


def _progress(match: Match, shares: NDArray[np.float64]) -> Progress:
    error = NORMAL * float(shares.std()) / math.sqrt(len(shares))
    return Progress(len(shares), match.deals, match.agents[0], float(shares.mean()), error)


# -- kept as JSON, and played again ---------------------------------------------------------------------------


def read(file: str | pathlib.Path) -> MatchResult:
    """A saved result; its figures are drawn from its records anew."""
    try:
        data = json.loads(pathlib.Path(file).read_text())
        return _from_json(data)
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}") from None
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(f"{file} is no saved match: {type(error).__name__}: {error}") from None


def _from_json(data: dict[str, Any]) -> MatchResult:
    if data["kind"] != "match" or data["format"] != FORMAT:
        raise KeyError(f"kind {data['kind']!r}, format {data['format']!r}")
    match = make_match(
        data["game"],
        data["agents"],
        data["players"],
        data["deals"],
        data["seed"],
        data["until"],
        data["secret"],
        data["chunk"],
        **data["options"],
    )
    if match.game.layout != data["layout"]:
        raise ValueError(f"{match.game.title} has another version or layout now than in the saved match")
    stop, timing = data["stop"], data["timing"]
    return MatchResult(
        match=match,
        records=Records.from_json(data["records"]),
        forfeits=[Forfeit(**forfeit) for forfeit in data["forfeits"]],
        why_incomplete=data["why_incomplete"],
        stop=Stop(**{**stop, "interval": tuple(stop["interval"])}) if stop else None,
        seconds=timing["seconds"],
        thinking=np.array(timing["thinking_seconds"]),
        processes=timing["processes"],
        limits=Limits(**timing["limits"]) if timing["limits"] else None,
        given=GIVEN if data["why_not_reproducible"] == GIVEN else "",
    )


def play_again(
    saved: MatchResult,
    processes: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    limits: Limits | None = None,
) -> MatchResult:
    """The match of a saved result once more; of an interrupted one the deals that were played."""
    if saved.why_not_reproducible:
        raise ValueError(f"this match cannot be played again to the same numbers: {saved.why_not_reproducible}")
    match = saved.match if saved.complete else replace(saved.match, deals=len(saved.records))
    return run(match, processes, progress, limits=limits)


def first_difference(one: MatchResult, other: MatchResult) -> str:
    """Where two results differ, in words; empty if they are the same."""
    left, right = (json.loads(json.dumps(result.to_json())) for result in (one, other))
    return _differing("", *({k: v for k, v in side.items() if k not in NOT_COMPARED} for side in (left, right)))


def _differing(path: str, left: Any, right: Any) -> str:
    if isinstance(left, dict) and isinstance(right, dict) and left.keys() == right.keys():
        return next(filter(None, (_differing(f"{path}.{key}".lstrip("."), left[key], right[key]) for key in left)), "")
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        pairs = enumerate(zip(left, right, strict=True))
        return next(filter(None, (_differing(f"{path}[{k}]", *pair) for k, pair in pairs)), "")
    return "" if left == right else f"{path}: {left!r} before, {right!r} now"
