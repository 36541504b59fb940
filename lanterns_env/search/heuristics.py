"""Hand-written knowledge of a game that an agent gives to the search."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

NAMES = ("evaluate", "prior", "rollout")


@dataclass(frozen=True, eq=False)
class Heuristics:
    """Compiled functions over a state.  What is left out: uniform priors, random rollouts to the end of the game.

    Attributes:
        evaluate: ``(state, values) -> bool``: writes the expected shares of the win, or returns False where it has no
            evaluation; then the search plays on.
        prior: ``(state, mask, weights)``: writes a weight above 0 for every legal action.
        rollout: ``(state, mask, count, rng) -> action``: the rollout policy.
        c_puct: The exploration constant that suits the prior.
        name: Of the compiled code; different for every set of heuristics of a game.
    """

    evaluate: Callable[..., Any] | None = None
    prior: Callable[..., Any] | None = None
    rollout: Callable[..., Any] | None = None
    c_puct: float = 1.0
    name: str = "with_heuristics"

    @cached_property
    def verbs(self) -> dict[str, Any]:
        """What templates of the search find under these names."""
        return {name: getattr(self, name) for name in NAMES if getattr(self, name) is not None}
