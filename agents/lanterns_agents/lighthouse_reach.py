"""Which orders of Lighthouse Architects are near, for a network: on many boards at once, orders as bits of a number.

A board is the numbers of the stacks in all positions: the harbour (0) and the islands (1..8).  What one turn could
finish is not searched.  What the two stacks before an island can do there, or the one before it and the harbour, stands
in tables (lighthouse_near.py).  Beyond that it is what one top of another stack can finish, or two, or one once the
island's own top has gone on, or a lower stone once what lies on it has.

Sets of colours are bits too, and of pairs of colours: bit 3 a + b for first a, then b.  What a set finishes on a stack
is looked up.  Islands are listed first and boards last, so that all boards go through each step together.
"""

from collections.abc import Callable
from functools import reduce

import numpy as np
import torch
from torch import Tensor, nn

from lanterns_agents.lighthouse_near import NUM_HARBOURS, NUM_UPPER, UPPER, orders_of_three
from lanterns_env.games.lighthouse.components import (
    CARDS,
    FIRST_TOWER,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_ISLANDS,
    NUM_STACKS,
    POINTS,
    STACKS,
    TOWER,
    WITHOUT_TOP,
)

BEGUN = TOWER - 1  # stacks of one to three stones
# Finished within 1 .. 4 points; stacks begin it; two or three stones do, the last of which could come.
KINDS = POINTS + BEGUN + 2
ALL = (1 << NUM_COLOURS) - 1  # colours
SETS, PAIRS = 1 << NUM_COLOURS, 1 << NUM_COLOURS**2  # how many sets of colours there are, of pairs of colours
HALF = 12  # bits that are counted at once
# Of where an order may be (network_lighthouse.py): what the next player could lay for certain, and what he may hold.
DANGERS, HIDDEN_ORDERS = [1, 2, 7], 5
SURE, FAR = 8, 10_000


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


def of_sets(orders: np.ndarray) -> np.ndarray:
    """All orders of a set, from those of its members [members, n]: [n * sets], the set counting faster."""
    orders = orders.reshape(-1, orders.shape[-1])
    sets = np.zeros((orders.shape[1], 1 << len(orders)), np.int32)
    for each in range(sets.shape[1]):
        for member, found in enumerate(orders):
            sets[:, each] |= found * (each >> member & 1)
    return sets.reshape(-1)


def colours_by_stack(has: Callable[[tuple[int, ...], int], bool]) -> np.ndarray:
    """For every stack the set of colours of which this is true."""
    return np.array([sum(1 << colour for colour in range(NUM_COLOURS) if has(stack, colour)) for stack in STACKS])


def taken(table: Tensor, numbers: Tensor) -> Tensor:
    """The entries of a table of these numbers."""
    return table.index_select(0, numbers.flatten()).reshape(numbers.shape)


def united(orders: Tensor) -> Tensor:
    """All orders of all islands: [boards]."""
    for parts in (2, 3):
        while orders.shape[0] % parts == 0:
            orders = reduce(torch.bitwise_or, orders.chunk(parts))
    return orders[0]


