"""Matches whose results are kept on disk: what is there, complete and of the same settings, is not played again."""

import pathlib
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import lanterns_env
from lanterns_env.engine.game import Game
from lanterns_env.games import find_game
from lanterns_env.match.result import play_match
from lanterns_env.match.saved import read
from lanterns_env.match.statistics import command, first_interval, save_json
from lanterns_env.support.files import check_checksum, check_target, printable, read_json

__all__ = [
    "code",
    "columns",
    "command",
    "figure",
    "first_interval",
    "folded",
    "image",
    "kept",
    "kept_match",
    "settings",
]


def kept(file: pathlib.Path, wanted: Mapping[str, Any]) -> dict[str, Any] | None:
    """A result that need not be played again; the figures of a match are drawn from its records anew."""
    if not file.exists():
        return None
    try:
        data: dict[str, Any] = read_json(file)
        check_checksum(data, str(file))
        then = {**data, "options": with_new_options(data)}
        if not all(then.get(key) == value for key, value in wanted.items()):
            return None
        return data | read(file).to_json() if data.get("kind") == "match" else data
    except ValueError as error:
        print(printable(f"played again, for {error}"), file=sys.stderr)
        return None


def with_new_options(data: Mapping[str, Any]) -> Any:
    """The options of a result: those that have come since it was played had their defaults."""
    options = data.get("options")
    if not isinstance(options, dict):
        return options
    return {name: option.default for name, option in find_game(data.get("game")).options.items()} | options


def settings(game: Game, players: int, deals: int, seed: int) -> dict[str, Any]:
    """What any result must have in common with what would be played now."""
    return {
        "version": lanterns_env.__version__,
        "layout": game.layout,
        "players": players,
        "deals": deals,
        "seed": seed,
        "complete": True,
    }


def kept_match(
    file: pathlib.Path,
    game: Game,
    agents: Sequence[str],
    players: int,
    deals: int,
    seed: int,
    workers: int | None = None,
    until: float | None = None,
    options: Mapping[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """The JSON of a match, played if need be; ``more`` goes into it, and must be the same too.

    KeyboardInterrupt, and nothing written, if it was interrupted.
    """
    chosen = game.check_options(players, options or {})
    asked = {"agents": list(agents), "until": until, "options": chosen, **more}
    data = kept(file, {"kind": "match", **settings(game, players, deals, seed), **asked})
    if data is not None:
        return data
    check_target(file)
    print(f"{game.title}, {players} players: {','.join(agents)}", file=sys.stderr)
    result = play_match(game, agents, players, deals, seed, workers, until, **chosen)
    if not result.complete:
        raise KeyboardInterrupt
    save_json({**result.to_json(), **more}, file)
    return {**more, **read(file).to_json()}


def figure(value: float, interval: Sequence[float], digits: str) -> str:
    """A mean with its interval, as the pages show it."""
    low, high = interval
    return f"{value:{digits}} ({low:{digits}} to {high:{digits}})"


def code(text: str) -> str:
    """A text as code in a cell of a page's table, whatever letters it is made of."""
    spelled = printable(text).replace("`", "\\x60").replace("|", "\\x7c")
    return f"`{spelled}`"


def columns(names: Sequence[str]) -> list[str]:
    """The head of a table: names, and numbers to the right below all but the first."""
    return [f"| {' | '.join(names)} |", "|---" + "|--:" * (len(names) - 1) + "|"]


def folded(title: str, commands: Sequence[str]) -> list[str]:
    """Commands that a reader unfolds."""
    return ["", f'<details markdown="1"><summary>{title}</summary>', "", "```sh", *commands, "```", "", "</details>"]


def image(name: str, words: str) -> list[str]:
    """A picture of which a light page shows one version and a dark page the other."""
    return [f"![{words}]({name}.svg#only-light)", f"![{words}]({name}-dark.svg#only-dark)", ""]
