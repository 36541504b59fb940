"""``lanterns play``: a game at the terminal."""

import argparse
import os
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

from lanterns_env.cli.arguments import add_options, game_name, options_of
from lanterns_env.games import GAMES

if TYPE_CHECKING:
    from lanterns_env.replay import Replay

HELP = "play a game at the terminal, against agents or at one keyboard"
ME, OPPONENT = "me", "greedy"
SEED_BITS = 32  # of a seed by chance: short enough to be read out


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", type=game_name, help=f"one of: {', '.join(GAMES)}")
    parser.add_argument("--players", type=int, help="by default as many as there are seats, or the game's own default")
    parser.add_argument("--seats", help="who plays, seat by seat: me,greedy,random; by default me and greedy agents")
    parser.add_argument("--seed", type=int, help="of the deal: the same game every time; by default one by chance")
    parser.add_argument("--save", metavar="FILE", help="save the game here, also when it is left before its end")
    parser.add_argument("--resume", metavar="FILE", help="go on with a saved game")
    parser.add_argument("--compact", action="store_true", help="small drawings, also where larger ones find room")
    parser.add_argument("--trust", action="store_true", help="with --resume: also load agents of other packages")
    add_options(parser)


def run(args: argparse.Namespace) -> int:
    from lanterns_env.cli import terminal
    from lanterns_env.cli.screen.game_session import GameSession
    from lanterns_env.cli.screen.repl import Repl
    from lanterns_env.support.files import printable

    start, path = resumed(args) if args.resume else (dealt(args), new_file(args.save))
    screen = terminal.Screen(color=terminal.colored(), compact=args.compact)
    repl = Repl(GameSession(start), input, print, path, screen, terminal.clear)
    if terminal.interactive():
        terminal.complete_with(repl.completions)
    seats = printable(", ".join(start.agents))
    print(screen.wrapped(f"{GAMES[start.game].title}, seed {start.seed}, seats: {seats}"))
    print(screen.wrapped("'rules' explains the game, 'help' says what can be typed"))
    repl.run()
    return 0


def dealt(args: argparse.Namespace) -> "Replay":
    """A new game."""
    from lanterns_env.engine.batch import check_seed
    from lanterns_env.replay import Replay

    if args.game is None:
        raise ValueError(f"say which game: {', '.join(GAMES)}")
    game = GAMES[args.game]
    named = args.seats.split(",") if args.seats else None
    players = args.players if args.players is not None else len(named) if named else game.default_players
    seats = seats_of(args.seats, game.check_players(players))
    options = options_of(game, args.option, players)
    seed = secrets.randbits(SEED_BITS) if args.seed is None else check_seed(args.seed)
    return Replay(game.name, players, seed, (), options, seats)


def seats_of(names: str | None, players: int) -> tuple[str, ...]:
    """Who sits where."""
    if not names:
        return (ME, *[OPPONENT] * (players - 1))
    seats = tuple(name.strip() for name in names.split(","))
    if len(seats) != players:
        raise ValueError(f"--seats names {len(seats)} seats, the game has {players} players")
    return seats


def resumed(args: argparse.Namespace) -> "tuple[Replay, str | None]":
    """A saved game and the file in which it is kept from now on."""
    from lanterns_env.agent import check_trusted
    from lanterns_env.replay import read
    from lanterns_env.support.files import check_target

    replays = read(args.resume)
    if len(replays) != 1:
        raise ValueError(f"{args.resume} holds {len(replays)} games; a saved game is a file of one")
    saved = replays[0]
    if saved.points is not None:
        raise ValueError(f"the game in {args.resume} is over; to see it: lanterns replay {args.resume}")
    check_fits(args, saved)
    if args.seats or not saved.agents:
        saved = replace(saved, agents=seats_of(args.seats, saved.players))
    elif not args.trust:
        check_trusted(name for name in saved.agents if name != ME)
    path = new_file(args.save) if args.save and args.save != args.resume else args.resume
    check_target(path)
    return saved, path


def check_fits(args: argparse.Namespace, saved: "Replay") -> None:
    """What the saved game says cannot be said otherwise."""
    if args.option:
        raise ValueError("--option is for a new game; the saved game has its own options")
    for name in ("game", "players", "seed"):
        given, kept = getattr(args, name), getattr(saved, name)
        if given is not None and given != kept:
            raise ValueError(f"the saved game has {name} {kept}, not {given}")


def new_file(path: str | None) -> str | None:
    """A file to save in; one that exists is nobody's to write over."""
    from lanterns_env.support.files import check_target

    if path and os.path.exists(path):
        raise ValueError(f"{path} exists; choose another name, or go on with it: --resume {path}")
    check_target(path)
    return path
