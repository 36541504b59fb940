"""Words: every action has its own, they are understood when loosely written, and refusals say why."""

import numpy as np
import pytest

from lanterns_env.games.lanterns import rules, text
from tests.lanterns.setup import (
    COMPILED,
    GAME,
    TABLES,
    clear_tiles,
    lay,
    legal_actions,
    line,
    new_state,
    play,
    set_hand,
    set_lanterns,
    set_supply,
    start_turn,
    view_of,
)


def positions(num_players, options, seed, every=9 if COMPILED else 23):
    """Decisions of a random game, all of its last ones among them, and its end."""
    state = new_state(num_players, seed, **options)
    rng = np.random.default_rng(seed)
    count = 0
    while not state.over:
        if count % every == 0 or (state.hands[: state.num_players] == rules.NO_TILE).sum() >= 3 * num_players - 2:
            yield state
        GAME.play(state, int(rng.choice(legal_actions(state))))
        count += 1
    yield state


@pytest.mark.parametrize(("num_players", "options"), TABLES)
def test_every_action_has_its_own_words_in_every_position(num_players, options):
    missing = 0
    for state in positions(num_players, options, seed=3):
        for seat in range(num_players):
            view = view_of(state, seat)
            missing += (view.hand_tile == rules.NO_TILE).any()
            texts = [GAME.describe(view, action) for action in range(885)]
            assert 885 == len(set(texts))
            assert list(range(885)) == [GAME.parse(view, words) for words in texts]
    assert missing > 3


@pytest.mark.parametrize(("num_players", "options"), TABLES)
def test_why_illegal_is_silent_exactly_for_legal_actions(num_players, options):
    for state in positions(num_players, options, seed=4):
        view = view_of(state)
        reasons = [GAME.why_illegal(view, action) for action in range(885)]
        legal = [] if state.over else legal_actions(state)
        assert legal == [action for action, reason in enumerate(reasons) if reason is None]
        assert all(reason.startswith("LA-") for reason in reasons if reason is not None)


def test_all_cells_of_the_longest_line_have_words():
    state = new_state(4)
    for _ in line(state, 1):
        if state.num_laid < 32:
            continue
        view = view_of(state)
        assert 66 == view.slot_open.sum()
        assert 885 == len({GAME.describe(view, action) for action in range(885)})


def test_move_and_action_are_one_to_one():
    assert list(range(885)) == [text.action_of(text.move_of(action)) for action in range(885)]


# -- why not --------------------------------------------------------------------------------------------------


def why(state, words):
    view = view_of(state)
    return GAME.why_illegal(view, GAME.parse(view, words))


def to_move(favors=0, **held):
    """Seat 0 of four, with tiles 26, 32 and 9, begins its turn."""
    state = new_state(4)
    set_hand(state, 0, 26, 32, 9)
    set_lanterns(state, 0, **held)
    state.favors[0] = favors
    start_turn(state, 0)
    return state


def test_why_no_exchange():
    assert "LA-10: an exchange costs 2 favors, you have 1" == why(to_move(1, red=4), "exchange red for blue")
    assert "LA-10: an exchange costs 2 favors, you have 0" == why(to_move(0, red=4), "exchange red for blue")
    assert "LA-10: you have no green lantern to return" == why(to_move(2, red=1), "exchange green for blue")
    state = to_move(2, red=4)
    set_supply(state, blue=0)
    assert "LA-10: the blue stack is empty" == why(state, "exchange red for blue")
    assert why(state, "exchange red for green") is None
    play(state, "skip")
    expected = "LA-10: an exchange is the first step of a turn, and only one; now it is the dedication"
    assert expected == why(state, "exchange red for green")


def test_why_no_dedication():
    state = to_move(2, red=4, blue=1)
    assert "LA-11: four of a kind takes 4 blue, you have 1" == why(state, "dedicate four of a kind: blue")
    assert "LA-11: three pairs takes 2 blue, you have 1" == why(state, "dedicate three pairs: red, blue, black")
    assert "LA-11: seven different takes 1 orange, you have 0" == why(state, "dedicate seven different")
    expected = "LA-11: the dedication comes after the exchange: exchange, or skip it, first"
    assert expected == why(state, "dedicate four of a kind: red")
    play(state, "skip", "skip")
    expected = "LA-11: at most one dedication a turn, before the placement; now it is the placement"
    assert expected == why(state, "dedicate four of a kind: red")


def test_why_no_discard():
    assert "LA-13: lanterns are returned only above 12, you have 4" == why(to_move(0, red=4), "discard red")
    assert "LA-13: lanterns are returned only above 12, you have 12" == why(to_move(0, red=8, white=4), "discard red")
    state = to_move(0, red=8, white=7)
    expected = "LA-13: lanterns are returned just before the placement; now it is the dedication"
    assert expected == why(state, "discard red")
    play(state, "skip")
    assert "LA-13: you have no blue lantern to return" == why(state, "discard blue")
    assert "LA-13: you hold 15 lanterns; return 3 before placing" == why(
        state, "place tile 32 at (0, 1), red facing me"
    )
    assert "LA-13: returning lanterns cannot be skipped" == why(state, "skip")
    assert why(state, "discard red") is None


def test_why_no_placement():
    state = to_move(0, red=4)
    expected = "LA-14: the placement is the last step of a turn; now it is the dedication, which you may skip"
    assert expected == why(state, "place tile 32 at (0, 1), red facing me")
    play(state, "skip")
    assert why(state, "place tile 32 at (0, 1), red facing me") is None
    assert "LA-14: the placement cannot be skipped" == why(state, "skip")
    assert "LA-14: slot 4 is not a free cell next to a tile" == why(state, "place hand 1 on slot 4, side 0 facing me")
    state.hands[0, 1] = rules.NO_TILE
    expected = "LA-14: hand position 1 of 0 to 2 holds no tile"
    assert expected == why(state, "place hand 1 on slot 0, side 0 facing me")


