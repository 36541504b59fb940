"""Settings of a run: their kinds and ranges, how they are read, and what is tried out before the first game.

A setting is a field of a dataclass; ``ranged`` says beside it what is allowed, ``fixed`` that a run cannot be resumed
with another value.
"""

import dataclasses
import difflib
import json
import pathlib
import reprlib
import sys
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from typing import Any, get_args, get_origin

from lanterns_agents.networks.sealed import read_file

from lanterns_env import Batch
from lanterns_env.agent import Table, load
from lanterns_env.engine.batch import integers
from lanterns_env.engine.game import Game
from lanterns_env.engine.streams import stream

RUNS = pathlib.Path("runs")
CONFIG = "config.toml"  # in the folder of a run
LARGEST_FILE = 1 << 20  # bytes of a settings file
RANGE, FIXED = "range", "fixed"  # what the metadata of a field holds
KINDS = {int: "a whole number", float: "a number", str: "a word", bool: "true or false"}


# -- what a value may be --------------------------------------------------------------------------------------


def ranged(default: Any, low: float, high: float, fixed: bool = False) -> Any:
    """A field that holds a number from low to high."""
    return field(default=default, metadata={RANGE: (low, high), FIXED: fixed})


def fixed(default: Any) -> Any:
    """A field of any other kind that a run cannot be resumed with another value of."""
    return field(default=default, metadata={FIXED: True})


def check_values(settings: Any) -> None:
    """Refuse values of the wrong kind, and numbers out of range, whatever they are."""
    for each in dataclasses.fields(settings):
        value = getattr(settings, each.name)
        if not is_kind(value, each.type):
            raise ValueError(f"setting {each.name} must be {in_words(each.type)}, not {reprlib.repr(value)}")
        if RANGE in each.metadata:
            check_range(each.name, value, *each.metadata[RANGE])


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


def check_name(name: str) -> None:
    """Refuse a name that leads out of the folder of all runs."""
    path = pathlib.PurePath(name)
    inside = path.parts and not path.is_absolute() and ".." not in path.parts and "\\" not in name
    if name and not inside:
        raise ValueError(f"name must be that of a folder within the folder of runs, not {reprlib.repr(name)}")


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


# -- how they are read ----------------------------------------------------------------------------------------


def make_config(values: dict[str, Any], kind: Any) -> Any:
    """Settings by name; an unknown name or a value of the wrong kind is an error."""
    known = {each.name: each for each in dataclasses.fields(kind)}
    for key in values:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1, 0)[0]
            raise ValueError(f"there is no setting {reprlib.repr(key)}; did you mean {near!r}?")
    return kind(**{key: of_kind(value, known[key].type) for key, value in values.items()})


def of_kind(value: Any, kind: Any) -> Any:
    """As TOML has it and as it is meant: a list, also of one that stands alone, as a tuple, a whole number as any."""
    if get_origin(kind) is tuple:
        return tuple(value) if isinstance(value, (list, tuple)) else (value,)
    if kind is float and type(value) is int and abs(value) < sys.float_info.max:
        return float(value)
    return value


def read_arguments(words: Sequence[str], kind: Any) -> tuple[Any, bool, pathlib.Path]:
    """The settings, whether a run is to be resumed, and the folder of all runs.

    First a settings file, or --resume and the folder of a run; then key=value or --key value, also --runs and a folder.
    """
    rest = list(words)
    resume = "--resume" in rest
    runs, values = take_runs(rest), {}
    if resume:
        rest.remove("--resume")
        runs, values = read_run(rest.pop(0) if rest else "")
    elif rest and "=" not in rest[0] and not rest[0].startswith("--"):
        file = pathlib.Path(rest.pop(0))
        values = {"name": file.stem, **read_toml(file)}
    told = dict(read_words(rest))
    if resume and "name" in told:
        raise ValueError("a run keeps its name when it is resumed: rename its folder instead")
    return make_config(values | told, kind), resume, runs


def take_runs(rest: list[str]) -> pathlib.Path:
    """The folder of all runs, taken out of the words."""
    if "--runs" not in rest:
        return RUNS
    at = rest.index("--runs")
    if at + 1 == len(rest):
        raise ValueError("--runs needs a folder: --runs runs")
    folder = pathlib.Path(rest[at + 1])
    del rest[at : at + 2]
    return folder


def read_run(word: str) -> tuple[pathlib.Path, dict[str, Any]]:
    """The folder of all runs, and the settings of one, by its folder."""
    folder = pathlib.Path(word)
    if not word or "=" in word or word.startswith("--"):
        raise ValueError("--resume needs the folder of a run, before all settings: --resume runs/mine")
    if folder.name in ("", ".."):
        folder = folder.resolve()
    return folder.parent, {**read_toml(folder / CONFIG), "name": folder.name}


def read_words(words: list[str]) -> Iterable[tuple[str, Any]]:
    """Settings as they stand on the command line."""
    rest = list(words)
    while rest:
        word = rest.pop(0)
        key, equals, value = word.removeprefix("--").partition("=")
        if not equals and not word.startswith("--"):
            raise ValueError(f"{word}: settings are key=value or --key value, after one file or run at most")
        if not equals and not rest:
            raise ValueError(f"{key} needs a value: {key}=...")
        yield key, read_value(value if equals else rest.pop(0))


def read_value(word: str) -> Any:
    """A value as TOML has it; anything else is a word."""
    try:
        return tomllib.loads(f"value = {word}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return word


def read_toml(file: pathlib.Path) -> dict[str, Any]:
    """The settings in a file; ValueError names it, whatever is wrong with it."""
    try:
        return tomllib.loads(read_file(file, LARGEST_FILE).decode())
    except RecursionError:
        raise ValueError(f"{file} is no settings file: it is nested too deeply") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{file} is no settings file: {error}") from None


def write_config(config: Any) -> str:
    """The settings as TOML."""
    return "".join(f"{key} = {as_toml(value)}\n" for key, value in dataclasses.asdict(config).items())


def as_toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {as_toml(each)}" for key, each in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)


def check_same(config: Any, before: Any, file: pathlib.Path) -> None:
    """Refuse to go on with settings that what is in a checkpoint depends on, if they are others now."""
    now = json.loads(json.dumps(dataclasses.asdict(config)))
    for name in (each.name for each in dataclasses.fields(config) if each.metadata.get(FIXED)):
        if now[name] != before.get(name):
            old, new = reprlib.repr(before.get(name)), reprlib.repr(now[name])
            raise ValueError(f"{name} cannot change while a run goes on: it is {old} in {file}, not {new}")


# -- the command ----------------------------------------------------------------------------------------------


def as_command(name: str, main: Callable[[list[str]], None]) -> None:
    """Run a script; what it cannot do it says in a sentence."""
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        raise SystemExit(f"{name}: interrupted") from None
    except MemoryError:
        raise SystemExit(f"{name}: there is not enough memory for these settings") from None
    except OSError as error:
        raise SystemExit(f"{name}: {error.filename or 'a file'}: {error.strerror}") from None
    except ValueError as error:
        raise SystemExit(f"{name}: {error}") from None
