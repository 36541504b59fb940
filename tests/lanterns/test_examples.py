"""The worked examples of RULES.md, most of them from the printed rules, on the real tiles."""

import numpy as np
import pytest

from lanterns_env.games.lanterns import components, rules
from lanterns_env.games.lanterns.components import BLUE, COLOURS, GREEN, PLATFORM, TILES
from tests.lanterns.setup import (
    GAME,
    TABLES,
    clear_tiles,
    copy_of,
    gained,
    lanterns,
    last_placement,
    lay,
    legal_actions,
    line,
    named,
    new_state,
    offered,
    play,
    set_hand,
    set_lanterns,
    set_supply,
    slots,
    start_turn,
    view_of,
)

EXCHANGE, DEDICATE, DISCARD, PLACE = range(4)


def all_gained(before, after):
    """What every seat has gained, in turn order from the seat that moved."""
    n, mover = int(before.num_players), int(before.player)
    return [gained(before, after, (mover + step) % n) for step in range(n)]


def test_LA_T01_tiles():
    assert (36, 4) == TILES.shape
    assert 11 == PLATFORM.sum()
    assert [20] * 7 == np.bincount(TILES[1:].ravel()).tolist()
    assert {"red", "white", "black", "blue"} == {COLOURS[colour] for colour in TILES[0]}
    half_turned = [tile for tile in range(36) if TILES[tile].tolist() == np.roll(TILES[tile], 2).tolist()]
    assert [26, 27] == half_turned


@pytest.mark.parametrize(("num_players", "pile", "box", "stack"), [(2, 16, 13, 5), (3, 18, 8, 7), (4, 20, 3, 8)])
def test_LA_T02_new_game(num_players, pile, box, stack):
    state = new_state(num_players)
    assert [3] * num_players == [(hand != rules.NO_TILE).sum() for hand in state.hands[:num_players]]
    assert (pile, box) == (state.pile_left, (state.box != rules.NO_TILE).sum())
    first = [components.TILES[0, (1 + chair) % 4] for chair in state.chair[:num_players]]
    assert [stack - (colour in first) for colour in range(7)] == state.supply.tolist()
    view = view_of(state)
    assert [8, 9, 10] == view.token_value.tolist()
    assert [{2: 6, 3: 8, 4: 9}[num_players]] * 3 == view.tokens_left.tolist()


def test_LA_T03_four_start_lanterns():
    state = new_state(4)
    assert [{"red": 1}, {"white": 1}, {"black": 1}, {"blue": 1}] == [lanterns(state, seat) for seat in range(4)]


def test_LA_T04_two_start_lanterns():
    state = new_state(2)
    assert [{"red": 1}, {"black": 1}] == [lanterns(state, seat) for seat in range(2)]


def printed_turn():
    """Four players, seat 2 to move: the tile that it is going to touch is a platform tile, blue towards it."""
    state = new_state(4)
    lay(state, 26, (0, 1), "blue", chair=2)
    set_lanterns(state, 2, red=3, purple=1, green=2, black=2)
    state.favors[2] = 3
    set_hand(state, 2, 32)
    start_turn(state, 2)
    return state


def test_LA_T05_exchange():
    state = printed_turn()
    before = copy_of(state)
    play(state, "exchange purple for red")
    assert {"red": 4, "green": 2, "black": 2} == lanterns(state, 2)
    assert 1 == state.favors[2]
    assert {"purple": 1, "red": -1} == named(state.supply - before.supply)


def test_LA_T06_dedication():
    state = printed_turn()
    play(state, "exchange purple for red")
    before = copy_of(state)
    play(state, "dedicate four of a kind: red")
    assert {"red": 4} == named(state.supply - before.supply)
    assert {"green": 2, "black": 2} == lanterns(state, 2)
    assert (8, [1, 0, 0]) == (state.honor[2], state.taken.tolist())


def test_LA_T07_placement():
    state = printed_turn()
    play(state, "exchange purple for red", "dedicate four of a kind: red")
    before = copy_of(state)
    assert before.supply[BLUE] >= 2
    play(state, "place tile 32 at (0, -2), orange facing me")  # seat 2 sees the table from chair 2
    assert [{"orange": 1, "blue": 1}, {"red": 1}, {"blue": 1}, {"white": 1}] == all_gained(before, state)
    assert (6, 2) == (state.lanterns[2].sum(), state.favors[2])


def test_LA_T08_black_is_used_up():
    state = new_state(4)
    lay(state, 33, (-1, 0), "orange", chair=2)
    lay(state, 9, (-1, -1), "black", chair=3)  # a platform tile; blue will lie beside its black
    set_hand(state, 2, 18)
    set_supply(state, black=0)
    start_turn(state, 2)
    before = copy_of(state)
    play(state, "place tile 18 at (0, 1), red facing me")
    assert [{"red": 2}, {}, {"green": 1}, {"blue": 1}] == all_gained(before, state)
    assert 0 == state.favors[2]


