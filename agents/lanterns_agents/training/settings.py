"""What settings are: annotated fields of a dataclass, with a range, a line of help, and whether they stay as they were.

num_games: Annotated[int, Range(1, 1024), FIXED, Doc("games side by side")] = 512
"""

import dataclasses
import json
import pathlib
import reprlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, get_args, get_origin, get_type_hints

from typing_extensions import Doc

from lanterns_env import Batch
from lanterns_env.agent import Table, load
from lanterns_env.engine.batch import integers
from lanterns_env.engine.game import Game
from lanterns_env.engine.streams import stream

__all__ = [
    "FIXED",
    "Doc",
    "Range",
    "Setting",
    "check_agents",
    "check_range",
    "check_same",
    "check_values",
    "settings_of",
]

FIXED = "fixed"  # a run cannot be resumed with another value
KINDS = {int: "a whole number", float: "a number", str: "a word", bool: "true or false"}


@dataclass(frozen=True)
class Range:
    """A number from low to high."""

    low: float
    high: float


@dataclass(frozen=True)
class Setting:
    """One field of a class of settings: all that is to be said of it."""

    name: str
    kind: Any
    default: Any
    help: str
    range: Range | None
    fixed: bool


def settings_of(settings: Any) -> list[Setting]:
    """The settings of a class, in the order in which they are written."""
    hints = get_type_hints(settings if isinstance(settings, type) else type(settings), include_extras=True)
    return [_setting(field, hints[field.name]) for field in dataclasses.fields(settings)]


def _setting(field: Any, hint: Any) -> Setting:
    kind, notes = (hint.__origin__, hint.__metadata__) if hasattr(hint, "__metadata__") else (hint, ())
    default = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
    text = next((note.documentation for note in notes if isinstance(note, Doc)), "")
    limits = next((note for note in notes if isinstance(note, Range)), None)
    return Setting(field.name, kind, default, text, limits, FIXED in notes)


# -- what a value may be --------------------------------------------------------------------------------------


def check_values(settings: Any) -> None:
    """Refuse values of the wrong kind, and numbers out of range, whatever they are."""
    for each in settings_of(settings):
        value = getattr(settings, each.name)
        if not is_kind(value, each.kind):
            raise ValueError(f"setting {each.name} must be {in_words(each.kind)}, not {reprlib.repr(value)}")
        if each.range:
            check_range(each.name, value, each.range.low, each.range.high)


def check_range(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:  # nor is what is no number
        raise ValueError(f"{name} must be from {low:.12g} to {high:.12g}, not {reprlib.repr(value)}")


def is_kind(value: Any, kind: Any) -> bool:
    """Whether a value is of the kind that a field is annotated with."""
    origin = get_origin(kind)
    if origin is dict:
        return isinstance(value, dict) and all(isinstance(key, str) for key in value)
    if origin in (tuple, list):
        return isinstance(value, origin) and all(is_kind(one, get_args(kind)[0]) for one in value)
    return type(value) is kind and (kind is not str or value.isprintable())


def in_words(kind: Any) -> str:
    origin = get_origin(kind)
    if origin in (tuple, list):
        return f"a list, each {KINDS[get_args(kind)[0]]}"
    return "a table of names and values" if origin is dict else KINDS[kind]


def check_same(config: Any, before: Any, file: pathlib.Path) -> None:
    """Refuse to go on with settings that what is in a checkpoint depends on, if they are others now."""
    now = json.loads(json.dumps(dataclasses.asdict(config)))
    for name in (each.name for each in settings_of(config) if each.fixed):
        if now[name] != before.get(name):
            old, new = reprlib.repr(before.get(name)), reprlib.repr(now[name])
            raise ValueError(f"{name} cannot change while a run goes on: it is {old} in {file}, not {new}")


def check_agents(setting: str, names: Iterable[str], game: Game, players: Iterable[int], options: Any) -> None:
    """Load agents and ask each for one move at every size of table: what will not do is refused at once."""
    for name in names:
        for count in sorted(set(players)):
            batch = Batch(game, 1, count, **options)
            try:
                action = integers(load(name).act(Table(batch, [0], [0]), stream("agent tried out", name)), "actions")
                batch.step(action)
            except ValueError as error:
                raise ValueError(f"{setting}: {error}") from None
            except Exception as error:
                raise ValueError(
                    f"{setting}: agent {name!r} cannot be asked: {type(error).__name__}: {error}"
                ) from error
