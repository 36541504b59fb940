"""Matches between agents: the same deals from every seat, intervals over deals; any number of processes plays alike."""

import json
import pathlib
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.agent import Given, check_trusted, frozen, names_of
from lanterns_env.engine.game import Game
from lanterns_env.match.agent_files import check_same, digests
from lanterns_env.match.chairs import Limits, limits_of
from lanterns_env.match.playing import Chunk, Forfeit, Match, make_match, tasks_of
from lanterns_env.match.progress import Show, Standing, play_tasks
from lanterns_env.match.recording import game_file
from lanterns_env.match.report import counted, report_of_match
from lanterns_env.match.shelf import check_goes_on, open_shelf
from lanterns_env.match.statistics import Difference, Records, Row, deal_means, differences, rows, save_json
from lanterns_env.match.stopping import ConfidenceSequence, Stop
from lanterns_env.match.workers import check_workers
from lanterns_env.support.files import Path, printable

NOT_COMPARED = ("version", "complete", "why_incomplete", "deals", "timing")  # when a match has been played again
GIVEN = "an agent was given as an object, and cannot be loaded again by its name"


@dataclass(repr=False)
class MatchResult:
    """The result of a match.  ``print`` shows its table, and so does a notebook.

    Attributes:
        match: The settings.
        records: Shares of the win, points and decisions of every seat in every game.
        forfeits: Games lost by agents that crashed, took too long or gave no legal action.
        why_incomplete: Why not all deals were played; empty if all were.
        stop: The sequential test, where the match was to stop once decided.
        seconds: Of the whole match.
        thinking: Seconds that each agent took, over all processes.
        workers: How many processes played.
        limits: Of isolated agents.
        given: Why agents given as objects keep the match from being reproduced; empty if none were.
    """

    match: Match
    records: Records
    forfeits: list[Forfeit]
    why_incomplete: str
    stop: Stop | None
    seconds: float
    thinking: NDArray[np.float64]
    workers: int
    limits: Limits | None = None
    given: str = ""

    def __repr__(self) -> str:
        agents, deals = printable(", ".join(self.match.agents)), counted(len(self.records), "deal")
        return f"<MatchResult: {self.match.game.title}, {agents}, {deals}{'' if self.complete else ', not complete'}>"

    def __str__(self) -> str:
        return str(report_of_match(self))

    def _repr_html_(self) -> str:
        return report_of_match(self).html()

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
        """The figures of each agent, in the order in which they were named."""
        return rows(self.records, self.match.agents, self.match.seatings, self.match.seed)

    @cached_property
    def differences(self) -> list[Difference]:
        return differences(self.records, self.match.agents, self.match.seatings, self.match.seed)

    @property
    def verdict(self) -> str:
        """The outcome of the sequential test in words; empty where the match was not to stop early."""
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
            "games": int(self.records.truncated.size),
            "games_truncated": int(self.records.truncated.sum()),
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
                "workers": self.workers,
                "limits": asdict(self.limits) if self.limits else None,
                "games_per_second": self.records.truncated.size / self.seconds,
                "thinking_seconds": self.thinking.tolist(),
                "ms_per_move": self.ms_per_move,
            },
            "records": self.records.to_json(),
        }

    def save(self, file: str | pathlib.Path) -> None:
        """Write JSON with a checksum; an older file stays until the new one is whole."""
        save_json(self.to_json(), file)

    @property
    def ms_per_move(self) -> list[float]:
        """Milliseconds that each agent took for a decision, on average."""
        moves = [self.records.decisions[:, self.match.seatings == k].sum() for k in range(len(self.match.agents))]
        return [1000 * float(spent) / max(1, int(count)) for spent, count in zip(self.thinking, moves, strict=True)]


