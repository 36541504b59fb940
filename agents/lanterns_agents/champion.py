"""The agent "champion": the trained network that comes with the package, for every game that has one.

In the folder of a game lie ``champion.onnx``, which plays, and which runs can begin with (``init_from=champion``); and
``champion.json``, its card: what it was trained on, for how long, and how it did.  It plays at any number of players of
its game, best at those that the card names.
"""

import pathlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_agents.onnx_agent import OnnxAgent
from lanterns_env.agent import EXPORTED, Table

FOLDER = pathlib.Path(__file__).parent
NAME = "champion"  # of the files


class Champion:
    """The trained network that comes with the package (needs onnxruntime), or that of another folder."""

    def __init__(self, folder: str = "") -> None:
        self.folder = pathlib.Path(folder) if folder else FOLDER
        self._evaluators: dict[str, OnnxAgent] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied and pickled by the name of its folder: the networks themselves are in memory once."""
        return Champion, (str(self.folder),)

    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        return self.evaluator(table.game.name).act(table, rng)

    def evaluator(self, game: str) -> OnnxAgent:
        """The network that plays this game."""
        if game not in self._evaluators:
            known = champions(self.folder)
            if game not in known:
                raise ValueError(
                    f"there is no champion of {game!r}; there are champions of: {', '.join(known) or 'none'}"
                )
            self._evaluators[game] = OnnxAgent(str(champion_file(game, self.folder)))
        return self._evaluators[game]


def champion_file(game: str, folder: pathlib.Path = FOLDER) -> pathlib.Path:
    return folder / game / f"{NAME}{EXPORTED}"


def champions(folder: pathlib.Path = FOLDER) -> list[str]:
    """The games that have one."""
    return sorted(file.parent.name for file in folder.glob(f"*/{NAME}{EXPORTED}"))
