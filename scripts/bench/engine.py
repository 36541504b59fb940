"""How fast the engine is, beside the games of others, in one run.

Every measure is taken once a round, one after the other, so that a busy moment of the machine hits all of
them; the table shows the median over the rounds and the quartiles.  Ratios are medians of the ratios within
each round.

    python scripts/bench/engine.py --game lanterns --players 4 --json speed.json
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from lanterns_env import GAMES
from lanterns_env.engine.benchmarking import Measure, aec_measure, median_and_quartiles, own_measures, rate, run
from lanterns_env.support.files import check_target, write_whole

BATCHES = (1, 64, 1024, 4096)
REFERENCE = "tictactoe env()"
STARTS = 3  # warm starts measured


# -- the games of PettingZoo, in the same loop as ours ------------------------------------------------------


def pettingzoo_measures() -> dict[str, Measure]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic import connect_four_v3, tictactoe_v3
    return {
        REFERENCE: aec_measure(tictactoe_v3.env()),
        "tictactoe raw_env()": aec_measure(tictactoe_v3.raw_env()),
        "connect_four env()": aec_measure(connect_four_v3.env()),
    }


# -- further peers, where they are installed ----------------------------------------------------------------


def openspiel_measures() -> dict[str, Measure]:
    import pyspiel

    rng = np.random.default_rng(1)

    def game_of(name: str) -> Callable[[], int]:
        game = pyspiel.load_game(name)

        def play() -> int:
            state, turns = game.new_initial_state(), 0
            while not state.is_terminal():
                actions = state.legal_actions()
                state.observation_tensor(state.current_player())
                state.apply_action(actions[int(rng.random() * len(actions))])
                turns += 1
            return turns

        return play

    return {f"OpenSpiel {name}": lambda s, n=name: rate(game_of(n), s) for name in ("tic_tac_toe", "connect_four")}


def rlcard_measures() -> dict[str, Measure]:
    import rlcard

    env = rlcard.make("leduc-holdem", config={"seed": 1})
    rng = np.random.default_rng(1)

    def play() -> int:
        state, _ = env.reset()
        turns = 0
        while not env.is_over():
            actions = list(state["legal_actions"])
            state, _ = env.step(actions[int(rng.random() * len(actions))])
            turns += 1
        return turns

    return {"RLCard leduc-holdem": lambda seconds: rate(play, seconds)}


def pgx_measures() -> dict[str, Measure]:
    import jax
    import pgx

    env, num_games = pgx.make("connect_four"), 1024
    step = jax.jit(jax.vmap(env.step))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), num_games))

    def play() -> int:
        nonlocal state
        state = step(state, jax.numpy.argmax(state.legal_action_mask, axis=1))
        state.observation.block_until_ready()
        return num_games

    return {"pgx connect_four, batch 1024": lambda seconds: rate(play, seconds)}


PEERS = {"pyspiel": openspiel_measures, "rlcard": rlcard_measures, "pgx": pgx_measures}


def peer_measures() -> dict[str, Measure]:
    found: dict[str, Measure] = {}
    for module, measures in PEERS.items():
        if find_spec(module) is not None:
            found |= measures()
    return found


# -- starting -----------------------------------------------------------------------------------------------


def seconds_to_run(code: str, **environment: str) -> float:
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env={**os.environ, **environment}, check=True, capture_output=True)
    return time.perf_counter() - begin


def starts(game: str, players: int) -> dict[str, float]:
    """Seconds of whole processes, and of the import inside one."""
    first = f"from lanterns_env import Batch; Batch({game!r}, 1, {players}).observations[0]"
    inside = "import time; t = time.perf_counter(); import lanterns_env; print(time.perf_counter() - t)"
    shown = [subprocess.run([sys.executable, "-c", inside], capture_output=True, check=True) for _ in range(STARTS)]
    with tempfile.TemporaryDirectory() as cache:
        cold = seconds_to_run(first, NUMBA_CACHE_DIR=cache)
    return {
        "cold process to the first observation": cold,
        "warm process to the first observation": statistics.median(seconds_to_run(first) for _ in range(STARTS)),
        "import lanterns_env": statistics.median(float(run.stdout) for run in shown),
    }


# -- the run ------------------------------------------------------------------------------------------------


def summary(values: list[float], reference: list[float]) -> dict[str, Any]:
    middle, low, high = median_and_quartiles(values)
    ratio = statistics.median(value / other for value, other in zip(values, reference, strict=True))
    return {"median": middle, "quartiles": [low, high], "ratio": ratio}


def show(report: dict[str, Any]) -> None:
    title = f"{report['game']}, {report['players']} players: a second, median of {report['rounds']} rounds"
    table = Table("what", title=title, caption=f"ratio: times {REFERENCE}")
    for column in ("median", "quartiles", "ratio"):
        table.add_column(column, justify="right", no_wrap=True)
    for name, row in report["rates"].items():
        low, high = row["quartiles"]
        table.add_row(name, f"{row['median']:,.0f}", f"{low:,.0f}..{high:,.0f}", f"{row['ratio']:.2f}")
    console = Console()
    console.print(table)
    for name, value in report["seconds"].items():
        console.print(f"{name}: {value:.2f} s")
    for name, value in report["bytes"].items():
        console.print(f"{name}: {value} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="lanterns", choices=list(GAMES))
    parser.add_argument("--players", type=int, help="by default as many as the game's own default")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.2, help="for each measure in each round")
    parser.add_argument("--json", metavar="FILE", help="write the figures here too")
    arguments = parser.parse_args()
    check_target(arguments.json)
    game = GAMES[arguments.game]
    players = game.check_players(arguments.players or game.default_players)
    measures = pettingzoo_measures() | own_measures(game.name, players, BATCHES) | peer_measures()
    rounds = track(range(arguments.rounds), description="rounds", transient=True)
    results = run(measures, arguments.seconds, rounds)
    report = {
        "game": game.name,
        "players": players,
        "rounds": arguments.rounds,
        "machine": {"processor": platform.processor() or platform.machine(), "cores": os.cpu_count()},
        "versions": {name: version(name) for name in ("lanterns_env", "numba", "numpy", "pettingzoo")},
        "rates": {name: summary(values, results[REFERENCE]) for name, values in results.items()},
        "seconds": starts(game.name, players),
        "bytes": {"state": game.state.itemsize, "view": game.view.itemsize, "mask": game.num_actions},
    }
    show(report)
    if arguments.json:
        write_whole(arguments.json, json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
