"""How far an agent is from optimal on a tree: its exact gains, over several seeds where it draws random numbers."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lanterns_env.agent import Given, name_of
from lanterns_env.solve.asking import Progress, ask
from lanterns_env.solve.tree import Tree
from lanterns_env.solve.values import NashConv, nash_conv

SEEDS = 10  # policies of an agent that draws random numbers


class Measured(NamedTuple):
    """An agent on a tree: the gains of its policy, or of one policy for every seed."""

    agent: str
    runs: list[NashConv]

    @property
    def totals(self) -> NDArray[np.float64]:
        """NashConv, run by run."""
        return np.array([run.total for run in self.runs])

    @property
    def gains(self) -> NDArray[np.float64]:
        """By run and seat."""
        return np.array([run.gains for run in self.runs])

    @property
    def values(self) -> NDArray[np.float64]:
        """By run and seat."""
        return np.array([run.values for run in self.runs])


def measure(tree: Tree, agent: Given, seeds: int = SEEDS, progress: Progress | None = None) -> Measured:
    """The exact gains against an agent at all seats, with seeds 0, 1, ... if it draws random numbers."""
    if seeds < 1:
        raise ValueError(f"seeds must be at least 1, not {seeds}")
    policy, random = ask(tree, agent, 0, progress)
    others = (ask(tree, agent, seed, progress)[0] for seed in range(1, seeds if random else 1))
    return Measured(name_of(agent), [nash_conv(tree, policy), *(nash_conv(tree, other) for other in others)])


def spread(numbers: NDArray[np.float64]) -> float:
    """The standard deviation of a sample; 0 of a single number."""
    return float(numbers.std(ddof=1)) if len(numbers) > 1 else 0.0
