"""The picture of Lighthouse Architects: lamps, orders in hand and in reach, what is known, and what is asked."""

import numpy as np
import pytest

from lanterns_env.games.lighthouse.components import CARDS, STACKS, TOWER
from lanterns_env.games.lighthouse.draw_orders import MARK, REACH
from lanterns_env.games.lighthouse.draw_svg import in_reach
from lanterns_env.games.lighthouse.draw_towers import SHINE
from lanterns_env.games.lighthouse.movement import destination, stack_on, stone_at
from lanterns_env.games.lighthouse.rules import CLAIM, MOVE
from lanterns_env.games.svg import Glow, Polygon, Rectangle
from tests.conftest import COMPILED
from tests.drawn import check_picture, words
from tests.lighthouse.table import (
    CARD_NAMES,
    GAME,
    STACK_NAMES,
    X,
    card,
    dealt,
    hand,
    laid_by,
    mask_of,
    play,
    random_game,
    table,
    view_of,
)
from tests.positions import copy_of

PLAYERS = (2, 3, 4)
TURNS, EVERY = (160, 5) if COMPILED else (24, 7)
ISLANDS = range(8)


def positions(num_players, **options):
    state = dealt(num_players, num_players, max_turns=TURNS, **options)
    for number, _ in enumerate(random_game(state, np.random.default_rng(num_players))):
        if number % EVERY == 0:
            yield state
    yield state


def views_of(state):
    return [view_of(state, seat) for seat in range(int(state.num_players))]


def built_by(state, action):
    """The name of the tower that a step finishes, None if it does not."""
    source = action - 1 if action <= len(ISLANDS) else None
    if source is None:
        return None
    island, _ = destination(int(state.board), source)
    below = STACK_NAMES[stack_on(int(state.board), island)]
    name = below + "RWB"[stone_at(int(state.board), int(state.harbour), source)]
    return name if len(name) == TOWER else None


def first_towers(state):
    """What the builder can finish next in this turn, by playing on in all ways."""
    if state.phase != MOVE or state.over:
        return set()
    builder, found = int(state.builder), set()
    for action in np.flatnonzero(mask_of(state)[: len(ISLANDS) + 1]).tolist():
        if name := built_by(state, action):
            found.add(name)
            continue
        then = copy_of(state)
        GAME.play(then, action)
        if then.builder == builder and then.turn == state.turn:
            found |= first_towers(then)
    return found


@pytest.mark.parametrize("num_players", PLAYERS)
def test_orders_within_reach_are_those_that_can_be_built(num_players):
    some = 0
    for state in positions(num_players):
        reach = {CARD_NAMES[k] for k in np.flatnonzero(in_reach(view_of(state, 0)))}
        assert first_towers(state) == reach
        some += bool(reach)
    assert some > 3 or not COMPILED


def frames(picture, colour):
    return sum(isinstance(shape, Rectangle) and colour in (shape.fill, shape.line) for shape in picture.shapes)


def test_an_order_in_reach_is_framed_and_its_lamp_lit():
    state = table(X, "W", hands={0: ["WBRB", "RWRW", "BRBR"], 1: ["RBRB", "WRWB", "BWRW"]})
    assert "WBRB" in first_towers(state)
    for views, hands in ((views_of(state), [0, 1]), ([view_of(state, 0)], [0]), ([view_of(state, 1)], [1])):
        picture = GAME.picture(views)
        public = {CARD_NAMES[k] for k in np.flatnonzero(views[0].order[:, 1:3].any(axis=1))}
        shown = public.union(*(hand(state, seat) for seat in hands))
        assert len(shown & first_towers(state)) == frames(picture, REACH)
        assert frames(picture, REACH) == sum(isinstance(s, Glow) and s.fill == SHINE for s in picture.shapes)


@pytest.mark.parametrize("num_players", PLAYERS)
def test_every_finished_tower_shines(num_players):
    for state in positions(num_players):
        views = views_of(state)
        towers = sum(len(STACKS[stack_on(int(state.board), island)]) == TOWER for island in ISLANDS)
        laid = sum(len(laid_by(state, seat)) for seat in range(num_players))
        picture = GAME.picture(views)
        shining = sum(isinstance(shape, Glow) and shape.fill == SHINE for shape in picture.shapes)
        marked = views[0].claim_order.astype(bool) | in_reach(views[0]).astype(bool)
        places = [view.order[:, 0] for view in views] + [views[0].order[:, 1], views[0].order[:, 2]]
        assert towers + laid + int(sum((place & marked).sum() for place in places)) == shining


@pytest.mark.parametrize("num_players", PLAYERS)
def test_names_of_orders_are_those_the_viewer_knows(num_players):
    """In the own hand, on the piles, and by proof; each as often as it is there to see."""
    for state in positions(num_players):
        view = view_of(state, 1)
        said = sorted(word for word in words(GAME.picture([view])) if word in CARD_NAMES)
        unsure = view.proved_held & view.order[:, 7] & ~view.proved_holder[1:].any(axis=0)
        flags = [view.order[:, 0], view.order[:, 1], view.order[:, 2], view.proved_buried, unsure]
        flags += [view.proved_holder[step] for step in range(1, num_players)]
        assert sorted(CARD_NAMES[k] for flag in flags for k in np.flatnonzero(flag)) == said
        assert (1 if view.proved_buried.any() else 0) == words(GAME.picture([view])).count("buried")


def test_the_whole_table_names_all_hands():
    for state in positions(4):
        said = words(GAME.picture(views_of(state)))
        for seat in range(4):
            assert hand(state, seat) <= set(said)
            assert f"laid {len(laid_by(state, seat))}" in said
            assert f"in hand {state.hand_size[seat]}" in said


def test_a_tower_that_waits_for_a_claim_is_ringed():
    state = table(X, "W", hands={1: ["WBRB", "RWRW", "BRBR"]})
    play(state, "I4 I3 I4")
    assert (CLAIM, 1) == (state.phase, state.player)
    picture = GAME.picture(views_of(state))
    assert 1 == sum(isinstance(shape, Polygon) and shape.fill == MARK for shape in picture.shapes)
    assert 1 == frames(picture, MARK) - bool(state.duty)
    assert {"is asked", "has the turn"} <= set(words(picture))
    assert card("WBRB") == int(view_of(state, 0).claim_order.argmax())


def test_the_duty_and_the_points_left_are_drawn():
    state = table(X, "W")
    said = words(GAME.picture([view_of(state, 0)]))
    assert {"must be moved", "the harbour stone must be moved in this turn", "points left"} <= set(said)
    assert "harbour" not in said
    play(state, "H")
    assert "harbour" in words(GAME.picture([view_of(state, 0)]))
    state.demolish_next = True
    assert "is demolished" in words(GAME.picture([view_of(state, 0)]))


@pytest.mark.parametrize("asked", ["holder", "everyone"])
@pytest.mark.parametrize("num_players", PLAYERS)
def test_words_keep_apart(num_players, asked):
    for state in positions(num_players, asked=asked):
        check_picture(GAME.picture(views_of(state)))
        check_picture(GAME.picture([view_of(state, num_players - 1)]))


def test_many_laid_and_buried_orders_keep_apart():
    names = CARD_NAMES[3:]
    crowded = table(X, "W", hands={0: CARD_NAMES[:3], 1: []}, laid={1: names[:19]}, piles=([names[19]], [names[20]]))
    check_picture(GAME.picture([view_of(crowded, 0)]))
    buried = table(X, "W", num_players=2)
    for number in range(len(CARDS)):
        buried.proved[number] = buried.place[number] >= 8
    check_picture(GAME.picture([view_of(buried, 0)]))
