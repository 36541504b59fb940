"""Smaller games by their rules: options, presets, and what is refused."""

import functools

import numpy as np
import pytest

from lanterns_env import Batch, lumen_v0
from lanterns_env.games.lumen.components import HAND, NUM_COLOURS, ROUNDS, TOP_VALUE
from lanterns_env.games.lumen.rules import BID, PLAYS
from lanterns_env.testing import check_env
from tests.lumen.setup import (
    COMPILED,
    GAME,
    LETTERS,
    PLAYERS,
    bid_all,
    deck_of,
    fan,
    legal_actions,
    new_state,
    play,
    play_random,
    score_of,
    set_aside,
    variant_by_chance,
    view_of,
)

PRESETS = [("tiny", 3), ("small", 3), ("small", 4)]
SOME = 90 if COMPILED else 6


def views_of(state):
    views = np.zeros(int(state.num_players), GAME.view)
    for seat in range(len(views)):
        GAME.observe(state, seat, views[seat])
    return views


def cards_in(view):
    """All cards that stand somewhere in a view."""
    found = np.argwhere((view.unseen > 0) | (view.played_by > 0) | view.hands.any(0))
    return [f"{LETTERS[colour]}{column + 1}" for colour, column in found]


# -- options --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("colours", range(2, NUM_COLOURS + 1))
def test_LU_A18_fewer_colours(colours):
    state = new_state(3, colours=colours, hand=5)
    names = [f"{letter}{value}" for letter in "YRGBP"[:colours] for value in range(1, 9)]
    assert names == sorted([*set_aside(state), *fan(state, 0), *fan(state, 1), *fan(state, 2)], key=names.index)
    view = view_of(state)
    assert names == cards_in(view)
    assert [colours * 8 - 15, 0] == [view.undealt.sum(), view.undealt[colours:].sum()]
    drawn = GAME.draw(views_of(state))
    said = [name in drawn for name in ("yellow", "red", "green", "blue", "purple")]
    assert colours * [True] + (NUM_COLOURS - colours) * [False] == said


@pytest.mark.parametrize("top", [2, 5, 8, 12])
def test_LU_A19_other_values(top):
    state = new_state(3, top_value=top, hand=2)
    assert {int(card[1:]) for card in deck_of(state)} == {int(card[1:]) for card in cards_in(view_of(state))}
    assert max(8, top) == view_of(state).top_value
    assert 5 * top == len(deck_of(state)) == len(cards_in(view_of(state)))
    assert 5 * top - 6 == state.undealt.sum()


def test_LU_A19_the_default_is_by_number_of_players():
    for n in PLAYERS:
        usual, named = new_state(n), new_state(n, top_value=int(TOP_VALUE[n - 3]))
        named.top_value = 0
        assert usual.tobytes() == named.tobytes()


@pytest.mark.parametrize("hand", [1, 3, 9])
def test_LU_A20_fewer_cards_in_hand(hand):
    state = new_state(4, hand=hand)
    view = view_of(state)
    assert hand * [1] + (HAND - hand) * [0] == view.held.tolist() == view.slot_colour.sum(1).tolist()
    assert [*range(hand + 1), *range(11, 12 + hand)] == legal_actions(state)
    assert hand == view.bid_limit
    bid_all(state, "0")
    assert [PLAYS + slot for slot in range(hand)] == legal_actions(state)
    for trick in range(hand):
        assert (1, trick) == (state.round_number, state.tricks_done)
        for _ in range(4):
            GAME.play(state, legal_actions(state)[0])
    assert (2, BID, 0) == (state.round_number, state.phase, state.tricks_done)
    assert 5 * hand == -state.last_score[state.last_score < 0].sum()  # LU-43


