"""How the figures of the page "How far from optimal" are measured."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import measures  # noqa: E402
from distances import GAINS, TRAINING, Cell, Variant  # noqa: E402
from fixed_search import FixedSearch  # noqa: E402
from lanterns_agents.networks.base import make_network  # noqa: E402
from lanterns_agents.training.evaluate import BestMoves  # noqa: E402

from lanterns_env import GAMES, Batch  # noqa: E402
from lanterns_env.agent import Table, load  # noqa: E402
from lanterns_env.solve import Policy, nash_conv, policy_of  # noqa: E402
from tests.conftest import COMPILED  # noqa: E402

pytestmark = pytest.mark.skipif(not COMPILED, reason="thousands of positions")
SMALLEST = Variant("lumen", 3, "tiny", (("top_value", 2), ("hand", 1)))


@pytest.fixture(scope="module")
def tree():
    return measures.tree_of(SMALLEST)


@pytest.fixture(scope="module")
def network():
    torch.manual_seed(0)
    network = make_network(GAMES["lumen"], hidden_size=16, entity_size=4).eval()
    with torch.no_grad():
        for weight in network.parameters():
            weight.mul_(4)
    return network


def test_agents_are_measured_as_they_play_or_by_their_probabilities(tree):
    expected = {
        "random": Policy.uniform(tree),
        "greedy": policy_of(tree, "greedy"),
        "expert drawn": policy_of(tree, "expert"),
    }
    for agent, policy in expected.items():
        _, found = measures.measure(Cell(GAINS, SMALLEST, agent))
        assert nash_conv(tree, policy).gains == pytest.approx(found["gains"], abs=1e-6)
        assert sum(found["gains"]) == pytest.approx(found["nash_conv"], abs=1e-5)
    played = measures.policy_for(Cell(GAINS, SMALLEST, "expert"), tree).probabilities
    assert {0.0, 1.0} == set(played)


def test_the_best_actions_of_a_policy_are_those_that_the_network_plays(tree, network):
    drawn = policy_of(tree, measures.Probable(network))
    assert len(set(drawn.probabilities.round(6))) > 100
    best = measures.best_of(drawn).probabilities
    assert np.array_equal(policy_of(tree, BestMoves(network)).probabilities, best)


def test_what_is_solved_is_nearly_optimal(tree):
    shape, found = measures.measure(Cell(GAINS, SMALLEST, "solved"))
    assert (tree.num_histories, [-0.5, 1.0]) == (shape["histories"], shape["payoffs"])
    assert found["nash_conv"] <= measures.SOLVE_TARGET * 1.5
    assert found["iterations"] > 1


def test_a_run_is_measured_at_doubling_decisions(monkeypatch):
    monkeypatch.setattr(measures, "RUN_DECISIONS", 3000)
    monkeypatch.setattr(measures, "POINTS", 3)
    monkeypatch.setattr(measures, "settings_for", small_settings(measures.settings_for))
    cell = Cell(TRAINING, SMALLEST, "ppo", 1, (("ent_coef", 0.02), ("magnet_coef", 0.1)))
    _, found = measures.measure(cell)
    assert {"ent_coef": 0.02, "magnet_coef": 0.1, "magnet_every": measures.MAGNET_EVERY} == found["settings"]
    decisions = [point["decisions"] for point in found["points"]]
    assert 3 == len(decisions)
    assert all(due <= made < due + 500 for due, made in zip((750, 1500, 3000), decisions, strict=True))
    assert all(point[how]["nash_conv"] > 0 for point in found["points"] for how in ("drawn", "best"))


def small_settings(made):
    small = {"num_games": 32, "batch_size": 256, "minibatch_size": 128, "hidden_size": 16, "entity_size": 4}
    return lambda variant, **settings: made(variant, **{**small, **settings})


def test_fixed_search_does_the_same_wherever_it_sees_the_same():
    """Whatever the random numbers, the company and the number of the game."""
    batch = Batch("lumen", 40, 3, seed=1, **SMALLEST.options)
    agent, rng = FixedSearch("20"), np.random.default_rng
    actions = agent.act(Table(batch, range(40), range(40)), rng(0))
    assert np.array_equal(
        actions, load("fixed_search:FixedSearch:20").act(Table(batch, range(40), range(7, 47)), rng(1))
    )
    assert actions[7] == agent.act(Table(batch, [7], [0]), rng(2))[0]
    assert len(set(actions)) > 1
