"""One test for every numbered rule and decision of RULES.md."""

import itertools

import numpy as np
import pytest

from lanterns_env.games.lanterns import components, rules, text
from lanterns_env.games.lanterns.components import COLOURS, PLATFORM, TILES
from tests.lanterns.setup import (
    GAME,
    TOWARDS_CHAIR,
    clear_tiles,
    copy_of,
    gained,
    laid,
    lanterns,
    last_placement,
    lay,
    legal_actions,
    named,
    new_state,
    offered,
    play,
    play_random,
    set_hand,
    set_lanterns,
    set_supply,
    slots,
    start_turn,
    swap,
    view_of,
)
from tests.oracles import lanterns as oracle

NO_BEHAVIOUR: dict[str, str] = {}
PLAYERS = (2, 3, 4)
EXCHANGE, DEDICATE, DISCARD, PLACE = range(4)


def placements(state):
    return [action for action in legal_actions(state) if 92 <= action < 884]


# -- components and set-up ------------------------------------------------------------------------------------


def test_LA_01_chairs_and_turn_order():
    assert [0, 2] == new_state(2).chair[:2].tolist()
    assert [0, 1, 2, 3] == new_state(4).chair.tolist()
    assert {(0, 2, 3), (0, 1, 3), (0, 1, 2)} == {tuple(new_state(3, seed).chair[:3].tolist()) for seed in range(30)}
    for num_players in PLAYERS:
        state = new_state(num_players)
        movers = []
        for _ in range(2 * num_players):
            set_lanterns(state, int(state.player))  # so that a turn is a placement
            state.favors[:] = 0
            movers.append(int(state.player))
            GAME.play(state, legal_actions(state)[0])
        assert 2 * list(range(num_players)) == movers


def test_LA_02_tiles():
    assert oracle.SIDES == TILES.tolist()
    assert oracle.PLATFORM == PLATFORM.astype(bool).tolist()
    assert (36, 11) == (len(TILES), PLATFORM.sum())
    assert not PLATFORM[0]
    turned = {tile: {tuple(np.roll(TILES[tile], k).tolist()) for k in range(4)} for tile in range(36)}
    alike = [pair for pair in itertools.combinations(range(36), 2) if turned[pair[0]] == turned[pair[1]]]
    assert [(0, 24), (25, 35)] == alike
    mirrored = [tuple(TILES[tile][::-1].tolist()) for tile in range(36)]
    assert not any(mirrored[a] in turned[b] for a, b in itertools.combinations(range(36), 2))


def test_LA_02_a_tile_is_turned_never_mirrored():
    for side in range(4):
        state = new_state(4)
        set_hand(state, 0, 32)
        GAME.play(state, 92 + side)
        tile, turn = laid(state)[0, -1]
        clockwise = [int(TILES[tile, (turn + chair) % 4]) for chair in range(4)]
        assert np.roll(TILES[32], -side).tolist() == clockwise


def test_LA_03_start_tile():
    state = new_state(4)
    assert {(0, 0): (0, 1)} == laid(state)
    view = view_of(state, 0)
    around = [components.TILES[0, (view.lake_turn[0] + side) % 4] for side in range(4)]
    assert ["red", "white", "black", "blue"] == [COLOURS[colour] for colour in around]
    assert 0 == state.player


@pytest.mark.parametrize(("num_players", "pile", "box"), [(2, 16, 13), (3, 18, 8), (4, 20, 3)])
def test_LA_04_hands_pile_and_box(num_players, pile, box):
    state = new_state(num_players)
    hands = state.hands[:num_players].ravel().tolist()
    drawn = state.pile[: state.pile_left].tolist()
    removed = state.box[state.box != rules.NO_TILE].tolist()
    assert (3 * num_players, pile, box) == (len(hands), len(drawn), len(removed))
    assert list(range(1, 36)) == sorted(hands + drawn + removed)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_LA_04_every_tile_comes_to_every_place_alike(num_players):
    number, tiles = 300, components.LAKE_TILES
    deals = [new_state(num_players, seed) for seed in range(number)]
    for name, size in (("hands", 3 * num_players), ("pile", {2: 16, 3: 18, 4: 20}[num_players])):
        found = np.concatenate([state[name].ravel() for state in deals])
        counts = np.bincount(found[found >= 0], minlength=tiles + 1)[1:]
        expected = number * size / tiles
        assert np.abs(counts - expected).max() < 5 * np.sqrt(expected * (1 - size / tiles))


