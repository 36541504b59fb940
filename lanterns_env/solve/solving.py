"""Solving: regret minimisation until the policy can hardly be exploited."""

import math
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lanterns_env.solve import regrets
from lanterns_env.solve.policy import Policy
from lanterns_env.solve.tree import Tree
from lanterns_env.solve.values import NashConv, nash_conv

ALGORITHMS = {"cfr": regrets.CFR, "cfr+": regrets.CFR_PLUS, "predictive": regrets.PREDICTIVE}
FASTEST = "predictive"
MORE = 1.2  # by how much iterations grow between two looks at the gains
AT_ONCE = 0.5  # seconds of compiled work between two looks at the clock and at Ctrl-C
COUNTLESS = 10**12  # iterations


Candidate = tuple[Policy, NashConv]


class Standing(NamedTuple):
    """How far a solver has come."""

    iterations: int
    seconds: float
    nash_conv: NashConv
    policy: Policy


def solve(
    tree: Tree,
    iterations: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
    algorithm: str = FASTEST,
    alternating: bool = True,
    best: bool = False,
    progress: Callable[[Standing], None] | None = None,
) -> Policy:
    """A policy that comes near a Nash equilibrium, for two players; for more it is what regret minimisation ends with.

    It stops at whichever limit comes first; at least one is needed.

    Args:
        tree: The tree of the game.
        iterations: How many there may be.
        seconds: How long it may take.
        target: The NashConv at which the policy is good enough.
        algorithm: "predictive" (predictive CFR+, the fastest), "cfr+" or "cfr".
        alternating: Whether players take turns to learn, as in OpenSpiel, or all learn at the same time.
        best: Whether to give the best policy seen, average or current, and not the last average.
        progress: Called with a ``Standing`` now and then.
    """
    standing = None
    for standing in solving(tree, iterations, seconds, target, algorithm, alternating, best):
        if progress is not None:
            progress(standing)
    assert standing is not None
    return standing.policy


def solving(
    tree: Tree,
    iterations: int | None = None,
    seconds: float | None = None,
    target: float | None = None,
    algorithm: str = FASTEST,
    alternating: bool = True,
    best: bool = False,
) -> Iterator[Standing]:
    """The same step by step: how it stands, now and then, and at the end."""
    if algorithm not in ALGORITHMS:
        raise ValueError(f"algorithm must be one of {', '.join(ALGORITHMS)}; not {algorithm!r}")
    if iterations is None and seconds is None and target is None:
        raise ValueError("solving needs an end: iterations, seconds or target")
    if iterations is not None and iterations < 1:
        raise ValueError(f"iterations must be at least 1, not {iterations}")
    solver, begin = Solver(tree, algorithm, alternating), time.perf_counter()
    last, end = iterations or COUNTLESS, begin + (math.inf if seconds is None else seconds)
    kept: list[Candidate] = []
    while True:
        look = max(solver.iterations + 1, math.ceil(MORE * solver.iterations))
        solver.go_on(min(look, last), end)
        kept = [min((*kept, *solver.candidates()), key=_total)] if best else [solver.average()]
        policy, found = kept[0]
        standing = Standing(solver.iterations, time.perf_counter() - begin, found, policy)
        yield standing
        if solver.iterations >= last or standing.seconds >= end - begin or (target or -math.inf) >= found.total:
            return


def _total(candidate: Candidate) -> float:
    return candidate[1].total


class Solver:
    """Regret minimisation on a tree, some iterations at a time."""

    def __init__(self, tree: Tree, algorithm: str = FASTEST, alternating: bool = True) -> None:
        self.tree, self.iterations = tree, 0
        self._kind, self._alternating = ALGORITHMS[algorithm], alternating
        entries, sequences = tree.num_entries, tree.num_players + tree.num_entries
        self._work = regrets.Work(*(np.zeros(size) for size in (entries,) * 4 + (sequences,) * 2))
        self._seconds_each = 0.0
        regrets.begin(tree.form, self._work)

    def go_on(self, until: int, end: float) -> None:
        """Iterate until there have been so many, or until it is so late, at least once."""
        while self.iterations < until:
            begin = time.perf_counter()
            many = int(AT_ONCE / self._seconds_each) if self._seconds_each else 1
            following = min(until, self.iterations + max(many, 1))
            bounds = self.iterations + 1, following + 1
            regrets.iterate(self.tree.form, self._work, self._kind, self._alternating, *bounds)
            now = time.perf_counter()
            self._seconds_each = (now - begin) / (following - self.iterations)
            self.iterations = following
            if now >= end:
                return

    def average(self) -> Candidate:
        """The average policy, with its gains."""
        probabilities = np.empty(self.tree.num_entries)
        regrets.average(self.tree.form, self._work.averages, probabilities)
        return self._judged(probabilities)

    def candidates(self) -> list[Candidate]:
        """The average policy, and that which comes next."""
        return [self.average(), self._judged(self._work.current)]

    def _judged(self, probabilities: NDArray[np.float64]) -> Candidate:
        policy = Policy(self.tree, probabilities)
        return policy, nash_conv(self.tree, policy)
