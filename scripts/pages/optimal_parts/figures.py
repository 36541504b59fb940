"""The figures of the page "How far from optimal": NashConv of search over simulations, of PPO over training."""

import pathlib
from collections.abc import Callable, Sequence
from typing import Any

from charts import THEMES, Chart, Theme
from optimal_parts.data import (
    DRAWN,
    GAINS,
    RESULTS,
    TRAINING,
    VARIED,
    Entry,
    Measured,
    by_settings,
    by_simulations,
    measured,
    spread,
)
from optimal_parts.line_charts import Point, log_panel

from lanterns_env.games.svg import svg

IMAGES = RESULTS.parents[1] / "images"
SEARCHED, TRAINED = "optimal-search", "optimal-ppo"  # names of the figures
SPREAD = "mean, lowest and highest of the seeds"


def point(x: float, figures: Sequence[Entry]) -> Point:
    mean, low, high = spread(each["nash_conv"] for each in figures)
    return Point(x, mean, (low, high))


def search_lines(files: Sequence[Measured]) -> dict[str, list[Point]]:
    """NashConv over simulations a decision, for every variant where there are several numbers of them."""
    found = {each.brief: [point(n, cells) for n, cells in by_simulations(each).items()] for each in files}
    return {name: line for name, line in found.items() if len(line) > 1}


def training_lines(found: Measured) -> dict[str, list[Point]]:
    """NashConv over decisions, for all settings."""
    return {words: training_line(runs) for words, runs in by_settings(found).items()}


def training_line(runs: Sequence[Entry]) -> list[Point]:
    """Over all seeds, at each of the points where they were measured."""
    moments = zip(*(run["points"] for run in runs), strict=True)
    return [point(spread(at["decisions"] for at in each)[0], [at[DRAWN] for at in each]) for each in moments]


def search_figure(theme: Theme, lines: dict[str, list[Point]]) -> Chart:
    chart = Chart(theme, [])
    log_panel(chart, "NashConv of search:N", lines, f"N, simulations a decision; {SPREAD}")
    return chart


def training_figure(theme: Theme, files: Sequence[Measured]) -> Chart:
    chart = Chart(theme, [])
    for found in files:
        below = f"decisions of the learner; names: {' / '.join(VARIED)}"
        log_panel(chart, f"{found.variant}: NashConv of PPO", training_lines(found), below)
    return chart


def drawings(folder: pathlib.Path = RESULTS) -> dict[str, Callable[[Theme], Chart]]:
    """The figures for which there are results, by the name of the file."""
    lines, runs = search_lines(measured(GAINS, folder)), measured(TRAINING, folder)
    found: dict[str, Any] = {}
    if lines:
        found[SEARCHED] = lambda theme: search_figure(theme, lines)
    if runs:
        found[TRAINED] = lambda theme: training_figure(theme, runs)
    return found


def figures(results: pathlib.Path = RESULTS, images: pathlib.Path = IMAGES) -> dict[pathlib.Path, str]:
    """What the files of all figures ought to hold."""
    return {
        images / f"{name}{theme.suffix}.svg": svg(draw(theme).picture()) + "\n"
        for name, draw in drawings(results).items()
        for theme in THEMES
    }
