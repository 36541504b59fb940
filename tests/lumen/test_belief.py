"""Exact belief and redealing, against enumeration of all that fits."""

import itertools
import math

import numpy as np
import pytest

from lanterns_env import Batch
from lanterns_env.games.lumen.components import HAND, MAX_VALUE, TOP_VALUE
from tests.lumen.setup import (
    COMPILED,
    GAME,
    LETTERS,
    PLAYERS,
    chi_square,
    copy_of,
    deck,
    fan,
    legal_actions,
    new_state,
    play_random,
    set_aside,
    set_fan,
)
from tests.lumen.test_oracle import oracle_of

MANY = 400 if COMPILED else 12  # positions
OPTIONS = ({}, {"recall": False}, {"first_dark_plus": "drawn"})


def belief_of(state, seat):
    chances = np.full(GAME.belief_shape, 7.0)
    GAME.belief(state, seat, chances)
    return chances


def hidden_values(state, seat, colour):
    """The values of a colour in the unplayed part of the seat's fan and among the cards set aside."""
    hidden = [card for card, trick in zip(fan(state, seat), state.trick_of[seat], strict=True) if trick == 0]
    return sorted(int(card[1:]) for card in hidden + set_aside(state) if card[0] == colour)


def fitting(state, seat, colour):
    """The slots of a colour, and all values that they may hold together."""
    mine = fan(state, seat)
    slots = [slot for slot in range(HAND) if mine[slot][0] == colour]
    played = {slot: int(mine[slot][1:]) for slot in slots if state.trick_of[seat, slot] != 0}
    values = sorted(hidden_values(state, seat, colour) + list(played.values()))
    choices = itertools.combinations(values, len(slots))
    return slots, [c for c in choices if all(c[slots.index(slot)] == value for slot, value in played.items())]


def enumerated(state, seat):
    chances = np.zeros(GAME.belief_shape)
    for colour in "YRGBP":
        slots, choices = fitting(state, seat, colour)
        for choice in choices:
            for slot, value in zip(slots, choice, strict=True):
                chances[slot, value - 1] += 1 / len(choices)
    return chances


