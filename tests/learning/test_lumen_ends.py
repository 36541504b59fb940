"""How rounds of Lumen near their end come out: given for the cards that may be played then, and right."""

import numpy as np
import pytest
from lanterns_agents import load
from lanterns_agents.features import compute_features
from lanterns_agents.lumen.endgame import (
    BEYOND,
    KNOWN,
    NEAR_END,
    POINTS,
    SOME_POINTS,
    SOME_TRICKS,
    TRUE,
    TRUE_OF_OTHERS,
    WORSE,
    WORST,
)
from lanterns_agents.lumen.expert import logits_rows
from lanterns_agents.lumen.features import AT_OUTCOMES, COLUMNS
from lanterns_agents.lumen.weights import BOUNDS
from lanterns_agents.weights import ANY_NUMBER, read_weights, weights_file

from lanterns_env import Batch
from lanterns_env.agent import Table
from lanterns_env.games.lumen.components import HAND
from lanterns_env.games.lumen.rules import PLAY, PLAYS
from tests.conftest import COMPILED
from tests.lumen import setup

GAMES_AT_ONCE, MOVES = (64, 400) if COMPILED else (4, 110)


def outcomes_of(game, observations):
    """[row, slot, outcome]"""
    slots = compute_features(game, observations)[:, : HAND * COLUMNS].reshape(-1, HAND, COLUMNS)
    return slots[:, :, AT_OUTCOMES:]


def positions(num_players):
    """Batches in all stages of rounds."""
    batch, rng = Batch("lumen", GAMES_AT_ONCE, num_players, seed=4), np.random.default_rng(4)
    for move in range(MOVES):
        batch.step(batch.sample(rng))
        if move % 7 == 0:
            yield batch


@pytest.mark.parametrize("num_players", setup.PLAYERS)
def test_outcomes_are_given_for_the_cards_that_may_be_played_near_the_end(num_players):
    """LU-32; and where there is a choice alone."""
    seen = 0
    for batch in positions(num_players):
        outcomes = outcomes_of(batch.game, batch.observations)
        choices = batch.action_masks[:, PLAYS:].sum(1) > 1
        near = (batch.views["phase"] == PLAY) & (batch.views["held"].sum(1) <= NEAR_END)
        expected = batch.action_masks[:, PLAYS:] * (choices & near)[:, None]
        assert np.array_equal(expected, outcomes[:, :, KNOWN])
        assert np.array_equal(outcomes, outcomes * expected[:, :, None])
        seen += expected.sum()
    assert seen > 0


@pytest.mark.parametrize("num_players", setup.PLAYERS)
def test_outcomes_are_means_over_worlds(num_players):
    """Shares lie between 0 and 1, points between the worst and the best of the round; the best card is worst by 0."""
    for batch in positions(num_players):
        for view, slots in zip(batch.views, outcomes_of(batch.game, batch.observations), strict=True):
            given = slots[slots[:, KNOWN] == 1]
            if len(given):
                assert (given[:, [TRUE, TRUE_OF_OTHERS]] >= 0).all()
                assert (given[:, [TRUE, TRUE_OF_OTHERS]] <= 1 + 1e-6).all()
                points = given[:, POINTS] * SOME_POINTS
                assert (-50 - 1e-4 <= points).all()
                assert (points <= 10 * view.round_number + 1e-4).all()
                assert pytest.approx(0, abs=1e-6) == given[:, WORSE].max()
                assert (given[:, WORSE] >= WORST).all()


@pytest.mark.parametrize(
    ("bid", "expected"),
    [
        (0, {"R2": (1, 0, 10, 0.5, True), "R8": (0, 2, -10, 1, False)}),
        (1, {"R2": (0, -1, -5, 0.5, True), "R8": (0, 1, -5, 1, False)}),
        (2, {"R2": (0, -2, -10, 0.5, False), "R8": (1, 0, 10, 1, True)}),
    ],
)
def test_a_sure_end_is_given_as_it_comes(bid, expected):
    """Red 2 and red 8 are the only ones unseen; seat 2 leads the red 5, then green; nobody holds yellow.

    With the red 8 both tricks are won, with the red 2 none.  Seat 1 keeps its bid, seat 2 wins too many with the red 2.
    """
    state = near_the_end(bid)
    views = np.zeros(1, setup.GAME.view)
    views[0] = setup.view_of(state)
    slots = outcomes_of(setup.GAME, setup.GAME.to_array(views))[0]
    for card, (true, beyond, points, others, best) in expected.items():
        columns = slots[setup.fan(state, 0).index(card)]
        given = [1, true, others, beyond / SOME_TRICKS, points / SOME_POINTS]
        assert given == pytest.approx(columns[[KNOWN, TRUE, TRUE_OF_OTHERS, BEYOND, POINTS]], abs=1e-6)
        assert (columns[WORSE] == 0) == best
    assert len(expected) == slots[:, KNOWN].sum()


def near_the_end(bid):
    state = setup.new_state(3)
    setup.set_hands(state, {0: "R2 R8", 1: "G3 B3", 2: "R5 G8"}, leader=2)
    state.bid[:3] = [bid, 0, 8]
    setup.play_cards(state, "R5")
    return state


def test_a_lead_that_nothing_can_change_makes_all_cards_alike():
    """The greatest that there is, 300 points in the last round: in 64 bits the chance to win is 1."""
    views, masks = np.zeros(1, setup.GAME.view), np.zeros((1, setup.GAME.num_actions), np.int8)
    state = near_the_end(2)
    views[0], masks[0, setup.legal_actions(state)] = setup.view_of(state), 1
    views["round_number"], views["total"][0, :3] = 4, (20, -40, -40)
    slots = outcomes_of(setup.GAME, setup.GAME.to_array(views))[0]
    assert pytest.approx([0, 0], abs=0.01) == slots[slots[:, KNOWN] == 1, WORSE]
    weights, logits = read_weights(weights_file("lumen"), BOUNDS)[ANY_NUMBER], np.empty(masks.shape, np.float32)
    logits_rows(views, masks, weights, logits)
    assert pytest.approx([0, 0], abs=0.01) == logits[masks == 1]


@pytest.mark.skipif(not COMPILED, reason="experts play hundreds of positions")
def test_the_best_card_is_mostly_what_expert_plays():
    """It tries more worlds, and by the same rule of thumb."""
    expert, agreed, asked = load("expert"), 0, 0
    for batch in positions(3):
        slots = outcomes_of(batch.game, batch.observations)
        rows = np.flatnonzero(slots[:, :, KNOWN].any(1))
        if len(rows):
            best = np.where(slots[rows, :, KNOWN] == 1, slots[rows, :, WORSE], -np.inf).argmax(1)
            chosen = expert.act(Table(batch, rows, rows), np.random.default_rng(0)) - PLAYS
            agreed, asked = agreed + (best == chosen).sum(), asked + len(rows)
    assert asked > 100
    assert agreed / asked > 0.75
