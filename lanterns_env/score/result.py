"""The result of a score: what was won in every game, and the ratings that follow from it."""

import hashlib
import pathlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.games import GAMES
from lanterns_env.match.playing import BY_THE_CLOCK, Chunk
from lanterns_env.match.statistics import interval, plain_numbers, save_json
from lanterns_env.score.panel import Panel, key_of
from lanterns_env.score.protocol import ALONE, AMONG, OVERALL, Contest, Protocol, Where
from lanterns_env.score.rating import Meeting, Rating, mean_rating, rate
from lanterns_env.score.report import report_of_score

FORMAT = 1  # of the JSON
DIGITS = 6  # of a share that is kept
PRINT_DIGITS = 16  # of the fingerprint of all games of a contest


@dataclass
class Tally:
    """What an agent did in one contest.

    Attributes:
        shares: Of the win, of all its seats together: [deal, rotation].
        points: Of all its seats together: [deal, rotation].
        decisions: How many it took.
        seconds: That it thought.
        fingerprint: Of points and length of every game of every seat.
    """

    shares: NDArray[np.float64]
    points: NDArray[np.float64]
    decisions: int
    seconds: float
    fingerprint: str

    @property
    def per_deal(self) -> NDArray[np.float64]:
        means: NDArray[np.float64] = self.shares.mean(1)
        return means

    @property
    def ms_per_move(self) -> float:
        return 1000 * self.seconds / max(1, self.decisions)

    def to_json(self) -> dict[str, Any]:
        return {
            "shares": plain_numbers(self.shares),
            "points": plain_numbers(self.points),
            "decisions": self.decisions,
            "seconds": self.seconds,
            "fingerprint": self.fingerprint,
        }


def tally(contest: Contest, chunks: Iterable[Chunk]) -> Tally:
    """Of the chunks of a contest, in their order."""
    played = list(chunks)
    own = contest.match.seatings == contest.number
    records = [chunk.records for chunk in played]
    digest = hashlib.sha256()
    for each in records:
        digest.update(np.ascontiguousarray(each.points).tobytes() + np.ascontiguousarray(each.decisions).tobytes())
    return Tally(
        shares=np.concatenate([of_own(each.shares, own) for each in records]),
        points=np.concatenate([of_own(each.points, own) for each in records]),
        decisions=sum(int(each.decisions[:, own].sum()) for each in records),
        seconds=float(sum(chunk.seconds[contest.number] for chunk in played)),
        fingerprint=digest.hexdigest()[:PRINT_DIGITS],
    )


