"""What the expert of Lighthouse Architects has to find in positions set up by hand."""

import os
import subprocess
import sys

import numpy as np
import pytest
from lanterns_agents.lighthouse.expert import choose_rows
from lanterns_agents.lighthouse.player_model import LATE
from lanterns_agents.lighthouse.race import after_capture, after_own, after_public, chance_to_win, race_of, winner_of
from lanterns_agents.lighthouse.weights import BOUNDS
from lanterns_agents.weights import read_weights, vector_for, weights_file

from lanterns_env import Batch
from lanterns_env.games.lighthouse.towers import LAID
from tests.conftest import COMPILED
from tests.lighthouse.table import (
    ACTIONS,
    GAME,
    X,
    card,
    hand,
    laid_by,
    mask_of,
    play,
    table,
    view_of,
)
from tests.positions import copy_of

VECTORS = read_weights(weights_file("lighthouse"), BOUNDS)


def weights(num_players=2):
    return vector_for(VECTORS, num_players)


def decisions(views, masks, vector):
    actions = np.empty(len(views), np.int64)
    choose_rows(views, masks, vector, actions)
    return actions


def chosen(state, vector=None):
    """What the expert does, as a word."""
    vector = weights(int(state.num_players)) if vector is None else vector
    views = np.zeros(1, GAME.view)
    GAME.observe(state, int(state.player), views[0])
    return ACTIONS[int(decisions(views, mask_of(state)[None], vector)[0])]


def play_turn(state, vector=None):
    """The expert plays for everybody until the turn is over."""
    turn = int(state.turn)
    while int(state.turn) == turn and not state.over:
        play(state, chosen(state, vector))
    return state


def ends_of_turn(state):
    """All positions at the end of a turn, by any play; hands and claims are known."""
    turn, open_states, ends = int(state.turn), [state], []
    while open_states:
        for action in np.flatnonzero(mask_of(before := open_states.pop())):
            after = copy_of(before)
            GAME.play(after, int(action))
            (ends if after.over or int(after.turn) > turn else open_states).append(after)
    return ends


def threatened():
    """The next player's last order lacks one stone, and everybody knows that he holds it."""
    laid = {0: ["RWRW"], 1: ["WRWR", "RBRB"]}
    hands = {0: ["WBRW", "WRBW"], 1: ["BWBR"]}
    state = table({1: "WBR", 5: "R", 6: "BWB", 7: "W"}, hands=hands, laid=laid)
    state.proved[card("BWBR")] = 1
    return state


# -- towers -------------------------------------------------------------------------------------------------


def test_the_tower_that_wins_is_finished():
    state = play_turn(table(X, harbour="W", hands={0: ["WBRB"]}, laid={0: ["RWRW"], 1: ["WRWR", "BRBR"]}))
    assert state.over
    assert laid_by(state, 0) == {"RWRW", "WBRB"}


def test_two_towers_in_one_turn():
    state = table({1: "B", 2: "WBR", 5: "R", 6: "BWB"}, hands={0: ["WBRB", "BWBR", "RBRW"]})
    assert {"WBRB", "BWBR"} == laid_by(play_turn(state), 0)


def test_a_tower_that_ends_the_game_and_loses_it_is_not_laid():
    laid = {0: ["RWRW"], 1: ["WRWR", "BRBR", "RBRB", "WBWB"]}
    state = play_turn(table({3: "WBR", 2: "B"}, hands={0: ["WBRB"]}, laid=laid))
    assert not state.over
    assert hand(state, 0) == {"WBRB"}


def test_a_lead_is_made_before_the_game_is_ended():
    """Two orders behind, the last own order wins once one is taken from the other."""
    laid = {0: [], 1: ["RWRW", "BWBR"]}
    state = table({1: "B", 2: "WBR", 5: "R", 6: "BWB"}, hands={0: ["WBRB"]}, laid=laid)
    play_turn(state)
    assert state.over
    assert laid_by(state, 0) == {"WBRB", "BWBR"}


# -- the next player ----------------------------------------------------------------------------------------


@pytest.mark.skipif(not COMPILED, reason="thousands of positions")
def test_no_tower_that_wins_is_left_to_the_next_player():
    careless = weights() * [name not in ("care", "near_exposed") for name in BOUNDS]
    assert any(after.over for after in ends_of_turn(play_turn(threatened(), careless)))
    state = play_turn(threatened())
    assert not state.over
    assert not any(after.over for after in ends_of_turn(state))


