"""Lighthouse Architects: every step and every placement is judged by the board that it leads to.

Positions are the harbour (0) and the islands (1..8).  Which orders would be near on that board is worked out on the way
(lighthouse_reach.py).  All actions share their weights.
"""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import pad, relu

from lanterns_agents.lighthouse_reach import KINDS, Reach, orders_begun
from lanterns_agents.lighthouse_stakes import Stakes
from lanterns_agents.network import Network, Views, looked_up, quiet, trunk
from lanterns_env.game import Game
from lanterns_env.games.lighthouse.components import (
    FIRST_TOWER,
    MAX_PLAYERS,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_ISLANDS,
    NUM_STACKS,
    POINTS,
    STACKS,
    STONES,
    TOP,
    TOWER,
    WITH_TOP,
    WITHOUT_TOP,
)
from lanterns_env.games.lighthouse.encoding import HIDDEN, LAID_BEFORE, ON_PILE, OWN_HAND
from lanterns_env.games.lighthouse.rules import LAY, NUM_ACTIONS, PLACES

POSITIONS = 1 + NUM_ISLANDS
OPTIONS = POSITIONS + 1  # a step of every position's stone; as it is
STACK = TOWER * NUM_COLOURS  # flags of a stack
# Where an order is: own hand, public, laid by the viewer, the next, others; hidden, proved buried, proved held.
WHERE = 8
TURN_ENDS = POINTS + 1  # instead of the points left
LEFT = TURN_ENDS + 1
# Of an option: orders within reach after it, after one more step and at the end of the turn; a finished one; points
# left; the stones where it starts and lands; all islands, beginning after the one where it starts: stones, and orders
# begun; orders begun where it lands and where it starts once it is taken, what they are worth; what is at stake.
TOUCHED = 2 * (WHERE + 2)
AT_STAKE = 4 * (WHERE + 1) + 1
SEEN = (KINDS + 1 + 2) * WHERE + LEFT + 2 * STACK + NUM_ISLANDS * (STACK + WHERE) + TOUCHED + AT_STAKE
STAKE = 4.0  # chances to win seldom differ by more than a quarter
ROUND = [[(start + step) % NUM_ISLANDS for step in range(NUM_ISLANDS)] for start in (*range(POSITIONS), 0)]


def numbers_of_stacks() -> np.ndarray:
    """The number of a stack by its code: a digit of colour and 1, or 0, for every level."""
    numbers = np.zeros((NUM_COLOURS + 1) ** TOWER, np.int64)
    for number, stack in enumerate(STACKS):
        numbers[sum((colour + 1) * (NUM_COLOURS + 1) ** level for level, colour in enumerate(stack))] = number
    return numbers


def beginnings() -> np.ndarray:
    """[stacks, orders]: flags, whether a stack of one to three stones begins an order."""
    bits = np.bitwise_or.reduce(orders_begun())
    flags: np.ndarray = bits[:, None] >> np.arange(NUM_CARDS) & 1
    return flags.astype(np.float32)


CODE = [(colour + 1.0) * (NUM_COLOURS + 1) ** level for level in range(TOWER) for colour in range(NUM_COLOURS)]