def of_own(values: NDArray[Any], own: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The sum over an agent's seats: [deal, rotation]."""
    sums: NDArray[np.float64] = np.where(own, values.astype(np.float64), 0).sum(-1).round(DIGITS)
    return sums


@dataclass(frozen=True)
class Subject:
    """What was measured, and what its makers say of it.

    Attributes:
        agent: Its name.
        files: That it is made of, and their digests.
        method: How it was made, in a word or two: results of the same method are shown together.
        decisions: Of its training; None where it was not trained, or nothing was said.
        training_seed: That it was trained with.
    """

    agent: str
    files: Mapping[str, str] = field(default_factory=dict)
    method: str = ""
    decisions: int | None = None
    training_seed: int | None = None


@dataclass(repr=False)
class ScoreResult:
    """The score of an agent.  ``print`` shows its tables, and so does a notebook.

    Attributes:
        subject: What was measured.
        panel: By whom it was measured.
        protocol: What all games are, at this size.
        size: "default" or "full".
        game: The one that was to be played; None for all.
        tallies: What was played to the end, by the keys of the contests.
        missing: Tables that the agent does not play, and why.
        why_incomplete: Why not all was played; empty if all was.
        seconds: Of it all.
        workers: How many processes played.
        versions: Of what it was computed with, and the machine.
    """

    subject: Subject
    panel: Panel
    protocol: Protocol
    size: str
    game: str | None
    tallies: dict[str, Tally]
    missing: dict[Where, str]
    why_incomplete: str
    seconds: float
    workers: int
    versions: dict[str, str]

    def __repr__(self) -> str:
        return f"<ScoreResult: {self.subject.agent}, {self.panel.words}>"

    def __str__(self) -> str:
        return str(report_of_score(self))

    def _repr_html_(self) -> str:
        return report_of_score(self).html()

    @property
    def complete(self) -> bool:
        return not self.why_incomplete

    @property
    def why_not_reproducible(self) -> str:
        """Empty where the same agent always gives the same numbers."""
        return f"{self.subject.agent} thinks by the clock" if BY_THE_CLOCK.search(self.subject.agent) else ""

    def contests(self, where: Where) -> list[Contest]:
        return self.protocol.contests(self.subject.agent, where)

    @cached_property
    def tables(self) -> dict[Where, Rating]:
        """The rating at every table that was played to the end."""
        return {where: self._rated(where) for where in self.protocol.tables if self._is_played(where)}

    @cached_property
    def games(self) -> dict[str, Rating]:
        """The mean over its tables, of every game whose tables were all played."""
        found = {}
        for game in self.protocol.games:
            ratings = [self.tables.get(where) for where in self.protocol.tables if where[0] == game]
            whole = [each for each in ratings if each is not None]
            if len(whole) == len(ratings):
                found[game] = mean_rating(whole)
        return found

    @property
    def overall(self) -> Rating | None:
        """The mean over all games, if all were played."""
        return mean_rating(list(self.games.values())) if len(self.games) == len(self.protocol.games) else None

    def bounded(self, where: Where) -> bool:
        """Whether the agent won everything at a table, or nothing: then its rating there is no more than a bound."""
        shares = np.concatenate([self.tallies[each.key].shares.ravel() for each in self.contests(where)])
        return bool(np.ptp(shares) == 0 and shares[0] in (0, 1))

    def _is_played(self, where: Where) -> bool:
        return where not in self.missing and all(each.key in self.tallies for each in self.contests(where))

    def _rated(self, where: Where) -> Rating:
        strengths = self.panel.strengths[where]
        others = [member for member in self.protocol.members if member != self.subject.agent]
        return rate(where[1], [self._meeting(member, where, strengths[member]) for member in others])

    def _meeting(self, member: str, where: Where, strength: float) -> Meeting:
        sides = {each.side: self.tallies[each.key] for each in self.contests(where) if each.member == member}
        among = sides[AMONG].per_deal if AMONG in sides else None
        return Meeting(strength, sides[ALONE].per_deal, among)

    def to_json(self) -> dict[str, Any]:
        return {
            "kind": "score",
            "format": FORMAT,
            **asdict(self.subject),
            "panel": self.panel.name,
            "panel_version": self.panel.version,
            "size": self.size,
            "game": self.game,
            "versions": self.versions,
            "games": {name: [GAMES[name].version, GAMES[name].layout] for name in self.protocol.games},
            "complete": self.complete,
            "why_incomplete": self.why_incomplete,
            "reproducible": not self.why_not_reproducible,
            "why_not_reproducible": self.why_not_reproducible,
            "missing": {key_of(where): reason for where, reason in self.missing.items()},
            "ratings": self.ratings,
            "tables": {key_of(where): self.table_json(where) for where in self.tables},
            "timing": {"seconds": self.seconds, "workers": self.workers},
            "records": {key: each.to_json() for key, each in self.tallies.items()},
        }

    @property
    def ratings(self) -> dict[str, dict[str, Any]]:
        """Of the games, and over all, as they stand in the file."""
        overall = {OVERALL: self.overall} if self.overall else {}
        return {name: _rating_json(each) for name, each in {**self.games, **overall}.items()}

    def table_json(self, where: Where) -> dict[str, Any]:
        """The figures of a table: the rating, and what was won with every member from both sides."""
        members: dict[str, dict[str, Any]] = {}
        for each in self.contests(where):
            members.setdefault(each.member, {})[each.side] = self._side_json(each)
        return {**_rating_json(self.tables[where]), "bounded": self.bounded(where), "members": members}

    def _side_json(self, contest: Contest) -> dict[str, Any]:
        """The mean share of one of the agent's seats; a fair one is 1 / number of players."""
        found = self.tallies[contest.key]
        seats = 1 if contest.side == ALONE else contest.where[1] - 1
        return {
            "games": found.shares.size,
            "win_share": float(found.per_deal.mean()) / seats,
            "interval": interval(found.per_deal / seats, contest.match.seed, (0.0, 1 / seats)),
            "ms_per_move": found.ms_per_move,
        }

    def save(self, file: str | pathlib.Path) -> None:
        """Write JSON with a checksum; an older file stays until the new one is whole."""
        save_json(self.to_json(), file)


def _rating_json(rating: Rating) -> dict[str, Any]:
    return {"rating": rating.value, "interval": list(rating.interval)}
