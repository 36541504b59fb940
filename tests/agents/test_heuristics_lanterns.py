"""Heuristics of Lanterns: shares that add up, the expert's order of actions, exact ends."""

import numpy as np
import pytest
from lanterns_agents import load
from lanterns_agents.lanterns.heuristics import LAST_SPREAD, evaluate, prior

from lanterns_env import Batch
from lanterns_env.agent import Table
from lanterns_env.engine.compile import jit
from lanterns_env.games.lanterns.rules import DEDICATE, final_round
from tests.conftest import COMPILED

TABLES = (2, 3, 4)
LAST_TURN = 23  # of two players


@jit
def evaluate_rows(states, values):
    for i in range(len(states)):
        evaluate(states[i], values[i])


@jit
def prior_rows(states, masks, weights):
    for i in range(len(states)):
        prior(states[i], masks[i], weights[i])


def positions(num_players, games=40 if COMPILED else 2):
    """Every fourth decision of games of expert play."""
    batch, expert, rng = Batch("lanterns", games, num_players, seed=6), load("expert"), np.random.default_rng(0)
    rows = np.arange(games)
    for number in range(60 if COMPILED else 24):
        if number % 4 == 0:
            yield batch
        batch.step(expert.act(Table(batch, rows, rows), rng))


def values_of(batch):
    values = np.zeros((len(batch), batch.game.max_players), np.float32)
    evaluate_rows(batch.states, values)
    return values


@pytest.mark.parametrize("num_players", TABLES)
def test_shares_add_up(num_players):
    for batch in positions(num_players):
        values = values_of(batch)
        assert values.sum(axis=1) == pytest.approx(np.ones(len(batch)), abs=1e-5)
        assert not values[:, num_players:].any()
        assert (values >= 0).all()


@pytest.mark.parametrize("num_players", TABLES)
def test_the_prior_prefers_what_the_expert_does(num_players):
    expert, agreed, asked = load("expert"), 0, 0
    for batch in positions(num_players):
        rows = np.arange(len(batch))
        weights = np.zeros((len(batch), batch.action_masks.shape[1]), np.float32)
        prior_rows(batch.states, batch.action_masks, weights)
        legal = batch.action_masks == 1
        assert (weights[legal] >= 0).all()
        actions = expert.act(Table(batch, rows, rows), np.random.default_rng(0))
        best = np.where(legal, weights, -1).max(axis=1)
        agreed += int((weights[rows, actions] >= 0.999 * best).sum())
        asked += len(batch)
    assert agreed >= 0.8 * asked  # plans are followed up to the placement by the expert alone


def test_more_honor_is_a_greater_share():
    batch = next(positions(2))
    before = values_of(batch)
    batch._states["honor"][:, 0] += 5
    assert (values_of(batch)[:, 0] > before[:, 0]).all()


@pytest.mark.skipif(not COMPILED, reason="whole games")
def test_a_set_in_hand_counts_in_the_final_round():
    checked = 0
    for batch in positions(2, 200):
        states = batch.states
        for row in range(len(batch)):
            seat = int(batch.current_players[row])
            if states[row]["turn"] == LAST_TURN and final_round(states[row]) and batch.views[row]["phase"] == DEDICATE:
                points = max(points_after(batch, row, seat))
                lead = points - int(states[row]["honor"][1 - seat])
                assert values_of(batch)[row, seat] == pytest.approx(1 / (1 + np.exp(-lead / LAST_SPREAD)), abs=1e-4)
                checked += 1
    assert checked > 0


def points_after(batch, row, seat):
    """The final honor of every choice in the last turn."""
    for action in np.flatnonzero(batch.action_masks[row]):
        world = batch.worlds([row], [seat], [0])
        world.step([action])
        yield int(world.scores()[0][0, seat])
