"""Matches between agents: paired deals, intervals over deals, results that can be reproduced."""

from lanterns_env.match.ladder import LadderResult, play_ladder
from lanterns_env.match.result import MatchResult, Progress, first_difference, play_match, read, reproduce

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
