"""Compile everything ahead of time: in containers, and before workers are started."""

import pickle

import numpy as np

from lanterns_env.agent import AGENTS, Table, load
from lanterns_env.engine.batch import Batch
from lanterns_env.games import GAMES
from lanterns_env.search.ismcts import Search


def warm_up(*games: str) -> None:
    """Call every kernel of the named games, by default of all, so that later processes find them compiled."""
    for name in games or GAMES:
        batch = Batch(name, num_games=2)
        batch.step(batch.sample(np.random.default_rng(0)))
        batch.observe()
        batch.scores()
        batch.random_rollouts(0)
        batch.worlds([0], batch.current_players[:1], [0])
        batch.copy().deal()
        pickle.loads(pickle.dumps(batch))
        if batch.game.planes is not None:
            batch.game.planes(batch.views)
        if batch.game.belief is not None:
            batch.belief(0, 0)
        search = Search(batch.game, 2, reuse=True)
        for _ in range(2):
            search.run(batch, [0, 1])
        for agent in AGENTS:
            _ask(agent, batch)


def _ask(agent: str, batch: Batch) -> None:
    """One decision of an agent, if it plays this game."""
    try:
        load(agent).act(Table(batch, [0], [0]), np.random.default_rng(0))
    except Exception:  # another game, it needs a file, or it is somebody else's and broken
        return
