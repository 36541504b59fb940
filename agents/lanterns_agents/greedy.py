"""The agent "greedy": by a compiled rule of thumb for each game, from views and masks alone."""

import numpy as np
from numpy.typing import NDArray

from lanterns_agents.per_game import module_for
from lanterns_env.agent import Table


class Greedy:
    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        actions = np.empty(len(table), np.int64)
        module_for("greedy", table.game.name).choose_rows(table.views, table.action_masks, actions)
        return actions
