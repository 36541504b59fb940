"""A tournament in which all agents of a game meet, and their ratings.

result = play_ladder("lanterns", num_players=2, deals=64, seed=1)
for row in result.rows: print(row.agent, row.rating, row.interval)
"""

import itertools
import pathlib
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.agent import AGENTS, Table, load
from lanterns_env.engine.batch import Batch
from lanterns_env.engine.game import Game
from lanterns_env.engine.streams import stream
from lanterns_env.match.agent_files import digests
from lanterns_env.match.chairs import Limits, limits_of
from lanterns_env.match.playing import Chunk, Forfeit, Match, make_match, tasks_of, usual_chunk
from lanterns_env.match.progress import Show, Standing, play_tasks
from lanterns_env.match.ratings import Choices, rate
from lanterns_env.match.recording import game_file
from lanterns_env.match.report import counted, report_of_ladder
from lanterns_env.match.shelf import Shelf, check_goes_on, open_shelf
from lanterns_env.match.statistics import Interval, Records, interval, save_json
from lanterns_env.match.workers import check_workers
from lanterns_env.support.failures import in_words
from lanterns_env.support.files import Path, printable

ANCHOR = "random"  # has rating 0 where it plays


@dataclass(frozen=True)
class Rated:
    """How one agent did at all its tables.  Every mean is of one of its seats in one game.

    Attributes:
        agent: Its name.
        rating: On Elo's scale.
        interval: Of the rating.
        separated: Whether it was always ahead of all others, or always behind: its rating says no more than that.
        seats: How many it took, in all games.
        win_share: Its mean share of the win.
        win_share_interval: Of the win share.
        mean_points: Its mean points.
        points_interval: Of the mean points.
        mean_place: Its mean place, 1 for first.
        place_interval: Of the mean place.
    """

    agent: str
    rating: float
    interval: Interval
    separated: bool
    seats: int
    win_share: float
    win_share_interval: Interval
    mean_points: float
    points_interval: Interval
    mean_place: float
    place_interval: Interval


