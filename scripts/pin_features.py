"""Pin the features of a game anew: after a change of them that is meant.

    python scripts/pin_features.py lumen

Networks that were trained before are refused from then on, for they have learnt from other numbers.  Of every game with
features two files are written: the reference positions in its folder in agents/lanterns_agents, to which networks are
held when they are loaded, and others in tests/golden.
"""

import argparse
import pathlib
from collections.abc import Sequence

import numpy as np
from lanterns_agents.features import Reference, compute_features, has_features, reference_file, write_reference
from lanterns_agents.training.commands import as_command

from lanterns_env import GAMES, Batch
from lanterns_env.agent import Table, load
from lanterns_env.engine.game import Game

GOLDEN = pathlib.Path(__file__).parents[1] / "tests" / "golden"
POSITIONS, REFERENCE_SEED = 64, 1
GOLDEN_POSITIONS, GOLDEN_SEED = 32, 2
LATEST = 240  # decisions before a position: beyond the end of the first game


def pinned(game: Game, count: int, seed: int) -> Reference:
    """Positions of all numbers of players and stages, half of the moves before by chance, and their features."""
    batch = Batch(game, count, np.resize(list(game.players), count), seed=seed)
    agent, rng, rows = load("greedy"), np.random.default_rng(seed), np.arange(count)
    observations, latest = np.empty((count, game.view.itemsize), np.int8), rng.permutation(count) * LATEST // count
    for step in range(LATEST):
        observations[latest == step] = batch.observations[latest == step]
        chosen = agent.act(Table(batch, rows, rows), rng)
        batch.step(np.where(rng.random(count) < 0.5, chosen, batch.sample(rng)))
    return Reference(observations, compute_features(game, observations))


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", choices=[name for name in GAMES if has_features(name)])
    for name in parser.parse_args(words).games:
        write_reference(reference_file(name), pinned(GAMES[name], POSITIONS, REFERENCE_SEED))
        write_reference(GOLDEN / f"features_{name}.npz", pinned(GAMES[name], GOLDEN_POSITIONS, GOLDEN_SEED))


if __name__ == "__main__":
    as_command("pin_features", main)
