"""The policies of agents: asked as in a match, in every information set, the same for the same seed."""

import numpy as np
import pytest

from lanterns_env.solve import Policy, Tree, nash_conv, policy_of
from lanterns_env.solve.measuring import measure, spread
from lanterns_env.support.failures import AgentFailed
from tests.solve.poker import KUHN_GAME, LEDUC_GAME


class First:
    """The first legal action."""

    def act(self, table, rng):
        return table.action_masks.argmax(1)


class Coin:
    """Draws."""

    def act(self, table, rng):
        return np.array([rng.choice(np.flatnonzero(mask)) for mask in table.action_masks])


class Known(First):
    """Says its probabilities, 3 to 1 for the first action."""

    def action_probabilities(self, table):
        rows = table.action_masks / (4 * (table.action_masks.sum(1, keepdims=True) - 1))
        rows[np.arange(len(rows)), table.action_masks.argmax(1)] = 0.75
        return rows.astype(np.float32)


class Silent(First):
    """Has the method, and nothing to say."""

    def action_probabilities(self, table):
        return None


class Shown:
    """Keeps what it was given."""

    seen: list = []  # noqa: RUF012

    def act(self, table, rng):
        self.seen.append((table.game.to_array(table.views).copy(), table.seats.copy(), table.game_ids.copy()))
        return table.action_masks.argmax(1)


def test_probabilities_go_before_choices():
    tree = Tree(KUHN_GAME)
    assert [0.75, 0.25] * 12 == policy_of(tree, Known()).probabilities.tolist()
    assert [1, 0] * 12 == policy_of(tree, First).probabilities.tolist()
    assert [1, 0] * 12 == policy_of(tree, Silent()).probabilities.tolist()
    assert Policy.uniform(tree).probabilities.tolist() == policy_of(tree, "random").probabilities.tolist()


def test_it_is_given_what_the_player_sees(monkeypatch):
    """In chunks: every set once, the seat that is to move, and its own view."""
    monkeypatch.setattr("lanterns_env.solve.asking.AT_ONCE", 5)
    Shown.seen.clear()
    tree, counts = Tree(KUHN_GAME, 3), []
    policy_of(tree, Shown(), progress=lambda done, of: counts.append((done, of)))
    views, seats, games = (np.concatenate(parts) for parts in zip(*Shown.seen, strict=True))
    assert list(range(48)) == games.tolist()
    assert [tree.seat_of(number) for number in range(48)] == seats.tolist()
    assert seats.tolist() == views[:, 0].tolist()  # Kuhn's view begins with the seat
    assert 48 == len({(seat, view.tobytes()) for seat, view in zip(seats, views, strict=True)})
    assert [(5, 48), (48, 48)] == [counts[0], counts[-1]]


def test_a_seed_gives_a_policy():
    tree = Tree(LEDUC_GAME)
    one, again, other = (policy_of(tree, Coin, seed).probabilities for seed in (1, 1, 2))
    assert one.tolist() == again.tolist() != other.tolist()
    assert {0.0, 1.0} == set(one.tolist())


def test_who_draws_is_asked_with_several_seeds():
    tree = Tree(KUHN_GAME)
    drawn, fixed = measure(tree, Coin, 3), measure(tree, First)
    assert (3, 1) == (len(drawn.runs), len(fixed.runs))
    totals = [nash_conv(tree, policy_of(tree, Coin, seed)).total for seed in range(3)]
    assert totals == drawn.totals.tolist()
    assert float(np.std(totals, ddof=1)) == spread(drawn.totals) > 0
    assert 0 == spread(fixed.totals)
    assert (3, 2) == drawn.gains.shape == drawn.values.shape


def test_an_agent_that_thinks_by_the_clock_is_refused():
    with pytest.raises(ValueError, match="search:50ms thinks by the clock, and so has no policy"):
        policy_of(Tree(KUHN_GAME), "search:50ms")


def test_what_an_agent_does_wrong_is_said():
    tree = Tree(KUHN_GAME)

    class Wrong(First):
        def action_probabilities(self, table):
            return np.ones(table.action_masks.shape)

    class Broken:
        def act(self, table, rng):
            return table.nothing

    class Illegal:
        def act(self, table, rng):
            return np.full(len(table), 7)

    with pytest.raises(ValueError, match="agent '<Wrong>': action_probabilities must be at least 0, sum to 1"):
        policy_of(tree, Wrong())
    with pytest.raises(AgentFailed, match="agent '<Broken>' failed: AttributeError"):
        policy_of(tree, Broken)
    with pytest.raises(ValueError, match=r"agent '<Illegal>' may not do that: .*there is no action 7"):
        policy_of(tree, Illegal())


def test_agents_of_the_package_are_asked_like_others():
    """Search draws; the same seed gives the same."""
    tree = Tree(KUHN_GAME)
    first, again, other = (policy_of(tree, "search:10", seed).probabilities.tolist() for seed in (0, 0, 1))
    assert first == again != other
