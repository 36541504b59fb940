"""What games offer to search: edges that tell actions apart, shares that add up, weights above nothing."""

import numpy as np
import pytest

from lanterns_env import GAMES, Batch
from lanterns_env.engine.compile import specialise, template
from lanterns_env.engine.rng import PLAY_OUT, generator
from lanterns_env.search import tree as growing
from lanterns_env.search.tree import edge, evaluate, rollout, shows, weigh
from tests.conftest import COMPILED

GAMES_A_TABLE = 30 if COMPILED else 2
STEPS = 120 if COMPILED else 40


@template
def edges_of(states, i, mask, keys):
    """The edge of every legal action, -1 elsewhere; and what the position shows."""
    legal(states[i], mask)  # noqa: F821
    for action in range(len(keys)):
        keys[action] = edge(states[i], action) if mask[action] else -1
    return shows(states[i])


@template
def judged(states, i, values):
    return evaluate(states[i], values)


@template
def weighed(states, i, mask, weights):
    legal(states[i], mask)  # noqa: F821
    weigh(states[i], mask, weights)


@template
def rolled(states, i, mask, rng):
    return rollout(states[i], mask, legal(states[i], mask), rng)  # noqa: F821


def positions(name, num_players):
    batch, rng = Batch(name, GAMES_A_TABLE, num_players, seed=9), np.random.default_rng(2)
    for number in range(STEPS):
        if number % 4 == 0:
            yield batch
        batch.step(batch.sample(rng))


def kernel(function, name):
    return specialise(function, GAMES[name])


def test_an_edge_stands_for_one_action(name, num_players):
    for batch in positions(name, num_players):
        mask, keys = np.zeros(batch._masks.shape[1], np.int8), np.zeros(batch.game.num_actions, np.int64)
        for row in range(0, len(batch), 7):
            shown = kernel(edges_of, name)(batch.states, row, mask, keys)
            known = keys[keys >= 0]
            assert len(known) == len(set(known.tolist())) == batch.action_masks[row].sum()
            assert known.max() < 1 << growing.KEY_BITS
            assert 0 <= shown < 1 << 31


def test_an_edge_is_the_same_in_every_world(name, num_players):
    """For who is to move, in worlds it cannot tell apart."""
    for batch in positions(name, num_players):
        worlds = batch.worlds([0, 0], batch.current_players[[0, 0]], [1, 2])
        mask, keys = np.zeros(batch._masks.shape[1], np.int8), np.zeros((2, batch.game.num_actions), np.int64)
        shown = [kernel(edges_of, name)(worlds.states, row, mask, keys[row]) for row in range(2)]
        assert np.array_equal(keys[0], keys[1])
        assert shown[0] == shown[1]


def test_shares_add_up(name, num_players):
    values, judgements = np.zeros(GAMES[name].max_players, np.float32), 0
    for batch in positions(name, num_players):
        for row in range(len(batch)):
            if kernel(judged, name)(batch.states, row, values):
                judgements += 1
                assert values.sum() == pytest.approx(1, abs=1e-5)
                assert (values >= 0).all()
                assert not values[num_players:].any()
    assert judgements > 0


def test_weights_are_above_nothing(name, num_players):
    for batch in positions(name, num_players):
        mask = np.zeros(batch._masks.shape[1], np.int8)
        weights = np.zeros(len(mask), np.float32)
        for row in range(0, len(batch), 7):
            kernel(weighed, name)(batch.states, row, mask, weights)
            assert (weights[mask == 1] > 0).all()
            assert np.isfinite(weights[mask == 1]).all()


def test_quick_play_is_legal(name, num_players):
    for batch in positions(name, num_players):
        mask, rng = np.zeros(batch._masks.shape[1], np.int8), generator(np.uint64(1), PLAY_OUT)
        for row in range(0, len(batch), 7):
            assert batch.action_masks[row, kernel(rolled, name)(batch.states, row, mask, rng)] == 1
