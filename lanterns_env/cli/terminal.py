"""The terminal: whether there is one, its size, colour, clearing, and the completion of what is typed."""

import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lanterns_env.engine.game import Game

CLEAR = "\033[H\033[2J\033[3J"  # the lines scrolled away too
COLUMN_GAP = 3
LABEL = re.compile(r" *\S+(?: \S+)* {2,}")  # what stands before a text, two blanks or more away
UNENDING = 0  # the size of what has no width or height

Size = tuple[int, int]  # columns, lines


def interactive() -> bool:
    """Whether somebody reads and types."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def colored() -> bool:
    """Whether the terminal wants colours: https://no-color.org."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def size() -> Size:
    """Columns and lines of the terminal; what is written to a file is not bound by any."""
    columns, lines = get_terminal_size() if sys.stdout.isatty() else (UNENDING, UNENDING)
    return columns, lines


@dataclass(frozen=True)
class Screen:
    """How a game is shown: where lines end, in colour or not, and how much of a drawing finds room.

    Attributes:
        size: Columns and lines, asked for anew each time: windows are resized.
        color: Whether drawings are in colour.
        compact: Whether drawings are compact even where the usual ones find room.
    """

    size: Callable[[], Size] = size
    color: bool = False
    compact: bool = False

    def wrapped(self, text: str) -> str:
        return wrap(text, self.size()[0])

    def drawn(self, game: "Game", views: Sequence[Any], lines_below: int = 0) -> str:
        """The table, compact if so many more lines would not find room below it."""
        usual = f"\n{game.draw(views, color=self.color)}\n"
        if game.draw_compact is None or not (self.compact or self._too_high(usual, lines_below)):
            return usual
        return game.draw_compact(views, color=self.color)

    def room_below(self, drawing: str) -> int:
        """How many lines find room below a drawing, in which the last is kept for what is typed."""
        lines = self.size()[1]
        return max(1, lines - drawing.count("\n") - 2) if lines else sys.maxsize

    def _too_high(self, drawing: str, lines_below: int) -> bool:
        lines = self.size()[1]
        return bool(lines) and drawing.count("\n") + 1 + lines_below > lines


def wrap(text: str, columns: int) -> str:
    """Lines that end between words; what follows a label and two blanks stays in its column."""
    return "\n".join(_wrapped(line, columns) for line in text.split("\n"))


def _wrapped(line: str, columns: int) -> str:
    if len(line) <= columns or columns == UNENDING:
        return line
    label = LABEL.match(line)
    begin = len(line) - len(line.lstrip())
    start = label.end() if label and label.end() <= columns // 2 else begin
    indent = " " * (start if start <= columns // 2 else 0)
    return textwrap.fill(line, columns, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


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
