"""Smaller games of Lanterns: the options, what they have to do with each other, presets, and deals one by one."""

import math
from collections import Counter

import numpy as np
import pytest

from lanterns_env import lanterns_v0
from lanterns_env.engine.rng import DEAL, below, generator, shuffle
from lanterns_env.games.deals import deals_of
from lanterns_env.games.lanterns import components, rules
from lanterns_env.games.lanterns.draw_text import number_of_turns
from lanterns_env.games.lanterns.sound import has_sound_options
from lanterns_env.testing import check_env
from tests.lanterns.setup import (
    COMPILED,
    GAME,
    TOWARDS_CHAIR,
    copy_of,
    laid,
    legal_actions,
    new_state,
    play_random,
    slots,
    view_of,
)
from tests.lanterns.test_redeal import arrangements, bound, chi_square, places, redealt, unseen

SMALL = {"tiles": 9, "first_tile": 12, "hand": 2, "placements": 3}
PRESETS = [(num_players, {"preset": name}) for num_players in (2, 3) for name in GAME.presets]
FEW = [
    (2, {**SMALL, "hand": 1}),
    (3, SMALL),
    (3, {**SMALL, "columns": 4, "rows": 3, "left": 1}),
    (4, {**SMALL, "tiles": 12}),
]
LIMITS = {"seeds": [0, 1], "positions_per_game": 6}
SHORT = {"seeds": [0], "max_steps": 8, "positions_per_game": 2, "actions_per_position": 10}


def chosen(num_players, options):
    return GAME.check_options(num_players, options)


def tiles_in_play(options):
    return [*range(options["first_tile"], options["first_tile"] + options["tiles"])]


def tiles_of(state):
    """Where they are: in hands, pile, box and lake."""
    places = (state.hands.ravel(), state.pile, state.box, state.laid[: state.num_laid])
    return sorted(int(tile) for tile in np.concatenate(places) if tile != rules.NO_TILE)


def decisions(num_players, options, seed=3):
    """Every position of a random game, to its end."""
    state = new_state(num_players, seed, **options)
    rng = np.random.default_rng(seed)
    while not state.over:
        yield state
        GAME.play(state, int(rng.choice(legal_actions(state))))
    yield state


# -- rules ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("num_players", "options"), [*PRESETS, *FEW])
def test_LA_50_the_tiles_in_play(num_players, options):
    tiles = tiles_in_play(chosen(num_players, options))
    for state in decisions(num_players, options):
        assert [0, *tiles] == tiles_of(state)
        for viewer in range(num_players):
            view = view_of(state, viewer)
            known = {*state.laid[: state.num_laid].tolist(), *state.hands[viewer].tolist()}
            assert set(tiles) - known == set(np.flatnonzero(view.unseen).tolist())
            world = copy_of(state)
            GAME.redeal(world, viewer, np.uint64(7))
            assert [0, *tiles] == tiles_of(world)
            assert view.tobytes() == view_of(world, viewer).tobytes()


@pytest.mark.parametrize(("num_players", "options"), [*PRESETS, *FEW])
def test_LA_51_hands_pile_and_placements(num_players, options):
    values = chosen(num_players, options)
    hand, each = values["hand"], values["placements"]
    state = new_state(num_players, **options)
    assert [hand] * num_players == (state.hands[:num_players] != rules.NO_TILE).sum(1).tolist()
    assert num_players * (each - hand) == state.pile_left == view_of(state, 0).pile
    assert values["tiles"] - num_players * each == (state.box != rules.NO_TILE).sum()
    placed = np.zeros(num_players, int)
    for state in decisions(num_players, options):
        assert state.over or num_players * (each + 1) == number_of_turns(view_of(state))
        final = state.num_laid == 1 + num_players * each
        assert final == view_of(state).final_round
        if not state.over and state.turn == state.num_laid - 1 and state.phase == rules.PLACE:
            placed[state.player] += 1
    assert [each] * num_players == placed.tolist()
    assert num_players * (each + 1) == state.turn
    assert (state.hands == rules.NO_TILE).all()