@pytest.mark.parametrize(("num_players", "stack"), [(2, 5), (3, 7), (4, 8)])
def test_LA_05_stacks(num_players, stack):
    state = new_state(num_players)
    assert [stack] * 7 == (state.supply + state.lanterns.sum(0)).tolist()


@pytest.mark.parametrize("num_players", PLAYERS)
def test_LA_06_first_lantern(num_players):
    state = new_state(num_players)
    around = ["red", "white", "black", "blue"]
    for seat in range(num_players):
        assert {around[state.chair[seat]]: 1} == lanterns(state, seat)
        for viewer in range(num_players):  # lanterns lie open
            view = view_of(state, viewer)
            assert lanterns(state, seat) == named(view.lanterns[(seat - viewer) % num_players])


@pytest.mark.parametrize("num_players", PLAYERS)
@pytest.mark.parametrize("kind", range(3))
def test_LA_07_dedication_tokens(num_players, kind):
    expected = {
        2: ["876554", "987655", [10, 9, 8, 7, 6, 5]],
        3: ["87665554", "98776655", [10, 9, 8, 8, 7, 7, 6, 5]],
        4: ["877665554", "988776655", [10, 9, 9, 8, 8, 7, 7, 6, 5]],
    }[num_players][kind]
    state = new_state(num_players)
    values = []
    while view_of(state).tokens_left[kind]:
        values.append(int(view_of(state).token_value[kind]))
        state.taken[kind] += 1
    assert [int(value) for value in expected] == values


def test_LA_08_favors_are_unlimited():
    for num_players in PLAYERS:
        assert not new_state(num_players).favors.any()
    state = matching_platforms()
    state.favors[0] = 50
    play(state, "place tile 9 at (0, -1), white facing me")
    assert 52 == state.favors[0]
    assert 52 == view_of(state, 0).favors[0]


def matching_platforms():
    """Four players; the cell towards chair 0 touches red and, to its left, blue of a platform tile."""
    state = new_state(4)
    lay(state, 26, (-1, 0), "orange")
    lay(state, 22, (-1, -1), "green", chair=1)  # purple, green, purple, blue: blue to the right
    set_hand(state, 0, 9)
    start_turn(state, 0)
    return state


# -- a turn ---------------------------------------------------------------------------------------------------


def ready_to_exchange(favors=3):
    state = new_state(4)
    set_lanterns(state, 0, purple=1, red=2)
    state.favors[0] = favors
    start_turn(state, 0)
    return state


def test_LA_10_exchange():
    state = ready_to_exchange()
    others = {f"exchange {give} for {take}" for give in ("purple", "red") for take in COLOURS if give != take}
    assert others | {"skip"} == offered(state)
    supply = state.supply.copy()
    play(state, "exchange purple for red")
    assert {"red": 3} == lanterns(state, 0)
    assert 1 == state.favors[0]
    assert {"purple": 1, "red": -1} == named(state.supply - supply)


def test_LA_10_needs_two_favors():
    assert EXCHANGE == ready_to_exchange(favors=2).phase
    assert PLACE == ready_to_exchange(favors=1).phase


def test_LA_10_takes_from_a_stack_that_was_not_empty():
    state = ready_to_exchange()
    set_supply(state, purple=0, orange=0, black=0)
    takes = {words.split()[-1] for words in offered(state) - {"skip"}}
    assert {"green", "white", "blue", "red"} == takes


def test_LA_10_once_a_turn_and_no_wild_card():
    state = ready_to_exchange(favors=9)
    set_lanterns(state, 0, red=3, purple=2)
    play(state, "exchange purple for blue")  # three red and a purple on its way do not make four
    assert PLACE == state.phase
    assert 0 == state.player


