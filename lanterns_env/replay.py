"""Games on disk: one line of JSON a game, with all it takes to play it again.

A game is its name, options, players, the deal's seed and the actions; everything else follows.  The first
line of a file says what it is, every further line is one game.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

import lanterns_env
from lanterns_env.games import find_game
from lanterns_env.games.svg import grid, svg
from lanterns_env.support.files import check_fields, parse_json, write_whole

if TYPE_CHECKING:
    from lanterns_env.engine.batch import Batch
    from lanterns_env.envs.aec import GameEnv

FORMAT, FORMAT_VERSION = "lanterns_env replays", 1
NEEDED = {"game": str, "version": int, "players": int, "seed": int, "options": dict, "agents": list, "actions": list}
RESULTS = ("points", "shares")  # of a game that is over
CLOSE = 1e-4  # points and shares are kept as float32
LARGEST = float(np.finfo(np.float32).max)

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class Replay:
    """One game: all it takes to play it again.

    Attributes:
        game: Its name.
        players: How many play.
        seed: Of the deal.
        actions: All actions in order.
        options: Rule variants.
        agents: Who sat on each seat, if that is known.
        points: Final points by seat; None if the game is not over.
        shares: Shares of the win by seat; None if the game is not over.
        version: Of the game's rules; the present one unless given.
        place: Where it was read, such as "games.jsonl, line 3".
    """

    game: str
    players: int
    seed: int
    actions: tuple[int, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    agents: tuple[str, ...] = ()
    points: tuple[float, ...] | None = None
    shares: tuple[float, ...] | None = None
    version: int | None = None
    place: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.version is None:
            object.__setattr__(self, "version", find_game(self.game).version)

    def __len__(self) -> int:
        return len(self.actions)

    def env(self, decision: int | None = None, **arguments: Any) -> "GameEnv":
        """The game as an environment, after some of its actions.

        Args:
            decision: After how many actions; by default after all.
            **arguments: Those of ``raw_env``.
        """
        moves = len(self) if decision is None else decision
        if not 0 <= moves <= len(self):
            raise ValueError(f"the game has {len(self)} moves; there is no position {moves}, only 0 to {len(self)}")
        env = self._dealt(**arguments)
        for action in self.actions[:moves]:
            env.step(action)
        return env

    def _repr_svg_(self) -> str | None:
        """What a notebook shows: the deal and the last position, the whole table each."""
        try:
            game = find_game(self.game)
            ends = [self.env(moves, render_player="all") for moves in (0, len(self))]
        except ValueError:  # a game of other rules, or a damaged one: check() says what is wrong
            return None
        return svg(grid([end.picture() for end in ends], len(ends))) if game.picture is not None else None

    def positions(self) -> "Iterator[GameEnv]":
        """All positions from the deal to the last: one environment that moves on.  ``clone()`` what you keep."""
        env = self._dealt()
        yield env
        for action in self.actions:
            env.step(action)
            yield env

    def check(self) -> None:
        """Play the game again; ValueError names the first thing that is wrong."""
        try:
            self._check_header()
            batch = self._replayed()
            self._check_results(batch)
        except ValueError as error:
            raise ValueError(f"{self.place or 'the replay'}: {error}") from None

    def _dealt(self, **arguments: Any) -> "GameEnv":
        from lanterns_env.envs.aec import GameEnv  # the engine is loaded when a game is played

        options = find_game(self.game).check_options(self.players, self.options)
        env = GameEnv(self.game, num_players=self.players, **options, **arguments)
        env.reset(seed=self.seed)
        return env

    def _check_header(self) -> None:
        game = find_game(self.game)
        if self.version != game.version:
            raise ValueError(
                f"the game was played by version {self.version} of the rules of {game.title}; "
                f"this package has version {game.version}"
            )
        game.check_players(self.players)
        if len(self.agents) not in (0, self.players):
            raise ValueError(f"{len(self.agents)} agents are named for {self.players} players")

    def _replayed(self) -> "Batch":
        """The last position; ValueError names the first action that cannot be taken."""
        env = self._dealt()
        for number, action in enumerate(self.actions, 1):
            agent = env.agent_selection
            if env.terminations[agent] or env.truncations[agent]:
                raise ValueError(f"{self.game}, move {number}: the game was over after {number - 1} moves")
            try:
                env.step(action)
            except ValueError as error:
                raise ValueError(f"{self.game}, move {number}, {agent.replace('_', ' ')}: {error}") from None
        return env.batch

    def _check_results(self, batch: "Batch") -> None:
        if self.points is None and self.shares is None:
            return
        if not batch.dones[0]:
            raise ValueError(f"{self.game}: there are final points, but the game is not over after {len(self)} moves")
        for name, reached in zip(RESULTS, batch.scores(), strict=True):
            said, reached = getattr(self, name), reached[0].tolist()
            if said is None or len(said) != len(reached) or not np.allclose(np.array(said, float), reached, atol=CLOSE):
                raise ValueError(f"{self.game}: the recorded {name} are {said}, the moves lead to {tuple(reached)}")


def record(table: "GameEnv | Batch", actions: Sequence[int], agents: Sequence[str] = (), row: int = 0) -> Replay:
    """The replay of a game that has been played.

    Args:
        table: The environment, or a batch made with ``autoreset=False``.
        actions: All actions since the deal.
        agents: Who sat on each seat.
        row: The row of the batch.
    """
    from lanterns_env.engine.batch import Batch

    batch = table if isinstance(table, Batch) else table.unwrapped.batch  # type: ignore[attr-defined]
    players = int(batch.num_players[row])
    played = Replay(
        game=batch.game.name,
        players=players,
        seed=int(batch.seeds[row]),
        actions=tuple(int(action) for action in actions),
        options=dict(batch.options),
        agents=tuple(agents),
    )
    if not batch.dones[row]:
        return played
    points, shares = (tuple(result[row, :players].tolist()) for result in batch.scores())
    return replace(played, points=points, shares=shares)


# -- writing --------------------------------------------------------------------------------------------------


def write(path: Path, replays: Iterable[Replay], append: bool = False, **header: Any) -> None:
    """Write games to a file one by one, as the iterable gives them.

    Args:
        path: The file.
        replays: The games; each is on disk before the next is asked for.
        append: Whether to add to an existing file.
        **header: Further entries of the file's first line.
    """
    if append and os.path.exists(path):
        read_header(path)
        _check_last_line(path)
    else:
        append = False
    with open(path, "a" if append else "w", encoding="utf-8", newline="\n") as file:
        if not append:
            file.write(first_line(header) + "\n")
        for replay in replays:
            file.write(line_of(replay) + "\n")
            file.flush()


def first_line(header: Mapping[str, Any]) -> str:
    """What a file of replays begins with."""
    first = {"format": FORMAT, "format_version": FORMAT_VERSION, "lanterns_env": lanterns_env.__version__}
    return json.dumps({**first, **header})


def line_of(replay: Replay) -> str:
    """A game as a line of JSON."""
    content = {name: getattr(replay, name) for name in NEEDED}
    results = {name: getattr(replay, name) for name in RESULTS if getattr(replay, name) is not None}
    return json.dumps({**content, **results}, separators=(",", ":"))


def save(path: Path, replay: Replay) -> None:
    """Write a file of one game; an older file is replaced as a whole or stays as it was."""
    write_whole(path, f"{first_line({})}\n{line_of(replay)}\n")


def _check_last_line(path: Path) -> None:
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        if file.read() != b"\n":
            raise ValueError(f"{os.fspath(path)}: the last line is cut short; mend or remove it before adding games")


# -- reading --------------------------------------------------------------------------------------------------


def read(path: Path, check: bool = True) -> list[Replay]:
    """All games of a file.

    Args:
        path: The file.
        check: Whether to play every game again; ``ValueError`` names the first thing that is wrong.
    """
    read_header(path)
    name, replays = os.path.basename(os.fspath(path)), []
    with _opened(path) as file:
        next(file)
        for number, line in enumerate(file, 2):
            replays.append(_parsed(line, f"{name}, line {number}"))
            if check:
                replays[-1].check()
    return replays


def read_header(path: Path) -> dict[str, Any]:
    """The first line of a file of replays."""
    name = os.path.basename(os.fspath(path))
    with _opened(path) as file:
        first = file.readline()
    try:
        header = parse_json(first, name)
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError(f"{name}, line 1: this is not a file of replays of lanterns_env")
    if header.get("format_version") != FORMAT_VERSION:
        raise ValueError(
            f"{name}, line 1: the file has format version {header.get('format_version')!r:.40}, "
            f"this package reads version {FORMAT_VERSION}"
        )
    return header


def _opened(path: Path) -> Any:
    return open(path, encoding="utf-8", errors="replace")  # a damaged letter is found with its line


def _parsed(line: str, place: str) -> Replay:
    content = parse_json(line, place)
    if not isinstance(content, dict):
        raise ValueError(f"{place} is damaged: a game is an object, not {content!r:.40}")
    check_fields(content, NEEDED, place)
    return Replay(
        game=content["game"],
        version=content["version"],
        players=content["players"],
        seed=content["seed"],
        options=content["options"],
        agents=_items(content, "agents", {str}, place),
        actions=_items(content, "actions", {int}, place),
        **{name: _items(content, name, {int, float}, place) for name in RESULTS if name in content},
        place=place,
    )


def _items(content: Mapping[str, Any], name: str, kinds: set[type], place: str) -> tuple[Any, ...]:
    """A list of the right kind of things."""
    items = content[name]
    if not isinstance(items, list):
        raise ValueError(f"{place} is damaged: {name!r} must be a list, not {items!r:.40}")
    for item in items:
        if type(item) not in kinds or (name in RESULTS and not -LARGEST <= item <= LARGEST):
            raise ValueError(f"{place} is damaged: {name!r} holds {item!r:.40}")
    return tuple(items)
