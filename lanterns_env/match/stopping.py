"""When a match may stop: an interval that stays valid however often it is checked.

The betting confidence sequence of Waudby-Smith and Ramdas ("Estimating means of bounded random variables by
betting", 2023): for every mean that the win share might have, two gamblers bet that it is more and that it
is less.  Were it the true mean, neither would ever be likely to become rich; a mean at which one did is excluded.
"""

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.match.statistics import LEVEL, Interval

RULE = f"betting confidence sequence over deals, {LEVEL:.0%}, looked at after every chunk"
GRID = np.linspace(0, 1, 1001)  # the means that the interval is made of
BOLDEST = 0.5  # of what a gambler owns, staked on one deal
RICH = math.log(2 / (1 - LEVEL))  # the logarithm of what either of the two has to make of 1


@dataclass(frozen=True)
class Stop:
    """The state of the question whether a win share is above or below a threshold."""

    threshold: float
    decided: bool
    interval: Interval  # of the first agent's win share, valid at whatever moment the match stops
    deals: int
    rule: str = RULE

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class ConfidenceSequence:
    """Numbers from 0 to 1 come in one by one; the interval contains their mean, at all times at once, with 95 %."""

    def __init__(self, threshold: float, grid: NDArray[np.float64] = GRID) -> None:
        self.threshold, self._grid = threshold, grid
        self._means = np.append(grid, threshold)
        self._capital = np.zeros((2, len(self._means)))  # logarithms, of betting on more and on less
        self._count, self._sum, self._squares = 0, 0.5, 0.25  # as if a first number of 1/2 had been seen

    def add(self, values: NDArray[np.float64]) -> None:
        """Add numbers in their order.  Each stake depends only on the numbers before it."""
        counts = self._count + np.arange(1, len(values) + 1)
        sums = self._sum + np.cumsum(values)
        squares = self._squares + np.cumsum((values - sums / (counts + 1)) ** 2)
        variances = np.append(self._squares, squares[:-1]) / counts
        stakes = np.sqrt(2 * RICH / (variances * counts * np.log1p(counts)))[:, None]
        gains = values[:, None] - self._means
        with np.errstate(divide="ignore", over="ignore"):  # bolder, and a single number could cost all
            more, less = BOLDEST / self._means, BOLDEST / (1 - self._means)
        self._capital[0] += np.log1p(np.minimum(stakes, more) * gains).sum(0)
        self._capital[1] += np.log1p(-np.minimum(stakes, less) * gains).sum(0)
        self._count, self._sum, self._squares = int(counts[-1]), float(sums[-1]), float(squares[-1])

    @property
    def decided(self) -> bool:
        """Whether the threshold is excluded."""
        return bool(self._capital[:, -1].max() >= RICH)

    @property
    def interval(self) -> Interval:
        richest = self._capital[:, :-1].max(0)
        left = self._grid[richest <= max(RICH, float(richest.min()))]
        return float(left[0]), float(left[-1])

    def stop(self) -> Stop:
        return Stop(self.threshold, self.decided, self.interval, self._count)