@pytest.mark.parametrize(
    ("held", "words", "kind"),
    [
        ({"red": 4}, "dedicate four of a kind: red", 0),
        ({"red": 2, "blue": 2, "white": 2}, "dedicate three pairs: white, blue, red", 1),
        (dict.fromkeys(COLOURS, 1), "dedicate seven different", 2),
    ],
)
def test_LA_11_dedication(held, words, kind):
    state = new_state(4)
    set_lanterns(state, 0, **held)
    supply = state.supply.copy()
    start_turn(state, 0)
    assert {words, "skip"} == offered(state)
    play(state, words)
    assert {} == lanterns(state, 0)
    assert held == named(state.supply - supply)
    assert (8, 9, 10)[kind] == state.honor[0]
    assert {kind: 1} == {k: int(taken) for k, taken in enumerate(state.taken) if taken}


def test_LA_11_sets():
    """Every hand of up to four lanterns a colour, over three colours: what is offered."""
    state = new_state(4)
    for numbers in itertools.product(range(5), repeat=3):
        state.lanterns[0] = [*numbers, 1, 1, 1, 1]
        state.phase = DEDICATE
        expected = {42 + colour for colour in range(3) if numbers[colour] == 4} | {884}
        expected |= {49} if min(numbers) >= 2 else set()
        expected |= {84} if min(numbers) >= 1 else set()
        assert expected == set(legal_actions(state))


def test_LA_11_at_most_one_a_turn():
    state = new_state(4)
    set_lanterns(state, 0, red=4, blue=4)
    start_turn(state, 0)
    play(state, "dedicate four of a kind: red")
    assert PLACE == state.phase
    assert {"blue": 4} == lanterns(state, 0)


def test_LA_11_top_token_first():
    state = new_state(4)
    for value in (8, 7, 7, 6):
        set_lanterns(state, 0, red=4)
        state.honor[0] = 0
        start_turn(state, 0)
        play(state, "dedicate four of a kind: red")
        assert value == state.honor[0]


def test_LA_12_used_up_pile_scores_four():
    state = new_state(2)
    for value in (9, 8, 7, 6, 5, 5, 4, 4, 4, 4, 4):  # the markers are three, the fours without limit
        set_lanterns(state, 0, red=2, blue=2, white=2)
        state.honor[0] = 0
        start_turn(state, 0)
        play(state, "dedicate three pairs: red, blue, white")
        assert value == state.honor[0]
    assert [0, 6, 0] == state.taken.tolist()
    assert [8, 4, 10] == view_of(state).token_value.tolist()


@pytest.mark.parametrize(("held", "discards"), [(12, 0), (13, 1), (14, 2), (20, 8)])
def test_LA_13_hand_limit(held, discards):
    state = new_state(4)
    set_lanterns(state, 0, red=6, blue=6, green=held - 12)
    start_turn(state, 0)
    play(state, "skip")
    supply = int(state.supply.sum())
    for _ in range(discards):
        assert DISCARD == state.phase
        held_colours = lanterns(state, 0)
        assert {f"discard {colour}" for colour in held_colours} == offered(state)
        play(state, f"discard {next(iter(held_colours))}")
    assert PLACE == state.phase
    assert min(held, 12) == state.lanterns[0].sum()
    assert supply + discards == state.supply.sum()


def test_LA_13_applies_only_before_placing():
    state = new_state(4)
    set_lanterns(state, 0, red=3, blue=3, green=3, white=2, black=1)
    start_turn(state, 0)
    play(state, "skip")
    set_hand(state, 0, 3)
    GAME.play(state, placements(state)[0])  # 12 and more
    assert 13 <= state.lanterns[0].sum()
    assert 1 == state.player


def test_LA_14_any_tile_any_turn_any_free_cell():
    state = new_state(4)
    assert 4 * 3 * 4 == len(legal_actions(state))
    lay(state, 17, (1, 0), "green")
    lay(state, 3, (2, 0), "red")
    cells = {(0, 1), (1, 1), (2, 1), (0, -1), (1, -1), (2, -1), (-1, 0), (3, 0)}
    assert cells == set(slots(state)) - {None}
    assert {92 + 12 * slots(state).index(cell) + k for cell in cells for k in range(12)} == set(legal_actions(state))
    state.hands[0, 1] = rules.NO_TILE
    assert len(cells) * 2 * 4 == len(legal_actions(state))


