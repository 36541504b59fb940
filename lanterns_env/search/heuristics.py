"""What somebody knows about playing a game, as search uses it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

NAMES = ("evaluate", "prior", "rollout")


@dataclass(frozen=True, eq=False)
class Heuristics:
    """Compiled functions over a state.  Whatever is left out is done without knowledge (see tree.py)."""

    evaluate: Callable[..., Any] | None = None  # (state, values) -> False, or shares of the win to be expected
    prior: Callable[..., Any] | None = None  # (state, mask, weights): how promising legal actions look, above 0
    rollout: Callable[..., Any] | None = None  # (state, mask, count, rng) -> action: a quick policy
    c_puct: float = 1.0  # how far search trusts the prior beside its results
    name: str = "with_heuristics"  # of the compiled code

    @cached_property
    def verbs(self) -> dict[str, Any]:
        """What templates of the search find under these names."""
        return {name: getattr(self, name) for name in NAMES if getattr(self, name) is not None}
