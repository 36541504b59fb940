"""Lines over logarithmic axes: what figures of distances from the optimum are made of."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from charts import DARK, DOT, GAP, LETTERS, SMALL, WIDTH, Chart, Span, Theme, across, segment

from lanterns_env.games.svg import Circle, Rectangle, Text

EDGE, NAMES = 52.0, 110.0  # room for the marks on the left, for the names of the lines on the right
HIGH, FOOT = 170.0, 34.0  # of a panel, and of the room below it
WIDE = WIDTH - EDGE - NAMES
STEPS = (1, 2, 5)  # marks within a power of ten
CROWDED = 6  # marks: more are thinned out to powers of ten
APART = 15.0  # names of lines
LEAST = 1e-4  # what is smaller is drawn there
THOUSAND, MILLION = 1e3, 1e6
COLOURS = {  # of lines, as far as they go
    False: ("#d84315", "#1565c0", "#2e7d32", "#6a1b9a", "#00838f", "#827717", "#ad1457", "#37474f", "#ef6c00"),
    True: ("#ff8a65", "#64b5f6", "#81c784", "#ce93d8", "#4dd0e1", "#dce775", "#f48fb1", "#b0bec5", "#ffcc80"),
}


@dataclass(frozen=True)
class Point:
    """A mean, and how far the figures behind it reach."""

    x: float
    y: float
    span: Span


Lines = Mapping[str, Sequence[Point]]


class Axis:
    """From numbers to lengths by their logarithms."""

    def __init__(self, numbers: Iterable[float], start: float, end: float) -> None:
        found = [max(number, LEAST) for number in numbers]
        self.marks = marks(min(found), max(found))
        self.low, self.high = math.log10(self.marks[0]), math.log10(self.marks[-1])
        self.start, self.end = start, end

    def place(self, number: float) -> float:
        part = (math.log10(max(number, LEAST)) - self.low) / (self.high - self.low)
        return self.start + (self.end - self.start) * part


def marks(low: float, high: float) -> list[float]:
    """Round numbers from below the lowest to above the highest: powers of ten, or between them too where few do."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    fine = [float(f"{step}e{power}") for power in powers for step in STEPS]
    first = max(number for number in fine if number <= low * (1 + 1e-9))
    last = min(number for number in fine if number >= high * (1 - 1e-9) and number > first)
    chosen = [number for number in fine if first <= number <= last]
    if len(chosen) <= CROWDED:
        return chosen
    return [number for number in chosen if number in (first, last) or math.log10(number).is_integer()]


def colours(theme: Theme) -> tuple[str, ...]:
    return COLOURS[theme is DARK]


def short(number: float) -> str:
    """As the marks of an axis have it."""
    if number >= MILLION:
        return f"{number / MILLION:g} M"
    return f"{number / THOUSAND:g} k" if number >= THOUSAND else f"{number:g}"


def log_panel(chart: Chart, title: str, lines: Lines, below: str) -> None:
    """A panel with a line for each name, upright lines for spreads, and words below."""
    chart.title(title)
    top, foot = chart.foot, chart.foot + HIGH
    points = [point for each in lines.values() for point in each]
    x = Axis((point.x for point in points), EDGE, EDGE + WIDE)
    y = Axis((end for point in points for end in (point.y, *point.span)), foot, top)
    draw_grid(chart, x, y)
    names = spread_out({name: y.place(each[-1].y) for name, each in lines.items()}, foot)
    for (name, each), colour in zip(lines.items(), colours(chart.theme), strict=False):
        draw_line(chart, [(x.place(p.x), y.place(p.y), [y.place(end) for end in p.span]) for p in each], colour)
        place = EDGE + WIDE + GAP, names[name]
        chart.shapes.append(Text(place, name, SMALL, colour, "start", bold=True))
    chart.shapes.append(Text((EDGE + WIDE / 2, foot + LETTERS + 12), below, SMALL, chart.theme.ink))
    chart.foot = foot + FOOT + GAP


def draw_grid(chart: Chart, x: Axis, y: Axis) -> None:
    for number in y.marks:
        level = y.place(number)
        chart.shapes.append(across(EDGE, EDGE + WIDE, level, chart.theme.pale))
        chart.shapes.append(Text((EDGE - GAP / 2, level), short(number), SMALL, chart.theme.ink, "end"))
    for number in x.marks:
        place = x.place(number)
        chart.shapes.append(Rectangle((place, y.end), 1.0, y.start - y.end, chart.theme.pale))
        chart.shapes.append(Text((place, y.start + LETTERS / 2 + 3), short(number), SMALL, chart.theme.ink))


def draw_line(chart: Chart, points: list[tuple[float, float, list[float]]], colour: str) -> None:
    for (left, start, _), (right, end, _) in pairwise(points):
        chart.shapes.append(segment((left, start), (right, end), colour))
    for x, y, (low, high) in points:
        chart.shapes.append(Circle((x, y), DOT - 1, colour))
        chart.shapes.append(Rectangle((x - 1, high), 2.0, max(low - high, 0.1), colour))


def spread_out(wanted: Mapping[str, float], foot: float) -> dict[str, float]:
    """Where names stand: at the ends of their lines and apart, if possible above the foot of the panel."""
    placed: dict[str, float] = {}
    for name in sorted(wanted, key=wanted.__getitem__):
        placed[name] = max(wanted[name], max(placed.values(), default=-math.inf) + APART)
    lowest = foot
    for name in reversed(placed):
        placed[name] = min(placed[name], lowest)
        lowest = placed[name] - APART
    return placed
