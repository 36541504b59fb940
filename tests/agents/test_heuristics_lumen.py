"""Heuristics of Lumen, with the knowledge of expert play: sound values, certain where the rules are."""

import numpy as np
import pytest
from lanterns_agents import load
from lanterns_agents.lumen.heuristics import WEIGHTS, evaluate, prior, set_up
from lanterns_agents.lumen.rollout import ROUND
from lanterns_agents.lumen.weights import LAST_SPREAD
from lanterns_agents.lumen.worlds import WORLD

from lanterns_env import Batch
from lanterns_env.agent import Table
from lanterns_env.games.lumen.components import HAND, MAX_PLAYERS, MAX_VALUE, ROUNDS
from lanterns_env.games.lumen.rules import BIDS, NUM_ACTIONS, PLAYS
from tests.conftest import COMPILED
from tests.lumen import setup

PLAYERS = pytest.mark.parametrize("num_players", setup.PLAYERS)
ROUND_NUMBERS = pytest.mark.parametrize("number", range(1, ROUNDS + 1))
SIMULATIONS = 400 if COMPILED else 40
WHIMS = 20


def values_of(state):
    values = np.full(MAX_PLAYERS, 9, np.float32)
    assert evaluate(state, values)
    assert not values[state.num_players :].any()
    return values[: state.num_players].tolist()


def position(num_players, number, actions, seed=0):
    """So many actions into a round, all chosen by chance."""
    state = setup.new_state(num_players, seed)
    setup.play_random(state, np.random.default_rng(seed), (number - 1) * (HAND + 1) * num_players + actions)
    return state


def searched(state):
    """What the search does that the agent plays."""
    batch = Batch("lumen", 1, int(state.num_players), autoreset=False)
    batch._states[0] = state
    batch.observe()
    table = Table(batch, np.arange(1), np.arange(1))
    return int(load(f"search:{SIMULATIONS}").act(table, np.random.default_rng(1))[0])


# -- values ---------------------------------------------------------------------------------------------------


@ROUND_NUMBERS
@PLAYERS
def test_shares_of_the_win_sum_to_one_in_every_phase(num_players, number):
    actions = range((HAND + 1) * num_players) if COMPILED else (0, 1, num_players, 2 * num_players + 1)
    for count in actions:
        values = values_of(position(num_players, number, count))
        assert sum(values) == pytest.approx(1, abs=1e-6)
        assert min(values) >= 0


@ROUND_NUMBERS
@PLAYERS
def test_the_last_trick_is_evaluated_as_it_must_fall(num_players, number, few):
    for seed in range(few):
        state = position(num_players, number, HAND * num_players + seed % num_players, seed)
        before = values_of(state)
        while not state.over and state.round_number == number:
            setup.play_random(state, np.random.default_rng(0), 1)
        assert before == pytest.approx(shares_at_the_end(state) if state.over else values_of(state), abs=1e-6)


def shares_at_the_end(state):
    n = int(state.num_players)
    ratios = np.exp((state.total[:n] - state.total[:n].max()) / WEIGHTS[n, LAST_SPREAD])
    return (ratios / ratios.sum()).tolist()


@pytest.mark.parametrize(("bid", "better"), [(8, False), (10, True)])
def test_a_lead_that_wins_all_tricks_left_is_known(bid, better):
    """Seat 0 holds the last yellow cards and leads; it has won eight tricks and has bid so many, or the two that come.

    The others will have bid one trick too many.
    """
    state = setup.new_state(3)
    setup.set_hands(state, {0: "Y7 Y8", 1: "R3 G3", 2: "R5 G8"}, leader=0)
    state.bid[:3] = [bid, 1, 1]
    assert (values_of(state)[0] > values_of(state)[1]) == better


@pytest.mark.parametrize("bid", [1, 3])
def test_players_are_taken_to_play_for_their_bids(bid):
    """Red 2 and red 8, on the red 5 that is led, win neither or both of the last two tricks; seat 0 has won one."""
    state = setup.new_state(3)
    setup.set_hands(state, {0: "R2 R8", 1: "G3 B3", 2: "R5 G8"}, leader=2)
    state.bid[:3], state.tricks[:3] = [bid, 1, 1], [1, 0, 7]
    setup.play_cards(state, "R5")
    met = 0
    for seed in range(WHIMS):
        state.seed = seed
        values = values_of(state)
        met += values[0] > values[1]
    assert met > WHIMS / 2


@PLAYERS
def test_players_know_of_their_cards_what_the_rules_say(num_players, few):
    """All of them, each by its own view."""
    rng = np.random.default_rng(5)
    for seed in range(few):
        state = position(num_players, 1, int(rng.integers((HAND + 1) * num_players)), seed)
        world, play = np.zeros(1, WORLD)[0], np.zeros(1, ROUND)[0]
        set_up(state, world, play, num_players)
        for seat in range(num_players):
            chances = np.empty((HAND, MAX_VALUE))
            setup.GAME.belief(state, seat, chances)
            held = chances[np.asarray(state.trick_of[seat]) == 0]
            above = world.above[seat, : world.number[seat], :MAX_VALUE]
            assert held[:, ::-1].cumsum(axis=1)[:, ::-1] == pytest.approx(above)


# -- the prior ----------------------------------------------------------------------------------------------------


@PLAYERS
def test_all_legal_actions_have_weight(num_players):
    for actions in (0, 1, num_players, 3 * num_players + 1):
        state = position(num_players, 2, actions)
        mask, weights = np.zeros(NUM_ACTIONS, np.int8), np.zeros(NUM_ACTIONS, np.float32)
        setup.GAME.legal(state, mask)
        prior(state, mask, weights)
        assert (weights[mask > 0] > 0).all()


def test_with_all_trumps_at_least_those_tricks_look_best():
    state = setup.new_state(3)
    setup.set_fan(state, int(state.player), "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 R7 R8")
    weights = np.zeros(NUM_ACTIONS, np.float32)
    prior(state, np.ones(NUM_ACTIONS, np.int8), weights)
    assert weights[:PLAYS].argmax() % BIDS >= 8


# -- the search -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bid", "card"), [(0, "R2"), (2, "R8")])
def test_search_takes_a_sure_trick_for_who_needs_it_alone(bid, card):
    """Red 2 and red 8 are the only ones unseen; seat 2 leads the red 5, and nobody holds yellow."""
    state = setup.new_state(3)
    setup.set_hands(state, {0: "R2 R8", 1: "G3 B3", 2: "R5 G8"}, leader=2)
    state.bid[:3] = [bid, 0, 8]
    setup.play_cards(state, "R5")
    assert card == setup.fan(state, 0)[searched(state) - PLAYS]