@pytest.mark.parametrize(
    ("columns", "left", "rows", "cells"),
    [
        (4, 0, 2, {(x, y) for x in range(4) for y in range(2)}),
        (3, 1, 3, {(x, y) for x in (-1, 0, 1) for y in range(3)}),
        (7, 6, 1, {(x, 0) for x in range(-6, 1)}),
        (2, 0, 0, {(x, y) for x in range(2) for y in range(-9, 10)}),
        (0, 0, 2, {(x, y) for x in range(-9, 10) for y in range(2)}),
    ],
)
@pytest.mark.parametrize("num_players", [2, 3])
def test_LA_52_the_lake_has_an_edge(num_players, columns, left, rows, cells):
    """Six placements: every cell of the lake beside a tile is free, and no other."""
    edge = {"columns": columns, "left": left, "rows": rows}
    for state in decisions(num_players, {"tiles": 9, "hand": 1, "placements": 6 // num_players, **edge}):
        lake = laid(state)
        assert set(lake) <= cells
        if state.num_laid < 7:
            beside = {(x + a, y + b) for x, y in lake for a, b in TOWARDS_CHAIR} - set(lake)
            assert beside & cells == set(slots(state)) - {None}
    assert 7 == state.num_laid


@pytest.mark.parametrize(("num_players", "stack", "lanterns"), [(2, 0, 5), (3, 0, 7), (4, 0, 8), (2, 8, 8), (3, 2, 2)])
def test_LA_53_lanterns_of_a_colour(num_players, stack, lanterns):
    for state in decisions(num_players, {**SMALL, "tiles": 12, "stack": stack}):
        assert [lanterns] * 7 == (state.supply + state.lanterns.sum(0)).tolist()


@pytest.mark.parametrize(
    ("num_players", "options", "words"),
    [
        (2, {"first_tile": 2}, "lake tiles 1 to 35, not 2 to 36"),
        (2, {"tiles": 21}, "11 placements each, 22 tiles are placed; tiles must be at least that, not 21"),
        (3, {"placements": 10}, "placements must be at most 9, not 10"),
        (4, {"placements": 2}, "a hand of 3 tiles is more than the 2 that each player places"),
        (3, {"hand": 2}, "with hands of 2, 21 tiles are drawn; a pile holds at most 20"),
        (3, {**SMALL, "columns": 3, "rows": 3}, "a lake of 3 x 3 cells is too small for the start tile and 9 more"),
        (2, {**SMALL, "columns": 5, "left": 5}, "of 5 columns 5 cannot lie left"),
        (2, {**SMALL, "left": 1}, "of no columns 1 cannot lie left"),
    ],
)
def test_LA_A9_what_does_not_go_together_is_refused(num_players, options, words):
    with pytest.raises(ValueError, match=f"Lanterns for {num_players} players cannot be played like that: .*{words}"):
        chosen(num_players, options)
    state = new_state(num_players)
    for name, value in options.items():
        state[name] = value
    assert not has_sound_options(state)


@pytest.mark.parametrize(
    ("num_players", "options"),
    [
        (2, {"tiles": 22}),
        (2, {"tiles": 34, "first_tile": 2}),
        (3, {"placements": 9}),
        (4, {"placements": 3}),
        (2, {"hand": 1}),
        (3, {**SMALL, "columns": 5, "rows": 2}),
        (2, {**SMALL, "columns": 5, "left": 4}),
    ],
)
def test_LA_A9_what_just_goes_together_is_played(num_players, options):
    state = new_state(num_players, **options)
    assert has_sound_options(state)
    play_random(state, np.random.default_rng(1))
    assert state.over


# -- deals ----------------------------------------------------------------------------------------------------


LISTED = [
    (2, {"tiles": 5, "hand": 1, "placements": 2}, 120, 7),
    (2, {"tiles": 5, "first_tile": 31, "hand": 2, "placements": 2}, 120, 7),
    (3, {"tiles": 4, "hand": 1, "placements": 1}, 3 * 24, 6),
    (3, {"tiles": 4, "hand": 1, "placements": 1, "empty_chair": 2}, 24, 6),
]


@pytest.mark.parametrize(("num_players", "options", "number", "length"), LISTED)
def test_LA_A8_deals_one_by_one(num_players, options, number, length):
    """All orders of what can ever be seen, each once and with the same chance; the box lies in order."""
    values = chosen(num_players, options)
    orders, weights = deals_of(GAME, num_players, values)
    placed, tiles = num_players * values["placements"], tiles_in_play(values)
    chairs = [2] if values["empty_chair"] == 2 else [1, 2, 3] if num_players == 3 else [1]
    assert math.perm(len(tiles), placed) * len(chairs) == number == len(orders)
    assert [1 / number] * number == weights.tolist()
    assert number == len({tuple(order) for order in orders.tolist()})
    for order in orders.tolist():
        assert tiles == sorted(order[:-1])
        assert order[placed:-1] == sorted(order[placed:-1])
        assert order[-1] in chairs
    states = [dealt_by(order, num_players, values) for order in orders]
    assert number == len({state.tobytes() for state in states})


def dealt_by(order, num_players, values):
    states = GAME.blank(values)
    states["num_players"] = num_players
    GAME.deal_cards(states[0], num_players, order)
    return states[0]


@pytest.mark.parametrize(("num_players", "options"), [(2, {}), (3, {}), (4, {}), *PRESETS, *FEW])
def test_LA_A8_a_deal_is_what_its_order_says(num_players, options):
    """The order drawn here as the seed has it, dealt out: the same state to the byte."""
    values = chosen(num_players, options)
    for seed in range(5):
        order = np.array([*tiles_in_play(values), 0], np.int16)
        rng = generator(np.uint64(seed), DEAL)
        shuffle(rng, order, values["tiles"])
        order[-1] = 1 + below(rng, 3)
        state = dealt_by(order, num_players, values)
        state.seed = seed
        assert new_state(num_players, seed, **options).tobytes() == state.tobytes()


@pytest.mark.parametrize("num_players", [2, 3])
def test_every_deal_of_a_preset_can_be_drawn(num_players):
    """By what the players can ever see of it: none is left out, and none is more likely than another."""
    values = chosen(num_players, {"preset": "tiny"})
    orders, weights = deals_of(GAME, num_players, values)
    seen = {dealt_by(order, num_players, values).tobytes(): k for k, order in enumerate(orders)}
    counts = np.zeros(len(orders))
    draws = 30 * len(orders) if COMPILED else 200
    for seed in range(draws):
        state = new_state(num_players, seed, **values)
        state.seed = 0
        box = state.box[state.box != rules.NO_TILE]
        state.box[: len(box)] = np.sort(box)
        counts[seen[state.tobytes()]] += 1
    assert draws == counts.sum()
    expected = draws * weights
    degrees = len(orders) - 1
    assert ((counts - expected) ** 2 / expected).sum() < degrees + 5 * np.sqrt(2 * degrees) + (0 if COMPILED else 99)


def test_the_deals_of_the_full_game_are_not_listed():
    with pytest.raises(ValueError, match="at most 2,000,000 can be listed"):
        deals_of(GAME, 2, chosen(2, {}))


def test_unseen_tiles_of_a_preset_are_equally_likely_everywhere():
    """To the second of two, after the first placement: in the other hand, next in the pile, in the box."""
    state = new_state(2, preset="tiny")
    GAME.play(state, legal_actions(state)[0])
    sizes = [len(place) for place in places(state, 1)]
    assert [1, 1, 2] == sizes
    expected = arrangements(unseen(state, 1), sizes)
    deals = 60 * len(expected)
    counts = Counter(tuple(frozenset(place) for place in places(world, 1)) for world in redealt(state, 1, deals))
    assert set(expected) == set(counts)
    assert chi_square(np.array(list(counts.values())), 60) < bound(len(expected) - 1)


# -- presets --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("num_players", "options"), PRESETS)
def test_presets_conform(num_players, options):
    limits = LIMITS if COMPILED else SHORT
    found = check_env(lambda: lanterns_v0.env(num_players=num_players, **options), zero_sum=True, **limits)
    assert [] == found


def test_presets_are_options_for_two_and_for_three():
    assert ["tiny", "small"] == list(GAME.presets)
    for name, options in GAME.presets.items():
        for num_players in (2, 3):
            assert {**chosen(num_players, {}), **options} == chosen(num_players, {"preset": name})


def test_components_hold_the_largest_variants():
    """LA-51: one placement each by two players leaves the fullest box; a pile is never fuller than the view says."""
    state = new_state(2, hand=1, placements=1)
    assert components.MAX_BOX == (state.box != rules.NO_TILE).sum()
    high = dict(zip((field.name for field in GAME.fields), GAME.fields, strict=True))["pile"].high
    assert high == components.MAX_PILE == new_state(2, hand=1).pile_left
