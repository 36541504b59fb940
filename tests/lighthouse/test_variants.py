"""Smaller games (LH-81..90): their rules, what cannot be played, and all their deals."""

import itertools
from collections import Counter
from functools import partial

import numpy as np
import pytest

from lanterns_env import lighthouse_v0
from lanterns_env.engine.rng import DEAL, below, generator, shuffle
from lanterns_env.engine.soundness import check_states
from lanterns_env.games.deals import deals_of
from lanterns_env.games.lighthouse.rules import CLAIM, MOVE, PLACE
from lanterns_env.games.lighthouse.towers import IN_HAND, OUT
from lanterns_env.testing import check_env
from tests.conftest import COMPILED
from tests.lighthouse.table import (
    GAME,
    STACK_NAMES,
    card,
    dealt,
    hand,
    islands,
    legal,
    name_of,
    pile,
    play,
    put_stones,
    random_game,
    supply,
    view_of,
)
from tests.positions import copy_of

LOW = {"islands": 4, "tower": 2, "stones": 2, "cards": 5, "hand": 1, "move_points": 2}
PRESETS = [(name, n) for name in GAME.presets for n in (2, 3)]


def position(stacks, harbour=None, points=None, seed=7, num_players=2, **options):
    """A turn of seat 0 in a smaller game, with these stacks by island."""
    state = dealt(num_players, seed, **options)
    put_stones(state, stacks, harbour)
    state.turn = num_players
    state.phase = MOVE
    state.points = int(state.move_points) if points is None else points
    return state


# -- the rules ---------------------------------------------------------------------------------------------------


def test_LH_81_from_the_last_island_a_stone_goes_to_the_first():
    state = position({3: "R"}, islands=3, tower=3, stones=2)
    assert {"I3"} == legal(state)
    play(state, "I3")
    assert {1: "R"} == islands(state)


def test_LH_81_the_ring_is_crossed_over_full_islands():
    state = position({1: "RW", 3: "B", 4: "WB"}, islands=4, tower=2, stones=2)
    assert {"I1", "I3", "I4"} == legal(state)
    play(state, "I3")  # over islands 4 and 1
    assert {1: "RW", 2: "B", 4: "WB"} == islands(state)
    assert 1 == state.points


@pytest.mark.parametrize(("height", "below"), [(2, "R"), (3, "RW"), (4, "RWR")])
def test_LH_82_so_many_stones_are_a_tower(height, below):
    options = {"islands": 6, "tower": height, "stones": 3, "cards": 3}
    state = position({1: "B", 2: below}, num_players=2, hand=1, **options)
    tower = card(below + "B")
    state.place[state.place == IN_HAND] = OUT
    state.place[tower] = IN_HAND
    play(state, "I1")
    assert (CLAIM, tower) == (state.phase, state.claim_card)
    play(state, "claim")
    assert state.over
    assert [[1, 0], [1, 0]] == [list(map(int, row)) for row in scores(state)]


def scores(state):
    points, share = np.zeros(4, np.float32), np.zeros(4, np.float32)
    GAME.score(state, points, share)
    return points[:2], share[:2]


def test_LH_82_the_orders_are_all_sequences_of_that_length():
    state = dealt(2, tower=3, stones=2)
    held = {name for seat in (0, 1) for name in hand(state, seat)} | {*pile(state, 0), *pile(state, 1)}
    assert {name for name in STACK_NAMES if len(name) == 3} == held


@pytest.mark.parametrize(("colours", "stones", "start"), [(3, 1, "RWB"), (3, 2, "RRWWBB"), (2, 3, "RRRWWW")])
def test_LH_83_so_many_stones_of_so_many_colours(colours, stones, start):
    state = dealt(2, islands=8, tower=2, hand=1, colours=colours, stones=stones)
    assert start == supply(state)
    assert {*start} == legal(state)


def test_LH_83_two_colours_have_two_orders():
    state = dealt(2, islands=8, tower=4, hand=1, colours=2)
    assert {"RWRW", "WRWR"} == hand(state, 0) | hand(state, 1)


def test_LH_84_the_first_orders_are_in_play():
    state = dealt(2, **LOW)
    in_play = [name_of(state, k) for k in range(24) if state.place[k] != OUT]
    assert ["RW", "RB", "WR", "WB", "BR"] == in_play
    shown = view_of(state, 0).order.sum(axis=1)
    assert [1] * 5 + [0] * 19 == shown.tolist()


@pytest.mark.parametrize("asked", ["holder", "everyone"])
def test_LH_84_a_tower_that_no_order_shows_is_demolished_at_once(asked):
    state = position({1: "W", 2: "B"}, asked=asked, **LOW)
    before = copy_of(state)
    play(state, "I1")
    assert (PLACE, 0) == (state.phase, state.player)
    assert {} == islands(state)
    assert [2, 2, 2] == state.supply.tolist()
    for seat in (0, 1):
        for proof in ("proved_buried", "proved_held"):
            assert (view_of(before, seat)[proof] == view_of(state, seat)[proof]).all()


