"""Which files a compiled function depends on: those of its module, and of all that this imports from games and agents.

Numba stamps a cached function with the text of its own file alone, so an edited helper or constant in another file
would leave stale machine code behind.  What draws, plays matches or learns is in no such list: editing it compiles
nothing anew.
"""

import ast
import functools
import hashlib
import pathlib
import sys
from collections.abc import Iterable, Iterator

PACKAGES = (__name__.partition(".")[0], "lanterns_agents")
SETTINGS = "*.toml"  # weights, which compiled code has as constants


def has_sources(module: str) -> bool:
    """Whether a module lies in a file: one that is typed in has nothing to be stamped by."""
    return _file(module) is not None


@functools.cache
def fingerprint(modules: frozenset[str]) -> bytes:
    """A checksum of all that functions of these modules can be made of."""
    digest = hashlib.sha256()
    reached = _reached(modules)
    for name, file in sorted(reached.items()):
        digest.update(name.encode() + file.read_bytes())
    for file in _settings({_root(name) for name in reached}):
        digest.update(file.read_bytes())
    return digest.digest()


def _reached(modules: Iterable[str]) -> dict[str, pathlib.Path]:
    """These modules and all they import, in turn, of their own packages and folders and of ours: files by name."""
    inside = {*PACKAGES, *map(_root, modules), *_beside(modules)}
    reached: dict[str, pathlib.Path] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        file = _file(name) if name not in reached and _root(name) in inside else None
        if file is not None:
            reached[name] = file
            waiting += _imports(name, file)
    return reached


def _beside(modules: Iterable[str]) -> set[str]:
    """The modules in the folders of those that are in no package: what somebody's own agent is made of."""
    files = [_file(name) for name in modules if "." not in name]
    return {other.stem for file in files if file for other in file.parent.glob("*.py")}


@functools.cache
def _imports(name: str, file: pathlib.Path) -> list[str]:
    """What a file imports, also inside functions: ``a.b`` for ``from a import b`` if that is a module, else ``a``."""
    found = []
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            found += [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            source = _absolute(node, name, file)
            inner = [f"{source}.{each.name}" for each in node.names]
            found += [each if _file(each) else source for each in inner]
    return found


def _absolute(node: ast.ImportFrom, name: str, file: pathlib.Path) -> str:
    """The module of ``from ... import``, also where dots stand for the importing one's package."""
    if not node.level:
        return node.module or ""
    package = name.split(".") if file.name == "__init__.py" else name.split(".")[:-1]
    parents = package[: len(package) - node.level + 1]
    return ".".join([*parents, *([node.module] if node.module else [])])


@functools.cache
def _file(module: str) -> pathlib.Path | None:
    """The file of a module of an imported package, which need not be imported itself."""
    root, *inner = module.split(".")
    folders = getattr(sys.modules.get(root), "__path__", None)
    if folders is None:
        file = pathlib.Path(getattr(sys.modules.get(root), "__file__", None) or "")
        return file if file.is_file() and not inner else None
    places = [pathlib.Path(folder, *inner) for folder in folders]
    candidates = [each for place in places for each in (place / "__init__.py", place.with_suffix(".py"))]
    return next((each for each in candidates if each.is_file()), None)


def _settings(packages: Iterable[str]) -> Iterator[pathlib.Path]:
    for package in sorted(packages):
        for folder in getattr(sys.modules.get(package), "__path__", []):
            yield from sorted(pathlib.Path(folder).rglob(SETTINGS))


def _root(module: str) -> str:
    return module.partition(".")[0]
