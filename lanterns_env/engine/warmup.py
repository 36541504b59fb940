"""Compile everything ahead of time: in containers, and before workers are started."""

import pickle
from collections.abc import Callable
from functools import partial

import numpy as np

from lanterns_env.agent import AGENTS, Table, load
from lanterns_env.engine.batch import Batch
from lanterns_env.games import GAMES
from lanterns_env.search.ismcts import Search
from lanterns_env.solve import Tree, nash_conv, solve

TINY = "tiny"  # the preset that is solved in a second or two


def warm_up(*games: str) -> None:
    """Call every kernel of the named games, by default of all, so that later processes find them compiled."""
    for name in games or GAMES:
        for work in steps(name).values():
            work()


def steps(game: str) -> dict[str, Callable[[], None]]:
    """What there is to compile for a game, in this order: the engine, the search, every agent, what solves variants."""
    named = {f"agent {agent}": partial(_ask, agent, game) for agent in AGENTS}
    solving = {"solving": partial(_solve, game)} if TINY in GAMES[game].presets else {}
    return {"engine": partial(_use_engine, game), "search": partial(_search, game), **named, **solving}


def _use_engine(game: str) -> None:
    batch = Batch(game, num_games=2)
    batch.step(batch.sample(np.random.default_rng(0)))
    batch.observe()
    batch.scores()
    batch.random_rollouts(0)
    batch.worlds([0], batch.current_players[:1], [0])
    batch.copy().deal()
    pickle.loads(pickle.dumps(batch))
    if batch.game.planes is not None:
        batch.game.planes(batch.views)
    if batch.game.picture is not None:
        batch.game.picture(list(batch.views[:1]))
    if batch.game.belief is not None:
        batch.belief(0, 0)


def _search(game: str) -> None:
    batch = Batch(game, num_games=2)
    search = Search(batch.game, 2, reuse=True)
    for _ in range(2):
        search.run(batch, [0, 1])


def _solve(game: str) -> None:
    tree = Tree(game, preset=TINY)
    nash_conv(tree, solve(tree, iterations=1))


def _ask(agent: str, game: str) -> None:
    """One decision of an agent, if it plays this game."""
    try:
        load(agent).act(Table(Batch(game), [0], [0]), np.random.default_rng(0))
    except Exception:  # another game, it needs a file, or it is somebody else's and broken
        return
