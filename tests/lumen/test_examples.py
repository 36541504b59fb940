"""The worked examples of RULES.md, some of them printed in the rules of the game."""

import numpy as np
import pytest

from lanterns_env.games.lumen import rules
from lanterns_env.games.lumen.components import MAX_VALUE
from tests.lumen.setup import (
    COMPILED,
    GAME,
    PLAYERS,
    bid_all,
    copy_of,
    deck,
    fan,
    hand,
    legal_actions,
    new_state,
    play,
    play_cards,
    play_random,
    score_of,
    set_aside,
    set_fan,
    set_hands,
    set_round,
    view_of,
)

PETER, RENATE, SABRINA, JAN = range(4)


def scored(number, bid, won):
    """What seat 0 scores in a round for a bid in words and tricks won."""
    state = new_state(4)
    set_round(state, number, [0] * 4)
    set_hands(state, {0: "Y9", 1: "R1"} if won else {0: "R1", 1: "Y9"}, leader=2)  # the last trick
    action = GAME.parse(view_of(state), f"bid {bid}")
    state.bid[0], state.extra[0] = action % 11, action // 11
    state.tricks[:4] = [max(0, won - 1), 0, 10 - max(1, won), 0]
    for _ in range(4):
        GAME.play(state, legal_actions(state)[0])
    assert state.last_score[0] == state.total[0]
    return int(state.last_score[0])


def possible(state, seat):
    """The values that a seat's belief allows, by slot of the cards in hand."""
    chances = np.zeros(GAME.belief_shape)
    GAME.belief(state, seat, chances)
    return {
        slot: {value for value in range(1, MAX_VALUE + 1) if chances[slot, value - 1] > 0}
        for slot in range(10)
        if state.trick_of[seat, slot] == 0
    }


def reds(state, seat):
    """The slots of the red cards in hand."""
    return [slot for slot, card in enumerate(fan(state, seat)) if card[0] == "R" and state.trick_of[seat, slot] == 0]


# -- the deal -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("num_players", "cards"), [(3, 40), (4, 50), (5, 60)])
def test_LU_T01_deck_and_deal(num_players, cards):
    state = new_state(num_players)
    dealt = [card for seat in range(num_players) for card in fan(state, seat)]
    assert cards == len(deck(num_players))
    assert 10 * num_players == len(set(dealt))
    assert 10 == len(set_aside(state)) == state.undealt.sum()


@pytest.mark.parametrize(("num_players", "holders"), [(3, [1, 2, 0, 1]), (4, [1, 2, 3, 0]), (5, [1, 2, 3, 4])])
def test_LU_T02_who_holds_the_dark_plus(num_players, holders):
    state = new_state(num_players, first_dark_plus=0)
    seen = []
    for number in range(1, 5):
        while state.round_number < number:
            GAME.play(state, legal_actions(state)[0])
        seen.append(int(state.dark_plus))
        assert 1 == view_of(state, seen[-1]).dark_plus[0]
    assert holders == seen


def test_LU_T03_sorting():
    state = new_state(4)
    set_fan(state, 0, "R7 Y2 R1 B5 Y9 P3 P10 G4 G2 B6")
    assert "Y2 Y9 R1 R7 G2 G4 B5 B6 P3 P10" == " ".join(fan(state, 0))
    for seat in range(4):  # and so it is dealt
        for number in range(1, 5):
            keys = [("YRGBP".index(card[0]), int(card[1:])) for card in fan(new_state(4, seed=5), seat, number)]
            assert sorted(keys) == keys


def test_LU_T04_a_bid_of_three_with_extra_is_met_by_three_and_four():
    assert [3, 4] == [won for won in range(11) if scored(1, "3 with extra", won) > 0]


# -- a trick --------------------------------------------------------------------------------------------------


def printed_trick(jan="R2 R6 R9 G1 P1"):
    """Five cards each; without Jan's hand, the red 1 and 2 are seen by nobody but their holders."""
    state = new_state(4)
    hands = {PETER: "R4 Y1 B1 B2 P9", RENATE: "R1 R3 Y2 Y3 G8", SABRINA: "B3 B4 Y7 P2 P3", JAN: jan}
    set_hands(state, hands, leader=PETER, aside="R2")
    return state


