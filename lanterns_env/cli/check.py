"""``lanterns check``: the conformance kit for anybody's environment."""

import argparse
import json
import sys
from typing import Any

HELP = "look for faults in a PettingZoo environment, yours or anybody's"
FAULTY = 1  # exit status: something was found
OPTIONAL = ("max_steps", "positions_per_game", "actions_per_position")
PACKAGES = ("lanterns_env", "pettingzoo", "gymnasium", "numpy")  # whose versions a report names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="MODULE:ENV", help="what makes the environment: package.module:function")
    parser.add_argument("--option", action="append", metavar="NAME=VALUE", help="an argument of it; may be given again")
    parser.add_argument("--seeds", default="0,1,2", metavar="N,N", help="one game is played for each (default: 0,1,2)")
    parser.add_argument("--max-steps", type=int, metavar="N", help="of a game (400)")
    parser.add_argument("--positions-per-game", type=int, metavar="N", help="examined closely (12)")
    parser.add_argument(
        "--actions-per-position", type=int, metavar="N", help="tried there, half of them illegal (2000)"
    )
    parser.add_argument("--no-chance", action="store_true", help="seeds change nothing in this game")
    parser.add_argument("--no-hidden", action="store_true", help="nothing is hidden from anybody in this game")
    parser.add_argument("--zero-sum", action="store_true", help="the rewards of a whole game must sum to zero")
    parser.add_argument("--json", metavar="FILE", help="keep the report, with the actions that lead to each finding")


def run(args: argparse.Namespace) -> int:
    from lanterns_env.support.files import check_target, write_whole
    from lanterns_env.testing import run_checks
    from lanterns_env.testing.play import Kit
    from lanterns_env.testing.target import factory_of, parsed

    check_target(args.json)
    settings = _settings(args)
    kit = Kit(make_env=factory_of(args.target, parsed(args.option or ())), **settings)
    found = run_checks(kit, _say_check if sys.stderr.isatty() else lambda check: None)
    report = report_of(args.target, settings, found)
    if args.json:
        write_whole(args.json, json.dumps(report, indent=1) + "\n")
    return _show(args, found)


def _settings(args: argparse.Namespace) -> dict[str, Any]:
    numbers = {name: getattr(args, name) for name in OPTIONAL if getattr(args, name) is not None}
    for name, number in numbers.items():
        if number < 1:
            raise ValueError(f"--{name.replace('_', '-')} must be 1 or more, not {number}")
    seeds = _seeds(args.seeds)
    return {
        "seeds": seeds,
        **numbers,
        "chance": not args.no_chance,
        "hidden": not args.no_hidden,
        "zero_sum": args.zero_sum,
    }


def _seeds(words: str) -> list[int]:
    try:
        return [int(word) for word in words.split(",")]
    except ValueError:
        raise ValueError(f"--seeds takes whole numbers with commas between, not {words!r}") from None


def _say_check(check: str) -> None:
    print(f"\r{check:24}", end="\r", file=sys.stderr, flush=True)


def report_of(target: str, settings: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """What ``--json`` writes."""
    from lanterns_env.testing.target import versions

    return {
        "env": target,
        "versions": versions(target, PACKAGES),
        "settings": settings,
        "checks": {name: "left out" if each is None else len(each) for name, each in found.items()},
        "findings": [_as_json(finding) for each in found.values() for finding in each or ()],
    }


def _as_json(finding: Any) -> dict[str, Any]:
    return {
        "check": finding.check,
        "sentence": finding.sentence,
        "seed": finding.seed,
        "steps": finding.steps,
        "actions": [_plain(action) for action in finding.actions],
    }


def _plain(action: Any) -> int | str | None:
    """As JSON has it; None where an agent left, a text for what is no whole number."""
    if action is None:
        return None
    return int(action) if hasattr(action, "__index__") else repr(action)


def _show(args: argparse.Namespace, found: dict[str, Any]) -> int:
    findings = [finding for each in found.values() for finding in each or ()]
    for finding in findings:
        print(finding)
    left_out = [name for name, each in found.items() if each is None]
    if left_out:
        print(f"left out until the above is mended: {', '.join(left_out)}")
    done = len(found) - len(left_out)
    print(f"{args.target}: {done} checks, {len(findings) or 'no'} finding{'s'[: len(findings) != 1]}")
    return FAULTY if findings else 0
