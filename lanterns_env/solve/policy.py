"""How all players of a tree play: a probability for every action of every information set."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.solve import passes
from lanterns_env.solve.tree import Tree

ROUNDING = 1e-6  # by which probabilities may miss 1 in all
EXACT = 1e-12  # by which they do in double precision; only what misses more is scaled
Floats = NDArray[np.float64]


class Policy:
    """How all players play: ``probabilities`` has one number for every entry of the tree."""

    def __init__(self, tree: Tree, probabilities: Any) -> None:
        numbers = np.array(probabilities, np.float64)
        if numbers.shape != (tree.num_entries,):
            raise ValueError(f"a policy needs {tree.num_entries} probabilities, one an entry, not {numbers.shape}")
        sums = sums_of(tree, numbers)
        if not ((numbers >= 0).all() and (np.abs(sums - 1) <= ROUNDING).all()):
            raise ValueError("the probabilities of an information set must be at least 0 and sum to 1")
        self.tree = tree
        scales = np.where(np.abs(sums - 1) > EXACT, sums, 1)
        self.probabilities: Floats = numbers / np.repeat(scales, np.diff(tree.form.firsts))

    @classmethod
    def uniform(cls, tree: Tree) -> "Policy":
        """All legal actions alike."""
        counts = np.diff(tree.form.firsts)
        return cls(tree, np.repeat(1 / counts, counts))

    def at(self, number: int) -> dict[int, float]:
        """What is done in an information set: actions with their probabilities."""
        mine = self.probabilities[self.tree.entries(number)].tolist()
        return dict(zip(self.tree.legal_actions(number), mine, strict=True))

    def on(self, tree: Tree) -> "Policy":
        """The same policy on the tree whose sets were merged to those of this one."""
        if tree is self.tree:
            return self
        if self.tree.finer is not tree:
            raise ValueError("the policy is of another tree")
        return Policy(tree, self.probabilities[self.tree.entry_of])

    def replaced(self, seat: int, other: "Policy") -> "Policy":
        """The same, but one player plays as in another policy."""
        return Policy(self.tree, self.mixed(seat, other.on(self.tree).probabilities))

    def mixed(self, seat: int, probabilities: Floats) -> Floats:
        """The probabilities with those of one seat from elsewhere."""
        first, last = self.tree.form.firsts[self.tree.form.bounds[seat : seat + 2]]
        mixed = self.probabilities.copy()
        mixed[first:last] = probabilities[first:last]
        return mixed

    def plans(self) -> Floats:
        """The chance of every sequence, as far as it is up to its player."""
        plans = np.empty(self.tree.num_players + self.tree.num_entries)
        for seat in range(self.tree.num_players):
            passes.reach(self.tree.form, seat, self.probabilities, plans)
        return plans


def sums_of(tree: Tree, numbers: Floats) -> Floats:
    """The sum over the entries of every information set."""
    return np.add.reduceat(numbers, tree.form.firsts[:-1]) if tree.num_sets else np.zeros(0)


def joint(tree: Tree, policies: Policy | Sequence[Policy]) -> Policy:
    """One policy on the tree: given as one for all, or as one for each seat."""
    if isinstance(policies, Policy):
        return policies.on(tree)
    if len(policies) != tree.num_players:
        raise ValueError(f"{tree.num_players} policies are needed, one a seat, not {len(policies)}")
    return _assembled(policies[0].on(tree), enumerate(policies))


def _assembled(policy: Policy, others: Iterator[tuple[int, Policy]]) -> Policy:
    for seat, other in others:
        policy = policy.replaced(seat, other)
    return policy
