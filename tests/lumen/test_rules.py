"""One test for every numbered rule and decision of RULES.md."""

import itertools

import numpy as np
import pytest

from lanterns_env import Batch, lumen_v0
from lanterns_env.games.lumen import rules
from lanterns_env.games.lumen.components import COLOURS, TOP_VALUE, TRUMP
from tests.lumen.setup import (
    COMPILED,
    GAME,
    PLAYERS,
    bid_all,
    card_of,
    chi_square,
    copy_of,
    deck,
    fan,
    hand,
    legal_actions,
    name_of,
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

NO_BEHAVIOUR = {
    "LU-75": "what bids and plays of others tell is for the players to judge",
    "LU-A13": "no ranking below the winner is offered",
    "LU-A15": "says which edition the other rules are taken from",
}
SOME = range(30 if COMPILED else 4)  # seeds


def play_round(state, rng=None):
    """Play to the next round, or to the end: at random or always the first legal action."""
    number = int(state.round_number)
    while not state.over and state.round_number == number:
        legal = legal_actions(state)
        GAME.play(state, legal[0] if rng is None else int(rng.choice(legal)))


def names(state, actions):
    """The cards that actions of the player to move would play."""
    return [fan(state, int(state.player))[action - rules.PLAYS] for action in actions]


# -- components and set-up ------------------------------------------------------------------------------------


def test_LU_01_three_to_five_players():
    assert [3, 4, 5] == list(GAME.players)
    for number in (2, 6):
        with pytest.raises(ValueError, match="3 to 5 players"):
            Batch("lumen", 1, number)
    state = new_state(5)
    movers = []
    for _ in range(10):
        movers.append(int(state.player))
        play(state, "bid 0") if state.phase == rules.BID else GAME.play(state, legal_actions(state)[0])
    assert 2 * [1, 2, 3, 4, 0] == movers


@pytest.mark.parametrize(("num_players", "top"), [(3, 8), (4, 10), (5, 12)])
def test_LU_02_deck(num_players, top):
    state = new_state(num_players)
    cards = {card for seat in range(num_players) for card in fan(state, seat)} | set(set_aside(state))
    assert {f"{letter}{value}" for letter in "YRGBP" for value in range(1, top + 1)} == cards
    assert 10 == len(set_aside(state))
    assert top == view_of(state).top_value


def test_LU_03_yellow_is_trump_in_every_round():
    assert ("yellow", 0) == (COLOURS[TRUMP], TRUMP)
    for number in range(1, 5):
        state = new_state(4)
        set_round(state, number, [0] * 4)
        set_hands(state, {0: "R9", 1: "Y1", 2: "R10", 3: "R8"}, leader=0)
        state.tricks_done = 8
        play_cards(state, "R9", "Y1", "R10", "R8")
        assert 1 == state.player


def test_LU_04_colours_are_seen_by_all():
    state = new_state(4)
    for seat in range(4):
        colours = [COLOURS[c] for c in np.argmax(view_of(state, seat).slot_colour, 1)]
        assert [card[0] for card in fan(state, seat)] == [colour[0].upper() for colour in colours]


@pytest.mark.parametrize("num_players", PLAYERS)
def test_LU_05_one_dark_plus(num_players):
    for first in range(num_players):
        state = new_state(num_players, first_dark_plus=first)
        for seat in range(num_players):
            dark = view_of(state, seat).dark_plus
            assert 1 == dark.sum() == dark[(first + 1 - seat) % num_players]


def test_LU_06_four_rounds_of_ten_tricks():
    state = new_state(4)
    for number in range(1, 5):
        assert (number, 0) == (state.round_number, state.tricks_done)
        bid_all(state, "2")
        for trick in range(10):
            assert (number, trick) == (state.round_number, state.tricks_done)
            assert not state.over
            for _ in range(4):
                GAME.play(state, legal_actions(state)[0])
    assert state.over
    assert not state.truncated


def test_LU_07_every_round_is_dealt_from_the_whole_deck():
    for num_players in PLAYERS:
        state = new_state(num_players)
        aside = set()
        for number in range(1, 5):
            cards = [card for seat in range(num_players) for card in fan(state, seat, number)]
            assert 10 * num_players == len(set(cards)) == len(cards)
            assert set(cards) <= set(deck(num_players))
            aside |= {tuple(set_aside(state, number))}
        assert 4 == len(aside)
        dealt = copy_of(state)
        play_random(state, np.random.default_rng(1))
        assert dealt.fans.tobytes() == state.fans.tobytes()  # all chance lies in the deal


def test_LU_07_the_seed_decides_the_cards_whoever_holds_the_dark_plus():
    fans = {new_state(4, first_dark_plus=first).fans.tobytes() for first in ("drawn", 0, 1, 2, 3)}
    assert 1 == len(fans)
    assert 30 == len({new_state(4, seed=seed).fans.tobytes() for seed in range(30)})


@pytest.mark.parametrize("num_players", PLAYERS)
def test_LU_07_every_card_and_the_dark_plus_come_to_everybody_alike(num_players):
    """In each round a card comes to every seat, or aside, as often as to any other; so does the dark plus at first."""
    number = 300
    deals = [new_state(num_players, seed, first_dark_plus="drawn") for seed in range(number)]
    drawn = np.bincount([int(state.dark_plus) for state in deals], minlength=num_players)
    assert chi_square(drawn, np.full(num_players, 1 / num_players)) < 4
    for card in map(card_of, deck(num_players)):
        owners = [owner_of(state, round_cards, card) for state in deals for round_cards in state.fans]
        assert (
            chi_square(np.bincount(owners, minlength=num_players + 1), np.full(num_players + 1, 1 / (num_players + 1)))
            < 6
        )


def owner_of(state, fans, card):
    """The seat that a card of a round is dealt to; the number of players if it is set aside."""
    return next((seat for seat in range(state.num_players) if card in fans[seat]), int(state.num_players))


def test_LU_08_fans_ascend_within_colours():
    for seed in SOME:
        state = new_state(PLAYERS[seed % 3], seed)
        for number, seat in itertools.product(range(1, 5), range(state.num_players)):
            cards = [card_of(card) for card in fan(state, seat, number)]
            assert sorted(cards) == cards


@pytest.mark.parametrize("num_players", PLAYERS)
def test_LU_09_the_dark_plus_goes_to_the_left_with_the_fan(num_players):
    state = new_state(num_players, first_dark_plus=2)
    for number in range(1, 5):
        assert (2 + number) % num_players == state.dark_plus
        play_round(state)


def test_LU_10_who_led_the_first_trick_deals_the_next_round():
    state = new_state(4, first_dark_plus=1)
    for _ in range(3):
        led_first = int(state.starter)
        play_round(state, np.random.default_rng(3))
        assert (led_first + 1) % 4 == state.dark_plus  # the dealer's left neighbour gets its plus card


def test_LU_11_fans_are_never_rearranged():
    state = new_state(4)
    before = state.fans.copy()
    play_random(state, np.random.default_rng(0), 30)
    assert before.tobytes() == state.fans.tobytes()
    colours = [int(card) // 12 for card in state.fans[0, 0]]
    assert sorted(colours) == colours  # the groups in one order for all


def test_LU_12_a_round_begins_with_bids():
    state = new_state(4)
    assert list(range(22)) == legal_actions(state)
    bid_all(state, "3 with extra")
    play_round(state)
    assert list(range(22)) == legal_actions(state)
    for field in ("has_bid", "bid", "extra", "tricks"):
        assert not view_of(state)[field].any()


# -- bidding --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", PLAYERS)
def test_LU_20_bids_clockwise_from_the_dark_plus(num_players):
    state = new_state(num_players)
    movers = []
    while state.phase == rules.BID:
        assert state.dark_plus == state.starter
        movers.append(int(state.player))
        play(state, "bid 1")
    assert [(1 + step) % num_players for step in range(num_players)] == movers
    assert 1 == state.player == state.leader
    for action in range(22):
        assert "LU-22" in GAME.why_illegal(view_of(state), action)


def test_LU_21_tip_stones_and_extra_stone():
    for extra, stones in itertools.product((0, 1), range(11)):
        state = new_state(4)
        words = f"bid {stones} with extra" if extra else f"bid {stones}"
        play(state, words)
        assert (stones, extra) == (state.bid[1], state.extra[1])
        for seat in range(4):
            view = view_of(state, seat)
            step = (1 - seat) % 4
            assert (1, stones, extra) == (view.has_bid[step], view.bid[step], view.extra[step])
            assert 1 == view.has_bid.sum()


def test_LU_22_bids_are_free_public_and_final():
    state = new_state(5)
    for k in range(5):
        assert list(range(22)) == legal_actions(state)
        assert [1] * k + [0] * (5 - k) == np.roll(view_of(state).has_bid, k).tolist()
        play(state, "bid 10 with extra")
    assert [10] * 5 == view_of(state).bid.tolist()
    assert all(action >= rules.PLAYS for action in legal_actions(state))


def test_LU_23_all_other_hands_are_seen_while_bidding():
    state = new_state(3)
    for _ in range(3):
        view = view_of(state)
        for step in (1, 2):
            seen = [name_of(12 * c + v) for c, v in np.argwhere(view.hands[step - 1])]
            assert fan(state, (int(state.player) + step) % 3) == seen
        play(state, "bid 3")


# -- tricks ---------------------------------------------------------------------------------------------------


def test_LU_30_the_winner_leads_the_next_trick():
    for seed in SOME:
        state = new_state(PLAYERS[seed % 3], seed)
        bid_all(state, "3")
        assert state.player == state.starter
        for _ in range(9):
            before = state.tricks.copy()
            leader = int(state.player)
            for step in range(state.num_players):
                assert (leader + step) % state.num_players == state.player
                GAME.play(state, int(np.random.default_rng(seed).choice(legal_actions(state))))
            (winner,) = np.flatnonzero(state.tricks - before)
            assert winner == state.player == state.leader
            assert 1 == view_of(state, winner).leader[0]


def test_LU_31_any_card_may_be_led():
    state = new_state(4)
    set_hands(state, {0: "Y1 R1 G1 B1 P1"}, leader=0)
    assert ["Y1", "R1", "G1", "B1", "P1"] == names(state, legal_actions(state))
    play_cards(state, "Y1")
    assert [1, 0, 0, 0, 0] == view_of(state).led.tolist()


def test_LU_32_followers_must_follow():
    state = new_state(4)
    set_hands(state, {0: "R5 Y9 P9", 1: "Y1 R2 R8", 2: "Y2 G3 B3"}, leader=0)
    play_cards(state, "R5")
    assert ["R2", "R8"] == names(state, legal_actions(state))
    slot = fan(state, 1).index("Y1")
    reason = GAME.why_illegal(view_of(state), rules.PLAYS + slot)
    assert f"LU-32: red was led and you hold 2 of it; slot {slot} is yellow" == reason
    play_cards(state, "R2")
    assert ["Y2", "G3", "B3"] == names(state, legal_actions(state))


def test_LU_33_a_value_is_seen_when_the_card_lies_on_the_table():
    state = new_state(4)
    bid_all(state, "2")
    seat, slot = int(state.player), legal_actions(state)[0] - rules.PLAYS
    assert 0 == view_of(state, seat).slot_value[slot]
    GAME.play(state, rules.PLAYS + slot)
    assert (
        int(fan(state, seat)[slot][1:]) == view_of(state, seat).slot_value[slot] == view_of(state, seat).trick_value[0]
    )
    for viewer in range(4):
        view, step = view_of(state, viewer), (seat - viewer) % 4
        assert 1 == view.trick_colour[step].sum()
        assert (
            name_of(12 * int(np.argmax(view.trick_colour[step])) + view.trick_value[step] - 1) == fan(state, seat)[slot]
        )
    play_random(state, np.random.default_rng(0), 3)
    state.player = seat
    assert rules.PLAYS + slot not in legal_actions(state)
    assert f"LU-33: slot {slot} is empty" in GAME.why_illegal(view_of(state), rules.PLAYS + slot)


def test_LU_34_plus_cards_are_never_played():
    assert rules.PLAYS + 10 == GAME.num_actions  # an action for each of the ten cards, none for the plus


def test_LU_35_winner_of_a_trick():
    for seed in range(300 if COMPILED else 40):
        rng = np.random.default_rng(seed)
        n = PLAYERS[seed % 3]
        cards = [str(card) for card in rng.choice(deck(n), n, replace=False)]
        leader = int(rng.integers(n))
        state = new_state(n)
        set_hands(state, {(leader + k) % n: card for k, card in enumerate(cards)}, leader=leader)
        state.tricks_done = 8
        suit = "Y" if any(card[0] == "Y" for card in cards) else cards[0][0]
        best = max((card for card in cards if card[0] == suit), key=lambda card: int(card[1:]))
        play_cards(state, *cards)
        assert (leader + cards.index(best)) % n == state.player


@pytest.mark.parametrize("leader", range(5))
def test_LU_35_any_yellow_card_beats_the_highest_of_the_led_colour(leader):
    cards = ["R12", "R1", "Y1", "R11", "B12"]
    state = new_state(5)
    set_hands(state, {(leader + k) % 5: card for k, card in enumerate(cards)}, leader=leader)
    state.tricks_done = 8
    play_cards(state, *cards)
    assert (leader + 2) % 5 == state.player


def test_LU_36_tricks_won_are_public():
    state = new_state(4)
    play_random(state, np.random.default_rng(2), 4 + 4 * 6)
    assert 6 == state.tricks.sum()
    for seat in range(4):
        assert np.roll(state.tricks[:4], -seat).tolist() == view_of(state, seat).tricks[:4].tolist()


@pytest.mark.parametrize("recall", [True, False])
def test_LU_37_cards_set_aside_are_never_seen(recall):
    state = new_state(4, recall=recall)
    rng = np.random.default_rng(4)
    while state.round_number == 1:
        aside = [divmod(card_of(card), 12) for card in set_aside(state)]
        for seat in range(4):
            view = view_of(state, seat)
            assert all(view.unseen[place] and not view.played_by[place] for place in aside)
            assert not any(view.hands[step][place] for step in range(4) for place in aside)
        GAME.play(state, int(rng.choice(legal_actions(state))))


def test_LU_38_scoring_follows_the_tenth_trick():
    state = new_state(4)
    bid_all(state, "1")
    play_random(state, np.random.default_rng(2), 39)
    assert not state.total.any()
    assert [False] * 4 == [len(hand(state, seat)) > 1 for seat in range(4)]
    GAME.play(state, legal_actions(state)[0])
    assert (2, 0, rules.BID) == (state.round_number, state.tricks_done, state.phase)
    assert state.total.any()
    assert not state.tricks.any()
    assert [10] * 4 == [len(hand(state, seat)) for seat in range(4)]


# -- scoring --------------------------------------------------------------------------------------------------


def test_LU_40_without_extra_exactly():
    for bid, won in itertools.product(range(11), range(11)):
        assert (won == bid) == (rules.round_points(1, bid, 0, won) > 0)


def test_LU_41_with_extra_one_more_will_do():
    for bid, won in itertools.product(range(11), range(11)):
        assert (won in (bid, bid + 1)) == (rules.round_points(1, bid, 1, won) > 0)


def test_LU_42_points_by_round():
    assert [10, 20, 30, 40] == [rules.round_points(number, 3, 0, 3) for number in range(1, 5)]
    for won in (3, 4):
        assert [5, 10, 15, 20] == [rules.round_points(number, 3, 1, won) for number in range(1, 5)]


def test_LU_43_losses_in_every_round_alike():
    for number, extra, bid in itertools.product(range(1, 5), (0, 1), range(11)):
        for won in range(11):
            points = rules.round_points(number, bid, extra, won)
            assert points > 0 or points == -5 * abs(won - bid)
    assert -10 == rules.round_points(2, 3, 1, 5)


def test_LU_44_totals_may_be_negative():
    state = new_state(4)
    for number in range(1, 4):
        bid_all(state, "10")
        play_round(state)
        assert number + 1 == state.round_number
    assert (state.total[:4] < 0).sum() >= 3
    total = state.total[:4] // 5
    assert np.roll(total, -2).tolist() == view_of(state, 2).total[:4].tolist()
    assert np.roll(state.last_score[:4] // 5, -2).tolist() == view_of(state, 2).last_score[:4].tolist()


# -- three players --------------------------------------------------------------------------------------------


def test_LU_50_three_players_round_4():
    for totals in itertools.permutations([30, 10, -5]):
        state = new_state(3)
        set_round(state, 4, list(totals))
        assert totals.index(30) == state.starter == state.player == state.leader
        assert 1 == view_of(state).starter[0]
        movers = []
        for _ in range(6):
            movers.append(int(state.player))
            play(state, "bid 3") if state.phase == rules.BID else GAME.play(state, legal_actions(state)[0])
        assert 2 * [(totals.index(30) + step) % 3 for step in range(3)] == movers
        state = new_state(3)
        set_round(state, 3, list(totals))
        assert state.dark_plus == state.starter
    for num_players in (4, 5):
        state = new_state(num_players)
        set_round(state, 4, [0, 0, 50, 0, 0][:num_players])
        assert state.dark_plus == state.starter != 2


def test_LU_51_ties_clockwise_from_the_dark_plus():
    for first, totals in itertools.product(range(3), itertools.product([10, 20], repeat=3)):
        state = new_state(3, first_dark_plus=first)
        set_round(state, 4, list(totals))
        dark = (first + 1) % 3
        order = [(dark + step) % 3 for step in range(3)]
        assert next(seat for seat in order if totals[seat] == max(totals)) == state.starter


def test_LU_52_the_dark_plus_stays_where_it_is():
    state = new_state(3)
    set_round(state, 4, [50, 0, 0])
    assert (1, 0) == (state.dark_plus, state.starter)
    assert 1 == view_of(state, 1).dark_plus[0]


# -- the end --------------------------------------------------------------------------------------------------


def test_LU_60_most_points_win():
    for num_players in PLAYERS:
        for winner in range(num_players):
            state = new_state(num_players)
            totals = [-30] * num_players
            totals[winner] = -25
            set_round(state, 4, totals)
            points, share = score_of(state)
            assert totals == points
            assert [float(seat == winner) for seat in range(num_players)] == share


def test_LU_60_rewards():
    for reward in ("outcome", "margin", "points"):
        env = lumen_v0.raw_env(num_players=3, reward=reward)
        env.reset(seed=4)
        gained, rng = dict.fromkeys(env.possible_agents, 0.0), np.random.default_rng(1)
        paid = []
        while not any(env.terminations.values()):
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(int(rng.choice(np.flatnonzero(mask))))
            paid.append(any(env.rewards.values()))
            for agent, value in env.rewards.items():
                gained[agent] += value
        points, share = (row[0].tolist() for row in env._batch.scores())
        assert {"points": 4}.get(reward, 1) >= sum(paid) >= 1
        expected = {
            "outcome": [(3 * part - 1) / 2 for part in share],
            "points": points,
            "margin": [(points[k] - max(points[:k] + points[k + 1 :])) / GAME.margin_scale for k in range(3)],
        }[reward]
        assert expected == pytest.approx(list(gained.values()))


def test_LU_61_ties_by_the_last_round():
    for last, winner in (([5, 10, -5, 0], 1), ([0, 0, 5, 5], 2), ([-5, -5, -10, 40], 0)):
        state = new_state(4)
        set_round(state, 4, [20, 20, 20, 10], last)
        assert winner == score_of(state)[1].index(1.0)


def test_LU_62_ties_clockwise_from_the_dark_plus():
    for num_players, first in itertools.product(PLAYERS, range(3)):
        state = new_state(num_players, first_dark_plus=first)
        set_round(state, 4, [0] * num_players, [0] * num_players)
        dark = (first + 4) % num_players
        assert dark == score_of(state)[1].index(1.0)
        state.total[dark] = -5
        assert (dark + 1) % num_players == score_of(state)[1].index(1.0)


# -- who knows what -------------------------------------------------------------------------------------------


def test_LU_70_own_fan_without_values():
    for num_players in PLAYERS:
        state = new_state(num_players)
        play_random(state, np.random.default_rng(2), 5 * num_players)
        view = view_of(state, 1)
        assert [trick == 0 for trick in state.trick_of[1]] == view.held.tolist()
        assert ["YRGBP".index(card[0]) for card in fan(state, 1)] == np.argmax(view.slot_colour, 1).tolist()
        assert [0 if t == 0 else int(c[1:]) for c, t in zip(fan(state, 1), state.trick_of[1], strict=True)] == (
            view.slot_value.tolist()
        )


def test_LU_71_all_other_hands_at_all_times():
    state = new_state(5)
    rng = np.random.default_rng(2)
    while not state.over:
        if rng.random() < 0.2:
            for seat, step in itertools.product(range(5), range(1, 5)):
                seen = [name_of(12 * c + v) for c, v in np.argwhere(view_of(state, seat).hands[step - 1])]
                assert hand(state, (seat + step) % 5) == seen
        GAME.play(state, int(rng.choice(legal_actions(state))))


@pytest.mark.parametrize("recall", [True, False])
def test_LU_72_colours_of_the_cards_set_aside_are_known(recall):
    for seed in SOME:
        state = new_state(PLAYERS[seed % 3], seed, recall=recall)
        play_random(state, np.random.default_rng(seed), 9 * seed)
        expected = [sum(card[0] == letter for card in set_aside(state)) for letter in "YRGBP"]
        for seat in range(state.num_players):
            assert expected == view_of(state, seat).undealt.tolist()


def test_LU_73_public_facts():
    state = new_state(4, first_dark_plus=2)
    play_random(state, np.random.default_rng(5), 44 + 4 + 4 * 3 + 2)
    assert (2, 3) == (state.round_number, state.tricks_done)
    for seat in range(4):
        view = view_of(state, seat)
        assert (4, seat, 2, 3, 1) == (view.num_players, view.seat, view.round_number, view.tricks_done, view.phase)
        assert (int(state.player) - seat) % 4 == view.to_move
        for field in ("bid", "extra", "tricks"):
            assert np.roll(state[field][:4], -seat).tolist() == view[field][:4].tolist()
        for field in ("dark_plus", "starter", "leader"):
            assert 1 == view[field].sum() == view[field][(int(state[field]) - seat) % 4]
        for other in range(4):
            card, step = int(state.table[other]), (other - seat) % 4
            assert (0 if card < 0 else int(fan(state, other)[card][1:])) == view.trick_value[step]
        for c, v in np.argwhere(view.played_by):
            other = (seat + int(view.played_by[c, v]) - 1) % 4
            assert state.trick_of[other, fan(state, other).index(name_of(12 * c + v))] == view.played_in[c, v]
        assert state.trick_of.astype(bool).sum() == view.played_by.astype(bool).sum()


def test_LU_74_order_bounds_the_own_cards():
    """More of it in test_belief.py."""
    state = new_state(4)
    set_hands(state, {0: "R2 R6 R7"}, aside="R3 R8")
    chances = np.zeros(GAME.belief_shape)
    GAME.belief(state, 0, chances)
    assert [6, 3, 1] == (10 * chances[fan(state, 0).index("R2"), [1, 2, 5]]).round(9).tolist()
    text = GAME.draw([view_of(state, 0)])
    assert all(span in text for span in ("2-6", "3-7", "6-8"))


def test_LU_76_no_action_but_bids_and_cards():
    words = [GAME.describe(view_of(new_state(4)), action) for action in range(GAME.num_actions)]
    assert (22, 10) == (sum(word.startswith("bid ") for word in words), sum(word.startswith("play ") for word in words))


# -- decisions ------------------------------------------------------------------------------------------------


def test_LU_A1_the_stones_limit_bids_only_on_request():
    for limit, expected in ((False, [22] * 4), (True, [22, 20, 10, 2])):
        state = new_state(4, bead_limit=limit)
        counts = []
        for stones in (6, 5, 4, 0):
            counts.append(len(legal_actions(state)))
            play(state, f"bid {stones} with extra")
        assert expected == counts
    state = new_state(4, bead_limit=True)
    play(state, "bid 10", "bid 2")
    assert "LU-A1: 3 tip stones are left, this bid takes 4" == GAME.why_illegal(view_of(state), 4)
    assert 3 == view_of(state).bid_limit
    assert "at most 3 tip stones" in GAME.draw([view_of(state)])


def test_LU_A2_nothing_and_the_extra_stone_alone():
    state = new_state(4)
    assert {0, 11} <= set(legal_actions(state))
    play(state, "bid 0", "bid 0 with extra", "bid 10 with extra")
    assert [0, 0, 10] == state.bid[1:4].tolist()


def test_LU_A3_the_left_neighbour_of_the_first_holder_begins():
    assert [1, 2, 3, 0] == [int(new_state(4, first_dark_plus=first).player) for first in range(4)]


def test_LU_A4_the_tie_is_counted_from_the_holder_after_passing():
    state = new_state(3, first_dark_plus=0)
    set_round(state, 4, [20, 20, 5])
    assert 1 == state.starter  # from seat 0, the holder before, it would be 0


def test_LU_A5_leading_does_not_move_the_dark_plus():
    state = new_state(3)
    set_round(state, 4, [0, 0, 20])
    before = int(state.dark_plus)
    play_round(state)
    assert (2, before) == (state.starter, state.dark_plus)


def test_LU_A6_the_final_tie_is_counted_from_the_dark_plus():
    state = new_state(3)
    set_round(state, 4, [0, 0, 20])
    state.total[:] = 0
    assert (1, 2) == (state.dark_plus, state.starter)
    assert 1 == score_of(state)[1].index(1.0)


def test_LU_A7_recall():
    state, bare = (new_state(4, recall=recall) for recall in (True, False))
    rng = np.random.default_rng(6)
    for _ in range(4 + 4 * 5 + 2):
        action = int(rng.choice(legal_actions(state)))
        for table in (state, bare):
            GAME.play(table, action)
    for seat in range(4):
        full, view = view_of(state, seat), view_of(bare, seat)
        assert (22, 2) == (full.played_by.astype(bool).sum(), view.played_by.astype(bool).sum())
        assert (full.unseen | (full.played_in > 0) * (full.played_in < 6)).tolist() == view.unseen.tolist()
        early = (full.held == 0) & (view.slot_value == 0)
        assert 5 == early.sum() == (view.slot_colour.sum(1) == 0).sum()
        assert full.hands.tolist() == view.hands.tolist()
    chances = np.zeros((2, *GAME.belief_shape))
    for table, found in zip((state, bare), chances, strict=True):
        GAME.belief(table, 2, found)
        GAME.redeal(table, 2, np.uint64(5))
    assert chances[0].tolist() == chances[1].tolist()  # a player's own memory is not shortened
    assert state.fans.tolist() == bare.fans.tolist()


def test_LU_A7_the_bare_table_shows_the_running_trick_alone():
    """In every trick of a round, to the last card of the tenth."""
    state = new_state(4, recall=False)
    bid_all(state, "2")
    for number, count in itertools.product(range(1, 11), range(4)):
        for seat in range(4):
            view = view_of(state, seat)
            assert [number] * count == view.played_in[view.played_in > 0].tolist()
            players = {1 + (int(state.leader) + k - seat) % 4 for k in range(count)}
            assert players == {*view.played_by[view.played_by > 0].tolist()}
            own = int(state.table[seat] >= 0)
            assert own == (view.slot_value > 0).sum()
            assert own + len(hand(state, seat)) == view.slot_colour.sum()
        GAME.play(state, legal_actions(state)[0])


def test_LU_A8_ascending_in_one_order_of_colours():
    state = new_state(4)
    set_fan(state, 2, "P1 B1 G1 R1 Y10 Y1 R10 G10 B10 P10")
    assert "Y1 Y10 R1 R10 G1 G10 B1 B10 P1 P10" == " ".join(fan(state, 2))


def test_LU_A9_set_aside_cards_have_colours_and_no_order():
    state = new_state(4)
    assert 10 == view_of(state).undealt.sum()
    assert TOP_VALUE[1] == view_of(state).undealt[0] + sum(
        card[0] == "Y" for seat in range(4) for card in fan(state, seat)
    )


def test_LU_A10_a_round_reuses_all_cards():
    state = new_state(3)
    used = {card for seat in range(3) for card in fan(state, seat, 1)}
    again = {card for seat in range(3) for card in fan(state, seat, 2)}
    assert used & again
    assert again - used


def test_LU_A11_no_floor():
    state = new_state(4)
    bid_all(state, "10")
    while state.round_number == 1:
        GAME.play(state, legal_actions(state)[0])
    assert state.total.min() < 0
    points, _ = score_of(state)
    assert min(points) < 0


def test_LU_A12_trump_may_be_led_and_need_not_be_played():
    state = new_state(4)
    set_hands(state, {0: "Y5 R5", 1: "Y1 B1"}, leader=0)
    assert ["Y5", "R5"] == names(state, legal_actions(state))
    play_cards(state, "R5")
    assert ["Y1", "B1"] == names(state, legal_actions(state))


def test_LU_A14_a_revoke_is_refused():
    env = lumen_v0.raw_env(num_players=4)
    env.reset(seed=1)
    for _ in range(5):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    before = env.get_state()
    mask = env.observe(env.agent_selection)["action_mask"]
    for action in np.flatnonzero(mask == 0):
        with pytest.raises(ValueError, match="LU-"):
            env.step(int(action))
    assert before == env.get_state()


def test_LU_A16_who_holds_the_dark_plus_first():
    assert "drawn" == GAME.options["first_dark_plus"].default
    for num_players in PLAYERS:
        first = {
            (int(new_state(num_players, s, first_dark_plus="drawn").dark_plus) - 1) % num_players for s in range(60)
        }
        assert set(range(num_players)) == first
    with pytest.raises(ValueError, match="first_dark_plus"):
        Batch("lumen", 1, 3, first_dark_plus=3)


def test_LU_A17_the_winner_as_it_stands():
    state = new_state(4)
    assert 1 == score_of(state)[1].index(1.0)  # nothing scored: the dark plus
    play_round(state, np.random.default_rng(1))
    points, share = score_of(state)
    assert state.total[:4].tolist() == points
    assert max(points) == points[share.index(1.0)]


# -- words ----------------------------------------------------------------------------------------------------


def test_LU_33_slots_are_named_by_colour_and_rank():
    state = new_state(4)
    set_hands(state, {0: "Y3 R1 R4 R5 R9 B7"}, leader=0)
    view = view_of(state)
    said = {words.partition(" (")[2][:-1] for words in (GAME.describe(view, a) for a in legal_actions(state))}
    assert said == {
        "yellow, only one",
        "red, lowest",
        "red, 2nd lowest",
        "red, 3rd lowest",
        "red, highest",
        "blue, only one",
    }
    slot = fan(state, 0).index("R4")
    for words in (f"Play  SLOT {slot}", f"play {slot}", f"play slot {slot} (red)", f"play {slot} (red, 2nd lowest)"):
        assert rules.PLAYS + slot == GAME.parse(view, words)
    with pytest.raises(ValueError, match="it is 'red, 2nd lowest'"):
        GAME.parse(view, f"play slot {slot} (blue)")
    with pytest.raises(ValueError, match="slots are 0 to 9"):
        GAME.parse(view, "play slot 10")
    empty = next(k for k in range(10) if state.trick_of[0, k])
    assert rules.PLAYS + empty == GAME.parse(view, f"play slot {empty} (empty)")


def test_LU_21_bids_in_words():
    view = view_of(new_state(4))
    for words in ("bid 3 with extra", "BID 3  with extra", "bid 3+", "bid 3 +", "bid three with extra"):
        assert 14 == GAME.parse(view, words)
    with pytest.raises(ValueError, match="LU-21: a bid is 0 to 10 tip stones"):
        GAME.parse(view, "bid 11")
    for words in ("bid", "bid many", "bid -1", "pass", ""):
        with pytest.raises(ValueError, match="not understood"):
            GAME.parse(view, words)


def test_LU_60_nothing_is_legal_when_the_game_is_over():
    state = new_state(3)
    play_random(state, np.random.default_rng(0), 131)
    last = int(state.player)
    GAME.play(state, legal_actions(state)[0])
    assert state.over
    assert last == state.player
    assert {"LU-60: the game is over"} == {GAME.why_illegal(view_of(state, 0), action) for action in range(32)}


# -- pictures -------------------------------------------------------------------------------------------------


def test_LU_70_pictures_show_what_views_tell():
    state = new_state(4, belief=True)
    bid_all(state, "3", "2 with extra")
    play_random(state, np.random.default_rng(0), 10)
    for seat in range(4):
        text = GAME.draw([view_of(state, seat)])
        rows = {line[:16].strip(): line[16:].split() for line in text.splitlines()}
        assert [card[0] for card in fan(state, seat)] == rows["colour"]
        shown = [f"({c[1:]})" if t else "?" for c, t in zip(fan(state, seat), state.trick_of[seat], strict=True)]
        assert shown == rows["value"]
        assert 10 == sum(label.startswith("of ") for label in rows)
    everything = GAME.draw([view_of(state, seat) for seat in range(4)])
    values = [line[16:].split() for line in everything.splitlines() if line.startswith("value")]
    for seat in range(4):
        said = [f"({c[1:]})" if t else c[1:] for c, t in zip(fan(state, seat), state.trick_of[seat], strict=True)]
        assert said == values[seat]
    for card in set_aside(state):
        line = next(line for line in everything.splitlines() if line.startswith(f"{card[0]} "))
        assert card[1:] in line[20:].split()


def test_LU_36_pictures_tell_who_took_each_trick():
    state = new_state(5)
    bid_all(state, "3")
    winners = []
    for _ in range(7):
        play_random(state, np.random.default_rng(1), 5)
        winners.append(int(state.leader))
    for viewer in range(5):
        text = GAME.draw([view_of(state, viewer)])
        assert winners == [int(line.split()[-1]) for line in text.splitlines() if " taken by " in line]
