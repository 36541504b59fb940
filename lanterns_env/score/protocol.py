"""What is played for a score: the members of the panel, the tables, the deals, both sides."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from lanterns_env.games import GAMES
from lanterns_env.match.playing import CHUNKS, Match, make_match, usual_chunk

MEMBERS = ("random", "greedy", "expert", "search:400", "champion")
ANCHOR = "expert"  # its rating is the same at every table
TABLES = (
    ("lanterns", 2),
    ("lanterns", 3),
    ("lanterns", 4),
    ("lumen", 3),
    ("lumen", 4),
    ("lumen", 5),
    ("lighthouse", 2),
    ("lighthouse", 3),
    ("lighthouse", 4),
)
DEALS = {2: 192, 3: 64, 4: 48, 5: 40}  # by number of players: about 400 games with a member
SLOW = "search:400"  # the one member that thinks long, and how many deals it plays
SLOW_DEALS = {
    ("lanterns", 2): 32,
    ("lanterns", 3): 10,
    ("lanterns", 4): 8,
    ("lumen", 3): 10,
    ("lumen", 4): 6,
    ("lumen", 5): 4,
    ("lighthouse", 2): 8,
    ("lighthouse", 3): 3,
    ("lighthouse", 4): 2,
}
SEED = 2100  # of the deals with the first member; the others follow
TOGETHER = 64  # deals that are played side by side at most
FULL = 8  # times as many deals
SIZES = {"default": 1, "full": FULL}
ALONE, AMONG = "alone", "among"  # the sides
OVERALL = "overall"  # the rating over all games, among those of the games
NEEDS = {"champion": "onnxruntime"}  # what a member needs beyond the package

Where = tuple[str, int]  # a table: the name of a game, and how many play


@dataclass(frozen=True)
class Protocol:
    """Who meets whom, and how often.

    Attributes:
        members: Of the panel.
        tables: Games and numbers of players.
        deals: How many with a member, by number of players.
        slow_deals: How many with the one that thinks long, by table.
        seed: Of the deals.
        times: So many times as many deals.
    """

    members: tuple[str, ...] = field(default_factory=lambda: MEMBERS)
    tables: tuple[Where, ...] = field(default_factory=lambda: TABLES)
    deals: Mapping[int, int] = field(default_factory=lambda: DEALS)
    slow_deals: Mapping[Where, int] = field(default_factory=lambda: SLOW_DEALS)
    seed: int = SEED
    times: int = 1

    @property
    def games(self) -> list[str]:
        """The names of the games."""
        return list(dict.fromkeys(game for game, _ in self.tables))

    def sized(self, size: str) -> "Protocol":
        return replace(self, times=SIZES[size])

    def of_game(self, game: str | None) -> "Protocol":
        """The part of one game, or all of it."""
        if game is not None and game not in self.games:
            raise ValueError(f"there is no score for the game {game!r}; there are: {', '.join(self.games)}")
        return replace(self, tables=tuple(each for each in self.tables if game in (None, each[0])))

    def deals_with(self, member: str, where: Where) -> int:
        return self.times * (self.slow_deals[where] if member == SLOW else self.deals[where[1]])

    def contests(self, agent: str, where: Where) -> list["Contest"]:
        """All that an agent plays at a table.  A member does not meet itself: that says nothing."""
        sides = (ALONE, AMONG)[: where[1] - 1]  # of two players one sits alone, whoever it is
        return [
            Contest(where, member, side, self._match(agent, member, side, where))
            for member in self.members
            for side in sides
            if member != agent
        ]

    def _match(self, agent: str, member: str, side: str, where: Where) -> Match:
        game, players = where
        deals, place = self.deals_with(member, where), self.members.index(member)
        agents = (agent, member) if side == ALONE else (member, agent)
        chunk = usual_chunk(agents, CHUNKS * TOGETHER)
        match = make_match(GAMES[game], agents, players, deals, self.seed + place, chunk=min(chunk, deals))
        stream = 1 + (TABLES.index(where) * len(MEMBERS) + place) * 2 + (side == AMONG)
        return replace(match, stream=stream)

    def to_json(self) -> dict[str, object]:
        """What the name of a panel depends on beside its members: how many times as many deals does not matter."""
        return {
            "members": list(self.members),
            "tables": [list(where) for where in self.tables],
            "deals": {str(players): deals for players, deals in self.deals.items()},
            "slow_deals": [[*where, deals] for where, deals in self.slow_deals.items()],
            "seed": self.seed,
            "together": TOGETHER,
        }


@dataclass(frozen=True)
class Contest:
    """The games of an agent with one member of the panel at one table, from one side."""

    where: Where
    member: str
    side: str
    match: Match

    @property
    def key(self) -> str:
        """As in the file of a result."""
        game, players = self.where
        return f"{game}-{players} {self.member} {self.side}"

    @property
    def number(self) -> int:
        """Of the agent among the two of the match."""
        return 0 if self.side == ALONE else 1
