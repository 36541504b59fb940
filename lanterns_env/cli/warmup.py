"""``lanterns warmup``: compile ahead of time."""

import argparse
import time

from lanterns_env.cli.arguments import game_name
from lanterns_env.games import GAMES

HELP = "compile the games ahead of time, for containers and before workers are started"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", type=game_name, metavar="GAME", help=f"by default all: {', '.join(GAMES)}")


def run(args: argparse.Namespace) -> int:
    from lanterns_env.cli.tables import duration
    from lanterns_env.engine import announcing
    from lanterns_env.engine.warmup import steps

    games = args.games or GAMES
    work = [(f"{name}, {step}", do) for name in games for step, do in steps(name).items()]
    print(
        f"{len(work)} steps; what is compiled already takes no time, the rest some minutes on slow machines", flush=True
    )
    width, begin = max(len(words) for words, _ in work), time.perf_counter()
    for number, (words, do) in enumerate(work, 1):
        print(f"{number:2}/{len(work)}  {words:{width}}", end="", flush=True)
        before = time.perf_counter()
        with announcing.silence():
            do()
        print(f"  {time.perf_counter() - before:6.1f} s", flush=True)
    print(f"all is compiled, in {duration(time.perf_counter() - begin)}")
    return 0
