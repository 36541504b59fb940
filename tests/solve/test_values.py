"""Values and best responses, by hand and by what must always hold."""

import numpy as np
import pytest

from lanterns_env.solve import Policy, Tree, best_response, evaluate, nash_conv, view_response
from tests.solve.glimpse import CHANCES
from tests.solve.glimpse import GAME as GLIMPSE
from tests.solve.poker import KUHN_GAME, LEDUC_GAME

UNIFORM = 1 / 2 * sum(CHANCES)  # chance of a random guess


def random_policy(tree, seed):
    """Some policy of which every probability matters."""
    numbers = np.random.default_rng(seed).random(tree.num_entries)
    sums = np.add.reduceat(numbers, tree.form.firsts[:-1])
    return Policy(tree, numbers / np.repeat(sums, np.diff(tree.form.firsts)))


@pytest.mark.parametrize(("game", "num_players"), [(KUHN_GAME, 2), (KUHN_GAME, 3), (LEDUC_GAME, 2)])
def test_what_always_holds(game, num_players):
    """Outcomes sum to zero; the gain is what the best response gets more, and it is nobody's who answers best."""
    tree = Tree(game, num_players)
    policy = random_policy(tree, 7)
    judged = nash_conv(tree, policy)
    np.testing.assert_allclose(0, judged.values.sum(), atol=1e-12)
    assert (judged.gains > 0).all()
    for seat in range(num_players):
        value, response = best_response(tree, policy, seat)
        np.testing.assert_allclose(value, judged.values[seat] + judged.gains[seat], atol=1e-12)
        np.testing.assert_allclose(evaluate(tree, response)[seat], value, atol=1e-12)
        np.testing.assert_allclose(nash_conv(tree, response).gains[seat], 0, atol=1e-12)
        others = [response if each != seat else policy for each in range(num_players)]
        assert evaluate(tree, others)[seat] < value


def test_a_best_response_by_hand():
    """In Glimpse, against a player that guesses at random: who remembers is right, and wins alone every other time."""
    tree = Tree(GLIMPSE)
    uniform = Policy.uniform(tree)
    assert 0 == evaluate(tree, uniform)[0]
    assert [0.5, 0.5] == [best_response(tree, uniform, seat).value for seat in range(2)]


def test_less_information_is_worth_less():
    """Player 1 sees nothing where it decides: it guesses the side that comes up in three of four games."""
    tree = Tree(GLIMPSE)
    uniform = Policy.uniform(tree)
    blind = (CHANCES[0] - CHANCES[1]) / 2
    assert blind == best_response(tree, uniform, 1, "own decisions").value
    assert 0.5 == best_response(tree, uniform, 0, "own decisions").value
    for seat in range(2):
        value, policy, exact, recall_value = view_response(tree, uniform, seat)
        assert (blind, 0.5) == (value, recall_value)
        assert value == evaluate(tree, policy)[seat]
        assert exact == (seat == 1)


def test_a_deviator_by_views_chooses_the_same_wherever_it_sees_the_same():
    tree = Tree(GLIMPSE)
    policy = view_response(tree, Policy.uniform(tree), 0).policy
    again = [number for number in tree.information_sets(0) if len(tree.history(number)[1]) == 2]
    assert [{0: 1.0, 1: 0.0}] * 4 == [policy.at(number) for number in again]


def test_where_views_say_all_the_answer_is_exact():
    tree = Tree(KUHN_GAME)
    policy = random_policy(tree, 3)
    for seat in range(2):
        found = view_response(tree, policy, seat)
        assert found.exact
        assert found.value == found.recall_value == best_response(tree, policy, seat).value


def test_policies_are_checked():
    tree = Tree(GLIMPSE)
    with pytest.raises(ValueError, match="a policy needs 16 probabilities"):
        Policy(tree, [1.0])
    with pytest.raises(ValueError, match="at least 0 and sum to 1"):
        Policy(tree, [0.5, 0.6] * 8)
    with pytest.raises(ValueError, match="2 policies are needed, one a seat, not 1"):
        evaluate(tree, [Policy.uniform(tree)])
    with pytest.raises(ValueError, match="the policy is of another tree"):
        evaluate(tree, Policy.uniform(Tree(GLIMPSE)))
    with pytest.raises(ValueError, match="seat 2 does not exist; there are seats 0 to 1"):
        best_response(tree, Policy.uniform(tree), 2)
    with pytest.raises(ValueError, match="'recall' or 'own decisions', not 'dreams'"):
        best_response(tree, Policy.uniform(tree), 0, "dreams")
