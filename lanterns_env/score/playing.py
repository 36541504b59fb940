"""``play_score``: an agent meets the panel."""

import platform
import time
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from itertools import count

import lanterns_env
from lanterns_env.agent import AGENTS, Table, load
from lanterns_env.engine.batch import Batch
from lanterns_env.engine.streams import stream
from lanterns_env.games import GAMES
from lanterns_env.match.agent_files import digests
from lanterns_env.match.chairs import Limits, limits_of
from lanterns_env.match.playing import Chunk, tasks_of
from lanterns_env.match.progress import Show, Standing, play_tasks
from lanterns_env.match.shelf import open_shelf
from lanterns_env.match.workers import check_workers
from lanterns_env.score.panel import Panel, installed
from lanterns_env.score.protocol import NEEDS, SIZES, Contest, Protocol, Where
from lanterns_env.score.result import ScoreResult, Subject, Tally, tally
from lanterns_env.support.extras import check_installed
from lanterns_env.support.failures import in_words
from lanterns_env.support.files import Path

COMPUTED_WITH = ("numpy", "numba", "onnxruntime", "torch")  # where they are installed
TRIAL = "trial"  # the label of the random numbers of one action that is asked for before


def play_score(
    agent: str,
    size: str = "default",
    game: str | None = None,
    workers: int | None = None,
    progress: Show | None = None,
    directory: Path | None = None,
    isolate: bool = False,
    about: Subject | None = None,
    panel: Panel | None = None,
    protocol: Protocol | None = None,
) -> ScoreResult:
    """Let an agent meet every member of the panel at all tables that it plays, over the deals of the protocol.

    Ctrl-C stops it: the result has what was played to the end; if nothing was, ``KeyboardInterrupt`` is raised.

    Args:
        agent: Its name.
        size: "default", or "full" for figures that are published: eight times as many deals.
        game: Only this one, by its name.
        workers: How many processes play; by default one a core.
        progress: Called with a ``Progress`` about twice a second.
        directory: A folder for what has been played: the same score, begun again, goes on from there.
        isolate: Whether every agent plays in a process of its own.
        about: What is to be said of the agent beside its name.
        panel: The members' strengths; by default those that come with the package.
        protocol: What is played; by default all that a score is.
    """
    if size not in SIZES:
        raise ValueError(f"size must be {' or '.join(SIZES)}, not {size!r}")
    panel = panel or installed()
    panel.check_members()
    for member, module in NEEDS.items():
        check_installed(f"the member {member} of the panel", module)
    whole = (protocol or Protocol()).sized(size)
    part = whole.of_game(game)
    subject = replace(about or Subject(agent), agent=agent, files=digests([agent]))
    missing = not_played(agent, part.tables)
    contests = [
        replace(each, match=replace(each.match, files=subject.files))
        for where in part.tables
        if where not in missing
        for each in part.contests(agent, where)
    ]
    begin, workers = time.perf_counter(), check_workers(workers)
    tallies, why_incomplete = play_contests(contests, workers, progress, directory, limits_of(isolate, None))
    spent = time.perf_counter() - begin
    return ScoreResult(
        subject, panel, whole, size, game, tallies, missing, why_incomplete, spent, workers, computed_with()
    )


def play_contests(
    contests: Sequence[Contest], workers: int, progress: Show | None, directory: Path | None, limits: Limits | None
) -> tuple[dict[str, Tally], str]:
    """What was won in every contest that was played to the end, and why not all were."""
    chunked = [(each, number) for each in contests for number in each.match.chunks]
    tasks = [task for each, number in chunked for task in tasks_of(each.match, number, limits)]
    standing = Standing(progress, sum(each.match.games for each in contests))
    tallies: dict[str, Tally] = {}
    waiting: list[Chunk] = []  # of the contest that is being played
    place = count()

    def take(chunk: Chunk) -> bool:
        contest, number = chunked[next(place)]
        waiting.append(chunk)
        standing.add(len(chunk.records), chunk.records.truncated.size)
        if number == contest.match.chunks[-1]:
            tallies[contest.key] = tally(contest, waiting)
            waiting.clear()
        return False

    with open_shelf(directory, [each.match for each in contests], limits) as shelf:
        why_incomplete = play_tasks(tasks, min(workers, len(tasks)), standing, take, shelf)
    return tallies, why_incomplete


def not_played(agent: str, tables: Sequence[Where]) -> dict[Where, str]:
    """Tables at which an agent gives no action, and why; ValueError where it gives none at any."""
    if agent.partition(":")[0] not in AGENTS:
        load(agent)  # says what there is
    missing = {}
    for game, players in tables:
        table = Table(Batch(GAMES[game], 1, players), [0], [0])
        try:
            load(agent).act(table, stream(TRIAL, players))
        except Exception as error:  # of another game, in want of a file, or broken
            missing[game, players] = str(error) if isinstance(error, (ValueError, ImportError)) else in_words(error)
    if len(missing) == len(tables):
        reasons = "; ".join(dict.fromkeys(missing.values()))
        raise ValueError(f"agent {agent!r:.60} plays none of these games: {reasons}")
    return missing


def computed_with() -> dict[str, str]:
    """The machine and the versions of what computes."""
    found = {"lanterns_env": lanterns_env.__version__, "python": platform.python_version()}
    for name in COMPUTED_WITH:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return {**found, "machine": machine()}


def machine() -> str:
    """The kind of processor, as far as the system says."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return next(iter(names), platform.processor() or platform.machine())
