"""A picture of ratings: a line for each agent, a dot at its rating, its interval across."""

import io
import pathlib
from collections.abc import Sequence
from typing import Protocol

from lanterns_env.games.raster import rgb_array
from lanterns_env.games.svg import Circle, Picture, Rectangle, Shape, Text, svg
from lanterns_env.match.statistics import Interval
from lanterns_env.support.files import printable, write_whole

WIDTH, LEFT, RIGHT = 640.0, 170.0, 50.0  # of the whole, of the names, of the free edge
LINE, TOP, BOTTOM = 28.0, 12.0, 34.0  # heights
DOT, BAR = 5.0, 3.0
LETTERS, SMALL = 13.0, 11.0
INK, PALE, COLOUR = "#222222", "#dddddd", "#d84315"
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)  # between the marks of the axis
MOST_MARKS = 9


class Rating(Protocol):
    @property
    def agent(self) -> str: ...
    @property
    def rating(self) -> float: ...
    @property
    def interval(self) -> Interval: ...


def rating_picture(rows: Sequence[Rating]) -> Picture:
    """The rows from top to bottom."""
    low = min(min(row.interval[0], row.rating) for row in rows)
    high = max(max(row.interval[1], row.rating) for row in rows)
    step = next((s for s in STEPS if (high - low) / s < MOST_MARKS - 1), STEPS[-1])
    first, last = int(low // step) * step, int(-(-high // step)) * step
    last = max(last, first + step)
    foot = TOP + LINE * len(rows)

    def across(rating: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (rating - first) / (last - first)

    shapes: list[Shape] = []
    for mark in range(first, last + 1, step):
        shapes.append(Rectangle((across(mark) - 0.5, TOP), 1.0, foot - TOP, PALE))
        shapes.append(Text((across(mark), foot + LETTERS), str(mark), SMALL))
    for position, row in enumerate(rows):
        middle = TOP + LINE * (position + 0.5)
        left, right = map(across, row.interval)
        shapes.append(Text((LEFT - 2 * DOT, middle), printable(row.agent), LETTERS, INK, "end"))
        shapes.append(Rectangle((left, middle - BAR / 2), max(right - left, 1.0), BAR, COLOUR))
        shapes.append(Circle((across(row.rating), middle), DOT, COLOUR))
    return Picture(WIDTH, foot + BOTTOM, shapes)


def write_picture(picture: Picture, file: str | pathlib.Path) -> None:
    """As SVG, or as PNG where the file is named so."""
    if pathlib.Path(file).suffix == ".png":
        pixels = rgb_array(picture, round(2 * picture.width))
        from PIL import Image

        drawn = io.BytesIO()
        Image.fromarray(pixels).save(drawn, "png")
        write_whole(file, drawn.getvalue())
    else:
        write_whole(file, svg(picture) + "\n")
