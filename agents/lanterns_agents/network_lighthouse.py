"""Lighthouse Architects: every step and every placement is judged by the board that it leads to.

Positions are the harbour (0) and the islands (1..8).  What stones could do from there is worked out on the way: which
orders one stone, or two on the same island, could finish with 1 .. 4 points.  All actions share their weights.
"""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import pad, relu

from lanterns_agents.network import Network, Views, looked_up, quiet, trunk
from lanterns_env.game import Game
from lanterns_env.games.lighthouse.components import (
    CARDS,
    FIRST_TOWER,
    MAX_PLAYERS,
    NO_COLOUR,
    NO_STACK,
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
NO_CARD = NUM_CARDS
# Where an order is: own hand, public, laid by the viewer, the next, others; hidden, proved buried, proved held.
WHERE = 8
# Orders that one stone finishes, by points; that two do, with three and four; that stacks of each height begin.
REACH = (POINTS + 2 + TOWER - 1) * WHERE
LEFT = POINTS + 2  # points left 0 .. 4, or the turn ends
SEEN = REACH + WHERE + LEFT + 2 * STACK


def cards_after(missing: int) -> np.ndarray:
    """[stacks, colours of the missing stones]: the order that they finish."""
    cards = np.full((NUM_STACKS, *(NUM_COLOURS,) * missing), NO_CARD)
    for card, colours in enumerate(CARDS):
        below = STACKS.index(tuple(colours[: TOWER - missing]))
        cards[(below, *colours[TOWER - missing :])] = card
    return cards.reshape(NUM_STACKS, -1)


def begun() -> np.ndarray:
    """[heights 1 .. 3, stacks, orders]: whether a stack of this height begins an order."""
    flags = np.zeros((TOWER - 1, NUM_STACKS, NUM_CARDS), int)
    for card in range(NUM_CARDS):
        stack = FIRST_TOWER + card
        for height in range(TOWER - 1, 0, -1):
            stack = WITHOUT_TOP[stack]
            flags[height - 1, stack, card] = 1
    return flags


def numbers_of_stacks() -> np.ndarray:
    """The number of a stack by its code: a digit of colour and 1, or 0, for every level."""
    numbers = np.zeros((NUM_COLOURS + 1) ** TOWER)
    for number, stack in enumerate(STACKS):
        numbers[sum((colour + 1) * (NUM_COLOURS + 1) ** level for level, colour in enumerate(stack))] = number
    return numbers


class GameNetwork(Network):
    usual: ClassVar[Mapping[str, float]] = {"laid": 4.0}

    def __init__(self, game: Game, hidden: int = 256, item: int = 64) -> None:
        super().__init__(game, hidden, item)
        self.option = nn.Linear(SEEN, item)
        self.trunk = trunk(game.view.itemsize + 3 * item, hidden)
        self.option_context = nn.Linear(hidden, item)
        self.option_more = nn.Linear(item, item)
        self.worth = quiet(nn.Linear(item, 1))
        self.claim = quiet(nn.Linear(hidden, NUM_ACTIONS - LAY))
        self.value = quiet(nn.Linear(hidden, 1))
        code = [(colour + 1.0) * (NUM_COLOURS + 1) ** level for level in range(TOWER) for colour in range(NUM_COLOURS)]
        tops = np.array([[stack[-1:] == (colour,) for colour in range(NUM_COLOURS)] for stack in STACKS])
        for name, values in {
            "code": code,  # [12]
            "stack_of_code": numbers_of_stacks()[:, None],
            "tops": tops,  # [46, 3]
            "top": np.maximum(0, tops.argmax(1))[:, None],
            "full": [[number >= FIRST_TOWER] for number in range(NUM_STACKS)],
            "stones": STONES.reshape(NUM_STACKS, STACK),
            "without_top": np.maximum(WITHOUT_TOP, 0)[:, None],
            "with_top": np.where(WITH_TOP == NO_STACK, 0, WITH_TOP).reshape(-1, 1),
            "finished": np.eye(NUM_STACKS, NUM_CARDS, -FIRST_TOWER),
            "left": np.eye(LEFT),
            "own_place": np.eye(OPTIONS - 1),
        }.items():
            self.register_buffer(f"t_{name}", torch.tensor(np.asarray(values), dtype=torch.float32), persistent=False)
        bits = np.append(1 << np.arange(NUM_CARDS), 0)
        for name, numbers in {
            "top_stone": TOP,
            "below": [stack[-2] if len(stack) > 1 else NO_COLOUR for stack in STACKS],
            "lower": np.maximum(WITHOUT_TOP, 0),
            "after_one": bits[cards_after(1)].T,  # [3, 46]
            "after_two": bits[cards_after(2)].T.reshape(NUM_COLOURS, NUM_COLOURS, NUM_STACKS),
            "begun": begun() @ bits[:-1],  # [3, 46]
            "bits": bits[:-1],
        }.items():
            table = torch.tensor(np.ascontiguousarray(numbers), dtype=torch.int32)
            self.register_buffer(f"t_{name}", table, persistent=False)

    def evaluate(self, view: Views) -> tuple[Tensor, Tensor]:
        options = self.option(self.see_options(view))
        seen = relu(options)
        known = self.trunk(torch.cat([*self.scaled(view, *view), seen.mean(1), seen.amax(1), seen[:, -1]], 1))
        worth = relu(self.option_more(relu(options + self.option_context(known).unsqueeze(1))))
        worths = self.worth(worth).squeeze(2)
        logits = torch.cat([worths, worths[:, : LAY - PLACES], self.claim(known)], 1)
        return logits, self.value(known).squeeze(1)

    # -- options: a step from each position, or a placement of each colour; last, all as it is ----------------------

    def see_options(self, view: Views) -> Tensor:
        """[N, 10, SEEN]."""
        stacks = self.stacks(view)
        where = self.where(view)
        islands, cost = self.destinations(stacks)
        landing = stacks.gather(1, islands)
        raised = self.number(NUM_COLOURS * landing + self.number(stacks, self.t_top), self.t_with_top)
        placing = view["now"][:, :1].unsqueeze(2).float()
        after = self.boards_after(stacks, islands, raised, placing)
        points = view["points"].float() @ torch.arange(POINTS + 1.0)
        left = (points.unsqueeze(1) - cost).clamp(min=0)
        left = pad(torch.where(placing.squeeze(2) > 0, POINTS + 1.0, left), (0, 1), value=POINTS + 1.0)
        done = looked_up(raised, self.t_finished) @ where[:, :NUM_CARDS] * (1 - placing)
        touched = torch.cat([looked_up(stacks, self.t_stones), looked_up(landing, self.t_stones)], 2)
        return torch.cat(
            [
                self.reach(after, where),
                pad(done, (0, 0, 0, 1)),
                looked_up(left, self.t_left),
                pad(touched, (0, 0, 0, 1)),
            ],
            2,
        )

    def number(self, numbers: Tensor, table: Tensor) -> Tensor:
        return looked_up(numbers, table).squeeze(-1)

    def stacks(self, view: Views) -> Tensor:
        """The numbers of the stacks in all positions: [N, 9]."""
        harbour = pad(view["harbour"], (0, STACK - NUM_COLOURS)).unsqueeze(1)
        stones = torch.cat([harbour, view["stones"].flatten(2)], 1).float()
        return self.number(stones @ self.t_code, self.t_stack_of_code).long()

    def where(self, view: Views) -> Tensor:
        """Where every order is, and one that there is not: [N, 25, 8]."""
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
        return pad(torch.stack(found, 2), (0, 0, 0, 1))

    def destinations(self, stacks: Tensor) -> tuple[Tensor, Tensor]:
        """Where the stone of each position would land, and for how many points: [N, 9] both."""
        full = self.number(stacks, self.t_full)[:, 1:]
        skipped = further = torch.cat([full, full[:, :1]], 1)  # whether the next island is full: [N, 9]
        for step in range(1, POINTS):
            further = further * torch.cat([full.roll(-step, 1), full[:, step : step + 1]], 1)
            skipped = skipped + further
        start = torch.arange(POSITIONS)
        islands = (start + skipped.long()) % NUM_ISLANDS + 1
        return islands, 1 + skipped

    def boards_after(self, stacks: Tensor, islands: Tensor, raised: Tensor, placing: Tensor) -> Tensor:
        """The stacks after every option: [N, 10, 9]."""
        own = self.t_own_place
        lands = (islands.unsqueeze(2) == torch.arange(POSITIONS)).float()
        before = stacks.unsqueeze(1).float()
        lifted = self.number(stacks, self.t_without_top).unsqueeze(1)
        moved = before + own * (lifted - before) + lands * (raised.unsqueeze(2) - before)
        colours = torch.arange(1.0, POSITIONS + 1).unsqueeze(1)  # of one stone: its colour and 1
        placed = before + own[:1] * (colours - before)
        after = torch.where(placing > 0, placed, moved)
        return torch.cat([after, before], 1).long()

    # -- what an option leads to ----------------------------------------------------------------------------------

    def reach(self, after: Tensor, where: Tensor) -> Tensor:
        """Where the orders are that could be finished next: [N, 10, REACH]."""
        stacks = after.flatten(0, 1).T.contiguous()  # [9, 10 N]
        top, below, full = self.t_top_stone[stacks], self.t_below[stacks], stacks >= FIRST_TOWER
        tops = self.flags(top)  # [3, 9, 10 N]
        passes = ~self.flags(top[1:]) | full[1:]
        lands = passes & ~full[1:]
        lower = self.t_lower[stacks[1:]].long()  # without their tops
        goes = tops[:, 1:] & passes.roll(-1, 1)
        lifts = goes[0] | goes[1] | goes[2]  # the top could go on to the next island
        lands_lower = ~self.flags(self.t_top_stone[lower]) & lifts
        two = tops[:, 1:].unsqueeze(1) & self.flags(below[1:]).unsqueeze(0)  # [3, 3, 8, 10 N]
        arrivals = self.arrivals(tops, self.flags(below[1:]) & lifts, passes)
        three, four = self.pairs(arrivals, two, passes)
        ones, ones_lower = self.t_after_one[:, stacks[1:]], self.t_after_one[:, lower]
        twos, twos_lower = self.t_after_two[:, :, stacks[1:]], self.t_after_two[:, :, lower]
        found = [self.united(lands & each, ones) for each in arrivals]
        for k in range(1, POINTS):
            found[k] = found[k] | self.united(lands_lower & arrivals[k - 1], ones_lower)
        lands, lands_lower = lands.unsqueeze(1), lands_lower.unsqueeze(1)
        found.append(self.united(lands & three, twos))
        found.append(self.united(lands & four, twos) | self.united(lands_lower & three, twos_lower))
        found += [self.united(stacks >= 0, each) for each in self.t_begun[:, stacks]]
        orders = (torch.stack(found, 1).unsqueeze(2) & self.t_bits) != 0  # [10 N, 9, 24]
        found_by_option = orders.float().unflatten(0, (-1, OPTIONS)).flatten(1, 2)  # [N, 90, 24]
        return (found_by_option @ where[:, :NUM_CARDS]).reshape(-1, OPTIONS, REACH)

    def flags(self, colours: Tensor) -> Tensor:
        """For each colour in front, where it is: [3, ...]."""
        return torch.stack([colours == colour for colour in range(NUM_COLOURS)])

    def united(self, flags: Tensor, orders: Tensor) -> Tensor:
        """All orders, as bits, of all colours and islands with a flag: [10 N]."""
        orders = torch.where(flags, orders, 0).flatten(0, -2)
        while len(orders) % 2 == 0:
            half = len(orders) // 2
            orders = orders[:half] | orders[half:]
        united = orders[0]
        for each in orders[1:]:
            united = united | each
        return united

    def arrivals(self, tops: Tensor, below: Tensor, passes: Tensor) -> list[Tensor]:
        """Colours that can come to each island with 1 .. 4 points: [3, 8, 10 N].

        Tops of stacks, and the stones below them, after a point for the top.
        """
        arriving = tops[:, 1:].roll(1, 1)
        arriving = torch.cat([arriving[:, :1] | tops[:, :1], arriving[:, 1:]], 1)  # the harbour feeds the first
        found, second = [arriving], below.roll(1, 1)
        for _ in range(1, POINTS):
            arriving = (arriving & passes).roll(1, 1)
            found.append(arriving | second)
            second = (second & passes).roll(1, 1)
        return found

    def pairs(self, arrivals: list[Tensor], two: Tensor, passes: Tensor) -> tuple[Tensor, Tensor]:
        """Third and fourth stones that can come to each island, with three points and with four: [3, 3, 8, 10 N]."""
        first = [each.unsqueeze(1) for each in arrivals[:3]]
        then_one = arrivals[0]
        then_two = then_one | arrivals[1]
        then_three = then_two | arrivals[2]
        near = two.roll(1, 2)  # both from the next stack
        far = (near & passes.unsqueeze(1) & passes.unsqueeze(0)).roll(1, 2)
        with_three = first[0] & then_two | first[1] & then_one | near
        return with_three, with_three | first[0] & then_three | first[1] & then_two | first[2] & then_one | far
