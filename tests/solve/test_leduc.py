"""Leduc poker: its numbers as they stand in the literature."""

from fractions import Fraction

import numpy as np
import pytest

from lanterns_env import Batch
from lanterns_env.solve import Policy, Tree, evaluate, nash_conv, solve
from tests.conftest import COMPILED
from tests.solve.poker import LEDUC_GAME, LEDUC_STACK, RANKS

VALUE = -0.0856  # chips, of the first player
UNIFORM = 4.747222  # NashConv in chips of uniform play


@pytest.fixture(scope="module")
def tree():
    return Tree(LEDUC_GAME, 2)


def test_the_tree_has_leducs_numbers(tree):
    """Twice 144 information sets, suits apart; after each deal 36 positions and 49 ends."""
    assert [144, 144] == [len(tree.information_sets(seat)) for seat in (0, 1)]
    assert 1 + 24 * (36 + 49) == tree.num_histories


def test_deals_of_the_same_ranks_are_one():
    orders, weights = LEDUC_GAME.deals(2, {})
    found = [Fraction(weight).limit_denominator(1000) for weight in weights]
    chances = dict(zip(map(tuple, orders.tolist()), found, strict=True))
    assert RANKS**3 - RANKS == len(chances)
    assert {Fraction(1, 15)} == {chance for ranks, chance in chances.items() if len(set(ranks)) == 3}
    assert {Fraction(1, 30)} == {chance for ranks, chance in chances.items() if len(set(ranks)) == 2}
    assert sum(chances.values()) == 1


def test_uniform_play(tree):
    assert nash_conv(tree, Policy.uniform(tree)).total * LEDUC_STACK == pytest.approx(UNIFORM, abs=1e-6)


@pytest.mark.skipif(not COMPILED, reason="a thousand iterations")
def test_the_value_of_the_game(tree):
    policy = solve(tree, iterations=1000, algorithm="cfr+")
    assert nash_conv(tree, policy).total * LEDUC_STACK < 0.005
    assert evaluate(tree, policy) * LEDUC_STACK == pytest.approx([VALUE, -VALUE], abs=5e-4)


def test_redealt_worlds_keep_what_a_player_knows():
    batch = Batch(LEDUC_GAME, 300, 2, autoreset=False)
    rng = np.random.default_rng(0)
    for _ in range(3):
        rows = np.flatnonzero(~batch.dones)
        batch.step(batch.sample(rng, rows), rows)
    seats = np.arange(300) % 2
    worlds = batch.worlds(np.arange(300), seats, np.arange(300))
    assert np.array_equal(batch.observe(seats=seats), worlds.observe(seats=seats))
    cards = np.column_stack((worlds.states["ranks"], worlds.states["shared"]))
    assert (np.array([np.bincount(row, minlength=RANKS) for row in cards]) <= 2).all()
    assert (worlds.states["ranks"] != batch.states["ranks"]).any()