@dataclass(repr=False)
class LadderResult:
    """The result of a ladder.  ``print`` shows its table, and so does a notebook.

    Attributes:
        tables: The settings of each table: the same agents, in different line-ups.
        records: Shares of the win, points and decisions of every game, table by table.
        skipped: Agents that do not play here, and why.
        why_incomplete: Why not all deals were played; empty if all were.
        seconds: Of the whole ladder.
        workers: How many processes played.
        forfeits: The number of the table, and a game lost by an agent that could not go on.
        limits: Of isolated agents.
    """

    tables: list[Match]
    records: list[Records]
    skipped: dict[str, str]
    why_incomplete: str
    seconds: float
    workers: int
    forfeits: list[tuple[int, Forfeit]]
    limits: Limits | None = None

    def __repr__(self) -> str:
        agents, deals = printable(", ".join(self.match.agents)), counted(self.deals, "deal")
        return f"<LadderResult: {self.match.game.title}, {agents}, {deals}{'' if self.complete else ', not complete'}>"

    def __str__(self) -> str:
        return str(report_of_ladder(self))

    def _repr_html_(self) -> str:
        return report_of_ladder(self).html()

    @property
    def complete(self) -> bool:
        return not self.why_incomplete

    @property
    def why_not_reproducible(self) -> str:
        """Empty where the same settings always give the same numbers."""
        return f"{len(self.forfeits)} games were forfeited" if self.forfeits else self.match.why_not_reproducible

    @property
    def match(self) -> Match:
        """The settings that all tables have in common."""
        return self.tables[0]

    @property
    def deals(self) -> int:
        """How many deals every table played."""
        return len(self.records[0])

    @property
    def games(self) -> int:
        return sum(records.truncated.size for records in self.records)

    @cached_property
    def rows(self) -> list[Rated]:
        """All agents, the strongest first."""
        agents = self.match.agents
        anchor = agents.index(ANCHOR) if ANCHOR in agents else None
        ratings, bounds = rate(self._choices(), self.match.seed, anchor)
        rows = [self._row(k, float(ratings[k]), bounds[k]) for k in range(len(agents))]
        return sorted(rows, key=lambda row: -row.rating)

    @cached_property
    def ahead(self) -> NDArray[np.float64]:
        """How often an agent's seat was placed before another's, [agent, other]; an equal place counts half."""
        k = len(self.match.agents)
        won, met = np.zeros((k, k)), np.zeros((k, k))
        for table, records in self._tables():
            places = records.places
            for one, other in itertools.permutations(range(self.match.num_players), 2):
                better = (np.sign(places[:, :, other] - places[:, :, one]) + 1).mean(0) / 2
                pairs = table.seatings[:, one], table.seatings[:, other]
                np.add.at(won, pairs, better)
                np.add.at(met, pairs, 1)
        often: NDArray[np.float64] = np.divide(won, met, out=np.full((k, k), np.nan), where=met > 0)
        return often

    def _choices(self) -> Choices:
        choices = Choices(len(self.match.agents), self.deals)
        for table, records in self._tables():
            for deal, games in enumerate(records.places.tolist()):
                for seated, places in zip(table.seatings.tolist(), games, strict=True):
                    choices.add(deal, seated, places)
        return choices

    def _row(self, agent: int, rating: float, bounds: NDArray[np.float64]) -> Rated:
        shares, points, places = (self._own(name, agent) for name in ("shares", "points", "places"))
        games = sum(records.truncated.size for table, records in self._tables() if agent in table.lineup)
        against, seed = np.delete(self.ahead[agent], agent), self.match.seed
        return Rated(
            agent=self.match.agents[agent],
            rating=rating,
            interval=(float(bounds[0]), float(bounds[1])),
            separated=bool(np.nanmin(against) == 1 or np.nanmax(against) == 0),
            seats=shares.size,
            win_share=float(shares.mean()),
            win_share_interval=interval(shares.mean(1), seed, (0.0, games / shares.size)),
            mean_points=float(points.mean()),
            points_interval=interval(points.mean(1), seed),
            mean_place=float(places.mean()),
            place_interval=interval(places.mean(1), seed, (1.0, float(self.match.num_players))),
        )

    def _own(self, name: str, agent: int) -> NDArray[np.float64]:
        """One kind of record of all seats that an agent took: [deal, seat]."""
        parts = [getattr(records, name)[:, table.seatings == agent] for table, records in self._tables()]
        return np.concatenate(parts, axis=1).astype(np.float64)

    def _tables(self) -> list[tuple[Match, Records]]:
        return list(zip(self.tables, self.records, strict=True))

    def save(self, file: str | pathlib.Path) -> None:
        """Write the result as JSON with a checksum; an older file stays until the new one is whole."""
        save_json(self.to_json(), file)

    def to_json(self) -> dict[str, Any]:
        match = self.match
        return {
            "kind": "ladder",
            **match.to_json(),
            "skipped": self.skipped,
            "tables": [table.lineup for table in self.tables],
            "deals_played": self.deals,
            "games": self.games,
            "games_truncated": sum(int(records.truncated.sum()) for records in self.records),
            "complete": self.complete,
            "why_incomplete": self.why_incomplete,
            "reproducible": not self.why_not_reproducible,
            "why_not_reproducible": self.why_not_reproducible,
            "results": [asdict(row) for row in self.rows],
            "ahead": [[None if np.isnan(often) else often for often in row] for row in self.ahead.tolist()],
            "forfeits": [{"table": table, **forfeit.to_json()} for table, forfeit in self.forfeits],
            "timing": {
                "seconds": self.seconds,
                "workers": self.workers,
                "limits": asdict(self.limits) if self.limits else None,
            },
            "records": {"places": [_places(records) for records in self.records]},
        }


def _places(records: Records) -> list[str]:
    """A string for every deal: the places by seat, rotation after rotation."""
    return [" ".join("".join(map(str, game)) for game in games) for games in records.places.tolist()]


def play_ladder(
    game: str | Game,
    agents: Sequence[str] | None = None,
    num_players: int | None = None,
    deals: int = 64,
    seed: int = 0,
    workers: int | None = None,
    progress: Show | None = None,
    record: Path | None = None,
    secret: str | None = None,
    isolate: bool = False,
    move_seconds: float | None = None,
    chunk: int | None = None,
    directory: Path | None = None,
    **options: Any,
) -> LadderResult:
    """Let agents meet in all pairings, or at tables drawn so that all meet about equally often, and rate them.

    Every table plays the same deals, each in every rotation of its seats.  Agents that refuse the game are
    skipped.  Ctrl-C stops it: the result has the deals that all tables have played; if none, it is raised.

    Args:
        game: The name of a game, or a ``Game``.
        agents: Their names; by default all that are installed.
        num_players: How many play; the game's default unless given.
        deals: How many deals every table plays, each once in every rotation.
        seed: The seed from which the deals, the tables and the agents' random numbers are derived.
        workers: How many processes play; by default one a core.
        progress: Called with a ``Progress``, as by ``play_match``.
        record: A file for all games, as replays.
        secret: A key that the deals follow from beside the seed, or "random" to draw one.
        isolate: Whether every agent plays in a process of its own.
        move_seconds: How long an isolated agent may take for a decision before it loses the game; isolates too.
        chunk: How many deals of a table are played side by side; by default as in a match.
        directory: A folder for what has been played: the same ladder, begun again, goes on from there.
        **options: Rule variants of the game.
    """
    check_goes_on(directory, secret)
    any_agent = make_match(game, [ANCHOR], num_players, deals, seed, secret=secret, chunk=chunk, **options)
    playing, skipped = _playing(any_agent, agents)
    any_agent = replace(any_agent, chunk=chunk or usual_chunk(playing, deals), files=digests(playing))
    tables = _tables(any_agent, playing)
    workers = min(check_workers(workers), len(tables) * len(tables[0].chunks) * any_agent.num_players)
    begin, limits = time.perf_counter(), limits_of(isolate, move_seconds)
    with open_shelf(directory, tables, limits) as shelf:
        parts, why_incomplete = _play(tables, workers, progress, limits, record, shelf)
    records = [Records.join(chunk.records for chunk in part) for part in parts]
    forfeits = [(number, each) for number, part in enumerate(parts) for chunk in part for each in chunk.forfeits]
    spent = time.perf_counter() - begin
    return LadderResult(tables, records, skipped, why_incomplete, spent, workers, forfeits, limits)


