"""Files that are either whole or not there: written beside and swapped in, with checksums, under locks."""

import hashlib
import json
import os
import pathlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

CHECKSUM = "checksum"  # the key under which a JSON file carries its own
DIGITS = 32  # of a checksum
PART = ".part"  # how the names of files end while they are written
LOCK = ".lock"  # the name of the file that says that a folder is in use

Path = str | os.PathLike[str]


def write_whole(file: Path, data: bytes | str) -> None:
    """Write a file: whatever happens, it is the old one or the new one, never half of it."""
    target = pathlib.Path(file)
    number, part = tempfile.mkstemp(PART, f".{target.name}.", target.parent)
    try:
        with open(number, "wb") as stream:
            stream.write(data.encode() if isinstance(data, str) else data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(part, _mode_of(target))
        os.replace(part, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise


def _mode_of(target: pathlib.Path) -> int:
    """The permissions of the file as it is, or those of any new file."""
    with suppress(OSError):
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def check_target(file: Path | None) -> None:
    """Refuse, before any work is done, a file that cannot be written when it has ended.  None is no file."""
    if file is None:
        return
    target = pathlib.Path(file)
    if target.is_dir():
        raise ValueError(f"{target} is a folder; name a file to write")
    if not target.parent.is_dir():
        raise ValueError(f"{target} cannot be written: there is no folder {target.parent}")
    try:
        number, part = tempfile.mkstemp(PART, f".{target.name}.", target.parent)
    except OSError as error:
        raise ValueError(f"{target} cannot be written: {error.strerror}") from None
    os.close(number)
    os.unlink(part)


# -- JSON -----------------------------------------------------------------------------------------------------


def parse_json(text: str | bytes, name: str) -> Any:
    """What a JSON text holds; ValueError names the file, whatever is wrong with it."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError(f"{name} is damaged: it is nested too deeply") from None
    except ValueError as error:  # also letters that are none
        raise ValueError(f"{name} is damaged: {error}") from None


def read_json(file: Path) -> Any:
    """What a JSON file holds; ValueError if it cannot be read."""
    name = os.fspath(file)
    try:
        return parse_json(pathlib.Path(file).read_bytes(), name)
    except OSError as error:
        raise ValueError(f"{name} cannot be read: {error.strerror}") from None


def checksum(data: dict[str, Any]) -> str:
    """A fingerprint of all that a JSON object holds but its own checksum."""
    rest = {key: value for key, value in data.items() if key != CHECKSUM}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def check_checksum(data: Any, name: str) -> None:
    """Refuse a JSON object that is not as it was written."""
    if not isinstance(data, dict) or CHECKSUM not in data:
        raise ValueError(f"{name} has no checksum: it was not written by this package")
    if data[CHECKSUM] != checksum(data):
        raise ValueError(f"{name} is damaged or was changed by hand: its checksum does not fit")


# -- locks ----------------------------------------------------------------------------------------------------


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder, so that a second process is refused; the lock goes with the process, however that ends."""
    file = pathlib.Path(folder) / LOCK
    with open(file, "a") as stream:
        if not _lock(stream):
            raise ValueError(f"{os.fspath(folder)} is in use by another process")
        yield


def _lock(stream: Any) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
