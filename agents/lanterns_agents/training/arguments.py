"""How settings are read and written: a TOML file, then ``key=value`` as in that file, then ``--key value`` by tyro."""

import dataclasses
import difflib
import importlib.resources
import pathlib
import reprlib
import sys
import tomllib
from collections.abc import Sequence
from typing import Any, TypeVar, get_origin

from lanterns_agents.networks.sealed import read_file
from lanterns_agents.training.settings import settings_of
from lanterns_env.agent import check_trusted
from lanterns_env.support.extras import needed_by

RUNS = pathlib.Path("runs")
CONFIG = "config.toml"  # in the folder of a run
CONFIGS, TOML = "configs", ".toml"  # where settings files have names: beside the work, or in the package
LARGEST_FILE = 1 << 20  # bytes of a settings file
NAMING = ("opponents", "bot_opponents", "eval_opponents", "bc_teacher")  # settings that name agents
TRUST = "--trust"
SELF = "self"  # among them: no agent
HELP = (
    "A TOML file, or the name of one in configs, comes first, or --resume and the folder of a run; then settings, as "
    "key=value or as the options below. --runs FOLDER says where the folders of runs are. --trust also loads agents "
    "that are code, where the file names some."
)

Settings = TypeVar("Settings")


def read_arguments(
    words: Sequence[str], kind: type[Settings], program: str | None = None
) -> tuple[Settings, bool, pathlib.Path]:
    """The settings, whether a run is to be resumed, and the folder of all runs.

    First a settings file or its name, or --resume and the folder of a run; then settings, also --runs and a folder, and
    --trust.
    """
    rest = [word for word in words if word != TRUST]
    resume = "--resume" in rest
    runs = take_runs(rest)
    values: dict[str, Any] = {}
    if resume:
        rest.remove("--resume")
        runs, values = read_run(rest.pop(0) if rest else "")
    elif rest and "=" not in rest[0] and not rest[0].startswith("-"):
        file = find_config(rest.pop(0))
        values = {"run_name": file.stem, **read_toml(file)}
    given, options = split_words(rest)
    if TRUST not in words:
        check_agents_in({name: value for name, value in values.items() if name not in given})
    config = with_options(make_config(values | given, kind), options, program)
    if resume and config.run_name != values["run_name"]:  # type: ignore[attr-defined]
        raise ValueError("a run keeps its name when it is resumed: rename its folder instead")
    return config, resume, runs


def check_agents_in(values: dict[str, Any]) -> None:
    """Refuse agents that are code, if a file names them: it may come from anywhere."""
    for setting in NAMING:
        named = values.get(setting, ())
        names = [named] if isinstance(named, str) else named if isinstance(named, list) else []
        check_trusted(name for name in names if isinstance(name, str) and name not in ("", SELF))


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
    return folder.parent, {**read_toml(folder / CONFIG), "run_name": folder.name}


def find_config(word: str) -> pathlib.Path:
    """A settings file: as it is called, or by its name in ``configs`` here or in the package."""
    file = pathlib.Path(word)
    if file.suffix == TOML or file.exists():
        return file
    folders = [pathlib.Path(CONFIGS), packaged_configs()]
    for folder in folders:
        if (folder / f"{word}{TOML}").is_file():
            return folder / f"{word}{TOML}"
    names = sorted({each.stem for folder in folders for each in folder.glob(f"*{TOML}")})
    near = difflib.get_close_matches(word, names, 1, 0)
    meant = f"; did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"there is no file {word}, and no {word}{TOML} in {CONFIGS}{meant}")


def packaged_configs() -> pathlib.Path:
    """The settings files that are installed with the package."""
    return pathlib.Path(str(importlib.resources.files("lanterns_agents"))) / CONFIGS


# -- words of the command line --------------------------------------------------------------------------------


def split_words(words: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Settings as ``key=value``, and what is tyro's: options, each with the words that follow it."""
    given: dict[str, Any] = {}
    options: list[str] = []
    for word in words:
        key, equals, value = word.partition("=")
        if equals and not word.startswith("-"):
            given[key.replace("-", "_")] = read_value(value)
        elif options or word.startswith("-"):
            options.append(word)
        else:
            raise ValueError(f"{word}: settings are key=value or --key value, after one file or run at most")
    return given, options


def read_value(word: str) -> Any:
    """A value as TOML has it; anything else is a word."""
    try:
        return tomllib.loads(f"value = {word}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return word


def with_options(config: Settings, options: list[str], program: str | None) -> Settings:
    """The same settings but for those among the options; ``--help`` shows all and ends the process."""
    if not options:
        return config
    with needed_by("a setting as an option"):
        import tyro

    text = f"{type(config).__doc__} {HELP}"
    return tyro.cli(type(config), prog=program, description=text, args=options, default=config)


# -- files ----------------------------------------------------------------------------------------------------


def make_config(values: dict[str, Any], kind: type[Settings]) -> Settings:
    """Settings by name; an unknown name or a value of the wrong kind is an error."""
    known = {each.name: each.kind for each in settings_of(kind)}
    for key in values:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1, 0)[0]
            raise ValueError(f"there is no setting {reprlib.repr(key)}; did you mean {near!r}?")
    return kind(**{key: of_kind(value, known[key]) for key, value in values.items()})


def of_kind(value: Any, kind: Any) -> Any:
    """As TOML has it and as it is meant: a list, also of one that stands alone, as a tuple, a whole number as any."""
    if get_origin(kind) is tuple:
        return tuple(value) if isinstance(value, (list, tuple)) else (value,)
    if kind is float and type(value) is int and abs(value) < sys.float_info.max:
        return float(value)
    return value


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
    with needed_by("the folder of a run"):
        import tomli_w

    return tomli_w.dumps(dataclasses.asdict(config))
