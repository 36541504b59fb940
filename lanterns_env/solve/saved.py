"""Policies of solved games in files: NumPy's own format, without pickles, with a checksum.

A policy is kept by what an agent of a match sees and remembers: its views where it decided itself, and what it did
there.  128 bits stand for each such history of one player.
"""

import hashlib
import io
import json
import os
import pathlib
import zipfile
import zlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.engine.game import Game
from lanterns_env.solve.policy import Policy
from lanterns_env.solve.tree import OWN_DECISIONS, ranges
from lanterns_env.solve.values import NashConv
from lanterns_env.support.files import check_fields, parse_json, write_whole

KIND, FORMAT = "policy", 1
ARRAYS = {"keys": np.uint64, "counts": np.int32, "actions": np.int32, "probabilities": np.float64}
CARD, CHECKSUM = "card", "checksum"
NEEDED = {"kind": str, "format": int, "game": str, "layout": str, "players": int, "options": dict, "gains": list}
MOST_BYTES = 1 << 32  # of one array
UNREADABLE = (OSError, EOFError, KeyError, TypeError, ValueError, NotImplementedError)
KEPT = 4  # files that are kept in memory


@dataclass(frozen=True, eq=False)
class SavedPolicy:
    """A policy out of a file.

    Attributes:
        name: Of the file.
        card: The game, its players and options, and how the policy was solved.
        keys: uint64[sets, 2]: what an agent remembers in each information set, as two hashes.
        firsts: int64[sets + 1]: where the entries of each set begin.
        actions: int32: of the entries.
        probabilities: float64: of the entries.
    """

    name: str
    card: dict[str, Any]
    keys: NDArray[np.uint64]
    firsts: NDArray[np.int64]
    actions: NDArray[np.int32]
    probabilities: NDArray[np.float64]

    @cached_property
    def _sorted(self) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        order = np.lexsort((self.keys[:, 1], self.keys[:, 0]))
        return order, self.keys[order]

    def find(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The numbers of information sets by their keys, -1 for those that are not there."""
        order, known = self._sorted
        at = np.minimum(np.searchsorted(known[:, 0], keys[:, 0]), len(known) - 1)
        return np.where((known[at] == keys).all(1), order[at], -1)

    def at(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The entries of several information sets one after the other, and how many each has."""
        counts = np.diff(self.firsts)[numbers]
        return ranges(self.firsts[numbers], counts), counts

    def check(self, game: Game, num_players: int, options: dict[str, Any]) -> None:
        """Refuse another game than that which was solved, another number of players or another variant."""
        card = self.card
        if card["game"] != game.name:
            raise ValueError(f"{self.name} plays {card['game']}, not {game.name}")
        if card["layout"] != game.layout:
            raise ValueError(f"{self.name} is of another version or layout of {game.title}: solve it anew")
        if card["players"] != num_players:
            raise ValueError(f"{self.name} plays {game.title} with {card['players']} players, not with {num_players}")
        others = [name for name in options if card["options"].get(name, game.options[name].default) != options[name]]
        if others:
            its = ", ".join(f"{name}={card['options'].get(name, game.options[name].default)}" for name in others)
            raise ValueError(f"{self.name} is of another variant of {game.title}: with {its}")


def save(file: str | os.PathLike[str], policy: Policy, judged: NashConv) -> None:
    """Keep a policy of a tree under "own decisions"; ``judged`` are its gains."""
    tree = policy.tree
    if tree.information != OWN_DECISIONS:
        raise ValueError(f"a policy is kept by what a player sees where it decides: take tree.under({OWN_DECISIONS!r})")
    arrays = {
        "keys": tree.owned_keys,
        "counts": np.diff(tree.form.firsts).astype(np.int32),
        "actions": tree.actions,
        "probabilities": policy.probabilities,
    }
    card = {
        "kind": KIND,
        "format": FORMAT,
        "game": tree.game.name,
        "layout": tree.game.layout,
        "players": tree.num_players,
        "options": tree.options,
        "values": judged.values.tolist(),
        "gains": judged.gains.tolist(),
        "payoff_range": judged.payoff_range,
    }
    card[CHECKSUM] = _checksum(card, arrays)
    data = io.BytesIO()
    np.savez_compressed(data, **{CARD: np.array(json.dumps(card))}, **arrays)  # type: ignore[arg-type]
    write_whole(file, data.getvalue())


def read(file: str | os.PathLike[str]) -> SavedPolicy:
    """A policy that was kept; ValueError if the file is none, or damaged."""
    name = os.fspath(file)
    if not os.path.isfile(name):
        raise ValueError(f"there is no file {name}")
    found = os.stat(name)
    return _read(name, (found.st_ino, found.st_size, found.st_mtime_ns))


@lru_cache(KEPT)
def _read(name: str, stamp: tuple[int, ...]) -> SavedPolicy:
    try:
        arrays = _arrays(pathlib.Path(name).read_bytes())
    except (*UNREADABLE, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"{name} is no policy that was kept by this package, or damaged: {error}") from None
    card = parse_json(str(arrays.pop(CARD)), name)
    check_fields(card, {**NEEDED, CHECKSUM: str}, name)
    if (card["kind"], card["format"]) != (KIND, FORMAT):
        raise ValueError(f"{name} is no policy of format {FORMAT}: kind {card['kind']!r:.40}, format {card['format']}")
    if card[CHECKSUM] != _checksum(card, arrays):
        raise ValueError(f"{name} is damaged or was changed by hand: its checksum does not fit")
    firsts = np.concatenate((np.zeros(1, np.int64), np.cumsum(arrays["counts"], dtype=np.int64)))
    return SavedPolicy(name, card, arrays["keys"], firsts, arrays["actions"], arrays["probabilities"])


def _arrays(data: bytes) -> dict[str, Any]:
    """What a file of NumPy holds, each array of its kind and of a size that can be right."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        if any(part.file_size > MOST_BYTES for part in parts.infolist()):
            raise TypeError("an array in it is too large")
    with np.load(io.BytesIO(data), allow_pickle=False) as found:
        arrays = {name: found[name] for name in (CARD, *ARRAYS)}
    if any(arrays[name].dtype != kind for name, kind in ARRAYS.items()):
        raise TypeError("an array in it is of another kind")
    return arrays


def _checksum(card: dict[str, Any], arrays: dict[str, Any]) -> str:
    """Of all that a file holds but this."""
    rest = {name: value for name, value in card.items() if name != CHECKSUM}
    digest = hashlib.sha256(json.dumps(rest, sort_keys=True).encode())
    for name in ARRAYS:
        digest.update(repr(arrays[name].shape).encode() + np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()
