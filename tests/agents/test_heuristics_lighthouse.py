"""Heuristics of Lighthouse Architects in positions that are set up by hand."""

import numpy as np
import pytest
from lanterns_agents.lighthouse.heuristics import evaluate, prior
from lanterns_agents.search import heuristics_of

from lanterns_env import Batch
from lanterns_env.engine.rng import generator
from lanterns_env.search import Search
from tests.conftest import COMPILED
from tests.lighthouse.table import ACTIONS, GAME, X, play, table

LONE = {"harbour": "W", "hands": {0: ["WBRB"]}}


def values_of(state):
    values = np.full(GAME.max_players, np.nan, np.float32)
    assert evaluate(state, values)
    return values.tolist()


def prior_of(state):
    """Action -> weight beside the greatest."""
    mask, weights = np.zeros(16, np.int8), np.zeros(16, np.float32)
    GAME.legal(state, mask)
    prior(state, mask, weights)
    scaled = (weights / weights.max()).tolist()
    return {ACTIONS[action]: scaled[action] for action in np.flatnonzero(mask)}


def rotated(state):
    """The same position with every player one seat further on."""
    turned, n = state.copy(), int(state.num_players)
    for card, place in enumerate(state.place.tolist()):
        if place < 8:
            turned.place[card] = place // 4 * 4 + (place % 4 + 1) % n
    turned.hand_size[:n] = np.roll(state.hand_size[:n], 1)
    turned.player = turned.builder = (int(state.player) + 1) % n
    return turned


@pytest.mark.parametrize("num_players", GAME.players)
def test_shares_sum_to_1_and_weights_are_above_0(num_players):
    batch, rng = Batch("lighthouse", 4 if COMPILED else 1, num_players, seed=3), np.random.default_rng(3)
    evaluated = 0
    for _ in range(60 if COMPILED else 4):
        for state in batch.states:
            if state.phase == 2:
                continue
            values = values_of(state)
            assert sum(values[:num_players]) == pytest.approx(1)
            assert min(values) >= 0
            assert not any(values[num_players:])
            assert min(prior_of(state).values()) > 0
            evaluated += 1
        batch.step(batch.sample(rng))
    assert evaluated > 0


def test_a_turn_that_wins_is_worth_1():
    assert [1, 0, 0, 0] == values_of(table(X, **LONE, laid={0: ["RWRW"], 1: ["WRWR", "BRBR"]}))


def test_a_turn_that_would_end_the_game_and_lose_it_is_worth_less():
    state = table(X, **LONE, laid={0: ["RWRW"], 1: ["WRWR", "BRBR", "RBRB", "WBWB"]})
    assert values_of(state)[0] < 0.5


def test_the_prior_prefers_the_step_that_wins():
    stones, laid = {3: "WBR", 2: "B", 6: "R"}, {0: ["RWRW"], 1: ["WRWR"]}
    prior = prior_of(table(stones, points=1, hands={0: ["WBRB"]}, laid=laid))
    others = [weight for word, weight in prior.items() if word != "I2"]
    assert prior["I2"] == pytest.approx(1, abs=1e-3)
    assert max(others) < 0.1


@pytest.mark.parametrize("num_players", GAME.players)
def test_seats_make_no_difference(num_players):
    state = table(X, harbour="W", num_players=num_players, laid={0: ["RWRW"], 1: ["WRWR", "BRBR"]})
    expected = np.roll(values_of(state)[:num_players], 1)
    assert expected == pytest.approx(values_of(rotated(state))[:num_players])


def test_more_orders_are_worth_more():
    few = table(X, harbour="W", laid={0: ["RWRW"], 1: ["WRWR", "BRBR"]})
    many = table(X, harbour="W", laid={0: ["WRWR", "BRBR"], 1: ["RWRW"]})
    assert values_of(few)[0] < values_of(many)[0]


@pytest.mark.parametrize("leader", [1, 2, 3])
def test_of_the_others_the_leader_has_the_best_chance(leader):
    values = values_of(table(X, harbour="W", num_players=4, laid={leader: ["WRWR", "BRBR", "RBRB"]}))
    assert leader == 1 + int(np.argmax(values[1:]))


def test_a_claim_is_played_before_it_is_evaluated():
    state = table({3: "WBR", 2: "B"}, hands={0: ["WBRB", "RWRW", "BRBR"]})
    play(state, "I2")
    assert not evaluate(state, np.zeros(4, np.float32))


def test_in_a_simulation_a_claim_is_made_that_does_not_lose():
    """A random answer would decline half of them."""
    state = table({3: "WBR", 2: "B"}, hands={0: ["WBRB", "RWRW", "BRBR"]})
    play(state, "I2")
    mask = np.zeros(16, np.int8)
    count, rollout = GAME.legal(state, mask), heuristics_of(GAME).rollout
    answers = [ACTIONS[rollout(state, mask, count, generator(np.uint64(seed), 3))] for seed in range(20)]
    assert ["claim"] * 20 == answers


@pytest.mark.skipif(not COMPILED, reason="hundreds of simulations")
def test_search_finds_the_turn_that_wins():
    batch = Batch("lighthouse", 1, seed=7, autoreset=False)
    batch._states[0] = table(X, **LONE, laid={0: ["RWRW"], 1: ["WRWR", "BRBR"]})
    batch.observe()
    found = Search(GAME, 200, heuristics=heuristics_of(GAME)).run(batch, np.arange(1))
    assert found.values.max() > 0.9
