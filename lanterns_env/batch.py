"""Thousands of games in one array, stepped in one compiled call.

The kernels take whole arrays and row numbers: a call with one record as an argument costs ten times as
much.  They return statuses; the class raises.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lanterns_env import kernels
from lanterns_env.compile import specialise
from lanterns_env.game import MAX_SEED, Game
from lanterns_env.games import GAMES

REWARDS = ("outcome", "margin", "points")
SETTINGS = ("game", "restart", "reward", "options", "num_seats")
WORD_BYTES = 8
MAX_INT = np.iinfo(np.int64).max


class Batch:
    """Many games of one kind side by side.

    ``observations[n, D]``, ``views[n]``, ``masks[n, A]`` and ``players[n]`` are for the seat to move,
    ``rewards[n, P]``, ``overs[n]`` and ``truncateds[n]`` of the last step.  All are written in place by every
    step: copy what is to be kept.  They can only be read: a changed mask would let an illegal action in.
    """

    def __init__(
        self,
        game: str | Game,
        num_games: int = 1,
        num_players: int | ArrayLike | None = None,
        seed: int = 0,
        seeds: ArrayLike | None = None,
        restart: bool = True,
        reward: str = "outcome",
        **options: Any,
    ) -> None:
        self.game = GAMES[game] if isinstance(game, str) else game
        self.restart = bool(restart)  # a finished game gives way to the next deal of its row at once
        self.reward = check_reward(reward)
        counts = self._check_counts(num_players, num_games)
        self.options = self.game.check_options(int(counts.min()), options)
        self.num_seats = int(counts.max())
        self._bind(self._empty_arrays(len(counts)))
        self._states["num_players"] = counts
        if seeds is None:
            seeds = np.empty(len(self), np.uint64)
            kernels.row_seeds(np.uint64(check_seed(seed)), seeds)
        self.deal(seeds=seeds)

    def __len__(self) -> int:
        return len(self._states)

    @property
    def num_players(self) -> NDArray[np.int16]:
        """How many play in each row: int16[n]."""
        return self._states["num_players"].copy()

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """The seeds of the deals on the table: uint64[n]."""
        return self._states["seed"].copy()

    @property
    def states(self) -> NDArray[Any]:
        """A copy of the true states.  For tests and tools; an agent never gets to see them."""
        return _copied(self._states)

    def step(self, actions: ArrayLike, rows: ArrayLike | None = None) -> None:
        """One action for every row, or for the given rows; nothing is played unless all are legal."""
        chosen = self._rows if rows is None else integers(rows, "rows")
        moves = integers(actions, "actions")
        if moves.shape != chosen.shape:
            raise ValueError(f"step needs {len(chosen)} actions, one a row; got an array of shape {moves.shape}")
        bad = self._advance(chosen, moves)
        if bad >= 0:
            raise ValueError(self._complaint(chosen, moves, bad))

    def deal(self, rows: ArrayLike | None = None, seeds: ArrayLike | None = None) -> None:
        """Deal rows anew: from the given seeds, else each from the next seed of its stream."""
        chosen = self.check_rows(rows)
        if seeds is None:
            fresh = np.empty(len(chosen), np.uint64)
            kernels.next_seeds(self._states["seed"][chosen], fresh)
        else:
            fresh = check_seeds(seeds, len(chosen))
        self.decisions += 1
        self._kernel(kernels.deal_rows)(*self._tables, self._blank, chosen, fresh)

    def observe(self, rows: ArrayLike | None = None, seats: ArrayLike | None = None) -> NDArray[np.int8]:
        """What given seats see, by default the seats to move: int8[rows, D]."""
        chosen = self.check_rows(rows)
        views = np.zeros(len(chosen), self.game.view)
        self._kernel(kernels.observe_rows)(self._states, chosen, self._check_seats(chosen, seats), views)
        return self.game.flat(views)

    def sample(self, rng: np.random.Generator, rows: ArrayLike | None = None) -> NDArray[np.int64]:
        """One uniformly random legal action a row, -1 where the game is over: int64[rows]."""
        chosen = self.check_rows(rows)
        actions = np.empty(len(chosen), np.int64)
        draws = rng.integers(1 << 32, size=len(chosen), dtype=np.int64)
        kernels.sample_rows(self._words, self._reports, chosen, draws, actions)
        return actions

    def worlds(self, rows: ArrayLike, seats: ArrayLike, seeds: ArrayLike) -> "Batch":
        """Copies of rows (repeats allowed) in which all that the seats cannot know is dealt anew.

        The copies do not restart.
        """
        chosen = self.check_rows(rows)
        fresh = check_seeds(seeds, len(chosen))
        world = self._like(len(chosen))
        seats_of_rows = self._check_seats(chosen, seats)
        self._kernel(kernels.redeal_rows)(self._states, chosen, seats_of_rows, fresh, *world._tables)
        return world

    def with_states(self, states: NDArray[Any]) -> "Batch":
        """A batch of the same kind, without restart, with these games on its tables."""
        batch = self._like(len(states))
        batch._states[:] = states
        batch._kernel(kernels.show_rows)(*batch._tables)
        return batch

    def play_out(self, seed: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Play a copy of every game to its end at random: final points and shares of the win, float32[n, P].

        The batch itself stays as it is.
        """
        results = np.zeros((2, len(self), self.game.max_players), np.float32)
        mask = np.zeros(self._words.shape[1], np.uint64)
        scratch = np.zeros(1, self.game.state)
        seed_word = np.uint64(check_seed(seed))
        self._kernel(kernels.play_out_rows)(self._states, scratch, mask, seed_word, results[0], results[1])
        return results[0, :, : self.num_seats], results[1, :, : self.num_seats]

    def scores(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Points and shares of the win as the games stand: float32[n, P] each."""
        results = np.zeros((2, len(self), self.game.max_players), np.float32)
        self._kernel(kernels.score_rows)(self._states, results[0], results[1])
        return results[0, :, : self.num_seats], results[1, :, : self.num_seats]

    def belief(self, row: int, seat: int) -> NDArray[np.float64]:
        """The exact probabilities of what a seat cannot see, where the game offers them."""
        if self.game.belief is None:
            raise ValueError(f"{self.game.title} offers no exact belief; redealt worlds can be counted instead")
        chosen = self.check_rows([row])
        probabilities = np.zeros(self.game.belief_shape)
        seats = self._check_seats(chosen, seat)
        self._kernel(kernels.belief_of)(self._states, int(chosen[0]), int(seats[0]), probabilities)
        return probabilities

    def copy(self) -> "Batch":
        """The same games once more."""
        twin = object.__new__(type(self))
        twin.__setstate__(self.__getstate__())
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "Batch":
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        return {
            "arrays": [_copied(table) for table in self._tables],
            **{name: getattr(self, name) for name in SETTINGS},
        }

    def __setstate__(self, saved: Mapping[str, Any]) -> None:
        for name in SETTINGS:
            setattr(self, name, saved[name])
        self._bind(saved["arrays"])

    def _like(self, num_games: int) -> "Batch":
        """A batch of blank games of the same kind, without restart."""
        batch = object.__new__(Batch)
        batch.__setstate__({name: getattr(self, name) for name in SETTINGS} | {"arrays": self._empty_arrays(num_games)})
        batch.restart = False
        return batch

    def _empty_arrays(self, num_games: int) -> list[NDArray[Any]]:
        words = -(-self.game.num_actions // WORD_BYTES)
        return [
            np.zeros(num_games, self.game.state),
            np.zeros(num_games, self.game.view),
            np.zeros((num_games, words * WORD_BYTES), np.int8),  # rows filled up to whole words
            np.zeros(num_games, kernels.report_dtype(self.game.max_players)),
        ]

    masks: NDArray[np.int8]
    observations: NDArray[np.int8]
    players: NDArray[np.int16]
    rewards: NDArray[np.float32]
    overs: NDArray[np.bool_]
    truncateds: NDArray[np.bool_]

    def _bind(self, arrays: list[NDArray[Any]]) -> None:
        """Take arrays as the games, and show them under their public names."""
        self._tables = arrays
        self._states, self._views, self._masks, self._reports = arrays
        self._words = self._masks.view(np.uint64)
        self._blank = self.game.blank(self.options)
        self._rows = np.arange(len(self._states))
        self._reward_code = REWARDS.index(self.reward)
        self._step = self._kernel(kernels.step_rows)
        self.decisions = 0  # calls that have changed the games
        self.views = _read_only(self._views)
        self.observations = _read_only(self.game.flat(self._views))
        self.masks = _read_only(self._masks[:, : self.game.num_actions])
        self.players = _read_only(self._reports["player"])
        self.rewards = _read_only(self._reports["rewards"][:, : self.num_seats])
        self.overs = _read_only(self._reports["over"])
        self.truncateds = _read_only(self._reports["truncated"])

    def _kernel(self, function: Any) -> Any:
        return specialise(function, self.game)

    def _advance(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> int:
        """Play one action a row; the position of the first that cannot be played, -1 when all were."""
        bad: int = self._step(*self._tables, self._blank, rows, actions, self._reward_code, self.restart)
        self.decisions += bad < 0
        return bad

    def _complaint(self, rows: NDArray[np.int64], actions: NDArray[np.int64], bad: int) -> str:
        """Why the action at one position could not be played."""
        row, action = int(rows[bad]), int(actions[bad])
        if not 0 <= row < len(self):
            return f"row {row} does not exist; there are rows 0 to {len(self) - 1}"
        if row in rows[:bad]:
            return f"row {row} is named twice; a step plays one action a row"
        if self._states["over"][row]:
            return f"row {row}: the game is over; deal(rows=[{row}]) starts another"
        if not 0 <= action < self.game.num_actions:
            return f"row {row}: there is no action {action}; actions are 0 to {self.game.num_actions - 1}"
        return f"row {row}: {self._refusal(row, action)}"

    def _refusal(self, row: int, action: int) -> str:
        """Why the seat to move may not take an illegal action, in words."""
        view = self._views[row]
        reason = self.game.why_illegal(view, action) or "it is not legal now"
        return f"action {action} ({self.game.describe(view, action)}) is illegal: {reason}"

    def _check_counts(self, num_players: int | ArrayLike | None, num_games: int) -> NDArray[np.int16]:
        if isinstance(num_games, bool) or not isinstance(num_games, (int, np.integer)) or num_games < 1:
            raise ValueError(f"num_games must be a positive integer, not {num_games!r}")
        given = self.game.default_players if num_players is None else num_players
        counts = [self.game.check_players(count) for count in np.asarray(given, object).ravel()]
        if len(counts) not in (1, num_games):
            raise ValueError(f"num_players must be one number or {num_games} of them, not {len(counts)}")
        return np.array(counts * (num_games if len(counts) == 1 else 1), np.int16)

    def check_rows(self, rows: ArrayLike | None) -> NDArray[np.int64]:
        """Row numbers as an array, by default all."""
        if rows is None:
            return self._rows
        chosen = integers(rows, "rows")
        for row in chosen[(chosen < 0) | (chosen >= len(self))]:
            raise ValueError(f"row {row} does not exist; there are rows 0 to {len(self) - 1}")
        return chosen

    def _check_seats(self, rows: NDArray[np.int64], seats: ArrayLike | None) -> NDArray[np.int64]:
        if seats is None:
            return self._states["player"][rows].astype(np.int64)
        chosen = np.ascontiguousarray(np.broadcast_to(integers(seats, "seats"), rows.shape))
        counts = self._states["num_players"][rows]
        for k in np.flatnonzero((chosen < 0) | (chosen >= counts)):
            raise ValueError(f"seat {chosen[k]} does not exist; there are seats 0 to {counts[k] - 1}")
        return chosen


def check_seed(seed: Any) -> int:
    """A seed as an integer of 0 .. 2**64 - 1."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed <= MAX_SEED:
        raise ValueError(f"a seed must be an integer of 0 to 2**64 - 1, not {seed!r}")
    return int(seed)


def check_seeds(seeds: ArrayLike, needed: int) -> NDArray[np.uint64]:
    """So many seeds, one a row."""
    given = np.asarray(seeds)
    if given.dtype.kind not in "iu":  # numbers beyond 64 bits, or none at all
        given = np.array([check_seed(seed) for seed in np.asarray(seeds, object).ravel()], np.uint64)
    if given.shape != (needed,):
        raise ValueError(f"{needed} seeds are needed, one a row; got {given.size}")
    for seed in given[given < 0]:
        check_seed(seed)
    return np.ascontiguousarray(given, np.uint64)


def check_action(action: Any, num_actions: int) -> int:
    """An action as a plain integer in range."""
    try:
        number = action.__index__()
    except (AttributeError, TypeError):
        raise ValueError(f"an action must be an integer, not {action!r}") from None
    if isinstance(action, (bool, np.bool_)) or not 0 <= number < num_actions:
        raise ValueError(f"there is no action {action!r}; actions are 0 to {num_actions - 1}")
    return int(number)


def check_reward(reward: Any) -> str:
    if reward not in REWARDS:
        raise ValueError(f"reward must be one of {', '.join(REWARDS)}; not {reward!r}")
    return str(reward)


def integers(values: ArrayLike, what: str) -> NDArray[np.int64]:
    """Whole numbers as int64[...], nothing rounded."""
    array = np.asarray(values)
    if array.size == 0:
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu" or (array.dtype == np.uint64 and (array > MAX_INT).any()):
        raise ValueError(f"{what} must be integers of at most 63 bits, not {array.dtype}")
    if array.ndim > 1:
        raise ValueError(f"{what} must be one number or a flat list of them, not an array of shape {array.shape}")
    return np.ascontiguousarray(np.atleast_1d(array), np.int64)


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view


def _copied(array: NDArray[Any]) -> NDArray[Any]:
    """A copy of every byte: NumPy's own leaves the gaps between the fields of a record undefined."""
    twin = np.zeros(array.shape, array.dtype)
    twin.view(np.uint8)[:] = array.view(np.uint8)
    return twin
