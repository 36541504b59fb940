"""The agent "random": uniform among the legal actions."""

import numpy as np
from numpy.typing import NDArray

from lanterns_env.agent import Table


class Uniform:
    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        return table.sample(rng)
