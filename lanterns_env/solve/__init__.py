"""Exact answers for small variants: trees, values, best responses, solving."""

from lanterns_env.solve.policy import Policy
from lanterns_env.solve.solving import Standing, solve
from lanterns_env.solve.tree import Tree
from lanterns_env.solve.values import NashConv, Response, best_response, evaluate, nash_conv

__all__ = ["NashConv", "Policy", "Response", "Standing", "Tree", "best_response", "evaluate", "nash_conv", "solve"]
