"""Smaller games of Lumen: options that go together, which of them cannot be played, and all their deals."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.games.deals import Deals, Group, arrangements, check_count, count_arrangements
from lanterns_env.games.lumen.components import BEADS, MIN_PLAYERS, TOP_VALUE
from lanterns_env.games.lumen.rules import OPTIONS

Options = Mapping[str, Any]

LIMITED = {"bead_limit": True, "first_dark_plus": 0}
PRESETS: Mapping[str, Options] = {
    "tiny": {"colours": 2, "top_value": 4, "hand": 2, "rounds": 1, "beads": 1, **LIMITED},
    "small": {"colours": 3, "top_value": 3, "hand": 2, "rounds": 1, "beads": 2, **LIMITED},
}


def why_unplayable(num_players: int, options: Options) -> str | None:
    """LU-A22, LU-A23: why options cannot go together, None if they can."""
    colours, top, hand = options["colours"], highest_value(num_players, options), options["hand"]
    cards, dealt = colours * top, hand * num_players
    if cards < dealt:
        return f"{num_players} hands of {hand} are {dealt} cards, and {colours} colours of {top} values {cards}"
    if cards == dealt:
        return f"all {cards} cards would be dealt and none set aside, so that nobody's own cards would be hidden"
    if top == 1:
        return "with one value of every colour nothing would be hidden; top_value is 0 or at least 2"
    if options["beads"] != BEADS and not options["bead_limit"]:
        return f"beads={options['beads']} limits bids with bead_limit=True alone"
    return None


def highest_value(num_players: int, options: Options) -> int:
    """LU-02, LU-A19."""
    return int(options["top_value"] or TOP_VALUE[num_players - MIN_PLAYERS])


def deals(num_players: int, options: Options) -> Deals:
    """All deals, which are equally likely: the first dark plus, and the owners of all cards in every round.

    Hands are sets, and so are the cards set aside: no two of these deals are the same.
    """
    groups = groups_of(num_players, options)
    rounds, firsts = options["rounds"], first_holders(num_players, options)
    number = count_arrangements(groups)
    check_count(len(firsts) * number**rounds)
    once = owners_of(groups)
    chosen = np.indices((len(firsts), *[number] * rounds)).reshape(1 + rounds, -1)
    columns = [np.array(firsts, np.int16)[chosen[0]][:, None], *(once[which] for which in chosen[1:])]
    orders = np.concatenate(columns, axis=1)
    return Deals(orders, np.full(len(orders), 1 / len(orders)))


def groups_of(num_players: int, options: Options) -> list[Group]:
    """The hands of a round, and the cards set aside."""
    cards, dealt = options["colours"] * highest_value(num_players, options), options["hand"] * num_players
    return [Group(options["hand"], False)] * num_players + [Group(cards - dealt, False)]


def first_holders(num_players: int, options: Options) -> list[int]:
    """LU-A16: who may hold the dark plus first."""
    first = options["first_dark_plus"]
    return list(range(num_players)) if first == OPTIONS["first_dark_plus"].default else [first]


def owners_of(groups: list[Group]) -> NDArray[np.int16]:
    """Every way to deal one round, as the owner of every card: int16[ways, cards]."""
    in_groups = np.array(arrangements(groups), np.int64)
    owner = np.repeat(np.arange(len(groups), dtype=np.int16), [group.size for group in groups])
    owners = np.empty(in_groups.shape, np.int16)
    np.put_along_axis(owners, in_groups, np.broadcast_to(owner, owners.shape), axis=1)
    return owners
