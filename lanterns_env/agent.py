"""Agents: what they are given, and how they are found by name."""

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from inspect import signature
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lanterns_env.engine.batch import Batch, integers
from lanterns_env.engine.game import Game
from lanterns_env.engine.guard import read_only
from lanterns_env.engine.tables import block_bytes

ENTRY_POINTS = "lanterns_env.agents"
EXPORTED = ".onnx"  # how the files of exported networks end
ONNX = "onnx"  # the agent that plays them
PACKAGE, MODULES = "lanterns_env", "lanterns_agents."  # the distribution and the modules of its own agents
TRUSTED = frozenset(("random", "greedy", "expert", "search", ONNX, "champion"))  # of these: run no code handed to them
EVALUATOR = "+"  # in the name of a search: what follows is an agent too


class Table:
    """A batch of decisions that wait for one agent: the argument of ``act``.

    ``views[n]`` are named records and ``action_masks[n, A]`` the legal actions, both of the seat to move;
    ``game.to_array(views)`` gives the observations.  ``seats[n]`` is the seat to move, ``game_ids[n]`` a number for
    each game that stays the same from move to move.  All of it is a read-only copy.

    A table holds no true state: it is made of worlds in which everything that the seat to move cannot know has been
    dealt anew.  Within one process this stops mistakes, not malice: code that searches the memory of the process
    finds the games.  Agents that you do not trust play in processes of their own (``isolate=True`` of a match).

    Args:
        batch: The games.
        rows: Those in which the agent is to move.
        games: A number for each row, to tell games apart.
    """

    def __init__(self, batch: Batch, rows: ArrayLike, games: ArrayLike) -> None:
        chosen = batch.check_rows(rows)
        worlds = batch.worlds(chosen, batch.current_players[chosen], np.zeros(len(chosen), np.uint64))
        self._hold(worlds, integers(games, "games"))

    def write_to(self, memory: NDArray[np.uint8]) -> None:
        """Copy the table into other memory, for an agent in another process."""
        numbers = self.game_ids.nbytes
        memory[:numbers] = self.game_ids.view(np.uint8)
        self._worlds.write_to(memory[numbers:])

    @classmethod
    def read_from(cls, memory: NDArray[np.uint8], num_rows: int, games: Batch) -> "Table":
        """The table that was written there; ``games`` is a batch of the same settings."""
        table = object.__new__(cls)
        numbers = memory[: num_rows * np.dtype(np.int64).itemsize].view(np.int64)
        table._hold(games.read_from(memory[numbers.nbytes :], num_rows), numbers.copy())
        return table

    @staticmethod
    def bytes_of(game: Game, num_rows: int) -> int:
        """How much memory a table of so many rows takes."""
        return num_rows * np.dtype(np.int64).itemsize + block_bytes(game, num_rows)

    def _hold(self, worlds: Batch, games: NDArray[np.int64]) -> None:
        self._worlds = worlds
        self.game = worlds.game
        self.views = worlds.views  # named records; ``game.to_array(views)`` are the same as int8[n, D]
        self.action_masks = read_only(worlds.action_masks)
        self.seats = worlds.current_players
        self.game_ids = read_only(games)

    def __len__(self) -> int:
        return len(self.seats)

    def sample(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """A uniformly random legal action for every row."""
        return self._worlds.sample(rng)

    def worlds(self, seeds: ArrayLike) -> Batch:
        """Copies of the games in which everything that the seat to move cannot know has been dealt anew."""
        return self._worlds.worlds(np.arange(len(self)), self._worlds.current_players, seeds)


class Agent(Protocol):
    """Any object that chooses actions.

    It may also offer ``action_probabilities(table)``: float32[n, A], rows that sum to 1.
    """

    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        """One legal action for every row of the table."""


Given = str | Agent | Callable[[], Agent]  # what stands for an agent: its name, itself, or what makes one


class Agents(Mapping[str, EntryPoint]):
    """All agents that installed packages offer, by name; none takes the name of one of this package."""

    def __getitem__(self, name: str) -> EntryPoint:
        return _offered()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(_offered()))

    def __len__(self) -> int:
        return len(_offered())


