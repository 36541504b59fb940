"""What the expert of Lanterns has to find in positions set up by hand."""

import numpy as np
import pytest
from lanterns_agents.lanterns.expert import choose_rows
from lanterns_agents.lanterns.weights import BOUNDS
from lanterns_agents.weights import read_weights, vector_for, weights_file

from lanterns_env.games.lanterns.components import COLOURS, TILES
from tests.lanterns.setup import (
    GAME,
    clear_tiles,
    lanterns,
    new_state,
    play,
    set_hand,
    set_lanterns,
    start_turn,
    view_of,
)

VECTORS = read_weights(weights_file("lanterns"), BOUNDS)


def chosen(state):
    """What the expert does, in words."""
    views, masks, actions = np.zeros(1, GAME.view), np.zeros((1, GAME.num_actions), np.int8), np.zeros(1, np.int64)
    GAME.observe(state, int(state.player), views[0])
    GAME.legal(state, masks[0])
    choose_rows(views, masks, vector_for(VECTORS, int(state.num_players)), actions)
    return GAME.describe(view_of(state), int(actions[0]))


def final_turn(num_players, favors=0, **numbers):
    """Seat 0 in its final turn with these lanterns, the others with none."""
    state = new_state(num_players)
    for seat in range(num_players):
        set_lanterns(state, seat)
    clear_tiles(state)
    set_lanterns(state, 0, **numbers)
    state.favors[0] = favors
    start_turn(state, 0)
    return state


@pytest.mark.parametrize("num_players", [2, 3, 4])
class TestFinalTurn:
    def test_the_dearest_set_is_dedicated(self, num_players):
        state = final_turn(num_players, red=4, blue=2, green=2)
        assert "dedicate three pairs: green, blue, red" == chosen(state)

    def test_an_exchange_completes_a_dearer_set(self, num_players):
        numbers = dict.fromkeys(("orange", "green", "purple", "white", "blue"), 1)
        state = final_turn(num_players, 2, red=4, **numbers)
        assert "exchange red for black" == chosen(state)

    def test_favors_are_kept_for_a_tie_where_an_exchange_brings_nothing(self, num_players):
        assert "skip" == chosen(final_turn(num_players, 3, red=4))


def test_a_placement_completes_a_set():
    state = new_state(2)
    set_hand(state, 0, tile_with("blue"))
    set_lanterns(state, 0, blue=3)
    play(state, chosen(state))
    assert 4 == lanterns(state, 0)["blue"]


def tile_with(colour):
    return int(np.flatnonzero((TILES[1:] == COLOURS.index(colour)).any(axis=1))[0]) + 1
