"""Results of a match: its records, and the figures computed from them.

A record is kept for every game: shares of the win, points and decisions of every seat.  Games of one deal
depend on each other, deals do not: every interval is over deals.
"""

import json
import pathlib
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.games import GAMES
from lanterns_env.support.files import check_fields, sealed, write_whole

LEVEL = 0.95  # of every interval
RESAMPLES = 2000
BLOCK = 1 << 20  # numbers drawn at once
ROUNDING = 1e-6  # shares are float32
FLOATS, COUNTS = np.finfo(np.float32), np.iinfo(np.int32)  # what points and decisions can be
KEPT = {"shares": list, "points": list, "decisions": list, "truncated": list}  # of every game, in JSON

Interval = tuple[float, float]


@dataclass
class Records:
    """Every game: [deal, rotation] and [deal, rotation, seat]."""

    shares: NDArray[np.float32]  # of the win
    points: NDArray[np.float32]
    decisions: NDArray[np.int32]
    truncated: NDArray[np.bool_]  # truncated

    @classmethod
    def join(cls, parts: Iterable["Records"]) -> "Records":
        """The deals of several records, one after the other."""
        listed = list(parts)
        return cls(*(np.concatenate([getattr(part, f.name) for part in listed]) for f in fields(cls)))

    def __len__(self) -> int:
        return len(self.shares)

    @property
    def places(self) -> NDArray[np.int64]:
        """Places from 1: winners are first, the others follow by points; equals share a place."""
        share, points = self.shares, self.points
        lost = (share == 0)[..., :, None] & (share == 0)[..., None, :]
        better = share[..., None, :] > share[..., :, None]
        better |= lost & (points[..., None, :] > points[..., :, None])
        places: NDArray[np.int64] = 1 + better.sum(-1)
        return places

    @property
    def margins(self) -> NDArray[np.float64]:
        """Own points minus the best other's."""
        points = self.points.astype(np.float64)
        best = [np.delete(points, seat, -1).max(-1) for seat in range(points.shape[-1])]
        margins: NDArray[np.float64] = points - np.stack(best, -1)
        return margins

    def to_json(self) -> dict[str, Any]:
        return {
            "shares": plain_numbers(self.shares),
            "points": plain_numbers(self.points),
            "decisions": self.decisions.tolist(),
            "truncated": np.argwhere(self.truncated).tolist(),
        }

    @classmethod
    def from_json(cls, data: Any, rotations: int, seats: int) -> "Records":
        """What ``to_json`` gave; ValueError unless it is of games in so many rotations, of so many seats."""
        check_fields(data, KEPT, "the part with the records")
        shape = len(data["shares"]), rotations, seats
        if shape[0] == 0:
            raise ValueError("there is no record of a game")
        shares = _numbers(data, "shares", shape, (int, float), 0, 1).astype(np.float32)
        points = _numbers(data, "points", shape, (int, float), float(FLOATS.min), float(FLOATS.max))
        decisions = _numbers(data, "decisions", shape, (int,), 0, COUNTS.max)
        if np.abs(shares.astype(np.float64).sum(-1) - 1).max() > ROUNDING:
            raise ValueError("the shares of the win of a game do not add up to 1")
        truncated = np.zeros(shape[:2], np.bool_)
        if data["truncated"]:
            places = _numbers(data, "truncated", (len(data["truncated"]), 2), (int,), 0, max(shape[:2]) - 1).astype(
                np.int64
            )
            if (places >= shape[:2]).any():
                raise ValueError("truncated names a game that was not played")
            truncated[tuple(places.T)] = True
        return cls(shares, points.astype(np.float32), decisions.astype(np.int32), truncated)


def _numbers(
    data: Any, name: str, shape: tuple[int, ...], kinds: tuple[type, ...], low: float, high: float
) -> NDArray[np.object_]:
    """Nested lists as an array; ValueError unless they have this shape and hold such numbers, in this range."""
    values = np.array(data[name], object)  # lists of different lengths stay lists
    if values.shape != shape or not all(type(value) in kinds and low <= value <= high for value in values.flat):
        lengths = " x ".join(map(str, shape))
        raise ValueError(f"{name} must be {lengths} numbers from {low:.4g} to {high:.4g}, as the settings have it")
    return values


def plain_numbers(values: NDArray[np.floating[Any]]) -> Any:
    """Nested lists, whole numbers as integers."""
    if values.ndim > 1:
        return [plain_numbers(part) for part in values]
    return [int(value) if value == int(value) else value for value in values.tolist()]


