"""Work spread over processes, its results in the order of the tasks."""

import os
import signal
import threading
import time
import zlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from multiprocessing import connection, get_context, parent_process
from typing import TypeVar

from lanterns_env.engine import announcing
from lanterns_env.support.failures import AgentFailed

LOST = (
    "a process ended in the middle of its work. Was it killed, for want of memory? A script that uses several "
    'processes has to start its work under `if __name__ == "__main__":`; workers=1 does without them'
)
AHEAD = 3  # tasks handed out for each process: none waits, and little is lost when the work is stopped
BEAT = 0.5  # seconds between two looks at how far the work is
STOPPING = (signal.SIGINT, signal.SIGTERM, *filter(None, [getattr(signal, "SIGALRM", None)]))  # what ends work early
ANNOUNCEMENTS = 256  # that are remembered, so that not every process makes them


class WorkerLost(RuntimeError):
    """A process that others wait for has ended."""


Task = TypeVar("Task")
Result = TypeVar("Result")
Count = Callable[[int], None]  # called with how much more is done
Work = Callable[[Task, Count], Result]


def check_workers(workers: int | None) -> int:
    """How many processes to take, by default one for each core that may be used."""
    if workers is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise ValueError(f"workers must be a positive integer, not {workers!r}")
    return workers


def in_order(
    work: Work[Task, Result], tasks: Iterable[Task], workers: int, beat: Count | None = None
) -> Generator[Result, None, None]:
    """``work(task, count)`` of every task in turn; one process means this one.  Closing it ends the others.

    While it goes on ``beat`` is called now and then with the sum of what was counted.
    """
    watch = _Watch(beat or _nothing)
    if workers == 1:
        yield from (work(task, watch.count) for task in tasks)
        return
    shared = _Shared(workers)
    executor = ProcessPoolExecutor(workers, get_context("spawn"), _begin_worker, (shared, os.getcwd()))
    waiting: deque[Future[Result]] = deque()
    try:
        for task in tasks:
            with held_back(signal.SIGINT):  # a process that this starts never sees Ctrl-C
                waiting.append(executor.submit(_counted, work, task))
            if len(waiting) == AHEAD * workers:
                yield _finished(waiting, shared, watch)
        while waiting:
            yield _finished(waiting, shared, watch)
    except BrokenProcessPool:
        raise WorkerLost(LOST) from None
    except AgentFailed as error:  # it says what there is to say, without the lines of the process
        raise error from None
    finally:
        _end(executor, bool(waiting))


def _finished(waiting: deque[Future[Result]], shared: "_Shared", watch: "_Watch") -> Result:
    """The result of the first task that is waited for."""
    while not wait([waiting[0]], BEAT).done:
        watch.show(sum(shared.done))
    watch.show(sum(shared.done))
    return waiting.popleft().result()


class _Watch:
    """Says how far the work is, not too often."""

    def __init__(self, beat: Count) -> None:
        self.beat, self.done, self.last = beat, 0, time.monotonic()

    def count(self, more: int) -> None:
        self.show(self.done + more)

    def show(self, done: int) -> None:
        self.done = done
        if time.monotonic() - self.last >= BEAT:
            self.beat(done)
            self.last = time.monotonic()


def _nothing(_: int) -> None:
    """Nobody looks."""


def _end(executor: ProcessPoolExecutor, at_once: bool) -> None:
    started = list((executor._processes or {}).values())  # nothing public names them before Python 3.14
    executor.shutdown(wait=not at_once, cancel_futures=True)
    if at_once:
        for process in started:
            process.terminate()


# -- in a process of its own ----------------------------------------------------------------------------------


class _Shared:
    """What the processes have in common: how much each has done, and what has been announced.

    Nobody waits for long: a process that is killed may take a lock with it.
    """

    def __init__(self, workers: int) -> None:
        context = get_context("spawn")
        self.lock = context.Lock()
        self.begun = context.RawValue("q", 0)
        self.done = context.RawArray("q", workers)  # every process writes in a place of its own
        self.said = context.RawArray("q", ANNOUNCEMENTS)

    @contextmanager
    def alone(self) -> Iterator[None]:
        held = self.lock.acquire(timeout=BEAT)
        try:
            yield
        finally:
            if held:
                self.lock.release()

    def begin(self) -> None:
        with self.alone():
            self.place = self.begun.value % len(self.done)
            self.begun.value += 1

    def count(self, more: int) -> None:
        self.done[self.place] += more

    def announce(self, words: str) -> None:
        """Say it unless another process has."""
        key = zlib.crc32(words.encode()) + 1
        with self.alone():
            said = self.said[:]
            if key not in said:
                self.said[said.index(0) if 0 in said else 0] = key
                announcing.say(words)


_shared: _Shared  # of a process that was begun for work


def _begin_worker(shared: _Shared, folder: str) -> None:
    """Work in the same folder, leave interrupts to the parent, and end when it ends."""
    global _shared
    os.chdir(folder)
    _shared = shared
    shared.begin()
    announcing.heard_by(shared.announce)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_the_parent()


def _counted(work: Work[Task, Result], task: Task) -> Result:
    return work(task, _shared.count)


# -- signals and ends -----------------------------------------------------------------------------------------


@contextmanager
def held_back(*signals: int) -> Iterator[None]:
    """These signals come when this is done; a process started here never gets them, where the system can hold them.

    The system holds them for this thread alone: what another thread is given, Python still hands to the main one.
    """
    came: list[int] = []
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, signals) if hasattr(signal, "pthread_sigmask") else None
    in_main = threading.current_thread() is threading.main_thread()
    before = {each: signal.signal(each, lambda number, _: came.append(number)) for each in signals if in_main}
    try:
        yield
    finally:
        if blocked is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        for each, handler in before.items():
            signal.signal(each, handler or signal.SIG_DFL)
        with ExitStack() as stack:  # the first may raise: the others come all the same
            for each in reversed(dict.fromkeys(came)):
                stack.callback(signal.raise_signal, each)


@contextmanager
def ignored(number: int) -> Iterator[None]:
    """A signal that comes while this is done never came; only the main thread can see to it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(number, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(number, before or signal.SIG_DFL)


def end_with_the_parent() -> None:
    """See to it that this process is not left behind, however its parent ends."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_leave_after, args=(parent.sentinel,), daemon=True).start()


def _leave_after(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)
