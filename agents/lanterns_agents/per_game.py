"""What there is for each game is found by name: the module ``lanterns_agents.<game>.<part>``."""

import importlib
from functools import cache
from importlib.util import find_spec
from types import ModuleType

PACKAGE = __name__.rpartition(".")[0]


@cache
def module_for(part: str, game: str) -> ModuleType:
    """The module of a game: "expert", "features", "weights" ..."""
    if not has_module(part, game):
        raise ValueError(f"there is no {part} play for {game!r}")
    return importlib.import_module(f"{PACKAGE}.{game}.{part}")


@cache
def has_module(part: str, game: str) -> bool:
    return find_spec(f"{PACKAGE}.{game}") is not None and find_spec(f"{PACKAGE}.{game}.{part}") is not None
