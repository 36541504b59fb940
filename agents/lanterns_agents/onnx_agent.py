"""The agent of an exported network: a file that ends in .onnx.  Needs onnxruntime alone, no torch.

A file takes observations and action masks; one of a game with features takes these too (``features.inputs_of``).
"""

import pathlib
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_agents.networks.exported import Exported, opened
from lanterns_agents.networks.sealed import check_file
from lanterns_env.agent import Table
from lanterns_env.engine.game import Game

LEAST = np.finfo(np.float32).tiny  # probability: its logarithm is finite


class OnnxAgent:
    """Always takes the most probable action of an exported network: policy.onnx (needs onnxruntime)."""

    def __init__(self, file: str = "") -> None:
        self.file = pathlib.Path(file)
        if not file:
            raise ValueError("a learned agent is the name of its file: runs/mine/policy.onnx")
        check_file(self.file)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied and pickled by the name of its file: the network itself is in memory once."""
        return OnnxAgent, (str(self.file),)

    @cached_property
    def exported(self) -> Exported:
        return opened(self.file)

    @property
    def card(self) -> dict[str, Any]:
        """What the network was made for and how."""
        return self.exported.card

    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        self.check(table.game)
        probabilities, _ = self.evaluate(table.game.to_array(table.views), table.action_masks)
        best: NDArray[np.int64] = probabilities.argmax(1)
        if not table.action_masks[np.arange(len(best)), best].all():
            raise ValueError(f"{self.file} gives no probability to any legal action")
        return best

    def evaluate(
        self, observations: NDArray[np.int8], action_masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Probabilities of all actions [N, A], 0 for illegal ones, and the values of all seats [N, P]."""
        return self.exported.evaluate(observations, action_masks)

    def policy_and_value(
        self, views: NDArray[Any], action_masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """For named views, logits instead of probabilities: what a search asks its evaluator."""
        observations = views.view(np.ndarray).view(np.int8).reshape(len(views), -1)
        probabilities, values = self.evaluate(observations, action_masks)
        return np.log(np.maximum(probabilities, LEAST)), values

    def evaluator(self, game: str) -> "OnnxAgent":
        """The one that evaluates positions of this game: itself, for it refuses others."""
        return self

    def check(self, game: Game) -> None:
        """Refuse another game, or another version or layout of it."""
        card = self.card
        if card["game"] != game.name:
            raise ValueError(f"{self.file} plays {card['game']}, not {game.name}")
        if card["game_version"] != game.version:
            raise ValueError(
                f"{self.file} was trained on version {card['game_version']} of the rules of {game.title}; "
                f"this package has version {game.version}: train it anew"
            )
        if card["layout"] != game.layout:
            raise ValueError(
                f"{self.file} was trained on another layout of {game.title} ({card['layout']}; now {game.layout}): "
                "the fields of the view or the actions have changed since; train it anew"
            )
