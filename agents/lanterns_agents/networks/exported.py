"""An exported network in memory: checked before it is read, and once for every file and process.

However many agents play by the same file, they ask the same network, on any thread; none of them holds any of it.
"""

import os
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_agents.features import FEATURES, check_features, has_features, inputs_of, width_of
from lanterns_agents.networks.model_card import check_card
from lanterns_agents.networks.sealed import CARD, LARGEST, check_seal, read_file, stamp_of
from lanterns_env import GAMES
from lanterns_env.engine.game import Game
from lanterns_env.support.extras import needed_by
from lanterns_env.support.files import parse_json

OUTPUTS = ("probabilities", "values")  # of every file
INT8, FLOAT32 = "tensor(int8)", "tensor(float)"  # onnxruntime's words
FATAL = 4  # of onnxruntime's levels
CHUNK = 256  # rows that are given at once: what is computed for them stays near the processor
KEPT = 32  # networks in memory; the one that was asked for least recently gives way
LONGEST_SAID = 300  # letters of what onnxruntime has to say

_OPEN: "OrderedDict[tuple[int, ...], Exported]" = OrderedDict()
_LOCK = threading.Lock()


@dataclass(frozen=True)
class Exported:
    """One network, ready to be asked on one thread, and its card: what it was made for and how."""

    file: str
    session: Any
    card: dict[str, Any]

    @property
    def game(self) -> Game:
        return GAMES[self.card["game"]]

    def evaluate(
        self, observations: NDArray[np.int8], action_masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Probabilities of all actions [N, A], 0 for illegal ones, and the values of all seats [N, P]."""
        count = len(action_masks)
        probabilities = np.empty(action_masks.shape, np.float32)
        values = np.empty((count, self.game.max_players), np.float32)
        for first in range(0, count, CHUNK):
            rows = slice(first, first + CHUNK)
            found = self._run(inputs_of(self.game, observations[rows], action_masks[rows]))
            if (found[0].shape, found[1].shape) != (probabilities[rows].shape, values[rows].shape):
                raise ValueError(f"{self.file} gives probabilities or values of another shape than asked for")
            probabilities[rows], values[rows] = found
        return probabilities, values

    def _run(self, inputs: dict[str, NDArray[Any]]) -> Any:
        try:
            return self.session.run(OUTPUTS, inputs)
        except Exception as error:  # onnxruntime's own kinds have nothing else in common
            raise ValueError(f"{self.file} cannot be asked: {_first_line(error)}") from None


def opened(file: str | os.PathLike[str]) -> Exported:
    """The network of a file; ValueError names the file, whatever is wrong with it."""
    name = os.fspath(file)
    with needed_by(name):
        import onnxruntime
    with _LOCK:
        key = stamp_of(name)
        if key not in _OPEN:
            _OPEN[key] = _open(onnxruntime, name)
        _OPEN.move_to_end(key)
        while len(_OPEN) > KEPT:
            _OPEN.popitem(last=False)
        return _OPEN[key]


def _forget() -> None:
    """A forked process asks no session of its parent, and waits for none of its threads."""
    global _LOCK
    _LOCK = threading.Lock()
    _OPEN.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _open(onnxruntime: Any, name: str) -> Exported:
    data = read_file(name, LARGEST)
    check_seal(data, name)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = FATAL  # what goes wrong is raised as well
    try:
        session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"], enable_fallback=0)
    except Exception as error:  # onnxruntime's own kinds have nothing else in common
        raise ValueError(f"{name} is no network that onnxruntime can read: {_first_line(error)}") from None
    texts = session.get_modelmeta().custom_metadata_map
    if CARD not in texts:
        raise ValueError(f"{name} has no card: export it anew")
    card = check_card(parse_json(texts[CARD], f"the card of {name}"), name)
    game = GAMES[card["game"]]
    if card["layout"] == game.layout:  # of another one OnnxAgent.check says what is wrong
        _check_features(game, card, name)
        _check_shape(session, game, name)
    return Exported(name, session, card)


def _check_features(game: Game, card: dict[str, Any], name: str) -> None:
    try:
        check_features(game, card[FEATURES])
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _check_shape(session: Any, game: Game, name: str) -> None:
    """Refuse what takes or gives something else than a network of the game."""
    given = tuple(each.name for each in session.get_outputs())
    if given != OUTPUTS:
        raise ValueError(f"{name} gives {' and '.join(given)}, not {' and '.join(OUTPUTS)}: export it anew")
    wanted = {"observations": (INT8, [game.view.itemsize]), "action_masks": (INT8, [game.num_actions])}
    if has_features(game.name):
        wanted[FEATURES] = (FLOAT32, [width_of(game)])
    if {each.name: (each.type, list(each.shape)[1:]) for each in session.get_inputs()} != wanted:
        raise ValueError(f"{name} does not take what {game.title} gives: train and export it anew")


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:LONGEST_SAID]
