"""The agent "search": tree search in redealt worlds ("search:2000", "search:50ms", "search:400+champion").

It searches with the ``Heuristics`` of the module ``heuristics`` of a game, where there is one.
"""

import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

from lanterns_agents.champion import Champion
from lanterns_agents.onnx_agent import OnnxAgent
from lanterns_agents.per_game import has_module, module_for
from lanterns_env.agent import Table, load
from lanterns_env.engine.game import Game
from lanterns_env.search.heuristics import NAMES, Heuristics
from lanterns_env.search.ismcts import Search, SearchResult

SIMULATIONS = 2000
HEURISTICS = "heuristics"  # as in the names of the modules
MOST_SIMULATIONS = 1_000_000  # of a decision: their tree takes 2 GB
MOST_WITH_EVALUATOR = 4_000_000  # of all games that are searched at once by an evaluator, each with its own tree
MOST_MILLISECONDS = 3_600_000  # an hour
FORM = re.compile(r"0*(?P<number>[1-9][0-9]{0,8})(?P<unit>ms)?(?P<reuse>:reuse)?(\+(?P<evaluator>.+))?")


class SearchAgent:
    """Search with a limit for each decision; with ":reuse" it goes on with what it knows of a game."""

    def __init__(self, budget: str = str(SIMULATIONS)) -> None:
        form = FORM.fullmatch(budget)
        number = int(form["number"]) if form else 0
        if form is None or number > (MOST_MILLISECONDS if form["unit"] else MOST_SIMULATIONS):
            raise ValueError(
                f"a search of {budget!r:.60} is not understood; write simulations, at most {MOST_SIMULATIONS}, or "
                f"milliseconds, at most {MOST_MILLISECONDS}, and perhaps an evaluator: "
                "search:2000, search:50ms, search:2000:reuse, search:400+champion, search:400+policy.onnx"
            )
        self._simulations, self._milliseconds = (0, number) if form["unit"] else (number, 0)
        self._reuse = form["reuse"] is not None
        self._evaluator = evaluator_named(form["evaluator"]) if form["evaluator"] else None
        self._searches: dict[str, Search] = {}  # by game

    @property
    def by_clock(self) -> bool:
        """Whether what it plays depends on how fast the machine is."""
        return self._milliseconds > 0

    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        return self.search(table, rng).actions

    def search(self, table: Table, rng: np.random.Generator) -> SearchResult:
        """What is found out about every row, to be shown."""
        seeds = rng.integers(2**64, size=len(table), dtype=np.uint64)
        name = table.game.name
        evaluator = self._evaluator.evaluator(name) if self._evaluator else None
        if evaluator:
            evaluator.check(table.game)
            self._check_room(len(table))
        if name not in self._searches:
            self._searches[name] = Search(
                table.game,
                self._simulations,
                self._milliseconds,
                heuristics=heuristics_of(table.game),
                evaluator=evaluator,
                reuse=self._reuse,
            )
        return self._searches[name].run(table.worlds(seeds), seeds, table.game_ids)

    def _check_room(self, games: int) -> None:
        if games * self._simulations > MOST_WITH_EVALUATOR:
            raise ValueError(
                f"{self._simulations} simulations with an evaluator are too many for {games} games at once: "
                f"at most {MOST_WITH_EVALUATOR // games}"
            )


def evaluator_named(name: str) -> OnnxAgent | Champion:
    """The agent whose networks evaluate the positions of a search."""
    agent = load(name)
    if not isinstance(agent, (OnnxAgent, Champion)):
        raise ValueError(
            f"{name!r:.60} cannot evaluate for a search: it is no network; write champion or the name of a .onnx file"
        )
    return agent


@cache
def heuristics_of(game: Game) -> Heuristics | None:
    """What is known about playing a game, None where nothing is."""
    if not has_module(HEURISTICS, game.name):
        return None
    module = module_for(HEURISTICS, game.name)
    return Heuristics(**{name: getattr(module, name) for name in (*NAMES, "c_puct") if hasattr(module, name)})
