"""Search over worlds that are dealt anew: information-set Monte Carlo tree search."""

from lanterns_env.search.ismcts import Found, Guide, Search

__all__ = ["Found", "Guide", "Search"]
