"""A view says all that is public, turned to its viewer, and nothing that is hidden.

Every fact is worked out from the view alone, turned back to chair 0, and compared with the state.
"""

import numpy as np
import pytest

from lanterns_env.games.lanterns import rules
from lanterns_env.games.lanterns.components import PLATFORM, TILES
from tests.lanterns.setup import (
    COMPILED,
    GAME,
    TABLES,
    copy_of,
    laid,
    legal_actions,
    new_state,
    slots,
    view_of,
)

TURN_BACK = [lambda x, y: (x, y), lambda x, y: (y, -x), lambda x, y: (-x, -y), lambda x, y: (-y, x)]
TOWARDS_SIDE = [(0, -1), (-1, 0), (0, 1), (1, 0)]  # the neighbour cell on each side, as its viewer sees it


def positions(num_players, options, seed, every):
    """Decisions of a random game, and its end."""
    state = new_state(num_players, seed, **options)
    rng = np.random.default_rng(seed)
    count = 0
    while not state.over:
        if count % every == 0:
            yield state
        GAME.play(state, int(rng.choice(legal_actions(state))))
        count += 1
    yield state


def seat_of(view, step):
    return (int(view.seat) + step) % int(view.num_players)


def chair_of_viewer(view):
    """Seat 0 sits on chair 0."""
    n = int(view.num_players)
    return -int(view.side[-int(view.seat) % n]) % 4


def facts_of_view(view):
    """What is public, by seat and as chair 0 sees it."""
    n, me = int(view.num_players), chair_of_viewer(view)
    steps = [(seat - int(view.seat)) % n for seat in range(n)]
    back = TURN_BACK[me]
    return {
        "num_players": n,
        "player": seat_of(view, int(view.to_move)),
        "phase": int(view.phase),
        "turn": int(view.turn),
        "final_round": bool(view.final_round),
        "over": bool(view.over),
        "pile": int(view.pile),
        "chairs": [(int(view.side[step]) + me) % 4 for step in steps],
        "hand_size": [int(view.hand_size[step]) for step in steps],
        "honor": [int(view.honor[step]) for step in steps],
        "favors": [int(view.favors[step]) for step in steps],
        "lanterns": [view.lanterns[step].tolist() for step in steps],
        "supply": view.supply.tolist(),
        "tokens": view.tokens_left.tolist(),
        "lake": {
            back(int(view.lake_x[k]), int(view.lake_y[k])): (int(tile), (int(view.lake_turn[k]) - me) % 4)
            for k, tile in enumerate(view.lake_tile)
            if tile != rules.NO_TILE
        },
        "order": [int(tile) for tile in view.lake_tile if tile != rules.NO_TILE],
        "slots": [
            back(int(x), int(y)) if is_open else None
            for is_open, x, y in zip(view.slot_open, view.slot_x, view.slot_y, strict=True)
        ],
    }


def facts_of_state(state):
    n = int(state.num_players)
    return {
        "num_players": n,
        "player": int(state.player),
        "phase": int(state.phase),
        "turn": int(state.turn),
        "final_round": state.num_laid == {2: 23, 3: 28, 4: 33}[n],
        "over": bool(state.over),
        "pile": int(state.pile_left),
        "chairs": state.chair[:n].tolist(),
        "hand_size": [int((hand != rules.NO_TILE).sum()) for hand in state.hands[:n]],
        "honor": state.honor[:n].tolist(),
        "favors": state.favors[:n].tolist(),
        "lanterns": state.lanterns[:n].tolist(),
        "supply": state.supply.tolist(),
        "tokens": [{2: 6, 3: 8, 4: 9}[n] - int(taken) for taken in state.taken],
        "lake": laid(state),
        "order": state.laid[: state.num_laid].tolist(),
        "slots": slots(state),
    }


@pytest.mark.parametrize(("num_players", "options"), TABLES)
def test_a_view_says_all_that_is_public(num_players, options):
    for seed in range(4 if COMPILED else 1):
        for state in positions(num_players, options, seed, every=3):
            for viewer in range(num_players):
                view = view_of(state, viewer)
                assert viewer == view.seat
                assert facts_of_state(state) == facts_of_view(view)


@pytest.mark.parametrize(("num_players", "options"), TABLES)
def test_what_touches_a_free_cell_follows_from_the_lake(num_players, options):
    for state in positions(num_players, options, seed=5, every=4):
        for viewer in range(num_players):
            view = view_of(state, viewer)
            lake = {
                (int(view.lake_x[k]), int(view.lake_y[k])): k for k in range(33) if view.lake_tile[k] != rules.NO_TILE
            }
            for slot in range(66):
                cell = int(view.slot_x[slot]), int(view.slot_y[slot])
                expected = (
                    [touching(view, lake, cell, side) for side in range(4)] if view.slot_open[slot] else [(0, 0)] * 4
                )
                assert expected == list(zip(view.touch[slot].tolist(), view.touch_platform[slot].tolist(), strict=True))