def play_match(
    game: str | Game,
    agents: Sequence[Given],
    num_players: int | None = None,
    deals: int = 500,
    seed: int = 0,
    workers: int | None = None,
    until: float | str | None = None,
    progress: Show | None = None,
    record: Path | None = None,
    secret: str | None = None,
    isolate: bool = False,
    move_seconds: float | None = None,
    chunk: int | None = None,
    directory: Path | None = None,
    **options: Any,
) -> MatchResult:
    """Play every deal once in every rotation of the seats.

    Ctrl-C stops a match: the result has the chunks of deals that were whole, and says that it is not complete.
    ``KeyboardInterrupt`` is raised only if not one deal was played from every seat.

    Args:
        game: The name of a game, or a ``Game``.
        agents: Names, objects with ``act``, functions that make one, or models of stable-baselines3 as they are now.
            The first holds one seat, the others share the rest.  Every seat of every rotation gets its own.
        num_players: How many play; the game's default unless given.
        deals: How many deals are played, each once in every rotation.
        seed: The seed from which the deals and the agents' random numbers are derived.
        workers: How many processes play; by default one a core.  Agents given as objects play in this process.
        until: A win share, or "fair": the match stops once the first agent's is known to be above or below it.
        progress: Called with a ``Progress`` about twice a second; it may ``raise KeyboardInterrupt`` to stop the match.
        record: A file for all games, as replays, written when the match ends, also if it is stopped.
        secret: A key that the deals follow from beside the seed, or "random" to draw one.
        isolate: Whether each agent plays in a process of its own, given only what its seat may know.
        move_seconds: How long an isolated agent may take for a decision before it loses the game; isolates too.
        chunk: How many deals are played side by side and kept together.  By default the first chunk has one, and
            further ones have as many as were played before, up to a quarter of all and 256.
        directory: A folder for what has been played: the same match, begun again, goes on from there.
        **options: Rule variants of the game.
    """
    check_goes_on(directory, secret, agents)
    match = make_match(game, names_of(agents), num_players, deals, seed, until, secret, chunk, **options)
    limits = limits_of(isolate, move_seconds)
    if all(isinstance(agent, str) for agent in agents):
        match = replace(match, files=digests(match.agents))
        return run(match, workers, progress, None, limits, record, directory)
    if workers not in (None, 1):
        raise ValueError("agents given as objects play in this process: leave workers at 1, or name the agents")
    return run(match, 1, progress, [frozen(agent) for agent in agents], limits, record, directory)


def run(
    match: Match,
    workers: int | None = None,
    progress: Show | None = None,
    agents: Sequence[Given] | None = None,
    limits: Limits | None = None,
    record: Path | None = None,
    directory: Path | None = None,
) -> MatchResult:
    """Play a match chunk by chunk; ``agents`` are those that are not loaded by their names."""
    recorded = record is not None
    tasks = [task for number in match.chunks for task in tasks_of(match, number, limits, agents, recorded)]
    workers = min(check_workers(workers), len(tasks))
    sequence = None if match.until is None else ConfidenceSequence(match.until)
    begin, chunks = time.perf_counter(), list[Chunk]()

    def take(chunk: Chunk) -> bool:
        shares = deal_means(chunk.records.shares, match.seatings == 0)
        if sequence:
            sequence.add(shares)
        if games:
            games.add(match, len(chunks), chunk)
        chunks.append(chunk)
        standing.add(len(shares), chunk.records.truncated.size, shares)
        return sequence is not None and sequence.decided

    standing = Standing(progress, match.games, match.agents[0])
    with game_file(record) as games, open_shelf(directory, [match], limits) as shelf:
        why_incomplete = play_tasks(tasks, workers, standing, take, shelf)
    return MatchResult(
        match=match,
        records=Records.join(chunk.records for chunk in chunks),
        forfeits=[forfeit for chunk in chunks for forfeit in chunk.forfeits],
        why_incomplete=why_incomplete,
        stop=sequence.stop() if sequence else None,
        seconds=time.perf_counter() - begin,
        thinking=np.sum([chunk.seconds for chunk in chunks], axis=0),
        workers=workers,
        limits=limits,
        given=GIVEN if agents else "",
    )


# -- played again --------------------------------------------------------------------------------------------


def reproduce(
    saved: MatchResult,
    workers: int | None = None,
    progress: Show | None = None,
    trust: bool = False,
    limits: Limits | None = None,
    record: Path | None = None,
) -> MatchResult:
    """Play the match of a saved result once more: as many deals as the result holds.

    Args:
        saved: What ``read`` or ``play_match`` returned.
        workers: How many processes play; by default one a core.
        progress: Called with a ``Progress``, as by ``play_match``.
        trust: Whether to load agents of other packages, which are code: a file may come from anywhere.
        limits: Those of isolated agents, if the agents are to be isolated.
        record: A file for all games, as replays.
    """
    if saved.why_not_reproducible:
        raise ValueError(f"this match cannot be played again to the same numbers: {saved.why_not_reproducible}")
    if not trust:
        check_trusted(saved.match.agents)
    check_same(saved.match.files)
    result = run(replace(saved.match, deals=len(saved.records)), workers, progress, limits=limits, record=record)
    stopped = saved.complete and result.stop is not None and result.stop.decided
    return replace(result, match=saved.match) if stopped else result


def first_difference(one: MatchResult, other: MatchResult) -> str:
    """Where two results differ first, in words; empty if they are the same but for ``timing``."""
    left, right = (json.loads(json.dumps(result.to_json())) for result in (one, other))
    return _differing("", *({k: v for k, v in side.items() if k not in NOT_COMPARED} for side in (left, right)))


def _differing(path: str, left: Any, right: Any) -> str:
    if isinstance(left, dict) and isinstance(right, dict) and left.keys() == right.keys():
        return next(filter(None, (_differing(f"{path}.{key}".lstrip("."), left[key], right[key]) for key in left)), "")
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        pairs = enumerate(zip(left, right, strict=True))
        return next(filter(None, (_differing(f"{path}[{k}]", *pair) for k, pair in pairs)), "")
    return "" if left == right else f"{path}: {left!r} before, {right!r} now"
