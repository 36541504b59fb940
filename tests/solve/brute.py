"""The tree of a small game once more, in plain Python with batches of one: to compare with."""

from dataclasses import dataclass, field

import numpy as np

from lanterns_env import Batch


@dataclass
class Brute:
    """What there is in a tree: counts, information sets as they were seen, values when all play at random."""

    histories: int = 1
    ends: int = 0
    recall: set = field(default_factory=set)
    owned: set = field(default_factory=set)
    views: set = field(default_factory=set)
    values: np.ndarray | None = None


def enumerate_all(game, num_players):
    deals = game.deals(num_players, {})
    found = Brute(values=np.zeros(num_players))
    for order, weight in zip(deals.orders, deals.weights, strict=True):
        batch = Batch(game, 1, num_players, autoreset=False)
        batch._deal_orders(order[None])
        descend(batch, found, weight, seen(batch, ((),) * num_players, -1, -1), ((),) * num_players)
    return found


def seen(batch, memories, mover, action):
    """All memories after a move: what the mover did, and what everybody sees."""
    seats = range(len(memories))
    views = batch.observe(np.zeros(len(memories), int), np.array(seats))
    return tuple((*memories[seat], action if seat == mover else -1, views[seat].tobytes()) for seat in seats)


def descend(batch, found, chance, memories, owned):
    found.histories += 1
    if batch.dones[0]:
        found.ends += 1
        found.values += chance * batch.rewards[0]
        return
    mover, view = int(batch.current_players[0]), batch.observations[0].tobytes()
    mine = (*owned[mover], view)
    found.recall.add((mover, memories[mover]))
    found.owned.add((mover, mine))
    found.views.add((mover, view))
    actions = np.flatnonzero(batch.action_masks[0])
    for action in actions.tolist():
        after = batch.copy()
        after.step([action])
        kept = tuple((*mine, action) if seat == mover else owned[seat] for seat in range(len(owned)))
        descend(after, found, chance / len(actions), seen(after, memories, mover, action), kept)
