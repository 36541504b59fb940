"""One seat in each of many games; opponents play the others, asked in batches."""

import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import ArrayLike, NDArray

from lanterns_env.agent import Agent, Given, Model, Table, asked, fresh
from lanterns_env.engine import kernels
from lanterns_env.engine.batch import Batch
from lanterns_env.engine.game import Game
from lanterns_env.engine.streams import stream
from lanterns_env.engine.tables import records_of
from lanterns_env.games import find_game

SEED_BITS = 62  # of a seed by chance
DEALS = 100  # in a row that end before the seat's first decision, before that is an error
RECORD = ("seed", "length", "points", "shares")  # what infos have of a game that is over
ADVICE = "PPO of stable-baselines3 knows no masks, MaskablePPO of sb3-contrib does"
STREAM = "opponent"  # the label of the random numbers that opponents draw
Opponents = Given | Sequence[Given]


class Seats:
    """One seat in each of many games: what the environments below are made of.  Opponents act in batches.

    After every step each game waits for its seat, or is over.

    Args:
        game: The name of a game, or a ``Game``.
        num_games: How many games are played side by side.
        num_players: How many play; the game's default unless given.
        seat: The learner's seat, or "random" to draw one for every deal.
        opponents: An agent, its name, a function that makes one, or a model of stable-baselines3, which plays as it
            is now; or a list with one for each other seat.  Every seat gets an agent of its own: objects are copied,
            functions called.
        reward: "outcome", "margin" or "points".
        **options: Rule variants of the game.
    """

    def __init__(
        self,
        game: str | Game,
        num_games: int,
        num_players: int | None = None,
        seat: int | str = 0,
        opponents: Opponents = "random",
        reward: str = "outcome",
        **options: Any,
    ) -> None:
        self.game = find_game(game)
        count = self.game.check_players(self.game.default_players if num_players is None else num_players)
        chosen = self.game.check_options(count, options)  # seeds and the like are for reset
        self.batch = Batch(self.game, num_games, count, autoreset=False, reward=reward, **chosen)
        self.num_players = self.batch.num_seats
        self._seat = self._check_seat(seat)
        self.opponents = self._seated(opponents)
        self.seats = np.zeros(num_games, np.int64)
        self.games = np.zeros(num_games, np.int64)
        self.rewards = np.zeros(num_games, np.float32)
        self._before = np.zeros(num_games, np.float32)  # what fell to the seat before its first decision
        self._rows = np.arange(num_games)
        self._games_dealt = 0
        self.seed_opponents(secrets.randbits(SEED_BITS))

    def seed_opponents(self, *seeds: int) -> None:
        """Seed the random numbers of the opponents.  Nothing about any deal follows from them."""
        self._rngs = [stream(STREAM, *seeds, place) for place in range(1, self.num_players)]

    @property
    def streams(self) -> list[Any]:
        """The states of the opponents' random generators, to be saved."""
        return [rng.bit_generator.state for rng in self._rngs]

    @streams.setter
    def streams(self, states: list[Any]) -> None:
        if len(states) != len(self._rngs):
            raise ValueError(f"{len(self._rngs)} opponents draw random numbers, not {len(states)}")
        for rng, state in zip(self._rngs, states, strict=True):
            rng.bit_generator.state = state

    @property
    def dones(self) -> NDArray[np.bool_]:
        return self.batch.dones

    @property
    def truncations(self) -> NDArray[np.bool_]:
        return self.batch.truncations

    @property
    def all_to_move(self) -> bool:
        """Whether every game waits for its seat, or is over."""
        return not len(self._not_ours(self._rows))

    @property
    def action_masks(self) -> NDArray[np.int8]:
        """The legal actions of the seats: int8[n, A], zeros where the game is over; read-only."""
        return self.batch.action_masks

    def views(self) -> NDArray[Any]:
        """The views of the seats: a copy, one record a row."""
        seen = self.batch.views.copy()
        ended = np.flatnonzero(self.dones)
        if len(ended):
            seen[ended] = self.batch._look(ended, self.seats[ended])
        return seen

    def finished(self, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """Of games that are over: the seed of the deal, the length in decisions of all seats, points and shares."""
        records = records_of(self.batch._reports, rows, self.num_players)
        return {name: records[name] for name in RECORD}

    def deal(self, rows: NDArray[np.int64] | None = None, seeds: ArrayLike | None = None) -> None:
        """Deal rows anew (by default all), and let the opponents move up to the seat's first decision.

        A game that ends before it is followed by the next of its row.
        """
        chosen = self._rows if rows is None else rows
        self._deal_once(chosen, seeds)
        for _ in range(DEALS):
            chosen = chosen[self.dones[chosen]]
            if not len(chosen):
                return
            self._deal_once(chosen, None)
        raise ValueError(f"with these options seat {self._seat} never comes to move")

    def _deal_once(self, chosen: NDArray[np.int64], seeds: ArrayLike | None) -> None:
        self.batch.deal(chosen, seeds)
        self.rewards[chosen] = 0
        self.games[chosen] = self._games_dealt + np.arange(len(chosen))
        self._games_dealt += len(chosen)
        self.seats[chosen] = self._drawn_seats(chosen) if self._seat < 0 else self._seat
        self._let_opponents_move(chosen)
        self._before[chosen] = self.rewards[chosen]
        self.rewards[chosen] = 0

    def step(self, actions: ArrayLike, rows: NDArray[np.int64] | None = None) -> None:
        """Play the seats' actions, then the opponents' up to the seats' next decisions."""
        chosen = self._rows if rows is None else rows
        if not self._games_dealt or len(self._not_ours(chosen)):
            raise ResetNeeded("a seat is not to move: nothing was dealt, or an opponent failed; deal anew")
        self.batch.step(actions, chosen)
        self.rewards[chosen] = self._before[chosen] + self.batch.rewards[chosen, self.seats[chosen]]
        self._before[chosen] = 0
        self._let_opponents_move(chosen)

    def _let_opponents_move(self, rows: NDArray[np.int64]) -> None:
        waiting = self._not_ours(rows)
        while len(waiting):
            for place, its_rows in self._by_place(waiting):
                table = Table(self.batch, its_rows, self.games[its_rows])
                actions = asked(self.opponents[place], table, self._rngs[place])
                self.batch.step(actions, its_rows)
                self.rewards[its_rows] += self.batch.rewards[its_rows, self.seats[its_rows]]
            waiting = self._not_ours(waiting)

    def _not_ours(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those rows in which somebody else is to move."""
        waiting: NDArray[np.int64] = rows[~self.dones[rows] & (self.batch.current_players[rows] != self.seats[rows])]
        return waiting

    def _by_place(self, rows: NDArray[np.int64]) -> list[tuple[int, NDArray[np.int64]]]:
        """The rows that wait for each of the opponents, by its place."""
        places_on = (self.batch.current_players[rows] - self.seats[rows]) % self.num_players
        groups = [(place, rows[places_on == place + 1]) for place in range(len(self.opponents))]
        return [(place, its_rows) for place, its_rows in groups if len(its_rows)]

    def _drawn_seats(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """A seat for each row, from the seed of its deal."""
        drawn = np.empty(len(rows), np.uint64)
        kernels.next_seeds(self.batch.seeds[rows], drawn)
        return (drawn % np.uint64(self.num_players)).astype(np.int64)

    def _check_seat(self, seat: int | str) -> int:
        """The seat's number, -1 if it is drawn."""
        if isinstance(seat, (int, np.integer)) and not isinstance(seat, bool) and 0 <= seat < self.num_players:
            return int(seat)
        if isinstance(seat, str) and seat == "random":
            return -1
        raise ValueError(f"seat must be 0 to {self.num_players - 1} or 'random', not {seat!r}")

    def _seated(self, opponents: Opponents) -> list[Agent]:
        """An agent for every other seat, in turn order after ours."""
        alike = isinstance(opponents, (str, Model)) or callable(opponents) or hasattr(opponents, "act")
        if not alike and not isinstance(opponents, Sequence):
            raise ValueError(
                f"an opponent has act(table, rng), or is a name, a model, or what makes one: {opponents!r}"
            )
        each: list[Any] = [opponents] * (self.num_players - 1) if alike else list(opponents)  # type: ignore[arg-type]
        if len(each) != self.num_players - 1:
            raise ValueError(f"{self.num_players} players need {self.num_players - 1} opponents, not {len(each)}")
        return [fresh(one) for one in each]
