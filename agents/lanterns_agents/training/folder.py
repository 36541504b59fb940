"""The folder of a run: whose it is, its checkpoint and its network.

Every file is the old one or the new one, whatever happens, and reading one executes nothing that is in it.
"""

import pathlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lanterns_agents.networks.arrays import read_arrays, those_under, write_arrays
from lanterns_agents.networks.base import MADE_FOR
from lanterns_agents.training.arguments import CONFIG, write_config
from lanterns_agents.training.logging import LOG, begin_log
from lanterns_agents.training.run import State
from lanterns_agents.training.settings import check_same
from lanterns_env.support.files import locked, write_whole

CHECKPOINT, POLICY = "checkpoint.safetensors", "policy.safetensors"
NETWORK = "network"  # under this name a checkpoint holds the weights
TRAINED = ("config", "decisions", "seconds")  # what is said of how a network was made, and
BEFORE = "initialised_from"  # of how the network was trained that it began with
LARGEST_CHECKPOINT = 1 << 36  # bytes


@contextmanager
def open_run(config: Any, resume: bool, runs: pathlib.Path, kind: Any) -> Iterator[tuple[Any, pathlib.Path]]:
    """A new run in a folder of its own, or one that goes on where its checkpoint stands; locked meanwhile."""
    folder = runs / (config.run_name or config.game)
    run = kind(config)  # what will not do is refused before anything is written
    if not resume:
        run.begin()
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        if resume:
            restore(run, folder / CHECKPOINT)
        elif (folder / CHECKPOINT).exists():
            raise ValueError(
                f"{folder} is there already: --resume {folder} goes on with it, run_name=... begins another"
            )
        begin_log(folder / LOG, run.updates)
        write_whole(folder / CONFIG, write_config(config))
        yield run, folder


class Keeper:
    """The newest whole state of a run, on disk or not yet: what is left when an update goes wrong or is given up."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self._state: State | None = None
        self._lock = threading.Lock()

    def take(self, state: State) -> None:
        with self._lock:
            self._state = state

    def save(self) -> None:
        """On any thread."""
        with self._lock:
            if self._state is not None:
                write_state(self._state, self.folder)
            self._state = None


def write_state(state: State, folder: pathlib.Path) -> None:
    """The checkpoint, and the network alone."""
    arrays, card = state
    try:
        write_arrays(folder / CHECKPOINT, arrays, card)
        about = {name: card[name] for name in (*MADE_FOR, *TRAINED, BEFORE)}
        write_arrays(folder / POLICY, those_under(NETWORK, arrays), about)
    except OSError as error:
        raise ValueError(
            f"{folder} cannot be written to: {error.strerror}; its files are the last whole ones"
        ) from None


def restore(run: Any, file: pathlib.Path) -> None:
    """A new run becomes the one in a checkpoint."""
    arrays, card = read_arrays(file, LARGEST_CHECKPOINT)
    if not isinstance(card, dict) or card.get("trainer") != run.trainer:
        raise ValueError(f"{file} is no checkpoint of {run.trainer}")
    if not isinstance(card.get("config"), dict):
        raise ValueError(f"{file} is damaged: it does not say with what settings it was made")
    check_same(run.config, card["config"], file)
    try:
        run.restore(arrays, card)
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RuntimeError) as error:
        raise ValueError(f"{file} does not fit, or is damaged: {error}") from None
