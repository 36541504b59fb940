"""The whole tree of a small game, walked once and kept in flat arrays."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.engine.game import Game
from lanterns_env.games import find_game
from lanterns_env.games.deals import Deals, deals_of
from lanterns_env.solve import walking
from lanterns_env.solve.enumerating import MOST_HISTORIES, Estimate, Progress, Walk, check_size
from lanterns_env.solve.passes import Form

RECALL, OWN_DECISIONS, VIEW = "recall", "own decisions", "view"  # what information sets differ in
Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]  # [sets, 2]: 128 bits for each


class Tree:
    """Every line of play of a small variant, with exact chances.

    Information sets are numbered 0, 1, ..., seat after seat.  Each has one *entry* for every legal action, also
    numbered through: the probabilities of a ``Policy`` are one number for each entry.

    Args:
        game: The name of a game, or a ``Game``; it must list its deals.
        num_players: How many play; as few as can unless given.
        limit: How many histories there may be.
        announce: Called with an ``Estimate`` before the work begins.
        progress: Called now and then with the histories so far, and about how many there are.
        **options: Rule variants of the game, or ``preset="tiny"``.
    """

    def __init__(
        self,
        game: str | Game,
        num_players: int | None = None,
        limit: int = MOST_HISTORIES,
        announce: Callable[[Estimate], None] | None = None,
        progress: Progress | None = None,
        **options: Any,
    ) -> None:
        self.game = find_game(game)
        self.num_players = self.game.check_players(min(self.game.players) if num_players is None else num_players)
        self.options = self.game.check_options(self.num_players, options)
        self.deals = _listed(self.game, self.num_players, self.options)
        walk = Walk(self.game, self.num_players, self.options, self.deals)
        estimate = walk.estimate()
        if announce is not None:
            announce(estimate)
        check_size(self.game, estimate, limit)
        self.information = RECALL
        self._take(walk.go(estimate, limit, progress), walk.counts)

    def __repr__(self) -> str:
        sets = ", ".join(str(len(self.information_sets(seat))) for seat in range(self.num_players))
        return f"<Tree of {self.game.title}, {self.num_players} players: {self.num_histories} histories, {sets} sets>"

    # -- what there is --------------------------------------------------------------------------------------------

    num_histories: int  # deals, positions and ends, and the root
    num_ends: int  # lines of play that are over
    form: Form  # what passes over the tree work with
    actions: NDArray[np.int32]  # of every entry

    @property
    def num_entries(self) -> int:
        return len(self.actions)

    @property
    def num_sets(self) -> int:
        return len(self.form.parents)

    def information_sets(self, seat: int) -> range:
        """The numbers of a player's information sets."""
        return range(int(self.form.bounds[seat]), int(self.form.bounds[seat + 1]))

    def seat_of(self, number: int) -> int:
        """Who decides in an information set."""
        return int(np.searchsorted(self.form.bounds, number, "right")) - 1

    def entries(self, number: int) -> slice:
        """The entries of an information set."""
        return slice(int(self.form.firsts[number]), int(self.form.firsts[number + 1]))

    def legal_actions(self, number: int) -> list[int]:
        found: list[int] = self.actions[self.entries(number)].tolist()
        return found

    def history(self, number: int) -> tuple[int, list[int]]:
        """The first line of play that leads to an information set: the number of its deal, and the actions since."""
        first, length = self._moves_of[number]
        return int(self._deal_of[number]), self._moves[first : first + length].tolist()

    def lines(self, numbers: Ints) -> tuple[Ints, NDArray[np.int32], Ints]:
        """The same of several at once: numbers of deals, moves, and which of these are of each: first and how many."""
        return self._deal_of[numbers], self._moves, self._moves_of[numbers]

    @property
    def payoff_range(self) -> float:
        """The difference between the most and the least that any player can get."""
        return float(np.ptp(self.form.utilities))

    @property
    def size_in_bytes(self) -> int:
        own = (self.actions, self._deal_of, self._moves_of, self._moves, self.owned_keys, self.view_keys)
        return sum(array.nbytes for array in (*self.form, *own, *self.deals))

    # -- coarser information --------------------------------------------------------------------------------------

    def under(self, information: str) -> "Tree":
        """The same tree with information sets that differ in less: "own decisions" is perfect recall of what a
        player sees where it decides itself, as an agent of a match does."""
        if information == self.information:
            return self
        if information != OWN_DECISIONS:
            raise ValueError(f"a tree can be seen under {RECALL!r} or {OWN_DECISIONS!r}, not {information!r}")
        return self._under_own_decisions

    @cached_property
    def _under_own_decisions(self) -> "Tree":
        classes, first = self.classes(self.owned_keys)
        return self.merged(classes, first, OWN_DECISIONS)

    def classes(self, keys: Keys) -> tuple[Ints, Ints]:
        """Sets of one player with equal keys are one class: the class of every set, the first set of every class."""
        seats = np.repeat(np.arange(self.num_players), np.diff(self.form.bounds))
        order = np.lexsort((keys[:, 1], keys[:, 0], seats))
        ordered = np.column_stack((seats[order].astype(np.uint64), keys[order]))
        new = np.ones(len(order), np.bool_)
        new[1:] = (ordered[1:] != ordered[:-1]).any(1)
        first = order[new]  # the sort is stable: the lowest number of each class
        rank = np.empty(len(first), np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        classes = np.empty(len(order), np.int64)
        classes[order] = rank[np.cumsum(new) - 1]
        return classes, np.sort(first)

    def remembers(self, classes: Ints, first: Ints) -> bool:
        """Whether classes of sets have perfect recall too: who is in one has done the same before."""
        parents = self._sequences(classes, first)[self.form.parents]
        return bool((parents == parents[first][classes]).all())

    def merged(self, classes: Ints, first: Ints, information: str) -> "Tree":
        """The tree with classes of sets as its sets; they must have perfect recall too."""
        tree: Tree = object.__new__(Tree)
        tree.__dict__ |= {name: value for name, value in self.__dict__.items() if not name.startswith("_")}
        counts = np.diff(self.form.firsts)
        sequences = self._sequences(classes, first)
        tree.information, tree.finer = information, self
        tree.entry_of = sequences[self.num_players :] - self.num_players
        tree.actions = self.actions[ranges(self.form.firsts[first], counts[first])]
        tree.owned_keys, tree.view_keys = self.owned_keys[first], self.view_keys[first]
        tree._deal_of, tree._moves_of, tree._moves = self._deal_of[first], self._moves_of[first], self._moves
        tree.form = self.form._replace(
            bounds=np.searchsorted(first, self.form.bounds),
            firsts=_ends_of(counts[first]),
            parents=sequences[self.form.parents[first]],
            sequences=sequences.astype(np.int32)[self.form.sequences],
        )
        return tree

    def _sequences(self, classes: Ints, first: Ints) -> Ints:
        """Of every sequence here, its number once sets are merged."""
        counts = np.diff(self.form.firsts)
        entries = np.repeat(_ends_of(counts[first])[classes], counts) + _within(counts)
        return np.concatenate((np.arange(self.num_players), self.num_players + entries))

    # -- inside ---------------------------------------------------------------------------------------------------

    finer: "Tree | None" = None  # of which this one was made by merging sets
    entry_of: Ints  # of every entry of the finer tree the entry here
    owned_keys: Keys  # of every set: what a player has seen and done where it decided itself
    view_keys: Keys  # of every set: what it sees now

    def _take(self, found: walking.Found, counts: Ints) -> None:
        """Sort sets by seat, and keep what is needed from now on."""
        sets = found.sets[: counts[walking.SETS]]
        sets = sets[np.argsort(sets["seat"], kind="stable")]
        kept = ranges(sets["first"], sets["count"])
        sequences = np.arange(self.num_players + len(kept))
        sequences[self.num_players + kept] = self.num_players + np.arange(len(kept))
        ends = int(counts[walking.LEAVES])
        self.num_histories, self.num_ends = int(counts[walking.HISTORIES]), ends
        self.actions = found.actions[kept]
        self.owned_keys, self.view_keys = sets["owned"].copy(), sets["shown"].copy()
        self._deal_of = sets["deal"].astype(np.int32)
        self._moves_of = np.column_stack((sets["first_move"], sets["length"]))
        self._moves = found.moves[: counts[walking.MOVES]].copy()
        self.form = Form(
            bounds=np.searchsorted(sets["seat"], np.arange(self.num_players + 1)),
            firsts=_ends_of(sets["count"]),
            parents=sequences[sets["parent"]],
            sequences=sequences.astype(np.int32)[found.sequences[:ends]],
            outcomes=found.outcomes[:ends].copy(),
            weights=self.deals.weights[found.deals[:ends]],
            utilities=_utilities(found.shares[: counts[walking.OUTCOMES], : self.num_players]),
        )


def _listed(game: Game, num_players: int, options: dict[str, Any]) -> Deals:
    """Every deal of a variant."""
    if game.deals is None or game.deal_cards is None:
        raise ValueError(f"{game.title} does not list its deals, and only games that do can be solved")
    deals = deals_of(game, num_players, options)
    return Deals(np.ascontiguousarray(deals.orders, np.int16), np.ascontiguousarray(deals.weights, np.float64))


def _utilities(shares: NDArray[np.float32]) -> NDArray[np.float64]:
    """The reward "outcome" in double precision; shares sum to 1 exactly."""
    n = shares.shape[1]
    exact = shares.astype(np.float64)
    exact /= exact.sum(1, keepdims=True)
    utilities: NDArray[np.float64] = (n * exact - 1) / (n - 1)
    return utilities


def _ends_of(counts: Ints) -> Ints:
    """Where groups of so many begin, and the last one ends."""
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))


def _within(counts: Ints) -> Ints:
    """0, 1, ... within each group."""
    return np.arange(counts.sum()) - np.repeat(_ends_of(counts)[:-1], counts)


def ranges(firsts: Ints, counts: Ints) -> Ints:
    """The numbers of several runs, one after the other."""
    return np.repeat(firsts, counts) + _within(counts)
