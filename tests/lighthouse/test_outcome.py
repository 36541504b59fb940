"""What is said to have come of a move: towers that are finished, stand or fall, and orders laid unasked."""

import pytest

from tests.lighthouse.table import ACTIONS, GAME, X, play, table, view_of

BUILD = "I4 I3"  # and then I4: in position X, WBRB on island 5
OWN, OTHERS = ["WBRB", "RWRW", "BRBR"], ["RWBW", "RBWB", "BWBW"]


def outcome(state, word, listener):
    mover, before = int(state.player), views_of(state)
    action = ACTIONS.index(word)
    play(state, word)
    return GAME.describe_outcome(before, mover, action, listener, views_of(state))


def views_of(state):
    return [view_of(state, seat) for seat in range(int(state.num_players))]


@pytest.mark.parametrize("listener", [0, 1])
@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"hands": {0: OWN}}, ["the tower WBRB on island 5 is finished"]),
        ({"laid": {0: ["WBRB"]}}, ["the tower WBRB on island 5 stands"]),
        ({"buried": ["WBRB"]}, ["the tower WBRB on island 5 falls"]),
        (
            {"hands": {0: OWN}, "claims": "forced"},
            ["the tower WBRB on island 5 stands", "the order WBRB lies before player 0 now"],
        ),
    ],
)
def test_a_fourth_stone_is_said_by_what_becomes_of_the_tower(position, said, listener):
    state = table(X, "W", **position)
    play(state, BUILD)
    assert said == outcome(state, "I4", listener)


def test_a_tower_that_is_settled_and_falls():
    state = table(X, "W", hands={0: OWN})
    state.demolish_next = True
    play(state, f"{BUILD} I4")
    assert ["the tower on island 5 falls"] == outcome(state, "claim", 1)


def test_a_tower_that_is_claimed_or_left_stands_without_a_word():
    for choice in ("claim", "decline"):
        state = table(X, "W", hands={0: OWN})
        play(state, f"{BUILD} I4")
        assert [] == outcome(state, choice, 1)


def test_an_empty_supply_is_said():
    stones = {1: "RWRW", 2: "RBRB", 3: "WBWB", 4: "RWR", 5: "BW"}
    state = table(stones, placing=True)
    assert 1 == state.supply.sum()
    last = "RWB"[int(state.supply.argmax())]
    assert ["the supply is empty: all towers fall (3)"] == outcome(state, last, 1)


def test_other_steps_and_stones_bring_nothing():
    state = table(X, "W")
    assert [] == outcome(state, "I4", 1)


def test_the_cut_is_said_only_when_it_is_near():
    for turn, late in ((80, False), (90, True)):
        state = table(X, max_turns=100)
        state.turn = turn
        assert late == ("the game is cut soon: 90 % of its turns are played" in GAME.draw([view_of(state, 0)]))
        assert late == ("% of" in GAME.draw_compact([view_of(state, 0)]))
