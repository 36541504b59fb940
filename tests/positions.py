"""Single games as records, to be set up by hand and asked directly."""

from typing import Any

import numpy as np

from lanterns_env.engine.game import Game


def dealt(game: Game, num_players: int, seed: int = 7, **options: Any) -> Any:
    """A game just dealt."""
    states = game.blank(game.check_options(num_players, options))
    states["num_players"] = num_players
    states["seed"] = seed
    game.deal(states[0], num_players, np.uint64(seed))
    return states[0]


def copy_of(state: Any) -> Any:
    states = np.zeros(1, state.dtype)
    states[0] = state
    return states[0]


def view_of(game: Game, state: Any, seat: int | None = None) -> Any:
    """What a seat sees, by default the seat to move."""
    views = np.full(1, 99, np.int8).repeat(game.view.itemsize).view(game.view)  # every field has to be written
    game.observe(state, int(state.player) if seat is None else seat, views[0])
    return views[0]


def legal_actions(game: Game, state: Any) -> list[int]:
    mask = np.full(game.num_actions + 7, 9, np.int8)  # a batch fills its masks up to whole words
    count = game.legal(state, mask)
    actions = np.flatnonzero(mask).tolist()
    assert count == len(actions) == mask.sum()
    return actions
