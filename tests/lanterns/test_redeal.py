"""A redeal is uniform over all arrangements of the unseen tiles, and leaves alone what is known.

Seeds are fixed, so that nothing here depends on luck.
"""

import itertools
from collections import Counter

import numpy as np
import pytest

from lanterns_env.games.lanterns import rules
from tests.lanterns.setup import COMPILED, GAME, copy_of, new_state, play_random, view_of

DEALS = 16_000 if COMPILED else 1_500


def position(num_players, turn, seed=11):
    state = new_state(num_players, seed)
    play_random(state, np.random.default_rng(seed), until_turn=turn)
    return state


def redealt(state, player, count):
    for seed in range(count):
        world = copy_of(state)
        GAME.redeal(world, player, np.uint64(seed))
        yield world


def unseen(state, player):
    return np.flatnonzero(view_of(state, player).unseen).tolist()


def held(state, seat):
    return [int(tile) for tile in state.hands[seat] if tile != rules.NO_TILE]


def places(world, player):
    """The hidden places, each a list of tiles: every other hand, every position of the pile, the box."""
    hands = [held(world, seat) for seat in range(world.num_players) if seat != player]
    pile = [[int(tile)] for tile in world.pile[: world.pile_left]]
    return [*hands, *pile, [int(tile) for tile in world.box if tile != rules.NO_TILE]]


def chi_square(counts, expected):
    return float(((counts - expected) ** 2 / expected).sum())


def bound(degrees):
    """Five standard deviations above the mean of a chi-square, and some more for its longer tail."""
    return degrees + 5 * np.sqrt(2 * degrees) + 10


@pytest.mark.parametrize(
    ("num_players", "turn", "player"), [(4, 0, 0), (4, 10, 2), (4, 27, 1), (2, 3, 1), (2, 20, 0), (3, 6, 2), (3, 25, 0)]
)
def test_every_unseen_tile_is_equally_likely_in_every_place(num_players, turn, player):
    state = position(num_players, turn)
    tiles = unseen(state, player)
    sizes = np.array([len(place) for place in places(state, player)])
    assert len(tiles) == sizes.sum()
    counts = np.zeros((36, len(sizes)))
    for world in redealt(state, player, DEALS):
        for k, place in enumerate(places(world, player)):
            counts[place, k] += 1
    filled = sizes > 0
    expected = np.outer(np.ones(len(tiles)), DEALS * sizes[filled] / len(tiles))
    assert DEALS * len(tiles) == counts.sum() == counts[tiles].sum()
    found = counts[tiles][:, filled]
    assert chi_square(found, expected) < bound((len(tiles) - 1) * (filled.sum() - 1))
    for row, expected_row in zip(found, expected, strict=True):  # no single tile is drawn anywhere
        assert chi_square(row, expected_row) < bound(filled.sum() - 1)


def test_pairs_of_tiles_are_equally_likely_too():
    """Which two tiles a player of the final turns of the pile holds beside each other: all pairs alike."""
    state = position(4, 26)
    seat = next(seat for seat in (1, 2, 3) if len(held(state, seat)) == 2)
    counts = Counter(frozenset(held(world, seat)) for world in redealt(state, 0, DEALS))
    pairs = [frozenset(pair) for pair in itertools.combinations(unseen(state, 0), 2)]
    found = np.array([counts[pair] for pair in pairs])
    assert DEALS == found.sum()
    assert chi_square(found, DEALS / len(pairs)) < bound(len(pairs) - 1)


@pytest.mark.parametrize(("turn", "player"), [(30, 0), (29, 1), (28, 0)])
def test_exactly_the_arrangements_that_fit_come_up_equally_often(turn, player):
    """Late in a game of four, when they can be counted: hands by seat, the box as a set."""
    state = position(4, turn)
    expected = arrangements(unseen(state, player), [len(place) for place in places(state, player)])
    deals = 30 * len(expected)
    counts = Counter(
        tuple(frozenset(place) for place in places(world, player)) for world in redealt(state, player, deals)
    )
    assert set(expected) == set(counts)
    assert chi_square(np.array(list(counts.values())), 30) < bound(len(expected) - 1)


def arrangements(tiles, sizes):
    """All ways to share out tiles to places of given sizes."""
    if not sizes:
        return [()]
    return [
        (frozenset(first), *rest)
        for first in itertools.combinations(tiles, sizes[0])
        for rest in arrangements([tile for tile in tiles if tile not in first], sizes[1:])
    ]


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_what_is_known_stays(num_players):
    for turn in (0, 7, num_players * 8 - 3):
        state = position(num_players, turn)
        for player in range(num_players):
            for world in redealt(state, player, 20):
                for field in world.dtype.names:
                    if field not in ("seed", "hands", "pile", "box"):
                        assert np.array_equal(state[field], world[field]), field
                assert state.hands[player].tolist() == world.hands[player].tolist()
                for seat in range(num_players):
                    assert len(held(state, seat)) == len(held(world, seat))
                hidden = [tile for place in places(world, player) for tile in place]
                assert unseen(state, player) == sorted(hidden)


def test_where_others_hold_their_tiles_does_not_show():
    """Two states that differ in what is hidden alone give the same worlds."""
    state = position(4, 27)
    other = copy_of(state)
    for seat in (1, 2, 3):
        other.hands[seat] = np.roll(other.hands[seat], 1)
    other.seed = 99
    for left, right in zip(redealt(state, 0, 20), redealt(other, 0, 20), strict=True):
        assert left.tobytes() == right.tobytes()


def test_worlds_can_be_played_on():
    state = position(4, 25)
    for seed, world in enumerate(redealt(state, 3, 10)):
        play_random(world, np.random.default_rng(seed))
        assert 36 == world.turn
        assert 33 == world.num_laid
