"""The picture of Lanterns says all that a view says, marks the last tile, and can be read by eyes of all kinds."""

import itertools
from collections import Counter

import numpy as np
import pytest

from lanterns_env.envs.aec import make
from lanterns_env.games.lanterns.components import MAX_LAID
from lanterns_env.games.lanterns.draw_svg import GOLD, LAKE_LEFT, LAKE_TOP, LAKE_WIDTH
from lanterns_env.games.lanterns.draw_tiles import BACK, FILLS, SIGNS
from lanterns_env.games.lanterns.rules import NO_TILE
from lanterns_env.games.svg import Rectangle, Text
from tests.conftest import COMPILED
from tests.play import decisions

EVERY = 5 if COMPILED else 23
APART, READABLE = 25, 3.0  # differences of colour, and the contrast of large letters
# Colours as eyes without one kind of cones see them (Machado, Oliveira and Fernandes 2009), in linear light.
EYES = {
    "all cones": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "no long": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no middle": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "no short": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ.sum(axis=1)


def positions(num_players):
    env = make("lanterns", False, num_players=num_players)
    for number, _ in enumerate(decisions(env, 7)):
        if number % EVERY == 0:
            yield env
    yield env


def in_words(view):
    """What a picture has to say of a view, tile by tile and figure by figure."""
    tiles = [tile for tile in (*view.lake_tile, *view.hand_tile) if tile != NO_TILE]
    cells = [f"{view.slot_x[slot]},{view.slot_y[slot]}" for slot in np.flatnonzero(view.slot_open)]
    public = [view.honor, view.favors, view.lanterns]
    figures = [number for field in public for number in field[: view.num_players].ravel()]
    rest = [f"{left} left" if left else "used up" for left in view.tokens_left]
    return [*map(str, (*tiles, *figures, *view.supply, *view.token_value, view.pile)), *cells, *rest]


def words(picture):
    return Counter(shape.words for shape in picture.shapes if isinstance(shape, Text))


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_a_picture_says_all_that_its_view_says(num_players):
    for env in positions(num_players):
        for seat in range(num_players):
            views = env._views([seat])
            assert Counter() == Counter(in_words(views[0])) - words(env.game.picture(views))


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_the_whole_table_shows_every_hand_and_one_seat_those_of_others_from_behind(num_players):
    for env in positions(num_players):
        views = env._views(range(num_players))
        hands = [str(tile) for view in views for tile in view.hand_tile if tile != NO_TILE]
        whole = words(env.game.picture(views)) - words(env.game.picture(views[:1]))
        own = [str(tile) for tile in views[0].hand_tile if tile != NO_TILE]
        assert Counter(hands) - Counter(own) == Counter(filter(str.isdecimal, whole.elements()))
        for seats, hidden in (([0], views[0].hand_size[1:num_players].sum()), (range(num_players), 0)):
            shapes = env.game.picture(env._views(seats)).shapes
            backs = [shape for shape in shapes if isinstance(shape, Rectangle) and shape.fill == BACK]
            assert hidden + 1 == len(backs)  # one is the draw pile


def test_the_last_tile_has_a_ring():
    for env in positions(3):
        view = env._views([0])[0]
        shapes = env.game.picture([view]).shapes
        rings = [
            shape
            for shape in shapes
            if isinstance(shape, Rectangle)
            and (shape.fill, shape.line) == ("none", GOLD)
            and shape.corner[0] < LAKE_WIDTH
        ]
        laid = [k for k in range(MAX_LAID) if view.lake_tile[k] != NO_TILE]
        assert len(rings) == (len(laid) > 1)
        for ring in rings:
            middle = ring.corner[0] + ring.width / 2, ring.corner[1] + ring.height / 2
            number = str(view.lake_tile[laid[-1]])
            found = [shape.middle for shape in shapes if isinstance(shape, Text) and shape.words == number]
            assert any(middle == pytest.approx(place) for place in found)
            assert LAKE_LEFT < middle[0] < LAKE_LEFT + LAKE_WIDTH
            assert LAKE_TOP < middle[1]


def light(colour):
    """A colour in linear light."""
    part = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def seen(colour, eyes):
    """A colour in CIELAB, as these eyes see it."""
    xyz = TO_XYZ @ np.clip(np.array(EYES[eyes]) @ light(colour), 0, 1) / WHITE
    root = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


@pytest.mark.parametrize("eyes", EYES)
def test_colours_are_far_apart_for_eyes_of_all_kinds(eyes):
    for one, other in itertools.combinations(FILLS, 2):
        assert np.linalg.norm(seen(one, eyes) - seen(other, eyes)) > APART, (one, other)


def test_letters_stand_out_from_their_lanterns():
    for fill, sign in zip(FILLS, SIGNS, strict=True):
        bright, dark = sorted((light(colour) @ TO_XYZ[1] + 0.05 for colour in (fill, sign)), reverse=True)
        assert bright / dark > READABLE
