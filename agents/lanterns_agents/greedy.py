"""The agent "greedy": by a compiled rule of thumb for each game, from views and masks alone."""

import importlib
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.agent import Table

RULES_OF_THUMB = "lanterns_agents.greedy_"  # and the name of a game


class Greedy:
    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        actions = np.empty(len(table), np.int64)
        _choose_rows(table.game.name)(table.views, table.masks, actions)
        return actions


@cache
def _choose_rows(game: str) -> Any:
    """The rule of a game, in a module of its own."""
    if find_spec(RULES_OF_THUMB + game) is None:
        raise ValueError(f"there is no greedy play for {game!r}")
    return importlib.import_module(RULES_OF_THUMB + game).choose_rows
