"""Positions of Lanterns for the tests: dealt, then changed by hand.

Tiles and lanterns are moved, never made: what a helper puts somewhere is taken from where it was.
"""

from functools import partial
from typing import Any

import numba
import numpy as np

from lanterns_env.games import GAMES
from lanterns_env.games.lanterns import components, lake, rules
from lanterns_env.games.lanterns.components import COLOURS
from tests import positions
from tests.positions import copy_of  # noqa: F401

GAME = GAMES["lanterns"]
COMPILED = numba.config.DISABLE_JIT == 0
TOWARDS_CHAIR = [(0, -1), (-1, 0), (0, 1), (1, 0)]  # the neighbour cell towards each chair, as chair 0 sees it
TABLES = [(2, {}), (3, {"empty_chair": 1}), (3, {"empty_chair": 2}), (3, {"empty_chair": 3}), (4, {})]


view_of = partial(positions.view_of, GAME)
legal_actions = partial(positions.legal_actions, GAME)


def new_state(num_players: int = 4, seed: int = 7, **options: Any) -> Any:
    """A game just dealt."""
    return positions.dealt(GAME, num_players, seed, **options)


def offered(state: Any) -> set[str]:
    """The words of all that may be done."""
    view = view_of(state)
    return {GAME.describe(view, action) for action in legal_actions(state)}


def play(state: Any, *moves: str) -> None:
    """Play moves given as words, each by the seat to move."""
    for words in moves:
        action = GAME.parse(view_of(state), words)
        assert action in legal_actions(state), GAME.why_illegal(view_of(state), action)
        GAME.play(state, action)


def play_random(state: Any, rng: Any, until_turn: int | None = None) -> None:
    """Play on at random, to the end or to the first decision of a turn."""
    while not state.over and (until_turn is None or state.turn < until_turn):
        GAME.play(state, int(rng.choice(legal_actions(state))))


def start_turn(state: Any, seat: int) -> None:
    """It becomes a seat's turn, at its first step with a choice."""
    state.player = seat
    rules.go_on(state, rules.EXCHANGE)


def set_turn(state: Any, turn: int) -> None:
    """So many turns have ended: the clock, and nothing else."""
    state.turn = turn
    state.player = turn % state.num_players


def clear_tiles(state: Any) -> None:
    """All hands and the pile are played: only final turns are left."""
    state.hands[:] = rules.NO_TILE
    state.pile[:] = rules.NO_TILE
    state.pile_left = 0
    lake.clear_slots(state)
    set_turn(state, int(state.num_players * components.PLACEMENTS[state.num_players - 2]))


def set_lanterns(state: Any, seat: int, **numbers: int) -> None:
    """A seat holds these lanterns and no others; the difference is made up from the supply."""
    state.supply += state.lanterns[seat]
    state.lanterns[seat] = [numbers.get(colour, 0) for colour in COLOURS]
    state.supply -= state.lanterns[seat]
    assert set(numbers) <= set(COLOURS)
    assert state.supply.min() >= 0


def set_supply(state: Any, **numbers: int) -> None:
    """Stacks of another height: the difference goes out of the game or comes into it."""
    for colour, number in numbers.items():
        state.supply[COLOURS.index(colour)] = number


def lanterns(state: Any, seat: int) -> dict[str, int]:
    """The lanterns of a seat by colour, without those it has none of."""
    return named(state.lanterns[seat])


def named(numbers: Any) -> dict[str, int]:
    return {colour: int(number) for colour, number in zip(COLOURS, numbers, strict=True) if number}


def gained(before: Any, after: Any, seat: int) -> dict[str, int]:
    return named(after.lanterns[seat] - before.lanterns[seat])


def set_hand(state: Any, seat: int, *tiles: int) -> None:
    """A seat holds these tiles, each changed for the one that it held."""
    for position, tile in enumerate(tiles):
        swap(state, tile, state.hands[seat], position)


def swap(state: Any, tile: int, field: Any, index: int) -> None:
    """Put a tile to a place; what lay there goes where the tile was."""
    for other in (*state.hands[: state.num_players], state.pile, state.box):
        for k in np.flatnonzero(other == tile):
            other[k] = field[index]
    field[index] = tile


def lay(state: Any, tile: int, cell: tuple[int, int], side: str, chair: int = 0) -> None:
    """Lay a tile from the pile on a free cell (as chair 0 sees it), the first side of a colour facing a chair."""
    state.pile_left -= 1
    swap(state, tile, state.pile, state.pile_left)
    state.pile[state.pile_left] = rules.NO_TILE
    turn = (components.TILES[tile].tolist().index(COLOURS.index(side)) - chair) % 4
    lake.place(state, slot_at(state, cell), tile, turn, True)


def slot_at(state: Any, cell: tuple[int, int]) -> int:
    return slots(state).index(cell)


def slots(state: Any) -> list[tuple[int, int] | None]:
    """The cells of the slots, as chair 0 sees them."""
    return [
        (int(x), int(y)) if is_open else None
        for is_open, x, y in zip(state.slot_open, state.slot_x, state.slot_y, strict=True)
    ]


def laid(state: Any) -> dict[tuple[int, int], tuple[int, int]]:
    """Cell -> tile and the printed side that faces chair 0."""
    return {
        (int(state.laid_x[k]), int(state.laid_y[k])): (int(state.laid[k]), int(state.laid_turn[k]))
        for k in range(state.num_laid)
    }


def last_placement():
    """Seat 3 of four lays the last tile, and nobody has lanterns worth a thought."""
    state = new_state(4)
    for seat in range(4):
        set_lanterns(state, seat)
    set_hand(state, 3, 5)
    state.hands[:3] = rules.NO_TILE
    state.hands[3, 1:] = rules.NO_TILE
    state.pile_left = 0
    set_turn(state, 31)
    start_turn(state, 3)
    return state


def line(state: Any, chair: int) -> Any:
    """Lay every tile of the game in one straight line towards a chair; yields the free cells before each placement."""
    dx, dy = TOWARDS_CHAIR[chair]
    tip = 0
    while (state.hands != rules.NO_TILE).any():
        while state.phase != rules.PLACE:
            GAME.play(state, legal_actions(state)[-1])  # skip, or return a lantern
        row = [(k * dx, k * dy) for k in range(tip + 1)]
        yield {(x + a, y + b) for x, y in row for a, b in TOWARDS_CHAIR} - set(row)
        tip += 1
        slot = slot_at(state, (tip * dx, tip * dy))
        GAME.play(state, next(action for action in legal_actions(state) if action >= rules.PLACES + 12 * slot))
