"""The agent of an exported network: a file that ends in .onnx.  Needs onnxruntime alone, no torch.

A file takes observations and masks; one of a game with sights takes these too (``lanterns_agents.sights.inputs_of``).
"""

import json
import pathlib
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_agents.sights import inputs_of, layout_of
from lanterns_env import GAMES
from lanterns_env.agent import Table
from lanterns_env.game import Game

GIVEN = ("chances", "values")  # by every file
CARD = "card"  # under this name an exported network carries its card
LEAST = np.finfo(np.float32).tiny  # chance: its logarithm is finite
PART = 256  # rows that are given at once: what is worked out for them stays near the processor


class Learned:
    """Always takes the likeliest action of the network."""

    def __init__(self, file: str = "") -> None:
        self.file = pathlib.Path(file)
        if not file:
            raise ValueError("a learned agent is the name of its file: runs/mine/policy.onnx")
        if not self.file.is_file():
            raise ValueError(f"there is no file {file}")
        self._welcome: set[str] = set()  # layouts that have been checked

    @cached_property
    def session(self) -> Any:
        """The network, ready to be asked on one thread."""
        try:
            import onnxruntime
        except ImportError:
            raise ValueError(f"{self.file.name} needs onnxruntime: pip install lanterns_env[learned]") from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        return onnxruntime.InferenceSession(self.file, options, providers=["CPUExecutionProvider"])

    @cached_property
    def card(self) -> dict[str, Any]:
        """What the network was made for and how."""
        texts = self.session.get_modelmeta().custom_metadata_map
        if CARD not in texts:
            raise ValueError(f"{self.file} was not exported from this package: it has no card")
        given = [output.name for output in self.session.get_outputs()]
        if given != list(GIVEN):
            raise ValueError(f"{self.file} gives {' and '.join(given)}, not {' and '.join(GIVEN)}: export it anew")
        card: dict[str, Any] = json.loads(texts[CARD])
        return card

    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        self.check(table.game)
        chances, _ = self.evaluate(table.game.flat(table.views), table.masks)
        best: NDArray[np.int64] = chances.argmax(1)
        return best

    def evaluate(
        self, observations: NDArray[np.int8], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The chances of all actions [N, A], 0 for illegal ones, and what the seat to move expects [N]."""
        game = GAMES[self.card["game"]]
        chances, values = np.empty(masks.shape, np.float32), np.empty(len(masks), np.float32)
        for first in range(0, len(masks), PART):
            rows = slice(first, first + PART)
            inputs = inputs_of(game, observations[rows], masks[rows])
            chances[rows], values[rows] = self.session.run(GIVEN, inputs)
        return chances, values

    def judge(self, views: NDArray[Any], masks: NDArray[np.int8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """For named views, logits instead of chances: what a search asks its guide."""
        chances, values = self.evaluate(views.view(np.ndarray).view(np.int8).reshape(len(views), -1), masks)
        return np.log(np.maximum(chances, LEAST)), values

    def network(self, game: str) -> "Learned":
        """The one that plays this game: itself, for it refuses others."""
        return self

    def check(self, game: Game) -> None:
        """Refuse another game, or another version or layout of it."""
        if game.layout in self._welcome:
            return
        if self.card["game"] != game.name:
            raise ValueError(f"{self.file} plays {self.card['game']}, not {game.name}")
        version = self.card.get("game_version", game.version)
        if version != game.version:
            raise ValueError(
                f"{self.file} was trained on version {version} of the rules of {game.title}; "
                f"this package has version {game.version}: train it anew"
            )
        if self.card["layout"] != layout_of(game):
            raise ValueError(
                f"{self.file} was trained on another layout of {game.title} ({self.card['layout']}; now "
                f"{layout_of(game)}): the fields of the view, the actions or the sights have changed since; "
                "train it anew"
            )
        self._welcome.add(game.layout)
