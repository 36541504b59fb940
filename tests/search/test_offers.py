"""What games and heuristics offer to search: keys that tell actions apart, shares that add up, priors above 0."""

import numpy as np
import pytest
from lanterns_agents.search import heuristics_of

from lanterns_env import GAMES, Batch
from lanterns_env.engine.compile import specialise, template
from lanterns_env.engine.rng import PLAY_OUT, generator
from lanterns_env.search.tree import KEY_BITS, action_key, evaluate, prior, revealed_key, rollout
from tests.conftest import COMPILED

GAMES_A_TABLE = 30 if COMPILED else 2
STEPS = 120 if COMPILED else 40


@template
def keys_of(states, i, mask, keys):
    """The key of every legal action, -1 elsewhere; and that of what the last one revealed."""
    legal(states[i], mask)  # noqa: F821
    for action in range(len(keys)):
        keys[action] = action_key(states[i], action) if mask[action] else -1
    return revealed_key(states[i])


@template
def evaluated(states, i, values):
    return evaluate(states[i], values)


@template
def weighed(states, i, mask, weights):
    legal(states[i], mask)  # noqa: F821
    prior(states[i], mask, weights)


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
    return specialise(function, GAMES[name], heuristics_of(GAMES[name]))


def test_a_key_stands_for_one_action(name, num_players):
    for batch in positions(name, num_players):
        mask, keys = np.zeros(batch._masks.shape[1], np.int8), np.zeros(batch.game.num_actions, np.int64)
        for row in range(0, len(batch), 7):
            revealed = kernel(keys_of, name)(batch.states, row, mask, keys)
            known = keys[keys >= 0]
            assert len(known) == len(set(known.tolist())) == batch.action_masks[row].sum()
            assert known.max() < 1 << KEY_BITS
            assert 0 <= revealed < 1 << 31


def test_a_key_is_the_same_in_every_world(name, num_players):
    """For who is to move, in worlds it cannot tell apart."""
    for batch in positions(name, num_players):
        worlds = batch.worlds([0, 0], batch.current_players[[0, 0]], [1, 2])
        mask, keys = np.zeros(batch._masks.shape[1], np.int8), np.zeros((2, batch.game.num_actions), np.int64)
        revealed = [kernel(keys_of, name)(worlds.states, row, mask, keys[row]) for row in range(2)]
        assert np.array_equal(keys[0], keys[1])
        assert revealed[0] == revealed[1]


def test_shares_add_up(name, num_players):
    values, evaluations = np.zeros(GAMES[name].max_players, np.float32), 0
    for batch in positions(name, num_players):
        for row in range(len(batch)):
            if kernel(evaluated, name)(batch.states, row, values):
                evaluations += 1
                assert values.sum() == pytest.approx(1, abs=1e-5)
                assert (values >= 0).all()
                assert not values[num_players:].any()
    assert evaluations > 0


def test_priors_are_above_0(name, num_players):
    for batch in positions(name, num_players):
        mask = np.zeros(batch._masks.shape[1], np.int8)
        weights = np.zeros(len(mask), np.float32)
        for row in range(0, len(batch), 7):
            kernel(weighed, name)(batch.states, row, mask, weights)
            assert (weights[mask == 1] > 0).all()
            assert np.isfinite(weights[mask == 1]).all()


def test_rollouts_are_legal(name, num_players):
    for batch in positions(name, num_players):
        mask, rng = np.zeros(batch._masks.shape[1], np.int8), generator(np.uint64(1), PLAY_OUT)
        for row in range(0, len(batch), 7):
            assert batch.action_masks[row, kernel(rolled, name)(batch.states, row, mask, rng)] == 1
