"""What a notebook shows of many games: the first of them, side by side."""

from typing import Any

import numpy as np

from lanterns_env.games.svg import Picture, grid, svg

SHOWN, COLUMNS = 4, 2  # games, and how many side by side


def picture_of(batch: Any, row: int, seat: int) -> Picture:
    """One game through the eyes of a seat; -1 shows the whole table."""
    seats = np.arange(batch.num_players[row]) if seat < 0 else np.array([seat])
    picture: Picture = batch.game.picture(batch._look(np.full(len(seats), row), seats))
    return picture


def svg_of_games(batch: Any, seats: Any = None) -> str | None:
    """The first games of a batch, each through the eyes of a seat: by default of who is to move.

    Of a game that is over, where nobody is to move, the whole table is shown.
    """
    if batch.game.picture is None:
        return None
    over = batch.dones & (not batch.autoreset)
    eyes = np.where(over, -1, batch.current_players) if seats is None else seats
    pictures = [picture_of(batch, row, int(eyes[row])) for row in range(min(SHOWN, len(batch)))]
    return svg(grid(pictures, min(COLUMNS, len(pictures))))
