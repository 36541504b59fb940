"""What is at stake in Lighthouse Architects, for a network: the viewer's chance to win, by who lays which order next.

The chances are those of the race (lighthouse_race.py), worked out for many views at once.  Players are listed from the
viewer, places of orders as in lighthouse_places.py.
"""

import torch
from torch import Tensor, nn

from lanterns_agents.lighthouse_places import LAID_BY_NEXT, LAID_BY_VIEWER
from lanterns_agents.lighthouse_race import CHANCES, LEAD
from lanterns_agents.network import Views
from lanterns_env.games.lighthouse.components import HAND, MAX_PLAYERS

VIEWER, NEXT, THIRD, FOURTH = range(MAX_PLAYERS)
NOBODY, FROM_HAND, FROM_PILE = -1, -2, -3  # instead of the player from whom an order is taken
# Who lays an order and where it comes from, if the next player moves then ...
OWN_TURN = (
    (VIEWER, NOBODY),
    (VIEWER, FROM_HAND),
    (VIEWER, FROM_PILE),
    (VIEWER, NEXT),
    (VIEWER, THIRD),
    (VIEWER, FOURTH),
    (NEXT, FROM_HAND),
)
# ... and if the one after.
NEXT_TURN = (
    (VIEWER, NOBODY),
    (VIEWER, FROM_HAND),
    (NEXT, FROM_PILE),
    (NEXT, VIEWER),
    (NEXT, THIRD),
    (NEXT, FOURTH),
    (NEXT, FROM_HAND),
)
EVENTS = (*OWN_TURN, *NEXT_TURN)
LEADS = 2 * LEAD + 1


def changed(source: int, who: int, takes: float, gives: float) -> list[float]:
    """What the players come to when one lays an order: it, and the one who gives it up."""
    row = [0.0] * MAX_PLAYERS
    if source != NOBODY:
        row[who] += takes
    if source >= VIEWER:
        row[source] += gives
    return row


def by_place(gains: Tensor, taken_from: int, more: Tensor) -> Tensor:
    """Of the events of a turn, for an order in each place: own hand, public, laid by the viewer, the next, others;
    hidden, proved buried, proved held: [N, 8]."""
    _, own, public, taken, third, fourth, held = gains.unbind(1)
    others = 0.5 * (third + fourth) * more.squeeze(1)
    laid = [taken * (place == taken_from) for place in (LAID_BY_VIEWER, LAID_BY_NEXT)]
    return torch.stack([own, public, *laid, others, held, torch.zeros_like(held), held], 1)


class Stakes(nn.Module):
    """Views -> the viewer's chance once the turn is over [N, 1]; what it gains in this turn, and in the next player's
    turn, by an order in each place that is finished then: [N, 8] both."""

    def __init__(self) -> None:
        super().__init__()
        from_hand = [source == FROM_HAND for _, source in EVENTS]
        fewer = [changed(who if own else NOBODY, who, 0, -1) for (who, _), own in zip(EVENTS, from_hand, strict=True)]
        for name, table in {
            "chances": torch.from_numpy(CHANCES).float().flatten(),
            "laid": torch.tensor([changed(source, who, 1, -1) for who, source in EVENTS]),
            "hands": torch.tensor(fewer),
            "layers": torch.tensor([who for who, _ in EVENTS]),
            "from_hand": torch.tensor(from_hand),
            "from_pile": torch.tensor([source == FROM_PILE for _, source in EVENTS]),
            "others": torch.arange(1, MAX_PLAYERS),
        }.items():
            self.register_buffer(name, table, persistent=False)

    chances: Tensor
    laid: Tensor
    hands: Tensor
    layers: Tensor
    from_hand: Tensor
    from_pile: Tensor
    others: Tensor

    def forward(self, view: Views) -> tuple[Tensor, Tensor, Tensor]:
        players, piles = view["num_players"].long(), view["pile_size"].long().sum(1, keepdim=True)
        laid, hands = view["laid"].float(), view["hand_size"].float()
        after = self.chance(players, hands.unsqueeze(1) + self.hands, laid.unsqueeze(1) + self.laid)
        last = self.from_hand & (hands[:, self.layers] == 1) | self.from_pile & (piles == 1)  # LH-60, LH-61
        wins = self.leads(laid)[:, self.layers]
        first, second = len(OWN_TURN), len(EVENTS)
        now = torch.cat([after[:, :1].expand(-1, first), after[:, first : first + 1].expand(-1, second - first)], 1)
        ended = torch.where(wins, (self.layers == VIEWER).float().expand_as(after), now)
        gains = torch.where(last, ended, after) - now
        more = players > NEXT + 1
        own_turn = by_place(gains[:, :first], LAID_BY_NEXT, more)
        return after[:, :1], own_turn, by_place(gains[:, first:], LAID_BY_VIEWER, more)

    def leads(self, laid: Tensor) -> Tensor:
        """LH-64, LH-65: who would win by laying the order that ends the game."""
        return laid + 1 >= laid.amax(1, keepdim=True)

    def chance(self, players: Tensor, hands: Tensor, laid: Tensor) -> Tensor:
        """Of the viewer, against each of the others as if these two were alone, the mean: [N, events]."""
        lead = (laid[:, :, :1] - laid[:, :, 1:]).clamp(-LEAD, LEAD).long() + LEAD
        own, other = hands[:, :, :1].clamp(0, HAND).long(), hands[:, :, 1:].clamp(0, HAND).long()
        seats = players.unsqueeze(2)
        first = self.looked_up(seats, own, other, lead)
        second = 1 - self.looked_up(seats, other, own, 2 * LEAD - lead)
        turns = torch.ones_like(self.layers)
        turns[len(OWN_TURN) :] = NEXT + 1
        mover = (turns.unsqueeze(0) % players).unsqueeze(2)  # LH-10
        moving = torch.where(mover == VIEWER, first, torch.where(mover == self.others, second, 0.5 * (first + second)))
        present = (self.others < seats).float()
        return (moving * present).sum(2) / present.sum(2)

    def looked_up(self, seats: Tensor, mover: Tensor, other: Tensor, lead: Tensor) -> Tensor:
        numbers = ((seats * (HAND + 1) + mover) * (HAND + 1) + other) * LEADS + lead
        return self.chances.index_select(0, numbers.flatten()).reshape(numbers.shape)