@pytest.mark.parametrize(("size", "sizes"), [(1, [5, 5]), (2, [4, 4]), (3, [3, 3])])
def test_LH_85_so_many_private_orders(size, sizes):
    state = dealt(2, tower=3, stones=3, hand=size)
    assert [size, size] == [len(hand(state, seat)) for seat in (0, 1)]
    assert sizes == state.pile_size.tolist()
    assert [0, 0] == view_of(state, 0).laid_private[:2].tolist()
    assert [size, size] == view_of(state, 0).hand_size[:2].tolist()


def test_LH_85_without_public_orders_the_game_goes_on_until_a_hand_is_empty():
    state = position({1: "W", 2: "R"}, islands=4, tower=2, colours=2, stones=2, hand=1, move_points=2)
    check_states(GAME, np.array([state]), "the test")
    first = next(seat for seat in (0, 1) if "RW" in hand(state, seat))
    play(state, "I1")
    assert (CLAIM, first) == (state.phase, state.player)
    other = copy_of(state)
    play(other, "decline")
    assert not other.over
    play(state, "claim")
    assert (1, first) == (state.over, state.ended_by)


def test_LH_86_a_turn_has_so_many_points():
    for points in (1, 2, 3, 4):
        state = dealt(2, move_points=points)
        play(state, "R")
        assert points == state.points
        view = view_of(state, 0)
        assert points == view.points.argmax()
        assert [int(k >= points) for k in range(5)] == view.points.tolist()


@pytest.mark.parametrize(("last", "cut"), [("WBR", True), ("WRB", False)])
def test_LH_87_where_no_step_is_possible_the_game_is_cut(last, cut):
    """All stones are on islands, red on top of each: no stone can ever move."""
    options = {"islands": 4, "tower": 4, "stones": 4}
    state = position({1: "WB", 2: "WBR", 3: "WBR", 4: last}, "R", 1, **options)
    state.duty = True
    check_states(GAME, np.array([state]), "the test")
    play(state, "H")
    assert (cut, cut, -1) == (state.over, state.truncated, state.ended_by)
    assert (3, 1) == (state.turn, state.player)
    assert [0.5, 0.5] == scores(state)[1].tolist()
    check_states(GAME, np.array([state]), "the test")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"islands": 5}, "the islands but one hold 16 stones, and there are 18"),
        ({"tower": 2}, "the islands but one hold 14 stones"),
        ({"stones": 1}, "a tower of 4 may need 2 stones of one colour, and there are 1"),
        ({"cards": 13, "tower": 3, "stones": 3}, "there are 12 orders of 3 stones in 3 colours, not 13"),
        ({"colours": 2}, "the hands take 6 orders, and there are 2"),
        ({"cards": 5}, "the hands take 6 orders, and there are 5"),
        ({"hand": 1}, "22 orders would be public, and the piles hold 18"),
    ],
)
def test_LH_88_what_cannot_be_played_is_refused(options, reason):
    with pytest.raises(ValueError, match=f"Lighthouse Architects for 2 players cannot be played like that: .*{reason}"):
        lighthouse_v0.env(**options)


def test_LH_88_what_cannot_be_played_is_no_saved_game():
    state = dealt(2, **LOW)
    check_states(GAME, np.array([state]), "the test")
    for name, value in {"islands": 3, "tower": 3, "cards": 6, "hand": 2, "stones": 3, "move_points": 3}.items():
        other = copy_of(state)
        other[name] = value
        with pytest.raises(ValueError, match="the test is damaged"):
            check_states(GAME, np.array([other]), "the test")


def test_LH_89_what_is_missing_is_flagged_in_views():
    view = view_of(position({2: "R"}, "W", **LOW), 1)
    missing = view.stones.sum(axis=2) == 3
    assert [[island >= 4 or level >= 2 for level in range(4)] for island in range(8)] == missing.tolist()
    assert (1, 0) == (view.stones[1, 0, 0], view.stones[0].sum() - 6)


def test_LH_89_words_and_drawings_know_the_smaller_game():
    view = view_of(position({2: "R"}, "W", **LOW), 0)
    assert "LH-81: there is no island 5" == GAME.why_illegal(view, 5)
    assert "LH-11: island 4 is empty" == GAME.why_illegal(view, 4)
    assert GAME.why_illegal(view, 2) is None
    with pytest.raises(ValueError, match="there is no island 5; islands are 1 to 4"):
        GAME.parse(view, "move the top of island 5")
    for drawing in (GAME.draw([view]), GAME.draw_compact([view])):
        assert "W" in drawing
        assert "[R]" in drawing
    assert "island 4" in GAME.draw([view])
    assert "island 5" not in GAME.draw([view])


# -- deals -------------------------------------------------------------------------------------------------------


