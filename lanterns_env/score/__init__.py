"""The standard benchmark: an agent meets a fixed panel at every table, and is rated."""

from lanterns_env.score.playing import play_score
from lanterns_env.score.result import ScoreResult, Subject

__all__ = ["ScoreResult", "Subject", "play_score"]
