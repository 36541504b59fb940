"""How far a match is, and what stops it: chunk after chunk, until all are played or somebody asks to stop."""

import math
import signal
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lanterns_env.match.playing import Chunk, Task, play_task, whole_chunks
from lanterns_env.match.shelf import Shelf
from lanterns_env.match.workers import STOPPING, WorkerLost, held_back, ignored, in_order

INTERRUPTED = "interrupted"  # why a result is not complete, unless something else says why
NOTHING = "stopped before the first deal was played from every seat: no result was kept"
NORMAL = 1.96  # standard errors of half a 95 % interval


@dataclass(frozen=True)
class Progress:
    """How a running match or ladder stands.

    Attributes:
        games: How many are over.
        of: How many there are.
        seconds: Since it began.
        seconds_left: About how long it will go on; NaN before the first game is over.
        deals: Those that are kept if it is stopped now: played in every rotation, at every table.
        agent: The first agent of a match; empty for a ladder.
        win_share: Its win share in these deals; NaN before the first, and for a ladder.
        error: About half of a 95 % interval of it.
    """

    games: int
    of: int
    seconds: float
    seconds_left: float
    deals: int
    agent: str = ""
    win_share: float = math.nan
    error: float = math.nan


Show = Callable[[Progress], None]


class Standing:
    """What is shown of a match while it is played."""

    def __init__(self, show: Show | None, games: int, agent: str = "") -> None:
        self._show, self._games, self._agent = show, games, agent
        self._begin = time.perf_counter()
        self._shares: list[NDArray[np.float64]] = []  # of the first agent, deal by deal
        self._over = self._before = self._seen = 0  # games: of deals that are kept, of an earlier time, shown
        self._first: tuple[int, float] | None = None  # how many games were over when any were, and when that was
        self.deals = 0

    def go_on(self, games: int) -> None:
        """Begin where so many games have been played before."""
        self._before = games
        self.show()

    def add(self, deals: int, games: int, shares: NDArray[np.float64] | None = None) -> None:
        """Deals that are kept, and the games of them."""
        self.deals += deals
        self._over += games
        if shares is not None:
            self._shares.append(shares)

    def show(self, games: int = 0) -> None:
        """So many games have been played now, or at least those of the deals that are kept."""
        if self._show is None:
            return
        share = error = math.nan
        if self._shares:
            shares = np.concatenate(self._shares)
            share, error = float(shares.mean()), NORMAL * float(shares.std()) / math.sqrt(len(shares))
        self._seen = over = max(games + self._before, self._over, self._seen)
        seconds = time.perf_counter() - self._begin
        left = self._left(over, seconds)
        self._show(Progress(over, self._games, seconds, left, self.deals, self._agent, share, error))

    def _left(self, over: int, seconds: float) -> float:
        """By the speed since the first games were over: before that agents are loaded, and things compiled."""
        if over <= self._before:
            return math.nan
        self._first = self._first or (over, seconds)
        number, then = self._first if over > self._first[0] else (self._before, 0.0)
        return (seconds - then) / (over - number) * (self._games - over)


def play_tasks(
    tasks: Sequence[Task], workers: int, standing: Standing, take: Callable[[Chunk], bool], shelf: Shelf | None = None
) -> str:
    """Give ``take`` every chunk as soon as it is whole, until it says that this is enough; why that was not all.

    A chunk of which not all has been played is lost when somebody stops the match: the games that are over are not
    like the others, they are the short ones.
    """
    enough = False
    with closing(_played(tasks, workers, standing, shelf)) as played:
        try:
            for chunk in whole_chunks(tasks, played):
                with held_back(*STOPPING):
                    enough = take(chunk)
                standing.show()
                if enough:
                    break
            with ignored(signal.SIGINT), held_back(*STOPPING):  # all is played, its processes have yet to end
                played.close()
        except (KeyboardInterrupt, WorkerLost) as error:
            with ignored(signal.SIGINT), held_back(*STOPPING):  # who is impatient loses nothing
                played.close()
            if not standing.deals:
                if isinstance(error, KeyboardInterrupt):
                    error.add_note(NOTHING)
                raise
            return "" if enough else str(error) or INTERRUPTED
    return ""


def _played(
    tasks: Sequence[Task], workers: int, standing: Standing, shelf: Shelf | None
) -> Generator[Chunk, None, None]:
    """Every task as it was played before, or as it is played now."""
    found = [shelf.find(task) if shelf else None for task in tasks]
    new = [task for task, chunk in zip(tasks, found, strict=True) if chunk is None]
    standing.go_on(sum(chunk.records.truncated.size for chunk in found if chunk))
    with closing(in_order(play_task, new, workers, standing.show)) as played:
        for task, before in zip(tasks, found, strict=True):
            chunk = before or next(played)
            if shelf and before is None:
                shelf.keep(task, chunk)
            yield chunk
