"""Search that does the same wherever it sees the same: its random numbers follow from the view.

So it has one policy, which can be exploited and computed exactly: ``load("fixed_search:FixedSearch:30")``.
"""

import hashlib

import numpy as np
from lanterns_agents.search import heuristics_of
from numpy.typing import NDArray

from lanterns_env.agent import Table
from lanterns_env.search.ismcts import Search

SEED_BYTES = 8


class FixedSearch:
    """As ``search:N``."""

    def __init__(self, simulations: str) -> None:
        self.simulations = int(simulations)

    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        seeds = np.array([seed_of(view) for view in table.game.to_array(table.views)], np.uint64)
        search = Search(table.game, self.simulations, heuristics=heuristics_of(table.game))
        actions: NDArray[np.int64] = search.run(table.worlds(seeds), seeds, table.game_ids).actions
        return actions


def seed_of(view: NDArray[np.int8]) -> int:
    return int.from_bytes(hashlib.blake2b(view.tobytes(), digest_size=SEED_BYTES).digest(), "little")
