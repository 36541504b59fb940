"""What a run says of itself: a line an update in log.jsonl, TensorBoard's files, the screen.

Figures have CleanRL's names: ``losses/policy_loss``, ``charts/SPS`` (here decisions a second) and so on.
"""

import json
import pathlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from lanterns_agents.networks.sealed import read_file
from lanterns_agents.training.run import Run
from lanterns_env.support.files import parse_json, write_whole

LOG = "log.jsonl"
LARGEST_LOG = 1 << 30  # bytes
INTERVAL = 3  # numbers of a result: a share, and the ends of its interval
LOSSES, CHARTS, TIME = "losses/", "charts/", "time/"  # how the names of figures begin
SPEED, RATE = f"{CHARTS}SPS", f"{CHARTS}learning_rate"
WIN_SHARE = "win share"
BRIEF = (f"{LOSSES}entropy", f"{LOSSES}explained_variance", f"{LOSSES}bc_accuracy")  # on a line of the screen
SHOWN_EVERY = 2.0  # seconds between two lines on the screen

Figures = dict[str, float]  # by name
Results = dict[str, list[float]]  # win shares and the ends of their intervals, by opponent


# -- the log --------------------------------------------------------------------------------------------------


def line_of(run: Run, figures: Figures) -> dict[str, Any]:
    """What the log says of an update."""
    line = {"update": run.updates, "decisions": run.decisions, "games": run.games, "minutes": run.seconds / 60}
    return line | figures | {TIME + what: part for what, part in run.time_fractions().items()}


def begin_log(file: pathlib.Path, updates: int) -> None:
    """Keep the lines up to an update, none of another run."""
    kept = [line for line in read_log(file) if line["update"] <= updates] if updates and file.exists() else []
    write_whole(file, "".join(json.dumps(line) + "\n" for line in kept))


def read_log(file: pathlib.Path) -> list[dict[str, Any]]:
    """A line an update; the last one is left out if it was torn off while it was written."""
    data = read_file(file, LARGEST_LOG)
    whole = data.rstrip(b"\0\n")
    texts, torn = whole.split(b"\n") if whole else [], b"\0" in data[len(whole) :]
    lines = []
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


# -- TensorBoard ----------------------------------------------------------------------------------------------


class EventWriter:
    """TensorBoard's files, where it is installed and wanted; figures stand over the decisions made so far."""

    def __init__(self, run: Run, folder: pathlib.Path) -> None:
        self.writer: Any = None
        if run.config.tensorboard and find_spec("tensorboard") is not None:
            from torch.utils.tensorboard import SummaryWriter

            self.writer = SummaryWriter(folder, purge_step=run.decisions)

    def write(self, line: dict[str, Any], results: Results) -> None:
        if self.writer is None:
            return
        figures = {name: value for name, value in line.items() if "/" in name}
        shares = {f"eval/{name}": share for name, (share, *_) in results.items()}
        for name, value in (figures | shares).items():
            self.writer.add_scalar(name, value, line["decisions"])

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()


# -- the screen -----------------------------------------------------------------------------------------------

Show = Callable[[Run, Figures, Results], None]


@contextmanager
def screen(title: str) -> Iterator[Show]:
    """What shows how far a run is: a panel on a terminal where rich is installed, else a line now and then."""
    if not sys.stdout.isatty() or find_spec("rich") is None:
        yield show_line
        return
    from rich.live import Live
    from rich.panel import Panel
    from rich.table import Table

    latest: Results = {}

    def show(run: Run, figures: Figures, results: Results) -> None:
        latest.update(results)
        grid = Table.grid(padding=(0, 2))
        for row in in_words(run, figures, latest).items():
            grid.add_row(*row)
        live.update(Panel(grid, title=title), refresh=True)

    with Live(auto_refresh=False) as live:
        yield show


def show_line(run: Run, figures: Figures, results: Results) -> None:
    if results or run.seconds - run.shown >= SHOWN_EVERY:
        run.shown = run.seconds
        if run.goes_on():  # what fits into a line; the last one says all
            figures = {name: value for name, value in figures.items() if name in (SPEED, *BRIEF)}
        words = in_words(run, figures, results)
        if run.goes_on():
            del words["time"]
        print(*filter(None, words.values()), sep=" | ", flush=True)


def in_words(run: Run, figures: Figures, results: Results) -> dict[str, str]:
    """How far a run is."""
    losses = {name.rpartition("/")[2]: value for name, value in figures.items() if CHARTS not in name}
    return {
        "so far": f"{run.updates:5d}  {run.seconds / 60:6.2f} min  {run.decisions:11,d} decisions",
        "speed": f"{figures[SPEED] / 1000:5.1f} k/s",
        "left": time_left(run),
        "learning": "  ".join(f"{name} {value:.3f}" for name, value in losses.items()),
        "time": "  ".join(f"{what} {part:.0%}" for what, part in run.time_fractions().items()),
        WIN_SHARE: "  ".join(f"{name} {s:.1%} ({low:.1%} to {high:.1%})" for name, (s, low, high) in results.items()),
    }


def time_left(run: Run) -> str:
    """At the speed so far."""
    used = run.used()
    return f"{run.seconds / 60 * max(1 / used - 1, 0):.1f} min left" if used else "no limit"
