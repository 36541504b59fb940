"""Work spread over processes, its results in the order of the tasks."""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, get_context, parent_process
from typing import TypeVar

from lanterns_env.engine.failures import AgentFailed

LOST = (
    "a process ended in the middle of its work. Was it killed, for want of memory? A script that uses several "
    'processes has to start its work under `if __name__ == "__main__":`; workers=1 does without them'
)
AHEAD = 3  # tasks handed out for each process: none waits, and little is lost when the work is stopped


class WorkerLost(RuntimeError):
    """A process that others wait for has ended."""


Task = TypeVar("Task")
Result = TypeVar("Result")


def check_workers(workers: int | None) -> int:
    """How many processes to take, by default one for each core that may be used."""
    if workers is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise ValueError(f"workers must be a positive integer, not {workers!r}")
    return workers


def in_order(work: Callable[[Task], Result], tasks: Iterable[Task], workers: int) -> Generator[Result, None, None]:
    """``work(task)`` of every task in turn; one process means this one.  Closing it ends the others."""
    if workers == 1:
        yield from map(work, tasks)
        return
    executor = ProcessPoolExecutor(workers, get_context("spawn"), _follow_the_parent, (os.getcwd(),))
    waiting: deque[Future[Result]] = deque()
    try:
        for task in tasks:
            waiting.append(executor.submit(work, task))
            if len(waiting) == AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise WorkerLost(LOST) from None
    except AgentFailed as error:  # it says what there is to say, without the lines of the process
        raise error from None
    finally:
        _end(executor, bool(waiting))


def _end(executor: ProcessPoolExecutor, at_once: bool) -> None:
    started = list((executor._processes or {}).values())  # nothing public names them before Python 3.14
    executor.shutdown(wait=not at_once, cancel_futures=True)
    if at_once:
        for process in started:
            process.terminate()


def _follow_the_parent(folder: str) -> None:
    """Work in the same folder, leave interrupts to the parent, and end when it ends."""
    os.chdir(folder)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_the_parent()


def end_with_the_parent() -> None:
    """See to it that this process is not left behind, however its parent ends."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_leave_after, args=(parent.sentinel,), daemon=True).start()


def _leave_after(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)
