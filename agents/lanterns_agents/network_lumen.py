"""Lumen: every slot of the own fan is judged by what else there is of its colour; all slots share their weights."""

from collections.abc import Mapping
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from lanterns_agents.network import Network, Views, looked_up, one_hot_table, quiet, trunk
from lanterns_env.game import Game
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
# Of a slot: its colour, held, its value; the best of its colour in the trick, led; rank and size of its group, bounds;
# the chances of its values, and of its colour what is unseen and what each other holds.
NUM_SEEN = NUM_COLOURS + 2 + 2 + 4 + (2 + MAX_PLAYERS - 1) * MAX_VALUE


class GameNetwork(Network):
    usual: ClassVar[Mapping[str, float]] = {"total": 10.0, "last_score": 5.0, "bid": 4.0, "tricks": 4.0}

    def __init__(self, game: Game, hidden: int = 256, item: int = 32) -> None:
        super().__init__(game, hidden, item)
        self.slot = nn.Linear(NUM_SEEN, item)
        self.slot_more = nn.Linear(item, item)
        self.trunk = trunk(NUM_SCALED + NUM_FLAGS + item + HAND * NUM_COLOURS, hidden)
        self.bids = quiet(nn.Linear(hidden, PLAYS))
        self.slot_context = nn.Linear(hidden, item)
        self.play = quiet(nn.Linear(item, 1))
        self.value = quiet(nn.Linear(hidden, 1))
        self.register_buffer("of_round", one_hot_table(1, ROUNDS), persistent=False)
        self.register_buffer("of_missing", one_hot_table(0, len(MISSING) - 1), persistent=False)
        self.register_buffer("lower", torch.ones(HAND, HAND).tril(-1), persistent=False)

    of_round: Tensor
    of_missing: Tensor
    lower: Tensor

    def evaluate(self, view: Views) -> tuple[Tensor, Tensor]:
        held = view["held"].float().unsqueeze(2)
        slots = self.slot_more(relu(self.slot(self.see_slots(view, held))))
        in_hand = view["slot_colour"].float() * held
        seen = [(relu(slots) * held).sum(1), in_hand.flatten(1)]
        known = self.trunk(torch.cat([*self.scaled(view, *SCALED), *self.flags(view), *seen], 1))
        plays = self.play(relu(slots + self.slot_context(known).unsqueeze(1))).squeeze(2)
        return torch.cat([self.bids(known), plays], 1), self.value(known).squeeze(1)

    def flags(self, view: Views) -> list[Tensor]:
        missing = (view["bid"] - view["tricks"]).clamp(MISSING[0], MISSING[-1]) - MISSING[0]
        return [
            looked_up(view["round_number"], self.of_round).flatten(1),
            looked_up(missing, self.of_missing).flatten(1),
        ]

    def see_slots(self, view: Views, held: Tensor) -> Tensor:
        """[N, 10, NUM_SEEN]."""
        colour = view["slot_colour"].float()
        value = view["slot_value"].float().unsqueeze(2) / MAX_VALUE
        cards = torch.cat([view["unseen"].unsqueeze(1), view["hands"]], 1).float()
        of_colour = colour @ cards.transpose(1, 2).flatten(2)  # unseen, then each other player's, by value
        in_trick = (view["trick_colour"] * view["trick_value"].unsqueeze(2)).float().amax(1) / MAX_VALUE
        trick = colour @ torch.stack([in_trick, view["led"].float()], 2)
        belief = view["belief"].float() / self.units["belief"]
        return torch.cat([colour, held, value, trick, self.see_groups(colour, held, value), belief, of_colour], 2)

    def see_groups(self, colour: Tensor, held: Tensor, value: Tensor) -> Tensor:
        """Cards of the same colour still in hand below and in all, revealed values below and above: [N, 10, 4]."""
        same = colour @ colour.transpose(1, 2)
        below, above = same * self.lower, same * self.lower.T
        revealed = value.transpose(1, 2)
        highest_below = (below * revealed).amax(2, keepdim=True)
        lowest_above = (above * (revealed > 0) * (1 - revealed)).amax(2, keepdim=True)
        return torch.cat([below @ held / HAND, same @ held / HAND, highest_below, lowest_above], 2)
