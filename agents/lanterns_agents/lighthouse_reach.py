"""Which orders of Lighthouse Architects are near, for a network: on many boards at once, orders as bits of a number.

A board is the numbers of the stacks in all positions: the harbour (0) and the islands (1..8).  What one turn could
finish is not searched: only what one stone can, or two on the same island, the tops of other stacks or the stones just
below them, also on an island whose own top goes first; and more stones of the stack before an island, with one from the
stack before that or without.  In games between experts that is nine in ten of all there are.

Flags and numbers are listed by colour and island first and by board last, so that all boards go through each step
together.
"""

import itertools
from functools import reduce

import numpy as np
import torch
from torch import Tensor, nn

from lanterns_env.games.lighthouse.components import (
    CARDS,
    FIRST_TOWER,
    NO_COLOUR,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_STACKS,
    POINTS,
    STACKS,
    TOP,
    TOWER,
    WITHOUT_TOP,
)

BEGUN = TOWER - 1  # stacks of one to three stones
# One stone finishes it for 1 .. 4 points; more do, for three and four; stacks begin it; two or three stones do, the
# last of which could come.
KINDS = POINTS + 2 + BEGUN + 2


def orders_after(missing: int) -> np.ndarray:
    """The order, as a bit, that a stack's missing stones finish: [colour of each, stacks]."""
    orders = np.zeros((*(NUM_COLOURS,) * missing, NUM_STACKS), np.int32)
    for card, colours in enumerate(CARDS):
        below = STACKS.index(tuple(colours[: TOWER - missing]))
        orders[(*colours[TOWER - missing :], below)] = 1 << card
    return orders


def orders_begun() -> np.ndarray:
    """The orders, as bits, that a stack begins, if it has one, two or three stones: [3, stacks]."""
    orders = np.zeros((BEGUN, NUM_STACKS), np.int32)
    for card in range(NUM_CARDS):
        stack = FIRST_TOWER + card
        for height in range(BEGUN, 0, -1):
            stack = WITHOUT_TOP[stack]
            orders[height - 1, stack] |= 1 << card
    return orders


def orders_begun_with(height: int) -> np.ndarray:
    """The orders, as bits, that a stack of so many stones begins, the last of them being added: [colour, stacks]."""
    orders = np.zeros((NUM_COLOURS, NUM_STACKS), np.int32)
    for card, colours in enumerate(CARDS):
        orders[colours[height - 1], STACKS.index(tuple(colours[: height - 1]))] |= 1 << card
    return orders


def orders_unloaded(height: int) -> np.ndarray:
    """The order that a stack of so many stones becomes if the stones of the stack before it move onto it, as a bit.

    As all pairs of stacks are listed by ``neighbours``.
    """
    orders = np.zeros((NUM_STACKS, NUM_STACKS), np.int32)
    for stack, before in itertools.product(range(NUM_STACKS), repeat=2):
        stones = STACKS[before][::-1][: TOWER - height]
        tower = STACKS[stack] + stones
        if len(STACKS[stack]) == height and tower in STACKS[FIRST_TOWER:]:
            orders[stack, before] = 1 << STACKS.index(tower) - FIRST_TOWER
    return orders.reshape(-1)


def orders_with_two_before() -> np.ndarray:
    """The orders that one stone begins, two more come from the stack before it and one of this colour over that stack.

    As bits, by the colour and the pair of stacks: [3, pairs].
    """
    orders = np.zeros((NUM_COLOURS, NUM_STACKS, NUM_STACKS), np.int32)
    for colour, stack, before in itertools.product(range(NUM_COLOURS), range(NUM_STACKS), range(NUM_STACKS)):
        rest = (*STACKS[before][::-1], NO_COLOUR)
        for gone in range(3) if len(STACKS[stack]) == 1 and len(rest) > 2 else ():
            tower = (*STACKS[stack], *rest[:gone], colour, *rest[gone:2])
            if rest[gone] != colour and tower in STACKS[FIRST_TOWER:]:
                orders[colour, stack, before] |= 1 << STACKS.index(tower) - FIRST_TOWER
    return orders.reshape(NUM_COLOURS, -1)


def taken(table: Tensor, numbers: Tensor) -> Tensor:
    """The entries of these numbers of a table's last dimension: [..., *numbers.shape]."""
    return table.index_select(-1, numbers.flatten()).reshape(*table.shape[:-1], *numbers.shape)


