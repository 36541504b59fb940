"""A run of any trainer: how far it has come, what it has spent its time on, and what is saved of it."""

import dataclasses
import math
import reprlib
import time
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lanterns_agents.networks.arrays import Arrays
from lanterns_agents.networks.base import Network, check_made_for, made_for
from lanterns_agents.training.config import COUNTLESS
from lanterns_env import GAMES

State = tuple[Arrays, dict[str, Any]]  # all that a run consists of: arrays and a card
COUNTED: dict[str, Any] = {"updates": int, "decisions": int, "games": int, "seconds": float, "initialised_from": list}


class Run:
    """How far a run has come.  Each trainer adds what it learns with."""

    trainer = ""  # the script that makes such runs
    network: Network

    def __init__(self, config: Any) -> None:
        self.config = config
        self.game = GAMES[config.game]
        self.updates, self.decisions, self.games, self.seconds = 0, 0, 0, 0.0
        self.spent: dict[str, float] = {}  # seconds of an update, by what they were spent on
        self.shown = 0.0  # when the last line went to the screen
        self.stopped, self.evaluating = False, False
        self.initialised_from: list[dict[str, Any]] = []  # how the network was trained that this run began with

    def begin(self) -> None:
        """What a new run does first."""

    def end(self, folder: Any) -> None:
        """What is written when it has ended."""

    # -- limits -----------------------------------------------------------------------------------------------

    def used(self) -> float:
        """How much of its limits has been used: 1 at the end, 0 where there are none."""
        minutes, decisions = self.config.limits
        parts = [self.seconds / (60 * minutes)] if minutes else []
        parts += [self.decisions / decisions] if decisions else []
        return max(parts, default=0.0)

    def goes_on(self) -> bool:
        return not self.stopped and self.used() < 1

    def learning_rate(self) -> float:
        return float(self.config.learning_rate * (max(1 - self.used(), 0.0) if self.config.anneal_lr else 1.0))

    # -- time -------------------------------------------------------------------------------------------------

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        self.spend(what, time.perf_counter() - begun)

    def spend(self, what: str, seconds: float) -> None:
        self.spent[what] = self.spent.get(what, 0.0) + seconds

    def time_fractions(self) -> dict[str, float]:
        """Of the time of the last update."""
        total = sum(self.spent.values())
        return {what: seconds / total for what, seconds in self.spent.items()}

    # -- what is saved ----------------------------------------------------------------------------------------

    @abstractmethod
    def saved(self) -> State:
        """Copies of all that the run consists of, which what comes later leaves alone."""

    @abstractmethod
    def restore(self, arrays: Arrays, card: dict[str, Any]) -> None:
        """Become the run that was saved; ValueError if the two do not fit."""

    def card(self) -> dict[str, Any]:
        """What is saved of a run besides arrays."""
        counted = {name: getattr(self, name) for name in COUNTED}
        return {"trainer": self.trainer, **made_for(self.network), "config": dataclasses.asdict(self.config), **counted}

    def restore_card(self, card: dict[str, Any]) -> None:
        check_made_for(self.game, card)
        for name, kind in COUNTED.items():
            value = card[name]
            if type(value) is not kind or (kind is not list and not 0 <= value <= COUNTLESS):
                raise ValueError(f"{name} is {reprlib.repr(value)}")
            setattr(self, name, value)


class Diverged(ValueError):
    """Nothing can be learnt any more."""


def check_finite(run: Run, minibatch: int, what: str, *numbers: float) -> None:
    """Stop before what is no number is learnt from, or saved."""
    if not all(map(math.isfinite, numbers)):
        raise Diverged(
            f"update {run.updates + 1}, minibatch {minibatch}: {what} beyond all numbers; the run is kept as it was "
            "before that update, and can go on with --resume and a smaller learning_rate"
        )
