"""The one compiler setting of the package: game code is compiled by ``@jit`` and by nothing else.

Every function is stamped with the sources that its module reaches by imports (see ``sources``), with those of the
verbs it is bound to, and with the bounds-check setting: no edit leaves stale machine code behind.

Kernels that are the same for all games are *templates*: plain functions over the names of a game's
verbs.  ``specialise`` binds one to the verbs of one game.
"""

import functools
import hashlib
import pathlib
import pickle
import types
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from lanterns_env.engine.sources import fingerprint, has_sources

CHECKSUM_BYTES = 32
NEEDED = {  # of Numba's own files of machine code
    *("save", "load", "_save_index", "_load_index", "_save_data", "_load_data", "_dump", "_open_for_write"),
    *("_index_path", "_data_path", "_source_stamp", "_version"),
}

listeners: list[Callable[[str, str], None]] = []  # called with the module and the name of what is compiled


def jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function at its first call and keep the machine code on disk for later processes."""
    return _compiled(function, frozenset([function.__module__]))


def _compiled(function: Callable[..., Any], modules: frozenset[str], parts: str = "") -> Callable[..., Any]:
    """A compiled function whose cached code holds while the sources and the named parts stay the same."""
    import numba

    _listen_to_the_compiler()
    if not all(map(has_sources, modules)):  # typed in, not imported: there is nothing to stamp by
        return numba.njit(nogil=True)(function)
    try:
        compiled = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # neither the install nor the home can be written: compile in every process
        return numba.njit(nogil=True)(function)
    cache = getattr(compiled, "_cache", None)
    if cache is None:  # the compiler is switched off
        return compiled
    file: Any = getattr(cache, "_cache_file", None)
    if not NEEDED.issubset(dir(file)):  # Numba has renamed what is its own: rather compile anew than load what is stale
        return numba.njit(nogil=True)(function)
    file._source_stamp = _stamp(modules, parts)
    _Checked(file)
    cache.save_overload = _forgiving(cache.save_overload)
    return compiled


def _forgiving(save: Callable[..., None]) -> Callable[..., None]:
    """Machine code that cannot be kept, on a full disk, runs all the same; the next process compiles once more."""

    def save_if_possible(*arguments: Any) -> None:
        with suppress(OSError):
            save(*arguments)

    return save_if_possible


class _Checked:
    """Numba's files of machine code, so that nothing is ever run but what was written for these very arguments.

    Each file begins with a checksum of the rest and of the sources; machine code is kept together with the kinds of
    arguments it is for, which another process may have given another number at the same time.  A file that is damaged,
    or of other sources, or names a class that is no longer there, is as good as none: the function is compiled anew.
    """

    def __init__(self, file: Any) -> None:
        self.file, self.save_numbas, self.load_numbas = file, file.save, file.load
        file.save, file.load = self.save, self.load
        file._save_index, file._load_index = self.save_index, self.load_index
        file._save_data, file._load_data = self.save_data, self.load_data

    def save(self, key: Any, data: Any) -> None:
        self.save_numbas(key, (key, data))

    def load(self, key: Any) -> Any:
        found = self.load_numbas(key)
        return found[1] if found is not None and found[0] == key else None

    def save_index(self, overloads: Any) -> None:
        self._write(self.file._index_path, overloads)

    def load_index(self) -> Any:
        return self._read(self.file._index_path) or {}

    def save_data(self, name: str, data: Any) -> None:
        self._write(self.file._data_path(name), data)

    def load_data(self, name: str) -> Any:
        return self._read(self.file._data_path(name))

    def _write(self, path: str, content: Any) -> None:
        data = self.file._dump(content)
        with self.file._open_for_write(path) as stream:
            stream.write(self._checksum(data) + data)

    def _read(self, path: str) -> Any:
        """What was written, None if it cannot be read."""
        try:
            written = pathlib.Path(path).read_bytes()
            data = written[CHECKSUM_BYTES:]
            return pickle.loads(data) if written[:CHECKSUM_BYTES] == self._checksum(data) else None
        except Exception:  # no file, or whatever unpickling what older classes wrote may raise
            return None

    def _checksum(self, data: bytes) -> bytes:
        stamp = f"{self.file._version} {self.file._source_stamp}".encode()
        return hashlib.sha256(stamp + data).digest()


def template(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function over the names of the verbs: ``specialise`` makes it a function of one game."""
    function.is_template = True  # type: ignore[attr-defined]
    return function


@functools.cache
def specialise(function: Callable[..., Any], game: Any, more: Any = None) -> Any:
    """The template as a compiled function of one game, together with the templates that it calls.

    ``more`` has further functions under names of the template (``verbs``), and a ``name``.  A closure over compiled
    functions would never be found in the cache; a function of its own name whose globals are the verbs is.
    """
    verbs = {**game.verbs, **more.verbs} if more else game.verbs
    scope = {**function.__globals__, **verbs}
    for name in function.__code__.co_names:
        callee = scope.get(name)
        if getattr(callee, "is_template", False):
            scope[name] = specialise(callee, game, more)
    name = "_".join((function.__name__, game.name, *([more.name] if more else [])))
    bound = types.FunctionType(function.__code__, scope, name, function.__defaults__)
    bound.__qualname__, bound.__module__ = name, function.__module__
    modules = frozenset(each.__module__ for each in (function, *filter(callable, verbs.values())))
    return _compiled(bound, modules, repr(sorted(map(_named, verbs.items()))))


def _named(part: tuple[str, Any]) -> tuple[str, str]:
    """A verb by where it comes from, a number as it is: two games of one name share no machine code."""
    name, value = part
    return name, f"{value.__module__}.{value.__qualname__}" if callable(value) else repr(value)


@functools.cache
def _stamp(modules: frozenset[str], parts: str) -> str:
    """A fingerprint of all that compiled code depends on: its sources, the parts it is bound to, the bounds checks."""
    import numba

    bounds_checks = getattr(numba.config, "BOUNDSCHECK")  # noqa: B009  (set when Numba is imported)
    return hashlib.sha256(f"bounds checks {bounds_checks} {parts}".encode() + fingerprint(modules)).hexdigest()


@functools.cache
def _listen_to_the_compiler() -> None:
    """From now on, say to ``listeners`` which function is compiled, unless that is for another that is compiled."""
    from numba.core import event

    class Ear(event.Listener):
        depth = 0  # of functions inside one another

        def on_start(self, event: Any) -> None:
            self.depth += 1
            dispatcher = (event.data or {}).get("dispatcher")
            function = getattr(dispatcher, "py_func", None)
            if self.depth == 1 and function is not None and function.__module__.startswith("lanterns_"):
                for listener in listeners:
                    listener(function.__module__, function.__name__)

        def on_end(self, event: Any) -> None:
            self.depth -= 1

    event.register("numba:compile", Ear())  # type: ignore[no-untyped-call]
