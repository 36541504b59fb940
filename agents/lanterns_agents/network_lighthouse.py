"""Lighthouse Architects: every stone is judged by what it lifts from and what it lands on; all share their weights.

Positions are the harbour (0) and the islands (1..8), as the actions that move a stone are numbered.
"""

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
    TOWER,
)
from lanterns_env.games.lighthouse.encoding import NUM_PLACES
from lanterns_env.games.lighthouse.rules import NUM_ACTIONS

POSITIONS = 1 + NUM_ISLANDS
STACK = TOWER * NUM_COLOURS  # flags of a stack
WHERE = NUM_PLACES + 2  # of an order: its place, proved buried, proved held
FUTURES = 2  # towers that the next stone finishes, and those that it leaves one short
NUM_SEEN = 3 * STACK + FUTURES * WHERE
NEXT = [*range(1, POSITIONS), 1]  # the position clockwise of each


class GameNetwork(Network):
    usual: ClassVar = {"laid": 4.0}

    def __init__(self, game: Game, hidden: int = 256, item: int = 48) -> None:
        super().__init__(game, hidden, item)
        self.stone = nn.Linear(NUM_SEEN, item)
        self.trunk = trunk(game.view.itemsize + POSITIONS * FUTURES * WHERE, hidden)
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
        prospects = self.prospects(view, stacks)
        known = self.trunk(torch.cat([*self.scaled(view, *view), prospects.flatten(1)], 1))
        flat = stacks.flatten(2)
        landing = flat.index_select(1, self.following)
        beyond = landing.index_select(1, self.following)
        stones = self.stone(torch.cat([flat, landing, beyond, prospects], 2))
        moves = self.move(relu(stones + self.stone_context(known).unsqueeze(1))).squeeze(2)
        return torch.cat([moves, self.policy(known)], 1), self.value(known).squeeze(1)

    def see_stacks(self, view: Views) -> Tensor:
        """Which stones lie in every position, bottom first: [N, 9, 4, 3]."""
        harbour = pad(view["harbour"], (0, STACK - NUM_COLOURS)).unflatten(1, (1, TOWER, NUM_COLOURS))
        return torch.cat([harbour, view["stones"]], 1).float()

    def prospects(self, view: Views, stacks: Tensor) -> Tensor:
        """Where the orders are that the top stone of each position would bring about by its next step: [N, 9, 20]."""
        occupied = stacks.sum(3)
        top = (stacks * (occupied - pad(occupied[:, :, 1:], (0, 1))).unsqueeze(3)).sum(2)
        where = torch.cat([view["order"], view["proved_buried"].unsqueeze(2), view["proved_held"].unsqueeze(2)], 2)
        height = occupied.sum(2, keepdim=True)
        agreeing = stacks.flatten(2) @ self.cards.flatten(1).T
        full = (height == TOWER).float()
        found = []
        for stones in (TOWER - 1, TOWER - 2):
            begun = ((height == stones) & (agreeing == stones)).float()  # [N, 9, 24]
            reached = begun.index_select(1, self.following)
            reached = reached + full.index_select(1, self.following) * reached.index_select(1, self.following)
            fitting = top @ self.cards[:, stones].T  # orders whose next stone this is
            found.append(reached * fitting)
        return torch.cat([each @ where.float() for each in found], 2)
