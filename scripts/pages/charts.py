"""What the figures of the pages are made of: rows of bars and of intervals, in light and dark colours."""

from collections.abc import Sequence
from dataclasses import dataclass

from lanterns_env.games.svg import Circle, Picture, Polygon, Rectangle, Shape, Text

WIDTH, LEFT, RIGHT = 560.0, 190.0, 90.0  # of the whole, of the names, of the numbers behind a row
ROW, HEAD, GAP = 22.0, 28.0, 10.0  # heights: of a row, of a title, between blocks
BAR, DOT, LINE = 13.0, 4.5, 3.0
LETTERS, SMALL = 14.0, 12.5
DASH = 4.0  # length of a dash and of the room after it
TRANSPARENT = "none"

Span = tuple[float, float]


@dataclass(frozen=True)
class Theme:
    """Colours on the page's own ground."""

    suffix: str  # of the file's name
    ink: str
    pale: str
    ours: str
    others: str
    fair: str


LIGHT = Theme("", "#212121", "#dcdcdc", "#d84315", "#78909c", "#1565c0")
DARK = Theme("-dark", "#e6e6e6", "#50525c", "#ff8a65", "#90a4ae", "#64b5f6")
THEMES = (LIGHT, DARK)


@dataclass(frozen=True)
class Row:
    """A line of a chart: a value with its interval, and what is written behind it."""

    name: str
    value: float
    interval: Span
    words: str
    ours: bool = True


@dataclass
class Chart:
    """A picture that grows downwards."""

    theme: Theme
    shapes: list[Shape]
    foot: float = GAP

    def title(self, words: str) -> None:
        self.shapes.append(Text((0, self.foot + HEAD / 2), words, LETTERS, self.theme.ink, "start", bold=True))
        self.foot += HEAD

    def note(self, words: str) -> None:
        self.shapes.append(Text((0, self.foot + ROW / 2), words, SMALL, self.theme.ink, "start"))
        self.foot += ROW

    def picture(self) -> Picture:
        return Picture(WIDTH, self.foot + GAP, self.shapes, TRANSPARENT)


def bars(chart: Chart, title: str, rows: Sequence[Row]) -> None:
    """From 0 to the largest; a thin line over the end of a bar is its interval."""
    chart.title(title)
    most = max(max(row.value, row.interval[1]) for row in rows)
    scale = (WIDTH - LEFT - RIGHT) / most
    for row in rows:
        middle = chart.foot + ROW / 2
        colour = chart.theme.ours if row.ours else chart.theme.others
        chart.shapes += [
            Text((LEFT - GAP, middle), row.name, LETTERS, chart.theme.ink, "end"),
            Rectangle((LEFT, middle - BAR / 2), max(row.value * scale, 1.0), BAR, colour),
            across(LEFT + row.interval[0] * scale, LEFT + row.interval[1] * scale, middle, chart.theme.ink),
            Text((WIDTH - RIGHT + GAP, middle), row.words, LETTERS, chart.theme.ink, "start"),
        ]
        chart.foot += ROW
    chart.foot += GAP


def intervals(chart: Chart, title: str, rows: Sequence[Row], fair: float) -> None:
    """Shares between 0 and 1: a dot, its interval, and a dashed line at the fair share."""
    chart.title(title)
    wide = WIDTH - LEFT - RIGHT
    top, foot = chart.foot, chart.foot + ROW * len(rows)
    chart.shapes += [Rectangle((LEFT + wide * mark, top), 1.0, foot - top, chart.theme.pale) for mark in (0, 0.5, 1)]
    chart.shapes += dashed((LEFT + wide * fair, top), (LEFT + wide * fair, foot), chart.theme.fair)
    for row in rows:
        middle = chart.foot + ROW / 2
        low, high = (LEFT + wide * end for end in row.interval)
        chart.shapes += [
            Text((LEFT - GAP, middle), row.name, LETTERS, chart.theme.ink, "end"),
            across(low, high, middle, chart.theme.ours, LINE),
            Circle((LEFT + wide * row.value, middle), DOT, chart.theme.ours),
            Text((WIDTH - RIGHT + GAP, middle), row.words, LETTERS, chart.theme.ink, "start"),
        ]
        chart.foot += ROW
    chart.foot += GAP


def across(low: float, high: float, middle: float, colour: str, thick: float = 1.0) -> Rectangle:
    """A level line."""
    return Rectangle((low, middle - thick / 2), max(high - low, 1.0), thick, colour)


def segment(start: Span, end: Span, colour: str, thick: float = 2.0) -> Polygon:
    """A straight line between two points, as a narrow box."""
    (x, y), (right, down) = start, end
    long = ((right - x) ** 2 + (down - y) ** 2) ** 0.5 or 1.0
    a, b = thick * (down - y) / (2 * long), thick * (right - x) / (2 * long)
    return Polygon(((x + a, y - b), (right + a, down - b), (right - a, down + b), (x - a, y + b)), colour)


def dashed(start: Span, end: Span, colour: str) -> list[Shape]:
    """An upright or level line of dashes."""
    (x, y), (right, down) = start, end
    long = max(right - x, down - y)
    count = int(long // (2 * DASH)) + 1
    firsts = [2 * DASH * step for step in range(count)]
    lasts = [min(first + DASH, long) for first in firsts]
    if right > x:
        return [across(x + first, x + last, y, colour, 1.5) for first, last in zip(firsts, lasts, strict=True)]
    return [Rectangle((x - 0.75, y + f), 1.5, max(e - f, 0.1), colour) for f, e in zip(firsts, lasts, strict=True)]
