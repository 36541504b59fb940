"""Compile everything ahead of time: in containers, and before workers are started."""

import numpy as np

from lanterns_env.batch import Batch
from lanterns_env.games import GAMES


def warm_up(*games: str) -> None:
    """Call every kernel of the named games, by default of all, so that later processes find them compiled."""
    for name in games or GAMES:
        batch = Batch(name, num_games=2)
        batch.step(batch.sample(np.random.default_rng(0)))
        batch.observe()
        batch.scores()
        batch.play_out(0)
        batch.worlds([0], batch.players[:1], [0])
        batch.copy().deal()
        if batch.game.belief is not None:
            batch.belief(0, 0)
