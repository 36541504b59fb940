"""Agents in processes of their own: they are sent only what their seat may know, and nothing they do ends a match.

This is for agents that may be dishonest or broken.  It is no sandbox: a process can still harm the machine, or read the
memory of another process of the same user.
"""

import os
import pickle
import secrets
import signal
import struct
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import RawArray
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.agent import Given, Table, asked, fresh
from lanterns_env.engine.batch import Batch
from lanterns_env.engine.game import Game
from lanterns_env.engine.streams import entropy, stream
from lanterns_env.match import nursery
from lanterns_env.match.chairs import STREAM, Answer, Limits, Place, fault_of
from lanterns_env.match.workers import end_with_the_parent, held_back
from lanterns_env.support.failures import in_words, place_of

START_SECONDS = 60.0  # to load an agent
REHEARSAL_SECONDS = 120.0  # for its first decision ever, in a game of no match: what it needs is compiled
ATTEMPTS = 3  # decisions of one call that may fail one by one before all that are left are lost
LEAVE_SECONDS = 5.0  # for a process to end
LONGEST_REASON = 500  # letters of what is said of a failure
KILL = 9  # SIGKILL, which Windows does not have
WORDS_OF = {KILL: "was killed, perhaps for want of memory", signal.SIGSEGV: "crashed (segmentation fault)"}

READY, ACTIONS, FAILED, REFUSED = (bytes([k]) for k in range(4))  # how messages of a child begin
GIGABYTE = 1 << 30


REHEARSED: set[tuple[str, str]] = set()  # agents and games for which this has been done


class Lost(Exception):
    """Why an agent has no answer."""


@dataclass(frozen=True)
class Setting:
    """What a child is given of the match: the game as everybody knows it.  Neither seed nor secret."""

    game: Game
    num_players: int
    options: dict[str, Any]
    num_games: int  # that it is asked about at most at a time
    folder: str = field(default_factory=os.getcwd)  # in which files and modules are found


# -- the parent's side ----------------------------------------------------------------------------------------


class IsolatedChair:
    """An agent in a process of its own, which is ended with the chair.

    A call that fails (an exception, a crash, an answer that cannot be played, too long a time, too much memory) is
    made again decision by decision, in new processes: what fails then is lost.
    """

    def __init__(self, name: str, given: Given, place: Place, setting: Setting, limits: Limits) -> None:
        self.name, self.seconds = name, 0.0
        self._given, self._place, self._setting, self._limits = given, place, setting, limits
        self._restarts = 0
        self._shared = RawArray("B", Table.bytes_of(setting.game, setting.num_games))  # where the child reads tables
        self._memory = np.frombuffer(self._shared, np.uint8)
        self._rehearsal = 0.0 if self._part in REHEARSED else REHEARSAL_SECONDS
        self._begin()

    @property
    def _part(self) -> tuple[str, str]:
        return self.name, self._setting.game.name

    def ask(self, table: Table) -> None:
        self._table, self._failed = table, ""
        try:
            self._send(table)
        except Lost as lost:
            self._failed = str(lost)

    def answer(self) -> Answer:
        table = self._table
        try:
            if self._failed:
                raise Lost(self._failed)
            return self._receive(table), {}
        except Lost as lost:
            return self._one_by_one(table, str(lost))

    def close(self) -> None:
        self._connection.close()
        self._process.kill()
        self._process.join(LEAVE_SECONDS)

    def _one_by_one(self, table: Table, reason: str) -> Answer:
        """What of a failed call can be answered all the same."""
        actions = np.full(len(table), -1)
        lost: dict[int, str] = {}
        for place in range(len(table)):
            if len(table) == 1 or len(lost) >= ATTEMPTS:
                lost[place] = reason
                continue
            self._begin_anew()
            part = Table(table.worlds(np.zeros(len(table), np.uint64)), [place], table.game_ids[[place]])
            try:
                self._send(part)
                actions[place] = self._receive(part)[0]
            except Lost as failure:
                lost[place] = reason = str(failure)
        self._begin_anew()
        return actions, lost

    def _begin_anew(self) -> None:
        self.close()
        self._restarts, self._rehearsal = self._restarts + 1, 0.0
        self._begin()

    def _begin(self) -> None:
        context = get_context("forkserver" if sys.platform != "win32" else "spawn")
        if sys.platform != "win32":
            context.set_forkserver_preload([nursery.__name__])
            os.environ[nursery.GAME] = self._setting.game.name  # read when the first of all processes begins
        self._connection, theirs = context.Pipe()
        again = ("again", self._restarts) if self._restarts else ()
        numbers = entropy(STREAM, *self._place, *again)  # from which the place cannot be worked out
        arguments = (theirs, self._shared, self._given, numbers, self._setting, self._limits.gigabytes, self._rehearsal)
        self._process = context.Process(target=serve, args=arguments, daemon=True)  # type: ignore[attr-defined]
        try:
            with held_back(signal.SIGINT):
                self._process.start()
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise ValueError(
                f"agent {self.name} cannot be sent to a process of its own ({error}): "
                "give its name, or a class or function of an importable module"
            ) from None
        theirs.close()
        self._ready = False

    def _send(self, table: Table) -> None:
        if not self._ready:
            self._wait(START_SECONDS + self._rehearsal, "to begin")
            self._ready = True
            REHEARSED.add(self._part)
        table.write_to(self._memory)
        try:
            self._connection.send_bytes(struct.pack("=q", len(table)))
        except OSError:
            raise Lost(self._ending()) from None

    def _receive(self, table: Table) -> NDArray[np.int64]:
        seconds = self._limits.move_seconds * len(table)
        reply = self._wait(seconds, f"for {len(table)} decision{'s'[: len(table) > 1]}")
        self.seconds += struct.unpack_from("=d", reply)[0]
        chosen = np.frombuffer(reply, np.int64, offset=struct.calcsize("=d"))
        fault = fault_of(chosen, table)
        if fault:
            raise Lost(fault)
        return chosen

    def _wait(self, seconds: float, what: str) -> bytes:
        """The next message; Lost if there is none."""
        if not connection.wait([self._connection], seconds):
            raise Lost(f"took more than {seconds:g} seconds {what}")
        try:
            message = self._connection.recv_bytes()
        except (EOFError, OSError):
            raise Lost(self._ending()) from None
        if message[:1] == REFUSED:
            raise ValueError(f"agent {self.name!r}: {_words(message[1:])}")
        if message[:1] == FAILED:
            raise Lost(_words(message[1:]))
        return message[1:]

    def _ending(self) -> str:
        """How its process ended, in words."""
        self._process.join(LEAVE_SECONDS)
        code = self._process.exitcode
        if code is None or code >= 0:
            return f"ended its process (status {code})"
        return WORDS_OF.get(-code, f"crashed (signal {-code})")


