"""An agent in its seat, with random numbers and a clock of its own."""

import time
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lanterns_env.agent import Given, Table, asked, fresh
from lanterns_env.engine.streams import stream
from lanterns_env.support.failures import AgentFailed, in_words, lines_of

STREAM = "agent"  # the label of the random numbers that agents of matches draw
MOVE_SECONDS = 60.0  # that a decision of an isolated agent may take, unless given
LEAST_SECONDS, MOST_SECONDS = 0.001, 86_400.0
GIGABYTES = 8.0  # of memory that an isolated agent may take

Place = tuple[Any, ...]  # what tells a chair from all others: where its random stream comes from
Answer = tuple[NDArray[np.int64], dict[int, str]]  # an action a row; the rows for which there is none, and why


@dataclass(frozen=True)
class Limits:
    """Limits of an isolated agent.  The time is that of one decision, on average over those of one call."""

    move_seconds: float = MOVE_SECONDS
    gigabytes: float = GIGABYTES


def limits_of(isolate: bool, move_seconds: float | None) -> Limits | None:
    """The limits of agents that play in processes of their own; None where they play in this one."""
    if not isolate and move_seconds is None:
        return None
    seconds = MOVE_SECONDS if move_seconds is None else move_seconds
    number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    if not (number and LEAST_SECONDS <= seconds <= MOST_SECONDS):
        raise ValueError(f"move_seconds must be between {LEAST_SECONDS:g} and {MOST_SECONDS:g}, not {seconds!r}")
    return Limits(float(seconds))


class Chair(Protocol):
    """An agent's place at the table: it gets a ``Table``, and answers later."""

    name: str
    seconds: float  # that its agent has thought

    def ask(self, table: Table) -> None: ...

    def answer(self) -> Answer: ...

    def close(self) -> None: ...


class PlainChair:
    """An agent in this process.  Whatever goes wrong with it is an error that names it, and says its own lines once."""

    def __init__(self, name: str, given: Given, place: Place) -> None:
        self.name, self.seconds = name, 0.0
        self._agent = fresh(given)
        self._rng = stream(STREAM, *place)
        self._table: Table | None = None

    def ask(self, table: Table) -> None:
        self._table = table

    def answer(self) -> Answer:
        assert self._table is not None
        table, self._table = self._table, None
        begin = time.perf_counter()
        try:
            chosen = asked(self._agent, table, self._rng)
        except Exception as error:
            lines = lines_of(error)
            if isinstance(error, ValueError) and not lines:  # a sentence of this package
                raise ValueError(f"agent {self.name!r}: {error}") from None
            raise AgentFailed(f"agent {self.name!r} failed: {in_words(error)}{lines}") from None
        self.seconds += time.perf_counter() - begin
        fault = fault_of(chosen, table)
        if fault:
            raise ValueError(f"agent {self.name!r} {fault}")
        return chosen, {}

    def close(self) -> None:
        """Nothing to close."""


def fault_of(chosen: NDArray[np.int64], table: Table) -> str:
    """What is wrong with an agent's actions; empty if all of them may be played."""
    if chosen.shape != (len(table),):
        return f"was asked for {len(table)} actions and gave {len(chosen)}"
    inside = (chosen >= 0) & (chosen < table.game.num_actions)
    if inside.all() and table.action_masks[np.arange(len(table)), chosen].all():
        return ""
    try:
        table.worlds(np.zeros(len(table), np.uint64)).step(chosen)
    except ValueError as error:
        return f"may not do that: {error}"
    raise AssertionError("a step that the mask forbids was played")
