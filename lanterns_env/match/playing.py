"""How a match is played: every deal in every rotation of the seats, in chunks that do not depend on each other."""

import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

import lanterns_env
from lanterns_env.agent import Given, Table
from lanterns_env.engine.batch import Batch, check_seed
from lanterns_env.engine.game import Game
from lanterns_env.engine.kernels import row_seeds
from lanterns_env.engine.streams import hashed_seed, stream
from lanterns_env.games import find_game
from lanterns_env.match.chairs import Chair, Limits, Place, PlainChair
from lanterns_env.match.isolation import IsolatedChair, Setting
from lanterns_env.match.statistics import Records

FORMAT = 2  # of the JSON of results
CHUNKS = 4  # that a match falls into where its size allows: with its rotations so many processes can share it ...
SMALLEST, LARGEST = 16, 256  # ... and so many deals make batches that are large enough
FIRST = 1  # deal in the first chunk: a match that is stopped soon has played something
THINKS = re.compile(r".+:(?P<number>\d+)(?P<unit>ms|s)?(:\w+)?")  # "search:2000": so much work for every decision ...
UNITS = {None: 1, "ms": 20, "s": 20_000}  # ... in simulations
TOGETHER = 4000  # simulations for the decisions of a chunk that are taken together: such an agent gains nothing by more
BY_CHANCE, SECRET_BYTES = "random", 16  # a secret that nobody has chosen
LONGEST_SECRET = 1000
BY_THE_CLOCK = re.compile(r":.*\d\s*m?s\b")  # "search:50ms"


