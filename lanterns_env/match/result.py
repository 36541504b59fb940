"""Matches between agents: the same deals from every seat, intervals over deals; any number of processes plays alike."""

import json
import math
import os
import pathlib
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.agent import Given, check_trusted, frozen, names_of
from lanterns_env.engine.files import check_checksum, check_fields, read_json
from lanterns_env.engine.game import Game
from lanterns_env.games import find_game
from lanterns_env.match.agent_files import check_digests, check_same, digests
from lanterns_env.match.chairs import Limits, limits_of
from lanterns_env.match.playing import (
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
from lanterns_env.match.statistics import Difference, Records, Row, deal_means, differences, rows, save_json
from lanterns_env.match.stopping import ConfidenceSequence, Stop
from lanterns_env.match.workers import WorkerLost, check_workers, in_order

NORMAL = 1.96  # standard errors of half a 95 % interval
NOT_COMPARED = ("version", "complete", "why_incomplete", "deals", "timing")  # when a match has been played again
GIVEN = "an agent was given as an object, and cannot be loaded again by its name"
NEEDED = {  # in the file of a match, beside records and figures
    "game": str,
    "layout": str,
    "players": int,
    "options": dict,
    "agents": list,
    "seed": int,
    "deals": int,
    "chunk": int,
    "complete": bool,
    "why_incomplete": str,
    "why_not_reproducible": str,
    "forfeits": list,
    "timing": dict,
}
MOST_SECONDS = 1e9  # that a match can have taken


@dataclass(frozen=True)
class Progress:
    """How a running match stands."""

    deals: int  # played
    of: int  # deals of the whole match
    agent: str
    win_share: float  # of the first agent so far
    error: float  # about half of a 95 % interval


@dataclass
class MatchResult:
    """The result of a match.

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
    progress: Callable[[Progress], None] | None = None,
    secret: str | None = None,
    isolate: bool = False,
    move_seconds: float | None = None,
    **options: Any,
) -> MatchResult:
    """Play every deal once in every rotation of the seats.  Ctrl-C stops a match, and its result says so.

    Args:
        game: The name of a game, or a ``Game``.
        agents: Names, objects with ``act``, functions that make one, or models of stable-baselines3 as they are now.
            The first holds one seat, the others share the rest.  Every seat of every rotation gets its own.
        num_players: How many play; the game's default unless given.
        deals: How many deals are played, each once in every rotation.
        seed: Where the deals and the agents' random numbers follow from.
        workers: How many processes play; by default one a core.  Agents given as objects play in this process.
        until: A win share, or "fair": the match stops once the first agent's is known to be above or below it.
        progress: Called with a ``Progress`` after every chunk of deals.
        secret: A key that the deals follow from beside the seed, or "random" to draw one.
        isolate: Whether each agent plays in a process of its own, given only what its seat may know.
        move_seconds: How long an isolated agent may take for a decision before it loses the game; isolates too.
        **options: Rule variants of the game.
    """
    match = make_match(game, names_of(agents), num_players, deals, seed, until, secret, **options)
    limits = limits_of(isolate, move_seconds)
    if all(isinstance(agent, str) for agent in agents):
        return run(replace(match, files=digests(match.agents)), workers, progress, limits=limits)
    if workers not in (None, 1):
        raise ValueError("agents given as objects play in this process: leave workers at 1, or name the agents")
    return run(match, 1, progress, [frozen(agent) for agent in agents], limits)


def run(
    match: Match,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    agents: Sequence[Given] | None = None,
    limits: Limits | None = None,
) -> MatchResult:
    """Play a match chunk by chunk; ``agents`` are those that are not loaded by their names."""
    tasks = [task for number in match.chunks for task in tasks_of(match, number, limits, agents)]
    workers = min(check_workers(workers), len(tasks))
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
        workers=workers,
        limits=limits,
        given=GIVEN if agents else "",
    )


def _progress(match: Match, shares: NDArray[np.float64]) -> Progress:
    error = NORMAL * float(shares.std()) / math.sqrt(len(shares))
    return Progress(len(shares), match.deals, match.agents[0], float(shares.mean()), error)


# -- kept as JSON, and played again ---------------------------------------------------------------------------


def read(file: str | pathlib.Path) -> MatchResult:
    """A saved result.  Its figures are computed anew from its records; a damaged file raises ``ValueError``."""
    name, data = os.fspath(file), read_json(file)
    check_checksum(data, name)
    if (data.get("kind"), data.get("format")) != ("match", FORMAT):
        kind = f"kind {data.get('kind')!r:.40}, format {data.get('format')!r:.40}"
        raise ValueError(f"{name} is no saved match of format {FORMAT}: {kind}")
    check_fields(data, NEEDED, name)
    try:
        return _from_json(data)
    except ValueError as error:
        raise ValueError(f"{name} is no sound match: {error}") from None


def _from_json(data: dict[str, Any]) -> MatchResult:
    match = _settings(data)
    records = Records.from_json(data.get("records"), len(match.seatings), match.num_players)
    seconds, thinking, workers = _timing(data["timing"], len(match.agents))
    result = MatchResult(
        match=match,
        records=records,
        forfeits=[_forfeit(each, match, len(records)) for each in data["forfeits"]],
        why_incomplete=data["why_incomplete"],
        stop=_stop(match, records),
        seconds=seconds,
        thinking=thinking,
        workers=workers,
        given=GIVEN if data["why_not_reproducible"] == GIVEN else "",
    )
    _check_counts(data, result)
    return result


def _settings(data: dict[str, Any]) -> Match:
    """The settings of the match, if it can still be played."""
    game, agents, until = find_game(data["game"]), data["agents"], data.get("until")
    if any(type(agent) is not str for agent in agents):
        raise ValueError(f"agents must be texts, not {agents!r:.40}")
    if until is not None and type(until) not in (int, float):
        raise ValueError(f"'until' must be a win share, not {until!r:.40}")
    options = game.check_options(game.check_players(data["players"]), data["options"])
    if game.layout != data["layout"]:
        raise ValueError(f"{game.title} has another version or layout now than in the saved match")
    more = {"until": until, "secret": data.get("secret"), "chunk": data["chunk"], **options}
    match = make_match(game, agents, data["players"], data["deals"], data["seed"], **more)
    return replace(match, files=check_digests(data.get("files", {})))


def _forfeit(data: Any, match: Match, deals: int) -> Forfeit:
    kinds = {each.name: str if each.name in ("agent", "reason") else int for each in fields(Forfeit)}
    if not isinstance(data, dict) or {name: type(value) for name, value in data.items()} != kinds:
        raise ValueError(f"a lost game is described by {', '.join(kinds)}, not {data!r:.60}")
    forfeit = Forfeit(**data)
    bounds = (forfeit.deal, deals), (forfeit.rotation, len(match.seatings)), (forfeit.seat, match.num_players)
    if any(not 0 <= place < count for place, count in bounds) or forfeit.agent not in match.agents:
        raise ValueError(f"there is no such game or agent: {data!r:.100}")
    return forfeit


def _timing(data: dict[str, Any], num_agents: int) -> tuple[float, NDArray[np.float64], int]:
    """Seconds of the whole match and of each agent, and how many processes there were."""
    seconds, thinking, workers = data.get("seconds"), data.get("thinking_seconds"), data.get("workers")
    if not (isinstance(thinking, list) and len(thinking) == num_agents):
        raise ValueError("timing must tell how long each agent thought")
    spent = [seconds, *thinking]
    if any(type(each) not in (int, float) or not 0 <= each <= MOST_SECONDS for each in spent) or seconds == 0:
        raise ValueError("timing must be in seconds")
    if type(workers) is not int or workers < 1:
        raise ValueError("timing must tell how many processes there were")
    return float(spent[0]), np.array(thinking, np.float64), workers


def _stop(match: Match, records: Records) -> Stop | None:
    if match.until is None:
        return None
    sequence, shares = ConfidenceSequence(match.until), deal_means(records.shares, match.seatings == 0)
    for first in range(0, len(shares), match.chunk):
        sequence.add(shares[first : first + match.chunk])
    return sequence.stop()


def _check_counts(data: dict[str, Any], result: MatchResult) -> None:
    """Check that settings, records and counts agree."""
    played, records = len(result.records), result.records
    counts = {
        "seatings": result.match.seatings.tolist(),
        "deals_played": played,
        "games": records.truncated.size,
        "games_truncated": int(records.truncated.sum()),
        "complete": result.complete,
        "reproducible": not result.why_not_reproducible,
        "why_not_reproducible": result.why_not_reproducible,
    }
    for name, count in counts.items():
        if data.get(name) != count:
            raise ValueError(f"{name!r} is {data.get(name)!r:.40}, by the records it is {count!r:.40}")
    ended = played == result.match.deals or (result.stop is not None and result.stop.decided)
    if played > result.match.deals or (result.complete and not ended):
        raise ValueError(f"it holds {played} deals and says that they are all of {result.match.deals!r:.40}")


def reproduce(
    saved: MatchResult,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    trust: bool = False,
    limits: Limits | None = None,
) -> MatchResult:
    """Play the match of a saved result once more: as many deals as the result holds.

    Args:
        saved: What ``read`` or ``play_match`` returned.
        workers: How many processes play; by default one a core.
        progress: Called with a ``Progress`` after every chunk of deals.
        trust: Whether to load agents of other packages, which are code: a file may come from anywhere.
        limits: Those of isolated agents, if the agents are to be isolated.
    """
    if saved.why_not_reproducible:
        raise ValueError(f"this match cannot be played again to the same numbers: {saved.why_not_reproducible}")
    if not trust:
        check_trusted(saved.match.agents)
    check_same(saved.match.files)
    result = run(replace(saved.match, deals=len(saved.records)), workers, progress, limits=limits)
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
