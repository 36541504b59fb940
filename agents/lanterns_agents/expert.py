"""The agent "expert": hand-written play for each game, its weights tuned by scripts/tune.py.

The module ``expert`` of a game offers

- ``choose_rows(views, masks, weights, actions)``: compiled; writes an action a row, from views, masks and
  the weights of the game (see weights.py), float64[len(NAMES)], alone;
- perhaps ``logits_rows(views, masks, weights, logits)``: writes how much worse than the best each action is (0, or
  less), as a logit.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_agents.per_game import module_for
from lanterns_agents.weights import Vectors, read_file, read_weights, vector_for, vectors_in, weights_file
from lanterns_env.agent import Table


class Expert:
    """Plays by the tuned weights, or by those of a file (``load("expert:my.toml")``)."""

    def __init__(self, weights: str = "") -> None:
        self.file = weights
        self._content = read_file(weights) if weights else None  # whether they fit a game shows when it is played
        self._vectors: dict[str, Vectors] = {}

    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        actions = np.empty(len(table), np.int64)
        self._fill(table, "choose_rows", actions)
        return actions

    def action_probabilities(self, table: Table) -> NDArray[np.float32] | None:
        """Of all actions in every row, more for the better ones; None for a game whose expert has no logits."""
        if not hasattr(module_for("expert", table.game.name), "logits_rows"):
            return None
        logits = np.empty(table.action_masks.shape, np.float32)
        self._fill(table, "logits_rows", logits)
        probabilities: NDArray[np.float32] = np.exp(logits)
        probabilities /= probabilities.sum(1, keepdims=True)
        return probabilities

    def _fill(self, table: Table, rows_function: str, found: NDArray[Any]) -> None:
        module, vectors = module_for("expert", table.game.name), self._vectors_of(table.game.name)
        counts = table.views["num_players"]
        for count in sorted(set(counts.tolist())):
            rows = counts == count
            part = np.empty_like(found[rows])
            getattr(module, rows_function)(
                table.views[rows], table.action_masks[rows], vector_for(vectors, count), part
            )
            found[rows] = part

    def _vectors_of(self, game: str) -> Vectors:
        if game not in self._vectors:
            names, own = module_for("weights", game).BOUNDS, self._content
            self._vectors[game] = (
                read_weights(weights_file(game), names) if own is None else vectors_in(own, names, self.file)
            )
        return self._vectors[game]
