"""What policies are worth, exactly: values, best responses, NashConv."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lanterns_env.solve import passes
from lanterns_env.solve.policy import Policy, joint
from lanterns_env.solve.tree import RECALL, Tree


class NashConv(NamedTuple):
    """How much players could gain by deviating alone, each from the same policy; 0 in a Nash equilibrium."""

    gains: NDArray[np.float64]  # by seat: best response less value
    values: NDArray[np.float64]  # by seat
    payoff_range: float

    @property
    def total(self) -> float:
        """The sum of the gains."""
        return float(self.gains.sum())

    @property
    def share(self) -> float:
        """The total as a share of the payoff range."""
        return self.total / self.payoff_range


class Response(NamedTuple):
    """A best response: its exact value for the player, and the policy with that player's part replaced."""

    value: float
    policy: Policy


def evaluate(tree: Tree, policies: Policy | Sequence[Policy]) -> NDArray[np.float64]:
    """The expected outcome of every seat: float64[n].  One policy for all seats, or one for each."""
    return nash_conv(tree, policies).values


def best_response(tree: Tree, policy: Policy, seat: int, information: str = RECALL) -> Response:
    """The best that one seat can do while the others play as the policy says.

    Args:
        tree: The tree of the game.
        policy: How the others play.
        seat: Who deviates.
        information: What the deviating player may go by: "recall" (all that it has seen and done) or "own decisions"
            (what it has seen where it decided itself, as agents of a match do).
    """
    check_seat(tree, seat)
    given = joint(tree, policy)
    judged = tree.under(information)
    gains = on_merged(judged, tree, gathered(given, seat))
    answer = np.zeros(judged.num_entries)
    value = passes.respond(judged.form, seat, gains, answer)
    first, last = tree.form.firsts[tree.form.bounds[seat : seat + 2]]
    mixed = given.probabilities.copy()
    mixed[first:last] = (answer if judged is tree else answer[judged.entry_of])[first:last]
    return Response(float(value), Policy(tree, mixed))


def nash_conv(tree: Tree, policies: Policy | Sequence[Policy]) -> NashConv:
    """What every seat gets, and how much it could gain by deviating alone, with perfect recall of all it has seen."""
    given = joint(tree, policies)
    plans, results = given.plans(), np.empty((tree.num_players, 2))
    for seat in range(tree.num_players):
        passes.appraise(tree.form, seat, given.probabilities, plans, results[seat])
    return NashConv(results[:, 1] - results[:, 0], results[:, 0], tree.payoff_range)


def gathered(policy: Policy, seat: int) -> NDArray[np.float64]:
    """What each sequence of a seat leads to at once, while the others play like this."""
    tree = policy.tree
    gains = np.zeros(tree.num_players + tree.num_entries)
    passes.gather(tree.form, seat, policy.plans(), gains)
    return gains


def on_merged(merged: Tree, tree: Tree, gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same for the sequences of a tree whose sets are merged ones."""
    if merged is tree:
        return gains
    n = tree.num_players
    summed = np.bincount(merged.entry_of, gains[n:], merged.num_entries)
    return np.concatenate((gains[:n], summed))


def check_seat(tree: Tree, seat: int) -> None:
    if seat not in range(tree.num_players):
        raise ValueError(f"seat {seat} does not exist; there are seats 0 to {tree.num_players - 1}")