class GameNetwork(Network):
    usual: ClassVar[Mapping[str, float]] = {"laid": 4.0}

    def __init__(self, game: Game, hidden: int = 256, item: int = 64) -> None:
        super().__init__(game, hidden, item)
        self.reach = Reach()
        self.stakes = Stakes()
        self.option = nn.Linear(SEEN, item)
        self.trunk = trunk(game.view.itemsize + 3 * item + 1 + 2 * WHERE, hidden)
        self.option_context = nn.Linear(hidden, item)
        self.option_more = nn.Linear(item, item)
        self.worth = quiet(nn.Linear(item, 1))
        self.claim = quiet(nn.Linear(hidden, NUM_ACTIONS - LAY))
        self.value = quiet(nn.Linear(hidden, 1))
        for name, table in {
            "digits": torch.tensor(CODE),
            "stack_of_code": torch.from_numpy(numbers_of_stacks()),
            "top": torch.tensor(TOP).long().clamp(min=0),  # of an empty island: any
            "without_top": torch.tensor(WITHOUT_TOP).long().clamp(min=0),
            "with_top": torch.tensor(WITH_TOP).long().clamp(min=0).flatten(),  # what cannot be: empty
            "stones": torch.tensor(STONES).float().flatten(1),  # [46, 12]
            "finished": torch.eye(NUM_STACKS)[:, FIRST_TOWER:].contiguous(),  # [46, 24]
            "begins": torch.from_numpy(beginnings()),
            "round": torch.tensor(ROUND).flatten(),
            "left": torch.eye(LEFT),
            "positions": torch.arange(POSITIONS),
        }.items():
            self.register_buffer(name, table, persistent=False)

    digits: Tensor
    stack_of_code: Tensor
    top: Tensor
    without_top: Tensor
    with_top: Tensor
    stones: Tensor
    finished: Tensor
    begins: Tensor
    round: Tensor
    left: Tensor
    positions: Tensor

    def evaluate(self, view: Views) -> tuple[Tensor, Tensor]:
        chance, gains, losses = self.stakes(view)
        gains, losses = STAKE * gains, STAKE * losses
        options = self.option(self.see_options(view, gains.unsqueeze(1), losses.unsqueeze(1)))
        seen = relu(options)
        seen_by_all = [seen.mean(1), seen.amax(1), seen[:, -1], chance, gains, losses]
        known = self.trunk(torch.cat([*self.scaled(view, *view), *seen_by_all], 1))
        worths = relu(self.option_more(relu(options + self.option_context(known).unsqueeze(1))))
        logits = self.worth(worths).squeeze(2)
        placements = logits[:, : LAY - PLACES]
        return torch.cat([logits, placements, self.claim(known)], 1), self.value(known).squeeze(1)

    def see_options(self, view: Views, gains: Tensor, losses: Tensor) -> Tensor:
        """A step from each position or a placement of each colour; last, all as it is: [N, 10, SEEN]."""
        stacks, where = self.stacks(view), self.where(view)
        islands, cost = self.destinations(stacks)
        landing = stacks.gather(1, islands)
        raised = self.with_top[NUM_COLOURS * landing + self.top[stacks]]
        placing = view["now"][:, :1].float()
        points = view["points"].float() @ self.positions[: POINTS + 1].float()
        left = points.unsqueeze(1) - cost
        reach, near = self.reach(self.boards(stacks, islands, raised, placing), where)
        possible = (stacks > 0) & (raised > 0) & (left >= 0) & (placing == 0)
        rest = self.reach.rest_of_turn(near, possible, cost, pad(left, (0, 1)), where)  # none where all stays as it is
        finished = looked_up(raised, self.finished) @ where * (1 - placing).unsqueeze(2)
        has_left = looked_up((left.clamp(min=0) * (1 - placing) + TURN_ENDS * placing).long(), self.left)
        touched = torch.cat([looked_up(stacks, self.stones), looked_up(landing, self.stones)], 2)
        step = torch.cat([finished, has_left, touched], 2)
        unmoved = pad(self.left[TURN_ENDS:], (WHERE, 2 * STACK)).expand(step.shape[0], 1, -1)
        begun = self.see_begun(stacks, raised, where, gains, losses) * (1 - placing).unsqueeze(2)
        stakes = self.see_stakes(reach, rest, pad(has_left, (0, 0, 0, 1)), gains, losses)
        finish = (finished * gains).sum(2, keepdim=True)
        more = [self.see_round(stacks, where), pad(torch.cat([begun, finish], 2), (0, 0, 0, 1)), stakes]
        return torch.cat([reach, rest, torch.cat([step, unmoved], 1), *more], 2)

    def see_begun(self, stacks: Tensor, raised: Tensor, where: Tensor, gains: Tensor, losses: Tensor) -> Tensor:
        """Orders begun by the stacks that a step leads to, and what they are worth: [N, 9, TOUCHED]."""
        begun = [looked_up(each, self.begins) @ where for each in (raised, self.without_top[stacks])]
        worth = [(each * value).sum(2, keepdim=True) for each in begun for value in (gains, losses)]
        return torch.cat([*begun, *worth], 2)

    def see_stakes(self, reach: Tensor, rest: Tensor, has_left: Tensor, gains: Tensor, losses: Tensor) -> Tensor:
        """What the next player could finish after each option, and at the end of the turn; what the viewer could with
        the points left, and were it his turn again: by place, and the most of it [N, 10, AT_STAKE - 1]."""
        within = reach.reshape(-1, OPTIONS, KINDS, WHERE)[:, :, :POINTS]
        this_turn = (has_left[:, :, 1 : 1 + POINTS].unsqueeze(2) @ within).squeeze(2)
        feared = [(each > 0) * losses for each in (within[:, :, -1], rest[:, :, WHERE:])]
        hoped = [(each > 0) * gains for each in (this_turn, within[:, :, -1])]
        worst = [each.amin(2, keepdim=True) for each in feared]
        best = [each.amax(2, keepdim=True) for each in hoped]
        return torch.cat([*feared, *worst, *hoped, *best], 2)

    def see_round(self, stacks: Tensor, where: Tensor) -> Tensor:
        """All islands as they lie before each position's stone: [N, 10, 8 (12 + 8)]."""
        islands = stacks[:, 1:]
        each = torch.cat([looked_up(islands, self.stones), looked_up(islands, self.begins) @ where], 2)
        return each.index_select(1, self.round).reshape(-1, OPTIONS, NUM_ISLANDS * (STACK + WHERE))

    def stacks(self, view: Views) -> Tensor:
        """The numbers of the stacks in all positions: [N, 9]."""
        harbour = pad(view["harbour"], (0, STACK - NUM_COLOURS)).unsqueeze(1)
        stones = torch.cat([harbour, view["stones"].flatten(2)], 1).float()
        return self.stack_of_code[(stones @ self.digits).long()]

    def where(self, view: Views) -> Tensor:
        """Where every order is: [N, 24, 8]."""
        order = view["order"].float()
        buried, held = view["proved_buried"].float(), view["proved_held"].float()
        found = [
            order[:, :, OWN_HAND],
            order[:, :, ON_PILE] + order[:, :, ON_PILE + 1],
            order[:, :, LAID_BEFORE],
            order[:, :, LAID_BEFORE + 1],
            order[:, :, LAID_BEFORE + 2 : LAID_BEFORE + MAX_PLAYERS].sum(2),
            order[:, :, HIDDEN] - buried - held,
            buried,
            held,
        ]
        return torch.stack(found, 2)

    def destinations(self, stacks: Tensor) -> tuple[Tensor, Tensor]:
        """LH-11, LH-12: where the stone of each position would land, and for how many points: [N, 9] both."""
        full = (stacks[:, 1:] >= FIRST_TOWER).long()
        skipped = further = torch.cat([full, full[:, :1]], 1)  # whether the next island is full
        for step in range(1, POINTS):
            further = further * torch.cat([full.roll(-step, 1), full[:, step : step + 1]], 1)
            skipped = skipped + further
        return (self.positions + skipped) % NUM_ISLANDS + 1, 1 + skipped

    def boards(self, stacks: Tensor, islands: Tensor, raised: Tensor, placing: Tensor) -> Tensor:
        """The stacks after every option: [N, 10, 9]."""
        before, own = stacks.unsqueeze(1), torch.eye(POSITIONS, dtype=torch.bool)
        moved = torch.where(own, self.without_top[stacks].unsqueeze(1), before)
        moved = torch.where(islands.unsqueeze(2) == self.positions, raised.unsqueeze(2), moved)
        stones = (self.positions + 1) * (self.positions < NUM_COLOURS)  # a stack of one stone: its colour and 1
        placed = torch.where(own[:1], stones.unsqueeze(1), before)
        return torch.cat([torch.where(placing.unsqueeze(2) > 0, placed, moved), before], 1)
