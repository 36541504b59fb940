"""Regret minimisation comes near an equilibrium, stops where it should, and is the same every time."""

import numpy as np
import pytest

from lanterns_env.solve import Policy, Tree, evaluate, nash_conv, solve
from lanterns_env.solve.solving import ALGORITHMS
from tests.conftest import COMPILED
from tests.solve.glimpse import GAME as GLIMPSE
from tests.solve.poker import KUHN_GAME

ITERATIONS = 300 if COMPILED else 60
KUHN_VALUE = -1 / 36  # half of the -1/18 chips: outcomes are shares of the table's chips


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("alternating", [True, False])
def test_every_algorithm_finds_the_value_of_kuhn(algorithm, alternating):
    tree = Tree(KUHN_GAME)
    policy = solve(tree, ITERATIONS, algorithm=algorithm, alternating=alternating)
    judged = nash_conv(tree, policy)
    assert judged.total < 0.05
    assert abs(judged.values[0] - KUHN_VALUE) <= judged.total


def test_it_stops_at_its_target():
    tree = Tree(KUHN_GAME)
    seen = []
    policy = solve(tree, target=0.01, progress=seen.append)
    totals = [standing.nash_conv.total for standing in seen]
    assert totals[-1] <= 0.01 < min(totals[:-1])
    assert totals[-1] == nash_conv(tree, policy).total
    assert sorted({standing.iterations for standing in seen}) == [standing.iterations for standing in seen]


def test_it_stops_when_time_is_up():
    seen = []
    solve(Tree(KUHN_GAME), seconds=0.05, progress=seen.append)
    assert seen[-1].seconds >= 0.05 > seen[-2].seconds if len(seen) > 1 else seen[-1].seconds >= 0.05


def test_the_same_iterations_give_the_same_policy():
    tree = Tree(KUHN_GAME, 3)
    first, again = (solve(tree, 10).probabilities.tolist() for _ in range(2))
    assert first == again


def test_three_players_end_with_the_best_policy_seen():
    tree = Tree(KUHN_GAME, 3)
    seen = []
    best = solve(tree, 40, algorithm="cfr", best=True, progress=seen.append)
    totals = [standing.nash_conv.total for standing in seen]
    assert totals == sorted(totals, reverse=True)
    assert nash_conv(tree, best).total <= nash_conv(tree, solve(tree, 40, algorithm="cfr")).total


def test_solved_for_less_information_it_is_the_same_wherever_that_is_the_same():
    """In Glimpse player 1 sees nothing where it decides; player 0 wins alone in one of four games."""
    tree = Tree(GLIMPSE)
    coarse = tree.under("own decisions")
    policy = solve(coarse, 50).on(tree)
    np.testing.assert_allclose(evaluate(tree, policy), [0.25, -0.25], atol=0.01)
    first, second = (policy.at(number) for number in tree.information_sets(1))
    assert first == second
    np.testing.assert_allclose(nash_conv(tree, policy).gains, [0, 0.25], atol=0.01)
    assert 0 == round(evaluate(tree, solve(tree, 50))[0], 2)


def test_what_is_asked_for_is_checked():
    tree = Tree(GLIMPSE)
    with pytest.raises(ValueError, match="solving needs an end: iterations, seconds or target"):
        solve(tree)
    with pytest.raises(ValueError, match="iterations must be at least 1, not 0"):
        solve(tree, 0)
    with pytest.raises(ValueError, match=r"algorithm must be one of cfr, cfr.*; not 'best'"):
        solve(tree, 1, algorithm="best")
    with pytest.raises(ValueError, match="the policy is of another tree"):
        Policy.uniform(tree).on(tree.under("own decisions"))