def test_LA_14_an_enclosed_hole_is_a_free_cell():
    state = new_state(4)
    ring = [(1, 0), (1, 1), (1, 2), (0, 2), (-1, 2), (-1, 1), (-1, 0)]
    for tile, cell in enumerate(ring, start=1):
        lay(state, tile, cell, COLOURS[TILES[tile, 0]])
    hole = slots(state).index((0, 1))
    assert set(range(92 + 12 * hole, 104 + 12 * hole)) <= set(legal_actions(state))
    assert (state.touch[hole] > 0).all()


def test_LA_15_nothing_is_barred_on_the_first_turn():
    for num_players in PLAYERS:
        state = new_state(num_players)
        assert PLACE == state.phase
        assert placements(state) == legal_actions(state)
    state = new_state(4)
    set_lanterns(state, 0, red=4)
    state.favors[0] = 2
    start_turn(state, 0)
    assert EXCHANGE == state.phase
    play(state, "skip")
    assert {"dedicate four of a kind: red", "skip"} == offered(state)


# -- after placing --------------------------------------------------------------------------------------------


def test_LA_20_match_bonus():
    for move, expected in {
        "place tile 8 at (0, -1), green facing me": {"red": 1, "green": 1},  # red away
        "place tile 8 at (0, -1), black facing me": {"red": 2, "black": 1},  # red left and away
        "place tile 8 at (0, -1), red 0 facing me": {"red": 1},  # nothing matches: what faces seat 0
    }.items():
        state = between_two_reds()
        before = copy_of(state)
        play(state, move)
        assert expected == gained(before, state, 0)
        for seat in (1, 2, 3):  # the bonus is for the active player only
            assert 1 == sum(gained(before, state, seat).values())


def between_two_reds():
    """The cell towards chair 0 touches red away and to the left; tile 8 is red, green, black, red."""
    state = new_state(4)
    lay(state, 33, (-1, 0), "orange", chair=2)
    lay(state, 5, (-1, -1), "red", chair=3)
    set_hand(state, 0, 8)
    return state


@pytest.mark.parametrize(("stack", "bonus"), [(0, 0), (1, 1), (2, 2), (3, 2)])
def test_LA_20_matches_or_what_the_stack_has(stack, bonus):
    state = between_two_reds()
    set_supply(state, red=stack)
    before = copy_of(state)
    play(state, "place tile 8 at (0, -1), black facing me")
    assert bonus == gained(before, state, 0).get("red", 0)
    assert 0 == state.supply[components.RED]  # seats 1 and 2, who face red, got what was left


@pytest.mark.parametrize(
    ("words", "favors"),
    [
        ("place tile 9 at (0, -1), white facing me", 2),  # blue left to a platform tile: 1 for it, 1 for the new tile
        ("place tile 9 at (0, -1), blue 1 facing me", 0),  # white left: nothing matches
        ("place tile 2 at (0, -1), white facing me", 0),
        ("place tile 17 at (0, -1), green facing me", 1),  # blue left: 1 for the platform tile beside
    ],
)
def test_LA_21_favors(words, favors):
    state = matching_platforms()
    set_hand(state, 0, 9, 2, 17)
    play(state, words)
    assert favors == state.favors[0]


def test_LA_21_a_platform_that_matches_a_plain_tile():
    state = new_state(4)
    set_hand(state, 0, 12)  # red, green, green, red, platform
    play(state, "place tile 12 at (0, -1), green 2 facing me")
    assert 1 == state.favors[0]


def test_LA_22_a_match_counts_without_a_lantern():
    state = matching_platforms()
    set_supply(state, blue=0)
    before = copy_of(state)
    play(state, "place tile 9 at (0, -1), white facing me")
    assert 2 == state.favors[0]
    assert {"white": 1} == gained(before, state, 0)


def test_LA_22_start_tile_gives_lanterns_never_a_favor():
    state = new_state(4)
    set_hand(state, 0, 5)  # red, black, green, purple: no platform
    before = copy_of(state)
    play(state, "place tile 5 at (0, -1), green facing me")
    assert {"red": 1, "green": 1} == gained(before, state, 0)
    assert 0 == state.favors[0]


@pytest.mark.parametrize("empty", [1, 2, 3])
def test_LA_23_everybody_gets_the_colour_it_faces(empty):
    state = new_state(3, empty_chair=empty)
    set_hand(state, 0, 25)  # blue, white, green, purple
    before = copy_of(state)
    play(state, "place tile 25 at (1, 0), blue facing me")  # its white touches blue
    facing = ["blue", "white", "green", "purple"]
    for seat in range(3):
        assert {facing[state.chair[seat]]: 1} == gained(before, state, seat)
    assert 3 == before.supply.sum() - state.supply.sum()  # the side that faces the empty chair gives nothing


