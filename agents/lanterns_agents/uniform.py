"""The agent "random": uniform among the legal actions."""

import numpy as np
from numpy.typing import NDArray

from lanterns_env.agent import Table


class Uniform:
    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        """The k-th legal action of each row, k drawn at random."""
        rank = table.masks.cumsum(axis=1, dtype=np.int16)
        k = (rng.random(len(table)) * rank[:, -1]).astype(np.int16)
        actions: NDArray[np.int64] = (rank > k[:, None]).argmax(axis=1)
        return actions
