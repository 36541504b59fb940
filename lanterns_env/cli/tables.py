"""Tables and progress on the terminal: with rich where it is installed and someone looks, else as plain text."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec

Update = Callable[[int, int, str], None]  # (done, of how many, words)


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
        print("\n".join([title, *plain_table(columns, rows)]))


def plain_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table in plain text."""
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    return [
        "  ".join(f"{cell:>{w}}" if k else f"{cell:<{w}}" for k, (cell, w) in enumerate(zip(line, widths, strict=True)))
        for line in (columns, *rows)
    ]


@contextmanager
def progress_bar() -> Iterator[Update]:
    """A bar of how much is done, and words beside it; nothing where nobody looks."""
    if not _dressed(sys.stderr.isatty()):
        yield lambda done, total, words: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total, words: bar.update(task, completed=done, total=total, description=words)


def _dressed(looking: bool) -> bool:
    return looking and find_spec("rich") is not None