class Reach(nn.Module):
    """Boards [N, K, 9] and where every order is [N, 24, W] -> how many orders of each kind are there [N, K, 9 W]."""

    def __init__(self) -> None:
        super().__init__()
        lands = colours_by_stack(lambda stack, colour: len(stack) < TOWER and stack[-1:] != (colour,))
        for name, numbers in {
            "top": colours_by_stack(lambda stack, colour: stack[-1:] == (colour,)),
            "second": colours_by_stack(lambda stack, colour: stack[-2:-1] == (colour,)),
            "third": colours_by_stack(lambda stack, colour: stack[-3:-2] == (colour,)),
            "lands_low": colours_by_stack(lambda stack, colour: len(stack) < TOWER - 1 and stack[-1:] != (colour,)),
            "lower": [WITHOUT_TOP[stack] for stack in range(NUM_STACKS)],
            "lands": lands,  # LH-13: on it
            "passes": np.where(np.arange(NUM_STACKS) >= FIRST_TOWER, ALL, lands),  # on it or over it
            "after_one": of_sets(orders_after(1)),
            "after_two": of_sets(orders_after(2)),
            "begun": orders_begun(),
            "begun_with": np.stack([of_sets(orders_begun_with(height)) for height in (2, 3)]),
            "near": orders_of_three(NUM_UPPER, False)[2:].reshape(POINTS - 1, -1),
            "near_harbour": orders_of_three(NUM_HARBOURS, True)[2:].reshape(POINTS - 1, -1),
            "upper": UPPER,
            "first": of_sets(1 << NUM_COLOURS * np.arange(NUM_COLOURS)[:, None]),  # its colours come first in pairs
            "ones": [bits.bit_count() for bits in range(1 << HALF)],
            "bits": 1 << np.arange(NUM_CARDS),
            "each_step": np.arange(1 + NUM_ISLANDS),
        }.items():
            self.register_buffer(name, torch.tensor(np.asarray(numbers), dtype=torch.int32), persistent=False)

    top: Tensor
    second: Tensor
    third: Tensor
    lands_low: Tensor
    lower: Tensor
    lands: Tensor
    passes: Tensor
    after_one: Tensor
    after_two: Tensor
    begun: Tensor
    begun_with: Tensor
    near: Tensor
    near_harbour: Tensor
    upper: Tensor
    first: Tensor
    ones: Tensor
    bits: Tensor
    each_step: Tensor

    def forward(self, boards: Tensor, where: Tensor) -> tuple[Tensor, Tensor]:
        """Also the orders within four points of every island, as bits: [8, N, K]."""
        within, begun = self.kinds(boards.int().flatten(0, 1).T.contiguous())
        orders = torch.stack([*map(united, within), *begun], 1)
        found = self.counted(orders.reshape(-1, boards.shape[1] * KINDS), self.there(where))
        return found.reshape(-1, boards.shape[1], KINDS * where.shape[2]), within[-1].reshape(
            NUM_ISLANDS, -1, boards.shape[1]
        )

    def there(self, where: Tensor) -> Tensor:
        """The orders in each place, as bits: [N, W]."""
        return (where.int() * self.bits.unsqueeze(1)).sum(1, dtype=torch.int32)

    def counted(self, orders: Tensor, there: Tensor) -> Tensor:
        """How many of these are in each place: [N, M, W]."""
        return self.count(orders.unsqueeze(2) & there.unsqueeze(1)).float()

    def kinds(self, stacks: Tensor) -> tuple[list[Tensor], list[Tensor]]:
        """The orders, as bits, within 1 .. 4 points of each island [8, boards], and those begun [boards].

        Of stacks [9, boards].
        """
        islands = stacks[1:]
        tops, lands, passes = taken(self.top, stacks), taken(self.lands, islands), taken(self.passes, islands)
        arrivals = self.arrivals(tops, passes)
        found = [self.after(self.after_one, islands, lands & each) for each in arrivals]
        lifts = self.lifts(tops[1:], islands, lands)
        lower = taken(self.lower, islands)
        late, from_below = self.lower_stones(tops[1:], islands, lands, passes)
        found[3] = found[3] | self.after(self.after_one, islands, lands & late)
        on_lower = arrivals[2] * (lifts == 1) | from_below
        found[3] = found[3] | self.after(self.after_one, lower, taken(self.lands, lower) & on_lower)
        first = self.pairs_of(lands, ALL)
        for cost, pairs in enumerate(self.pairs(arrivals), 2):
            found[cost] = found[cost] | self.after(self.after_two, islands, first & pairs, PAIRS)
        for cost, orders in enumerate(self.nearby(stacks, lifts), 1):
            found[cost] = found[cost] | found[cost - 1] | orders
        begun = [united(taken(each, stacks)) for each in self.begun]
        lands = lands & reduce(torch.bitwise_or, arrivals)
        begun += [united(self.after(each, islands, lands)) for each in self.begun_with]
        return found, begun

    def lifts(self, tops: Tensor, islands: Tensor, lands: Tensor) -> Tensor:
        """For how many points each island's own top could go on, 1 or 2; 0: for more, or never."""
        next_full = islands.roll(-1, 0) >= FIRST_TOWER
        at_once = (tops & lands.roll(-1, 0)) > 0
        over = next_full & ((tops & lands.roll(-2, 0)) > 0)
        after_another = at_once.roll(-1, 0) & ~next_full  # its own colour goes on first
        return torch.where(at_once, 1, 2 * ((tops > 0) & (over | after_another)).int())

    def lower_stones(self, tops: Tensor, islands: Tensor, lands: Tensor, passes: Tensor) -> tuple[Tensor, Tensor]:
        """Colours below a top that can come to each island for four points once what lies on them has gone on.

        From three islands before, on or over the next; the third stone from two before.  And, if a full island's own
        top has to follow the top of the island before over it, the stone below that one, onto what is left there.
        """
        low, second = taken(self.lands_low, islands), taken(self.second, islands)
        opened = second * ((tops & lands.roll(-1, 0)) > 0)
        late = (opened.roll(2, 0) & passes).roll(1, 0)
        late = late | (taken(self.third, islands) * ((tops & low.roll(-1, 0)) > 0)).roll(2, 0)
        before = tops.roll(1, 0)
        follows = (islands >= FIRST_TOWER) & ((before & low.roll(-1, 0)) > 0) & ((before & tops) == 0)
        return late, second.roll(1, 0) * follows

    def nearby(self, stacks: Tensor, lifts: Tensor) -> list[Tensor]:
        """The orders that the stacks just before an island finish on it, within 2 .. 4 points: [8, boards] each."""
        islands, harbour = stacks[1:], stacks[0]
        pairs = NUM_STACKS * (NUM_STACKS * lifts + islands) + islands.roll(1, 0)
        by_two = NUM_UPPER * pairs + taken(self.upper, islands.roll(2, 0))
        by_one = NUM_UPPER * pairs[1] + harbour  # LH-02: it comes over the first island as the last island's top does
        beside = NUM_HARBOURS * pairs[0] + harbour
        found = []
        for near, near_harbour in zip(self.near, self.near_harbour, strict=True):
            orders = taken(near, by_two)
            first, second = taken(near_harbour, beside), taken(near, by_one)
            found.append(torch.cat([orders[:1] | first, orders[1:2] | second, orders[2:]]))
        return found

    def after(self, table: Tensor, stacks: Tensor, members: Tensor, sets: int = SETS) -> Tensor:
        """The orders that a set's members finish or begin on these stacks: [8, boards]."""
        return taken(table, sets * stacks + members)

    def pairs_of(self, first: Tensor, second: Tensor | int) -> Tensor:
        """All pairs of a colour of one set and one of another."""
        return taken(self.first, first) * second

    def arrivals(self, tops: Tensor, passes: Tensor) -> list[Tensor]:
        """The colours of tops that can come to each island for 1 .. 4 points: [8, boards] each."""
        first = tops[1:].roll(1, 0)
        found = [torch.cat([first[:1] | tops[:1], first[1:]])]  # LH-02: the harbour feeds the first island
        for _ in range(1, POINTS):
            found.append((found[-1] & passes).roll(1, 0))
        return found

    def pairs(self, arrivals: list[Tensor]) -> tuple[Tensor, Tensor]:
        """Third and fourth stones that can come to each island, for three points and for four: [8, boards]."""
        one, more, most = arrivals[:3]
        three = self.pairs_of(one, one | more) | self.pairs_of(more, one)
        four = self.pairs_of(one, most) | self.pairs_of(more, more) | self.pairs_of(most, one)
        return three, three | four

    def rest_of_turn(self, near: Tensor, possible: Tensor, cost: Tensor, left: Tensor, where: Tensor) -> Tensor:
        """What the next player would have within reach after one more step, and after all: [N, 10, 2 W].

        ``near`` [8, N, 10]: within reach after each option, the last being all as it is; ``possible`` [N, 9] and
        ``cost`` [N, 9] of each step, ``left`` [N, 10] points after each option.  Steps are taken to change what they
        change by themselves; the one that leaves least for the next player comes next.
        """
        there = self.there(where)
        sure, hidden = there[:, DANGERS].sum(1, keepdim=True, dtype=torch.int32), there[:, HIDDEN_ORDERS].unsqueeze(1)
        now = near[:, :, -1:]
        changed = near ^ now
        by_step = changed[:, :, :-1].unsqueeze(2)
        free = possible.unsqueeze(1) & ~torch.eye(near.shape[2], dtype=torch.bool)[:, :-1]
        found = []
        for _ in range(1, POINTS):
            after = united(now.unsqueeze(3) ^ (changed.unsqueeze(3) | by_step))  # [N, 10, 9]
            open_ = free & (cost.unsqueeze(1) <= left.unsqueeze(2))
            danger = self.danger(after, sure, hidden) + FAR * ~open_
            best = danger.argmin(2, keepdim=True)  # [N, 10, 1]
            can = open_.gather(2, best)
            step = by_step.expand(*changed.shape, -1).gather(3, best.expand(NUM_ISLANDS, *best.shape)).squeeze(3)
            changed = changed | step * can.squeeze(2)
            left = left - (cost.unsqueeze(1).expand_as(danger).gather(2, best) * can).squeeze(2)
            free = free & (self.each_step != best)
            found.append(self.counted(united(now ^ changed), there))
        return torch.cat([found[0], found[-1]], 2)

    def danger(self, orders: Tensor, sure: Tensor, hidden: Tensor) -> Tensor:
        """How bad it is that these are within the next player's reach: [N, 10, 9]."""
        return SURE * self.count(orders & sure.unsqueeze(2)) + self.count(orders & hidden.unsqueeze(2))

    def count(self, orders: Tensor) -> Tensor:
        return taken(self.ones, orders & (1 << HALF) - 1) + taken(self.ones, orders >> HALF)
