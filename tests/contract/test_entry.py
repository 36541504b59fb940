"""The functions by which environments are made, of the games here and of one from outside."""

import dataclasses
import importlib
import inspect
import sys

import pytest

import lanterns_env
from lanterns_env import GAMES

KINDS = ("env", "raw_env", "parallel_env")


def module_of(name):
    return importlib.import_module(f"lanterns_env.{name}_v0")


@pytest.mark.parametrize("kind", KINDS)
def test_help_shows_every_argument_with_its_default_and_meaning(name, kind):
    game, make = GAMES[name], getattr(module_of(name), kind)
    parameters = inspect.signature(make).parameters
    common = ["num_players", "render_mode", "reward", "observation", "render_player", "render_width"]
    assert [*common, *game.options, *(["preset"] if game.presets else [])] == list(parameters)
    for argument in parameters:
        assert f"{argument}: " in make.__doc__
    assert game.default_players == parameters["num_players"].default
    for option, known in game.options.items():
        assert known.default == parameters[option].default
        assert known.meaning in make.__doc__


@pytest.mark.parametrize("kind", KINDS)
def test_they_are_functions_of_their_module(name, kind):
    make = getattr(module_of(name), kind)
    assert inspect.isfunction(make)
    assert (f"lanterns_env.{name}_v0", kind) == (make.__module__, make.__qualname__)


def test_a_game_from_outside_gets_a_module_without_a_file(monkeypatch):
    game = dataclasses.replace(GAMES["lumen"], name="candles", title="Candles")
    monkeypatch.setattr(GAMES, "_loaded", {**GAMES._loaded, "candles": game})
    try:
        env = lanterns_env.candles_v0.env(num_players=4)
        env.reset(seed=1)
        assert "candles_v0" == env.metadata["name"]
        with pytest.raises(AttributeError, match="Candles is of version 0"):
            _ = lanterns_env.candles_v1
    finally:
        sys.modules.pop("lanterns_env.candles_v0", None)


def test_there_is_no_module_of_a_game_that_there_is_not():
    with pytest.raises(AttributeError, match="no attribute 'chess_v0'"):
        _ = lanterns_env.chess_v0
