"""Arguments that several sub-commands take: a game, and the options of its rules."""

import argparse
from collections.abc import Sequence
from typing import Any

from lanterns_env.cli import nearest
from lanterns_env.engine.game import PRESET, Game, Option
from lanterns_env.games import GAMES

YES_NO = {"true": True, "yes": True, "false": False, "no": False}


def game_name(text: str) -> str:
    """The name of a game, as the type of an argument."""
    if text not in GAMES:
        there_are = f"there are: {', '.join(GAMES)}"
        raise argparse.ArgumentTypeError(f"there is no game {text!r}{nearest(text, GAMES)} ({there_are})")
    return text


def number_of_players(game: Game, given: int | None) -> int:
    return game.check_players(game.default_players if given is None else given)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a rule variant of the game, or preset=NAME; may be given several times",
    )


def options_of(game: Game, texts: Sequence[str], num_players: int) -> dict[str, Any]:
    """All options of a game from texts like "claims=forced"."""
    chosen: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"--option needs a name and a value, like name=value; not {text!r}")
        if name == PRESET:
            chosen[name] = value
            continue
        if name not in game.options:
            known = ", ".join(game.options) or "none"
            raise ValueError(f"{game.title} has no option {name!r}{nearest(name, game.options)} (its options: {known})")
        chosen[name] = _value(game.options[name], value)
    return game.check_options(num_players, chosen)


def _value(option: Option, text: str) -> Any:
    """The value that a text stands for; a text that fits none stays what it is and is refused with all others."""
    if isinstance(option.values, range):
        return int(text) if text.isdecimal() else text
    if set(map(type, option.values)) == {bool}:
        return YES_NO.get(text.lower(), text)
    return next((value for value in option.values if str(value) == text), text)