def test_LU_T05_printed_trick():
    state = printed_trick()
    before = int(state.tricks[PETER])
    play_cards(state, "R4")
    assert ["R1", "R3"] == [fan(state, RENATE)[action - 22] for action in legal_actions(state)]
    play_cards(state, "R3")
    assert 5 == len(legal_actions(state))
    play_cards(state, "B3")
    assert 3 == len(legal_actions(state))
    play_cards(state, "R2")
    assert (PETER, PETER) == (state.leader, state.player)
    assert before + 1 == state.tricks[PETER]


def test_LU_T06_what_renate_knows():
    for jan, values in (("R5 R6 R9 G1 P1", {1, 2}), ("R2 R6 R9 G1 P1", {1})):  # Jan's 2 is seen in his hand already
        state = printed_trick(jan)
        play_cards(state, "R4", "R3")
        (slot,) = reds(state, RENATE)
        assert values == possible(state, RENATE)[slot]
    play_cards(state, "B3", "R2")
    assert {1} == possible(state, RENATE)[slot]


def test_LU_T07_what_jan_knows():
    state = printed_trick()
    play_cards(state, "R4", "R3", "B3", "R2")
    seen = {int(card[1:]) for seat in (PETER, RENATE, SABRINA) for card in fan(state, seat) if card[0] == "R"}
    unseen = {5, 6, 7, 8, 9, 10} - seen
    low, high = reds(state, JAN)
    assert unseen - {max(unseen)} == possible(state, JAN)[low]
    assert unseen - {min(unseen)} == possible(state, JAN)[high]


# -- scoring --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("won", "points"), [(3, 5), (6, -15), (2, -5)])
def test_LU_T08_printed_scoring(won, points):
    assert points == scored(1, "3 with extra", won)


@pytest.mark.parametrize(("won", "points"), [(4, 5), (5, -10)])
def test_LU_T09_the_extra_stone_is_not_counted_in_a_loss(won, points):
    assert points == scored(1, "3 with extra", won)


def test_LU_T10_bids_of_nothing():
    assert 40 == scored(4, "0", 0)
    assert [20, 20, -10] == [scored(4, "0 with extra", won) for won in (0, 1, 2)]


@pytest.mark.parametrize(("won", "points"), [(2, 20), (3, -5)])
def test_LU_T11_without_extra(won, points):
    assert points == scored(2, "2", won)


def test_LU_T12_the_ends_of_the_scale():
    assert -50 == scored(3, "10", 0)
    assert 15 == scored(3, "10 with extra", 10)


# -- following suit -------------------------------------------------------------------------------------------


def offered(mine, led):
    """What a hand may play, to a card led by seat 3 or leading."""
    state = new_state(4)
    set_hands(state, {0: mine} | ({3: led} if led else {}), leader=3 if led else 0)
    if led:
        play_cards(state, led.split()[0])
    return " ".join(fan(state, 0)[action - 22] for action in legal_actions(state))


def test_LU_T13_must_follow():
    assert "R1 R3" == offered("R1 R3 B5", "R4 P1 P2")


def test_LU_T14_void():
    assert "Y7 B3" == offered("B3 Y7", "R4 P1")


def test_LU_T15_trump_led_and_leading_trump():
    assert "Y3 R1" == offered("R1 Y3", "")
    assert "Y3" == offered("R1 Y3", "Y4 P1")


# -- who wins a trick -----------------------------------------------------------------------------------------


def winner_of(cards):
    """The place in the order of play that wins, whoever leads."""
    winners = set()
    for leader in range(4):
        state = new_state(4)
        set_hands(state, {(leader + k) % 4: card for k, card in enumerate(cards.split())}, leader=leader)
        state.tricks_done = 8  # or the round would be scored at once
        before = state.tricks.copy()
        play_cards(state, *cards.split())
        assert [state.player] == np.flatnonzero(state.tricks - before).tolist()
        winners.add((int(state.player) - leader) % 4)
    (winner,) = winners
    return winner


def test_LU_T16_lowest_trump_wins():
    assert 1 == winner_of("R10 Y1 R9 B10")


def test_LU_T17_higher_trump_wins():
    assert 2 == winner_of("R10 Y1 Y4 B10")


def test_LU_T18_off_colour_never_wins():
    assert 0 == winner_of("B1 R10 G10 P10")


def test_LU_T19_trump_led():
    assert 1 == winner_of("Y2 Y9 R10 Y5")


# -- three players, round 4 -----------------------------------------------------------------------------------


def test_LU_T20_most_points_begin():
    state = new_state(3)
    set_round(state, 4, [30, 10, -5])
    assert (1, 0) == (state.dark_plus, state.starter)
    movers = []
    for _ in range(3):
        movers.append(int(state.player))
        play(state, "bid 3")
    assert [0, 1, 2] == movers
    assert 0 == state.player == state.leader


