"""Games in all stages, for what is asked of networks and of what they are given."""

import numpy as np

from lanterns_env import Batch
from tests.conftest import COMPILED

GAMES_AT_ONCE = 48 if COMPILED else 6
MOVES = 120 if COMPILED else 25


def played(name, num_players=None, moves=MOVES):
    batch, rng = Batch(name, GAMES_AT_ONCE, num_players, seed=1), np.random.default_rng(1)
    for move in range(moves):
        batch.step(batch.sample(rng, np.arange(move % 3, len(batch))), np.arange(move % 3, len(batch)))
    return batch
