"""Images tell what the view tells: the view is made again from them, byte for byte."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanterns_env import GAMES, Batch
from lanterns_env.games.lanterns.components import MAX_LAID, NUM_TILES, PLATFORM
from lanterns_env.games.lanterns.lake import NUM_SLOTS
from lanterns_env.games.lanterns.planes import SIZE
from tests.conftest import COMPILED, TABLES
from tests.test_docs import page_script

DRAWN = [(name, n) for name, n in TABLES if GAMES[name].planes]
EXAMPLES = 40 if COMPILED else 3
WATER = -1


def constants(game, image, view):
    """The fields of the constant planes, by their bounds."""
    for field in game.fields:
        if field.name not in game.planes.drawn:
            numbers = image[game.planes.places[field.name], 0, 0] * max(-field.low, field.high)
            view[field.name] = np.rint(numbers).reshape(field.shape)


def lanterns(planes, image, view):
    """The lake, from what lies on the cells of the image."""
    of = {kind.name: image[planes.places[kind.name]] for kind in planes.kinds}
    ages = np.rint(of["tile_age"][0] * MAX_LAID).astype(int) - 1
    tiles = {cell: ages[cell] for cell in cells(of["tile"])}
    numbers = np.rint(of["tile_number"][0] * NUM_TILES).astype(int) - 1
    start_row, start_column = next(cell for cell in tiles if numbers[cell] == 0)
    view["lake_tile"] = WATER
    for (row, column), k in tiles.items():
        assert PLATFORM[numbers[row, column]] == of["tile_platform"][0, row, column]
        view["lake_tile"][k], view["lake_turn"][k] = numbers[row, column], np.rint(of["tile_turn"][0, row, column] * 3)
        view["lake_x"][k], view["lake_y"][k] = column - start_column, start_row - row
    for row, column in cells(of["free"]):
        slot = int(np.rint(of["slot"][0, row, column] * NUM_SLOTS)) - 1
        view["slot_open"][slot] = 1
        view["slot_x"][slot], view["slot_y"][slot] = column - start_column, start_row - row
        beside = ((row + 1, column), (row, column - 1), (row - 1, column), (row, column + 1))
        for side, cell in enumerate(beside):
            if cell in tiles:
                colours = of["tile_colour"][:, *cell].reshape(4, 7)[(side + 2) % 4]
                view["touch"][slot, side] = 1 + colours.argmax()
                view["touch_platform"][slot, side] = of["tile_platform"][0, *cell]


def lighthouse(planes, image, view):
    """Stacks and orders, from their columns."""
    of = {kind.name: image[planes.places[kind.name]] for kind in planes.kinds}
    upright = np.rint(of["stone"][:, ::-1]).astype(int)  # colour, level, column
    assert not upright[:, 1:, 0].any()
    view["harbour"] = upright[:, 0, 0]
    view["stones"] = upright[:, :, 1:9].transpose(2, 1, 0)
    for flags in (of["order"], of["claim"], of["proved_buried"], of["proved_held"], of["proved_holder"]):
        assert (flags == flags[:, :1]).all()
    view["order"] = of["order"][:, 0, 9:].T
    view["claim_island"], view["claim_order"] = of["claim"][0, 0, 1:9], of["claim"][0, 0, 9:]
    view["proved_buried"], view["proved_held"] = of["proved_buried"][0, 0, 9:], of["proved_held"][0, 0, 9:]
    view["proved_holder"] = of["proved_holder"][:, 0, 9:]


def cells(plane):
    return [tuple(map(int, cell)) for cell in np.argwhere(plane[0])]


def remade(game, image):
    """The bytes of the view behind an image."""
    views = np.zeros(1, game.view)
    constants(game, image, views[0])
    {"lanterns": lanterns, "lighthouse": lighthouse}[game.name](game.planes, image, views[0])
    return views.tobytes()


@pytest.mark.parametrize("game", sorted({name for name, _ in DRAWN}))
def test_planes_have_names_and_meanings_and_the_page_says_them(game):
    planes, page = GAMES[game].planes, page_script("observations")
    assert len(planes.kinds) == len(planes.places)
    assert planes.shape[0] == sum(kind.size for kind in planes.kinds)
    assert planes.drawn <= {field.name for field in GAMES[game].fields}
    text = page.PAGE.read_text()
    assert {name for name, _ in DRAWN} == {found[1] for found in page.MARKED.findall(text)}
    assert page.current(text) == text


@pytest.mark.parametrize("table", DRAWN, ids=str)
def test_the_view_can_be_made_again_from_the_image(table):
    name, num_players = table
    game = GAMES[name]

    @given(seed=st.integers(0, 2**64 - 1), steps=st.integers(0, 400 if COMPILED else 30))
    @settings(max_examples=EXAMPLES)
    def holds(seed, steps):
        batch = Batch(name, 1, num_players, seeds=[seed], autoreset=False)
        rng = np.random.default_rng(seed)
        for action in iter(lambda: batch.sample(rng)[0], -1):
            if steps == 0:
                break
            batch.step([action])
            steps -= 1
        views = np.concatenate([batch._look([0], [seat]) for seat in range(num_players)])
        images = game.planes(views)
        assert (0 == images[:, game.planes.places["tiles_outside"]]).all() if name == "lanterns" else True
        assert [view.tobytes() for view in views] == [remade(game, image) for image in images]

    holds()


@pytest.mark.parametrize("num_players", GAMES["lanterns"].players)
def test_every_slot_of_a_legal_placement_has_its_cell_and_match_says_what_it_would_bring(num_players):
    """Lanterns: the number of a placement is 92 + 12 * slot + 4 * hand position + side that faces the mover."""
    game = GAMES["lanterns"]
    places = game.planes.places
    batch = Batch(game, 1, num_players, seed=3, observation="planes")
    rng = np.random.default_rng(3)
    for _ in range(60 if COMPILED else 15):
        image, view, mask = batch.observations[0], batch.views[0], batch.action_masks[0]
        slots = np.rint(image[places["slot"]][0] * NUM_SLOTS).astype(int) - 1
        expected = {(number - 92) // 12 for number in np.flatnonzero(mask) if 92 <= number < 884}
        if view.phase == 3:
            assert expected == {int(slot) for slot in slots.ravel()} - {-1}
        for row, column in cells(image[places["free"]]):
            matches = image[places["match"], row, column].reshape(3, 4) * 4
            for position, side in np.ndindex(3, 4):
                shown = np.roll(view.hand_sides[position], -side)
                wanted = (shown == view.touch[slots[row, column]]) & (shown > 0)
                assert wanted.sum() == matches[position, side]
        batch.step(batch.sample(rng))


def straight(num_players, direction, length):
    """A lake in one line from the start tile, as far as so many placements bring it."""
    batch = Batch("lanterns", 1, num_players, seed=5, autoreset=False)
    rng = np.random.default_rng(5)
    laid = 0
    while laid < length and not batch.dones[0]:
        mask, view = batch.action_masks[0], batch.views[0]
        if view.phase != 3:
            batch.step(batch.sample(rng))
            continue
        views = batch._look([0], [0])[0]
        along = np.where(views.slot_open == 1, views.slot_x * direction[0] + views.slot_y * direction[1], -99)
        legal = np.flatnonzero(mask)
        batch.step([legal[(legal - 92) // 12 == along.argmax()][0]])
        laid += 1
    return batch


@pytest.mark.parametrize("direction", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_a_lake_that_is_no_longer_than_the_window_is_in_it_and_a_longer_one_is_counted(direction):
    game = GAMES["lanterns"]
    fits = SIZE - 3  # beside the start tile, with a free cell at each end
    for length in (fits, fits + 1, 31):
        batch = straight(4, direction, length)
        for seat in range(4):
            view = batch._look([0], [seat])
            image = game.planes(view)[0]
            outside = np.rint(image[game.planes.places["tiles_outside"], 0, 0] * MAX_LAID)[0]
            free = np.rint(image[game.planes.places["free_outside"], 0, 0] * NUM_SLOTS)[0]
            tiles = image[game.planes.places["tile"]].sum()
            assert 1 + length == tiles + outside
            assert view["slot_open"].sum() == image[game.planes.places["free"]].sum() + free
            assert (length > fits) == (outside + free > 0)
            assert 1 == (np.rint(image[game.planes.places["tile_number"]] * NUM_TILES) == 1).sum()  # the start tile
            if length <= fits:
                assert view[0].tobytes() == remade(game, image)
