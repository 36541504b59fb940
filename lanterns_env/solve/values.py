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
    return answered(tree, tree.under(information), given, seat, gathered(given, seat))


def answered(tree: Tree, judged: Tree, given: Policy, seat: int, gains: NDArray[np.float64]) -> Response:
    """The best response by the sets of a tree, which may be merged ones, to what was gathered on the tree itself."""
    n, answer = tree.num_players, np.zeros(judged.num_entries)
    if judged is not tree:
        gains = np.concatenate((gains[:n], np.bincount(judged.entry_of, gains[n:], judged.num_entries)))
    value = passes.respond(judged.form, seat, gains.copy(), answer)
    replaced = answer if judged is tree else answer[judged.entry_of]
    return Response(float(value), Policy(tree, given.mixed(seat, replaced)))


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


def check_seat(tree: Tree, seat: int) -> None:
    if seat not in range(tree.num_players):
        raise ValueError(f"seat {seat} does not exist; there are seats 0 to {tree.num_players - 1}")