def touching(view, lake, cell, side):
    """1 + the colour on a side of a cell, and whether it is a platform tile's."""
    k = lake.get((cell[0] + TOWARDS_SIDE[side][0], cell[1] + TOWARDS_SIDE[side][1]))
    if k is None:
        return 0, 0
    tile = view.lake_tile[k]
    return int(1 + TILES[tile, (view.lake_turn[k] + side + 2) % 4]), int(PLATFORM[tile])


@pytest.mark.parametrize(("num_players", "options"), TABLES)
def test_the_own_hand_and_the_unseen_tiles(num_players, options):
    for state in positions(num_players, options, seed=6, every=3):
        for viewer in range(num_players):
            view = view_of(state, viewer)
            hand = state.hands[viewer].tolist()
            assert hand == view.hand_tile.tolist()
            sides = [[0] * 4 if tile == rules.NO_TILE else (TILES[tile] + 1).tolist() for tile in hand]
            assert sides == view.hand_sides.tolist()
            assert [int(tile != rules.NO_TILE and PLATFORM[tile]) for tile in hand] == view.hand_platform.tolist()
            hidden = {*state.pile.tolist(), *state.box.tolist(), *np.delete(state.hands, viewer, 0).ravel().tolist()}
            assert hidden - {rules.NO_TILE} == set(np.flatnonzero(view.unseen).tolist())
            assert {0, 1} >= set(view.unseen.tolist())


@pytest.mark.parametrize(("num_players", "options"), TABLES)
def test_what_no_player_has_is_empty(num_players, options):
    """Fields of players, tiles and slots that there are not hold nothing."""
    for state in positions(num_players, options, seed=7, every=5):
        for viewer in range(num_players):
            view = view_of(state, viewer)
            assert [-1] * (4 - num_players) == view.side[num_players:].tolist()
            for field in ("hand_size", "honor", "favors", "lanterns"):
                assert not view[field][num_players:].any()
            for field in ("lake_x", "lake_y", "lake_turn"):
                assert not view[field][state.num_laid :].any()
            for field in ("slot_x", "slot_y", "touch", "touch_platform"):
                assert not view[field][view.slot_open == 0].any()


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_token_values(num_players):
    piles = {
        2: [[8, 7, 6, 5, 5, 4], [9, 8, 7, 6, 5, 5], [10, 9, 8, 7, 6, 5]],
        3: [[8, 7, 6, 6, 5, 5, 5, 4], [9, 8, 7, 7, 6, 6, 5, 5], [10, 9, 8, 8, 7, 7, 6, 5]],
        4: [[8, 7, 7, 6, 6, 5, 5, 5, 4], [9, 8, 8, 7, 7, 6, 6, 5, 5], [10, 9, 9, 8, 8, 7, 7, 6, 5]],
    }[num_players]
    state = new_state(num_players)
    for kind, values in enumerate(piles):
        for taken, value in enumerate([*values, 4]):
            state.taken[:] = 0
            state.taken[kind] = taken
            for viewer in range(num_players):
                view = view_of(state, viewer)
                assert (value, len(values) - taken) == (view.token_value[kind], view.tokens_left[kind])


@pytest.mark.parametrize(("num_players", "options"), TABLES)
def test_a_view_says_nothing_that_is_hidden(num_players, options):
    """Whatever lies where the viewer cannot look, and wherever others hold their tiles: the same bytes."""
    rng = np.random.default_rng(8)
    for state in positions(num_players, options, seed=8, every=5):
        for viewer in range(num_players):
            other = shuffled(state, viewer, rng)
            assert view_of(state, viewer).tobytes() == view_of(other, viewer).tobytes()


def shuffled(state, viewer, rng):
    """The hidden tiles in another order, and every hand of the others in other positions."""
    other = copy_of(state)
    hands = [seat for seat in range(state.num_players) if seat != viewer]
    tiles = np.concatenate([state.hands[hands].ravel(), state.pile, state.box])
    tiles[tiles != rules.NO_TILE] = rng.permutation(tiles[tiles != rules.NO_TILE])
    size = 3 * len(hands)
    other.hands[hands] = tiles[:size].reshape(-1, 3)
    other.pile[:] = tiles[size : size + 20]
    other.box[:] = tiles[size + 20 :]
    for seat in hands:
        other.hands[seat] = rng.permutation(other.hands[seat])
    return other


def test_players_are_listed_in_turn_order_with_their_sides():
    expected = {
        1: [[0, 2, 3], [0, 1, 2], [0, 1, 3]],
        2: [[0, 1, 3], [0, 2, 3], [0, 1, 2]],
        3: [[0, 1, 2], [0, 1, 3], [0, 2, 3]],
    }
    for empty, sides in expected.items():
        state = new_state(3, empty_chair=empty)
        assert sides == [view_of(state, viewer).side[:3].tolist() for viewer in range(3)]
    assert [[0, 2]] * 2 == [view_of(new_state(2), viewer).side[:2].tolist() for viewer in range(2)]
    assert [[0, 1, 2, 3]] * 4 == [view_of(new_state(4), viewer).side.tolist() for viewer in range(4)]
