"""Worked examples: positions, what is played in them, and what must come of it."""

import itertools

import pytest

from lanterns_env.games.lighthouse.rules import CLAIM, MOVE, PLACE
from tests.lighthouse.table import (
    CARD_NAMES,
    X,
    card,
    dealt,
    facts,
    hand,
    harbour,
    islands,
    laid_by,
    legal,
    mask_of,
    pile,
    play,
    score_of,
    supply,
    table,
    view_of,
)

BUILD = "I4 I3 I4"  # in position X: WBRB on island 5


def test_LH_T01_the_24_orders():
    assert len(set(CARD_NAMES)) == 24
    assert all(lower != upper for name in CARD_NAMES for lower, upper in itertools.pairwise(name))
    assert {name[::-1] for name in CARD_NAMES} == set(CARD_NAMES)
    assert not [name for name in CARD_NAMES if name == name[::-1]]
    assert [sum(name[0] == colour for name in CARD_NAMES) for colour in "RWB"] == [8, 8, 8]


@pytest.mark.parametrize(("num_players", "piles"), [(2, [9, 9]), (3, [8, 7]), (4, [6, 6])])
def test_LH_T02_new_game(num_players, piles):
    state = dealt(num_players)
    assert [len(hand(state, seat)) for seat in range(num_players)] == [3] * num_players
    assert [len(pile(state, which)) for which in (0, 1)] == piles
    assert harbour(state) is None
    assert supply(state) == "RRRRRRWWWWWWBBBBBB"
    assert legal(state) == {"R", "W", "B"}


def test_LH_T03_second_turn():
    state = dealt()
    play(state, "R")
    assert state.player == 1
    for step in ("H", "I1", "I2", "I3"):
        assert legal(state) == {step}
        play(state, step)
    assert islands(state) == {4: "R"}
    assert (state.player, state.phase) == (1, PLACE)
    assert supply(state) == "RRRRRWWWWWWBBBBBB"


def test_LH_T04_player_a():
    state = table(X, "W", hands={0: ["WBRB", "RWRW", "BRBR"]})
    play(state, BUILD)
    assert islands(state)[5] == "WBRB"
    assert (state.phase, state.player, state.points) == (CLAIM, 0, 1)
    play(state, "claim")
    assert laid_by(state, 0) == {"WBRB"}
    assert hand(state, 0) == {"RWRW", "BRBR"}
    assert islands(state)[5] == "WBRB"
    assert legal(state) == {"H"}
    play(state, "H")
    assert islands(state)[1] == "W"
    assert (state.phase, state.player) == (PLACE, 0)


def test_LH_T05_player_b():
    state = table(X, "W", hands={0: ["WBRB", "RWRW", "BRBR"], 1: ["WBRW", "RBRB", "BWBW"]})
    play(state, BUILD + " claim H R I5 I4")
    assert state.player == 1
    play(state, "claim")
    assert islands(state)[5] == "WBRW"
    assert laid_by(state, 1) == {"WBRW"}
    assert laid_by(state, 0) == {"WBRB"}
    assert state.points == 2
    assert "stop" not in legal(state)
    assert "H" in legal(state)


def test_LH_T06_case_e():
    state = table(X, "W", buried=["WBRB"])
    before = supply(state)
    play(state, BUILD)
    assert 5 not in islands(state)
    assert sorted(supply(state)) == sorted(before + "RWBB")
    assert state.points == 1
    assert legal(state) == {"H"}


def test_LH_T07_points_left_may_be_used():
    state = table({3: "WBR", 2: "B"}, hands={0: ["WBRB", "RWRW", "BRBR"]})
    assert "stop" not in legal(state)
    play(state, "I2 claim")
    assert state.points == 3
    assert legal(state) == {"I3", "stop"}
    play(state, "stop")
    assert (state.phase, state.player) == (PLACE, 0)


