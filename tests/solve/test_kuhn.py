"""Kuhn's poker: what Kuhn proved in 1950, and what uniform play is worth, with fractions that are known."""

from fractions import Fraction

import numpy as np
import pytest

from lanterns_env import Batch
from lanterns_env.solve import Policy, Tree, best_response, evaluate, nash_conv, solve
from tests.solve.poker import BET, KUHN_GAME, KUHN_STACK

ROUNDING = 1e-12
VALUE = -1 / 18 / KUHN_STACK  # of the first player
ITERATIONS = 1000


@pytest.fixture(scope="module")
def tree():
    return Tree(KUHN_GAME, 2)


def line(tree, number):
    """An information set in words: the own card, and what has been done: "0pb"."""
    deal, actions = tree.history(number)
    card = tree.deals.orders[deal][tree.seat_of(number)]
    return f"{card}{''.join('pb'[action] for action in actions)}"


def betting(tree, chances):
    """The policy that bets, or calls, with these chances."""
    numbers = np.empty(tree.num_entries)
    for number in range(tree.num_sets):
        bet = float(chances[line(tree, number)])
        numbers[tree.entries(number)] = 1 - bet, bet
    return Policy(tree, numbers)


def equilibrium(bluff):
    """Kuhn's family: how often the first player bets the lowest card decides over all that it does."""
    third = Fraction(1, 3)
    first = {"0": bluff, "0pb": 0, "1": 0, "1pb": bluff + third, "2": 3 * bluff, "2pb": 1}
    return {**first, "0p": third, "0b": 0, "1p": 0, "1b": third, "2p": 1, "2b": 1}


def test_the_tree_has_kuhns_numbers(tree):
    """Six deals of nine positions each, for every player two decisions with each of three cards."""
    assert 1 + 6 * 9 == tree.num_histories
    assert 6 * 5 == tree.num_ends
    assert [6, 6] == [len(tree.information_sets(seat)) for seat in (0, 1)]
    assert set(equilibrium(0)) == {line(tree, number) for number in range(tree.num_sets)}


@pytest.mark.parametrize("bluff", [Fraction(0), Fraction(1, 7), Fraction(1, 3)])
def test_every_member_of_kuhns_family_is_an_equilibrium(tree, bluff):
    found = nash_conv(tree, betting(tree, equilibrium(bluff)))
    assert [0, 0] == pytest.approx(found.gains, abs=ROUNDING)
    assert [VALUE, -VALUE] == pytest.approx(found.values, abs=ROUNDING)


@pytest.mark.parametrize("changed", [{"1pb": 0}, {"2": 0}, {"1b": 1}, {"0p": 0}])
def test_nothing_beside_the_family_is(tree, changed):
    policy = betting(tree, {**equilibrium(Fraction(1, 3)), **changed})
    assert nash_conv(tree, policy).total > 1e-3


def test_more_bluffs_than_a_third_can_be_punished(tree):
    policy = betting(tree, {**equilibrium(Fraction(1, 3)), "0": Fraction(1, 2)})
    value, answer = best_response(tree, policy, 1)
    assert value > -VALUE
    assert evaluate(tree, [policy, answer]).tolist() == pytest.approx([-value, value], abs=ROUNDING)
    callers = [number for number in tree.information_sets(1) if line(tree, number) == "1b"]
    assert [1.0] == [answer.at(number)[BET] for number in callers]


def test_uniform_play_can_be_exploited_by_eleven_twelfths_of_a_chip(tree):
    """The first player gains 3/8 of a chip, the second 13/24."""
    gains = nash_conv(tree, Policy.uniform(tree)).gains * KUHN_STACK
    assert [3 / 8, 13 / 24] == pytest.approx(gains, abs=ROUNDING)


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "predictive"])
def test_solving_ends_in_the_family(tree, algorithm):
    policy = solve(tree, iterations=ITERATIONS, algorithm=algorithm)
    found = {line(tree, number): policy.at(number)[BET] for number in range(tree.num_sets)}
    assert equilibrium(found["0"]) == pytest.approx(found, abs=0.03)
    assert [VALUE, -VALUE] == pytest.approx(evaluate(tree, policy), abs=1e-3)


def test_redealt_worlds_keep_what_a_player_knows():
    batch = Batch(KUHN_GAME, 200, 3, autoreset=False)
    seats = np.arange(200) % 3
    worlds = batch.worlds(np.arange(200), seats, np.arange(200))
    assert np.array_equal(batch.observe(seats=seats), worlds.observe(seats=seats))
    again = worlds.worlds(np.arange(200), seats, np.arange(200)[::-1])
    assert np.array_equal(batch.worlds(np.arange(200), seats, np.arange(200)[::-1]).states, again.states)
    others = worlds.states["cards"][np.arange(200), (seats + 1) % 3]
    assert {0, 1, 2, 3} == set(others.tolist())
