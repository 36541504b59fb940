"""What an agent is, what it is shown, and how agents are found by name."""

from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lanterns_env.batch import Batch, integers

ENTRY_POINTS = "lanterns_env.agents"


class Table:
    """Rows of games that wait for one agent.  The games themselves stay out of reach.

    ``views[n]`` and ``masks[n, A]`` are what the seat to move is given, ``players[n]`` its seat, ``games[n]``
    a number for each game that stays the same from move to move; a new number is a new game.
    """

    def __init__(self, batch: Batch, rows: ArrayLike, games: ArrayLike) -> None:
        chosen = integers(rows, "rows")
        self.game = batch.game
        self.views: NDArray[Any] = batch.views[chosen]
        self.masks: NDArray[np.int8] = batch.masks[chosen]
        self.players: NDArray[np.int16] = batch.players[chosen]
        self.games = integers(games, "games")
        self.worlds = _Worlds(batch, chosen)

    def __len__(self) -> int:
        return len(self.views)


class _Worlds:
    """The only door to states: copies in which all that the seat to move cannot know is dealt anew."""

    __slots__ = ("_redealt",)

    def __init__(self, batch: Batch, rows: NDArray[np.int64]) -> None:
        def redealt(seeds: ArrayLike) -> Batch:
            return batch.worlds(rows, batch.players[rows], seeds)

        self._redealt = redealt

    def __call__(self, seeds: ArrayLike) -> Batch:
        return self._redealt(seeds)


class Agent(Protocol):
    """Whoever decides: one legal action for every row of a table."""

    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]: ...


class Agents(Mapping[str, EntryPoint]):
    """All agents that installed packages offer, by name."""

    def __getitem__(self, name: str) -> EntryPoint:
        for entry in entry_points(group=ENTRY_POINTS):
            if entry.name == name:
                return entry
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({entry.name for entry in entry_points(group=ENTRY_POINTS)}))

    def __len__(self) -> int:
        return len(list(iter(self)))


AGENTS = Agents()


def load(name: str) -> Agent:
    """An agent by its name; what follows a colon is handed to it ("search:2000")."""
    kind, _, argument = name.partition(":")
    if kind not in AGENTS:
        raise ValueError(f"there is no agent {kind!r}; there are: {', '.join(AGENTS)}")
    make = AGENTS[kind].load()
    agent: Agent = make(argument) if argument else make()
    return agent
