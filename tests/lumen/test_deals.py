"""The deals of smaller games one by one; belief and redealing against all of them."""

import itertools
import math

import numpy as np
import pytest

from lanterns_env.games.deals import deals_of
from lanterns_env.games.lumen.components import MAX_VALUE, ROUNDS, TOP_VALUE
from tests.lumen.setup import (
    COMPILED,
    GAME,
    PLAYERS,
    chi_square,
    copy_of,
    legal_actions,
    new_state,
    variant_by_chance,
    view_of,
)

ONE_CARD = {"colours": 2, "top_value": 2, "hand": 1}
ONE_ROUND, TWO_ROUNDS = {**ONE_CARD, "rounds": 1}, {**ONE_CARD, "rounds": 2, "first_dark_plus": 0}
TINY, SMALL = {"preset": "tiny"}, {"preset": "small"}
SIZES = [  # num_players, options, how many deals
    (3, ONE_ROUND, 3 * 24),
    (3, TWO_ROUNDS, 24 * 24),
    (4, {"colours": 2, "top_value": 3, "hand": 1, "rounds": 1, "first_dark_plus": 2}, 360),
    (3, TINY, 2520),
    (3, SMALL, 7560),
    (4, SMALL, 22680),
]
ENUMERATED = [ONE_ROUND, TWO_ROUNDS, *([TINY, SMALL] if COMPILED else [])]
POSITIONS = 12 if COMPILED else 2  # of each
WORLDS = 100 if COMPILED else 20  # redealt for each that fits


def all_options(num_players, options):
    return GAME.check_options(num_players, options)


def listed(num_players, options):
    return deals_of(GAME, num_players, all_options(num_players, options))


def order_of(state):
    """The deal of a state, just dealt, as ``deal_cards`` takes it."""
    n, hand = int(state.num_players), int(state.hand)
    top = int(state.top_value) or int(TOP_VALUE[n - 3])
    deck = [MAX_VALUE * colour + value for colour in range(state.colours) for value in range(top)]
    rounds = np.full((state.rounds, len(deck)), n)
    for owners, fans in zip(rounds, state.fans[ROUNDS - state.rounds :], strict=True):
        for seat in range(n):
            owners[np.searchsorted(deck, fans[seat, :hand])] = seat
    return np.array([(state.dark_plus - 1) % n, *rounds.ravel()], np.int16)


def dealt_by(order, num_players, options):
    states = GAME.blank(options)
    states["num_players"] = num_players
    GAME.deal_cards(states[0], num_players, order)
    return states[0]


# -- deals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("num_players", "options", "number"), SIZES)
def test_LU_A25_every_deal_is_listed_once(num_players, options, number):
    orders, weights = listed(num_players, options)
    assert (number, number) == (len(orders), len(np.unique(orders, axis=0)))
    assert {1 / number} == {*weights.tolist()}
    assert abs(1 - math.fsum(weights)) < 1e-12


@pytest.mark.parametrize("options", ENUMERATED)
def test_LU_A25_no_two_deals_are_the_same_state(options):
    chosen, (orders, _) = all_options(3, options), listed(3, options)
    states = [dealt_by(order, 3, chosen) for order in orders]
    assert len(orders) == len({state.tobytes() for state in states})
    assert all(GAME.sound(state) for state in states)
    assert all(np.array_equal(order, order_of(state)) for order, state in zip(orders, states, strict=True))


def test_LU_A25_a_deal_is_what_its_order_says():
    """In the full game and in smaller ones."""
    rng = np.random.default_rng(5)
    for k in range(30 if COMPILED else 6):
        n = PLAYERS[k % 3]
        options = variant_by_chance(n, rng) if k % 2 else {"first_dark_plus": "drawn"}
        state = new_state(n, seed=k, **options)
        twin = dealt_by(order_of(state), n, all_options(n, options))
        twin.seed = state.seed
        assert state.tobytes() == twin.tobytes()


def test_LU_A25_deals_come_as_often_as_their_weight_says():
    orders, weights = listed(3, ONE_ROUND)
    place = {order.tobytes(): k for k, order in enumerate(orders)}
    counts = np.zeros(len(orders), int)
    for seed in range((200 if COMPILED else 20) * len(orders)):
        counts[place[order_of(new_state(3, seed=seed, **{**ONE_ROUND, "first_dark_plus": "drawn"})).tobytes()]] += 1
    assert chi_square(counts, weights) < 3


def test_LU_A25_too_many_deals_are_not_listed():
    with pytest.raises(ValueError, match="choose a smaller variant"):
        listed(3, {})


# -- what can be known ----------------------------------------------------------------------------------------


def played(state, seat, actions):
    """What a seat sees after the deal and after every one of these actions."""
    yield view_of(state, seat).tobytes()
    for action in actions:
        GAME.play(state, action)
        yield view_of(state, seat).tobytes()


def random_actions(state, rng, number):
    actions = []
    while len(actions) < number and not state.over:
        actions.append(int(rng.choice(legal_actions(state))))
        GAME.play(state, actions[-1])
    return actions


def fitting(options, seat, actions, seen):
    """All deals in which the seat would have seen the same, as they stand after the actions."""
    worlds = []
    for order in listed(3, options).orders:
        state = dealt_by(order, 3, options)
        if all(one == other for one, other in zip(seen, played(state, seat, actions), strict=True)):
            worlds.append(state)
    return worlds


def positions(options):
    """A position, a seat, and every world that this seat can still think of."""
    rng, chosen = np.random.default_rng(8), all_options(3, options)
    length = 3 * chosen["rounds"] * (1 + chosen["hand"])
    for k in range(POSITIONS):
        start = new_state(3, seed=k, **chosen)
        state, seat = copy_of(start), int(rng.integers(3))
        actions = random_actions(state, rng, int(rng.integers(length)))
        yield state, seat, fitting(chosen, seat, actions, [*played(start, seat, actions)])


@pytest.mark.parametrize("options", ENUMERATED)
def test_LU_74_belief_is_the_share_of_all_deals_that_fit(options):
    unsure = 0
    for state, seat, worlds in positions(options):
        shares = np.zeros(GAME.belief_shape)
        for world, slot in itertools.product(worlds, range(state.hand)):
            shares[slot, world.fans[state.round_number - 1, seat, slot] % MAX_VALUE] += 1 / len(worlds)
        chances = np.full(GAME.belief_shape, 7.0)
        GAME.belief(state, seat, chances)
        assert np.allclose(shares, chances, rtol=0, atol=1e-12)
        unsure += ((chances > 0) & (chances < 1)).any()
    assert unsure > 0


@pytest.mark.parametrize("options", ENUMERATED)
def test_LU_74_redealt_worlds_are_all_deals_that_fit_alike(options):
    looked_at = 0
    for state, seat, worlds in positions(options):
        expected = {world.fans.tobytes(): k for k, world in enumerate(worlds)}
        if not 1 < len(expected) <= (100 if COMPILED else 48):
            continue
        looked_at += 1
        counts, world = np.zeros(len(expected), int), copy_of(state)
        for seed in range(WORLDS * len(expected)):
            GAME.redeal(world, seat, np.uint64(seed))
            counts[expected[world.fans.tobytes()]] += 1
        assert chi_square(counts, np.full(len(counts), 1 / len(counts))) < 4
    assert looked_at > 0
