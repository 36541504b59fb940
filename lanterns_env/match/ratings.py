"""Ratings from places: Plackett and Luce's model, which for two players is Bradley and Terry's.

The next-placed player is chosen with probability proportional to strength; ties are averaged over all orders.  Every
agent also plays one draw against an imaginary average player: without it, one that never wins would have no finite
rating.
"""

import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lanterns_env.match.statistics import LEVEL

SCALE = 400 / math.log(10)  # Elo's: ten times as strong is 400 more
VIRTUAL_DRAW = 1.0  # its weight, in games
RESAMPLES = 500
LONGEST_STEP = 1.0  # of a logarithm of strength: keeps Newton's method from leaping too far
SMALLEST_STEP = 1e-9
MOST_STEPS = 1000

Places = Sequence[int]
Weights = NDArray[np.float64]


class Choices:
    """Placings of games as choices: who was the next, among whom.

    ``among[choice, agent]`` is how many of an agent's seats could be chosen; ``weights[group, choice]`` how often
    that happened in a group of games (a deal), ``chosen[group, agent]`` how often the agent was taken.
    """

    def __init__(self, num_agents: int, num_groups: int) -> None:
        self.num_agents, self.num_groups = num_agents, num_groups
        self._columns: dict[tuple[int, ...], int] = {}
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], list[tuple[int, float, dict[int, float]]]] = {}
        self._weights: list[dict[int, float]] = [{} for _ in range(num_groups)]
        self.chosen = np.zeros((num_groups, num_agents))

    def add(self, group: int, agents: Sequence[int], places: Places) -> None:
        """A game of the agents in their seats, and the place each seat took."""
        key = tuple(agents), tuple(places)
        if key not in self._known:
            self._known[key] = self._stages(*key)
        weights = self._weights[group]
        for column, weight, chosen in self._known[key]:
            weights[column] = weights.get(column, 0.0) + weight
            for agent, share in chosen.items():
                self.chosen[group, agent] += share

    @property
    def among(self) -> NDArray[np.float64]:
        return np.array(list(self._columns), np.float64).reshape(-1, self.num_agents)

    @property
    def weights(self) -> Weights:
        table = np.zeros((self.num_groups, len(self._columns)))
        for group, weights in enumerate(self._weights):
            table[group, list(weights)] = list(weights.values())
        return table

    def _stages(self, agents: tuple[int, ...], places: Places) -> list[tuple[int, float, dict[int, float]]]:
        """The choices in one placing: (column, weight, how often each agent was chosen)."""
        stages = []
        for place in sorted(set(places)):
            tied = [agent for agent, own in zip(agents, places, strict=True) if own == place]
            behind = [agent for agent, own in zip(agents, places, strict=True) if own > place]
            for size in range(1, len(tied) + 1):
                for left in itertools.combinations(tied, size):
                    among = [*left, *behind]
                    if len(set(among)) > 1:  # a choice among one agent's own seats says nothing
                        weight = 1 / math.comb(len(tied), size)
                        chosen = {agent: weight * left.count(agent) / size for agent in set(left)}
                        stages.append((self._column(among), weight, chosen))
        return stages

    def _column(self, among: Sequence[int]) -> int:
        counts = tuple(among.count(agent) for agent in range(self.num_agents))
        return self._columns.setdefault(counts, len(self._columns))


def strengths(among: NDArray[np.float64], weights: Weights, chosen: Weights) -> NDArray[np.float64]:
    """The most likely logarithms of strength, [sample, agent], for samples of weights and of chosen.

    The likelihood has one summit, thanks to the virtual draws; Newton's method climbs it.
    """
    logs = np.zeros(chosen.shape)
    agents = np.arange(chosen.shape[1])
    for _ in range(MOST_STEPS):
        powers = among * np.exp(logs)[:, None, :]
        likely = powers / powers.sum(-1, keepdims=True)  # [sample, choice, agent]
        beats_average = 1 / (1 + np.exp(-logs))
        expected = np.einsum("bc,bci->bi", weights, likely)
        slope = chosen - expected + VIRTUAL_DRAW * (0.5 - beats_average)
        bend = -np.einsum("bc,bci,bcj->bij", weights, likely, likely, optimize=True)
        bend[:, agents, agents] += expected + VIRTUAL_DRAW * beats_average * (1 - beats_average)
        step = np.linalg.solve(bend, slope[..., None])[..., 0]
        longest = np.abs(step).max(-1, keepdims=True)
        logs += step * np.minimum(1, LONGEST_STEP / np.maximum(longest, LONGEST_STEP))
        if longest.max() < SMALLEST_STEP:
            return logs
    raise RuntimeError(f"the ratings have not settled after {MOST_STEPS} steps")


def rate(choices: Choices, seed: int, anchor: int | None = None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ratings [agent] and their bootstrap intervals [agent, 2] over groups.

    The anchor has rating 0, or the mean has where there is none.
    """
    among, weights, chosen = choices.among, choices.weights, choices.chosen
    drawn = np.random.default_rng(seed).multinomial(
        choices.num_groups, np.full(choices.num_groups, 1 / choices.num_groups), RESAMPLES
    )
    found = strengths(among, weights.sum(0, keepdims=True), chosen.sum(0, keepdims=True))
    resampled = strengths(among, drawn @ weights, drawn @ chosen)
    tail = (1 - LEVEL) / 2
    bounds = np.quantile(_anchored(resampled, anchor), [tail, 1 - tail], axis=0).T
    return _anchored(found, anchor)[0], bounds


def _anchored(logs: NDArray[np.float64], anchor: int | None) -> NDArray[np.float64]:
    zero = logs.mean(1, keepdims=True) if anchor is None else logs[:, anchor : anchor + 1]
    return SCALE * (logs - zero)
