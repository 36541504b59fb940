"""``lanterns ladder``: all agents of a game against each other, rated."""

import argparse
import pathlib

from lanterns_env.cli.evaluate import add_game_arguments, game_settings
from lanterns_env.cli.keeping import keep_and_show, status_of, watched
from lanterns_env.match.ladder import LadderResult, play_ladder
from lanterns_env.match.rating_plot import rating_picture, write_picture
from lanterns_env.match.report import report_of_ladder
from lanterns_env.support.extras import check_installed
from lanterns_env.support.files import check_target

HELP = "let all agents of a game meet, and rate them"
PICTURES = (".svg", ".png")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game_arguments(parser)
    parser.add_argument("--agents", help="names with commas between (default: all that play the game)")
    parser.add_argument("--plot", metavar="FILE", help="draw the ratings, as .svg or .png")


def run(args: argparse.Namespace) -> int:
    if args.plot and pathlib.Path(args.plot).suffix not in PICTURES:
        raise ValueError(f"--plot draws {' or '.join(PICTURES)}, not {args.plot!r}")
    if args.plot and args.plot.endswith(".png"):
        check_installed("--plot as .png (.svg does not)", "PIL")
    for target in (args.json, args.plot, args.record):
        check_target(target)
    settings = game_settings(args)
    agents = args.agents.split(",") if args.agents else None
    with watched() as update:
        result = play_ladder(agents=agents, progress=update, **settings)
    keep_and_show(lambda: report_of_ladder(result), lambda: _save(result, args))
    return status_of(result.why_incomplete)


def _save(result: LadderResult, args: argparse.Namespace) -> None:
    if args.json:
        result.save(args.json)
    if args.plot:
        write_picture(rating_picture(result.rows), args.plot)
