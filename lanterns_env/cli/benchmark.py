"""``lanterns benchmark``: how fast the engine is on this machine."""

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator
from typing import Any

from lanterns_env.cli.arguments import game_name, number_of_players
from lanterns_env.games import GAMES
from lanterns_env.support.files import check_target, write_whole

HELP = "measure the speed of the engine on this machine: one thread, random legal moves"
ROUNDS = 7
BATCHES = (1, 64)  # sizes measured beside the one asked for


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", type=game_name, help="by default every game")
    parser.add_argument("--players", type=int, help="by default as many as the game's own default")
    parser.add_argument("--games", type=int, default=1024, help="games side by side in the largest batch")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each measure, over all rounds")
    parser.add_argument("--json", metavar="FILE", help="write the figures here too")


def run(args: argparse.Namespace) -> int:
    if args.games < 1 or args.seconds <= 0:
        raise ValueError("--games and --seconds must be positive")
    check_target(args.json)
    names = [args.game] if args.game else list(GAMES)
    counts = {name: number_of_players(GAMES[name], args.players) for name in names}
    report: dict[str, Any] = {"machine": machine(), "rounds": ROUNDS, "games": {}}
    for name, players in counts.items():
        rates = measured(name, players, args.games, args.seconds)
        report["games"][name] = {"players": players, "rates": rates}
        show(GAMES[name].title, players, rates)
    if args.json:
        write_whole(args.json, json.dumps(report, indent=1) + "\n")
    return 0


def machine() -> dict[str, Any]:
    return {"processor": platform.processor() or platform.machine(), "cores": os.cpu_count()}


def measured(game: str, players: int, num_games: int, seconds: float) -> dict[str, dict[str, float]]:
    """Median and quartiles over the rounds, a second."""
    from lanterns_env.engine import benchmarking as speed

    measures = speed.own_measures(game, players, sorted({*BATCHES, num_games}))
    found = {}
    for name, values in speed.run(measures, seconds / ROUNDS, announced_rounds(game)).items():
        median, low, high = speed.median_and_quartiles(values)
        found[name] = {"median": median, "low": low, "high": high}
    return found


def announced_rounds(game: str) -> Iterator[int]:
    """The rounds; a person at a terminal is shown which one runs."""
    for number in range(ROUNDS):
        if sys.stderr.isatty():
            print(f"\r{game}: round {number + 1} of {ROUNDS}", end="", file=sys.stderr, flush=True)
        yield number
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def show(title: str, players: int, rates: dict[str, dict[str, float]]) -> None:
    print(f"{title}, {players} players: a second, median of {ROUNDS} rounds (quartiles)")
    width = max(map(len, rates))
    for name, row in rates.items():
        print(f"  {name:{width}} {row['median']:12,.0f}  ({row['low']:,.0f}..{row['high']:,.0f})")
    print(flush=True)
