"""Every deal of a game with its chance, for small variants: what solvers go through where play draws from a seed."""

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lanterns_env.engine.game import Game

MAX_DEALS = 2_000_000  # more are not listed


class Deals(NamedTuple):
    """All deals of a table.  Each row of ``orders`` is one, as ``deal_cards`` of the game takes it."""

    orders: NDArray[np.int16]  # [n, length]
    weights: NDArray[np.float64]  # [n], the chance of each; their sum is 1


class Group(NamedTuple):
    """So many places that are filled with cards, and whether it matters which card lies in which of them."""

    size: int
    ordered: bool


def deals_of(game: Game, num_players: int, options: dict[str, Any]) -> Deals:
    """The deals of a game, for a table with all options given."""
    if game.deals is None:
        raise ValueError(f"{game.title} does not list its deals")
    found: Deals = game.deals(num_players, options)
    return found


def equal_chances(orders: Sequence[Sequence[int]]) -> Deals:
    """Deals of which none is likelier than another."""
    return Deals(np.array(orders, np.int16), np.full(len(orders), 1 / len(orders)))


def count_arrangements(groups: Sequence[Group]) -> int:
    """How many arrangements there are."""
    total = math.factorial(sum(group.size for group in groups))
    return total // math.prod(math.factorial(group.size) for group in groups if not group.ordered)


def arrangements(groups: Sequence[Group]) -> list[tuple[int, ...]]:
    """All ways to put the cards 0, 1, 2, ... into groups that hold them all, group after group.

    In a group without order the cards stand from low to high.
    """
    check_count(count_arrangements(groups))
    return list(_arrange(frozenset(range(sum(group.size for group in groups))), groups))


def check_count(number: int) -> None:
    """ValueError if there are too many deals to list."""
    if number > MAX_DEALS:
        raise ValueError(f"there are {number:.3g} deals: at most {MAX_DEALS:,} can be listed; choose a smaller variant")


def _arrange(cards: frozenset[int], groups: Sequence[Group]) -> Iterator[tuple[int, ...]]:
    if not groups:
        yield ()
        return
    ways = itertools.permutations if groups[0].ordered else itertools.combinations
    for chosen in ways(sorted(cards), groups[0].size):
        for rest in _arrange(cards - set(chosen), groups[1:]):
            yield (*chosen, *rest)
