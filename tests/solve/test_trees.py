"""The tree of a small game has in it what a walk in plain Python finds, and nothing else."""

import numpy as np
import pytest

from lanterns_env.solve import Policy, Tree, evaluate
from lanterns_env.solve.asking import positions
from tests.search.small_games import NIM_GAME
from tests.solve.brute import enumerate_all
from tests.solve.glimpse import GAME as GLIMPSE
from tests.solve.poker import KUHN_GAME, LEDUC_GAME

GAMES = [(KUHN_GAME, 2), (KUHN_GAME, 3), (GLIMPSE, 2)]
SINGLE = 1e-7  # rewards of batches have single precision


@pytest.mark.parametrize(("game", "num_players"), GAMES)
def test_a_tree_is_what_plain_python_finds(game, num_players):
    tree, found = Tree(game, num_players), enumerate_all(game, num_players)
    assert (found.histories, found.ends) == (tree.num_histories, tree.num_ends)
    counts = [len(tree.classes(keys)[1]) for keys in (tree.owned_keys, tree.view_keys)]
    assert [len(found.recall), len(found.owned), len(found.views)] == [tree.num_sets, *counts]
    for seat in range(num_players):
        assert sum(each[0] == seat for each in found.recall) == len(tree.information_sets(seat))
    np.testing.assert_allclose(evaluate(tree, Policy.uniform(tree)), found.values, atol=SINGLE)


def test_glimpses_are_remembered_or_not():
    """Recall keeps the coin apart from all that was done since; own decisions lose it for player 1, views for both."""
    tree = Tree(GLIMPSE)
    assert [2 + 4, 2] == [len(tree.information_sets(seat)) for seat in range(2)]
    assert [2 + 4, 1] == [len(tree.under("own decisions").information_sets(seat)) for seat in range(2)]
    assert [0, 0, 1, 1] == [tree.seat_of(number) for number in (0, 5, 6, 7)]
    assert 2 + 1 + 1 == len(tree.classes(tree.view_keys)[1])


def test_sets_come_after_those_that_lead_to_them():
    tree = Tree(LEDUC_GAME)
    before = tree.form.parents - tree.num_players
    assert (before < tree.form.firsts[:-1]).all()
    assert (before >= 0).sum() == tree.num_sets - sum(before < 0)
    assert {0, 1} == set(tree.form.parents[before < 0].tolist())


def test_the_first_line_of_a_set_leads_there():
    """Played move by move it ends where that player is to move, sees the same, and may do the same."""
    tree = Tree(LEDUC_GAME)
    numbers = np.arange(0, tree.num_sets, 7)
    batch = positions(tree, numbers)
    assert [tree.seat_of(number) for number in numbers] == batch.current_players.tolist()
    for row, number in enumerate(numbers):
        assert tree.legal_actions(number) == np.flatnonzero(batch.action_masks[row]).tolist()


def test_chances_of_deals_count():
    """In Glimpse the coin shows 0 in three of four games."""
    tree = Tree(GLIMPSE)
    assert 1 == tree.form.weights.sum() / 2**3
    zero = Policy(tree, [1.0, 0.0] * tree.num_sets)  # always the first action
    assert [0, 0] == evaluate(tree, zero).tolist()
    assert [-0.25, 0.25] == evaluate(tree, [Policy.uniform(tree), zero]).tolist()


def test_a_game_without_deals_is_refused():
    with pytest.raises(ValueError, match="Nim does not list its deals, and only games that do can be solved"):
        Tree(NIM_GAME)


def test_what_is_too_large_is_refused_before_it_is_walked():
    announced = []
    with pytest.raises(ValueError, match=r"too large to be solved: about .* histories, and at most 50 are allowed"):
        Tree(LEDUC_GAME, limit=50, announce=announced.append)
    (estimate,) = announced
    exact = Tree(LEDUC_GAME).num_histories
    assert abs(estimate.histories / exact - 1) < 0.1
    assert str(estimate).startswith("about ")


def test_more_memory_than_there_is_is_refused(monkeypatch):
    monkeypatch.setattr("lanterns_env.solve.enumerating.free_memory", lambda: 10_000.0)
    with pytest.raises(ValueError, match=r"too large for this machine: it may take .* and 0.1 MB are free"):
        Tree(LEDUC_GAME)


def test_a_walk_stops_at_its_limit_when_the_estimate_was_too_low(monkeypatch):
    monkeypatch.setattr("lanterns_env.solve.tree.check_size", lambda *arguments: None)
    with pytest.raises(ValueError, match="Leduc has more than 500 histories"):
        Tree(LEDUC_GAME, limit=500)


def test_it_goes_on_where_it_was_when_room_runs_out(monkeypatch):
    """With next to no room at first, and looks at the clock after every few histories."""
    whole = Tree(KUHN_GAME, 3)
    for name, number in (("DEPTH", 2), ("OUTCOMES", 0), ("SPARE", 0), ("AT_ONCE", 5)):
        monkeypatch.setattr(f"lanterns_env.solve.enumerating.{name}", number)
    shown = []
    narrow = Tree(KUHN_GAME, 3, progress=lambda done, about: shown.append(done))
    for ours, theirs in zip(narrow.form, whole.form, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert whole.actions.tolist() == narrow.actions.tolist()
    assert [whole.history(number) for number in range(48)] == [narrow.history(number) for number in range(48)]
    assert sorted(set(shown)) == shown
    assert len(shown) > 100
