"""The agent "counter": a search that knows how the others play ("counter:400+champion", "counter:2000+expert").

What follows the plus is the agent that it takes the others for: it makes their decisions in every world of the search,
given there what their seats may know.  Where that agent has values of its own they evaluate the leaves, and its
probabilities are half of the prior; otherwise games are played on by it, to their end.
"""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.agent import Table, load
from lanterns_env.search.against import SearchAgainst

FORM = re.compile(r"0*(?P<number>[1-9][0-9]{0,5})\+(?P<model>.+)")
MOST_TOGETHER = 4_000_000  # simulations of all games that are searched at once, each with its own tree


class Counter:
    """Search against known opponents, with so many simulations for each decision: counter:400+champion."""

    def __init__(self, argument: str) -> None:
        form = FORM.fullmatch(argument)
        if form is None:
            raise ValueError(
                f"counter:{argument!r:.60} is not understood; write simulations, at most 999999, and the agent that "
                "the others are taken for: counter:400+champion"
            )
        self._simulations, self._name = int(form["number"]), form["model"]
        self._model: Any = load(self._name)
        self._searches: dict[str, SearchAgainst] = {}  # by game

    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        seeds = rng.integers(2**64, size=len(table), dtype=np.uint64)
        search, most = self._search(table), max(1, MOST_TOGETHER // self._simulations)
        worlds, parts = table.worlds(seeds), []
        for first in range(0, len(table), most):
            rows = np.arange(first, min(first + most, len(table)))
            part = worlds.worlds(rows, table.seats[rows], seeds[rows])
            parts.append(search.run(part, seeds[rows]).actions)
        return np.concatenate(parts)

    def _search(self, table: Table) -> SearchAgainst:
        name = table.game.name
        if name not in self._searches:
            evaluator = self._model.evaluator(name) if hasattr(self._model, "evaluator") else None
            if evaluator is not None:
                evaluator.check(table.game)
            self._searches[name] = SearchAgainst(table.game, self._model, self._simulations, evaluator)
        return self._searches[name]