@pytest.mark.parametrize(("active", "lucky"), [(0, 0), (1, 1), (2, 2), (3, 3)])
def test_LA_24_the_last_lantern_goes_clockwise_from_the_active_player(active, lucky):
    state = new_state(4)
    set_hand(state, active, 26)  # orange, blue, orange, blue
    set_supply(state, orange=1, blue=1)
    start_turn(state, active)
    before = copy_of(state)
    lay_far_from_matches(state, 26)
    receivers = [seat for seat in range(4) if gained(before, state, seat)]
    assert sorted([lucky, (lucky + 1) % 4]) == receivers
    assert 0 == state.supply[components.ORANGE] == state.supply[components.BLUE]


def lay_far_from_matches(state, tile):
    """The mover lays a tile where it touches the white side of the start tile."""
    cell = TOWARDS_CHAIR[1]
    position = state.hands[state.player].tolist().index(tile)
    GAME.play(state, 92 + 12 * slots(state).index(cell) + 4 * position)


def test_LA_24_an_empty_stack_is_passed_over_until_a_lantern_returns():
    state = new_state(4)
    set_lanterns(state, 0, red=8)
    set_hand(state, 0, 5)  # red, black, green, purple
    start_turn(state, 0)
    without = copy_of(state)
    play(without, "skip")
    set_supply(without, red=0)
    before = copy_of(without)
    play(without, "place tile 5 at (0, 1), red facing me")
    assert {} == gained(before, without, 0)
    assert 0 == without.supply[components.RED]
    play(state, "dedicate four of a kind: red")
    before = copy_of(state)
    play(state, "place tile 5 at (0, 1), red facing me")
    assert {"red": 1} == gained(before, state, 0)


@pytest.mark.parametrize("position", [0, 1, 2])
def test_LA_25_the_active_player_draws_one_tile(position):
    state = new_state(4)
    hands, top = state.hands.copy(), int(state.pile[state.pile_left - 1])
    GAME.play(state, 92 + 4 * position)
    expected = hands.copy()
    expected[0, position] = top
    assert expected.tolist() == state.hands.tolist()
    assert 19 == state.pile_left
    assert top not in state.pile


# -- the end --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("num_players", "each"), [(2, 11), (3, 9), (4, 8)])
def test_LA_30_all_tiles_are_placed_and_equally_often(num_players, each):
    state = new_state(num_players)
    rng = np.random.default_rng(5)
    placed = [0] * num_players
    while not state.over:
        action = int(rng.choice(legal_actions(state)))
        mover, pile, held = int(state.player), int(state.pile_left), (state.hands != rules.NO_TILE).sum()
        GAME.play(state, action)
        if 92 <= action < 884:
            placed[mover] += 1
            assert max(pile - 1, 0) == state.pile_left
            assert held - (pile == 0) == (state.hands != rules.NO_TILE).sum()
    assert [each] * num_players == placed
    assert (state.hands == rules.NO_TILE).all()


@pytest.mark.parametrize("num_players", PLAYERS)
def test_LA_31_one_final_turn_each(num_players):
    state = new_state(num_players)
    clear_tiles(state)
    state.supply[:] = components.STACK[num_players - 2]
    state.lanterns[:] = 0
    for seat in range(num_players):
        state.lanterns[seat, :3] = [2, 2, 2]
        state.favors[seat] = 2
    start_turn(state, 0)
    turns = int(state.turn)
    for seat in range(num_players):
        assert (seat, EXCHANGE, turns + seat) == (state.player, state.phase, state.turn)
        assert view_of(state).final_round
        play(state, "skip")
        assert {"dedicate three pairs: orange, green, purple", "skip"} == offered(state)
        play(state, "skip")
    assert state.over
    assert turns + num_players == state.turn


