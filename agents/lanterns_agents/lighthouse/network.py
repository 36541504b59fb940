"""Lighthouse Architects: every step and every placement is evaluated by the board that it leads to.

Those boards are seen by compiled code (``lighthouse/features.py``).  All actions share their weights.
"""

from collections.abc import Mapping
from typing import ClassVar

from lanterns_env.support.extras import needed_by

with needed_by(__name__):
    import torch
    from torch import Tensor, nn
    from torch.nn.functional import linear, relu

from lanterns_agents.lighthouse.features import (
    AROUND,
    AT_BEGUN,
    AT_LEFT,
    AT_START,
    COLUMNS,
    IN_ALL,
    OPTIONS,
    ROUND,
    ROWS,
)
from lanterns_agents.networks.base import Network, Views, scale_output_layer, trunk
from lanterns_env.engine.game import Game
from lanterns_env.games.lighthouse.components import NUM_ISLANDS
from lanterns_env.games.lighthouse.rules import LAY, NUM_ACTIONS, PLACES

FIRST_OF_EQUALS = 1e-4  # off a logit for every option before: stones on opposite sides are alike but for rounding


class GameNetwork(Network):
    typical_range: ClassVar[Mapping[str, float]] = {"laid": 4.0}

    def __init__(self, game: Game, hidden_size: int = 256, entity_size: int = 64) -> None:
        super().__init__(game, hidden_size, entity_size)
        self.option = nn.Linear(COLUMNS + ROUND, entity_size)
        self.trunk = trunk(game.view.itemsize + 3 * entity_size + IN_ALL, hidden_size)
        self.option_context = nn.Linear(hidden_size, entity_size)
        self.option_more = nn.Linear(entity_size, entity_size)
        self.worth = scale_output_layer(nn.Linear(entity_size, 1))
        self.claim = scale_output_layer(nn.Linear(hidden_size, NUM_ACTIONS - LAY))
        self.value = scale_output_layer(nn.Linear(hidden_size, game.max_players))
        numbers = torch.arange(NUM_ISLANDS)
        turned = (numbers - numbers[:, None]) % NUM_ISLANDS  # [where one stands, island]: how far it is
        self.register_buffer("turned", turned.flatten(), persistent=False)
        starts = torch.arange(OPTIONS) % NUM_ISLANDS
        starts[NUM_ISLANDS:] = 0  # the last island's stone steps where the harbour's does; so does none
        self.register_buffer("starts", starts, persistent=False)
        self.register_buffer("handicap", FIRST_OF_EQUALS * torch.arange(OPTIONS), persistent=False)

    turned: Tensor
    starts: Tensor
    handicap: Tensor

    def evaluate(self, view: Views) -> tuple[Tensor, Tensor]:
        features = view["features"].reshape(-1, ROWS, COLUMNS)
        rest = features[:, OPTIONS:].flatten(1)
        options = self.see_options(features, rest[:, :ROUND])
        possible = features[:, :OPTIONS, AT_LEFT:AT_START].sum(2, keepdim=True)
        seen = relu(options) * possible
        seen_by_all = [seen.mean(1), seen.amax(1), seen[:, -1], rest[:, ROUND : ROUND + IN_ALL]]
        trunk_out = self.trunk(torch.cat([*self.scaled(view, *self.fields), *seen_by_all], 1))
        worths = relu(self.option_more(relu(options + self.option_context(trunk_out).unsqueeze(1))))
        logits = self.worth(worths).squeeze(2) - self.handicap
        placements = logits[:, : LAY - PLACES]
        return torch.cat([logits, placements, self.claim(trunk_out)], 1), self.value(trunk_out)

    def see_options(self, features: Tensor, islands: Tensor) -> Tensor:
        """What each option amounts to: its own columns, and all islands as they lie from where it starts.

        The weights are turned, not the islands.
        """
        size = self.option.out_features
        before, around, after = torch.split(self.option.weight, [AT_BEGUN, ROUND, COLUMNS - AT_BEGUN], 1)
        turned = around.reshape(size, NUM_ISLANDS, AROUND).index_select(1, self.turned)
        turned = turned.reshape(size, NUM_ISLANDS, ROUND).transpose(0, 1).reshape(NUM_ISLANDS * size, ROUND)
        bias = self.option.bias.repeat(NUM_ISLANDS)
        rounds = linear(islands, turned, bias).reshape(-1, NUM_ISLANDS, size)
        alone = linear(features, torch.cat([before, after], 1))[:, :OPTIONS]
        return alone + rounds.index_select(1, self.starts)
