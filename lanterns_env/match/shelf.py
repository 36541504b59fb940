"""A folder in which a match keeps what has been played while it goes on: the same match goes on from there."""

import json
import os
import pathlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import numpy as np

from lanterns_env.agent import Given
from lanterns_env.match.chairs import Limits
from lanterns_env.match.playing import BY_CHANCE, Chunk, Forfeit, Match, Task
from lanterns_env.match.statistics import Records
from lanterns_env.support.files import LOCK, Path, check_checksum, locked, read_json, sealed, write_whole

SETTINGS = "settings.json"


class Shelf:
    """Every task that was played as a file of its own."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder

    def find(self, task: Task) -> Chunk | None:
        """What was played before; None where nothing was, or where it is damaged, or its moves were not recorded."""
        file = self._file(task)
        if not file.exists():
            return None
        try:
            data = read_json(file)
            check_checksum(data, os.fspath(file))
            chunk = _chunk(data, task)
        except (ValueError, KeyError, TypeError):
            return None
        return chunk if chunk.moves or not task.recorded else None

    def keep(self, task: Task, chunk: Chunk) -> None:
        data = {
            "records": chunk.records.to_json(),
            "seconds": chunk.seconds.tolist(),
            "forfeits": [forfeit.to_json() for forfeit in chunk.forfeits],
            "moves": [[game.tolist() for game in rotation] for rotation in chunk.moves],
        }
        write_whole(self._file(task), json.dumps(sealed(data)))

    def _file(self, task: Task) -> pathlib.Path:
        return self._folder / f"table-{task.match.stream}-chunk-{task.number}-rotation-{task.turn}.json"


def _chunk(data: dict[str, Any], task: Task) -> Chunk:
    """What ``keep`` wrote."""
    first, last = task.match.bounds(task.number)
    records = Records.from_json(data["records"], 1, task.match.num_players)
    if len(records) != last - first:
        raise ValueError("it has not as many deals as the chunk")
    moves = [[np.array(game, np.int32) for game in rotation] for rotation in data["moves"]]
    forfeits = [Forfeit(**each) for each in data["forfeits"]]
    return Chunk(records, np.array(data["seconds"], np.float64), forfeits, moves)


def check_goes_on(folder: Path | None, secret: str | None, agents: Sequence[Given] = ()) -> None:
    """Refuse a folder for a match that would be another one when it is begun again."""
    if folder is None:
        return
    if secret == BY_CHANCE:
        raise ValueError("with a directory give a secret of your own: another by chance would be another match")
    if not all(isinstance(agent, str | type) for agent in agents):
        raise ValueError("an agent given as an object may have learnt since: name it, or leave out directory")


@contextmanager
def open_shelf(folder: Path | None, tables: Sequence[Match], limits: Limits | None) -> Iterator[Shelf | None]:
    """The shelf of a match, made if there is none; ValueError if it is another's.  None is no folder."""
    if folder is None:
        yield None
        return
    path = pathlib.Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    with locked(path):
        _claim(path, json.loads(json.dumps(sealed({"tables": [_settings(table, limits) for table in tables]}))))
        yield Shelf(path)


def _settings(table: Match, limits: Limits | None) -> dict[str, Any]:
    kept = {"lineup": table.lineup, "until": table.until, "limits": asdict(limits) if limits else None}
    return {**table.to_json(), **kept}


def _claim(folder: pathlib.Path, settings: dict[str, Any]) -> None:
    file = folder / SETTINGS
    if not file.exists():
        if {each.name for each in folder.iterdir()} - {LOCK}:
            raise ValueError(f"{folder} is neither empty nor of a match: name another folder")
        write_whole(file, json.dumps(settings))
        return
    kept = read_json(file)
    check_checksum(kept, os.fspath(file))
    if not kept.get("tables"):
        raise ValueError(f"{folder} is neither empty nor of a match: name another folder")
    if kept != settings:
        one, other = kept["tables"][0], settings["tables"][0]
        names = ", ".join(name for name in other if one.get(name) != other[name]) or "tables"
        raise ValueError(f"{folder} has another match: its {names} are not the same; name another folder")
