"""Lighthouse Architects: every step and every placement is judged by the board that it leads to.

Those boards are seen by compiled code (sights_lighthouse.py).  All actions share their weights.
"""

from collections.abc import Mapping
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from lanterns_agents.network import Network, Views, quiet, trunk
from lanterns_agents.sights_lighthouse import COLUMNS, IN_ALL, OPTIONS
from lanterns_env.game import Game
from lanterns_env.games.lighthouse.rules import LAY, NUM_ACTIONS, PLACES


class GameNetwork(Network):
    usual: ClassVar[Mapping[str, float]] = {"laid": 4.0}

    def __init__(self, game: Game, hidden: int = 256, item: int = 64) -> None:
        super().__init__(game, hidden, item)
        self.option = nn.Linear(COLUMNS, item)
        self.trunk = trunk(game.view.itemsize + 3 * item + IN_ALL, hidden)
        self.option_context = nn.Linear(hidden, item)
        self.option_more = nn.Linear(item, item)
        self.worth = quiet(nn.Linear(item, 1))
        self.claim = quiet(nn.Linear(hidden, NUM_ACTIONS - LAY))
        self.value = quiet(nn.Linear(hidden, 1))

    def evaluate(self, view: Views) -> tuple[Tensor, Tensor]:
        sights, in_all = torch.split(view["sights"], [OPTIONS * COLUMNS, IN_ALL], dim=1)
        options = self.option(sights.reshape(-1, OPTIONS, COLUMNS))
        seen = relu(options)
        seen_by_all = [seen.mean(1), seen.amax(1), seen[:, -1], in_all]
        known = self.trunk(torch.cat([*self.scaled(view, *self.fields), *seen_by_all], 1))
        worths = relu(self.option_more(relu(options + self.option_context(known).unsqueeze(1))))
        logits = self.worth(worths).squeeze(2)
        placements = logits[:, : LAY - PLACES]
        return torch.cat([logits, placements, self.claim(known)], 1), self.value(known).squeeze(1)
