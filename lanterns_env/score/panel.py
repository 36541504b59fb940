"""The panel: agents that everybody is measured by, and how strong they are at every table, measured once.

Strengths come from the matches of the members with each other (``scripts/panel.py``) and are constants from then on.
Results of one panel can be compared, those of different ones cannot: so a panel is named by what its members are.
"""

import pathlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from lanterns_env.score.members import name_of_panel, sources
from lanterns_env.score.protocol import Protocol, Where
from lanterns_env.support.files import check_checksum, check_fields, read_json

FILE = pathlib.Path(__file__).with_name("panel.json")
PREVIEW = 0  # the version of a panel that will be replaced before results are kept for long
NEEDED = {"name": str, "version": int, "alike": list, "files": dict, "strengths": dict}


@dataclass(frozen=True)
class Panel:
    """A panel whose strengths were measured.

    Attributes:
        name: Follows from its members as they were measured.
        version: 0 for a preview.
        alike: Names that its members would have now, after edits of which it was checked that they change no move.
        files: That its members are made of now, and their digests.
        strengths: Of the members at each table, as logarithms; that of the anchor is 0.
    """

    name: str
    version: int
    alike: tuple[str, ...]
    files: Mapping[str, str]
    strengths: Mapping[Where, Mapping[str, float]]

    @property
    def words(self) -> str:
        """As results and pages name it."""
        return f"panel {self.name}, version {self.version}{' (preview)' if self.version == PREVIEW else ''}"

    def check_members(self) -> None:
        """Refuse members that are not those that were measured."""
        files = sources()
        if name_of_panel(Protocol(), files) in (self.name, *self.alike):
            return
        known = dict(self.files)
        changed = sorted(name for name in known.keys() | files.keys() if known.get(name) != files.get(name))
        what = ", ".join(changed) or "a game's version or layout, or the protocol"
        raise ValueError(
            f"the members of the panel are not those of {self.words}, and their strengths are not known: {what} "
            "has changed since they were measured; make panel measures them"
        )


@cache
def installed() -> Panel:
    """The panel of this package."""
    return read_panel(FILE)


def read_panel(file: pathlib.Path) -> Panel:
    data = read_json(file)
    check_checksum(data, str(file))
    check_fields(data, NEEDED, str(file))
    return Panel(
        name=data["name"],
        version=data["version"],
        alike=tuple(data["alike"]),
        files=data["files"],
        strengths={where_of(key): strengths for key, strengths in data["strengths"].items()},
    )


def key_of(where: Where) -> str:
    """A table as the key of a JSON object."""
    return f"{where[0]}-{where[1]}"


def where_of(key: str) -> Where:
    game, _, players = key.rpartition("-")
    return game, int(players)


def panel_json(panel: Panel, **more: Any) -> dict[str, Any]:
    """What ``read_panel`` reads, and how it came about."""
    return {
        "kind": "panel",
        "name": panel.name,
        "version": panel.version,
        "alike": list(panel.alike),
        **more,
        "strengths": {key_of(where): dict(each) for where, each in panel.strengths.items()},
        "files": dict(panel.files),
    }