@cache  # a package that is installed later is found by the next process
def _offered() -> dict[str, EntryPoint]:
    found = sorted(entry_points(group=ENTRY_POINTS), key=_of_this_package)  # ours last: they replace the others
    return {entry.name: entry for entry in found}


AGENTS = Agents()


def name_of(given: Given) -> str:
    """The name of an agent in results."""
    if isinstance(given, str):
        return given
    return f"<{getattr(given, '__name__', type(given).__name__)}>"


def fresh(given: Given) -> Agent:
    """A new agent: loaded by its name, made by its factory, or copied from the given object."""
    if isinstance(given, str):
        return load(given)
    if isinstance(given, type) or not hasattr(given, "act"):
        return _made(given)
    try:
        copied: Any = copy.deepcopy(given)
    except Exception as error:  # whatever an object of a user does when it is copied
        raise ValueError(
            f"the agent {name_of(given)} cannot be copied ({type(error).__name__}: {error}), and every seat needs one "
            "of its own: give a function that makes one, for instance lambda: MyAgent(weights)"
        ) from error
    agent: Agent = copied
    return agent


def _made(factory: Any) -> Agent:
    agent: Agent | None = factory() if callable(factory) else None
    if agent is None or not hasattr(agent, "act"):
        raise ValueError(
            f"{name_of(factory)} is no agent: it is no name, has no method act, and makes nothing that has"
        )
    return agent


def load(name: str) -> Agent:
    """An agent by its name.

    What follows a colon is its argument: "search:2000", "expert:my.toml".  The name of a ``.onnx`` file is an agent
    too.
    """
    if not isinstance(name, str):
        raise ValueError(f"an agent is named by a text, not by {name!r:.60}")
    kind, argument = _parted(name)
    entry = AGENTS.get(kind)
    if entry is None:
        raise ValueError(f"there is no agent {kind!r:.60}; there are: {', '.join(AGENTS)}")
    try:
        make = entry.load()
        _check_takes(make, kind, argument)
        agent: Agent = make(argument) if argument else make()
    except ValueError:
        raise
    except Exception as error:
        raise ValueError(f"agent {name!r:.60} cannot be loaded: {type(error).__name__}: {error!s:.200}") from error
    return agent


def check_trusted(names: Iterable[str]) -> None:
    """Refuse agents that a file names if they would run code which is not that of this package."""
    for name in names:
        rest = name
        while rest:
            kind, argument = _parted(rest)
            if kind not in TRUSTED or (kind in AGENTS and not _of_this_package(AGENTS[kind])):
                raise ValueError(
                    f"the file names the agent {rest!r:.60}, which may run code that is not part of this package; "
                    "if you trust the file: --trust, or trust=True"
                )
            rest = argument.partition(EVALUATOR)[2] if kind == "search" else ""


def _parted(name: str) -> tuple[str, str]:
    """The agent's own name, and its argument."""
    kind, _, argument = name.partition(":")
    if kind not in AGENTS and name.endswith(EXPORTED):
        return ONNX, name
    return kind, argument


def _of_this_package(entry: EntryPoint) -> bool:
    return entry.dist is not None and entry.dist.name == PACKAGE and entry.module.startswith(MODULES)


def _check_takes(make: Callable[..., Agent], kind: str, argument: str) -> None:
    """Refuse an argument that an agent does not take, or one that is missing."""
    try:
        takes = signature(make)
    except ValueError:  # compiled code, which does not say
        return
    try:
        takes.bind(*filter(None, [argument]))
    except TypeError:
        wish = "takes no argument" if argument else f"needs an argument: {kind}:..."
        raise ValueError(f"agent {kind!r} {wish}") from None