@dataclass(frozen=True)
class Row:
    """The figures of one agent.  Every mean is of one of its seats in one game.

    Attributes:
        agent: Its name.
        seats: How many it holds in every game.
        games: How many were played.
        win_share: Its mean share of the win; 1 / number of players is fair, however many seats it holds.
        interval: Of the win share, 95 %, over deals.
        win_share_by_seat: The win share in each seat.
        mean_points: Its mean points.
        points_interval: Of the mean points.
        mean_margin: Its points minus the best other's, on average.
        margin_interval: Of the mean margin.
        places: How often it was first, second and so on; a shared place counts for each who shares it.
        mean_length: Decisions of a game, of all seats.
        own_decisions: Decisions of a game, of one of its seats.
    """

    agent: str
    seats: int
    games: int
    win_share: float
    interval: Interval
    win_share_by_seat: tuple[float, ...]
    mean_points: float
    points_interval: Interval
    mean_margin: float
    margin_interval: Interval
    places: tuple[float, ...]
    mean_length: float
    own_decisions: float

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Difference:
    """The first agent's win share minus another's, deal by deal."""

    agent: str
    minus: str
    win_share: float
    interval: Interval

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def rows(records: Records, agents: tuple[str, ...], seatings: NDArray[np.int64], seed: int) -> list[Row]:
    """A row for every agent; ``seatings[rotation, seat]`` is the agent that sat there."""
    places, margins, length = records.places, records.margins, records.decisions.sum(-1).mean()
    fair = 1 / seatings.shape[1]
    made = []
    for number, agent in enumerate(agents):
        own = seatings == number
        seats = int(own[0].sum())
        per_deal, points, margin = (deal_means(v, own) for v in (records.shares, records.points, margins))
        made.append(
            Row(
                agent=agent,
                seats=seats,
                games=records.truncated.size,
                win_share=float(per_deal.mean()),
                interval=interval(per_deal, seed, (0.0, 1 / seats)) if not own.all() else (fair, fair),
                win_share_by_seat=_by_seat(records, own),
                mean_points=float(points.mean()),
                points_interval=interval(points, seed),
                mean_margin=float(margin.mean()),
                margin_interval=interval(margin, seed),
                places=tuple(float(deal_means(places == p, own).mean()) for p in range(1, own.shape[1] + 1)),
                mean_length=float(length),
                own_decisions=float(deal_means(records.decisions, own).mean()),
            )
        )
    return made


def differences(records: Records, agents: tuple[str, ...], seatings: NDArray[np.int64], seed: int) -> list[Difference]:
    """The first agent's win share minus that of each other agent."""
    first = deal_means(records.shares, seatings == 0)
    made = []
    for number, other in enumerate(agents[1:], 1):
        gap = first - deal_means(records.shares, seatings == number)
        made.append(Difference(agents[0], other, float(gap.mean()), interval(gap, seed, (-1.0, 1.0))))
    return made


def deal_means(values: NDArray[Any], own: NDArray[np.bool_]) -> NDArray[np.float64]:
    """One number a deal: the mean over the marked seats of all its games."""
    means: NDArray[np.float64] = values[:, own].astype(np.float64).mean(1)
    return means


def _by_seat(records: Records, own: NDArray[np.bool_]) -> tuple[float, ...]:
    """The win share from each seat."""
    shares = records.shares.astype(np.float64)
    return tuple(float(shares[:, own[:, seat], seat].mean()) for seat in range(own.shape[1]))


def interval(per_deal: NDArray[np.float64], seed: int, limits: Interval | None = None) -> Interval:
    """A bootstrap interval of the mean over deals, between the 2.5th and the 97.5th percentile.

    Where all deals had the same result the bootstrap interval has no width.  Then it is widened by what such a sample
    would miss in 95 % of the cases, within the limits of a deal's number.
    """
    tail = (1 - LEVEL) / 2
    if limits and np.ptp(per_deal) < ROUNDING:
        low, high = limits
        alike = (1 - LEVEL) ** (1 / len(per_deal))  # the smallest frequency that shows nothing else so often
        value = float(per_deal[0])
        return alike * value + (1 - alike) * low, alike * value + (1 - alike) * high
    bounds = np.quantile(resampled_means(per_deal, seed), [tail, 1 - tail])
    return float(bounds[0]), float(bounds[1])


def resampled_means(per_deal: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Means of as many deals, resampled with replacement."""
    rng, count = np.random.default_rng(seed), len(per_deal)
    means = np.empty(RESAMPLES)
    step = max(1, BLOCK // count)
    for first in range(0, RESAMPLES, step):
        part = means[first : first + step]
        part[:] = per_deal[rng.integers(count, size=(len(part), count))].mean(1)
    return means


def save_json(data: dict[str, Any], file: str | pathlib.Path) -> None:
    """Write a result with its checksum: figures line by line, each kind of record on one line."""
    whole = sealed(data)
    head = json.dumps({name: value for name, value in whole.items() if name != "records"}, indent=2)
    lines = [f'    "{name}": {json.dumps(kind, separators=(",", ":"))}' for name, kind in data["records"].items()]
    records = ",\n".join(lines)
    write_whole(file, head.removesuffix("\n}") + f',\n  "records": {{\n{records}\n  }}\n}}\n')


# -- of the JSON of a match ------------------------------------------------------------------------------------------


def command(data: Mapping[str, Any]) -> str:
    """What plays the match of a result again."""
    game, players = GAMES[data["game"]], data["players"]
    words = f"lanterns evaluate --game {game.name} --players {players} --agents {shlex.quote(','.join(data['agents']))}"
    words += f" --deals {data['deals']} --seed {data['seed']}"
    usual = game.check_options(players, {})
    words += "".join(f" --option {name}={value}" for name, value in data["options"].items() if value != usual[name])
    words += f" --until {data['until']}" if data["until"] is not None else ""
    return words + chunk_words(data)


def chunk_words(data: Mapping[str, Any]) -> str:
    """The argument for chunks that are all alike; those of a match as it is by default need none."""
    return "" if "first_chunk" in data else f" --chunk {data['chunk']}"


def first_interval(data: Mapping[str, Any]) -> list[float]:
    """Of the first agent's win share: where the match was to stop early the one that holds then."""
    interval: list[float] = data["stop"]["interval"] if data["stop"] else data["results"][0]["interval"]
    return interval
