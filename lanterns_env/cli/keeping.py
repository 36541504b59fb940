"""What the commands that play matches have in common: games are kept however the match ends."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from lanterns_env.cli import FAILED, INTERRUPTED
from lanterns_env.cli.tables import Update, progress_bar, show_table
from lanterns_env.match.progress import NOTHING
from lanterns_env.match.report import Report
from lanterns_env.match.workers import LOST, STOPPING, held_back


def status_of(why_incomplete: str) -> int:
    """The exit status of a match that was played, or stopped for this reason."""
    if not why_incomplete:
        return 0
    return FAILED if why_incomplete == LOST else INTERRUPTED


@contextmanager
def watched() -> Iterator[Update]:
    """Shows how far a match is; where it is stopped before there is anything to keep, that is said."""
    try:
        with progress_bar() as update:
            yield update
    except KeyboardInterrupt as interrupt:
        if not hasattr(interrupt, "__notes__"):
            interrupt.add_note(NOTHING)
        raise


def keep_and_show(report: Callable[[], Report], save: Callable[[], None]) -> None:
    """Write the files and show the table: neither Ctrl-C in the middle nor a full disk loses both."""
    try:
        with held_back(*STOPPING):
            save()
    finally:
        shown = report()
        show_table(shown.title, shown.columns, shown.rows)
        for line in shown.lines:
            print(line)
