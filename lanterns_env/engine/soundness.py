"""Whether records that come from outside are games that can be played on: compiled code checks no bounds."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.engine import kernels
from lanterns_env.engine.compile import specialise
from lanterns_env.engine.game import Game


def check_states(game: Game, states: NDArray[Any], what: str) -> None:
    """ValueError, naming what they came in, unless every state is one that play may go on from.

    Players, flags and options are checked for every game, all else by the ``sound`` of the game.  A game from outside
    that has none is trusted with its own fields.
    """
    counts, players = states["num_players"], states["player"]
    if not np.isin(counts, game.players).all() or not ((players >= 0) & (players < counts)).all():
        raise ValueError(f"{what} is damaged: its players do not exist")
    if not are_flags(states) or (states["truncated"] & ~states["over"]).any():
        raise ValueError(f"{what} is damaged: what can only be yes or no is neither")
    for name in game.options:
        if not all(_allows(game, name, state) for state in np.unique(states[["num_players", name]])):
            raise ValueError(f"{what} is damaged: its option {name} has no such value")
    if game.sound is not None and not _are_sound(game, states):
        raise ValueError(f"{what} is damaged: no game of {game.title} can stand like that")


def are_flags(records: NDArray[Any]) -> bool:
    """Whether every truth value is a 0 or a 1: compiled code may take another byte for either."""
    fields = (records[name] for name in records.dtype.names or ())
    return all((field.view(np.uint8) <= 1).all() for field in fields if field.dtype == np.bool_)


def _allows(game: Game, name: str, state: Any) -> bool:
    """Whether the code in a state stands for a value that the option allows at such a table."""
    option, code = game.options[name], int(state[name])
    return option.has(code) and option.allows(option.value(code), int(state["num_players"]))


def _are_sound(game: Game, states: NDArray[Any]) -> bool:
    mask = np.zeros(kernels.mask_width(game.num_actions), np.int8)
    return bool(specialise(kernels.all_sound, game)(states, mask))
