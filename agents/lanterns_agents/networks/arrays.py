"""Arrays and a card in one file (safetensors), whole or refused.  Reading one executes nothing that is in it."""

import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from lanterns_env.support.extras import needed_by

with needed_by(__name__):
    from safetensors import SafetensorError
    from safetensors.numpy import load, save

from lanterns_agents.networks.sealed import CARD, DIGEST, LARGEST, read_file
from lanterns_env.support.files import parse_json, write_whole

SUFFIX = ".safetensors"
LENGTH_BYTES = 8  # of the header, in front of it
METADATA = "__metadata__"  # in the header: texts by name

Arrays = dict[str, NDArray[Any]]
File = str | os.PathLike[str]


def write_arrays(file: File, arrays: Mapping[str, NDArray[Any]], card: dict[str, Any]) -> None:
    write_whole(file, packed(arrays, card))


def packed(arrays: Mapping[str, NDArray[Any]], card: dict[str, Any]) -> bytes:
    """What a file of them consists of."""
    whole = {name: np.array(array, order="C") for name, array in arrays.items()}
    text = json.dumps(card)
    data: bytes = save(whole, {CARD: text, DIGEST: _digest(whole, text)})
    return data


def read_arrays(file: File, largest: int = LARGEST) -> tuple[Arrays, Any]:
    """The arrays and the card of a file; ValueError names the file, whatever is wrong with it."""
    name = os.fspath(file)
    data = read_file(file, largest)
    try:
        arrays = load(data)
        end = LENGTH_BYTES + int.from_bytes(data[:LENGTH_BYTES], "little")
        metadata = json.loads(data[LENGTH_BYTES:end])[METADATA]
        text, found = metadata[CARD], metadata[DIGEST]
    except (SafetensorError, KeyError, TypeError, ValueError, RecursionError):
        raise ValueError(f"{name} is damaged, or no file of this package: arrays with a card are not in it") from None
    if found != _digest(arrays, text):
        raise ValueError(f"{name} is damaged or was changed by hand: its checksum does not fit")
    return arrays, parse_json(text, name)


def _digest(arrays: Mapping[str, NDArray[Any]], text: str) -> str:
    """A fingerprint of the card and of every array with its name, kind and shape."""
    whole = hashlib.sha256(text.encode())
    for name, array in sorted(arrays.items()):
        whole.update(repr((name, array.dtype.name, array.shape)).encode())
        whole.update(np.ascontiguousarray(array).data)
    return whole.hexdigest()


# -- arrays within others, by names with a slash ----------------------------------------------------------------------


def under(prefix: str, arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    return {f"{prefix}/{name}": array for name, array in arrays.items()}


def those_under(prefix: str, arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    start = f"{prefix}/"
    return {name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)}


def take(arrays: Mapping[str, NDArray[Any]], name: str, kind: DTypeLike, shape: tuple[int, ...]) -> NDArray[Any]:
    """One array, if it is as it must be."""
    if name not in arrays:
        raise ValueError(f"{name} is missing")
    array = arrays[name]
    if array.dtype != kind or array.shape != shape:
        raise ValueError(f"{name} is {array.dtype}{list(array.shape)}, not {np.dtype(kind)}{list(shape)}")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"{name} holds numbers that are not finite")
    if array.dtype.kind == "b" and array.view(np.uint8).max(initial=0) > 1:
        raise ValueError(f"{name} holds flags that are neither yes nor no")
    return array


def take_within(
    arrays: Mapping[str, NDArray[Any]], name: str, kind: DTypeLike, shape: tuple[int, ...], low: Any, high: Any
) -> NDArray[Any]:
    """One array of numbers from low to high."""
    array = take(arrays, name, kind, shape)
    if (array < low).any() or (array > high).any():
        raise ValueError(f"{name} holds numbers that are out of range")
    return array
