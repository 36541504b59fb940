"""Exact answers for small variants: trees, values, best responses, solving."""

from lanterns_env.solve.asking import policy_of
from lanterns_env.solve.policy import Policy
from lanterns_env.solve.solving import Standing, solve
from lanterns_env.solve.tree import Tree
from lanterns_env.solve.values import NashConv, Response, best_response, evaluate, nash_conv
from lanterns_env.solve.views import ViewResponse, view_response

__all__ = [
    "NashConv",
    "Policy",
    "Response",
    "Standing",
    "Tree",
    "ViewResponse",
    "best_response",
    "evaluate",
    "nash_conv",
    "policy_of",
    "solve",
    "view_response",
]