def test_LU_A20_what_is_left_over_of_one_colour_is_said_up_to_ten():
    state = new_state(3, top_value=12, hand=1)
    state.fans[0, :3, 0] = [0, 12, 24]  # Y1, R1, G1
    state.undealt[:] = [11, 11, 11, 12, 12]
    assert GAME.sound(state)
    assert 5 * [10] == view_of(state).undealt.tolist()


@pytest.mark.parametrize(("rounds", "num_players"), [(1, 3), (2, 4), (3, 5)])
def test_LU_A21_fewer_rounds_are_the_last_ones(rounds, num_players):
    state = new_state(num_players, rounds=rounds, hand=2, top_value=8, first_dark_plus=1)
    seen, decisions, rng = [], 0, np.random.default_rng(2)
    while not state.over:
        if not seen or seen[-1] != state.round_number:
            seen.append(int(state.round_number))
            assert (1 + len(seen)) % num_players == state.dark_plus
        GAME.play(state, int(rng.choice(legal_actions(state))))
        decisions += 1
    assert [*range(ROUNDS + 1 - rounds, ROUNDS + 1)] == seen
    assert 3 * rounds * num_players == decisions


def test_LU_A21_a_game_of_one_round_scores_as_the_fourth():
    state = new_state(3, rounds=1, hand=1)
    assert (4, 1, 1) == (state.round_number, state.dark_plus, state.starter)  # LU-51: all have nothing
    bid_all(state, "0 with extra")
    for _ in range(3):
        GAME.play(state, legal_actions(state)[0])
    assert [20, 20, 20] == score_of(state)[0]
    assert [0, 1, 0] == score_of(state)[1]  # LU-62


def test_LU_A22_fewer_tip_stones():
    state = new_state(3, bead_limit=True, beads=2, hand=3)
    assert [0, 1, 2, 11, 12, 13] == legal_actions(state)
    assert "LU-21: a bid is 0 to 3" in GAME.why_illegal(view_of(state), 4)
    assert "LU-A1: 2 tip stones are left" in GAME.why_illegal(view_of(state), 3)
    play(state, "bid 1 with extra", "bid 1")
    assert [0, 11] == legal_actions(state)
    with pytest.raises(ValueError, match="beads=2 limits bids with bead_limit=True alone"):
        new_state(3, beads=2)


REFUSED = [
    (3, {"colours": 3}, "3 hands of 10 are 30 cards, and 3 colours of 8 values 24"),
    (5, {"top_value": 8, "hand": 9}, "5 hands of 9 are 45 cards, and 5 colours of 8 values 40"),
    (4, {"preset": "tiny"}, "all 8 cards would be dealt and none set aside"),
    (5, {"preset": "small"}, "5 hands of 2 are 10 cards, and 3 colours of 3 values 9"),
    (3, {"top_value": 1, "hand": 1}, "with one value of every colour nothing would be hidden"),
]


@pytest.mark.parametrize(("num_players", "options", "why"), REFUSED)
def test_LU_A23_what_cannot_be_played_is_refused(num_players, options, why):
    with pytest.raises(ValueError, match=f"^Lumen for {num_players} players cannot be played like that: {why}"):
        Batch("lumen", 1, num_players, **options)


@pytest.mark.parametrize(("top", "is_sound"), [(4, True), (3, False)])
def test_LU_A23_a_saved_game_that_sets_no_card_aside_is_unsound(top, is_sound):
    state = new_state(3, hand=1, rounds=1)
    state.colours, state.top_value = 1, top
    state.fans[ROUNDS - 1, :3, 0] = [0, 1, 2]  # Y1, Y2, Y3
    state.undealt[:] = [top - 3, 0, 0, 0, 0]
    assert is_sound == GAME.sound(state)


def test_LU_A21_rounds_that_are_not_played_have_no_cards():
    state = new_state(3, rounds=2)
    assert GAME.sound(state)
    state.fans[1, 0, 3] = 7
    assert not GAME.sound(state)