# -- claims -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "others", "word"),
    [
        (["RWRW"], ["WRWR", "BRBR", "RBRB"], "decline"),
        (["RWRW"], ["WRWR", "BRBR"], "claim"),
        (["RWRW", "BWBW"], ["WRWR"], "claim"),
    ],
)
def test_the_last_own_order_is_claimed_if_that_wins(own, others, word):
    state = table({3: "WBR", 2: "B"}, hands={0: ["WBRB"]}, laid={0: own, 1: others})
    play(state, "I2")
    assert word == chosen(state)


def test_the_order_that_another_has_finished_is_claimed():
    state = table({3: "WBR", 2: "B"}, hands={1: ["WBRB", "RWRW"]}, laid={1: ["RBRB"]})
    play(state, "I2")
    assert state.player == 1
    assert "claim" == chosen(state)


def test_an_order_is_taken_from_another():
    state = table({3: "WBR", 2: "B"}, hands={0: ["RWRW"]}, laid={1: ["WBRB", "WRWR", "BRBR", "RBRB"]})
    play(state, "I2")
    assert "claim" == chosen(state)


@pytest.mark.parametrize(("leader", "word"), [(0, "claim"), (1, "decline")])
def test_the_last_public_order_is_claimed_if_that_wins(leader, word):
    state = table({3: "WBR", 2: "B"}, piles=(["WBRB"], []))
    state.place[state.place == LAID + 1] = LAID + leader
    play(state, "I2")
    assert word == chosen(state)


# -- all decisions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", GAME.players)
def test_decisions_are_legal_and_rest_on_the_view_alone(num_players):
    batch = Batch("lighthouse", 8 if COMPILED else 1, num_players, seed=6)
    rows = np.arange(len(batch))
    for _ in range(120 if COMPILED else 8):
        worlds = batch.worlds(rows, batch.current_players, rows + 1000)
        actions = decisions(batch.views, batch.action_masks, weights(num_players))
        assert batch.action_masks[rows, actions].all()
        assert np.array_equal(actions, decisions(worlds.views, worlds.action_masks, weights(num_players)))
        batch.step(actions)


def some_decisions():
    """Of random positions, as a line of numbers."""
    batch, rng = Batch("lighthouse", 2, seed=3), np.random.default_rng(3)
    numbers = []
    for step in range(140):
        if step % 20 == 19:
            numbers.extend(decisions(batch.views, batch.action_masks, weights()).tolist())
        batch.step(batch.sample(rng))
    return " ".join(map(str, numbers))


@pytest.mark.skipif(not COMPILED, reason="compares with what is compiled")
def test_decisions_are_the_same_without_the_compiler():
    command = [sys.executable, "-c", f"from {__name__} import some_decisions; print(some_decisions())"]
    plain = subprocess.run(command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True)
    assert some_decisions() == plain.stdout.strip(), plain.stderr


# -- games --------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not COMPILED, reason="many games")
def test_nobody_goes_round_in_circles_for_ever():
    batch = Batch("lighthouse", 100, 2, seed=8, autoreset=False)
    rows = np.arange(len(batch))
    while len(rows):
        batch.step(decisions(batch.views[rows], batch.action_masks[rows], weights()), rows)
        rows = rows[~batch.dones[rows]]
    assert not batch.truncations.any()
    assert batch.states["turn"].max() > LATE * 5


# -- the race -----------------------------------------------------------------------------------------------


def race(**named):
    return race_of(view_of(table(**named), 0))


def test_one_of_two_wins():
    state = table(laid={0: ["RWRW", "RBRB"], 1: ["BWBW"]})
    for mover in range(2):
        ours, theirs = (race_of(view_of(state, seat)) for seat in range(2))
        assert chance_to_win(ours, mover, 2) + chance_to_win(theirs, 1 - mover, 2) == pytest.approx(1, abs=1e-3)


def test_a_public_order_brings_less_than_an_own_one_or_one_of_the_other():
    before = race(laid={1: ["RWRW"]})
    own, public, captured = after_own(before, 0), after_public(before, 0), after_capture(before, 0, 1)
    none, one, brought, two = (chance_to_win(then, 1, 2) for then in (before, public, own, captured))
    assert none < one < min(brought, two)


def test_the_last_order_wins_or_is_not_laid():
    ahead, behind = ({0: ["RWRW"], 1: ["BWBW"]}, {1: ["BWBW", "RBRB"]})
    assert winner_of(after_own(race(hands={0: ["WBRB"]}, laid=ahead), 0)) == 0
    last = race(hands={0: ["WBRB"]}, laid=behind)
    assert last == after_own(last, 0)
