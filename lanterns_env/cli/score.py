"""``lanterns score``: the standard benchmark."""

import argparse

from lanterns_env.cli.keeping import keep_and_show, status_of, watched
from lanterns_env.match.workers import check_workers
from lanterns_env.score.again import check_sample, first_difference, reproduce, why_not_at_hand
from lanterns_env.score.playing import play_score
from lanterns_env.score.report import report_of_score
from lanterns_env.score.result import ScoreResult, Subject
from lanterns_env.score.saved import read_score
from lanterns_env.support.files import check_target

HELP = "rate an agent by a fixed panel, over fixed deals of every game"
OF_A_NEW_SCORE = ("full", "game", "directory", "method", "decisions", "training_seed")
DIFFERENT = 1  # exit status


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("agent", nargs="?", metavar="AGENT", help="any agent by name, as for lanterns evaluate")
    parser.add_argument("--game", help="this one only (default: all three)")
    parser.add_argument("--full", action="store_true", default=None, help="eight times as many deals, to be published")
    parser.add_argument("--workers", type=int, metavar="N", help="(default: one a core); the numbers are the same")
    parser.add_argument("--json", metavar="FILE", help="keep the result: what is sent in to the leaderboard")
    parser.add_argument(
        "--directory", metavar="DIR", help="keep what has been played there: the same command goes on from it"
    )
    parser.add_argument("--isolate", action="store_true", help="a process for every agent and seat")
    parser.add_argument("--method", metavar="WORDS", help="how the agent was made: kept in the result")
    parser.add_argument("--decisions", type=int, metavar="N", help="it was trained for: kept in the result")
    parser.add_argument("--training-seed", type=int, metavar="N", help="it was trained with: kept in the result")
    parser.add_argument("--reproduce", metavar="FILE", help="play the score of this JSON once more and compare")
    parser.add_argument(
        "--check", metavar="FILE", help="whether a score is sound, and a sample of its games, played again, the same"
    )
    parser.add_argument("--trust", action="store_true", help="load agents of other packages that only a file names")


def run(args: argparse.Namespace) -> int:
    check_target(args.json)
    if args.reproduce and args.check:
        raise ValueError("--reproduce and --check are two commands: give one of them")
    if args.reproduce or args.check:
        _refuse_settings(args, "--reproduce" if args.reproduce else "--check")
        return _check(args) if args.check else _reproduce(args)
    if not args.agent:
        raise ValueError("name the agent that is to be rated: lanterns score champion")
    return _new(args)


def _refuse_settings(args: argparse.Namespace, command: str) -> None:
    given = [f"--{name.replace('_', '-')}" for name in OF_A_NEW_SCORE if getattr(args, name) is not None]
    if given:
        raise ValueError(f"{command} takes its settings from the file: leave out {', '.join(given)}")


def _new(args: argparse.Namespace) -> int:
    about = Subject(args.agent, method=args.method or "", decisions=args.decisions, training_seed=args.training_seed)
    with watched() as update:
        result = play_score(
            args.agent,
            "full" if args.full else "default",
            args.game,
            args.workers,
            update,
            args.directory,
            args.isolate,
            about,
        )
    _report(result, args.json)
    return status_of(result.why_incomplete)


def _reproduce(args: argparse.Namespace) -> int:
    if args.agent:
        raise ValueError("--reproduce plays the agent that the file names: leave out AGENT, or use --check")
    saved = read_score(args.reproduce)
    with watched() as update:
        result = reproduce(saved, args.workers, update, args.trust, args.isolate)
    _report(result, args.json)
    if not result.complete:
        print("not played to the end: nothing compared")
        return status_of(result.why_incomplete)
    difference = first_difference(saved, result)
    print(f"not the same: {difference}" if difference else f"same results as in {args.reproduce}")
    return DIFFERENT if difference else 0


def _check(args: argparse.Namespace) -> int:
    if args.json:
        raise ValueError("--check writes no result: leave out --json")
    check_workers(args.workers)
    saved = read_score(args.check)
    print(report_of_score(saved))
    print(
        f"{args.check} is sound: its figures are those of its records, and {saved.panel.words} is that of this package"
    )
    absent = why_not_at_hand(saved, args.agent or "", args.trust)
    if absent:
        print(f"no game was played again: {absent}")
        return 0
    games, difference = check_sample(
        saved, args.agent or "", workers=args.workers, trust=args.trust, isolate=args.isolate
    )
    print(f"not the same: {difference}" if difference else f"{games} games were played again and went the same way")
    return DIFFERENT if difference else 0


def _report(result: ScoreResult, file: str | None) -> None:
    keep_and_show(lambda: report_of_score(result), lambda: result.save(file) if file else None)
