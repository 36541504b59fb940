"""The memory of a batch: one block of bytes, and in it the four tables that the kernels work on."""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lanterns_env.engine import kernels
from lanterns_env.engine.game import Game

LINE_BYTES = 64  # every table begins at a multiple of so many


class Tables(NamedTuple):
    """A row a game, in the order in which the kernels take them."""

    states: NDArray[Any]
    views: NDArray[Any]
    masks: NDArray[np.int8]  # filled up to whole words
    reports: NDArray[Any]


def empty_block(game: Game, num_games: int) -> NDArray[np.uint8]:
    """Memory for so many games, blank."""
    return np.zeros(block_bytes(game, num_games), np.uint8)


def block_bytes(game: Game, num_games: int) -> int:
    """The size of a block."""
    return _places(game, num_games)[-1]


def tables_in(game: Game, block: NDArray[np.uint8], num_games: int) -> Tables:
    """The tables of a block; if it can only be read, so can they."""
    states, views, masks, reports, _ = _places(game, num_games)
    return Tables(
        np.ndarray(num_games, game.state, block, states),
        np.ndarray(num_games, game.view, block, views),
        np.ndarray((num_games, kernels.mask_width(game.num_actions)), np.int8, block, masks),
        np.ndarray(num_games, kernels.report_dtype(game.max_players), block, reports),
    )


def records_of(reports: NDArray[Any], rows: NDArray[np.int64], num_seats: int) -> NDArray[Any]:
    """What is kept of the games that ended last in some rows."""
    of_seats = [(name, np.float32, num_seats) for name in ("points", "shares")]
    records = np.zeros(len(rows), [("row", np.int64), ("seed", np.uint64), ("length", np.int64), *of_seats])
    ended = reports[rows]
    records["row"] = rows
    records["seed"], records["length"] = ended["last_seed"], ended["last_length"]
    records["points"], records["shares"] = ended["last_points"][:, :num_seats], ended["last_shares"][:, :num_seats]
    return records


@lru_cache
def _places(game: Game, num_games: int) -> tuple[int, ...]:
    """Where each table begins, and where the last ends."""
    report = kernels.report_dtype(game.max_players)
    places = [0]
    for size in (game.state.itemsize, game.view.itemsize, kernels.mask_width(game.num_actions), report.itemsize):
        places.append(places[-1] + -(-num_games * size // LINE_BYTES) * LINE_BYTES)
    return tuple(places)
