"""Files that are either whole or not there: written beside and swapped in, with checksums, under locks."""

import errno
import hashlib
import json
import os
import pathlib
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import IO, Any

CHECKSUM = "checksum"  # the key under which a JSON file carries its own
DIGITS = 32  # of a checksum
PART = ".part"  # how the names of files end while they are written
LOCK = ".lock"  # the name of the file that says that a folder is in use
BEGINNING = 32  # letters of a file's name in that of its part: names have a longest length
WORDS = {str: "a text", int: "a whole number", bool: "true or false", dict: "an object", list: "a list"}

Path = str | os.PathLike[str]


def write_whole(file: Path, data: bytes | str) -> None:
    """Write a file: whatever happens, it is the old one or the new one, never half of it."""
    with whole_file(file) as stream:
        stream.write(data.encode() if isinstance(data, str) else data)


@contextmanager
def whole_file(file: Path) -> Iterator[IO[bytes]]:
    """A new file to write to: it takes the place of the old one when all has been written, and nothing went wrong."""
    if _is_door(file):
        with open(file, "wb") as stream:
            yield stream
        return
    target = _writable(file)
    number, part = _begin(target)
    try:
        with open(number, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(part, _mode_of(target))
        os.replace(part, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise


def check_target(file: Path | None) -> None:
    """Refuse, before any work is done, a file that cannot be written when it has ended.  None is no file."""
    if file is None:
        return
    try:
        if _is_door(file):
            return
        number, part = _begin(_writable(file))
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise ValueError(f"{os.fspath(file)} cannot be written: {_reason(error)}") from None
    os.close(number)
    os.unlink(part)


def _is_door(file: Path) -> bool:
    """A pipe or a device, as /dev/stdout: what is written goes through it, and it stays what it is."""
    target = pathlib.Path(file)
    return target.exists() and not target.is_file() and not target.is_dir()


def _writable(file: Path) -> pathlib.Path:
    """The file that is to be replaced, behind all links; OSError says why it cannot be."""
    target = pathlib.Path(os.path.realpath(file))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder; name a file to write", os.fspath(file))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"there is no folder {target.parent}", os.fspath(file))
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(file))
    return target


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _begin(target: pathlib.Path) -> tuple[int, str]:
    return tempfile.mkstemp(PART, f".{target.name[:BEGINNING]}.", target.parent)


def _mode_of(target: pathlib.Path) -> int:
    """The permissions of the file as it is, or those of any new file."""
    with suppress(OSError):
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


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
        content = pathlib.Path(file).read_bytes()
    except (OSError, ValueError) as error:
        raise ValueError(f"{name} cannot be read: {_reason(error)}") from None
    return parse_json(content, name)


def check_fields(data: Any, needed: Mapping[str, type], place: str) -> None:
    """Refuse what is no JSON object with these fields, each of its kind."""
    if not isinstance(data, dict):
        raise ValueError(f"{place} is damaged: it must be an object, not {data!r:.40}")
    for name, kind in needed.items():
        if type(data.get(name)) is not kind:
            raise ValueError(f"{place} is damaged: {name!r} must be {WORDS[kind]}, not {data.get(name)!r:.40}")


def sealed(data: dict[str, Any]) -> dict[str, Any]:
    """The same with its checksum, to be written."""
    return {**data, CHECKSUM: checksum(data)}


def checksum(data: dict[str, Any]) -> str:
    """A fingerprint of all that a JSON object holds but its own checksum."""
    rest = {key: value for key, value in data.items() if key != CHECKSUM}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def check_checksum(data: Any, name: str) -> None:
    """Refuse a JSON object that is not as it was written."""
    if not isinstance(data, dict) or CHECKSUM not in data:
        raise ValueError(f"{name} has no checksum: it is damaged, or was not written by this version of the package")
    try:
        found = checksum(data)
    except RecursionError:
        raise ValueError(f"{name} is damaged: it is nested too deeply") from None
    if data[CHECKSUM] != found:
        raise ValueError(f"{name} is damaged or was changed by hand: its checksum does not fit")


def printable(text: str) -> str:
    """A text out of a file as it may be shown: letters that would steer a terminal are spelled out."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


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
