"""Says on stderr that something is compiled: what, and about how long it takes, each thing once in a process."""

import sys
from collections.abc import Callable

from lanterns_env.engine import compile as compiler

ENGINE, SEARCH, OTHER = "the engine", "search", "functions"
FOLDERS = {  # of modules whose functions are compiled together
    "lanterns_env.engine": ENGINE,
    "lanterns_env.games": ENGINE,
    "lanterns_env.search": SEARCH,
}
SECONDS = {ENGINE: (10, 30), SEARCH: (10, 30)}  # that it takes, on a fast core and on a slow one
USUAL_SECONDS = (5, 30)

_said: set[str] = set()


def say(words: str) -> None:
    print(f"lanterns_env: {words}", file=sys.stderr, flush=True)


_speaker: Callable[[str], None] = say


def heard_by(speaker: Callable[[str], None]) -> None:
    """From now on announcements go there."""
    global _speaker
    _speaker = speaker


def announce(module: str, name: str) -> None:
    """Something of this module begins to be compiled."""
    part = part_of(module, name)
    if part not in _said:
        _said.add(part)
        least, most = SECONDS.get(part.partition(" of ")[0], USUAL_SECONDS)
        _speaker(f"compiling {part} ({least} to {most} seconds, once per machine) ...")


def part_of(module: str, name: str) -> str:
    """What a function belongs to, in words."""
    return f"{module} {name}"


compiler.listeners.append(announce)
