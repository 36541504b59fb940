"""Random games under bounds checks: no rule, view, redeal or belief reads or writes beyond an array."""

import os
import sys

import numpy as np
import pytest

from lanterns_env import GAMES, Batch
from lanterns_env.engine.soundness import check_states
from tests.attacks.forging import options_by_chance, tables
from tests.attacks.scale import FULL, scaled

MOVES = scaled(30_000, 10_000_000)  # all tables together
ROWS = 256
STEPS = 50  # moves in a row with one set of options

pytestmark = pytest.mark.skipif(not os.environ.get("NUMBA_BOUNDSCHECK"), reason="compiled code checks no bounds")


def test_random_games_stay_within_their_arrays(name, num_players):
    rng = np.random.default_rng(num_players)
    moves, wanted = 0, MOVES // len(tables())
    while moves < wanted:
        batch = Batch(name, ROWS, num_players, seed=moves, **options_by_chance(name, num_players, rng))
        for step in range(STEPS * (10 if FULL else 1)):
            batch.step(batch.sample(rng))
            moves += ROWS
            if step % STEPS == 0:
                look_around(batch, rng)
        if FULL:
            print(f"{name}, {num_players} players: {moves:,} of {wanted:,} moves", file=sys.stderr, flush=True)


def look_around(batch, rng):
    """All that can be asked of the games, from every seat."""
    rows = np.arange(len(batch))
    for seat in range(batch.num_seats):
        batch.observe(rows, seat)
        world = batch.worlds(rows, seat, rng.integers(1 << 62, size=len(batch)))
        check_states(batch.game, world.states, "a world")
        if GAMES[batch.game.name].belief is not None:
            batch.belief(int(rng.integers(len(batch))), seat)
    batch.scores()
    batch.random_rollouts(int(rng.integers(1 << 62)))
    check_states(batch.game, batch.states, "a position")
