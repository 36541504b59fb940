"""Lighthouse Architects: every stone is judged by what it lifts from and what it lands on; all share their weights.

Positions are the harbour (0) and the islands (1..8), as the actions that move a stone are numbered.
"""

from collections.abc import Mapping
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import pad, relu

from lanterns_agents.network import Network, Views, quiet, trunk
from lanterns_env.game import Game
from lanterns_env.games.lighthouse.components import (
    CARDS,
    NUM_COLOURS,
    NUM_ISLANDS,
    POINTS,
    TOWER,
)
from lanterns_env.games.lighthouse.encoding import NUM_PLACES
from lanterns_env.games.lighthouse.rules import NUM_ACTIONS

POSITIONS = 1 + NUM_ISLANDS
STACK = TOWER * NUM_COLOURS  # flags of a stack
WHERE = NUM_PLACES + 2  # of an order: its place, proved buried, proved held
FUTURES = 2  # towers that a stone finishes, and those that it leaves one short
NUM_SEEN = 3 * STACK + POINTS * FUTURES * WHERE
NEXT = [*range(1, POSITIONS), 1]  # the position clockwise of each


class GameNetwork(Network):
    usual: ClassVar[Mapping[str, float]] = {"laid": 4.0}

    def __init__(self, game: Game, hidden: int = 256, item: int = 48) -> None:
        super().__init__(game, hidden, item)
        self.stone = nn.Linear(NUM_SEEN, item)
        self.trunk = trunk(game.view.itemsize + 2 * item, hidden)
        self.policy = quiet(nn.Linear(hidden, NUM_ACTIONS - POSITIONS))
        self.stone_context = nn.Linear(hidden, item)
        self.move = quiet(nn.Linear(item, 1))
        self.value = quiet(nn.Linear(hidden, 1))
        cards = torch.nn.functional.one_hot(torch.tensor(CARDS).long(), NUM_COLOURS).float()
        self.register_buffer("cards", cards, persistent=False)  # [24, 4, 3]
        self.register_buffer("following", torch.tensor(NEXT), persistent=False)

    cards: Tensor
    following: Tensor

    def evaluate(self, view: Views) -> tuple[Tensor, Tensor]:
        stacks = self.see_stacks(view)
        flat = stacks.flatten(2)
        landing = flat.index_select(1, self.following)
        beyond = landing.index_select(1, self.following)
        stones = self.stone(torch.cat([flat, landing, beyond, self.prospects(view, stacks)], 2))
        seen = relu(stones)
        known = self.trunk(torch.cat([*self.scaled(view, *view), seen.mean(1), seen.amax(1)], 1))
        moves = self.move(relu(stones + self.stone_context(known).unsqueeze(1))).squeeze(2)
        return torch.cat([moves, self.policy(known)], 1), self.value(known).squeeze(1)

    def see_stacks(self, view: Views) -> Tensor:
        """Which stones lie in every position, bottom first: [N, 9, 4, 3]."""
        harbour = pad(view["harbour"], (0, STACK - NUM_COLOURS)).reshape(-1, 1, TOWER, NUM_COLOURS)
        return torch.cat([harbour, view["stones"]], 1).float()

    def prospects(self, view: Views, stacks: Tensor) -> Tensor:
        """Where the orders are that each top stone brings about by spending 1 .. 4 points: [N, 9, 80]."""
        occupied = stacks.sum(3)
        tops = (stacks * (occupied - pad(occupied[:, :, 1:], (0, 1))).unsqueeze(3)).sum(2)  # colours [N, 9, 3]
        height = occupied.sum(2, keepdim=True)
        arriving = self.brought_about(view, stacks, height)
        # A stone goes on over what is full and over other colours than its own.
        passing = torch.maximum((height == TOWER).float(), 1 - tops).unsqueeze(3)
        found = []
        for _ in range(POINTS):
            arriving = arriving.index_select(1, self.following)
            found.append((tops.unsqueeze(3) * arriving).sum(2))
            arriving = passing * arriving
        return torch.cat(found, 2)

    def brought_about(self, view: Views, stacks: Tensor, height: Tensor) -> Tensor:
        """Where the orders are that a stone of each colour brings about by landing in each position: [N, 9, 3, 20]."""
        orders = [view["order"], view["proved_buried"].unsqueeze(2), view["proved_held"].unsqueeze(2)]
        where = torch.cat(orders, 2).float()
        agreeing = stacks.flatten(2) @ self.cards.flatten(1).T
        found = []
        for stones in (TOWER - 1, TOWER - 2):
            begun = ((height == stones) & (agreeing == stones)).float()  # [N, 9, 24]
            fitting = begun.unsqueeze(2) * self.cards[:, stones].T  # by the colour that comes next: [N, 9, 3, 24]
            found.append((fitting.flatten(1, 2) @ where).reshape(-1, POSITIONS, NUM_COLOURS, WHERE))
        return torch.cat(found, 3)
