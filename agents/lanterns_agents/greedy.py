"""The agent "greedy": by a compiled rule of thumb for each game, from views and masks alone."""

import importlib
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.agent import Table

GAMES = ("lanterns", "lumen", "lighthouse")


class Greedy:
    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        actions = np.empty(len(table), np.int64)
        _choose_rows(table.game.name)(table.views, table.masks, actions)
        return actions


@cache
def _choose_rows(game: str) -> Any:
    if game not in GAMES:
        raise ValueError(f"there is no greedy play for {game!r}; there is for: {', '.join(GAMES)}")
    return importlib.import_module(f"lanterns_agents.greedy_{game}").choose_rows
