"""What a game is: two records, six verbs, and words.

A state is a record of all there is to know of one game, a view a record of what one player may know.
Everything else in the package is written once and knows only the names below.
"""

import hashlib
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import Any

import numpy as np

HEAD = [  # every state begins with these fields
    ("seed", np.uint64),  # the deal's seed
    ("num_players", np.int16),
    ("player", np.int16),  # the seat to move; once over, who moved last, or whose turn was cut
    ("over", np.bool_),
    ("truncated", np.bool_),  # over because it was cut, not because it ended by the rules
]
VERBS = ("deal", "legal", "play", "observe", "score", "redeal")
HOOKS = ("sound", "belief", "action_key", "revealed_key", "deal_cards")
PRESET = "preset"  # given like an option, it stands for several
MAX_SEED = 2**64 - 1
ARGUMENTS = ("num_players", "num_games", "num_envs", "render_mode", "reward", "observation", "opponents")


@dataclass(frozen=True)
class Option:
    """A rule variant: its Python values, and the default.  The state holds a value as ``code`` gives it."""

    default: Any
    values: tuple[Any, ...] | range
    meaning: str
    names_seat: bool = False  # an integer value is a seat, and must be below the number of players

    def code(self, value: Any) -> int:
        """The number that stands for a value in the state: itself in a range, else its position."""
        return value if isinstance(self.values, range) else self._position(value)

    def value(self, code: int) -> Any:
        return code if isinstance(self.values, range) else self.values[code]

    def has(self, code: Any) -> bool:
        """Whether a number stands for one of the values."""
        codes = self.values if isinstance(self.values, range) else range(len(self.values))
        return type(code) is int and code in codes

    def allows(self, value: Any, num_players: int) -> bool:
        value = plain(value)
        if isinstance(self.values, range):
            return type(value) is int and value in self.values
        return self._position(value) >= 0 and not (self.names_seat and type(value) is int and value >= num_players)

    def _position(self, value: Any) -> int:
        for position, allowed in enumerate(self.values):
            if type(allowed) is type(value) and allowed == value:
                return position
        return -1


@dataclass(frozen=True)
class ActionRange:
    """Actions of one kind, numbered from first to last."""

    first: int
    last: int
    meaning: str


@dataclass(frozen=True)
class Field:
    """One field of a view: int8 numbers between low and high, and what they mean."""

    name: str
    shape: tuple[int, ...]  # () for a single number
    low: int
    high: int
    meaning: str

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=int))

    @property
    def bound(self) -> int:
        """What a number is divided by to lie in -1..1."""
        return max(abs(self.low), abs(self.high))


def state_dtype(options: Mapping[str, Option], *fields: tuple[Any, ...]) -> np.dtype[Any]:
    """The record of a whole game: the common head, the options, then the game's own fields."""
    chosen = [(name, np.int16) for name in options]
    return np.dtype((np.record, np.dtype([*HEAD, *chosen, *fields], align=True)))


class View(np.record):  # type: ignore[misc]
    """A record of what one player may know.  It prints by the names of its fields."""

    def __str__(self) -> str:
        names = self.dtype.names or ()
        width = max(len(name) for name in names)
        return "\n".join(f"{name:{width}} {np.asarray(self[name]).tolist()}" for name in names)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """What a notebook shows: a table, with a line for each row of a field."""
        rows = ((name, np.asarray(self[name])) for name in self.dtype.names or ())
        cells = ((name, values.tolist() if values.ndim > 1 else [values.tolist()]) for name, values in rows)
        lines = (f"<tr><th>{name}</th><td>{'<br>'.join(map(str, values))}</td></tr>" for name, values in cells)
        return f"<table>{''.join(lines)}</table>"


def view_dtype(fields: tuple[Field, ...]) -> np.dtype[Any]:
    """The record of what one player may know; its bytes are the observation."""
    return np.dtype((View, np.dtype([(f.name, np.int8, f.shape) for f in fields])))


