"""From win shares to one number: how strong an agent is beside the members of the panel, on Elo's scale.

The model is Luce's, for two players Bradley and Terry's: every seat has a strength, and a game is won with probability
proportional to it.  The strengths of the members are fixed, so an agent's follows from one equation: what it has won is
what it would be expected to.  The more it wins, and against whomever, the larger is the solution.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lanterns_env.match.progress import NORMAL
from lanterns_env.match.ratings import SCALE
from lanterns_env.match.statistics import Interval

ZERO = 1000.0  # the rating of the anchor, strength 0
VIRTUAL_GAMES = 1.0  # drawn with the anchor: without them, who always wins would have no finite rating
WIDEST = 20.0  # between an agent and the nearest member: further away nobody can be measured
HALVINGS = 60


@dataclass(frozen=True)
class Meeting:
    """What an agent won against one member, deal by deal: of all rotations the mean share of the win.

    Attributes:
        strength: The member's, as a logarithm; the anchor's is 0.
        alone: Of the agent, among copies of the member.
        among: Of all copies of the agent together, with one member among them; two players have one side alone.
    """

    strength: float
    alone: NDArray[np.float64]
    among: NDArray[np.float64] | None


@dataclass(frozen=True)
class Rating:
    """A rating, and the standard error of it."""

    value: float
    error: float

    @property
    def interval(self) -> Interval:
        """95 %."""
        return self.value - NORMAL * self.error, self.value + NORMAL * self.error


def rate(num_players: int, meetings: Sequence[Meeting]) -> Rating:
    """An agent at one table."""
    strengths = [0.0, *(each.strength for each in meetings)]
    low, high = min(strengths) - WIDEST, max(strengths) + WIDEST
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _surplus(middle, num_players, meetings) > 0 else (low, middle)
    return Rating(ZERO + SCALE * low, SCALE * _error(low, num_players, meetings))


def mean_rating(ratings: Sequence[Rating]) -> Rating:
    """Of tables, or of games: all weigh the same, and were played apart from each other."""
    errors = math.sqrt(sum(each.error**2 for each in ratings))
    return Rating(sum(each.value for each in ratings) / len(ratings), errors / len(ratings))


def expected_shares(strength: float, member: float, num_players: int) -> tuple[float, float]:
    """Of the win: of the agent alone among copies of the member, and of all its copies with one member among them."""
    odds, others = math.exp(member - strength), num_players - 1
    return 1 / (1 + others * odds), others / (others + odds)


def _surplus(strength: float, num_players: int, meetings: Sequence[Meeting]) -> float:
    """Games won, less those that an agent of this strength would win: the slope of the likelihood."""
    surplus = VIRTUAL_GAMES * (0.5 - expected_shares(strength, 0.0, 2)[0])
    for each in meetings:
        alone, among = expected_shares(strength, each.strength, num_players)
        surplus += num_players * float((each.alone - alone).sum())
        if each.among is not None:
            surplus += num_players * float((each.among - among).sum())
    return surplus


def _error(strength: float, num_players: int, meetings: Sequence[Meeting]) -> float:
    """The standard error: from the spread over deals, for games of one deal depend on each other.

    A few deals may all end alike; so one more, of the spread that the model expects, counts with each member's.
    """
    variance, slope = 0.0, VIRTUAL_GAMES * _spread(strength, 0.0, 2)
    for each in meetings:
        own = num_players * (each.alone if each.among is None else each.alone + each.among)
        modelled = num_players * _spread(strength, each.strength, num_players, each.among is not None)
        variance += float(((own - own.mean()) ** 2).sum()) + modelled
        slope += len(own) * modelled
    return math.sqrt(variance) / slope


def _spread(strength: float, member: float, num_players: int, both: bool = False) -> float:
    """The variance of one game's share, or of one from either side; also how fast the expected share grows."""
    alone, among = expected_shares(strength, member, num_players)
    return alone * (1 - alone) + (among * (1 - among) if both else 0.0)
