"""``lanterns warmup``: compile ahead of time."""

import argparse
import time

from lanterns_env.cli.arguments import game_name
from lanterns_env.games import GAMES

HELP = "compile the games ahead of time, for containers and before workers are started"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", type=game_name, metavar="GAME", help=f"by default all: {', '.join(GAMES)}")


def run(args: argparse.Namespace) -> int:
    from lanterns_env.engine.warmup import warm_up

    for name in args.games or GAMES:
        print(f"{name:<12}", end="", flush=True)
        begin = time.perf_counter()
        warm_up(name)
        print(f"{time.perf_counter() - begin:6.1f} s", flush=True)
    return 0
