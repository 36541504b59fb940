"""Files of networks before anything reads them: whole, of a size that can be right, and as they were written.

An exported network ends with two entries of its metadata, put behind the model: its card, and a digest of all that
comes before.  To whatever reads ONNX they are entries like any other; the digest is checked without reading any.
"""

import hashlib
import json
import os
import pathlib
from typing import Any

CARD, DIGEST = "card", "sha256"  # the names of the two entries
LARGEST = 1 << 30  # bytes of a network
METADATA = b"\x72"  # protobuf: field 14 of a model, its metadata_props
KEY, VALUE = b"\x0a", b"\x12"  # fields 1 and 2 of an entry
DIGITS = 64  # of a digest
SEAL_BYTES = 76  # of the last entry: its frame of 12, and the digest
GROUP, MORE = 0x7F, 0x80  # a length is written in groups of seven bits


def read_file(file: str | os.PathLike[str], largest: int = LARGEST) -> bytes:
    """All of a file; ValueError if it is none, too large, or not to be read."""
    path = pathlib.Path(file)
    check_file(path)
    try:
        size = path.stat().st_size
        if size > largest:
            raise ValueError(f"{path} is too large: {size} bytes, and at most {largest} are read")
        with path.open("rb") as stream:
            return stream.read(size)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None


def check_file(path: pathlib.Path) -> None:
    """Refuse what is not there, or no file."""
    if not os.path.isfile(path):
        raise ValueError(f"{path} is a folder or a device" if os.path.exists(path) else f"there is no file {path}")


def stamp_of(file: str | os.PathLike[str]) -> tuple[int, ...]:
    """What tells a file from any other, and from itself before it was written anew."""
    check_file(pathlib.Path(file))
    found = os.stat(file)
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def sealed(model: bytes, card: dict[str, Any]) -> bytes:
    """A model that has no metadata yet, its card, and the digest of both."""
    whole = model + _entry(CARD, json.dumps(card).encode())
    return whole + _seal(whole)


def check_seal(data: bytes, name: str) -> None:
    """Refuse a file that does not end with the digest of all before."""
    whole, seal = data[:-SEAL_BYTES], data[-SEAL_BYTES:]
    if not seal.startswith(_seal(b"")[:-DIGITS]):
        raise ValueError(f"{name} was not exported from this package, or not by this version: it has no seal")
    if seal != _seal(whole):
        raise ValueError(f"{name} is damaged or was changed by hand: its checksum does not fit")


def _seal(whole: bytes) -> bytes:
    """The last entry, of the same length for every file."""
    return _entry(DIGEST, hashlib.sha256(whole).hexdigest().encode())


def _entry(key: str, value: bytes) -> bytes:
    return METADATA + _behind_length(KEY + _behind_length(key.encode()) + VALUE + _behind_length(value))


def _behind_length(content: bytes) -> bytes:
    left, length = len(content), bytearray()
    while left > GROUP:
        length.append(left & GROUP | MORE)
        left >>= 7
    return bytes([*length, left]) + content
