"""Tables and progress on the terminal: with rich where it is installed and someone looks, else as plain text."""

import math
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lanterns_env.match.progress import Progress

Update = Callable[["Progress"], None]
CLEAR = "\033[K"  # the rest of the line
MINUTE, HOUR, DAY = 60, 3600, 86_400


def show_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """The first column to the left, numbers to the right."""
    if _dressed(sys.stdout.isatty()):
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(title=title, title_justify="left")
        for position, column in enumerate(columns):
            table.add_column(column, justify="right" if position else "left")
        for row in rows:
            table.add_row(*map(Text, row))  # what is in brackets is no markup
        Console().print(table)
    else:
        from lanterns_env.match.report import plain_table

        print("\n".join([title, *plain_table(columns, rows)]))


@contextmanager
def progress_bar() -> Iterator[Update]:
    """How many games are over, how long the rest may take, and who leads; nothing where nobody looks."""
    if not sys.stderr.isatty():
        yield lambda progress: None
    elif _dressed(True):
        with _bar() as update:
            yield update
    else:
        yield lambda progress: _show_line(f"{progress.games}/{progress.of} games, {in_words(progress)}")
        _show_line("")


@contextmanager
def count_line(what: str) -> Iterator[Callable[[int, int], None]]:
    """How many of so many are done; nothing where nobody looks."""
    with status_line() as say:
        yield lambda done, of: say(f"{done}/{of} {what}")


@contextmanager
def status_line() -> Iterator[Callable[[str], None]]:
    """Words in place of those before; nothing where nobody looks."""
    if not sys.stderr.isatty():
        yield lambda words: None
        return
    yield _show_line
    _show_line("")


@contextmanager
def _bar() -> Iterator[Update]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("games, {task.description}", markup=False))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", visible=False)
        yield lambda progress: bar.update(
            task, completed=progress.games, total=progress.of, description=in_words(progress), visible=True
        )


def _show_line(words: str) -> None:
    """Instead of the line before; what others write begins at its left."""
    width = shutil.get_terminal_size().columns - 1
    print(f"{words[:width]}{CLEAR}", end="\r", file=sys.stderr, flush=True)


def in_words(progress: "Progress") -> str:
    """How long it goes on, and how the first agent does."""
    from lanterns_env.support.files import printable

    known = not math.isnan(progress.seconds_left)
    left = f"about {duration(progress.seconds_left)} left" if known else duration(progress.seconds)
    if math.isnan(progress.win_share):
        return left
    share = f"{progress.win_share:.3f} ± {progress.error:.3f}"
    return f"{left}, {printable(progress.agent)} has a win share of {share}"


def duration(seconds: float) -> str:
    """A time in the two units that say most."""
    whole = round(seconds)
    if whole < MINUTE:
        return f"{whole} s"
    if whole < HOUR:
        return f"{whole // MINUTE} min {whole % MINUTE} s"
    if whole < DAY:
        return f"{whole // HOUR} h {whole % HOUR // MINUTE} min"
    return f"{whole // DAY} d {whole % DAY // HOUR} h"


def _dressed(looking: bool) -> bool:
    return looking and find_spec("rich") is not None
