"""Scores that are played again: all of them, or a sample that nobody knows before."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from lanterns_env.agent import check_trusted, load
from lanterns_env.match.agent_files import check_same, digests
from lanterns_env.match.chairs import limits_of
from lanterns_env.match.playing import Chunk, Task, play_task
from lanterns_env.match.progress import Show
from lanterns_env.match.workers import check_workers, in_order
from lanterns_env.score.playing import play_score
from lanterns_env.score.protocol import Contest
from lanterns_env.score.result import ScoreResult, of_own


def reproduce(
    saved: ScoreResult,
    workers: int | None = None,
    progress: Show | None = None,
    trust: bool = False,
    isolate: bool = False,
) -> ScoreResult:
    """Play a saved score once more, with the agent that it names.

    Args:
        saved: What ``read_score`` or ``play_score`` returned.
        workers: How many processes play; by default one a core.
        progress: Called with a ``Progress``, as by ``play_score``.
        trust: Whether to load an agent of another package, which is code: a file may come from anywhere.
        isolate: Whether every agent plays in a process of its own.
    """
    _check_can_be_played(saved, trust)
    whole = replace(saved.protocol, times=1)
    return play_score(
        saved.subject.agent,
        saved.size,
        saved.game,
        workers,
        progress,
        isolate=isolate,
        about=saved.subject,
        panel=saved.panel,
        protocol=whole,
    )


def first_difference(saved: ScoreResult, again: ScoreResult) -> str:
    """Where two results differ first, in words; empty if every game of both was the same."""
    if saved.missing.keys() != again.missing.keys():
        return "the tables that the agent plays are not the same"
    for key, before in saved.tallies.items():
        now = again.tallies.get(key)
        if now is None:
            return f"{key}: not played now"
        if not np.array_equal(before.shares, now.shares) or not np.array_equal(before.points, now.points):
            deal = int(np.argwhere((before.shares != now.shares) | (before.points != now.points))[0][0])
            return f"{key}: deal {deal} ended otherwise"
        if (before.decisions, before.fingerprint) != (now.decisions, now.fingerprint):
            return f"{key}: some games went otherwise"
    return ""


def check_sample(
    saved: ScoreResult,
    agent: str = "",
    seed: int | None = None,
    workers: int | None = None,
    trust: bool = False,
    isolate: bool = False,
) -> tuple[int, str]:
    """Play some games of a saved score again, drawn by chance: how many, and where the first went otherwise.

    Of every table it is one rotation of one chunk of deals, with one member of the panel.

    Args:
        saved: What ``read_score`` returned.
        agent: The agent, where it has another name here; its files must be the same.
        seed: Of the sample; by default nobody knows it before.
        workers: How many processes play; by default one a core.
        trust: Whether to load an agent of another package that only the file names.
        isolate: Whether every agent plays in a process of its own.
    """
    saved.panel.check_members()
    if agent:
        check_alike(saved, agent)
    else:
        _check_can_be_played(saved, trust)
    drawn = list(_drawn(saved, np.random.default_rng(seed)))
    name = agent or saved.subject.agent
    tasks = [_task(contest, number, turn, name, isolate) for contest, number, turn in drawn]
    games = 0
    for (contest, number, turn), chunk in zip(
        drawn, in_order(play_task, tasks, min(check_workers(workers), len(tasks))), strict=True
    ):
        games += chunk.records.truncated.size
        if not _is_same(saved, contest, number, turn, chunk):
            return games, f"{contest.key}: rotation {turn} of chunk {number} ended otherwise"
    return games, ""


def why_not_at_hand(saved: ScoreResult, agent: str, trust: bool) -> str:
    """Why no game of a score can be played again here, with the agent that it names or a given one; empty if it can."""
    if saved.why_not_reproducible:
        return saved.why_not_reproducible
    try:
        if not (agent or trust):
            check_trusted([saved.subject.agent])
        load(agent or saved.subject.agent)
    except ValueError as error:
        return str(error)
    return ""


def check_alike(saved: ScoreResult, agent: str) -> None:
    """Refuse an agent whose files are not those that were measured, whatever they are called here."""
    known, here = sorted(saved.subject.files.values()), sorted(digests([agent]).values())
    if known != here:
        raise ValueError(f"the files of {agent} are not those that were measured: {here} here, {known} there")


def _check_can_be_played(saved: ScoreResult, trust: bool) -> None:
    if saved.why_not_reproducible:
        raise ValueError(f"this score cannot be played again to the same numbers: {saved.why_not_reproducible}")
    if not trust:
        check_trusted([saved.subject.agent])
    check_same(saved.subject.files)


def _drawn(saved: ScoreResult, rng: np.random.Generator) -> Iterator[tuple[Contest, int, int]]:
    """Of every table a contest, the number of a chunk, and a rotation."""
    for where in saved.tables:
        contests = saved.contests(where)
        contest = contests[rng.integers(len(contests))]
        match = contest.match
        yield contest, int(rng.choice(match.chunks)), int(rng.integers(len(match.seatings)))


def _task(contest: Contest, number: int, turn: int, agent: str, isolate: bool) -> Task:
    given = [agent if place == contest.number else contest.member for place in range(2)]
    return Task(contest.match, number, turn, limits_of(isolate, None), given)


def _is_same(saved: ScoreResult, contest: Contest, number: int, turn: int, chunk: Chunk) -> bool:
    first, last = contest.match.bounds(number)
    own, kept = contest.match.seatings[[turn]] == contest.number, saved.tallies[contest.key]
    pairs = (kept.shares, chunk.records.shares), (kept.points, chunk.records.points)
    return all(np.array_equal(before[first:last, turn], of_own(now, own)[:, 0]) for before, now in pairs)
