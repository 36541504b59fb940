"""Thousands of games in one array, stepped in one compiled call.

The kernels take whole arrays and row numbers: a call with one record as an argument costs ten times as
much.  They return statuses; the class raises.
"""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lanterns_env.engine import kernels
from lanterns_env.engine import serialization as saving
from lanterns_env.engine.checks import (
    REWARDS,
    check_action,
    check_reward,
    check_seed,
    check_seeds,
    integers,
    plain_integer,
)
from lanterns_env.engine.compile import specialise
from lanterns_env.engine.game import Game
from lanterns_env.engine.guard import Gate, read_only
from lanterns_env.engine.observations import NAMED, Observer, check_observation
from lanterns_env.engine.showing import svg_of_games
from lanterns_env.engine.tables import block_bytes, empty_block, records_of, tables_in
from lanterns_env.games import find_game

__all__ = ["Batch", "check_action", "check_reward", "check_seed", "check_seeds", "integers"]

SETTINGS = ("game", "autoreset", "reward", "observation", "options", "num_seats")
MAX_GAMES = 2**31 - 1


class Batch:
    """Many games of one kind side by side, stepped in one compiled call.

    For the seat to move: ``observations[n, ...]``, ``views[n]``, ``action_masks[n, A]``, ``current_players[n]``.  Of
    the last step: ``rewards[n, P]``, ``dones[n]`` (the game is over), ``truncations[n]`` (because it was cut) and
    ``finished`` (records of games that ended).  Every step writes them in place: copy what you keep.  They are
    read-only for good, since a changed mask would let an illegal action in.

    Any number of threads may read a batch at the same time.  While one steps or deals, calls of others raise
    ``ValueError``.

    Args:
        game: The name of a game, such as "lanterns", or a ``Game``.
        num_games: How many games there are, one a row.
        num_players: How many play: one number for all rows, or one for each; the game's default unless given.
        seed: The seed from which the seeds of all deals are derived.
        seeds: The seed of each row's first deal, in place of ``seed``.
        autoreset: Whether a finished game gives way to the next deal of its row in the same step.
        reward: "outcome" (zero-sum, at the end), "margin" (points ahead, scaled) or "points" (as they are gained).
        observation: "named" (int8, the bytes of the views), "flat" (float32, every number divided by its bound) or
            "planes" (float32[n, C, H, W], images).
        **options: Rule variants of the game.
    """

    def __init__(
        self,
        game: str | Game,
        num_games: int = 1,
        num_players: int | ArrayLike | None = None,
        seed: int = 0,
        seeds: ArrayLike | None = None,
        autoreset: bool = True,
        reward: str = "outcome",
        observation: str = NAMED,
        **options: Any,
    ) -> None:
        self.game = find_game(game)
        self.autoreset = bool(autoreset)  # a finished game gives way to the next deal of its row at once
        self.reward = check_reward(reward)
        self.observation = check_observation(self.game, observation)
        counts = self._check_counts(num_players, num_games)
        for count in np.unique(counts)[::-1]:  # the fewest players last: an option that names a seat is one of theirs
            self.options = self.game.check_options(int(count), options)
        self.num_seats = int(counts.max())
        self._bind(empty_block(self.game, len(counts)), len(counts), self.game.blank(self.options))
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
        """The seeds of the present deals: uint64[n].  ``env.reset(seed=int(seeds[i]))`` deals the same game."""
        with self._gate:
            return self._states["seed"].copy()

    @property
    def states(self) -> NDArray[Any]:
        """A copy of the true states, for tests and tools; agents are never given them."""
        with self._gate:
            states = np.zeros(len(self), self.game.state)  # NumPy's own copy leaves the gaps between fields undefined
            states.view(np.uint8)[:] = self._states.view(np.uint8)
            return states

    @property
    def finished(self) -> NDArray[Any]:
        """The games that ended in the last step, also where the next one is dealt already: one record each.

        Its fields: ``row``; ``seed``, of the deal; ``length``, in decisions of all seats; ``points`` and ``shares`` of
        the win, [P] each.  The array is the caller's own.
        """
        with self._gate:
            return records_of(self._reports, np.flatnonzero(self._reports["ended"]), self.num_seats)

    def step(self, actions: ArrayLike, rows: ArrayLike | None = None) -> None:
        """Play one action in every row, or in the given rows.

        If any action is illegal, ``ValueError`` says which and why, and no game moves.
        """
        chosen = self._rows if rows is None else integers(rows, "rows")
        moves = integers(actions, "actions")
        if len(moves) != len(chosen):
            raise ValueError(f"step needs {len(chosen)} actions, one a row; got {len(moves)}")
        self._gate.enter()
        try:
            bad = self._advance(chosen, moves)
            if bad >= 0:
                raise ValueError(self._complaint(chosen, moves, bad))
        finally:
            self._gate.leave()

    def deal(self, rows: ArrayLike | None = None, seeds: ArrayLike | None = None) -> None:
        """Deal rows anew (by default all): from the given seeds, else each from the next seed of its stream."""
        chosen = self._chosen(rows)
        given = None if seeds is None else check_seeds(seeds, len(chosen))
        self._gate.enter()
        try:
            fresh = self._next_seeds(chosen) if given is None else given
            self._kernel(kernels.deal_rows)(*self._tables, self._blank, chosen, fresh)
            self._encode(chosen)
        finally:
            self._gate.leave()

    def observe(self, rows: ArrayLike | None = None, seats: ArrayLike | None = None) -> NDArray[Any]:
        """The observations of seats, by default of those to move: one a row, in the format of the batch."""
        return self._observer.encode(self._look(rows, seats))

    def sample(self, rng: np.random.Generator, rows: ArrayLike | None = None) -> NDArray[np.int64]:
        """One uniformly random legal action a row, -1 where the game is over: int64[rows]."""
        if not isinstance(rng, np.random.Generator):
            raise ValueError(f"sample needs a numpy.random.Generator, not {rng!r}")
        chosen = self._chosen(rows)
        actions = np.empty(len(chosen), np.int64)
        draws = np.random.Generator.integers(rng, 1 << 32, size=len(chosen), dtype=np.int64)
        with self._gate:
            kernels.sample_rows(self._words, self._reports, chosen, draws, actions)
        return actions

    def worlds(self, rows: ArrayLike, seats: ArrayLike, seeds: ArrayLike) -> "Batch":
        """Copies of rows in which everything that the seats cannot know has been dealt anew, uniformly.

        Other packages call such copies determinizations.  They do not autoreset, and their observations are "named".

        Args:
            rows: The rows to copy; a row may be named several times.
            seats: Whose knowledge stays: one seat for all rows, or one for each.
            seeds: One for each copy.
        """
        chosen = self._chosen(rows)
        fresh = check_seeds(seeds, len(chosen))
        settings = {"autoreset": False, "observation": NAMED}
        world = self._twin(empty_block(self.game, len(chosen)), len(chosen), **settings)
        with self._gate:
            seats_of_rows = self._check_seats(chosen, seats)
            self._kernel(kernels.redeal_rows)(self._states, chosen, seats_of_rows, fresh, *world._tables)
            world._reports["length"] = self._reports["length"][chosen]
        return world

    def write_to(self, memory: NDArray[np.uint8]) -> None:
        """Copy all games, with what is shown of them, into the beginning of other memory."""
        with self._gate:
            memory[: len(self._block)] = self._block

    def read_from(self, memory: NDArray[np.uint8], num_games: int) -> "Batch":
        """Copies of the games that a batch of the same settings has written there; they do not autoreset.

        Nothing is checked: the memory must come from a trusted process.
        """
        return self._twin(memory[: block_bytes(self.game, num_games)].copy(), num_games, autoreset=False)

    def random_rollouts(self, seed: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Play a copy of every game to its end with random legal actions.

        Returns:
            Final points and shares of the win: float32[n, P] each.  The batch itself does not change.
        """
        results = np.zeros((2, len(self), self.game.max_players), np.float32)
        mask = np.zeros(self._words.shape[1], np.uint64)
        scratch = np.zeros(1, self.game.state)
        seed_word = np.uint64(check_seed(seed))
        with self._gate:
            self._kernel(kernels.random_rollouts_rows)(self._states, scratch, mask, seed_word, results[0], results[1])
        return results[0, :, : self.num_seats], results[1, :, : self.num_seats]

    def scores(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Points and shares of the win if the games ended now: float32[n, P] each."""
        results = np.zeros((2, len(self), self.game.max_players), np.float32)
        with self._gate:
            self._kernel(kernels.score_rows)(self._states, results[0], results[1])
        return results[0, :, : self.num_seats], results[1, :, : self.num_seats]

    def belief(self, row: int, seat: int) -> NDArray[np.float64]:
        """Exact probabilities of what is hidden from a seat; ``ValueError`` where the game offers none."""
        if self.game.belief is None:
            raise ValueError(f"{self.game.title} offers no exact belief; redealt worlds can be counted instead")
        chosen = self.check_rows([row])
        probabilities = np.zeros(self.game.belief_shape)
        with self._gate:
            seats = self._check_seats(chosen, seat)
            self._kernel(kernels.belief_of)(self._states, int(chosen[0]), int(seats[0]), probabilities)
        return probabilities

    def copy(self) -> "Batch":
        """An independent copy."""
        with self._gate:
            block = self._block.copy()
        return self._twin(block, len(self))

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> "Batch":
        return self.copy()

    def __getstate__(self) -> bytes:
        """Bytes with a checksum: the settings and the games."""
        with self._gate:
            return saving.dump_batch(self)

    def __setstate__(self, data: bytes) -> None:
        saving.load_batch(self, data)

    # -- inside -----------------------------------------------------------------------------------------------

    def _twin(self, block: NDArray[np.uint8], num_games: int, **settings: Any) -> "Batch":
        """A batch of the same settings, but for those given, with other games."""
        twin = object.__new__(type(self))
        for name in SETTINGS:
            setattr(twin, name, settings.get(name, getattr(self, name)))
        twin._bind(block, num_games, self._blank)
        twin._encode(twin._rows)
        return twin

    _repr_svg_ = svg_of_games  # what a notebook shows

    action_masks: NDArray[np.int8]
    observations: NDArray[Any]
    current_players: NDArray[np.int16]
    rewards: NDArray[np.float32]
    dones: NDArray[np.bool_]
    truncations: NDArray[np.bool_]

    def _bind(self, block: NDArray[np.uint8], num_games: int, blank: NDArray[Any]) -> None:
        """Take memory as that of the games, and show it under its public names.  ``blank``: what a deal starts from."""
        self._block, self._tables = block, tables_in(self.game, block, num_games)
        self._states, self._views, self._masks, self._reports = self._tables
        self._words = self._masks.view(np.uint64)
        self._blank, self._no_blank = blank, blank[:0]
        self._rows = np.arange(num_games)
        self._reward_code = REWARDS.index(self.reward)
        self._step = partial(self._kernel(kernels.step_rows), *self._tables)
        self._gate = Gate()
        _, self.views, masks, reports = tables_in(self.game, read_only(block), num_games)
        self._observer = Observer(self.game, self.observation)
        self._encoded = None  # where observations are written that are not the bytes of the views
        self.observations = self.game.to_array(self.views)
        if self.observation != NAMED:
            self._encoded = np.zeros((num_games, *self._observer.space.shape), np.float32)
            self.observations = read_only(self._encoded)
        self.action_masks = masks[:, : self.game.num_actions]
        self.current_players, self.dones, self.truncations = reports["player"], reports["over"], reports["truncated"]
        self.rewards = reports["rewards"][:, : self.num_seats]

    def _kernel(self, function: Any) -> Any:
        return specialise(function, self.game)

    def _advance(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> int:
        """Play one action a row; the position of the first that cannot be played, -1 when all were.

        The caller has entered the gate, and nobody else can write to its arrays: they are checked and then played.
        """
        blank = self._blank if self.autoreset else self._no_blank
        bad: int = self._step(blank, rows, actions, self._reward_code)
        if bad < 0:
            self._encode(rows)
        return bad

    def _encode(self, rows: NDArray[np.int64]) -> None:
        """Let the observations of rows follow their views."""
        if self._encoded is None:
            return
        if rows is self._rows:
            self._observer.write(self._views, self._encoded)
        else:
            self._encoded[rows] = self._observer.encode(self._views[rows])

    def _look(self, rows: ArrayLike | None, seats: ArrayLike | None) -> NDArray[Any]:
        """The views of seats, by default of those to move."""
        chosen = self._chosen(rows)
        views = np.zeros(len(chosen), self.game.view)
        with self._gate:
            self._kernel(kernels.observe_rows)(self._states, chosen, self._check_seats(chosen, seats), views)
        return views

    def _take_over(self, states: NDArray[Any], reports: NDArray[Any]) -> None:
        """Put in games that have been checked; what is shown of them follows from them."""
        self._gate.enter()
        try:
            self._states.view(np.uint8)[:] = states.view(np.uint8)
            self._kernel(kernels.show_rows)(*self._tables)
            for name in saving.LAST_STEP:
                self._reports[name] = reports[name]
            self._encode(self._rows)
        finally:
            self._gate.leave()

    def _deal_orders(self, orders: NDArray[np.int16]) -> None:
        """Deal every row as the game lists it; the orders must be the game's own, for nothing is checked."""
        states = np.repeat(self._blank, len(self))
        states["num_players"] = self._states["num_players"]
        self._kernel(kernels.deal_orders)(states, orders)
        self._take_over(states, np.zeros_like(self._reports))

    def _next_seeds(self, rows: NDArray[np.int64]) -> NDArray[np.uint64]:
        following = np.empty(len(rows), np.uint64)
        kernels.next_seeds(self._states["seed"][rows], following)
        return following

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
        if not 1 <= plain_integer(num_games) <= MAX_GAMES:
            raise ValueError(f"num_games must be an integer of 1 to {MAX_GAMES}, not {num_games!r}")
        given = self.game.default_players if num_players is None else num_players
        counts = [self.game.check_players(count) for count in np.asarray(given, object).ravel()]
        if len(counts) not in (1, num_games):
            raise ValueError(f"num_players must be one number or {num_games} of them, not {len(counts)}")
        return np.array(counts * (num_games if len(counts) == 1 else 1), np.int16)

    def check_rows(self, rows: ArrayLike | None) -> NDArray[np.int64]:
        """Row numbers as an array of the caller's own, by default all."""
        return self._chosen(rows) if rows is not None else self._rows.copy()

    def _chosen(self, rows: ArrayLike | None) -> NDArray[np.int64]:
        if rows is None:
            return self._rows
        chosen = integers(rows, "rows")
        for row in chosen[(chosen < 0) | (chosen >= len(self))]:
            raise ValueError(f"row {row} does not exist; there are rows 0 to {len(self) - 1}")
        return chosen

    def _check_seats(self, rows: NDArray[np.int64], seats: ArrayLike | None) -> NDArray[np.int64]:
        """A seat for every row: the seats to move, one for all, or one each."""
        if seats is None:
            return self._states["player"][rows].astype(np.int64)
        chosen = integers(seats, "seats")
        if chosen.shape == (1,):
            chosen = np.full(len(rows), chosen[0])
        if chosen.shape != rows.shape:
            raise ValueError(f"{len(rows)} seats are needed, one a row, or one for all; got {len(chosen)}")
        counts = self._states["num_players"][rows]
        for k in np.flatnonzero((chosen < 0) | (chosen >= counts)):
            raise ValueError(f"seat {chosen[k]} does not exist; there are seats 0 to {counts[k] - 1}")
        return chosen
