"""The files that agents are made of: a result keeps their digests, and knows when one is another now."""

import hashlib
import os
import pathlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lanterns_env.agent import AGENTS, POLICY, ZIP

DIGITS = 16  # of a digest


def digests(agents: Iterable[str]) -> dict[str, str]:
    """Of every file that the names of agents speak of: models, networks, weights, modules of the current folder."""
    return {file: digest(file) for name in agents for file in files_in(name)}


def files_in(name: str) -> Iterator[str]:
    """The parts of a name that are files, or stand for one."""
    parts = re.split("[:+]", name)
    for part in parts[1:] if parts[0] in AGENTS else dict.fromkeys([name, *parts]):
        meant = (part, os.path.join(part, POLICY), part + ZIP, part.replace(".", os.sep) + ".py")
        yield from [file for file in meant if part and os.path.isfile(file)][:1]


def digest(file: str) -> str:
    return hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest()[:DIGITS]


def check_digests(data: Any) -> dict[str, str]:
    """What a file says of digests, if it can be."""
    if not isinstance(data, dict) or any(type(value) is not str for value in data.values()):
        raise ValueError(f"files must be names with their digests, not {data!r:.60}")
    return data


def check_same(kept: Mapping[str, str]) -> None:
    """Refuse to play a result again with files that have changed; one that is gone is missed when it is loaded."""
    changed = [file for file, known in kept.items() if os.path.isfile(file) and digest(file) != known]
    if changed:
        raise ValueError(f"the match cannot be played again: {', '.join(changed)} has changed since it was played")
