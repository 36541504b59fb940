"""``lanterns rules``: how a game is played, on one screen."""

import argparse

from lanterns_env.cli import terminal
from lanterns_env.cli.arguments import game_name
from lanterns_env.games import GAMES

HELP = "how a game is played, on one screen"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", type=game_name, help=f"one of: {', '.join(GAMES)}")


def run(args: argparse.Namespace) -> int:
    if args.game is None:
        raise ValueError(f"say which game: {', '.join(GAMES)}")
    print(terminal.Screen().wrapped(GAMES[args.game].rules.rstrip()))
    return 0
