"""The rules of RULES.md one by one."""

import itertools

import numpy as np
import pytest

from lanterns_env.games.lighthouse.components import CARDS, STACKS
from lanterns_env.games.lighthouse.rules import CLAIM, MOVE, OPTIONS, PLACE
from tests.lighthouse.table import (
    CARD_NAMES,
    GAME,
    X,
    card,
    dealt,
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

NO_BEHAVIOUR = {
    "LH-A3": "which way the seats go round the table changes nothing",
    "LH-A16": "every order exists once, so that two cases never meet",
    "LH-A25": "which pile gets the odd order: tested with LH-06",
}
BUILD = "I4 I3 I4"  # in position X: WBRB on island 5, one point left
OWN = {0: ["WBRB", "RWRW", "BRBR"]}
THEIRS = {1: ["WBRB", "RWRW", "BRBR"]}


# -- material and set-up ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_LH_01_players(num_players):
    assert list(GAME.players) == [2, 3, 4]
    state = dealt(num_players)
    for turn in range(2 * num_players):
        assert state.player == turn % num_players
        play(state, "R" if turn == 0 else " ".join(end_turn(state)))


def end_turn(state):
    """Words that bring a turn to its end: always the first legal action."""
    twin, owner, words = state.copy(), int(state.builder), []
    while twin.builder == owner and not twin.over:
        word = sorted(legal(twin))[0]
        words.append(word)
        play(twin, word)
    return words


def test_LH_02_ring_of_eight_islands():
    for island in range(1, 9):
        state = table({island: "R"}, points=1)
        play(state, f"I{island}")
        assert islands(state) == {island % 8 + 1: "R"}
    state = table({}, "R")
    play(state, "H")
    assert islands(state) == {1: "R"}


def test_LH_03_six_stones_of_each_colour():
    state = dealt()
    assert supply(state) == "RRRRRRWWWWWWBBBBBB"
    play(state, "B")
    assert supply(state) == "RRRRRRWWWWWWBBBBB"


def test_LH_04_every_sequence_is_one_order():
    sequences = [s for s in itertools.product(range(3), repeat=4) if all(a != b for a, b in itertools.pairwise(s))]
    assert sequences == [tuple(colours) for colours in CARDS.tolist()]
    assert len(sequences) == 24
    assert STACKS[-24:] == sequences


def test_LH_05_three_private_orders_each():
    deals = [dealt(4, seed) for seed in range(30)]
    assert all(len(hand(state, seat)) == 3 for state in deals for seat in range(4))
    held = {name for state in deals for seat in range(4) for name in hand(state, seat)}
    assert held == set(CARD_NAMES)


@pytest.mark.parametrize(("num_players", "sizes"), [(2, (9, 9)), (3, (8, 7)), (4, (6, 6))])
def test_LH_06_two_piles_show_their_tops(num_players, sizes):
    state = dealt(num_players)
    assert (len(pile(state, 0)), len(pile(state, 1))) == sizes
    for seat in range(num_players):
        view = view_of(state, seat)
        assert [CARD_NAMES[view.order[:, 1 + which].argmax()] for which in (0, 1)] == [
            pile(state, 0)[-1],
            pile(state, 1)[-1],
        ]
        assert view.pile_size.tolist() == list(sizes)


def test_LH_07_the_next_order_shows_and_an_empty_pile_stays_empty():
    state = table(X, "W", piles=(["WBRB"], ["RBWR", "RWRW"]))
    play(state, BUILD + " claim")
    assert pile(state, 0) == []
    assert pile(state, 1) == ["RBWR", "RWRW"]
    assert not view_of(state, 0).order[:, 1].any()
    state = table(X, "W", piles=(["BRBR"], ["RBWR", "WBRB"]))
    play(state, BUILD + " claim")
    assert view_of(state, 1).order[card("RBWR"), 2] == 1


def test_LH_08_who_begins():
    assert [int(dealt(3, start_player=seat).player) for seat in (0, 1, 2)] == [0, 1, 2]
    drawn = [int(dealt(3, seed, start_player="drawn").player) for seed in range(300)]
    assert all(70 < drawn.count(seat) < 130 for seat in range(3))
    assert OPTIONS["start_player"].default == 0
    with pytest.raises(ValueError, match="start_player"):
        GAME.check_options(2, {"start_player": 2})


def test_LH_09_the_opening_is_a_placement():
    state = dealt()
    assert legal(state) == {"R", "W", "B"}
    play(state, "W")
    assert harbour(state) == "W"
    assert (state.player, state.phase, state.turn) == (1, MOVE, 1)


# -- the turn -----------------------------------------------------------------------------------------------------


def test_LH_10_a_turn_is_movement_then_placement():
    state = table({1: "W", 5: "B"})
    assert (state.phase, state.points) == (MOVE, 4)
    play(state, "I5 I6 I7 I8")
    assert (state.phase, state.player) == (PLACE, 0)
    play(state, "R")
    assert (state.phase, state.player, state.points) == (MOVE, 1, 4)


def test_LH_11_only_top_stones_go_to_the_next_island_with_room():
    state = table({1: "WBR", 2: "RWRW", 3: "B"})
    assert legal(state) == {"I1", "I2", "I3"}
    play(state, "I1")
    assert islands(state) == {1: "WB", 2: "RWRW", 3: "BR"}


def test_LH_12_jumped_islands_are_counted():
    state = table({1: "R", 2: "RWRW", 3: "BWBW", 4: "W"})
    play(state, "I1")
    assert islands(state)[4] == "WR"
    assert state.points == 1


def test_LH_13_cost_and_colour():
    assert legal(table({1: "R", 2: "BR", 5: "W"})) == {"I2", "I5"}
    assert legal(table({1: "R", 2: "RB", 5: "W"}, points=1)) == {"I1", "I2", "I5"}
    assert "I1" not in legal(table({1: "R", 2: "BWBW", 5: "W"}, points=1))
    assert "I4" in legal(table({4: "WR", 5: "RB"}))  # red lies below, black is in between


def test_LH_14_four_stones_at_most():
    state = table({1: "R", 2: "WBWB"})
    play(state, "I1")
    assert islands(state) == {2: "WBWB", 3: "R"}


def test_LH_15_from_island_8_to_1_past_the_harbour():
    for occupied in (None, "W"):
        state = table({8: "R"}, occupied)
        play(state, "I8")
        assert islands(state) == {1: "R"}
        assert state.points == 3
        assert harbour(state) == occupied


def test_LH_16_every_top_stone_may_be_used():
    state = table({2: "RWRW", 4: "B"}, "R")
    assert legal(state) == {"H", "I2", "I4"}
    play(state, "H I1 I2")  # the harbour stone twice, over the tower; then the tower's top
    assert islands(state) == {2: "RWR", 3: "RW", 4: "B"}


def test_LH_17_every_step_lands():
    state = table({1: "B", 2: "WBR"}, hands={0: ["WBRB", "RWRW", "BRBR"]})
    play(state, "I1")
    assert state.phase == CLAIM
    assert "I1" not in legal(table({1: "R", 2: "WR"}))  # one cannot fly over island 2


def test_LH_18_points_are_split_freely():
    state = table({1: "R", 3: "W", 5: "B"})
    play(state, "I1 I5 I2 I6")
    assert islands(state) == {3: "WR", 7: "B"}


def test_LH_19_points_must_be_used():
    state = table({1: "R"})
    for step in ("I1", "I2", "I3", "I4"):
        assert legal(state) == {step}
        play(state, step)


def test_LH_20_after_a_tower_one_may_stop():
    state = table({1: "B", 2: "WBR", 7: "W"}, hands=OWN)
    assert "stop" not in legal(state)
    play(state, "I1 decline")
    assert "stop" in legal(state)
    play(state, "stop")
    assert (state.phase, state.player, state.points) == (PLACE, 0, 0)


def test_LH_21_points_lapse_without_a_step():
    state = table({2: "R", 3: "WBW"}, buried=["WBWR"])
    play(state, "I2")
    assert (state.phase, state.points) == (PLACE, 0)


def test_LH_22_the_harbour_stone_must_be_moved():
    state = table({5: "B"}, "W", points=1)
    assert state.duty
    assert legal(state) == {"H"}
    state = table({5: "B"}, "W")
    play(state, "H")
    assert not state.duty
    assert legal(state) == {"I1", "I5"}


def test_LH_23_the_duty_is_kept():
    state = table({5: "B"}, "W", points=2)
    play(state, "I5")
    assert legal(state) == {"H"}
    assert legal(table({1: "W", 8: "R"}, "R", points=2)) == {"H", "I1"}
    assert legal(table({1: "W", 8: "R"}, "R", points=3)) == {"H", "I1", "I8"}


def test_LH_24_a_blocked_harbour_stone_stays():
    state = table({1: "W", 5: "B"}, "W")
    assert not state.duty
    play(state, "I5 I6 I7 I8")
    assert harbour(state) == "W"
    assert (state.player, state.points) == (1, 4)
    assert not table({1: "RWRW", 2: "RBRB", 3: "BWBW", 4: "WBWB"}, "R").duty  # five points away


def test_LH_25_a_stone_for_the_empty_harbour():
    state = table({1: "R", 2: "RBRB", 3: "RWRB", 4: "RBRW"}, placing=True)
    assert supply(state) == "WWWWBB"
    assert legal(state) == {"W", "B"}
    play(state, "B")
    assert harbour(state) == "B"
    assert supply(state) == "WWWWB"


def test_LH_26_no_placement_into_a_full_harbour_or_from_an_empty_supply():
    state = table({1: "W", 5: "B"}, "W", points=1)
    play(state, "I5")
    assert (state.phase, state.player) == (MOVE, 1)
    state = table({1: "RWB", 2: "RWB", 3: "WBW", 4: "BRB", 5: "RW", 6: "WR", 7: "BR"}, points=1)
    assert supply(state) == ""
    play(state, "I7")
    assert (state.phase, state.player) == (MOVE, 1)


# -- finished towers ----------------------------------------------------------------------------------------------


def test_LH_30_only_building_counts():
    state = table({5: "WBRB", 1: "R"}, hands=OWN)
    assert state.phase == MOVE
    play(state, "I1 I2 I3")
    assert state.phase == MOVE
    assert not state.built


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_LH_31_exactly_one_case(num_players):
    from lanterns_env.games.lighthouse.towers import NO_CLAIM, claim_case, is_buried

    state = dealt(num_players)
    cases = [claim_case(state, k) for k in range(24)]
    assert [cases.count(case) for case in range(5)] == [3, 2, 3 * num_players - 3, 0, 24 - 2 - 3 * num_players]
    assert all(is_buried(state, k) == (case == NO_CLAIM) for k, case in enumerate(cases))


def test_LH_32_own_order():
    state = table(X, "W", hands=OWN)
    play(state, BUILD)
    assert (state.phase, state.player) == (CLAIM, 0)
    play(state, "claim")
    assert laid_by(state, 0) == {"WBRB"}
    assert len(hand(state, 0)) == 2


def test_LH_33_public_order():
    state = table(X, "W", tops=("WBRB", None))
    play(state, BUILD + " claim")
    assert laid_by(state, 0) == {"WBRB"}
    assert len(hand(state, 0)) == 3
    assert "WBRB" not in pile(state, 0)


def test_LH_34_the_other_may_lay_his_order():
    state = table(X, "W", hands=THEIRS)
    play(state, BUILD)
    assert (state.phase, state.player, state.builder) == (CLAIM, 1, 0)
    play(state, "claim")
    assert laid_by(state, 1) == {"WBRB"}
    assert len(hand(state, 1)) == 2
    assert state.player == 0


def test_LH_35_a_laid_order_is_captured():
    state = table(X, "W", num_players=3, laid={2: ["WBRB"]})
    play(state, BUILD)
    assert (state.phase, state.player) == (CLAIM, 0)
    play(state, "claim")
    assert laid_by(state, 0) == {"WBRB"}
    assert laid_by(state, 2) == set()


def test_LH_36_own_laid_order():
    state = table(X, "W", laid={0: ["WBRB"]})
    play(state, BUILD)
    assert state.phase == MOVE
    assert islands(state)[5] == "WBRB"
    assert laid_by(state, 0) == {"WBRB"}


def test_LH_37_a_buried_order():
    state = table(X, "W", buried=["WBRB"])
    play(state, BUILD)
    assert 5 not in islands(state)
    assert state.phase == MOVE
    assert sorted(supply(state)) == sorted("RRRRRRWWWWBBBBBB")


@pytest.mark.parametrize(
    "place", [{"hands": OWN}, {"hands": THEIRS}, {"tops": ("WBRB", None)}, {"laid": {1: ["WBRB"]}}], ids=str
)
def test_LH_38_a_claim_is_a_decision(place):
    state = table(X, "W", **place)
    play(state, BUILD)
    assert legal(state) == {"claim", "decline"}
    play(state, "decline")
    assert (state.player, state.phase, state.points) == (0, MOVE, 1)


def test_LH_39_after_a_decline_all_stays():
    state = table(X, "W", hands=OWN)
    play(state, BUILD + " decline")
    assert islands(state)[5] == "WBRB"
    assert "WBRB" in hand(state, 0)
    play(state, "H")
    assert state.phase == PLACE  # no second chance


def test_LH_40_towers_stand_and_their_tops_may_go():
    state = table({**X, 7: "R"}, "W", hands=OWN)
    play(state, BUILD + " claim H R")
    play(state, "I5")
    assert islands(state)[6] == "B"
    assert islands(state)[5] == "WBR"
    assert laid_by(state, 0) == {"WBRB"}


def test_LH_41_the_same_tower_again():
    state = table({4: "B", 5: "WBR", 7: "B", 8: "WBR"}, hands=OWN)
    play(state, "I4 claim")
    play(state, "I7")
    assert state.phase == MOVE  # now it is the builder's own laid order
    assert islands(state) == {5: "WBRB", 8: "WBRB"}


def test_LH_42_several_towers_in_a_turn():
    state = table({4: "B", 5: "WBR", 7: "W", 8: "RBR"}, hands={0: ["WBRB", "RBRW", "BRBR"]})
    play(state, "I4 claim")
    assert state.points == 3
    play(state, "I7 claim")
    assert laid_by(state, 0) == {"WBRB", "RBRW"}
    assert state.points == 2


# -- empty supply ---------------------------------------------------------------------------------------------------

LAST_STONE = {1: "RWB", 2: "RWBR", 3: "WBW", 4: "BRB", 5: "RWB", 6: "W"}  # red is left
NO_TOWER = {1: "RWB", 2: "RWB", 3: "WBW", 4: "BRB", 5: "RWB", 6: "WR"}


def test_LH_50_all_towers_fall_with_the_last_stone():
    two_towers = {1: "RWBR", 2: "RWBW", 3: "WBWB", 4: "BR", 5: "RW", 6: "B"}
    state = table(two_towers, placing=True, laid={0: ["RWBR"]})
    assert supply(state) == "R"
    play(state, "R")
    assert set(islands(state)) == {4, 5, 6}
    assert laid_by(state, 0) == {"RWBR"}
    assert not state.demolish_next


def test_LH_51_else_the_next_tower_falls():
    state = table(NO_TOWER, placing=True, hands={1: ["RWBR", "RWRW", "WRWR"]})
    play(state, "R")
    assert state.demolish_next
    assert len(islands(state)) == 6
    play(state, "H claim")
    assert laid_by(state, 1) == {"RWBR"}
    assert 1 not in islands(state)
    assert not state.demolish_next


def test_LH_51_an_own_laid_tower_falls_too():
    state = table(NO_TOWER, placing=True, laid={1: ["RWBR"]})
    play(state, "R H")
    assert 1 not in islands(state)
    assert state.phase == MOVE


@pytest.mark.parametrize("place", [{"hands": OWN}, {"hands": THEIRS}, {"buried": ["WBRB"]}], ids=str)
@pytest.mark.parametrize("declined_tower", ["stands", "demolish"])
@pytest.mark.parametrize("asked", ["holder", "everyone"])
def test_LH_51_a_tower_that_falls_anyway_is_the_next_tower(asked, declined_tower, place):
    """The one after it stands."""
    position = {**X, 7: "R", 8: "RBW"}
    state = table(position, declined_tower=declined_tower, asked=asked, laid={0: ["RBWR"]}, **place)
    state.demolish_next = True
    play(state, BUILD)
    while state.phase == CLAIM:
        play(state, "decline")
    assert 5 not in islands(state)
    assert not state.demolish_next
    play(state, "I7")
    assert "RBWR" == islands(state)[8]


EMPTY_SUPPLY = {1: "RWB", 2: "RWB", 3: "WBW", 4: "BRB", 5: "RW", 6: "WR", 7: "BR"}


def test_LH_52_an_empty_supply_places_nothing():
    state = table(EMPTY_SUPPLY)
    state.demolish_next = True
    play(state, "I7 I6 I4 I5")
    assert (state.phase, state.player) == (MOVE, 1)
    assert harbour(state) is None
    assert not state.duty


def test_LH_53_a_demolition_refills_the_supply_and_dooms_no_more():
    position = {1: "RWB", 2: "RWB", 3: "WBW", 4: "BRB", 5: "RWB", 6: "WR"}
    state = table(position, "R", hands={0: ["RWBR", "WBWB", "WRWR"]}, laid={1: ["BRBW"]})
    state.demolish_next = True
    play(state, "H decline")
    assert supply(state) == "RRWB"
    play(state, "I3")
    assert state.phase == CLAIM  # a second tower: BRBW on island 4
    play(state, "claim")
    assert islands(state)[4] == "BRBW"
    play(state, "stop")
    assert (state.phase, state.player) == (PLACE, 0)


# -- the end --------------------------------------------------------------------------------------------------------

LAST = {"hands": {0: ["WBRB"]}, "laid": {0: ["RWRW", "BRBR"]}}
THEIR_LAST = {"hands": {1: ["WBRB"]}, "laid": {1: ["RWRW", "BRBR"]}}


@pytest.mark.parametrize(("position", "seat"), [(LAST, 0), (THEIR_LAST, 1)])
def test_LH_60_the_last_private_order_ends_the_game(position, seat):
    state = table(X, "W", **position)
    play(state, BUILD + " claim")
    assert state.over
    assert hand(state, seat) == set()


def test_LH_61_both_piles_empty_end_the_game():
    state = table(X, "W", piles=(["WBRB"], []))
    play(state, BUILD + " claim")
    assert state.over
    state = table(X, "W", piles=(["WBRB"], ["RWRW"]))
    play(state, BUILD + " claim")
    assert not state.over


def test_LH_62_only_private_orders_count_to_three():
    state = table(X, "W", tops=("WBRB", None), laid={0: ["RWRW", "BRBR"]})
    play(state, BUILD + " claim")
    assert len(laid_by(state, 0)) == 3
    assert not state.over
    lost = table(X, "W", hands={0: ["WBRB"]}, laid={1: ["RWRW", "BRBR"]})  # both once laid by seat 0
    play(lost, BUILD + " claim")
    assert lost.over


def test_LH_63_at_once():
    state = table(X, "W", **LAST)
    state.demolish_next = True
    play(state, BUILD + " claim")
    assert (state.points, harbour(state), islands(state)[5]) == (1, "W", "WBRB")
    assert state.player == 0


def test_LH_64_most_orders_win():
    state = table({}, num_players=4, laid={0: CARD_NAMES[:2], 2: CARD_NAMES[5:8], 3: CARD_NAMES[8:9]})
    assert score_of(state) == ([2, 0, 3, 1], [0, 0, 1, 0])


def test_LH_65_the_ender_wins_ties_he_is_part_of():
    laid = {0: CARD_NAMES[:2], 1: CARD_NAMES[5:7], 2: CARD_NAMES[8:9]}
    state = table({}, num_players=3, laid=laid)
    shares = {-1: [0.5, 0.5, 0], 0: [1, 0, 0], 1: [0, 1, 0], 2: [0.5, 0.5, 0]}
    for ender, share in shares.items():
        state.ended_by = ender
        assert score_of(state)[1] == share


@pytest.mark.parametrize(("ender", "seat"), [("layer", 1), ("builder", 0)])
def test_LH_66_who_ended_the_game(ender, seat):
    state = table(X, "W", **THEIR_LAST, ender=ender)
    play(state, BUILD + " claim")
    assert state.ended_by == seat
    state = table(X, "W", piles=([], ["WBRB"]), ender=ender)
    play(state, BUILD + " claim")
    assert state.ended_by == 0


def test_LH_67_the_cut():
    state = table({1: "W", 5: "B"}, "W", max_turns=4, laid={0: ["RWRW"], 1: ["BRBR"]})
    play(state, "I5 I6 I7 I8")
    assert (state.over, state.player) == (False, 1)
    play(state, " ".join(end_turn(state)))
    assert state.over
    assert state.truncated
    assert score_of(state)[1] == [0.5, 0.5]
    assert OPTIONS["max_turns"].default == 500
    opening = dealt(max_turns=1)
    play(opening, "R")
    assert opening.truncated


def test_LH_67_the_cut_comes_where_no_stone_is_left_to_place_too():
    for max_turns, cut in ((3, True), (4, False)):
        state = table(EMPTY_SUPPLY, max_turns=max_turns)
        play(state, "I7 I6 I4 I5")
        assert (harbour(state), supply(state), state.turn) == (None, "", 3)
        assert (state.over, state.truncated) == (cut, cut)


# -- information ----------------------------------------------------------------------------------------------------


def test_LH_70_public():
    state = table({**X, 8: "RW"}, "W", points=3, laid={0: ["RWRW"], 1: ["BRBR"]}, num_players=3)
    state.demolish_next = True
    for seat in range(3):
        view = view_of(state, seat)
        assert view.stones[4].argmax(axis=1).tolist()[:2] == [1, 2]
        assert view.stones.sum() == 7
        assert view.supply.tolist() == state.supply.tolist()
        assert view.harbour.tolist() == [0, 1, 0]
        assert (view.points.argmax(), view.phase, view.demolish_next, view.duty) == (3, MOVE, 1, 1)
        assert view.hand_size.tolist() == [3, 3, 3, 0]
        assert view.pile_size.tolist() == state.pile_size.tolist()
        assert view.builder.argmax() == (0 - seat) % 3
        assert view.to_move == (0 - seat) % 3
        assert view.order[card("RWRW")].argmax() == 3 + (0 - seat) % 3
        assert view.order[card("BRBR")].argmax() == 3 + (1 - seat) % 3


def test_LH_71_hands_are_private():
    state = table(X, "W", hands=OWN)
    assert {CARD_NAMES[k] for k in np.flatnonzero(view_of(state, 0).order[:, 0])} == hand(state, 0)
    other = view_of(state, 1)
    assert all(other.order[card(name)].argmax() == 7 for name in OWN[0])


def test_LH_72_buried_orders_are_hidden():
    state = dealt()
    for seat in (0, 1):
        view = view_of(state, seat)
        assert all(view.order[card(name)].argmax() == 7 for which in (0, 1) for name in pile(state, which)[:-1])


def test_LH_73_towers_prove_places():
    buried = table(X, "W", buried=["WBRB"])
    play(buried, BUILD)
    assert view_of(buried, 1).proved_buried[card("WBRB")] == 1
    held = table(X, "W", hands=OWN)
    assert not view_of(held, 1).proved_held.any()
    play(held, BUILD + " decline")
    assert view_of(held, 1).proved_held[card("WBRB")] == 1


def test_LH_74_the_asked_one_is_seen_by_all():
    state = table(X, "W", num_players=3, hands={1: ["WBRB", "RWRW", "BRBR"]})
    play(state, BUILD)
    for seat in range(3):
        view = view_of(state, seat)
        assert view.to_move == (1 - seat) % 3
        assert view.proved_holder[(1 - seat) % 3, card("WBRB")] == 1
        assert CARD_NAMES[view.claim_order.argmax()] == "WBRB"
        assert (view.claim_island.argmax(), view.claim_case.argmax()) == (4, 2)


# -- decisions ------------------------------------------------------------------------------------------------------


def test_LH_A1_two_to_four_players():
    assert (list(GAME.players), GAME.default_players) == ([2, 3, 4], 2)


def test_LH_A2_orders_are_read_upwards():
    state = table(X, "W", hands={0: ["BRBW", "RWRW", "BRBR"]}, buried=["WBRB"])
    play(state, BUILD)  # WBRB from below is BRBW from above
    assert state.phase == MOVE
    assert 5 not in islands(state)


def test_LH_A4_no_flying():
    assert "I1" not in legal(table({1: "R", 2: "BR"}))


def test_LH_A5_a_step_may_waste_the_last_point():
    state = table({1: "BWBR", 2: "R", 3: "R", 4: "RW", 5: "BRB", 6: "W", 7: "W", 8: "W"}, points=2, laid={0: ["BRBW"]})
    play(state, "I4")
    assert (state.phase, state.points) == (PLACE, 0)


def test_LH_A6_no_stop_before_the_harbour():
    state = table({1: "B", 2: "WBR"}, "R", hands=OWN)
    play(state, "I1 decline")
    assert state.duty
    assert "stop" not in legal(state)


def test_LH_A7_no_duty_to_clear_the_way():
    state = table({1: "WR", 5: "B"}, "R", points=2)
    assert legal(state) == {"I1", "I5"}


def test_LH_A8_the_harbour_stone_at_any_moment():
    state = table({5: "B"}, "W")
    play(state, "I5 I6 I7 H")
    assert islands(state) == {1: "W", 8: "B"}


def test_LH_A9_the_ring_goes_past_the_harbour():
    state = table({8: "R"}, points=1)
    play(state, "I8")
    assert islands(state) == {1: "R"}


def test_LH_A10_no_step_into_a_full_tower():
    assert legal(table({2: "R", 3: "WBWB"}, points=1)) == {"I3"}


def test_LH_A11_tops_of_towers_may_go():
    assert "I3" in legal(table({3: "WBWB"}))


def test_LH_A12_forced_claims():
    state = table(X, "W", hands=THEIRS, claims="forced")
    play(state, BUILD)
    assert laid_by(state, 1) == {"WBRB"}
    assert (state.phase, state.player) == (MOVE, 0)
    last = table(X, "W", **THEIR_LAST, claims="forced")
    play(last, BUILD)
    assert last.over
    assert (last.ended_by, last.player) == (1, 0)


@pytest.mark.parametrize(
    ("place", "stands"),
    [
        ({"hands": OWN}, False),
        ({"hands": THEIRS}, False),
        ({"tops": ("WBRB", None)}, True),
        ({"laid": {1: ["WBRB"]}}, True),
    ],
    ids=str,
)
def test_LH_A13_declined_towers(place, stands):
    state = table(X, "W", declined_tower="demolish", **place)
    play(state, BUILD + " decline")
    assert (5 in islands(state)) == stands
    state = table(X, "W", **place)
    play(state, BUILD + " decline")
    assert 5 in islands(state)


def test_LH_A14_a_tower_of_an_own_laid_order_stands():
    state = table(X, "W", laid={0: ["WBRB"]})
    play(state, BUILD)
    assert 5 in islands(state)


def test_LH_A15_a_buried_order_is_not_public():
    state = table(X, "W", piles=(["WBRB", "BRBR"], ["RWRW"]))
    play(state, BUILD)
    assert 5 not in islands(state)


def test_LH_A17_the_third_card_is_the_third_of_the_hand():
    state = table(X, "W", hands=OWN, laid={0: ["WBWB", "RBRB", "WRWR"]})
    play(state, BUILD + " claim")
    assert not state.over


def test_LH_A18_captured_orders_do_not_count():
    state = table(X, "W", laid={0: ["WBWB", "RBRB"], 1: ["WBRB"]})
    play(state, BUILD + " claim")
    assert not state.over


def test_LH_A19_both_piles_must_be_empty():
    state = table(X, "W", piles=(["WBRB"], ["RWRW"]))
    play(state, BUILD + " claim")
    assert not state.over


def test_LH_A20_ties_without_the_ender_are_shared():
    state = table({}, num_players=3, laid={0: CARD_NAMES[:2], 1: CARD_NAMES[5:7]})
    state.ended_by = 2
    assert score_of(state)[1] == [0.5, 0.5, 0]


def test_LH_A21_the_supply_is_checked_at_once():
    state = table(LAST_STONE, placing=True)
    play(state, "R")
    assert 2 not in islands(state)


def test_LH_A22_the_round_is_not_finished():
    state = table(X, "W", num_players=3, **LAST)
    play(state, BUILD + " claim")
    assert state.over
    assert (state.turn, state.builder) == (3, 0)


def test_LH_A23_the_cut_can_be_chosen():
    state = dealt(max_turns=2)
    play(state, "R H I1 I2 I3 W")
    assert state.truncated


def test_LH_A24_the_opening_moves_nothing():
    state = dealt(3)
    play(state, "R")
    assert islands(state) == {}
    assert state.player == 1


def test_LH_A26_another_colour_if_one_is_missing():
    assert legal(table({1: "R", 2: "RBRB", 3: "RWRB", 4: "RBRW"}, placing=True)) == {"W", "B"}


def test_LH_A27_a_claimed_tower_falls_too():
    state = table(NO_TOWER, placing=True, hands={1: ["RWBR", "RWRW", "WRWR"]})
    play(state, "R H claim")
    assert 1 not in islands(state)


def test_LH_A28_towers_in_passing_are_settled():
    state = table({1: "B", 2: "WBR"}, hands=OWN)
    play(state, "I1")
    assert state.phase == CLAIM


def test_LH_A29_nobody_leafs_through_the_piles():
    state = dealt()
    assert (view_of(state, 0).order[:, 1:3].sum(), mask_of(state).sum()) == (2, 3)


def test_LH_A30_asked_or_not_tells_all_where_the_order_is():
    for place, flag in (({"hands": THEIRS}, "proved_held"), ({"buried": ["WBRB"]}, "proved_buried")):
        state = table(X, "W", num_players=3, **place)
        state.demolish_next = True
        play(state, BUILD + (" decline" if flag == "proved_held" else ""))
        assert 5 not in islands(state)
        assert view_of(state, 2)[flag][card("WBRB")] == 1