@pytest.mark.parametrize("refill", [True, False])
def test_LA_31_a_final_turn_is_looked_at_when_it_comes(refill):
    """Seat 1 has favors and no stack to take from, until seat 0 hands in its lanterns."""
    state = new_state(2)
    clear_tiles(state)
    state.lanterns[0], state.lanterns[1] = [0, 0, 0, 0, 0, 4, 0], [1, 0, 0, 0, 0, 1, 0]
    state.favors[1] = 2
    state.supply[:] = 0
    start_turn(state, 0)
    play(state, "dedicate four of a kind: red" if refill else "skip")
    assert refill is not bool(state.over)
    if refill:
        assert {"exchange orange for red", "skip"} == offered(state)
    else:
        assert 24 == state.turn  # the turns that passed by themselves count


@pytest.mark.parametrize(
    ("honor", "favors", "held", "share"),
    [
        ([30, 20, 10, 5], [0, 9, 9, 9], [0, 9, 9, 9], [1, 0, 0, 0]),
        ([20, 30, 30, 5], [0, 1, 2, 9], [0, 9, 0, 9], [0, 0, 1, 0]),
        ([30, 30, 30, 5], [2, 2, 2, 9], [5, 6, 4, 9], [0, 1, 0, 0]),
        ([30, 30, 30, 5], [2, 2, 2, 9], [6, 6, 4, 9], [0.5, 0.5, 0, 0]),
        ([0, 0, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1], [0.25, 0.25, 0.25, 0.25]),
        ([30, 29, 0, 0], [0, 55, 0, 0], [0, 19, 0, 0], [1, 0, 0, 0]),
        ([30, 30, 0, 0], [1, 0, 0, 0], [0, 28, 0, 0], [1, 0, 0, 0]),
    ],
)
def test_LA_32_winner(honor, favors, held, share):
    state = new_state(4)
    state.honor[:], state.favors[:] = honor, favors
    state.lanterns[:] = 0
    state.lanterns[:, 2] = held
    points, shares = np.full(4, 9, np.float32), np.full(4, 9, np.float32)
    GAME.score(state, points, shares)
    assert honor == points.tolist()
    assert share == shares.tolist()


# -- what is known to whom ------------------------------------------------------------------------------------


def test_LA_40_public():
    state = new_state(3, seed=2, empty_chair=2)
    play_random(state, np.random.default_rng(3), until_turn=14)
    for viewer in range(3):
        view = view_of(state, viewer)
        seats = [(viewer + step) % 3 for step in range(3)]
        assert state.num_laid == (view.lake_tile != rules.NO_TILE).sum()
        assert state.lanterns[seats].tolist() == view.lanterns[:3].tolist()
        assert state.favors[seats].tolist() == view.favors[:3].tolist()
        assert state.honor[seats].tolist() == view.honor[:3].tolist()
        assert state.supply.tolist() == view.supply.tolist()
        assert [8, 8, 8] == (view.tokens_left + state.taken).tolist()
        assert [3, 3, 3] == view.hand_size[:3].tolist()
        assert (state.pile_left, state.turn, state.phase) == (view.pile, view.turn, view.phase)
        assert state.player == seats[view.to_move]
        assert [(state.chair[seat] - state.chair[viewer]) % 4 for seat in seats] == view.side[:3].tolist()
        assert (viewer, 3, 0, 0) == (view.seat, view.num_players, view.final_round, view.over)


def test_LA_41_own_hand():
    state = new_state(4)
    for seat in range(4):
        view = view_of(state, seat)
        assert state.hands[seat].tolist() == view.hand_tile.tolist()
        assert (TILES[state.hands[seat]] + 1).tolist() == view.hand_sides.tolist()
        assert PLATFORM[state.hands[seat]].tolist() == view.hand_platform.tolist()


def test_LA_41_hands_of_others_are_hidden():
    state = new_state(4)
    before = view_of(state, 0).tobytes()
    swap(state, int(state.hands[1, 0]), state.hands[3], 2)
    swap(state, int(state.hands[2, 1]), state.box, 0)
    assert before == view_of(state, 0).tobytes()


def test_LA_42_pile_box_and_hand_positions_are_hidden():
    state = new_state(4)
    play_random(state, np.random.default_rng(1), until_turn=25)  # hands are no longer full
    before = [view_of(state, seat).tobytes() for seat in range(4)]
    state.pile[: state.pile_left] = state.pile[: state.pile_left][::-1].copy()
    state.box[:3] = state.box[:3][::-1].copy()
    assert before == [view_of(state, seat).tobytes() for seat in range(4)]
    state.hands[0] = state.hands[0][[2, 0, 1]]
    assert before[1:] == [view_of(state, seat).tobytes() for seat in range(1, 4)]