def _words(message: bytes) -> str:
    """What a child said, as harmless text."""
    text = message[:LONGEST_REASON].decode(errors="replace")
    return "".join(letter if letter.isprintable() else " " for letter in text)


# -- the child's side -----------------------------------------------------------------------------------------


def serve(
    link: Connection, shared: Any, given: Given, numbers: int, setting: Setting, gigabytes: float, rehearsal: float
) -> None:
    """Answer tables with actions until the connection closes.

    The tables come in shared memory, which the parent writes and never reads.
    """
    end_with_the_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.chdir(setting.folder)
    _limit_memory(gigabytes)
    with suppress(EOFError, OSError):  # the parent has closed its end
        memory = np.frombuffer(shared, np.uint8)
        _serve(link, memory, given, np.random.default_rng(numbers), setting, rehearsal)


def _serve(
    link: Connection,
    memory: NDArray[np.uint8],
    given: Given,
    rng: np.random.Generator,
    setting: Setting,
    rehearsal: float,
) -> None:
    try:
        if rehearsal:
            _rehearse(fresh(given), setting, rehearsal)
        agent = fresh(given)
    except ValueError as error:
        link.send_bytes(REFUSED + str(error).encode())
        return
    except BaseException as error:
        link.send_bytes(FAILED + f"did not begin: {in_words(error)}{place_of(error)}".encode())
        return
    games = Batch(setting.game, 1, setting.num_players, **setting.options)
    link.send_bytes(READY)
    while True:
        (count,) = struct.unpack("=q", link.recv_bytes())
        table = Table.read_from(memory, count, games)
        begin = time.perf_counter()
        try:
            chosen = asked(agent, table, rng)
        except BaseException as error:
            link.send_bytes(FAILED + f"failed: {in_words(error)}{place_of(error)}".encode())
            return
        link.send_bytes(ACTIONS + struct.pack("=d", time.perf_counter() - begin) + chosen.tobytes())


def _rehearse(agent: Any, setting: Setting, seconds: float) -> None:
    """Let an agent that is not the one that will play decide once, in a game of no match: all gets compiled."""
    batch = Batch(setting.game, 1, setting.num_players, seed=secrets.randbits(62), **setting.options)
    with suppress(Exception), _alarm(seconds):
        agent.act(Table(batch, [0], [0]), stream("rehearsal"))


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """TimeoutError after so many seconds, where the system has alarms."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: Any) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _limit_memory(gigabytes: float) -> None:
    """Limit the memory of this process, where the system can."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        most = int(gigabytes * GIGABYTE)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
