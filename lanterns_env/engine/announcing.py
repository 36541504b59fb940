"""Says on stderr that something is compiled: what, and about how long it takes, each thing once in a process."""

import sys
from collections.abc import Callable

from lanterns_env.engine import compile as compiler
from lanterns_env.games import GAMES

ENGINE, PLAIN_SEARCH, SEARCH = "the engine", "plain search", "search with heuristics"
SOLVING = "what solves variants"
USUAL = 30  # seconds on a slow core, of whatever a game says nothing of
FASTER = 3  # so many times is a fast core

_said: set[str] = set()


def say(words: str) -> None:
    print(f"lanterns_env: {words}", file=sys.stderr, flush=True)


_speaker: Callable[[str], None] = say


def heard_by(speaker: Callable[[str], None]) -> None:
    """From now on announcements go there."""
    global _speaker
    _speaker = speaker


def announce(module: str, name: str) -> None:
    """A function begins to be compiled.  What is shared by all games takes no second, and nobody is disturbed by it."""
    game = next((each for each in GAMES if f"_{each}_" in f"{name}_" or f".{each}." in f"{module}."), "")
    part = part_of(module, name)
    what = f"{part} of {GAMES[game].title}" if game else part
    if what in _said or not (game or module.startswith("lanterns_agents")):
        return
    _said.add(what)
    slow = GAMES[game].compile_seconds.get(part, USUAL) if game else USUAL
    _speaker(f"compiling {what} (about {-(-slow // FASTER)} to {slow} s, once on this machine) ...")


def part_of(module: str, name: str) -> str:
    """What a function belongs to, in words."""
    if module.startswith("lanterns_env.search"):
        return PLAIN_SEARCH if name.endswith("_plain") else SEARCH
    if module.startswith("lanterns_env.solve"):
        return SOLVING
    return ENGINE if module.startswith("lanterns_env") else module.rpartition(".")[2].replace("_", " ")


compiler.listeners.append(announce)
