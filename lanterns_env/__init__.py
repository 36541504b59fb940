"""Three games of light for reinforcement learning, on one compiled engine."""

import importlib
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from lanterns_env.envs.registry import register, register_ids
from lanterns_env.games import GAMES

if TYPE_CHECKING:
    from lanterns_env.engine.batch import Batch
    from lanterns_env.engine.warmup import warm_up

try:
    __version__ = version("lanterns_env")
except PackageNotFoundError:  # run from a source tree that is not installed
    __version__ = "0.0.0"

__all__ = ["GAMES", "Batch", "__version__", "register", "warm_up"]
LAZY = {"Batch": "lanterns_env.engine.batch", "warm_up": "lanterns_env.engine.warmup"}

register_ids()


def __getattr__(name: str) -> Any:
    """The engine is imported when it is first asked for."""
    if name in LAZY:
        return getattr(importlib.import_module(LAZY[name]), name)
    game, _, version = name.rpartition("_v")
    if game in GAMES and version.isdigit():
        return importlib.import_module("lanterns_env.envs.entry").module_of(GAMES[game], name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
