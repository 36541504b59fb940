"""Lighthouse Architects: every step and every placement is judged by the board that it leads to.

Those boards are seen by compiled code (sights_lighthouse.py).  All actions share their weights.
"""

from collections.abc import Mapping
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import linear, relu

from lanterns_agents.lighthouse_places import NUM_WHERE
from lanterns_agents.lighthouse_reach import LAST
from lanterns_agents.lighthouse_stakes import Stakes
from lanterns_agents.network import Network, Views, quiet, trunk
from lanterns_agents.sights_lighthouse import (
    AT_BEGUN,
    AT_FINISHED,
    AT_LEFT,
    COLUMNS,
)
from lanterns_env.game import Game
from lanterns_env.games.lighthouse.components import POINTS
from lanterns_env.games.lighthouse.rules import LAY, NUM_ACTIONS, PLACES

# Of an option beside its sights: what the orders begun where it lands and where it starts are worth, and the one
# finished; what is at stake.
STAKES = 4 * (NUM_WHERE + 1)
WORTHS = 2 * 2 + 1 + STAKES
STAKE = 4.0  # chances to win seldom differ by more than a quarter


class GameNetwork(Network):
    usual: ClassVar[Mapping[str, float]] = {"laid": 4.0}

    def __init__(self, game: Game, hidden: int = 256, item: int = 64) -> None:
        super().__init__(game, hidden, item)
        self.stakes = Stakes()
        self.option = nn.Linear(COLUMNS + WORTHS, item)
        self.trunk = trunk(game.view.itemsize + 3 * item + 1 + 2 * NUM_WHERE, hidden)
        self.option_context = nn.Linear(hidden, item)
        self.option_more = nn.Linear(item, item)
        self.worth = quiet(nn.Linear(item, 1))
        self.claim = quiet(nn.Linear(hidden, NUM_ACTIONS - LAY))
        self.value = quiet(nn.Linear(hidden, 1))

    def evaluate(self, view: Views) -> tuple[Tensor, Tensor]:
        chance, gains, losses = self.stakes(view)
        gains, losses = STAKE * gains, STAKE * losses
        options = self.see_options(view["sights"].float(), gains.unsqueeze(1), losses.unsqueeze(1))
        seen = relu(options)
        seen_by_all = [seen.mean(1), seen.amax(1), seen[:, -1], chance, gains, losses]
        known = self.trunk(torch.cat([*self.scaled(view, *self.fields), *seen_by_all], 1))
        worths = relu(self.option_more(relu(options + self.option_context(known).unsqueeze(1))))
        logits = self.worth(worths).squeeze(2)
        placements = logits[:, : LAY - PLACES]
        return torch.cat([logits, placements, self.claim(known)], 1), self.value(known).squeeze(1)

    def see_options(self, sights: Tensor, gains: Tensor, losses: Tensor) -> Tensor:
        """The first layer: [N, 10, items].  In two parts, for sights and worths would have to be copied together."""
        weights, more = torch.split(self.option.weight, [COLUMNS, WORTHS], dim=1)
        return linear(sights, weights, self.option.bias) + linear(see_worths(sights, gains, losses), more)


def see_worths(sights: Tensor, gains: Tensor, losses: Tensor) -> Tensor:
    """What is to be gained and lost after each option: [N, 10, WORTHS], from the sights [N, 10, COLUMNS]."""
    landing, start = torch.split(sights[:, :, AT_BEGUN:], NUM_WHERE, dim=2)
    finished = sights[:, :, AT_FINISHED:AT_LEFT]
    counted = ((landing, gains), (landing, losses), (start, gains), (start, losses), (finished, gains))
    sums = [(orders * worth).sum(2, keepdim=True) for orders, worth in counted]
    return torch.cat([*sums, see_stakes(sights, gains, losses)], 2)


def see_stakes(sights: Tensor, gains: Tensor, losses: Tensor) -> Tensor:
    """What the next player could finish after each option, and at the end of the turn; what the viewer could with
    the points left, and were it his turn again: by place, and the most of it [N, 10, STAKES]."""
    within = sights[:, :, : POINTS * NUM_WHERE].reshape(*sights.shape[:2], POINTS, NUM_WHERE)
    points_left = sights[:, :, AT_LEFT + 1 : AT_LEFT + 1 + POINTS]
    this_turn = (points_left.unsqueeze(3) * within).sum(2)
    at_once, at_end = within[:, :, LAST], sights[:, :, AT_FINISHED - NUM_WHERE : AT_FINISHED]
    feared = [(each > 0) * losses for each in (at_once, at_end)]
    hoped = [(each > 0) * gains for each in (this_turn, at_once)]
    worst = [each.amin(2, keepdim=True) for each in feared]
    best = [each.amax(2, keepdim=True) for each in hoped]
    return torch.cat([*feared, *worst, *hoped, *best], 2)