def test_LU_T21_tie_clockwise_from_the_dark_plus():
    state = new_state(3)
    set_round(state, 4, [30, 10, 30])
    assert (1, 2) == (state.dark_plus, state.starter)


@pytest.mark.parametrize("totals", [[20, 20, 5], [-5, -5, -5]])
def test_LU_T22_tie_with_the_dark_plus(totals):
    state = new_state(3)
    set_round(state, 4, totals)
    assert 1 == state.dark_plus == state.starter


def test_LU_T23_no_special_rule_elsewhere():
    state = new_state(4)
    set_round(state, 4, [30, 10, -5, 0])
    assert 0 == state.dark_plus == state.starter
    state = new_state(4)
    set_round(state, 4, [0, 10, -5, 0])
    assert 0 == state.dark_plus == state.starter
    state = new_state(3)
    set_round(state, 3, [0, 30, 0])
    assert 0 == state.dark_plus == state.starter


# -- who wins -------------------------------------------------------------------------------------------------


def winner_after(totals, last):
    """The winner when round 4 is over, its scores in the totals."""
    state = new_state(len(totals), first_dark_plus=0)
    set_round(state, 4, totals, last)
    state.over = True
    points, share = score_of(state)
    assert totals == points
    assert 1.0 == max(share) == sum(share)
    winner = share.index(1.0)
    for seat in range(len(totals)):
        assert f"player {winner} wins" in GAME.draw([view_of(state, seat)])
    return winner


def test_LU_T24_tie_broken_by_the_last_round():
    assert 0 == winner_after([50, 50, 10, 0], [40, -5, 0, 0])


def test_LU_T25_second_tie_break():
    assert 1 == winner_after([50, 50, 50, 0], [20, 40, 40, 0])


def test_LU_T26_all_tied():
    assert 1 == winner_after([30, 30, 30], [-5, -5, -5])


def test_LU_T27_clockwise():
    assert 2 == winner_after([30, 20, 30], [20, 0, 20])


def test_LU_T28_five_players():
    assert 4 == winner_after([25] * 5, [0] * 5)


# -- what is known --------------------------------------------------------------------------------------------


def test_LU_T29_three_reds_of_five():
    state = new_state(4)
    set_hands(state, {0: "R2 R6 R7 Y1 Y2 Y3 G1 G2 B1 B2"}, aside="R3 R8")
    slots = reds(state, 0)
    assert 3 == len(slots)
    assert [{2, 3, 6}, {3, 6, 7}, {6, 7, 8}] == [possible(state, 0)[slot] for slot in slots]
    chances = np.zeros(GAME.belief_shape)
    GAME.belief(state, 0, chances)
    ways = 10 * chances[slots].round(9)
    assert [[6, 3, 1], [3, 4, 3], [1, 3, 6]] == [ways[k][ways[k] > 0].tolist() for k in range(3)]


def swapped(state, seat):
    """The same position but for own values changed for set-aside ones of the colour, the order kept."""
    other = copy_of(state)
    aside = set_aside(state)
    for slot in range(10):
        if state.trick_of[seat, slot] == 0:
            now = fan(other, seat)
            for card in aside:
                changed = now[:slot] + [card] + now[slot + 1 :]
                keys = [("YRGBP".index(name[0]), int(name[1:])) for name in changed]
                if card[0] == now[slot][0] and keys == sorted(keys):
                    aside[aside.index(card)] = now[slot]
                    other.fans[state.round_number - 1, seat, slot] = MAX_VALUE * keys[slot][0] + keys[slot][1] - 1
                    break
    return other


def shown(state, seat):
    """What a player to move gets beside its view: mask, words and picture."""
    view = view_of(state, seat)
    return legal_actions(state), [GAME.describe(view, action) for action in range(32)], GAME.draw([view])