def test_LH_T08_stop_only_after_the_harbour():
    state = table({3: "WBR", 2: "B"}, "W", hands={0: ["WBRB", "RWRW", "BRBR"]})
    play(state, "I2 claim")
    assert "stop" not in legal(state)
    play(state, "H")
    assert "stop" in legal(state)


def test_LH_T09_harbour_stone_jumps():
    state = table({1: "RWRW"}, "B")
    play(state, "H")
    assert islands(state) == {1: "RWRW", 2: "B"}
    assert state.points == 2


def test_LH_T10_too_few_points_to_jump():
    state = table({1: "RWRW", 5: "B"}, "B", points=1)
    assert legal(state) == {"I1", "I5"}


def test_LH_T11_one_full_island():
    assert legal(table({2: "R", 3: "WBWB"}, points=1)) == {"I3"}
    state = table({2: "R", 3: "WBWB"}, points=2)
    play(state, "I2")
    assert islands(state) == {3: "WBWB", 4: "R"}
    assert (state.phase, state.points) == (PLACE, 0)


def test_LH_T12_two_full_islands():
    assert "I2" not in legal(table({2: "R", 3: "WBWB", 4: "WRWB"}, points=2))
    state = table({2: "R", 3: "WBWB", 4: "WRWB"}, points=3)
    play(state, "I2")
    assert islands(state)[5] == "R"


def test_LH_T13_round_the_ring():
    state = table({8: "R"}, "W")
    play(state, "I8")
    assert islands(state) == {1: "R"}
    assert harbour(state) == "W"
    assert state.points == 3


def test_LH_T14_round_the_ring_with_a_jump():
    state = table({8: "R", 1: "WBWB"}, points=2)
    play(state, "I8")
    assert islands(state) == {1: "WBWB", 2: "R"}
    assert state.points == 0


def test_LH_T15_direct_contact():
    steps = legal(table({2: "R", 3: "WR", 4: "B"}))
    assert "I2" not in steps
    assert "I3" in steps


def test_LH_T16_blocked_harbour():
    state = table({1: "WR", 5: "B"}, "R")
    for step in ("I5", "I6", "I7", "I8"):
        assert "H" not in legal(state)
        play(state, step)
    assert harbour(state) == "R"
    assert (state.player, state.phase, state.points) == (1, MOVE, 4)


def test_LH_T17_duty_appears():
    state = table({1: "WR"}, "R", points=2)
    assert not state.duty
    play(state, "I1")
    assert state.duty
    assert legal(state) == {"H"}


def test_LH_T18_covering_the_way():
    assert legal(table({1: "W", 8: "R"}, "R", points=2)) == {"H", "I1"}
    state = table({1: "W", 8: "R"}, "R", points=3)
    for step in ("I8", "I1", "H"):
        assert step in legal(state)
        play(state, step)
        if step == "I8":
            assert legal(state) == {"I1"}
        if step == "I1":
            assert legal(state) == {"H"}
    assert islands(state) == {1: "WR", 2: "R"}


def test_LH_T19_both_worlds():
    position = ({1: "WBW", 8: "B", 4: "R"}, "R")
    assert "I8" not in legal(table(*position, points=2))
    assert "I8" in legal(table(*position, points=3))
    doomed = table(*position, points=2)
    doomed.demolish_next = True
    assert "I8" in legal(doomed)


def test_LH_T20_decline():
    state = table(X, "W", hands={0: ["WBRB", "RWRW", "BRBR"]})
    play(state, BUILD + " decline")
    assert islands(state)[5] == "WBRB"
    assert len(hand(state, 0)) == 3
    assert laid_by(state, 0) == set()


def test_LH_T21_public_order():
    state = table(X, "W", piles=(["BRBR"], ["RBWR", "WBRB"]))
    play(state, BUILD + " claim")
    assert laid_by(state, 0) == {"WBRB"}
    assert pile(state, 1)[-1] == "RBWR"
    assert len(hand(state, 0)) == 3