def test_LA_T09_the_last_black():
    state = new_state(4)
    lay(state, 16, (0, -1), "purple", chair=0)
    lay(state, 1, (1, -1), "green")
    lay(state, 21, (1, -2), "red", chair=1)
    set_hand(state, 0, 20)
    set_supply(state, black=1)
    before = copy_of(state)
    play(state, "place tile 20 at (0, -2), black 1 facing me")
    assert [{"purple": 1, "red": 1, "black": 1}, {}, {"purple": 1}, {"red": 1}] == all_gained(before, state)
    assert 3 == state.favors[0]


def test_LA_T10_two_players():
    state = new_state(2)
    lay(state, 1, (1, 0), "green", chair=3)
    set_hand(state, 0, 7)
    before = copy_of(state)
    play(state, "place tile 7 at (2, 0), white facing me")
    assert [{"green": 1, "white": 1}, {"orange": 1}] == all_gained(before, state)
    assert [1, 0] == state.favors[:2].tolist()


def test_LA_T11_the_last_blue():
    state = new_state(4)
    set_hand(state, 0, 17)
    set_supply(state, blue=1)
    before = copy_of(state)
    play(state, "place tile 17 at (-1, 0), orange facing me")
    assert [{"orange": 1}, {"blue": 1}, {"green": 1}, {}] == all_gained(before, state)


@pytest.mark.parametrize(
    ("held", "exchanges"),
    [({"red": 2}, set()), ({"red": 1, "green": 1}, {"exchange green for red", "skip"}), ({}, set())],
)
def test_LA_T12_one_stack_left(held, exchanges):
    state = new_state(4)
    set_lanterns(state, 0, **held)
    state.supply[:] = 0
    set_supply(state, red=3)
    state.favors[0] = 2
    start_turn(state, 0)
    assert exchanges == (offered(state) if state.phase == EXCHANGE else set())
    assert (EXCHANGE if exchanges else PLACE) == state.phase


def test_LA_T13_three_pairs_used_up():
    state = new_state(4)
    state.taken[1] = 9
    for times in range(1, 6):
        set_lanterns(state, 0, green=2, purple=2, black=2)
        start_turn(state, 0)
        play(state, "dedicate three pairs: green, purple, black")
        assert 4 * times == state.honor[0]


def test_LA_T14_two_discards():
    state = new_state(4)
    set_lanterns(state, 0, red=7, white=7)
    start_turn(state, 0)
    play(state, "skip")
    for _ in range(2):
        assert {"discard red", "discard white"} == offered(state)
        play(state, "discard white")
    assert PLACE == state.phase
    state = new_state(4)
    set_lanterns(state, 0, red=7, white=5)
    start_turn(state, 0)
    play(state, "skip")
    assert PLACE == state.phase


def test_LA_T15_a_small_dedication():
    state = new_state(4)
    set_lanterns(state, 0, red=7, white=7)
    start_turn(state, 0)
    play(state, "dedicate four of a kind: red")
    assert (PLACE, 10) == (state.phase, state.lanterns[0].sum())
    state = new_state(4)
    set_lanterns(state, 0, red=7, white=7, green=3)
    start_turn(state, 0)
    play(state, "dedicate four of a kind: red")
    assert (DISCARD, 13) == (state.phase, state.lanterns[0].sum())
    play(state, "discard green")
    assert PLACE == state.phase


def test_LA_T16_final_turn_without_a_limit():
    state = new_state(4)
    clear_tiles(state)
    set_lanterns(state, 0, red=8, white=7)
    state.favors[0] = 2
    start_turn(state, 0)
    assert EXCHANGE == state.phase
    play(state, "exchange red for blue")
    assert {"dedicate four of a kind: red", "dedicate four of a kind: white", "skip"} == offered(state)
    play(state, "skip")
    assert state.over
    assert 15 == state.lanterns[0].sum()


def test_LA_T17_a_favor_without_a_lantern():
    state = new_state(4)
    lay(state, 26, (1, 0), "blue", chair=3)
    set_hand(state, 0, 33)  # blue, purple, black, orange
    set_supply(state, blue=0)
    before = copy_of(state)
    play(state, "place tile 33 at (2, 0), orange facing me")
    assert [{"orange": 1}, {}, {"purple": 1}, {"black": 1}] == all_gained(before, state)
    assert 1 == state.favors[0]


def test_LA_T18_the_match_bonus_comes_first():
    state = new_state(4)
    lay(state, 10, (0, -1), "green", chair=0)
    lay(state, 1, (-1, -1), "green")
    lay(state, 6, (-1, -2), "green", chair=3)
    set_hand(state, 0, 3)  # green, green, green, red
    set_supply(state, green=1)
    before = copy_of(state)
    play(state, "place tile 3 at (0, -2), green 0 facing me")  # green to seats 0, 1 and 2; two of them match
    assert [{"green": 1}, {}, {}, {"red": 1}] == all_gained(before, state)
    assert 0 == state.supply[GREEN]


