"""Tables of how fast everything is, from docs/results/speed.json."""

from typing import Any

from results_cache import columns

from lanterns_env import GAMES

RATES = {  # in a row of the table: what the benchmark calls it
    "a PettingZoo loop of `env()`": "{game} env()",
    "the same loop of PettingZoo's own tic-tac-toe": "tictactoe env()",
    "a batch of 1024: step, view and mask": "batch 1024: step, view, mask",
    "the same with sampling": "batch 1024: with sampling",
    "random whole games (games a second), compiled": "play-outs from the deal",
}
STARTS = {
    "seconds from nothing compiled to the first observation": "cold process to the first observation",
    "seconds of a later process to the first observation": "warm process to the first observation",
}
LOOPS = ("collecting", "whole loop")
UNITS = ((1e6, 1e6, " M", 2), (1e5, 1e3, " k", 0), (1e3, 1e3, " k", 1))  # from where on, the unit, its digits

Report = dict[str, Any]


def short(rate: float) -> str:
    """A rate in three digits or so."""
    for least, unit, letter, digits in UNITS:
        if rate >= least:
            return f"{rate / unit:.{digits}f}{letter}"
    return f"{rate:.0f}"


def spread(middle: float, low: float, high: float) -> str:
    """A median and the ends of what was seen."""
    return f"{short(middle)} ({short(low)} to {short(high)})"


def engine_table(report: Report) -> list[str]:
    """Decisions a second of every game, a median over rounds with quartiles."""
    engine = report["engine"]
    lines = columns(["", *(GAMES[game].title for game in engine)])
    for words, name in RATES.items():
        rows = [engine[game]["rates"][name.format(game=game)] for game in engine]
        cells = [spread(row["median"], *row["quartiles"]) for row in rows]
        lines.append(f"| {words} | {' | '.join(cells)} |")
    for words, name in STARTS.items():
        cells = [format(engine[game]["seconds"][name], ".1f") for game in engine]
        lines.append(f"| {words} | {' | '.join(cells)} |")
    first = next(iter(engine.values()))
    return [
        *lines,
        "",
        f"{first['players']} players, median of {first['rounds']} rounds (quartiles), {machine(first)}.",
    ]


def machine(report: Report) -> str:
    """On what it was measured."""
    versions = report["versions"]
    return f"one thread of a machine with {report['machine']['cores']} cores, numba {versions['numba']}"


def seats_table(report: Report) -> list[str]:
    """Steps of one seat beside the usual ways."""
    seats = report["seats"]
    lines = columns(["", "median (quartiles)"])
    for name, row in seats["figures"].items():
        low, high = row["quartiles"]
        ratio = " times " in name
        cell = f"{row['median']:.2f} ({low:.2f} to {high:.2f})" if ratio else spread(row["median"], low, high)
        lines.append(f"| {name} | {cell} |")
    about = f"{GAMES[seats['game']].title}, {seats['players']} players, {seats['rounds']} rounds."
    return [*lines, "", about]


def training_table(report: Report) -> list[str]:
    """Decisions a second of two training loops, and their ratio within each round."""
    training = report["training"]
    lines = columns(["", "`ppo.py`", "MaskablePPO", "ratio within a round"])
    for loop in LOOPS:
        ours, theirs, ratio = (training["figures"][f"{loop}, {who}"] for who in ("ppo.py", "MaskablePPO", "ratio"))
        cells = [spread(row["median"], row["min"], row["max"]) for row in (ours, theirs)]
        cells.append(f"{ratio['median']:.1f} ({ratio['min']:.1f} to {ratio['max']:.1f})")
        lines.append(f"| {loop} | {' | '.join(cells)} |")
    return [*lines, "", f"Median (smallest to largest) of {training['rounds']} rounds."]


def parts_table(report: Report) -> list[str]:
    """Where the time goes with the recommended settings."""
    training = report["training"]
    lines = columns(["settings", "decisions a second", *next(iter(training["parts"].values()))])
    for name, parts in training["parts"].items():
        row = training["figures"][name]
        cells = [spread(row["median"], row["min"], row["max"]), *(f"{part:.0%}" for part in parts.values())]
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return lines
