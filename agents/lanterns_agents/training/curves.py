"""The learning curves of a run as a picture: win shares beside the fair share, and three signs of health."""

import io
import pathlib
from typing import Any

import numpy as np

from lanterns_agents.training.logging import LOG, LOSSES, is_number, read_log
from lanterns_env.support.files import write_whole

CURVES = "curves.png"
MILLION = 1e6
DECISIONS = "decisions of the learner, in millions"
HEALTH = {  # title, and what stands at the upright axis, by the name in the log
    f"{LOSSES}entropy": ("Entropy of the policy", "nats"),
    f"{LOSSES}value_loss": ("Error of the value", "mean squared error"),
    f"{LOSSES}approx_kl": ("Change of the policy in an update", "approximate KL"),
    f"{LOSSES}bc_accuracy": ("Agreement with the teacher", "fraction of decisions"),
}
PANELS = 3  # of health
SIZE = (12, 8)  # inches
SHARES = (-0.02, 1.02)  # what an axis of win shares shows

Lines = list[dict[str, Any]]


def draw_curves(folder: pathlib.Path) -> None:
    """Written into the folder of a run, where matplotlib is installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    lines = [line for line in read_log(folder / LOG) if is_number(line.get("decisions"))]
    figure: Any = Figure(figsize=SIZE, layout="constrained")
    minutes = lines[-1]["minutes"] if lines else 0.0
    figure.suptitle(f"{folder.name}: {minutes:.1f} minutes of training")
    for part, draw in zip(np.ravel(figure.subfigures(2, 1)), (draw_results, draw_health), strict=True):
        draw(part, lines)
    picture = io.BytesIO()
    figure.savefig(picture, format="png")
    write_whole(folder / CURVES, picture.getvalue())


def draw_results(figure: Any, lines: Lines) -> None:
    """A panel for every number of players: win shares with their intervals by opponent, and the fair share."""
    measured = [line for line in lines if line.get("results")]
    names = sorted({name for line in measured for name in line["results"]})
    tables = sorted({int(name.rsplit(" ", 1)[1][:-1]) for name in names})
    if not tables:
        return
    for axes, players in zip(figure.subplots(1, len(tables), squeeze=False).flat, tables, strict=True):
        axes.set(title=f"Win share with {players} players", xlabel=DECISIONS, ylabel="win share", ylim=SHARES)
        axes.axhline(1 / players, linestyle="--", color="grey", label="fair share")
        for name in names:
            opponent, _, table = name.rpartition(" ")
            if table == f"{players}p":
                points = [
                    (line["decisions"] / MILLION, *line["results"][name])
                    for line in measured
                    if name in line["results"]
                ]
                decisions, shares, lows, highs = np.array(points).T
                ends = shares - lows, highs - shares
                axes.errorbar(decisions, shares, ends, label=f"against {opponent}", capsize=2, marker="o", markersize=3)
        axes.set_xlim(left=0)
        axes.legend(fontsize="small")


def draw_health(figure: Any, lines: Lines) -> None:
    """What tells whether a run is well, as far as it is in the log."""
    found = [name for name in HEALTH if any(is_number(line.get(name)) for line in lines)][:PANELS]
    if not found:
        return
    for axes, name in zip(figure.subplots(1, len(found), squeeze=False).flat, found, strict=True):
        title, unit = HEALTH[name]
        axes.set(title=title, xlabel=DECISIONS, ylabel=unit)
        points = [(line["decisions"] / MILLION, line[name]) for line in lines if is_number(line.get(name))]
        axes.plot(*zip(*points, strict=True), marker=".")
        axes.set_xlim(left=0)
