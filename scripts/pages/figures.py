"""Draw the figures of the pages anew: speed, strength, and the learning curves of the champions.

    python scripts/pages/figures.py

Each is drawn for light and for dark pages, from the results in docs/results; the pages show one of the two.
"""

import pathlib
from collections.abc import Callable
from functools import partial
from typing import Any

from charts import THEMES, Chart, Row, Theme, bars, intervals
from curve_figure import curve_figure
from readme import PAIRS, RESULTS, ROWS, speed, strength
from speed_tables import short

from lanterns_env import GAMES
from lanterns_env.games.svg import Picture, svg
from lanterns_env.support.files import read_json, write_whole

IMAGES = RESULTS.with_name("images")
LOOP, BATCH = "{game} env()", "batch 1024: step, view, mask"
PEERS = {"tictactoe env()": "tic-tac-toe", "connect_four env()": "Connect Four"}  # PettingZoo's own
TRAINERS = {"ppo.py": "lanterns train", "MaskablePPO": "MaskablePPO"}


def rate_row(name: str, rate: dict[str, Any], ours: bool = True) -> Row:
    """Of a benchmark's figures."""
    low, high = rate["quartiles"] if "quartiles" in rate else (rate["min"], rate["max"])
    return Row(name, rate["median"], (low, high), short(rate["median"]), ours)


def speed_figure(theme: Theme) -> Picture:
    """Bars of decisions a second: in PettingZoo's loop, in batches, in training."""
    report, chart = speed(), Chart(theme, [])
    engine = report["engine"]
    loops = [rate_row(GAMES[game].title, engine[game]["rates"][LOOP.format(game=game)]) for game in engine]
    first = next(iter(engine.values()))["rates"]
    loops += [rate_row(f"{words} (PettingZoo)", first[name], False) for name, words in PEERS.items()]
    bars(chart, "Decisions a second: one PettingZoo environment", loops)
    batches = [rate_row(GAMES[game].title, engine[game]["rates"][BATCH]) for game in engine]
    bars(chart, "Decisions a second: a batch of 1024 games, one thread", batches)
    figures = report["training"]["figures"]
    trained = [rate_row(words, figures[f"whole loop, {who}"], who == "ppo.py") for who, words in TRAINERS.items()]
    bars(chart, "Decisions a second: training, learning included", trained)
    return chart.picture()


def strength_figure(theme: Theme) -> Picture:
    """Win shares of one agent against copies of the next weaker one, with intervals and fair shares."""
    chart = Chart(theme, [])
    for game, players in ROWS:
        found = {pair: strength(game, players, pair) for pair in PAIRS}
        rows = [Row(pair, each[0], each[1], f"{each[0]:.3f}") for pair, each in found.items() if each]
        intervals(chart, f"{GAMES[game].title}, {players} players", rows, 1 / players)
    chart.note("dot: win share; line: 95 % interval over deals; dashed: fair share")
    return chart.picture()


def curve_of(game: str, theme: Theme) -> Picture:
    """The whole training of a champion."""
    return curve_figure(read_json(RESULTS / f"curve-{game}.json"), theme)


def figures() -> dict[str, Callable[[Theme], Picture]]:
    """All, by the name of the file."""
    curves = {f"champion-{game}": partial(curve_of, game) for game in GAMES}
    return {"speed": speed_figure, "strength": strength_figure, **curves}


def files(folder: pathlib.Path = IMAGES) -> dict[pathlib.Path, str]:
    """What the files of all figures ought to hold."""
    return {
        folder / f"{name}{theme.suffix}.svg": svg(draw(theme)) + "\n"
        for name, draw in figures().items()
        for theme in THEMES
    }


def main() -> None:
    for file, text in files().items():
        write_whole(file, text)


if __name__ == "__main__":
    main()