def test_LA_T19_five_favors():
    state = new_state(2)
    lay(state, 15, (0, -1), "orange", chair=0)
    lay(state, 1, (-1, -1), "green")
    lay(state, 9, (-1, -2), "blue", chair=3)
    lay(state, 2, (1, -1), "white")
    lay(state, 22, (1, -2), "blue", chair=1)
    lay(state, 3, (1, -3), "red")
    lay(state, 7, (0, -3), "orange", chair=2)
    set_hand(state, 0, 26)
    before = copy_of(state)
    play(state, "place tile 26 at (0, -2), orange 0 facing me")
    assert [{"orange": 3, "blue": 2}, {"orange": 1}] == all_gained(before, state)
    assert [5, 0] == state.favors[:2].tolist()


@pytest.mark.parametrize(
    ("favors", "held", "share"),
    [([2, 3, 1], [9, 0, 0], [0, 1, 0]), ([3, 3, 1], [4, 5, 9], [0, 1, 0]), ([3, 3, 3], [5, 5, 5], [1 / 3] * 3)],
)
def test_LA_T20_ties(favors, held, share):
    state = new_state(3)
    state.honor[:3] = 40
    state.favors[:3] = favors
    state.lanterns[:3] = 0
    state.lanterns[:3, 0] = held
    points, shares = np.zeros(4, np.float32), np.zeros(4, np.float32)
    GAME.score(state, points, shares)
    assert [40, 40, 40, 0] == points.tolist()
    np.testing.assert_allclose([*share, 0], shares)


@pytest.mark.parametrize(("num_players", "options"), TABLES)
def test_LA_T21_whole_game(num_players, options):
    turns, each, stack = {2: (24, 11, 5), 3: (30, 9, 7), 4: (36, 8, 8)}[num_players]
    for seed in range(3):
        state = new_state(num_players, seed, **options)
        rng = np.random.default_rng(seed)
        placed = [0] * num_players
        while not state.over:
            assert [stack] * 7 == (state.supply + state.lanterns.sum(0)).tolist()
            action = int(rng.choice(legal_actions(state)))
            placed[state.player] += 92 <= action < 884
            GAME.play(state, action)
        assert [stack] * 7 == (state.supply + state.lanterns.sum(0)).tolist()
        assert turns == state.turn
        assert [each] * num_players == placed


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("chair", range(4))
def test_LA_T22_straight_line(num_players, chair):
    state = new_state(num_players)
    length = 1
    for cells in line(state, chair):
        assert 2 * length + 2 == len(cells)
        assert cells == set(slots(state)) - {None}
        hand = [position for position in range(3) if state.hands[state.player, position] != rules.NO_TILE]
        offers = [92 + 12 * slots(state).index(cell) + 4 * p + s for cell in cells for p in hand for s in range(4)]
        assert sorted(offers) == legal_actions(state)
        length += 1
    assert {2: 22, 3: 27, 4: 32}[num_players] + 1 == length == state.num_laid


def test_LA_T23_tile_25():
    state = new_state(4)
    set_hand(state, 0, 25)
    before = copy_of(state)
    play(state, "place tile 25 at (1, 0), blue facing me")
    assert [{"blue": 1}, {"white": 1}, {"green": 1}, {"purple": 1}] == all_gained(before, state)


def test_LA_T24_two_platforms():
    state = new_state(4)
    lay(state, 16, (1, 0), "green", chair=3)
    set_hand(state, 0, 7)
    before = copy_of(state)
    play(state, "place tile 7 at (2, 0), white facing me")
    assert {"green": 1, "white": 1} == gained(before, state, 0)
    assert 2 == state.favors[0]


@pytest.mark.parametrize(
    ("empty", "colours"),
    [(1, ["red", "black", "blue"]), (2, ["red", "white", "blue"]), (3, ["red", "white", "black"])],
)
def test_LA_T25_three_players(empty, colours):
    state = new_state(3, empty_chair=empty)
    assert [{colour: 1} for colour in colours] == [lanterns(state, seat) for seat in range(3)]


def test_LA_T26_dedication_on_the_first_turn():
    state = new_state(4)
    for seat, tile in enumerate((33, 11, 25)):
        set_hand(state, seat, tile)
        side = TILES[tile].tolist().index(BLUE) - (3 - seat)  # blue to chair 3
        GAME.play(state, 92 + 12 * slots(state).index((0, seat + 1)) + side % 4)
    assert 3 == state.player
    assert 4 == state.lanterns[3, BLUE]
    assert "dedicate four of a kind: blue" in offered(state)


def test_LA_T27_over_at_once():
    state = last_placement()
    assert PLACE == state.phase
    GAME.play(state, legal_actions(state)[0])
    assert state.over
    assert 36 == state.turn
