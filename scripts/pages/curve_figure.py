"""The learning curve of a champion: all runs that made it, one after the other on one axis."""

from itertools import pairwise
from typing import Any

from charts import DOT, GAP, LETTERS, SMALL, WIDTH, Chart, Span, Theme, across, dashed, segment

from lanterns_env import GAMES
from lanterns_env.games.svg import Circle, Picture, Rectangle, Text

EDGE, HIGH, FOOT = 44.0, 120.0, 40.0  # of a panel: room for its marks, its height, room below it
WIDE = WIDTH - EDGE - 70.0  # behind it stand the names of the curves
MARKS = (0.0, 0.5, 1.0)
APART = 15.0  # names of curves

Point = tuple[float, list[float]]  # minutes since the first decision; a share, perhaps with the ends of its interval


def joined(phases: list[dict[str, Any]]) -> dict[str, list[Point]]:
    """Every curve by its opponent and players, the runs laid end to end."""
    curves: dict[str, list[Point]] = {}
    before = 0.0
    for phase in phases:
        for evaluation in phase["evaluations"]:
            for name, result in evaluation["results"].items():
                curves.setdefault(name, []).append((before + evaluation["minutes"], result))
        before += phase["minutes"]
    return curves


def ends(phases: list[dict[str, Any]]) -> list[tuple[float, float]]:
    """Minutes and decisions when every run had ended."""
    minutes = decisions = 0.0
    found = []
    for phase in phases:
        minutes, decisions = minutes + phase["minutes"], decisions + phase["decisions"]
        found.append((minutes, decisions))
    return found


def curve_figure(data: dict[str, Any], theme: Theme) -> Picture:
    """A panel for every number of players: win shares over minutes of training."""
    chart, runs, curves = Chart(theme, []), ends(data["phases"]), joined(data["phases"])
    for players in sorted({int(name.split()[1][:-1]) for name in curves}):
        chart.title(f"{GAMES[data['game']].title}, {players} players: win share against")
        of_it = {name.split()[0]: points for name, points in curves.items() if name.endswith(f" {players}p")}
        panel(chart, players, of_it, runs)
    chart.note("below: minutes of training, and million decisions when a run had ended; dashed: fair share")
    return chart.picture()


def panel(chart: Chart, players: int, curves: dict[str, list[Point]], runs: list[tuple[float, float]]) -> None:
    """The curves of one number of players."""
    top, foot, theme = chart.foot, chart.foot + HIGH, chart.theme
    last = runs[-1][0]

    def place(minutes: float, share: float) -> Span:
        return EDGE + WIDE * minutes / last, foot - HIGH * share

    for mark in MARKS:
        level = place(0, mark)[1]
        chart.shapes += [
            across(EDGE, EDGE + WIDE, level, theme.pale),
            Text((EDGE - GAP / 2, level), f"{mark:g}", SMALL, theme.ink, "end"),
        ]
    for minutes, decisions in [(0.0, 0.0), *runs]:
        x = place(minutes, 0)[0]
        chart.shapes += [
            Rectangle((x, top), 1.0, HIGH, theme.pale),
            Text((x, foot + LETTERS / 2 + 3), f"{minutes:.0f}", SMALL, theme.ink),
            Text((x, foot + LETTERS + 10), f"{decisions / 1e6:.0f} M", SMALL, theme.ink),
        ]
    chart.shapes += dashed(place(0, 1 / players), place(last, 1 / players), theme.fair)
    heights = names(sorted(curves), {name: place(*shares(curves[name])[-1])[1] for name in curves})
    for name, points in sorted(curves.items()):
        colour = theme.ours if name == "expert" else theme.others
        curve(
            chart,
            [(place(minutes, result[0]), [place(0, end)[1] for end in result[1:]]) for minutes, result in points],
            colour,
        )
        chart.shapes.append(Text((EDGE + WIDE + GAP, heights[name]), name, LETTERS, colour, "start", bold=True))
    chart.foot = foot + FOOT


def shares(points: list[Point]) -> list[tuple[float, float]]:
    return [(minutes, result[0]) for minutes, result in points]


def names(order: list[str], wanted: dict[str, float]) -> dict[str, float]:
    """Where the names stand: at the ends of their curves, and apart."""
    placed: dict[str, float] = {}
    for name in sorted(order, key=wanted.__getitem__):
        least = max(placed.values(), default=-APART) + APART
        placed[name] = max(wanted[name], least)
    return placed


def curve(chart: Chart, points: list[tuple[Span, list[float]]], colour: str) -> None:
    """Lines between the points; a larger dot and an upright line where an interval is known."""
    for (start, _), (end, _) in pairwise(points):
        chart.shapes.append(segment(start, end, colour))
    for (x, y), interval in points:
        chart.shapes.append(Circle((x, y), DOT - 1 if interval else DOT / 2, colour))
        if interval:
            chart.shapes.append(Rectangle((x - 1, interval[1]), 2.0, interval[0] - interval[1], colour))