@dataclass(frozen=True)
class Match:
    """The settings of a match.  ``agents[lineup[j]]`` is the j-th around the table."""

    game: Game
    num_players: int
    agents: tuple[str, ...]
    lineup: tuple[int, ...]
    deals: int
    chunk: int  # deals that are played together at most; agents and their random streams begin anew with every chunk
    first_chunk: int  # deals of the first; every further one has as many as have been played before, up to ``chunk``
    seed: int = 0
    secret: str | None = None  # a key that the deals follow from beside the seed
    options: Mapping[str, Any] = field(default_factory=dict)
    until: float | None = None  # stop once the first agent's win share is known to be above or below
    stream: int = 0  # keeps the random streams of several matches on the same deals apart
    files: Mapping[str, str] = field(default_factory=dict)  # that agents are made of, and their digests

    @cached_property
    def seatings(self) -> NDArray[np.int64]:
        """The agent in every seat, [rotation, seat]: all different rotations of the line-up."""
        turns = [np.roll(self.lineup, turn).tolist() for turn in range(self.num_players)]
        return np.array([turn for k, turn in enumerate(turns) if turn not in turns[:k]])

    @property
    def chunks(self) -> range:
        grown = self._doubled + 1  # chunks that are smaller than those that follow
        few = (number for number in range(1, grown + 1) if self._before(number) >= self.deals)
        return range(next(few, grown - (self._before(grown) - self.deals) // self.chunk))

    def bounds(self, number: int) -> tuple[int, int]:
        """The first deal of a chunk, and the one after its last."""
        return self._before(number), min(self._before(number + 1), self.deals)

    @property
    def _doubled(self) -> int:
        """How often the number of deals that have been played doubles, chunk by chunk."""
        return (-(-self.chunk // self.first_chunk) - 1).bit_length()

    def _before(self, number: int) -> int:
        """How many deals the chunks before this one have."""
        doubled = self._doubled
        if number <= doubled:
            return self.first_chunk << number >> 1 if number else 0
        return (self.first_chunk << doubled) + (number - doubled - 1) * self.chunk

    @property
    def games(self) -> int:
        return self.deals * len(self.seatings)

    @property
    def why_not_reproducible(self) -> str:
        """Empty where the same settings always give the same numbers."""
        timed = [agent for agent in self.agents if BY_THE_CLOCK.search(agent)]
        return f"{', '.join(timed)}: thinks by the clock" if timed else ""

    def to_json(self) -> dict[str, Any]:
        """The settings, as every result contains them."""
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
            "secret": self.secret,
            "deals": self.deals,
            "chunk": self.chunk,
            **({"first_chunk": self.first_chunk} if self.first_chunk < self.chunk else {}),
            **({"files": dict(self.files)} if self.files else {}),
        }


@dataclass(frozen=True)
class Forfeit:
    """A game that an agent lost because it crashed, took too long, or gave no legal action."""

    deal: int
    rotation: int
    seat: int
    agent: str
    reason: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass
class Chunk:
    """The records of some deals."""

    records: Records
    seconds: NDArray[np.float64]  # that each agent thought
    forfeits: list[Forfeit]
    moves: list[list[NDArray[np.int32]]]  # of every rotation, deal by deal, all actions; empty if not recorded


# -- what is played -------------------------------------------------------------------------------------------


def make_match(
    game: str | Game,
    agents: Sequence[str],
    num_players: int | None = None,
    deals: int = 500,
    seed: int = 0,
    until: float | str | None = None,
    secret: str | None = None,
    chunk: int | None = None,
    first_chunk: int | None = None,
    **options: Any,
) -> Match:
    """The settings of a match, checked.  A given chunk is that of all deals, unless the first is given too."""
    chosen = find_game(game)
    players = chosen.check_players(chosen.default_players if num_players is None else num_players)
    if isinstance(deals, bool) or not isinstance(deals, int) or deals < 1:
        raise ValueError(f"deals must be a positive integer, not {deals!r}")
    size = usual_chunk(agents, deals) if chunk is None else chunk
    if isinstance(size, bool) or not isinstance(size, int) or size < 1:
        raise ValueError(f"chunk must be a positive integer, not {chunk!r}")
    first = (size if chunk else FIRST) if first_chunk is None else first_chunk
    if isinstance(first, bool) or not isinstance(first, int) or not 1 <= first <= size:
        raise ValueError(f"first_chunk must be an integer from 1 to chunk, {size}, not {first_chunk!r}")
    return Match(
        game=chosen,
        num_players=players,
        agents=tuple(agents),
        lineup=seat_agents(len(agents), players),
        deals=deals,
        chunk=size,
        first_chunk=first,
        seed=check_seed(seed),
        secret=_check_secret(secret),
        options=chosen.check_options(players, options),
        until=_check_threshold(until, players, len(agents)),
    )


def usual_chunk(agents: Sequence[str], deals: int) -> int:
    """How many deals are played together at most: fewer where an agent thinks long about every decision by itself."""
    together = min(max(deals // CHUNKS, SMALLEST), LARGEST)
    work = [int(found["number"]) * UNITS[found["unit"]] for found in map(THINKS.fullmatch, agents) if found]
    return min([together, *(max(1, TOGETHER // max(1, each)) for each in work)])


def seat_agents(num_agents: int, num_players: int) -> tuple[int, ...]:
    """The first agent holds one seat, the others the rest in turn; one alone holds all."""
    if not 1 <= num_agents <= num_players:
        raise ValueError(
            f"a match of {num_players} players is between 1 to {num_players} agents, not {num_agents}; "
            "`lanterns ladder` (lanterns_env.match.ladder.play_ladder) lets more of them meet"
        )
    return (0, *(1 + seat % (num_agents - 1) if num_agents > 1 else 0 for seat in range(num_players - 1)))


def _check_secret(secret: Any) -> str | None:
    if secret == BY_CHANCE:
        return secrets.token_hex(SECRET_BYTES)
    if secret is not None and (not isinstance(secret, str) or not 0 < len(secret) <= LONGEST_SECRET):
        raise ValueError(f"secret must be a text of 1 to {LONGEST_SECRET} letters, not {secret!r:.40}")
    return secret


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


@dataclass(frozen=True)
class Task:
    """The deals of one chunk in one rotation: what a process plays at a time.  It depends on nothing else."""

    match: Match
    number: int  # of the chunk
    turn: int  # of the rotation
    limits: Limits | None = None
    given: Sequence[Given] | None = None  # the agents, where they are not loaded by their names
    recorded: bool = False  # whether all actions are kept


def play_task(task: Task, count: Callable[[int], None]) -> Chunk:
    """Play deals with the agents in the same seats; ``count`` is called with the number of games that a step ends.

    Every seat has an agent of its own, made anew: none ever sees two sides of a deal, and what is remembered does not
    depend on which process plays what.  With limits each plays in a process of its own.
    """
    match, turn = task.match, task.turn
    given, seated = task.given or match.agents, match.seatings[turn]
    first, last = match.bounds(task.number)
    seeds = deal_seeds(match, first, last)
    batch = Batch(match.game, len(seeds), match.num_players, seeds=seeds, autoreset=False, **match.options)
    place = (match.seed, match.stream, task.number, turn)
    with ExitStack() as stack:
        chairs = []
        for seat, agent in enumerate(seated.tolist()):
            chair = make_chair(match, match.agents[agent], given[agent], (*place, seat), task.limits)
            chairs.append(stack.enter_context(closing(chair)))
        sitting = Sitting(batch, chairs, seated, stream("games", *place))
        for ended in sitting.play(task.recorded):
            count(ended)
    seconds = np.zeros(len(given))
    np.add.at(seconds, seated, [chair.seconds for chair in chairs])
    forfeits = [
        Forfeit(first + row, turn, seat, chairs[seat].name, reason) for row, (seat, reason) in sitting.forfeits.items()
    ]
    return Chunk(sitting.records(), seconds, forfeits, [sitting.moves()] if task.recorded else [])


def tasks_of(
    match: Match, number: int, limits: Limits | None, given: Sequence[Given] | None = None, recorded: bool = False
) -> list[Task]:
    """All rotations of a chunk."""
    return [Task(match, number, turn, limits, given, recorded) for turn in range(len(match.seatings))]


def whole_chunks(tasks: Iterable[Task], played: Iterable[Chunk]) -> Iterator[Chunk]:
    """Chunks, put together from their rotations as these are played."""
    come: list[Chunk] = []
    for task, rotation in zip(tasks, played, strict=False):  # it may be stopped
        come.append(rotation)
        if len(come) == len(task.match.seatings):
            names = [f.name for f in fields(Records)]
            records = Records(*(np.concatenate([getattr(one.records, name) for one in come], 1) for name in names))
            forfeits = [forfeit for one in come for forfeit in one.forfeits]
            moves = [rotation for one in come for rotation in one.moves]
            yield Chunk(records, np.sum([one.seconds for one in come], axis=0), forfeits, moves)
            come = []


def make_chair(match: Match, name: str, given: Given, place: Place, limits: Limits | None) -> Chair:
    """In this process, or with limits in one of its own."""
    if limits is None:
        return PlainChair(name, given, place)
    setting = Setting(match.game, match.num_players, dict(match.options), match.chunk)
    return IsolatedChair(name, given, place, setting, limits)


class Sitting:
    """Games side by side, with one chair for every seat.

    Every chair has numbers of its own for the games, and gets them in the order of these numbers: neither shows which
    games of two chairs are the same one, or of the same deal.
    """

    def __init__(self, batch: Batch, chairs: list[Chair], agents: NDArray[np.int64], rng: np.random.Generator) -> None:
        self.batch, self.chairs = batch, chairs
        self.agents = agents  # the number of the agent in every seat
        self.games = rng.integers(2**62, size=(len(chairs), len(batch)))  # the numbers of the games
        self.decisions = np.zeros((len(batch), len(chairs)), np.int32)
        self.forfeits: dict[int, tuple[int, str]] = {}  # row -> seat, reason
        self.steps: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []  # rows and actions, if they are recorded

    def play(self, recorded: bool) -> Iterator[int]:
        """Play all games step by step: how many each step ends."""
        rows = np.arange(len(self.batch))
        while len(rows):
            seats = self.batch.current_players[rows]
            self.decisions[rows, seats] += 1
            actions, before = self._ask(rows, seats), len(rows)
            if self.forfeits:
                going = ~np.isin(rows, list(self.forfeits))
                rows, actions = rows[going], actions[going]
            self.batch.step(actions, rows)
            if recorded:
                self.steps.append((rows, actions))
            rows = rows[~self.batch.dones[rows]]
            yield before - len(rows)

    def moves(self) -> list[NDArray[np.int32]]:
        """The actions of every game in their order."""
        rows, actions = (np.concatenate(parts) for parts in zip(*self.steps, strict=True))
        ends = np.bincount(rows, minlength=len(self.batch)).cumsum()
        return np.split(actions[rows.argsort(kind="stable")].astype(np.int32), ends[:-1])

    def _ask(self, rows: NDArray[np.int64], seats: NDArray[np.int16]) -> NDArray[np.int64]:
        """An action for every row; each chair is asked once, and all may think at the same time."""
        actions = np.empty(len(rows), np.int64)
        waiting = []
        for seat in np.unique(seats).tolist():
            own = np.flatnonzero(seats == seat)
            games = self.games[seat, rows[own]]
            order = games.argsort()
            own, games = own[order], games[order]
            self.chairs[seat].ask(Table(self.batch, rows[own], games))
            waiting.append((seat, own))
        for seat, own in waiting:
            actions[own], lost = self.chairs[seat].answer()
            for place, reason in lost.items():
                self.forfeits[int(rows[own[place]])] = seat, reason
        return actions

    def records(self) -> Records:
        """Of one rotation."""
        points, shares = self.batch.scores()
        for row, (seat, _) in self.forfeits.items():
            shares[row] = forfeited_shares(self.agents, seat)
        whole = Records(shares, points, self.decisions, self.batch.truncations)
        return Records(*(getattr(whole, f.name)[:, None].copy() for f in fields(Records)))


def forfeited_shares(agents: NDArray[np.int64], seat: int) -> NDArray[np.float32]:
    """Shares of the win of a forfeited game: the seats of the other agents share it.

    Where an agent plays against itself, the seat loses.
    """
    winners = agents != agents[seat] if np.ptp(agents) else np.arange(len(agents)) != seat
    shares: NDArray[np.float32] = (winners / winners.sum()).astype(np.float32)
    return shares


def deal_seeds(match: Match, first: int, last: int) -> NDArray[np.uint64]:
    """The seeds of some deals; with a secret they cannot be computed without it."""
    if match.secret is None:
        seeds = np.empty(last, np.uint64)
        row_seeds(np.uint64(match.seed), seeds)
        return seeds[first:]
    key = match.secret.encode()
    return np.array([hashed_seed("deal", match.seed, deal, key=key) for deal in range(first, last)], np.uint64)
