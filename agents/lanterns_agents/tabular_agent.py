"""The agent "tabular": the policy of a solved variant out of its file, as ``lanterns solve --out`` keeps it.

It remembers of every game what it saw where it decided, and what it did: by that it finds its place in the table.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.agent import Table
from lanterns_env.solve.hashing import hashes_of
from lanterns_env.solve.policy import Policy
from lanterns_env.solve.remembering import NO_ACTION, keys_of
from lanterns_env.solve.saved import read
from lanterns_env.solve.tree import OWN_DECISIONS, Tree

MOST_REMEMBERED = 100_000  # games; those that wait longest for a decision are forgotten

Memory = tuple[int, int, int]  # the key of the last own decision, and what was done there


class TabularAgent:
    """Plays the policy that ``lanterns solve --out`` kept: tabular:policy.npz."""

    def __init__(self, file: str = "") -> None:
        if not file:
            raise ValueError("a solved policy is the name of its file: tabular:policy.npz")
        self.file = file
        self._saved = read(file)
        self._memories: dict[int, Memory] = {}  # by game
        self._checked = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied and pickled by the name of its file; what it remembers of games is not."""
        return TabularAgent, (self.file,)

    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        self._check(table)
        keys, numbers = self._places(table)
        entries, counts = self._saved.at(numbers)
        ends = np.cumsum(counts)
        sums = np.cumsum(self._saved.probabilities[entries])
        bounds = sums[ends - 1]
        begins = np.concatenate((np.zeros(1), bounds[:-1]))
        drawn = begins + rng.random(len(table)) * (bounds - begins)
        chosen = np.searchsorted(sums, drawn, "right").clip(ends - counts, ends - 1)
        actions: NDArray[np.int64] = self._saved.actions[entries[chosen]].astype(np.int64)
        self._remember(table.game_ids.tolist(), keys, actions)
        return actions

    def policy_on(self, tree: Tree) -> Policy:
        """The same policy on a tree of its variant."""
        self._saved.check(tree.game, tree.num_players, tree.options)
        coarse = tree.under(OWN_DECISIONS)
        numbers = self._saved.find(coarse.owned_keys)
        entries, counts = self._saved.at(numbers)
        if (numbers < 0).any() or (counts != np.diff(coarse.form.firsts)).any():
            raise ValueError(f"{self.file} does not know all positions of this variant: solve it anew")
        return Policy(coarse, self._saved.probabilities[entries]).on(tree)

    def _places(self, table: Table) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Where the games stand: keys and numbers of information sets."""
        news = hashes_of(table.game.to_array(table.views))
        known = [self._memories.get(game, (0, 0, NO_ACTION)) for game in table.game_ids.tolist()]
        before = np.array([key for *key, _ in known], np.uint64)
        actions = np.array([action for *_, action in known], np.int64)
        keys = self._keys(before, table, actions, news)
        numbers = self._saved.find(keys)
        begun = (numbers < 0) & (actions != NO_ACTION)  # another game under the same number
        if begun.any():
            keys = self._keys(before, table, np.where(begun, NO_ACTION, actions), news)
            numbers = self._saved.find(keys)
        if (numbers < 0).any():
            raise ValueError(
                f"{self.file} does not know this position: the game is of another deal than those of its variant, or "
                "did not begin with this agent in its seat"
            )
        return keys, numbers

    def _keys(
        self, before: NDArray[np.uint64], table: Table, actions: NDArray[np.int64], news: NDArray[np.uint64]
    ) -> NDArray[np.uint64]:
        keys = np.empty_like(before)
        with np.errstate(over="ignore"):
            keys_of(before, table.seats.astype(np.int64), actions, news, keys)
        return keys

    def _remember(self, games: list[int], keys: NDArray[np.uint64], actions: NDArray[np.int64]) -> None:
        for game, (first, second), action in zip(games, keys.tolist(), actions.tolist(), strict=True):
            self._memories.pop(game, None)
            self._memories[game] = first, second, action
        for game in list(self._memories)[: max(len(self._memories) - MOST_REMEMBERED, 0)]:
            del self._memories[game]

    def _check(self, table: Table) -> None:
        """Refuse another game, variant or number of players than that which was solved."""
        if self._checked:
            return
        games = table.worlds(np.zeros(len(table), np.uint64))
        for players in np.unique(games.num_players):
            self._saved.check(table.game, int(players), games.options)
        self._checked = True
