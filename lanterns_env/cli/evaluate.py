"""``lanterns evaluate``: a match between agents."""

import argparse
from collections.abc import Sequence
from typing import Any

from lanterns_env.cli.keeping import keep_and_show, status_of, watched
from lanterns_env.engine.game import Game
from lanterns_env.games import find_game
from lanterns_env.match.chairs import MOVE_SECONDS, limits_of
from lanterns_env.match.playing import BY_CHANCE
from lanterns_env.match.report import report_of_match
from lanterns_env.match.result import MatchResult, first_difference, play_match, reproduce
from lanterns_env.match.saved import read
from lanterns_env.support.files import check_target

HELP = "let agents play each other: paired deals, rotated seats, intervals"
DEFAULTS = {"game": "lanterns", "agents": "greedy,random", "deals": 500, "seed": 0}
OF_A_NEW_MATCH = ("game", "players", "agents", "deals", "seed", "until", "option", "secret", "chunk", "directory")
DIFFERENT = 1  # exit status


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_game_arguments(parser)
    parser.add_argument("--agents", help=f"names with commas between (default: {DEFAULTS['agents']}); one plays itself")
    parser.add_argument(
        "--until",
        nargs="?",
        const="fair",
        metavar="SHARE",
        help="stop once the first agent's win share is known to be above or below this (default: the fair share)",
    )
    parser.add_argument("--reproduce", metavar="FILE", help="play the match of this JSON once more and compare")
    parser.add_argument("--trust", action="store_true", help="with --reproduce: also load agents of other packages")


def add_game_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of all commands that play matches."""
    parser.add_argument("--game", help=f"(default: {DEFAULTS['game']})")
    parser.add_argument("--players", type=int, metavar="N", help="at the table (default: the game's)")
    parser.add_argument("--deals", type=int, metavar="N", help=f"each played from every seat ({DEFAULTS['deals']})")
    parser.add_argument("--seed", type=int, metavar="N", help=f"of the deals and the agents ({DEFAULTS['seed']})")
    parser.add_argument("--option", action="append", metavar="NAME=VALUE", help="a rule variant; may be given again")
    parser.add_argument("--workers", type=int, metavar="N", help="(default: one a core); the numbers are the same")
    parser.add_argument("--json", metavar="FILE", help="keep the result, with every game's figures")
    parser.add_argument("--record", metavar="FILE", help="keep all games move by move: lanterns replay FILE shows them")
    parser.add_argument(
        "--directory", metavar="DIR", help="keep what has been played there: the same command goes on from it"
    )
    parser.add_argument(
        "--chunk",
        type=int,
        metavar="N",
        help="deals played side by side and kept together (default: 1 at first, then more and more)",
    )
    parser.add_argument(
        "--secret",
        nargs="?",
        const=BY_CHANCE,
        metavar="KEY",
        help="deals follow from this key too, by default one by chance: no agent can work them out from the seed",
    )
    parser.add_argument(
        "--isolate", action="store_true", help="a process for every agent and seat: a crash loses a game, not the match"
    )
    parser.add_argument(
        "--move-seconds",
        type=float,
        metavar="S",
        help=f"isolate, and lose the game after so long over a decision ({MOVE_SECONDS:g})",
    )


def run(args: argparse.Namespace) -> int:
    for target in (args.json, args.record):
        check_target(target)
    return _reproduce(args) if args.reproduce else _new(args)


def _new(args: argparse.Namespace) -> int:
    settings = game_settings(args)
    agents = (args.agents or str(DEFAULTS["agents"])).split(",")
    with watched() as update:
        result = play_match(agents=agents, until=_threshold(args.until), progress=update, **settings)
    _report(result, args.json)
    return status_of(result.why_incomplete)


def _reproduce(args: argparse.Namespace) -> int:
    given = [f"--{name}" for name in OF_A_NEW_MATCH if getattr(args, name) is not None]
    if given:
        raise ValueError(f"--reproduce takes its settings from the file: leave out {', '.join(given)}")
    saved = read(args.reproduce)
    with watched() as update:
        limits = limits_of(args.isolate, args.move_seconds)
        result = reproduce(saved, args.workers, update, args.trust, limits, args.record)
    _report(result, args.json)
    if not result.complete:
        print("not played to the end: nothing compared")
        return status_of(result.why_incomplete)
    difference = first_difference(saved, result)
    print(f"not the same: {difference}" if difference else f"same results as in {args.reproduce}")
    return DIFFERENT if difference else 0


def _report(result: MatchResult, file: str | None) -> None:
    keep_and_show(lambda: report_of_match(result), lambda: result.save(file) if file else None)


def game_settings(args: argparse.Namespace) -> dict[str, Any]:
    """The arguments of ``add_game_arguments`` as those of ``play_match``."""
    game = find_game(_or_default(args, "game"))
    return {
        "game": game,
        "num_players": args.players,
        "deals": _or_default(args, "deals"),
        "seed": _or_default(args, "seed"),
        "workers": args.workers,
        "record": args.record,
        "chunk": args.chunk,
        "directory": args.directory,
        "secret": args.secret,
        "isolate": args.isolate,
        "move_seconds": args.move_seconds,
        **parse_options(game, args.option or ()),
    }


def _or_default(args: argparse.Namespace, name: str) -> Any:
    given = getattr(args, name)
    return DEFAULTS[name] if given is None else given


def parse_options(game: Game, pairs: Sequence[str]) -> dict[str, Any]:
    """ "name=value" as the game's own values; what is not among them stays text, for the game to refuse."""
    options: dict[str, Any] = {}
    for pair in pairs:
        name, sign, text = pair.partition("=")
        if not sign:
            raise ValueError(f"--option is given as name=value, not {pair!r}")
        known = game.options[name].values if name in game.options else ()
        options[name] = next((value for value in known if str(value).lower() == text.lower()), text)
    return options


def _threshold(text: str | None) -> float | str | None:
    if text is None or text == "fair":
        return text
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"--until takes a win share between 0 and 1, not {text!r}") from None
