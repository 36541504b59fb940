"""The agent "random": uniform among the legal actions."""

import numpy as np
from numpy.typing import NDArray

from lanterns_env.agent import Table


class Uniform:
    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        return table.sample(rng)

    def action_probabilities(self, table: Table) -> NDArray[np.float32]:
        masks = table.action_masks.astype(np.float32)
        probabilities: NDArray[np.float32] = masks / masks.sum(1, keepdims=True)
        return probabilities