def order_drawn(state):
    """LH-05, LH-08: what chance gives: the orders in play shuffled, and a seat."""
    rng = generator(np.uint64(state.seed), DEAL)
    order = np.array([k for k in range(24) if state.place[k] != OUT] + [0], np.int16)
    shuffle(rng, order, len(order) - 1)
    order[-1] = below(rng, int(state.num_players))
    return order


def deal_by(num_players, order, **options):
    states = GAME.blank(GAME.check_options(num_players, options))
    states["num_players"] = num_players
    GAME.deal_cards(states[0], num_players, order)
    return states[0]


@pytest.mark.parametrize("options", [{}, LOW, {**LOW, "start_player": "drawn"}])
def test_LH_90_a_deal_is_that_of_the_order_drawn(options):
    for seed in range(20):
        state = dealt(3, seed, **options)
        order = order_drawn(state)
        if options.get("start_player") != "drawn":
            order[-1] = 0
        expected = deal_by(3, order, **options)
        expected.seed = state.seed
        assert expected.tobytes() == state.tobytes()


def spread(state):
    return state.place.tobytes() + state.piles.tobytes() + bytes([int(state.builder)])


@pytest.mark.parametrize(
    ("num_players", "options", "number"),
    [
        (2, LOW, 5 * 4 * 6),
        (3, LOW, 5 * 4 * 3 * 2),
        (2, {**LOW, "start_player": "drawn"}, 2 * 120),
        (3, {**LOW, "cards": 6, "hand": 2}, 15 * 6),
        (2, {"islands": 4, "tower": 2, "colours": 2, "stones": 2, "hand": 1}, 2),
    ],
)
def test_LH_90_every_deal_is_listed_once(num_players, options, number):
    orders, weights = deals_of(GAME, num_players, GAME.check_options(num_players, options))
    assert number == len(orders) == len(weights)
    assert weights.sum() == pytest.approx(1)
    assert {1 / number} == {*weights.tolist()}
    listed = {spread(deal_by(num_players, order, **options)) for order in orders}
    assert number == len(listed)
    assert {spread(dealt(num_players, seed, **options)) for seed in range(40)} <= listed


def test_LH_90_too_many_deals_are_not_listed():
    with pytest.raises(ValueError, match="deals: at most"):
        deals_of(GAME, 2, GAME.check_options(2, {}))


# -- presets -----------------------------------------------------------------------------------------------------


def seen_alike(true, others, actions, seat):
    """Those of the games that look to a seat as the true one does, all along."""
    for action in (*actions, None):
        view = view_of(true, seat).tobytes()
        others = [game for game in others if view_of(game, seat).tobytes() == view]
        for game in [true, *others] if action is not None else []:
            GAME.play(game, action)
    return others


def actions_of(state, seed, most):
    rng = np.random.default_rng(seed)
    return [action for _, action in itertools.islice(random_game(copy_of(state), rng), most)]


@pytest.mark.parametrize(("preset", "num_players"), PRESETS)
def test_redeals_are_the_deals_that_fit_the_history(preset, num_players):
    """Exactly those, and none more often than another."""
    options = GAME.check_options(num_players, {"preset": preset})
    orders = deals_of(GAME, num_players, options).orders
    for seed in range(6 if COMPILED else 1):
        actions = actions_of(dealt(num_players, seed, **options), seed, 4 * seed)
        for seat in range(num_players if COMPILED else 1):
            true = dealt(num_players, seed, **options)
            games = [deal_by(num_players, order, **options) for order in orders]
            possible = {spread(game) for game in seen_alike(true, games, actions, seat)}
            draws = 40 * len(possible)
            counts = Counter(spread(redealt(true, seat, draw)) for draw in range(draws))
            assert {*counts} == possible
            expected, freedom = draws / len(possible), len(possible) - 1
            chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
            assert abs(chi_square - freedom) <= 5 * (2 * freedom) ** 0.5


def redealt(state, seat, seed):
    other = copy_of(state)
    GAME.redeal(other, seat, np.uint64(seed))
    return other


@pytest.mark.skipif(not COMPILED, reason="the kit plays the same games again and again")
@pytest.mark.parametrize(("preset", "num_players"), PRESETS)
def test_the_conformance_kit_finds_nothing_in_a_preset(preset, num_players):
    env = partial(lighthouse_v0.raw_env, num_players=num_players, preset=preset)
    assert [] == check_env(env, zero_sum=True, seeds=range(2))


@pytest.mark.parametrize(("preset", "num_players"), PRESETS)
def test_orders_of_a_preset_can_be_laid(preset, num_players):
    """Random play lays some before the game is cut, and often ends it."""
    ends = Counter()
    for seed in range(60 if COMPILED else 6):
        state = dealt(num_players, seed, preset=preset)
        for _ in random_game(state, np.random.default_rng(seed)):
            pass
        ends["cut" if state.truncated else "over"] += 1
        ends["laid"] += int(scores(state)[0].sum())
    assert min(ends["laid"], ends["over"]) > 0
