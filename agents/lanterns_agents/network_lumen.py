"""Lumen: every slot of the own fan is judged by what else there is of its colour; all slots share their weights.

The exact chances of the own values follow from what is unseen and in order, and are worked out on the way.
"""

import math
from collections.abc import Mapping
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from lanterns_agents.lumen_strengths import OF_PLAYERS, OF_SLOT, strengths
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
MANY = MAX_VALUE + 1  # how many cards of a colour there may be, none too
NONE_ABOVE = MAX_VALUE + 1  # instead of the lowest revealed value above a slot
# Of a slot: its colour, held, its value; the best of its colour in the trick, led; rank and size of its group; chances
# to beat the trick and all others, how many beat it; the chances of its values, what others hold of its colour.
NUM_SEEN = NUM_COLOURS + 2 + 2 + 2 + 3 + MAX_PLAYERS * MAX_VALUE + OF_SLOT


class GameNetwork(Network):
    usual: ClassVar[Mapping[str, float]] = {"total": 10.0, "last_score": 5.0, "bid": 4.0, "tricks": 4.0}

    def __init__(self, game: Game, hidden: int = 256, item: int = 32) -> None:
        super().__init__(game, hidden, item)
        self.slot = nn.Linear(NUM_SEEN, item)
        self.slot_more = nn.Linear(item, item)
        self.trunk = trunk(NUM_SCALED + NUM_FLAGS + OF_PLAYERS + item + HAND * NUM_COLOURS, hidden)
        self.bids = quiet(nn.Linear(hidden, PLAYS))
        self.slot_context = nn.Linear(hidden, item)
        self.play = quiet(nn.Linear(item, 1))
        self.value = quiet(nn.Linear(hidden, 1))
        self.register_buffer("of_round", one_hot_table(1, ROUNDS), persistent=False)
        self.register_buffer("of_missing", one_hot_table(0, len(MISSING) - 1), persistent=False)
        ways = torch.tensor([[float(math.comb(n, k))] for n in range(MANY) for k in range(MANY)])
        self.register_buffer("ways", ways, persistent=False)  # to choose k of n, at MANY * n + k
        self.register_buffer("card_values", torch.arange(1.0, MAX_VALUE + 1), persistent=False)
        self.register_buffer("lower", torch.ones(HAND, HAND).tril(-1), persistent=False)

    of_round: Tensor
    of_missing: Tensor
    ways: Tensor
    card_values: Tensor
    lower: Tensor

    def evaluate(self, view: Views) -> tuple[Tensor, Tensor]:
        held = view["held"].float().unsqueeze(2)
        sights, players = self.see_slots(view, held)
        slots = self.slot_more(relu(self.slot(sights)))
        in_hand = view["slot_colour"].float() * held
        seen = [(relu(slots) * held).sum(1), in_hand.flatten(1)]
        known = self.trunk(torch.cat([*self.scaled(view, *SCALED), *self.flags(view), players, *seen], 1))
        plays = self.play(relu(slots + self.slot_context(known).unsqueeze(1))).squeeze(2)
        return torch.cat([self.bids(known), plays], 1), self.value(known).squeeze(1)

    def flags(self, view: Views) -> list[Tensor]:
        missing = (view["bid"] - view["tricks"]).clamp(MISSING[0], MISSING[-1]) - MISSING[0]
        return [
            looked_up(view["round_number"], self.of_round).flatten(1),
            looked_up(missing, self.of_missing).flatten(1),
        ]

    def see_slots(self, view: Views, held: Tensor) -> tuple[Tensor, Tensor]:
        """[N, 10, NUM_SEEN]; of the players [N, OF_PLAYERS]."""
        colour = view["slot_colour"].float()
        value = view["slot_value"].float().unsqueeze(2)
        in_trick = (view["trick_colour"] * view["trick_value"].unsqueeze(2)).float().amax(1)
        trick = colour @ torch.stack([in_trick, view["led"].float()], 2)
        others = colour @ view["hands"].float().transpose(1, 2).flatten(2)  # of its colour, by value: [N, 10, 48]
        chances, group = self.see_chances(view, colour, held, value)
        of_others = others.reshape(-1, HAND, MAX_PLAYERS - 1, MAX_VALUE).sum(2)
        higher = of_others.flip(2).cumsum(2).flip(2) - of_others
        beats = [(chances * (self.card_values > trick[:, :, :1])), chances * (higher == 0), chances * higher / HAND]
        beats = [each.sum(2, keepdim=True) for each in beats]
        slots, players = strengths(view, colour, chances, trick[:, :, :1], self.card_values)
        return torch.cat([colour, held, value / MAX_VALUE, trick, group, *beats, chances, others, slots], 2), players

    def see_chances(self, view: Views, colour: Tensor, held: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        """LU-74: chances of each value [N, 10, 12]; how many of its colour are in hand below and in all [N, 10, 2].

        The cards in hand between two revealed ones are some of the unseen values between these, in order.
        """
        same = colour @ colour.transpose(1, 2)
        revealed = value.transpose(1, 2)
        low = (same * self.lower * revealed).amax(2, keepdim=True)
        gap = (same * self.lower.T * (revealed > 0) * (NONE_ABOVE - revealed)).amax(2, keepdim=True)
        high = NONE_ABOVE - gap
        free = colour @ view["unseen"].float() * (self.card_values > low) * (self.card_values < high)
        together = same * (low == low.transpose(1, 2)) * (high == high.transpose(1, 2))
        before, count = (together * self.lower) @ held, together @ held
        below = free.cumsum(2) - free
        in_all = free.sum(2, keepdim=True)
        ways = self.choose(below, before) * self.choose(in_all - below - free, count - before - 1)
        chances = held * free * ways / self.choose(in_all, count).clamp(min=1)
        return chances, torch.cat([(same * self.lower) @ held, same @ held], 2) / HAND

    def choose(self, cards: Tensor, some: Tensor) -> Tensor:
        """In how many ways some of the cards can be chosen."""
        return looked_up(MANY * cards.clamp(min=0) + some.clamp(min=0), self.ways).squeeze(-1)
