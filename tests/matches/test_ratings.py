"""Ratings: known strengths are found again, and the summit of the likelihood is one."""

import itertools
import math

import numpy as np
import pytest

from lanterns_env.match.ratings import SCALE, VIRTUAL_DRAW, Choices, rate, strengths


def simulated(true, num_players, deals, tables=5, seed=0):
    """Tables of different agents whose places are drawn by their strengths."""
    rng = np.random.default_rng(seed)
    choices = Choices(len(true), deals)
    for deal, _ in itertools.product(range(deals), range(tables)):
        agents = rng.choice(len(true), num_players, replace=False)
        order = np.argsort(-(true[agents] + rng.gumbel(size=num_players)))  # as Plackett and Luce choose
        choices.add(deal, agents.tolist(), (1 + np.argsort(order)).tolist())
    return choices


@pytest.mark.parametrize("num_players", [2, 3, 4, 5])
def test_known_strengths_are_found_again(num_players):
    true = np.array([0, 0.5, 1.0, 1.5, 3.0])
    ratings, intervals = rate(simulated(true, num_players, deals=300), seed=0, anchor=0)
    assert ratings / SCALE == pytest.approx(true, abs=0.3)
    assert [0, 0] == intervals[0].tolist()
    inside = (intervals[1:, 0] <= SCALE * true[1:]) & (SCALE * true[1:] <= intervals[1:, 1])
    assert inside.sum() >= 3
    assert (intervals[1:, 1] - intervals[1:, 0] < SCALE).all()


def placings(num_agents, num_players, games, seed):
    """Games of any agents, copies among them, with equal places."""
    rng = np.random.default_rng(seed)
    for _ in range(games):
        points = rng.integers(0, 3, num_players)
        yield rng.integers(0, num_agents, num_players).tolist(), [int(1 + (points > own).sum()) for own in points]


def likelihood(logs, games):
    """Every order that a placing allows, with the same weight, and the virtual draws."""
    total = sum(VIRTUAL_DRAW * (log / 2 - math.log(1 + math.exp(log))) for log in logs)
    for agents, places in games:
        orders = [o for o in itertools.permutations(range(len(agents))) if sorted(places) == [places[s] for s in o]]
        for order in orders:
            for first in range(len(order)):
                left = [math.exp(logs[agents[seat]]) for seat in order[first:]]
                total += math.log(left[0] / sum(left)) / len(orders)
    return total


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_ratings_are_the_most_likely_ones(num_players):
    games = list(placings(3, num_players, 25, seed=num_players))
    choices = Choices(3, 1)
    for agents, places in games:
        choices.add(0, agents, places)
    (logs,) = strengths(choices.among, choices.weights, choices.chosen)
    best = likelihood(logs, games)
    for agent, change in itertools.product(range(3), (-0.01, 0.01)):
        assert likelihood(logs + change * np.eye(3)[agent], games) < best


def test_two_players_are_bradley_and_terrys_model():
    """Of 30 games 19 won, 1 drawn: the odds, but for the virtual draws."""
    choices = Choices(2, 1)
    for places in [(1, 2)] * 19 + [(2, 1)] * 10 + [(1, 1)]:
        choices.add(0, (0, 1), places)
    ratings, _ = rate(choices, seed=0, anchor=1)
    assert ratings[0] == pytest.approx(SCALE * math.log(19.5 / 10.5), rel=0.05)
    assert 0 == ratings[1]


def test_who_never_wins_has_a_rating_nonetheless():
    choices = Choices(3, 50)
    for deal in range(50):
        choices.add(deal, (0, 1, 2), (1, 2, 3))
    ratings, _ = rate(choices, seed=0)
    assert np.isfinite(ratings).all()
    assert ratings[0] > ratings[1] + SCALE > ratings[2] + 2 * SCALE
    assert ratings.mean() == pytest.approx(0, abs=1e-6)


def test_copies_of_one_agent_say_nothing_of_each_other():
    choices = Choices(2, 1)
    choices.add(0, (1, 1), (1, 2))
    assert 0 == len(choices.among)
    choices.add(0, (1, 1, 0), (1, 2, 3))  # two seats chosen before the other agent's
    assert [[1, 2], [1, 1]] == choices.among.tolist()
    assert [[0, 2]] == choices.chosen.tolist()


def test_intervals_are_over_deals():
    """The same games in fewer, larger groups: what belongs together does not count as so much evidence."""
    rng = np.random.default_rng(7)
    single, grouped = Choices(2, 200), Choices(2, 20)
    for group in range(20):
        places = [(1, 2), (2, 1)][int(rng.random() < 0.4)]
        for game in range(10):
            single.add(10 * group + game, (0, 1), places)
            grouped.add(group, (0, 1), places)
    (narrow, _), (wide, _) = (np.diff(rate(choices, seed=0, anchor=1)[1])[:, 0] for choices in (single, grouped))
    assert wide > 2 * narrow
