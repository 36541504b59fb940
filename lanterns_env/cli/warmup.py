"""``lanterns warmup``: compile ahead of time."""

import argparse
import time
from collections.abc import Callable

from lanterns_env.cli.arguments import game_name
from lanterns_env.games import GAMES

HELP = "compile the games ahead of time, for containers and before workers are started"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", type=game_name, metavar="GAME", help=f"by default all: {', '.join(GAMES)}")
    parser.add_argument("--workers", type=int, help="processes, a game each at a time; by default one for each core")


def run(args: argparse.Namespace) -> int:
    """The game that takes longest first, for then the processes end together."""
    from lanterns_env.cli.tables import duration
    from lanterns_env.match.workers import check_workers, in_order

    games = sorted(args.games or GAMES, key=lambda name: -sum(GAMES[name].compile_seconds.values()))
    workers = min(check_workers(args.workers), len(games))
    print("what is compiled already takes no time, the rest some minutes on slow machines", flush=True)
    begin = time.perf_counter()
    for name, seconds in zip(games, in_order(compile_game, games, workers), strict=True):
        for step, taken in seconds.items():
            print(f"{name}, {step:20}  {taken:6.1f} s", flush=True)
    print(f"all is compiled, in {duration(time.perf_counter() - begin)}")
    return 0


def compile_game(name: str, count: Callable[[int], None]) -> dict[str, float]:
    """The seconds that each step of a game takes."""
    from lanterns_env.engine.warmup import steps

    seconds = {}
    for step, do in steps(name).items():
        before = time.perf_counter()
        do()
        seconds[step] = time.perf_counter() - before
        count(1)
    return seconds
