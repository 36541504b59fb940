"""Matches whose results are kept on disk: what is there, complete and of the same settings, is not played again."""

import pathlib
import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import lanterns_env
from lanterns_env.engine.files import check_checksum, check_target, printable, read_json
from lanterns_env.engine.game import Game
from lanterns_env.games import GAMES
from lanterns_env.match import play_match, read
from lanterns_env.match.statistics import save_json


def kept(file: pathlib.Path, wanted: Mapping[str, Any]) -> dict[str, Any] | None:
    """A result that need not be played again; the figures of a match are drawn from its records anew."""
    if not file.exists():
        return None
    try:
        data: dict[str, Any] = read_json(file)
        check_checksum(data, str(file))
        if not all(data.get(key) == value for key, value in wanted.items()):
            return None
        return data | read(file).to_json() if data.get("kind") == "match" else data
    except ValueError as error:
        print(printable(f"played again, for {error}"), file=sys.stderr)
        return None


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


def command(data: Mapping[str, Any]) -> str:
    """What plays the match of a result again."""
    game, players = GAMES[data["game"]], data["players"]
    words = f"lanterns evaluate --game {game.name} --players {players} --agents {shlex.quote(','.join(data['agents']))}"
    words += f" --deals {data['deals']} --seed {data['seed']}"
    usual = game.check_options(players, {})
    words += "".join(f" --option {name}={value}" for name, value in data["options"].items() if value != usual[name])
    return words + (f" --until {data['until']}" if data["until"] is not None else "")


def first_interval(data: Mapping[str, Any]) -> list[float]:
    """Of the first agent's win share: where the match was to stop early the one that holds then."""
    interval: list[float] = data["stop"]["interval"] if data["stop"] else data["results"][0]["interval"]
    return interval


def figure(value: float, interval: Sequence[float], digits: str) -> str:
    """A mean with its interval, as the pages show it."""
    low, high = interval
    return f"{value:{digits}} ({low:{digits}} to {high:{digits}})"


def code(text: str) -> str:
    """A text as code in a cell of a page's table, whatever letters it is made of."""
    spelled = printable(text).replace("`", "\\x60").replace("|", "\\x7c")
    return f"`{spelled}`"