def test_LA_42_redeal_keeps_what_a_player_knows():
    state = new_state(4)
    play_random(state, np.random.default_rng(1), until_turn=9)
    for seat in range(4):
        before = view_of(state, seat).tobytes()
        seen = set()
        for seed in range(20):
            world = copy_of(state)
            GAME.redeal(world, seat, np.uint64(seed))
            assert before == view_of(world, seat).tobytes()
            seen.add(world.hands.tobytes())
        assert len(seen) > 15


# -- decisions ------------------------------------------------------------------------------------------------


def test_LA_A1_no_exchange_for_the_same_colour():
    moves = [text.move_of(action) for action in range(42)]
    pairs = [(move.give, move.take) for move in moves]
    assert [(give, take) for give in range(7) for take in range(7) if give != take] == pairs
    assert "exchange red for red" not in offered(ready_to_exchange())
    with pytest.raises(ValueError, match="must differ"):
        GAME.parse(view_of(ready_to_exchange()), "exchange red for red")


def test_LA_A2_two_sit_opposite():
    state = new_state(2)
    assert [{"red": 1}, {"black": 1}] == [lanterns(state, seat) for seat in range(2)]
    assert [0, 2] == view_of(state, 0).side[:2].tolist()


def test_LA_A3_empty_chair_is_drawn_or_chosen():
    drawn = [new_state(3, seed) for seed in range(300)]
    empty = [({1, 2, 3} - set(state.chair[:3].tolist())).pop() for state in drawn]
    assert all(75 <= empty.count(chair) <= 125 for chair in (1, 2, 3))
    for seed, chair in itertools.product(range(20), (1, 2, 3)):
        state = new_state(3, seed, empty_chair=chair)
        assert chair not in state.chair
        assert drawn[seed].hands.tolist() == state.hands.tolist()  # the option does not shift the shuffle
        assert drawn[seed].pile.tolist() == state.pile.tolist()
        world = copy_of(state)
        GAME.redeal(world, 1, np.uint64(seed + 1))
        assert state.chair.tolist() == world.chair.tolist()


def test_LA_A4_discard_one_at_a_time_after_the_dedication_step():
    state = new_state(4)
    set_lanterns(state, 0, red=7, blue=7, green=3)
    state.favors[0] = 2
    start_turn(state, 0)
    steps = []
    while state.phase != PLACE:
        steps.append(int(state.phase))
        play(state, "discard red" if state.phase == DISCARD else "skip")
    assert [EXCHANGE, DEDICATE] + 5 * [DISCARD] == steps
    assert 12 == state.lanterns[0].sum()


def test_LA_A5_no_hand_limit_in_the_final_turn():
    state = new_state(4)
    clear_tiles(state)
    set_lanterns(state, 0, red=8, blue=7)
    start_turn(state, 0)
    play(state, "skip")
    assert state.over
    assert 15 == state.lanterns[0].sum()


@pytest.mark.parametrize("num_players", PLAYERS)
def test_LA_A6_seat_0_starts_on_chair_0(num_players):
    for seed in range(10):
        state = new_state(num_players, seed)
        assert (0, 0) == (state.player, state.chair[0])


def test_LA_A7_steps_without_a_choice_are_passed_over():
    cases = [
        (2, {"red": 1}, [EXCHANGE, PLACE]),  # asked although no dedication can follow
        (0, {"red": 4}, [DEDICATE, PLACE]),
        (2, {"red": 4}, [EXCHANGE, DEDICATE, PLACE]),
        (0, {"red": 3}, [PLACE]),
        (2, {}, [PLACE]),  # nothing to return
        (2, {"red": 7, "blue": 6}, [EXCHANGE, DEDICATE, DISCARD, PLACE]),
    ]
    for favors, held, steps in cases:
        state = new_state(4)
        set_lanterns(state, 0, **held)
        state.favors[0] = favors
        start_turn(state, 0)
        seen = [int(state.phase)]
        while state.phase != PLACE:
            play(state, "discard red" if state.phase == DISCARD else "skip")  # a skip ends its step only
            seen.append(int(state.phase))
        assert steps == seen