class Reach(nn.Module):
    """Boards [N, K, 9] and where every order is [N, 24, W] -> how many orders of each kind are there [N, K, 11 W]."""

    def __init__(self) -> None:
        super().__init__()
        for name, numbers in {
            "top": TOP,
            "below": [stack[-2] if len(stack) > 1 else NO_COLOUR for stack in STACKS],
            "lower": np.maximum(WITHOUT_TOP, 0),
            "after_one": orders_after(1),
            "after_two": orders_after(2),
            "begun": orders_begun(),
            "begun_with": np.stack([orders_begun_with(height) for height in (2, 3)]),
            "unloaded_three": orders_unloaded(1),
            "unloaded_four": orders_unloaded(0),
            "two_before": orders_with_two_before(),
            "bits": 1 << np.arange(NUM_CARDS),
        }.items():
            self.register_buffer(name, torch.tensor(np.asarray(numbers), dtype=torch.int32), persistent=False)

    top: Tensor
    below: Tensor
    lower: Tensor
    after_one: Tensor
    after_two: Tensor
    begun: Tensor
    begun_with: Tensor
    unloaded_three: Tensor
    unloaded_four: Tensor
    two_before: Tensor
    bits: Tensor

    def forward(self, boards: Tensor, where: Tensor) -> Tensor:
        orders = torch.stack(self.kinds(boards.flatten(0, 1).T.contiguous()), 1)  # [boards, 11]
        flags = ((orders.unsqueeze(2) & self.bits) != 0).float()
        found = flags.reshape(-1, boards.shape[1] * KINDS, NUM_CARDS).matmul(where)
        return found.reshape(-1, boards.shape[1], KINDS * where.shape[2])

    def kinds(self, stacks: Tensor) -> list[Tensor]:
        """The orders of each kind, as bits: [boards] each, of stacks [9, boards]."""
        islands = stacks[1:]
        lower = taken(self.lower, islands).long()  # without their tops
        tops, below = self.flags(taken(self.top, stacks)), self.flags(taken(self.below, islands))
        full = islands >= FIRST_TOWER
        passes = ~tops[:, 1:] | full  # LH-13: a stone goes on over full islands and other colours
        lands = passes & ~full
        lifts = (tops[:, 1:] & passes.roll(-1, 1)).any(0)  # the top could go on to the next island
        lands_lower = ~self.flags(taken(self.top, lower)) & lifts
        arrivals = self.arrivals(tops, below & lifts, passes)
        three, four = self.pairs(arrivals, tops[:, 1:].unsqueeze(1) & below.unsqueeze(0), passes)
        one, one_lower = taken(self.after_one, islands), taken(self.after_one, lower)
        two, two_lower = taken(self.after_two, islands), taken(self.after_two, lower)
        by_one = [self.united(lands & each, one) for each in arrivals]
        for cost in range(1, POINTS):  # and one point for the top that goes first
            by_one[cost] = by_one[cost] | self.united(lands_lower & arrivals[cost - 1], one_lower)
        neighbours = NUM_STACKS * islands + islands.roll(1, 0)  # each island and the one before it
        by_three = self.united(lands.unsqueeze(1) & three, two)
        by_three = by_three | self.united(~full, taken(self.unloaded_three, neighbours))
        by_four = by_three | self.united(lands.unsqueeze(1) & four, two)
        by_four = by_four | self.united(lands_lower.unsqueeze(1) & three, two_lower)
        by_four = by_four | self.united(~full, taken(self.unloaded_four, neighbours))
        by_four = by_four | self.united(self.fed(tops).roll(1, 1), taken(self.two_before, neighbours))
        begun = [self.united(stacks >= 0, each) for each in taken(self.begun, stacks)]
        lands = lands & (arrivals[0] | arrivals[1] | arrivals[2] | arrivals[3])
        begun += [self.united(lands, each) for each in taken(self.begun_with, islands)]
        return [*by_one, by_three, by_four, *begun]

    def flags(self, colours: Tensor) -> Tensor:
        """Where each colour is: [3, ...]."""
        return torch.stack([colours == colour for colour in range(NUM_COLOURS)])

    def united(self, flags: Tensor, orders: Tensor) -> Tensor:
        """All orders with a flag, of all colours and islands: [boards]."""
        rows = torch.where(flags, orders, torch.zeros_like(orders[..., :1, :1])).flatten(0, -2)
        for parts in (2, 3):
            while rows.shape[0] % parts == 0:
                rows = reduce(torch.bitwise_or, rows.chunk(parts))
        return rows[0]

    def arrivals(self, tops: Tensor, below: Tensor, passes: Tensor) -> list[Tensor]:
        """The colours that can come to each island for 1 .. 4 points: [3, 8, boards] each.

        Tops of other stacks, and the stones below them after a point for the top.
        """
        first = self.fed(tops)
        found, second = [first], below.roll(1, 1)
        for _ in range(1, POINTS):
            first = (first & passes).roll(1, 1)
            found.append(first | second)
            second = (second & passes).roll(1, 1)
        return found

    def fed(self, tops: Tensor) -> Tensor:
        """The stones that come to each island for one point: [3, 8, boards]."""
        first = tops[:, 1:].roll(1, 1)
        return torch.cat([first[:, :1] | tops[:, :1], first[:, 1:]], 1)  # LH-02: the harbour feeds the first island

    def pairs(self, arrivals: list[Tensor], two: Tensor, passes: Tensor) -> tuple[Tensor, Tensor]:
        """Third and fourth stones that can come to each island, for three points and for four: [3, 3, 8, boards].

        ``two``: a stack's top and the stone below it, which can follow each other.
        """
        one, more, most = (each.unsqueeze(1) for each in arrivals[:3])
        then_one = arrivals[0]
        then_two = then_one | arrivals[1]
        then_three = then_two | arrivals[2]
        near = two.roll(1, 2)
        far = (near & passes.unsqueeze(1) & passes.unsqueeze(0)).roll(1, 2)
        three = one & then_two | more & then_one | near
        return three, three | one & then_three | more & then_two | most & then_one | far
