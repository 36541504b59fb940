"""The folder of a run: whose it is, its checkpoint and network, its log and curves.

Every file is the old one or the new one, whatever happens, and reading one executes nothing that is in it.
"""

import io
import json
import pathlib
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from lanterns_agents.networks.arrays import Arrays, read_arrays, those_under, write_arrays
from lanterns_agents.networks.sealed import read_file
from run_settings import CONFIG, check_same, write_config

from lanterns_env.engine.files import locked, parse_json, write_whole

LOG, CHECKPOINT, POLICY, CURVES = "log.jsonl", "checkpoint.safetensors", "policy.safetensors", "curves.png"
NETWORK = "network"  # under this name a checkpoint holds the weights
MADE_FOR = ("game", "layout", "sizes")  # what is said of a network, and
TRAINED = ("config", "decisions", "seconds")  # of how it was made, and
BEFORE = "before"  # of how the network was that it began with
LARGEST_CHECKPOINT, LARGEST_LOG = 1 << 36, 1 << 30  # bytes
INTERVAL = 3  # numbers of a result: a share, and the ends of its interval

State = tuple[Arrays, dict[str, Any]]  # all that a run consists of: arrays and a card


@contextmanager
def open_run(config: Any, resume: bool, runs: pathlib.Path, kind: Any) -> Iterator[tuple[Any, pathlib.Path]]:
    """A new run in a folder of its own, or one that goes on where its checkpoint stands; locked meanwhile."""
    folder = runs / (config.name or config.game)
    run = kind(config)  # what will not do is refused before anything is written
    if not resume:
        run.begin()
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        if resume:
            restore(run, folder / CHECKPOINT)
        elif (folder / CHECKPOINT).exists():
            raise ValueError(f"{folder} is there already: --resume {folder} goes on with it, name=... begins another")
        begin_log(folder / LOG, run.updates)
        write_whole(folder / CONFIG, write_config(config))
        yield run, folder


# -- all that a run consists of -------------------------------------------------------------------------------


class Keeper:
    """The newest whole state of a run, on disk or not yet: what is left when an update goes wrong or is given up."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self._state: State | None = None
        self._lock = threading.Lock()

    def take(self, state: State) -> None:
        with self._lock:
            self._state = state

    def save(self) -> None:
        """On any thread."""
        with self._lock:
            if self._state is not None:
                write_state(self._state, self.folder)
            self._state = None


def write_state(state: State, folder: pathlib.Path) -> None:
    """The checkpoint, and the network alone."""
    arrays, card = state
    try:
        write_arrays(folder / CHECKPOINT, arrays, card)
        about = {name: card[name] for name in (*MADE_FOR, *TRAINED, BEFORE)}
        write_arrays(folder / POLICY, those_under(NETWORK, arrays), about)
    except OSError as error:
        raise ValueError(
            f"{folder} cannot be written to: {error.strerror}; its files are the last whole ones"
        ) from None


def restore(run: Any, file: pathlib.Path) -> None:
    """A new run becomes the one in a checkpoint."""
    arrays, card = read_arrays(file, LARGEST_CHECKPOINT)
    if not isinstance(card, dict) or card.get("script") != run.script:
        raise ValueError(f"{file} is no checkpoint of {run.script}.py")
    if not isinstance(card.get("config"), dict):
        raise ValueError(f"{file} is damaged: it does not say with what settings it was made")
    check_same(run.config, card["config"], file)
    try:
        run.restore(arrays, card)
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RuntimeError) as error:
        raise ValueError(f"{file} does not fit, or is damaged: {error}") from None


# -- the log --------------------------------------------------------------------------------------------------


def begin_log(file: pathlib.Path, updates: int) -> None:
    """Keep the lines up to an update, none of another run."""
    kept = [line for line in read_log(file) if line["update"] <= updates] if updates and file.exists() else []
    write_whole(file, "".join(json.dumps(line) + "\n" for line in kept))


def read_log(file: pathlib.Path) -> list[dict[str, Any]]:
    """A line an update; the last one is left out if it was torn off while it was written."""
    data = read_file(file, LARGEST_LOG)
    whole = data.rstrip(b"\0\n")
    texts, lines, torn = whole.split(b"\n") if whole else [], [], b"\0" in data[len(whole) :]
    for number, text in enumerate(texts, 1):
        try:
            lines.append(check_line(parse_json(text, f"{file}, line {number}"), f"{file}, line {number}"))
        except ValueError:
            if number < len(texts):
                raise
            torn = True
    if torn:
        print(f"{file}: the last line was torn off while it was written, and is left out", file=sys.stderr)
    return lines


def check_line(line: Any, name: str) -> dict[str, Any]:
    """Refuse what is no line of a log."""
    if not isinstance(line, dict) or type(line.get("update")) is not int or not is_number(line.get("minutes")):
        raise ValueError(f"{name} is damaged: it says of no update how it went")
    results = line.get("results", {})
    if not isinstance(results, dict) or not all(is_result(each) for each in results.values()):
        raise ValueError(f"{name} is damaged: results must be a share and its interval for every opponent")
    return line


def is_result(value: Any) -> bool:
    return isinstance(value, list) and len(value) == INTERVAL and all(map(is_number, value))


def is_number(value: Any) -> bool:
    return type(value) in (int, float)


def add_line(file: pathlib.Path, line: dict[str, Any]) -> None:
    try:
        with file.open("a") as stream:
            stream.write(json.dumps(line) + "\n")
    except OSError as error:
        raise ValueError(f"{file} cannot be written to: {error.strerror}") from None


def change_last_line(file: pathlib.Path, line: dict[str, Any]) -> None:
    data = file.read_bytes().removesuffix(b"\n")
    write_whole(file, data[: data.rfind(b"\n") + 1] + json.dumps(line).encode() + b"\n")


# -- curves ---------------------------------------------------------------------------------------------------


def draw_curves(folder: pathlib.Path) -> None:
    """The learning curves, where matplotlib is installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    lines = read_log(folder / LOG)
    figure = Figure(figsize=(9, 7), layout="constrained")
    for axes, key in zip(figure.subplots(2, 2).flat, ("win share", "entropy", "value", "kl"), strict=True):
        axes.set(title=key, xlabel="minutes")
        for name in sorted({name for line in lines for name in line.get("results", {})} if key == "win share" else ()):
            points = [(line["minutes"], *line["results"][name]) for line in lines if name in line.get("results", {})]
            minutes, shares, lows, highs = np.array(points).T
            axes.errorbar(minutes, shares, (shares - lows, highs - shares), label=name, capsize=2)
            axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
        points = [(line["minutes"], line[key]) for line in lines if is_number(line.get(key))]
        axes.plot(*zip(*points, strict=True)) if points else None
    picture = io.BytesIO()
    figure.savefig(picture, format="png")
    write_whole(folder / CURVES, picture.getvalue())