def test_why_not_in_the_final_round_and_after_it():
    state = to_move(0)
    clear_tiles(state)
    set_lanterns(state, 0, red=8, white=7)
    start_turn(state, 0)
    expected = "LA-31: in the final turn no lanterns are returned, the hand limit belongs to placing"
    assert expected == why(state, "discard red")
    expected = "LA-31: in the final turn no tile is placed"
    assert expected == why(state, "place hand 0 on slot 0, side 0 facing me")
    play(state, "skip")
    assert state.over
    assert "LA-31: the game is over" == why(state, "skip")


# -- from words -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("loose", "plain"),
    [
        ("dedicate three pairs: red, blue, white", "dedicate three pairs: white, blue, red"),
        ("dedicate three pairs: blue, red, white", "dedicate three pairs: white, blue, red"),
        ("Dedicate  THREE pairs white red blue", "dedicate three pairs: white, blue, red"),
        ("dedicate four of a kind red", "dedicate four of a kind: red"),
        (" dedicate seven  different ", "dedicate seven different"),
        ("Exchange purple for\tred", "exchange purple for red"),
        ("DISCARD black", "discard black"),
        ("skip the dedication", "skip"),
        ("skip the exchange", "skip"),
        ("place tile 32 at (0,1), red facing me", "place tile 32 at (0, 1), red facing me"),
        ("place tile 32 at ( 0 , 1 ) red", "place tile 32 at (0, 1), red facing me"),
        ("Place Tile 32 at 0 1: Red facing me", "place tile 32 at (0, 1), red facing me"),
        ("place tile 32 at (0, -1), red 3 facing me", "place tile 32 at (0, -1), red facing me"),
        ("place hand 1 on slot 2 side 3", "place tile 32 at (0, 1), red facing me"),
    ],
)
def test_words_may_be_written_loosely(loose, plain):
    view = view_of(to_move(0, red=4))
    action = GAME.parse(view, loose)
    assert plain == GAME.describe(view, action)
    assert action == GAME.parse(view, plain)


def test_every_order_of_three_colours_means_the_same():
    view = view_of(to_move())
    actions = {
        GAME.parse(view, f"dedicate three pairs: {order}") for order in ("orange, green, black", "black, orange, green")
    }
    assert {53} == actions


@pytest.mark.parametrize("side", [0, 1, 2, 3])
def test_sides_of_the_same_colour_are_said_apart_by_number(side):
    view = view_of(to_move())
    said = GAME.describe(view, 92 + side)  # tile 26: orange, blue, orange, blue
    assert f"place tile 26 at (0, -1), {('orange', 'blue')[side % 2]} {side} facing me" == said
    assert 92 + side == GAME.parse(view, said)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("sing", "not understood: 'sing'; say for instance 'exchange purple for red'"),
        ("", "not understood"),
        ("exchange pink for red", "not understood"),
        ("dedicate four of a kind", "not understood"),
        ("exchange red for red", "the colours must differ: red, red"),
        ("dedicate three pairs: red, blue, red", "the colours must differ: red, blue, red"),
        ("place tile 26 at (0, 1), orange facing me", "has 2 sides of that colour: say orange 0 or orange 2"),
        ("place tile 26 at (0, 1), orange 1 facing me", "LA-14: tile 26 has no such side: orange 1"),
        ("place tile 32 at (0, 1), green facing me", "LA-14: tile 32 has no such side: green"),
        ("place tile 5 at (0, 1), red facing me", "LA-14: tile 5 is not in your hand; your tiles: 26, 32, 9"),
        ("place tile 32 at (0, 0), red facing me", r"LA-14: \(0, 0\) is not a free cell next to a tile"),
        ("place tile 32 at (1000, 1), red facing me", r"LA-14: \(1000, 1\) is not a free cell next to a tile"),
        (f"place tile {10**30} at (0, 1), red facing me", "is not in your hand"),
        (f"place tile 32 at (0, {10**30}), red facing me", "is not a free cell"),
        ("place hand 0 on slot 66, side 0 facing me", "there is no slot 66; slots are 0 to 65"),
        ("place hand 3 on slot 0, side 0 facing me", "not understood"),
    ],
)
def test_what_is_not_understood_is_explained(words, complaint):
    with pytest.raises(ValueError, match=complaint):
        GAME.parse(view_of(to_move()), words)


def test_an_empty_hand_is_explained():
    state = to_move()
    state.hands[0] = rules.NO_TILE
    with pytest.raises(ValueError, match="your tiles: none"):
        GAME.parse(view_of(state), "place tile 26 at (0, 1), orange 0 facing me")


def test_words_are_those_of_the_movers_chair():
    """Seat 2 of four sees the cell towards its own chair below the start tile."""
    state = new_state(4)
    lay(state, 1, (0, 1), "green", chair=2)
    set_hand(state, 2, 32)
    start_turn(state, 2)
    action = GAME.parse(view_of(state), "place tile 32 at (0, -2), white facing me")
    GAME.play(state, action)
    assert (0, 2) == (state.laid_x[2], state.laid_y[2])
    assert 3 == state.laid_turn[2]  # printed sides 3, 0, 1, 2 face chairs 0, 1, 2, 3: white is side 1
