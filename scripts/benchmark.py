"""How fast the engine is, beside the games of others, in one run.

Every measure is taken once a round, one after the other, so that a busy moment of the machine hits all of
them; the table shows the median over the rounds and the quartiles.  Ratios are medians of the ratios within
each round.

    python scripts/benchmark.py --game lanterns --players 4 --json speed.json
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

from lanterns_env import GAMES, Batch
from lanterns_env.aec import make

BATCHES = (1, 64, 1024, 4096)
REFERENCE = "tictactoe env()"
PLAYED_OUT = 256  # games of one call
STARTS = 3  # warm starts measured
Measure = Callable[[float], float]  # seconds to spend -> how many a second


def rate(work: Callable[[], int], seconds: float) -> float:
    """How much work is done a second."""
    done, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        done += work()
    return done / (time.perf_counter() - begin)


# -- our own ------------------------------------------------------------------------------------------------


def batch_measures(game: str, players: int, num_games: int) -> dict[str, Measure]:
    """Step, view and mask of a batch, with and without the sampling of actions."""
    batch = Batch(game, num_games, players, seed=1)
    rng = np.random.default_rng(1)
    calls = max(1, 4096 // num_games)

    def with_sampling() -> int:
        for _ in range(calls):
            batch.step(batch.sample(rng))
        return calls * num_games

    def steps_alone(seconds: float) -> float:
        """The time of the steps alone; the actions are drawn outside of it."""
        done, spent = 0, 0.0
        while spent < seconds:
            actions = batch.sample(rng)
            begin = time.perf_counter()
            batch.step(actions)
            spent += time.perf_counter() - begin
            done += num_games
        return done / spent

    def sampling() -> int:
        for _ in range(calls):
            batch.sample(rng)
        return calls * num_games

    return {
        f"batch {num_games}: step, view, mask": steps_alone,
        f"batch {num_games}: with sampling": lambda seconds: rate(with_sampling, seconds),
        f"batch {num_games}: sampling alone": lambda seconds: rate(sampling, seconds),
    }


def kernel_measures(game: str, players: int) -> dict[str, Measure]:
    """Random games inside compiled code, and copies."""
    deals = Batch(game, PLAYED_OUT, players, seed=1)
    env = make(game, False, num_players=players)
    env.reset(seed=1)
    length = mean_length(game, players)
    seeds = iter(range(10**9))

    def play_outs() -> int:
        deals.play_out(next(seeds))
        return PLAYED_OUT

    def clones() -> int:
        for _ in range(100):
            env.clone()
        return 100

    return {
        "play-outs from the deal": lambda seconds: rate(play_outs, seconds),
        "decisions in play-outs": lambda seconds: rate(play_outs, seconds) * length,
        "clone of an env": lambda seconds: rate(clones, seconds),
    }


def mean_length(game: str, players: int) -> float:
    """Decisions of a random game."""
    batch = Batch(game, 256, players, seed=1)
    rng = np.random.default_rng(1)
    decisions = ended = 0
    while ended < 1000:
        batch.step(batch.sample(rng))
        decisions += len(batch)
        ended += int(batch.overs.sum())
    return decisions / ended


# -- the same loop for every PettingZoo game ----------------------------------------------------------------


def aec_measure(env: Any) -> Measure:
    """Whole games of a PettingZoo environment, uniform among the legal actions."""
    rng = np.random.default_rng(1)

    def game() -> int:
        turns = 0
        env.reset(seed=int(rng.integers(1 << 30)))
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(legal[int(rng.random() * len(legal))])
            turns += 1
        return turns

    return lambda seconds: rate(game, seconds)


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


def run(measures: dict[str, Measure], rounds: int, seconds: float) -> dict[str, list[float]]:
    """All measures of a round one after the other, round by round."""
    for measure in measures.values():
        measure(0.01)  # compiled, in the caches
    results: dict[str, list[float]] = {name: [] for name in measures}
    for _ in track(range(rounds), description="rounds", transient=True):
        for name, measure in measures.items():
            results[name].append(measure(seconds))
    return results


def summary(values: list[float], reference: list[float]) -> dict[str, Any]:
    low, middle, high = np.quantile(values, (0.25, 0.5, 0.75)).tolist()
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
    game = GAMES[arguments.game]
    players = game.check_players(arguments.players or game.default_players)
    measures = pettingzoo_measures()
    measures[f"{game.name} env()"] = aec_measure(make(game.name, True, num_players=players))
    measures[f"{game.name} raw_env()"] = aec_measure(make(game.name, False, num_players=players))
    for num_games in BATCHES:
        measures |= batch_measures(game.name, players, num_games)
    measures |= kernel_measures(game.name, players) | peer_measures()
    results = run(measures, arguments.rounds, arguments.seconds)
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
        with open(arguments.json, "w") as file:
            json.dump(report, file, indent=1)


if __name__ == "__main__":
    main()