@pytest.mark.parametrize(("num_players", "holder"), [(2, 1), (3, 2)])
@pytest.mark.parametrize("answer", ["claim", "decline"])
def test_LH_T22_the_holder_decides(num_players, holder, answer):
    state = table(X, "W", num_players=num_players, hands={holder: ["WBRB", "RWRW", "BRBR"]})
    play(state, BUILD)
    assert (state.phase, state.player) == (CLAIM, holder)
    play(state, answer)
    assert laid_by(state, holder) == ({"WBRB"} if answer == "claim" else set())
    assert ("WBRB" in hand(state, holder)) == (answer == "decline")
    assert islands(state)[5] == "WBRB"
    assert state.player == 0
    assert legal(state) == {"H"}


def test_LH_T23_captured():
    state = table(X, "W", laid={1: ["WBRB"]})
    play(state, BUILD + " claim")
    assert laid_by(state, 0) == {"WBRB"}
    assert laid_by(state, 1) == set()
    assert len(hand(state, 0)) == 3
    assert not state.over


def test_LH_T24_own_laid_order():
    state = table(X, "W", laid={0: ["WBRB"]})
    play(state, BUILD)
    assert state.phase == MOVE
    assert islands(state)[5] == "WBRB"
    assert state.built


def test_LH_T25_last_private_order():
    state = table(X, "W", hands={0: ["WBRB"]}, laid={0: ["RWRW", "BRBR"]})
    play(state, BUILD + " claim")
    assert state.over
    assert not state.truncated
    assert (state.points, harbour(state), state.ended_by) == (1, "W", 0)


def test_LH_T26_ended_by_another():
    state = table(X, "W", hands={1: ["WBRB"]}, laid={1: ["RWRW", "BRBR"]})
    play(state, BUILD + " claim")
    assert state.over
    assert (state.ended_by, state.builder) == (1, 0)


def test_LH_T27_the_ender_loses():
    state = table(X, "W", hands={0: ["WBRB"]}, laid={0: ["RWRW"], 1: ["BRBR", "WBWB", "RBRB"]})
    play(state, BUILD + " claim")
    assert state.over
    assert score_of(state) == ([2, 3], [0, 1])


def test_LH_T28_three_laid_are_not_three_private():
    state = table(X, "W", laid={0: ["RWRW", "BRBR"], 1: ["WBRB"]})
    play(state, BUILD + " claim")
    assert len(laid_by(state, 0)) == 3
    assert not state.over


def test_LH_T29_last_public_order():
    state = table(X, "W", piles=([], ["WBRB"]))
    play(state, BUILD + " claim")
    assert state.over
    assert state.ended_by == 0


def test_LH_T30_endless():
    position = {1: "BRB", 2: "B", 3: "BRBR", 4: "RWR", 5: "R"}
    hands = {0: ["RWRW", "WRWR", "WBWB"], 1: ["BWBW", "RBWR", "BWRW"]}
    state = table(position, "B", hands=hands, laid={0: ["WBRB"], 1: ["BRBR"]})
    start = facts(state)
    for _ in range(50):
        play(state, "I5 I6 I7 I8 claim")
        assert state.player == 1
        play(state, "I4 I1 I3 I2 claim")
        start["turn"] += 2
        assert facts(state) == start
    assert not state.over


def test_LH_T31_supply_runs_out_and_a_tower_falls():
    state = table({1: "RWB", 2: "RWBR", 3: "WBW", 4: "BRB", 5: "RWB", 6: "W"}, placing=True)
    assert legal(state) == {"R"}
    play(state, "R")
    assert harbour(state) == "R"
    assert 2 not in islands(state)
    assert supply(state) == "RRWB"
    assert not state.demolish_next