def test_LA_A7_dedication_is_looked_at_after_the_exchange():
    state = new_state(4)
    set_lanterns(state, 0, red=3, blue=1)
    state.favors[0] = 2
    start_turn(state, 0)
    play(state, "exchange blue for red")
    assert {"dedicate four of a kind: red", "skip"} == offered(state)


def test_LA_A7_discard_and_placement_cannot_be_skipped():
    state = new_state(4)
    set_lanterns(state, 0, red=7, blue=6)
    start_turn(state, 0)
    assert 884 in legal_actions(state)
    play(state, "skip")
    assert 884 not in legal_actions(state)
    play(state, "discard red")
    assert 884 not in legal_actions(state)


@pytest.mark.parametrize("choice_of", [None, 0, 1, 3])
def test_LA_A7_over_as_soon_as_no_final_turn_has_a_choice(choice_of):
    state = last_placement()
    if choice_of is not None:
        set_lanterns(state, choice_of, red=4)
    GAME.play(state, legal_actions(state)[0])
    assert (choice_of is None) is bool(state.over)
    if choice_of is not None:
        assert (choice_of, DEDICATE, 32 + choice_of) == (state.player, state.phase, state.turn)
        play(state, "skip")
        assert state.over
        assert choice_of == state.player  # once over, the seat that moved last
    assert 36 == state.turn


@pytest.mark.parametrize("num_players", PLAYERS)
def test_LA_A8_the_seed_fixes_everything(num_players):
    first, again, other = (new_state(num_players, seed) for seed in (4, 4, 5))
    assert first.tobytes() == again.tobytes()
    assert first.tobytes() != other.tobytes()
    order = [*first.hands[:num_players].ravel(), *first.pile[: first.pile_left][::-1], *first.box[first.box > 0]]
    for state in (first, again):  # nothing is random afterwards
        rng = np.random.default_rng(8)
        play_random(state, rng)
    assert first.tobytes() == again.tobytes()
    left = 35 - len(first.box[first.box > 0])
    assert set(order[:left]) == set(first.laid[1 : first.num_laid].tolist())


def test_actions_are_numbered_as_in_the_rules():
    triples = list(itertools.combinations(range(7), 3))
    numbers = [text.action_of(text.Exchange(g, t)) for g in range(7) for t in range(7) if g != t]
    numbers += [text.action_of(text.Dedicate(0, (colour,))) for colour in range(7)]
    numbers += [text.action_of(text.Dedicate(1, triple)) for triple in triples]
    numbers += [text.action_of(text.Dedicate(2, tuple(range(7))))]
    numbers += [text.action_of(text.Discard(colour)) for colour in range(7)]
    numbers += [text.action_of(text.Place(*move)) for move in itertools.product(range(66), range(3), range(4))]
    numbers += [text.action_of(text.Skip())]
    assert list(range(885)) == numbers
    assert GAME.num_actions == 885


def test_slots_are_numbered_as_in_the_rules():
    state = new_state(4)
    assert TOWARDS_CHAIR == slots(state)[:4]
    lay(state, 1, (0, -1), "green")  # frees slot 0: the cell below takes it, then left 4, right 5
    assert [(0, -2), (-1, 0), (0, 1), (1, 0), (-1, -1), (1, -1)] == slots(state)[:6]
    lay(state, 2, (-1, -1), "white")  # frees slot 4; (-1, 0) keeps its slot 1
    assert [(0, -2), (-1, 0), (0, 1), (1, 0), (-1, -2), (1, -1), (-2, -1), None] == slots(state)[:8]
    assert slots(state) == slots_of_views(state)


def slots_of_views(state):
    """The cells of the slots as every viewer has them, turned back; they must agree."""
    turn_back = [lambda x, y: (x, y), lambda x, y: (y, -x), lambda x, y: (-x, -y), lambda x, y: (-y, x)]
    found = []
    for seat in range(state.num_players):
        view, back = view_of(state, seat), turn_back[state.chair[seat]]
        found.append(
            [
                back(int(x), int(y)) if is_open else None
                for is_open, x, y in zip(view.slot_open, view.slot_x, view.slot_y, strict=True)
            ]
        )
    assert all(cells == found[0] for cells in found)
    return found[0]
