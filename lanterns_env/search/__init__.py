"""Information-set Monte-Carlo tree search over redealt worlds."""

from lanterns_env.search.heuristics import Heuristics
from lanterns_env.search.ismcts import Evaluator, Search, SearchResult

__all__ = ["Evaluator", "Heuristics", "Search", "SearchResult"]
