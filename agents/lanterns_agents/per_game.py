"""How an agent that plays by a module for each game finds it: ``lanterns_agents.<game>.<agent>``."""

import importlib
from functools import cache
from importlib.util import find_spec
from types import ModuleType

PACKAGE = __name__.rpartition(".")[0]


@cache
def module_for(agent: str, game: str) -> ModuleType:
    """The module by which an agent plays a game."""
    if not has_module(agent, game):
        raise ValueError(f"there is no {agent} play for {game!r}")
    return importlib.import_module(f"{PACKAGE}.{game}.{agent}")


@cache
def has_module(agent: str, game: str) -> bool:
    return find_spec(f"{PACKAGE}.{game}") is not None and find_spec(f"{PACKAGE}.{game}.{agent}") is not None
