"""The terminal: whether there is one, colour, clearing, and the completion of what is typed."""

import os
import sys
from collections.abc import Callable, Iterable
from shutil import get_terminal_size

CLEAR = "\033[H\033[2J\033[3J"  # the lines scrolled away too
COLUMN_GAP = 3


def interactive() -> bool:
    """Whether somebody reads and types."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def colored() -> bool:
    """Whether the terminal wants colours: https://no-color.org."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    return get_terminal_size().columns


def clear() -> None:
    """Leave nothing to be read by the next player."""
    if sys.stdout.isatty():
        print(CLEAR, end="", flush=True)


def complete_with(candidates: Callable[[], Iterable[str]]) -> None:
    """Let the Tab key complete whole lines, word by word, where Python has readline."""
    try:
        import readline
    except ImportError:  # Windows
        return

    def completer(text: str, state: int) -> str | None:
        found = completions(text, candidates())
        return found[state] if state < len(found) else None

    readline.set_completer_delims("")
    readline.set_completer(completer)
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")


def completions(text: str, candidates: Iterable[str]) -> list[str]:
    """What a line may go on with, up to the end of its next word."""
    fitting = [each for each in candidates if each.lower().startswith(text.lower())]
    if len(fitting) <= 1:
        return fitting
    begun = len(text)
    return sorted({each[: each.find(" ", begun) + 1] if " " in each[begun:] else each for each in fitting})


def columns(items: list[str], line_width: int) -> list[str]:
    """Items in as many columns as fit, to be read downwards."""
    if not items:
        return []
    wide = max(map(len, items)) + COLUMN_GAP
    across = max(1, (line_width + COLUMN_GAP - 1) // wide)
    rows = -(-len(items) // across)
    lines = ["".join(item.ljust(wide) for item in items[row::rows]) for row in range(rows)]
    return [line.rstrip() for line in lines]
