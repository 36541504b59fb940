"""``lanterns replay``: look at recorded games."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lanterns_env.replay import Replay

HELP = "look at recorded games, move by move, through any player's eyes"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a file of replays")
    parser.add_argument("--game-number", type=int, metavar="N", help="which game of the file, from 1")
    parser.add_argument("--film", metavar="OUT", help="write the game as a film instead: a .gif, or an .apng")
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S", help="how long a picture of a film stays")
    parser.add_argument("--width", type=int, default=800, metavar="PIXELS", help="how wide a film is")
    parser.add_argument("--seat", default="all", metavar="S", help="whose eyes: 0, 1, ..., or all (the default)")
    parser.add_argument("--at", type=int, metavar="K", help="begin after K moves; where nobody types, draw this alone")
    parser.add_argument("--compact", action="store_true", help="small drawings, also where larger ones find room")
    parser.add_argument("--moves", action="store_true", help="list all moves and the result")


def run(args: argparse.Namespace) -> int:
    from lanterns_env.cli import terminal
    from lanterns_env.cli.screen.viewer import Viewer, heading, seat_number
    from lanterns_env.replay import read

    replays = read(args.file, check=False)
    if args.game_number is None and len(replays) != 1:
        return list_games(args.file, replays)
    replay = chosen(replays, args.game_number or 1, args.file)
    if args.film is not None:
        return write_film(replay, args)
    replay.check()
    screen = terminal.Screen(color=terminal.colored(), compact=args.compact)
    viewer = Viewer(replay, print, seat_number(args.seat, replay), args.at or 0, screen)
    print(screen.wrapped(heading(replay)))
    if not args.moves and terminal.interactive():
        viewer.browse(input)
    elif not args.moves and args.at is not None:
        viewer.show()
    else:
        viewer.list_moves()
        viewer.list_result()
    return 0


def chosen(replays: "list[Replay]", number: int, file: str) -> "Replay":
    if not 1 <= number <= len(replays):
        raise ValueError(f"there is no game {number} in {file}; it holds {len(replays)}, numbered from 1")
    return replays[number - 1]


def write_film(replay: "Replay", args: argparse.Namespace) -> int:
    from lanterns_env.cli.screen.viewer import seat_number
    from lanterns_env.cli.tables import count_line
    from lanterns_env.film import film

    replay.check()
    seat = seat_number(args.seat, replay)
    eyes = "all" if seat is None else seat
    with count_line("pictures") as update:
        pictures = film(replay, args.film, eyes, args.seconds, args.width, update)
    print(f"wrote {args.film}: {pictures} pictures")
    return 0


def list_games(file: str, replays: "list[Replay]") -> int:
    """What a file holds."""
    from lanterns_env.cli.screen.viewer import heading
    from lanterns_env.cli.terminal import Screen

    if not replays:
        raise ValueError(f"{file} holds no game yet")
    for number, replay in enumerate(replays, 1):
        points = ", ".join(f"{value:g}" for value in replay.points or ())
        print(Screen().wrapped(f"{number:4}  {heading(replay)}{f'; points {points}' if points else ', not over'}"))
    print(f"to see one: lanterns replay {file} --game-number 1")
    return 0
