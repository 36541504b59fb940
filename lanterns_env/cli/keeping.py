"""What the commands that play matches have in common: games are kept however the match ends."""

import signal
from collections.abc import Callable

from lanterns_env.cli.tables import show_table
from lanterns_env.match.report import Report
from lanterns_env.match.workers import held_back


def keep_and_show(report: Callable[[], Report], save: Callable[[], None]) -> None:
    """Write the files, then show the table; who presses Ctrl-C again while they are written loses nothing."""
    with held_back(signal.SIGINT, signal.SIGTERM):
        save()
    shown = report()
    show_table(shown.title, shown.columns, shown.rows)
    for line in shown.lines:
        print(line)
