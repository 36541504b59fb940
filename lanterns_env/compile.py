"""The one compiler setting of the package: game code is compiled by ``@jit`` and by nothing else.

Numba stamps a cached function with the text of its own file alone, so an edited helper or constant in
another file would leave stale machine code behind.  Here every function is stamped with the sources of
this whole package, of the package that defines the game, and with the bounds-check setting.

Kernels that are the same for all games are *templates*: plain functions over the names of a game's
verbs.  ``specialise`` binds one to the verbs of one game.
"""

import functools
import hashlib
import pathlib
import sys
import types
from collections.abc import Callable
from typing import Any

PACKAGE = __name__.partition(".")[0]
SOURCES = ("*.py", "*.toml")


def jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function at its first call and keep the machine code on disk for later processes."""
    return _compiled(function, frozenset([_root(function)]))


def _compiled(function: Callable[..., Any], packages: frozenset[str], parts: str = "") -> Callable[..., Any]:
    """A compiled function whose cached code holds as long as these sources and the named parts stay the same."""
    import numba

    _announce_compiling()
    if not all(_sources(name) for name in packages):  # typed in, not imported: there is nothing to stamp by
        return numba.njit(nogil=True)(function)
    try:
        compiled = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # neither the install nor the home can be written: compile in every process
        return numba.njit(nogil=True)(function)
    cache = getattr(compiled, "_cache", None)
    if cache is not None:  # None when the compiler is switched off
        # Numba's own attributes; should one be renamed, no stale code may be loaded: compile anew.
        if not {"_source_stamp", "_load_index"} <= {*dir(getattr(cache, "_cache_file", None))}:
            return numba.njit(nogil=True)(function)
        cache._cache_file._source_stamp = _stamp(packages, parts)
        _forgive(cache._cache_file)
    return compiled


def _forgive(cache_file: Any) -> None:
    """An index that cannot be read, for it names a class that is no longer there, is as good as none."""
    load = cache_file._load_index

    def load_index() -> Any:
        try:
            return load()
        except Exception:  # whatever unpickling what older sources wrote may raise
            return {}

    cache_file._load_index = load_index


def _root(function: Callable[..., Any]) -> str:
    """The top-level package or module that a function comes from."""
    return function.__module__.partition(".")[0]


def template(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function over the names of the verbs: ``specialise`` makes it a function of one game."""
    function.is_template = True  # type: ignore[attr-defined]
    return function


@functools.cache
def specialise(function: Callable[..., Any], game: Any) -> Any:
    """The template as a compiled function of one game, together with the templates that it calls.

    A closure over compiled functions would never be found in the cache; a function of its own name whose
    globals are the verbs is.
    """
    scope = {**function.__globals__, **game.verbs}
    for name in function.__code__.co_names:
        callee = scope.get(name)
        if getattr(callee, "is_template", False):
            scope[name] = specialise(callee, game)
    name = f"{function.__name__}_{game.name}"
    bound = types.FunctionType(function.__code__, scope, name, function.__defaults__)
    bound.__qualname__, bound.__module__ = name, function.__module__
    verbs = [verb for verb in game.verbs.values() if callable(verb)]
    packages = frozenset(_root(each) for each in (function, *verbs))
    return _compiled(bound, packages, repr(sorted(map(_told, game.verbs.items()))))


def _told(part: tuple[str, Any]) -> tuple[str, str]:
    """A verb by where it comes from, a number as it is: two games of one name share no machine code."""
    name, value = part
    return name, f"{value.__module__}.{value.__qualname__}" if callable(value) else repr(value)


@functools.cache
def _stamp(packages: frozenset[str], parts: str) -> str:
    """A fingerprint of all that compiled code depends on: our sources, those of others, the bounds checks."""
    import numba

    bounds_checks = getattr(numba.config, "BOUNDSCHECK")  # noqa: B009  (set when Numba is imported)
    digest = hashlib.sha256(f"bounds checks {bounds_checks} {parts}".encode())
    for name in sorted(packages | {PACKAGE}):
        for file in _sources(name):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _sources(package: str) -> list[pathlib.Path]:
    """All files of code and of weights of an imported package, or the one file of an imported module."""
    module = sys.modules[package]
    folders = [pathlib.Path(folder) for folder in getattr(module, "__path__", [])]
    if folders:
        return sorted(file for folder in folders for kind in SOURCES for file in folder.rglob(kind))
    file = pathlib.Path(getattr(module, "__file__", None) or "")
    return [file] if file.is_file() else []


@functools.cache
def _announce_compiling() -> None:
    """From now on, say so when the first function of a cold cache is compiled (once per process)."""
    from numba.core import event

    class Announcer(event.Listener):
        said = False

        def on_start(self, event: Any) -> None:
            dispatcher = (event.data or {}).get("dispatcher")
            module = getattr(getattr(dispatcher, "py_func", None), "__module__", "") or ""
            if self.said or not module.startswith("lanterns_"):
                return
            self.said = True
            print("lanterns_env: compiling (some seconds, once per machine) ...", file=sys.stderr, flush=True)

        def on_end(self, event: Any) -> None:
            pass

    event.register("numba:compile", Announcer())  # type: ignore[no-untyped-call]