@dataclass(frozen=True, eq=False)
class Game:
    """A game as the rest of the package knows it."""

    name: str  # "lanterns"
    title: str  # "Lanterns"
    version: int  # raised when behaviour, view or actions change
    players: range  # the numbers of players it can be played by
    default_players: int
    num_actions: int
    margin_scale: float  # the reward "margin" is divided by this
    options: Mapping[str, Option]
    state: np.dtype[Any]
    fields: tuple[Field, ...]  # of the view

    # The six verbs, compiled by @jit.
    deal: Callable[..., Any]  # (state, num_players, seed): set up a game in a blank state that holds the options
    legal: Callable[..., Any]  # (state, mask) -> how many: what state.player may do
    play: Callable[..., Any]  # (state, action): carry out a legal action
    observe: Callable[..., Any]  # (state, player, view): all that player can see, every field written
    score: Callable[..., Any]  # (state, points, share): float32[max_players] each, as it stands
    redeal: Callable[..., Any]  # (state, player, seed): deal anew what that player cannot know

    # Words and drawing: plain Python over views, so that nothing hidden can slip in.
    describe: Callable[[Any, int], str]  # (view of the player to move, action) -> words
    parse: Callable[[Any, str], int]  # (view of the player to move, words) -> action; ValueError if not understood
    why_illegal: Callable[[Any, int], str | None]  # (view of the player to move, action) -> the rule, or None
    draw: Callable[..., str]  # (views, color=False): one view draws that player's eyes, all views the whole table

    # What a game may offer more.
    rules: str = ""  # for people who do not know the game: one screen of text
    actions: tuple[ActionRange, ...] = ()  # all action numbers, kind by kind
    picture: Callable[..., Any] | None = None  # (views) -> Picture: the same as shapes
    planes: Any = None  # ``Planes``, (views) -> float32[n, C, H, W]: views as images for convolutions
    no_planes: str = "it has no board that could be drawn as an image"  # why there are none
    sound: Callable[..., Any] | None = None  # compiled, (state) -> whether play may go on from it; without: not asked
    describe_to: Callable[..., str] | None = (
        None  # (all views before a move, mover, listener, action) -> what is heard of it
    )
    describe_outcome: Callable[..., list[str]] | None = (
        None  # (all views before a move, mover, action, listener, all views after) -> what came of it, line by line
    )
    draw_compact: Callable[..., str] | None = None  # as draw, for a low terminal
    chapter: Callable[[Any], str] | None = None  # (a view) -> the turn or trick it is in, in words
    compile_seconds: Mapping[str, int] = field(default_factory=dict)  # how long each part takes on a slow core, by name
    belief: Callable[..., Any] | None = None  # (state, player, probabilities): exact marginals of what is hidden
    belief_shape: tuple[int, ...] = field(default=())  # of the probabilities, float64

    # Smaller variants, and their deals one by one.
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # options that go together, by name
    why_unplayable: Callable[[int, Mapping[str, Any]], str | None] | None = (
        None  # (number of players, all options) -> why they cannot go together, or None
    )
    deal_cards: Callable[..., Any] | None = None  # compiled, (state, num_players, order): what ``deal`` does once drawn
    deals: Callable[[int, Mapping[str, Any]], Any] | None = None  # (number of players, all options) -> ``Deals``

    # What correct search needs to know; what is done where a game offers none of it stands in search/tree.py.
    action_key: Callable[..., Any] | None = None  # (state, action) -> what it is, where numbers differ between worlds
    revealed_key: Callable[..., Any] | None = (
        None  # (state) -> what the last action has shown and its number did not say
    )

    def __deepcopy__(self, memo: Any) -> "Game":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """A game is pickled by its name: its code is not data."""
        return _by_name, (self.registered_name,)

    @property
    def registered_name(self) -> str:
        """The name, if it leads back to this game."""
        if not _is_registered(self):
            raise pickle.PicklingError(f"{self.name!r} is no registered game: only those can be pickled")
        return self.name

    @property
    def max_players(self) -> int:
        return max(self.players)

    @cached_property
    def verbs(self) -> dict[str, Any]:
        """What templates find under the names of verbs and hooks, and the game's two numbers."""
        hooks = {name: getattr(self, name) for name in HOOKS if getattr(self, name) is not None}
        return {name: getattr(self, name) for name in (*VERBS, "max_players", "margin_scale")} | hooks

    @cached_property
    def view(self) -> np.dtype[Any]:
        return view_dtype(self.fields)

    @cached_property
    def low(self) -> np.ndarray[Any, np.dtype[np.int8]]:
        """The lower bound of every number of a view, flat."""
        return np.concatenate([np.full(f.size, f.low, np.int8) for f in self.fields])

    @cached_property
    def high(self) -> np.ndarray[Any, np.dtype[np.int8]]:
        """The upper bound of every number of a view, flat."""
        return np.concatenate([np.full(f.size, f.high, np.int8) for f in self.fields])

    @cached_property
    def bound(self) -> np.ndarray[Any, np.dtype[np.float32]]:
        """What every number of a view is divided by to lie in -1..1, flat."""
        return np.concatenate([np.full(f.size, f.bound, np.float32) for f in self.fields])

    @cached_property
    def layout(self) -> str:
        """A fingerprint of view and actions: an agent made for another is refused."""
        shapes = [(f.name, f.shape, f.low, f.high) for f in self.fields]
        return _fingerprint(self.name, self.version, self.num_actions, shapes)

    @cached_property
    def state_layout(self) -> str:
        """A fingerprint of the state: saved games of another are refused."""
        return _fingerprint(self.layout, self.state.descr)

    def check_players(self, num_players: Any) -> int:
        """The number of players, if this game can be played by so many."""
        if isinstance(num_players, bool) or not isinstance(num_players, (int, np.integer)):
            raise ValueError(f"num_players must be an integer, not {num_players!r}")
        if num_players not in self.players:
            allowed = f"{min(self.players)} to {max(self.players)}"
            raise ValueError(f"{self.title} is for {allowed} players, not {num_players}")
        return int(num_players)

    def check_options(self, num_players: int, options: Mapping[str, Any]) -> dict[str, Any]:
        """All options with their values, the given ones checked; a preset gives several, which others go before."""
        given = {**self._preset(options.get(PRESET)), **{k: v for k, v in options.items() if k != PRESET}}
        for name, value in given.items():
            self._check_option(name, value, num_players)
        chosen = {name: plain(given.get(name, option.default)) for name, option in self.options.items()}
        reason = None if self.why_unplayable is None else self.why_unplayable(num_players, chosen)
        if reason is not None:
            raise ValueError(f"{self.title} for {num_players} players cannot be played like that: {reason}")
        return chosen

    def _check_option(self, name: str, value: Any, num_players: int) -> None:
        if name not in self.options:
            known = ", ".join(self.options) or "none"
            near = get_close_matches(name, {*self.options, *ARGUMENTS} - {name}, 1)
            meant = f"did you mean {near[0]}?" if near else f"its options: {known}"
            raise ValueError(f"{self.title} has no option {name!r}; {meant}")
        option = self.options[name]
        if not option.allows(value, num_players):
            values = option.values
            known = f"{values[0]} to {values[-1]}" if isinstance(values, range) else ", ".join(map(repr, values))
            raise ValueError(f"option {name} of {self.title} must be one of: {known}; not {value!r}")

    def _preset(self, name: Any) -> Mapping[str, Any]:
        """The options that a preset stands for."""
        if name is None:
            return {}
        if not isinstance(name, str) or name not in self.presets:
            known = ", ".join(map(repr, self.presets)) or "it has none"
            raise ValueError(f"{self.title} has no preset {name!r} (its presets: {known})")
        return self.presets[name]

    def blank(self, options: Mapping[str, Any]) -> np.ndarray[Any, Any]:
        """An array of one empty state that holds the options: what a deal starts from."""
        states = np.zeros(1, self.state)
        for name, value in options.items():
            states[name] = self.options[name].code(value)
        return states

    def describe_move(self, views: Any, mover: int, listener: int, action: int) -> str:
        """A move as the players around the table hear of it: what becomes public by it, and nothing else."""
        if self.describe_to is None:
            return self.describe(views[mover], action)
        return self.describe_to(views, mover, listener, action)

    def view_from(self, observation: Any) -> Any:
        """The named record behind an observation, from its bytes alone."""
        numbers = np.ascontiguousarray(observation, np.int8)
        if numbers.shape != (self.view.itemsize,):
            raise ValueError(f"an observation of {self.title} has {self.view.itemsize} numbers, not {numbers.shape}")
        return numbers.view(self.view)[0]

    def to_array(self, views: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.int8]]:
        """The same memory as plain numbers: one row of int8 a view."""
        return views.view(np.ndarray).view(np.int8).reshape(len(views), self.view.itemsize)


def plain(value: Any) -> Any:
    """A NumPy number as Python's own."""
    return value.item() if isinstance(value, np.generic) else value


def _fingerprint(*parts: Any) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _by_name(name: str) -> Game:
    from lanterns_env.games import GAMES

    return GAMES[name]


def _is_registered(game: Game) -> bool:
    from lanterns_env.games import GAMES

    return GAMES.get(game.name) is game