@pytest.mark.parametrize("field", ["fans", "trick_of"])
def test_LU_A20_slots_beyond_the_hand_have_no_cards(field):
    state = new_state(3, hand=4, rounds=1)
    assert GAME.sound(state)
    state[field][..., 0, 4] = 1
    assert not GAME.sound(state)


# -- presets --------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not COMPILED, reason="dozens of games, each played again and again")
@pytest.mark.parametrize(("preset", "num_players"), PRESETS)
def test_LU_A24_presets_conform(preset, num_players):
    def draw_for(env, agent):
        return env.game.draw(env.view(agent).reshape(1))

    make = functools.partial(lumen_v0.env, num_players=num_players, preset=preset, render_mode="ansi")
    assert [] == check_env(make, zero_sum=True, draw_for=draw_for)


def test_LU_A24_what_the_presets_are():
    tiny, small = (GAME.check_options(3, {"preset": name}) for name in GAME.presets)
    assert (2, 4, 1, True) == tuple(tiny[name] for name in ("colours", "top_value", "beads", "bead_limit"))
    assert (3, 3, 2, True) == tuple(small[name] for name in ("colours", "top_value", "beads", "bead_limit"))
    for options in (tiny, small):
        assert (2, 1, 0) == tuple(options[name] for name in ("hand", "rounds", "first_dark_plus"))


# -- words and drawings ---------------------------------------------------------------------------------------


def positions(seed):
    """Positions of any smaller game."""
    rng = np.random.default_rng(seed)
    for k in range(SOME):
        n = PLAYERS[k % 3]
        state = new_state(n, seed=int(rng.integers(1 << 60)), **variant_by_chance(n, rng))
        play_random(state, rng, int(rng.integers(1 + n * state.rounds * (1 + state.hand))))
        yield state


def test_LU_A20_slots_beyond_the_hand_look_like_nothing():
    for state in positions(1):
        for view in views_of(state):
            beyond = slice(int(state.hand), None)
            assert not any(view[name][beyond].any() for name in ("held", "slot_colour", "slot_value", "belief"))
            chances = np.full(GAME.belief_shape, 7.0)
            GAME.belief(state, int(view.seat), chances)
            assert not chances[beyond].any()
            assert np.allclose(1, chances[: state.hand].sum(1), rtol=0, atol=1e-12)


def test_LU_A20_words_go_with_the_mask():
    for state in positions(2):
        if state.over:
            continue
        view, legal = view_of(state), legal_actions(state)
        for action in range(GAME.num_actions):
            assert (action in legal) == (GAME.why_illegal(view, action) is None)
        assert legal == [GAME.parse(view, GAME.describe(view, action)) for action in legal]
        with pytest.raises(ValueError, match=f"LU-21: a bid is 0 to {state.hand} "):
            GAME.parse(view, f"bid {state.hand + 1}")
        with pytest.raises(ValueError, match=f"LU-33: .* slots are 0 to {state.hand - 1}"):
            GAME.parse(view, f"play slot {state.hand}")


def test_LU_A20_every_position_can_be_drawn_and_is_sound():
    for state in positions(3):
        views = views_of(state)
        assert GAME.sound(state)
        for viewers in (views, views[:1]):
            assert GAME.picture(viewers).shapes
            drawn = GAME.draw(viewers).splitlines()
            slots = next(line for line in drawn if "slot" in line).split("slot")[1].split()
            assert [str(slot) for slot in range(state.hand)] == slots
            assert len(GAME.draw_compact(viewers).splitlines()) <= 24


def test_LU_38_the_scores_of_a_round_are_said_after_its_last_trick():
    state = new_state(3, preset="tiny")
    bid_all(state, "0")
    for number in range(6):
        before, mover, action = views_of(state), int(state.player), legal_actions(state)[0]
        GAME.play(state, action)
        said = GAME.describe_outcome(before, mover, action, 0, views_of(state))
        assert [0, 0, 1, 0, 0, 4][number] == len(said)
    assert state.over
