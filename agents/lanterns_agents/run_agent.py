"""The agent of a run: the folder that training writes, or its policy.safetensors.  Needs torch.

``policy.onnx``, to which it can be exported, plays the same without torch.
"""

import os
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_agents.networks.sealed import stamp_of
from lanterns_env import GAMES
from lanterns_env.agent import POLICY, Table
from lanterns_env.support.extras import check_installed

KEPT = 8  # networks in memory; the one that was asked for least recently gives way


class RunAgent:
    """Always takes the most probable action of the network of a run: runs/mine (needs torch)."""

    def __init__(self, run: str = "") -> None:
        if not run:
            raise ValueError(
                "a run is the name of its folder, or of its policy: runs/mine, runs/mine/policy.safetensors"
            )
        self.file = os.path.join(run, POLICY) if os.path.isdir(run) else run
        if self.file != run and not os.path.exists(self.file):
            raise ValueError(f"{run} is no folder of a run: there is no {POLICY} in it, which lanterns train writes")
        self._network = _in_file(self.file, stamp_of(self.file))

    def __deepcopy__(self, memo: Any) -> "RunAgent":
        """The network itself is in memory once."""
        return RunAgent(self.file)

    def __reduce__(self) -> tuple[Any, ...]:
        return RunAgent, (self.file,)

    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        import torch

        from lanterns_agents.networks.one_thread import on_one_thread

        network = self._network
        if table.game is not network.game:
            raise ValueError(f"{self.file} plays {network.game.title}, not {table.game.title}")
        observations = table.game.to_array(table.views).copy()  # torch wants memory that it could write to
        with on_one_thread():
            logits, _ = network(torch.from_numpy(observations), torch.from_numpy(table.action_masks.copy()))
        best: NDArray[np.int64] = logits.numpy().argmax(1)
        return best


@lru_cache(KEPT)
def _in_file(file: str, stamp: tuple[int, ...]) -> Any:
    """The network of a file; the stamp tells it from what was in the file before it was written anew."""
    check_installed(f"the run {file}", "torch", "safetensors")
    from lanterns_agents.networks.base import load_network, read_network

    saved = read_network(file)
    if saved.get("game") not in list(GAMES):
        raise ValueError(f"{file} is of no game that there is")
    try:
        return load_network(GAMES[saved["game"]], saved).eval()
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"{file} cannot be played: {error}") from None
