"""How a game's module gets its PettingZoo entry points: functions with the arguments of that game."""

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from inspect import Parameter, Signature
from types import ModuleType
from typing import Any, TypeVar

from lanterns_env.engine.game import PRESET, Game
from lanterns_env.envs.aec import GameEnv, make
from lanterns_env.envs.parallel import GameParallelEnv
from lanterns_env.games import find_game

COMMON = {  # the arguments of every environment: default, and meaning
    "num_players": (None, "how many play, {first} to {last}; {default} unless given"),
    "render_mode": (None, "None, 'ansi', 'rgb_array' or 'human'"),
    "reward": ("outcome", "'outcome' (zero-sum, at the end), 'margin' (points ahead, scaled) or 'points' (as gained)"),
    "observation": ("named", "'named' (a dict of int8[D] and mask), 'flat' (float32[D] in -1..1) or 'planes' (images)"),
    "render_player": (None, "whose view is drawn: an agent or a seat, 'all', or None for who is to move"),
    "render_width": (None, "the width of pictures in pixels"),
}
KINDS = {
    "env": "A game of {title} as a PettingZoo AEC environment. An illegal action ends the game: -1 for the offender.",
    "raw_env": "Like env(), but an illegal action raises ValueError, and the game stays as it is.",
    "parallel_env": "The same for PettingZoo's parallel interface: whoever is not to move has one action, to wait.",
}

Make = Callable[..., Any]
Env = TypeVar("Env", GameEnv, GameParallelEnv)


def entry_points(game: str, module: str) -> tuple[Make, Make, Make]:
    """A game's ``env``, ``raw_env`` and ``parallel_env``, as functions of the module that offers them."""
    found = find_game(game)

    def env(**arguments: Any) -> GameEnv:
        return _from(module, make(found, True, **arguments))

    def raw_env(**arguments: Any) -> GameEnv:
        return _from(module, make(found, False, **arguments))

    def parallel_env(**arguments: Any) -> GameParallelEnv:
        return _from(module, GameParallelEnv(found.name, **arguments))

    return (
        _documented(env, found, module),
        _documented(raw_env, found, module),
        _documented(parallel_env, found, module),
    )


def module_of(game: Game, name: str) -> ModuleType:
    """What ``lanterns_env.<game>_v<version>`` is, also for a game that brings no such module."""
    if name != f"{game.name}_v{game.version}":
        raise AttributeError(f"{game.title} is of version {game.version}: lanterns_env.{game.name}_v{game.version}")
    full_name = f"lanterns_env.{name}"
    if full_name in sys.modules or find_spec(full_name) is not None:
        return import_module(full_name)
    about = KINDS["env"].format(title=game.title)
    module = ModuleType(full_name, f"{about}\n\n{game.rules}")
    module.env, module.raw_env, module.parallel_env = entry_points(game.name, module.__name__)  # type: ignore[attr-defined]
    module.rules = rules_of(game.name, module.__name__)  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module
    return module


def rules_of(game: str, module: str) -> Callable[[], str]:
    """A game's ``rules``, as a function of the module that offers it."""
    found = find_game(game)

    def rules() -> str:
        """The rules for people who do not know the game: one screen of text."""
        return found.rules

    rules.__module__ = module
    return rules


def _from(module: str, env: Env) -> Env:
    """An environment whose module is the game's: there language models are given to read what the game is."""
    env.__module__ = module
    return env


def _documented(make: Make, game: Game, module: str) -> Make:
    """What ``help`` shows: the arguments by name, what each means, and the options of the game."""
    defaults: dict[str, Any] = {name: default for name, (default, _) in COMMON.items()}
    defaults["num_players"] = game.default_players
    defaults |= {name: option.default for name, option in game.options.items()}
    defaults |= {PRESET: None} if game.presets else {}
    parameters = [Parameter(name, Parameter.KEYWORD_ONLY, default=default) for name, default in defaults.items()]
    make.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    make.__doc__ = "\n".join([KINDS[make.__name__].format(title=game.title), "", *_meanings(game)])
    make.__module__, make.__qualname__ = module, make.__name__
    return make


def _meanings(game: Game) -> list[str]:
    numbers = {"first": game.players[0], "last": game.players[-1], "default": game.default_players}
    lines = [f"    {name}: {meaning.format(**numbers)}" for name, (_, meaning) in COMMON.items()]
    for name, option in game.options.items():
        known = option.values
        values = f"{known[0]} to {known[-1]}" if isinstance(known, range) else " or ".join(map(repr, known))
        lines.append(f"    {name}: {option.meaning} ({values})")
    if game.presets:
        lines.append(
            f"    {PRESET}: a smaller variant: options that go together ({' or '.join(map(repr, game.presets))})"
        )
    return lines
