"""Matches between agents: paired deals, intervals over deals, results that can be reproduced."""

from lanterns_env.match.ladder import LadderResult, play_ladder
from lanterns_env.match.progress import Progress
from lanterns_env.match.result import MatchResult, first_difference, play_match, reproduce
from lanterns_env.match.saved import read

__all__ = [
    "LadderResult",
    "MatchResult",
    "Progress",
    "first_difference",
    "play_ladder",
    "play_match",
    "read",
    "reproduce",
]