def _tables(match: Match, agents: Sequence[str]) -> list[Match]:
    lineups = draw_lineups(len(agents), match.num_players, match.seed)
    return [
        replace(match, agents=tuple(agents), lineup=lineup, stream=stream)
        for stream, lineup in enumerate(lineups, 1)  # 0 is that of a single match
    ]


def _playing(match: Match, agents: Sequence[str] | None) -> tuple[list[str], dict[str, str]]:
    """The agents that play this game, and why the others do not: each is asked for one action."""
    for name in agents or ():
        if name.partition(":")[0] not in AGENTS:
            load(name)  # says what there is
    table = Table(Batch(match.game, 1, match.num_players, **match.options), [0], [0])
    playing, skipped = [], {}
    for name in dict.fromkeys(AGENTS if agents is None else agents):
        try:
            load(name).act(table, stream("trial", match.seed))
            playing.append(name)
        except Exception as error:  # of another game, in want of a file, or broken
            skipped[name] = str(error) if isinstance(error, (ValueError, ImportError)) else in_words(error)
    if len(playing) < 2:
        reasons = "".join(f"; {name}: {reason}" for name, reason in skipped.items())
        raise ValueError(f"a ladder needs at least two agents that play {match.game.title}{reasons}")
    return playing, skipped


def draw_lineups(num_agents: int, num_players: int, seed: int) -> list[tuple[int, ...]]:
    """The line-ups: as many as there are pairs of agents (or as exist), drawn so that all meet about equally often.

    With fewer agents than seats every agent sits at every table, some in one seat more.
    """
    rng = np.random.default_rng(seed)
    everyone = tuple(range(num_agents)) * (num_players // num_agents)
    possible = [everyone + rest for rest in itertools.combinations(range(num_agents), num_players % num_agents)]
    met = np.zeros((num_agents, num_agents))
    lineups = []
    for _ in range(min(len(possible), max(num_agents, num_agents * (num_agents - 1) // 2))):
        order = rng.permutation(len(possible))
        best = min(
            order.tolist(), key=lambda k: sum(2 * met[pair] + 1 for pair in itertools.permutations(possible[k], 2))
        )
        lineup = possible.pop(best)
        for pair in itertools.permutations(lineup, 2):
            met[pair] += 1
        lineups.append(tuple(rng.permutation(lineup).tolist()))
    return lineups


def _play(
    tables: list[Match],
    workers: int,
    progress: Show | None,
    limits: Limits | None,
    record: Path | None,
    shelf: Shelf | None,
) -> tuple[list[list[Chunk]], str]:
    """The chunks of every table, and what stopped them.

    Chunk after chunk, each at all tables, so that a ladder that is stopped has the same deals everywhere.
    """
    recorded = record is not None
    chunked = [(table, number) for number in tables[0].chunks for table in tables]
    tasks = [task for table, number in chunked for task in tasks_of(table, number, limits, None, recorded)]
    chunks: list[Chunk] = []

    def take(chunk: Chunk) -> bool:
        chunks.append(chunk)
        if len(chunks) % len(tables) == 0:
            last = range(len(chunks) - len(tables), len(chunks))
            if games:
                for k in last:
                    games.add(*chunked[k], chunks[k])
            standing.add(len(chunk.records), sum(chunks[k].records.truncated.size for k in last))
        return False

    standing = Standing(progress, sum(table.games for table in tables))
    with game_file(record) as games:
        why_incomplete = play_tasks(tasks, workers, standing, take, shelf)
    whole = len(chunks) - len(chunks) % len(tables)
    return [chunks[first : whole : len(tables)] for first in range(len(tables))], why_incomplete