@pytest.mark.parametrize("answer", ["claim", "decline"])
def test_LH_T32_the_next_tower_falls(answer):
    position = {1: "RWB", 2: "RWB", 3: "WBW", 4: "BRB", 5: "RWB", 6: "WR"}
    state = table(position, placing=True, hands={1: ["RWBR", "RWRW", "WRWR"]})
    play(state, "R")
    assert state.demolish_next
    play(state, "H")
    assert (state.phase, state.player) == (CLAIM, 1)
    play(state, answer)
    assert laid_by(state, 1) == ({"RWBR"} if answer == "claim" else set())
    assert 1 not in islands(state)
    assert not state.demolish_next
    assert supply(state) == "RRWB"
    assert state.points == 3
    play(state, "stop")
    assert (state.phase, state.player) == (PLACE, 1)


def test_LH_T33_nothing_to_place():
    position = {1: "RWB", 2: "RWB", 3: "WBW", 4: "BRB", 5: "RW", 6: "WR", 7: "BR"}
    state = table(position)
    state.demolish_next = True
    play(state, "I7 I6 I4 I5")
    assert (state.player, state.phase) == (1, MOVE)
    assert harbour(state) is None
    assert not state.duty
    assert state.demolish_next


def test_LH_T34_a_swap_below_the_tops():
    state = table(X, "W", num_players=3, hands={1: ["RWRW", "BRBR", "WBWB"]}, buried=["WRWR"])
    swapped = state.copy()
    which, depth = next((p, d) for p in (0, 1) for d in range(9) if state.piles[p, d] == card("WRWR"))
    swapped.piles[which, depth] = card("RWRW")
    swapped.place[card("RWRW")], swapped.place[card("WRWR")] = state.place[card("WRWR")], state.place[card("RWRW")]
    for seat in (0, 2):
        assert view_of(state, seat).tobytes() == view_of(swapped, seat).tobytes()
    assert view_of(state, 1).tobytes() != view_of(swapped, 1).tobytes()
    assert (mask_of(state) == mask_of(swapped)).all()


def test_LH_T35_the_last_point_lapses():
    position = {1: "BWBR", 2: "R", 3: "R", 4: "R", 5: "BRBW", 6: "W", 7: "W", 8: "W"}
    assert legal(table(position, points=2)) == {"I4", "I8"}
    state = table({**position, 4: "RW", 5: "BRB"}, points=2, laid={0: ["BRBW"]})
    play(state, "I4")
    assert islands(state) == position
    assert (state.phase, state.player, state.points) == (PLACE, 0, 0)


def test_LH_T35b_all_points_lapse_on_an_empty_board():
    state = table({2: "R", 3: "WBW"}, buried=["WBWR"])
    play(state, "I2")
    assert islands(state) == {}
    assert (state.phase, state.points) == (PLACE, 0)


def test_LH_T36_jumping_with_the_duty():
    state = table({1: "RWRW", 2: "BRBR", 5: "B"}, "W")
    assert legal(state) == {"H", "I1", "I2", "I5"}
    play(state, "I5")
    assert legal(state) == {"H", "I1", "I2"}
    play(state, "H")
    assert islands(state)[3] == "W"


def test_LH_T37_the_tied_share():
    state = table({}, num_players=3, laid={0: CARD_NAMES[:4], 1: CARD_NAMES[4:8], 2: CARD_NAMES[8:9]})
    state.ended_by = 2
    assert score_of(state) == ([4, 4, 1], [0.5, 0.5, 0])


def test_LH_T38_the_ender_wins_a_tie():
    state = table({}, laid={0: CARD_NAMES[:3], 1: CARD_NAMES[4:7]})
    state.ended_by = 1
    assert score_of(state) == ([3, 3], [0, 1])


def test_LH_T39_cut():
    state = table({1: "W"}, placing=True, laid={0: CARD_NAMES[:2], 1: CARD_NAMES[4:7]}, max_turns=3)
    play(state, "R")
    assert state.over
    assert state.truncated
    assert score_of(state) == ([2, 3], [0, 1])
