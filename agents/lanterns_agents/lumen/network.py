"""Lumen: every slot of the own fan is evaluated by what else there is of its colour; all slots share their weights.

What each may be and do is worked out by compiled code (``lumen/features.py``).
"""

from collections.abc import Mapping
from typing import ClassVar

from lanterns_env.support.extras import needed_by

with needed_by(__name__):
    import torch
    from torch import Tensor, nn
    from torch.nn.functional import relu

from lanterns_agents.lumen.features import COLUMNS, OF_PLAYERS
from lanterns_agents.networks.base import Network, Views, lookup, one_hot_table, scale_output_layer, trunk
from lanterns_env.engine.game import Game
from lanterns_env.games.lumen.components import HAND, MAX_PLAYERS, MAX_VALUE, NUM_COLOURS, ROUNDS
from lanterns_env.games.lumen.rules import PLAYS

SCALED = (
    *(
        "num_players",
        "phase",
        "tricks_done",
        "top_value",
        "bid_limit",
        "dark_plus",
        "starter",
        "leader",
        "has_bid",
        "bid",
    ),
    *("extra", "tricks", "total", "last_score", "undealt", "led", "trick_colour", "trick_value", "hands", "unseen"),
)
NUM_SCALED = (
    5 + 9 * MAX_PLAYERS + 2 * NUM_COLOURS + MAX_PLAYERS * (NUM_COLOURS + 1) + MAX_PLAYERS * NUM_COLOURS * MAX_VALUE
)
MISSING = range(-2, 6)  # tricks that a player still needs for its bid
NUM_FLAGS = ROUNDS + MAX_PLAYERS * len(MISSING)


class GameNetwork(Network):
    typical_range: ClassVar[Mapping[str, float]] = {"total": 10.0, "last_score": 5.0, "bid": 4.0, "tricks": 4.0}

    def __init__(self, game: Game, hidden_size: int = 256, entity_size: int = 32) -> None:
        super().__init__(game, hidden_size, entity_size)
        self.slot = nn.Linear(COLUMNS, entity_size)
        self.slot_more = nn.Linear(entity_size, entity_size)
        self.trunk = trunk(NUM_SCALED + NUM_FLAGS + OF_PLAYERS + entity_size + HAND * NUM_COLOURS, hidden_size)
        self.bids = scale_output_layer(nn.Linear(hidden_size, PLAYS))
        self.slot_context = nn.Linear(hidden_size, entity_size)
        self.play = scale_output_layer(nn.Linear(entity_size, 1))
        self.value = scale_output_layer(nn.Linear(hidden_size, game.max_players))
        self.register_buffer("of_round", one_hot_table(1, ROUNDS), persistent=False)
        self.register_buffer("of_missing", one_hot_table(0, len(MISSING) - 1), persistent=False)

    of_round: Tensor
    of_missing: Tensor

    def evaluate(self, view: Views) -> tuple[Tensor, Tensor]:
        held = view["held"].float().unsqueeze(2)
        features, players = torch.split(view["features"], [HAND * COLUMNS, OF_PLAYERS], dim=1)
        slots = self.slot_more(relu(self.slot(features.reshape(-1, HAND, COLUMNS))))
        in_hand = view["slot_colour"].float() * held
        seen = [(relu(slots) * held).sum(1), in_hand.flatten(1)]
        trunk_out = self.trunk(torch.cat([*self.scaled(view, *SCALED), *self.flags(view), players, *seen], 1))
        valued = relu(slots + self.slot_context(trunk_out).unsqueeze(1))
        plays = self.play(valued - valued.mean(1, keepdim=True)).squeeze(2)  # what all have in common costs precision
        return torch.cat([self.bids(trunk_out), plays], 1), self.value(trunk_out)

    def flags(self, view: Views) -> list[Tensor]:
        missing = (view["bid"] - view["tricks"]).clamp(MISSING[0], MISSING[-1]) - MISSING[0]
        return [
            lookup(view["round_number"], self.of_round).flatten(1),
            lookup(missing, self.of_missing).flatten(1),
        ]
