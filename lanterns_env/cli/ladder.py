"""``lanterns ladder``: all agents of a game against each other, rated."""

import argparse
import pathlib

from lanterns_env.cli.evaluate import add_game_arguments, forfeits_in_words, game_settings
from lanterns_env.cli.tables import progress_bar, show_table
from lanterns_env.engine.extras import check_installed
from lanterns_env.engine.files import check_target, printable
from lanterns_env.match.ladder import LadderResult, play_ladder
from lanterns_env.match.rating_plot import rating_picture, write_picture

HELP = "let all agents of a game meet, and rate them"
COLUMNS = ("agent", "rating", "95 % interval", "win share", "95 % interval", "points", "place", "seats")
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
    for target in (args.json, args.plot):
        check_target(target)
    settings = game_settings(args)
    agents = args.agents.split(",") if args.agents else None
    with progress_bar() as update:
        result = play_ladder(agents=agents, progress=lambda done, of: update(done, of, "chunks of a table"), **settings)
    _report(result)
    if args.json:
        result.save(args.json)
    if args.plot:
        write_picture(rating_picture(result.rows), args.plot)
    return 0


def _report(result: LadderResult) -> None:
    match = result.match
    title = f"{match.game.title}, {match.num_players} players, {result.games} games ({result.deals} deals a table)"
    show_table(title, COLUMNS, table_rows(result))
    for agent, reason in result.skipped.items():
        print(printable(f"{agent} was skipped: {reason}"))
    for row in result.rows:
        if row.separated:
            words = f"{row.agent} was always ahead of the others, or always behind: how far, its rating cannot say"
            print(printable(words))
    if not result.complete:
        print(f"{result.deals} of {match.deals} deals were played at every table: {result.why_incomplete}")
    for line in forfeits_in_words([forfeit for _, forfeit in result.forfeits]):
        print(line)
    if match.secret is not None:
        print(f"secret: {match.secret}")


def table_rows(result: LadderResult) -> list[list[str]]:
    """The cells of a ladder's table."""
    return [
        [
            printable(row.agent),
            f"{row.rating:.0f}",
            "{:.0f} to {:.0f}".format(*row.interval),
            f"{row.win_share:.3f}",
            "{:.3f} to {:.3f}".format(*row.win_share_interval),
            f"{row.mean_points:.1f}",
            f"{row.mean_place:.2f}",
            str(row.seats),
        ]
        for row in result.rows
    ]