def positions(number, seed):
    """Positions from everywhere in the game, also where it is over."""
    rng = np.random.default_rng(seed)
    for k in range(number):
        n = PLAYERS[k % 3]
        state = new_state(n, seed=int(rng.integers(1 << 63)), **OPTIONS[k // 3 % 3])
        play_random(state, rng, int(rng.integers(44 * n + 1)))
        yield state, int(rng.integers(n)), rng


def test_LU_74_belief_is_that_of_enumeration():
    gaps = 0
    for state, seat, _ in positions(MANY, 1):
        chances = belief_of(state, seat)
        assert np.allclose(enumerated(state, seat), chances, rtol=0, atol=1e-12)
        gaps += ((chances > 0) & (chances < 1)).any()
    assert gaps > MANY // 3


@pytest.mark.parametrize("num_players", PLAYERS)
def test_LU_74_belief_of_wide_gaps_is_that_of_enumeration(num_players):
    """Half a fan and more of one colour, of which some cards are set aside."""
    rng, unsure = np.random.default_rng(num_players), 0
    top = int(TOP_VALUE[num_players - 3])
    for width, colour in itertools.product(range(4, min(top, HAND)), range(5)):
        mine = rng.permutation(top)[:width] + 1
        rest = rng.permutation(top)[: HAND - width] + 1
        state = new_state(num_players, seed=int(rng.integers(1 << 63)))
        set_fan(
            state, 1, " ".join([f"{LETTERS[colour]}{k}" for k in mine] + [f"{LETTERS[colour - 1]}{k}" for k in rest])
        )
        chances = belief_of(state, 1)
        assert np.allclose(enumerated(state, 1), chances, rtol=0, atol=1e-12)
        unsure += ((chances > 0) & (chances < 1)).any()
    assert unsure > 10


def test_LU_74_revealed_cards_are_certain():
    for state, seat, _ in positions(MANY // 4, 2):
        chances = belief_of(state, seat)
        assert np.allclose(1, chances.sum(1))
        for slot in range(HAND):
            if state.trick_of[seat, slot] != 0:
                assert 1 == chances[slot, int(fan(state, seat)[slot][1:]) - 1]


def test_LU_74_the_view_gives_hundredths_on_request():
    for asked in (False, True):
        state = new_state(4, belief=asked)
        play_random(state, np.random.default_rng(5), 20)
        for seat in range(4):
            views = np.ones(1, GAME.view)
            GAME.observe(state, seat, views[0])
            expected = np.floor(100 * belief_of(state, seat) + 0.5) if asked else np.zeros(GAME.belief_shape)
            assert np.array_equal(expected, views[0].belief)


def test_LU_74_batch_offers_belief():
    batch = Batch("lumen", 3, 5, seed=4)
    batch.step(batch.sample(np.random.default_rng(0)))
    assert np.allclose(enumerated(batch.states[1], 2), batch.belief(1, 2))


# -- redeal ---------------------------------------------------------------------------------------------------


def test_LU_74_a_redeal_fits_what_is_known():
    for state, seat, rng in positions(MANY, 3):
        world = copy_of(state)
        GAME.redeal(world, seat, np.uint64(rng.integers(1 << 63)))
        now = int(state.round_number)
        for number in range(1, 5):
            for other in range(state.num_players):
                cards = fan(world, other, number)
                assert cards == sorted(cards, key=lambda card: ("YRGBP".index(card[0]), int(card[1:])))
                if number < now or (number == now and other != seat):
                    assert fan(state, other, number) == cards
                if number > now:
                    assert fan(state, other, number) != cards
            assert len(deck(int(state.num_players))) == len({*all_cards(world, number), *set_aside(world, number)})
        for colour in "YRGBP":
            slots, choices = fitting(state, seat, colour)
            assert tuple(int(fan(world, seat)[slot][1:]) for slot in slots) in choices


def all_cards(state, number):
    cards = [card for seat in range(state.num_players) for card in fan(state, seat, number)]
    assert len(set(cards)) == len(cards) == HAND * state.num_players
    return cards


def redealt(state, seat, number):
    """The fans of a seat in so many redealt worlds: int8[number, rounds, players, slots]."""
    if COMPILED:
        batch = Batch(GAME, 1, int(state.num_players))
        batch._states[0] = state
        return batch.worlds(np.zeros(number, int), seat, np.arange(number)).states["fans"]
    world = copy_of(state)
    fans = []
    for seed in range(number):
        GAME.redeal(world, seat, np.uint64(seed))
        fans.append(world.fans.copy())
    return np.array(fans)


def test_LU_74_redeals_are_uniform_over_all_that_fits():
    looked_at = 0
    for state, seat, _ in positions(60, 4):
        sets = [fitting(state, seat, colour) for colour in "YRGBP"]
        ways = math.prod(len(choices) for _, choices in sets)
        if not 4 <= ways <= (100 if COMPILED else 12):
            continue
        looked_at += 1
        number = 100 * ways if COMPILED else 20 * ways
        fans = redealt(state, seat, number)[:, state.round_number - 1, seat]
        hands, counts = np.unique(fans, axis=0, return_counts=True)
        assert ways == len(hands)
        assert chi_square(counts, np.full(ways, 1 / ways)) < 4
    assert looked_at >= (8 if COMPILED else 2)


@pytest.mark.skipif(not COMPILED, reason="too many worlds for plain Python")
def test_LU_74_belief_counts_redeals():
    for state, seat, _ in positions(30, 6):
        chances = belief_of(state, seat)
        fans = redealt(state, seat, 20_000)[:, state.round_number - 1, seat]
        for slot in range(HAND):
            counts = np.bincount(fans[:, slot] % MAX_VALUE, minlength=MAX_VALUE)
            likely = chances[slot] > 0
            assert not counts[~likely].any()
            assert likely.sum() == 1 or chi_square(counts[likely], chances[slot][likely]) < 6


@pytest.mark.skipif(not COMPILED, reason="too many worlds for plain Python")
@pytest.mark.parametrize("num_players", PLAYERS)
def test_LU_07_deals_and_redeals_of_later_rounds_are_uniform(num_players):
    """Every card comes to every seat, or aside, as often as any other; and so do two cards together."""
    state = new_state(num_players)
    number = 20_000
    dealt = Batch("lumen", number, num_players, seed=1).states["fans"]
    for fans in (dealt[:, 0], dealt[:, 3], redealt(state, 1, number)[:, 1], redealt(state, 1, number)[:, 3]):
        owner = np.full((number, 5 * MAX_VALUE), num_players)
        for seat in range(num_players):
            np.put_along_axis(owner, fans[:, seat].astype(int), seat, 1)
        cards = [card for card in range(5 * MAX_VALUE) if card % MAX_VALUE < TOP_VALUE[num_players - 3]]
        counts = [np.bincount(owner[:, card], minlength=num_players + 1) for card in cards]
        expected = number / (num_players + 1)  # ten cards to each, ten aside
        statistic = ((np.array(counts) - expected) ** 2 / expected).sum()
        freedom = num_players * len(cards)
        assert abs(statistic - freedom) < 4 * math.sqrt(2 * freedom)
        together = (owner[:, cards[0]] == owner[:, cards[-1]]).mean()
        assert abs(together - 9 / (len(cards) - 1)) < 0.012


def test_LU_74_oracle_agrees():
    for k in range(12 if COMPILED else 3):
        rng = np.random.default_rng(k)
        n = PLAYERS[k % 3]
        state = new_state(n, seed=k)
        other = oracle_of(state)
        for _ in range(int(rng.integers(n, 44 * n))):
            action = int(rng.choice(legal_actions(state)))
            GAME.play(state, action)
            other.play(action)
        for seat in range(n):
            hands = other.consistent_hands(seat)
            chances = np.zeros(GAME.belief_shape)
            for hand in hands:
                for slot, (_, value) in enumerate(hand):
                    chances[slot, value - 1] += 1 / len(hands)
            assert np.allclose(chances, belief_of(state, seat))