@pytest.mark.parametrize("num_players", PLAYERS)
@pytest.mark.parametrize("options", [{"belief": True}, {"recall": False}, {"bead_limit": True}])
def test_LU_T30_own_values_are_hidden_at_every_decision(num_players, options):
    rng = np.random.default_rng(num_players)
    changed = 0
    for seed in range(8 if COMPILED else 1):
        state = new_state(num_players, seed=seed, first_dark_plus=seed % num_players, **options)
        for decision in range(44 * num_players):
            seat = int(state.player)
            other = swapped(state, seat)
            for number in range(int(state.round_number) + 1, 5):  # and nothing of later rounds shows
                other.fans[number - 1, :num_players] = state.fans[number - 1, :num_players][::-1]
            assert view_of(state, seat).tobytes() == view_of(other, seat).tobytes()
            assert decision % 23 or shown(state, seat) == shown(other, seat)
            if other.fans[state.round_number - 1].tobytes() != state.fans[state.round_number - 1].tobytes():
                changed += 1
                for viewer in range(num_players):
                    assert (viewer == seat) == (view_of(state, viewer).tobytes() == view_of(other, viewer).tobytes())
            GAME.play(state, int(rng.choice(legal_actions(state))))
    assert changed > 50


@pytest.mark.parametrize("num_players", PLAYERS)
def test_LU_T31_who_sees_what(num_players):
    state = new_state(num_players)
    play_random(state, np.random.default_rng(1), 4 * num_players)
    for seat in range(num_players):
        view = view_of(state, seat)
        for step in range(1, num_players):
            cards = [f"{'YRGBP'[c]}{v + 1}" for c, v in np.argwhere(view.hands[step - 1])]
            assert hand(state, (seat + step) % num_players) == cards
        assert not view.hands[num_players - 1 :].any()
        unseen = {f"{'YRGBP'[c]}{v + 1}" for c, v in np.argwhere(view.unseen)}
        assert set(hand(state, seat)) | set(set_aside(state)) == unseen
        assert not view.slot_value[view.held == 1].any()


def test_LU_T32_five_players_and_fifteen_stones():
    for limit, number in ((False, 22), (True, 2)):
        state = new_state(5, bead_limit=limit)
        play(state, "bid 6", "bid 6 with extra", "bid 3")
        assert number == len(legal_actions(state))
    assert ["bid 0", "bid 0 with extra"] == [GAME.describe(view_of(state), action) for action in legal_actions(state)]


@pytest.mark.parametrize("num_players", PLAYERS)
def test_LU_T33_a_full_game(num_players):
    state = new_state(num_players)
    rng = np.random.default_rng(3)
    actions = 0
    for number in range(1, 5):
        assert number == state.round_number
        cards = set_aside(state, number)
        while not state.over and state.round_number == number:
            slot = int(rng.choice(legal_actions(state)))
            if slot >= rules.PLAYS:
                cards.append(fan(state, int(state.player))[slot - rules.PLAYS])
            GAME.play(state, slot)
            actions += 1
        assert sorted(deck(num_players)) == sorted(cards)
    assert 10 == state.tricks.sum()
    assert 44 * num_players == actions


@pytest.mark.parametrize("recall", [False, True])
def test_LU_T34_the_first_trick_afterwards(recall):
    state = new_state(4, recall=recall)
    bid_all(state, "2")
    played = {}
    for _ in range(4):
        seat = int(state.player)
        played[seat] = fan(state, seat)[legal_actions(state)[0] - 22]
        GAME.play(state, legal_actions(state)[0])
    for viewer in range(4):
        view = view_of(state, viewer)
        assert 1 == view.tricks.sum() == view.tricks_done
        for seat, card in played.items():
            place = "YRGBP".index(card[0]), int(card[1:]) - 1
            said = (view.played_by[place], view.played_in[place], view.unseen[place])
            assert said == ((1 + (seat - viewer) % 4, 1, 0) if recall else (0, 0, 1))
        slot = int(np.flatnonzero(view.held == 0)[0])
        own = played[viewer]
        assert view.slot_value[slot] == (int(own[1:]) if recall else 0)
        assert view.slot_colour[slot].any() == recall


def test_LU_T34_cards_of_the_running_trick_are_on_the_bare_table():
    state = new_state(4, recall=False)
    bid_all(state, "2")
    leader = int(state.player)
    GAME.play(state, legal_actions(state)[0])
    view = view_of(state, leader)
    assert 1 == (view.slot_value > 0).sum() == (view.played_by == 1).sum() == (view.trick_value > 0).sum()


def test_LU_T30_set_up():
    """The change of own values is one that keeps colours, order and cards."""
    state = new_state(4)
    other = swapped(state, 2)
    assert fan(state, 2) != fan(other, 2)
    assert [card[0] for card in fan(state, 2)] == [card[0] for card in fan(other, 2)]
    assert {*fan(state, 2), *set_aside(state)} == {*fan(other, 2), *set_aside(other)}
