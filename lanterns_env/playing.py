"""How a match is played: every deal once in every rotation of the seats, in chunks that depend on nothing else."""

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

import lanterns_env
from lanterns_env.agent import Agent, Table, load
from lanterns_env.batch import Batch, check_seed, integers
from lanterns_env.game import Game
from lanterns_env.games import GAMES
from lanterns_env.kernels import row_seeds
from lanterns_env.results import Records

FORMAT = 1  # of the JSON of results
CHUNK = 64  # deals that are played together; random streams begin anew with every chunk
BY_THE_CLOCK = re.compile(r":.*\d\s*m?s\b")  # "search:50ms"


@dataclass(frozen=True)
class Match:
    """All that decides what is played.  ``agents[lineup[j]]`` is the j-th around the table."""

    game: Game
    num_players: int
    agents: tuple[str, ...]
    lineup: tuple[int, ...]
    deals: int
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    until: float | None = None  # stop once the first agent's win share is known to be above or below
    stream: int = 0  # keeps the random streams of several matches on the same deals apart

    @cached_property
    def seatings(self) -> NDArray[np.int64]:
        """Who sits where, [rotation, seat]: every rotation of the line-up that is another one."""
        turns = [np.roll(self.lineup, turn).tolist() for turn in range(self.num_players)]
        return np.array([turn for k, turn in enumerate(turns) if turn not in turns[:k]])

    @property
    def chunks(self) -> range:
        return range(-(-self.deals // CHUNK))

    @property
    def why_not_reproducible(self) -> str:
        """Empty where the same settings always give the same numbers."""
        timed = [agent for agent in self.agents if BY_THE_CLOCK.search(agent)]
        return f"{', '.join(timed)}: thinks by the clock" if timed else ""

    def to_json(self) -> dict[str, Any]:
        """What every result says of it."""
        return {
            "format": FORMAT,
            "version": lanterns_env.__version__,
            "game": self.game.name,
            "game_version": self.game.version,
            "layout": self.game.layout,
            "players": self.num_players,
            "options": dict(self.options),
            "agents": list(self.agents),
            "seed": self.seed,
            "deals": self.deals,
        }


@dataclass
class Chunk:
    """What some deals brought."""

    records: Records
    seconds: NDArray[np.float64]  # that each agent thought


# -- what is played -------------------------------------------------------------------------------------------


def make_match(
    game: str | Game,
    agents: Sequence[str],
    num_players: int | None = None,
    deals: int = 500,
    seed: int = 0,
    until: float | str | None = None,
    **options: Any,
) -> Match:
    """The settings of a match, checked."""
    chosen = find_game(game)
    players = chosen.check_players(chosen.default_players if num_players is None else num_players)
    if isinstance(deals, bool) or not isinstance(deals, int) or deals < 1:
        raise ValueError(f"deals must be a positive integer, not {deals!r}")
    return Match(
        game=chosen,
        num_players=players,
        agents=tuple(agents),
        lineup=seat_agents(len(agents), players),
        deals=deals,
        seed=check_seed(seed),
        options=chosen.check_options(players, options),
        until=_check_threshold(until, players, len(agents)),
    )


def find_game(game: str | Game) -> Game:
    if isinstance(game, Game):
        return game
    if game not in GAMES:
        raise ValueError(f"there is no game {game!r}; there are: {', '.join(GAMES)}")
    return GAMES[game]


def seat_agents(num_agents: int, num_players: int) -> tuple[int, ...]:
    """The first agent holds one seat, the others the rest in turn; one alone holds all."""
    if not 1 <= num_agents <= num_players:
        raise ValueError(
            f"a match of {num_players} players is between 1 to {num_players} agents, not {num_agents}; "
            "`lanterns ladder` (lanterns_env.ladder.play_ladder) lets more of them meet"
        )
    return (0, *(1 + seat % (num_agents - 1) if num_agents > 1 else 0 for seat in range(num_players - 1)))


def _check_threshold(until: float | str | None, num_players: int, num_agents: int) -> float | None:
    if until is None:
        return None
    if num_agents == 1:
        raise ValueError("until asks who is better, and there is one agent: name another, or leave it out")
    if until == "fair":
        return 1 / num_players
    if isinstance(until, (bool, str)) or not 0 < until < 1:
        raise ValueError(f"until must be 'fair' or a win share between 0 and 1, not {until!r}")
    return float(until)


# -- playing --------------------------------------------------------------------------------------------------


def play_chunk(match: Match, number: int, agents: Sequence[Agent | None] | None = None) -> Chunk:
    """Play the deals of one chunk in all rotations.

    Agents are loaded anew, so that what they remember does not depend on which process plays what.
    """
    objects = agents or [None] * len(match.agents)
    players = {agent: _Player(match, number, agent, objects[agent]) for agent in sorted(set(match.lineup))}
    batch, turns = _dealt(match, number), len(match.seatings)
    rows = np.arange(len(batch))
    seated = match.seatings[rows % turns]  # the agent in every seat: [row, seat]
    games = rows + number * CHUNK * turns
    decisions = np.zeros(seated.shape, np.int32)
    while len(rows):
        seats = batch.players[rows]
        decisions[rows, seats] += 1
        _step(batch, rows, games, players, seated[rows, seats])
        rows = rows[~batch.overs[rows]]
    points, shares = batch.scores()
    shape = (-1, turns, match.num_players)
    cut = batch.truncateds.reshape(shape[:2]).copy()
    records = Records(shares.reshape(shape), points.reshape(shape), decisions.reshape(shape), cut)
    seconds = np.zeros(len(match.agents))
    seconds[list(players)] = [player.seconds for player in players.values()]
    return Chunk(records, seconds)


class _Player:
    """An agent in one chunk, with its own random stream and clock."""

    def __init__(self, match: Match, chunk: int, number: int, given: Agent | None) -> None:
        self.name = match.agents[number]
        self.agent = load(self.name) if given is None else given
        self.rng = np.random.default_rng(np.random.SeedSequence(match.seed, spawn_key=(match.stream, chunk, number)))
        self.seconds = 0.0

    def choose(self, table: Table) -> NDArray[np.int64]:
        begin = time.perf_counter()
        try:
            chosen = integers(self.agent.act(table, self.rng), "actions")
        except ValueError as error:
            raise ValueError(f"agent {self.name!r}: {error}") from error
        except Exception as error:
            raise RuntimeError(f"agent {self.name!r} failed: {type(error).__name__}: {error}") from error
        self.seconds += time.perf_counter() - begin
        if chosen.shape != (len(table),):
            raise ValueError(f"agent {self.name!r} was asked for {len(table)} actions and gave {len(chosen)}")
        return chosen


def _step(
    batch: Batch,
    rows: NDArray[np.int64],
    games: NDArray[np.int64],
    players: Mapping[int, _Player],
    acting: NDArray[np.int64],
) -> None:
    """Every agent that is to move somewhere is asked once, for all its rows."""
    actions = np.empty(len(rows), np.int64)
    for number, player in players.items():
        own = np.flatnonzero(acting == number)
        if len(own):
            actions[own] = player.choose(Table(batch, rows[own], games[rows[own]]))
    try:
        batch.step(actions, rows)
    except ValueError as error:
        inside = (actions >= 0) & (actions < batch.game.num_actions)
        legal = inside & (batch.masks[rows, np.where(inside, actions, 0)] == 1)
        raise ValueError(f"agent {players[int(acting[legal.argmin()])].name!r} may not do that: {error}") from error


def _dealt(match: Match, number: int) -> Batch:
    """The deals of one chunk, each as often as there are rotations, one after the other."""
    last = min((number + 1) * CHUNK, match.deals)
    seeds = np.empty(last, np.uint64)
    row_seeds(np.uint64(match.seed), seeds)
    repeated = np.repeat(seeds[number * CHUNK :], len(match.seatings))
    return Batch(match.game, len(repeated), match.num_players, seeds=repeated, restart=False, **match.options)
