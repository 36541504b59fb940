"""One seat of a game as a Gymnasium environment, one game or thousands; opponents play the other seats.

``step`` returns the sum of the seat's rewards up to its next decision, those from opponents' moves included.
"""

import secrets
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from lanterns_env.agent import Agent, Given, Table, fresh
from lanterns_env.engine import kernels
from lanterns_env.engine.batch import Batch, check_action, check_seed, integers
from lanterns_env.engine.game import Game
from lanterns_env.engine.streams import stream
from lanterns_env.envs.aec import ILLEGAL_REWARD, Observation, observation_space
from lanterns_env.envs.rendering import FPS, Renderer, render_modes
from lanterns_env.games import find_game

SEED_BITS = 62  # of a seed by chance
DEALS = 100  # in a row that end before the seat's first decision, before that is an error
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
        opponents: An agent, its name, or a function that makes one; or a list with one for each other seat.  Every
            seat gets an agent of its own: objects are copied, functions called.
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
    def action_masks(self) -> NDArray[np.int8]:
        """The legal actions of the seats: int8[n, A], zeros where the game is over; read-only."""
        return self.batch.action_masks

    def observations(self) -> NDArray[np.int8]:
        """The observations of the seats: int8[n, D], a copy."""
        seen = self.batch.observations.copy()
        ended = np.flatnonzero(self.dones)
        if len(ended):
            seen[ended] = self.batch.observe(ended, self.seats[ended])
        return seen

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
                actions = self.opponents[place].act(table, self._rngs[place])
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
        alike = isinstance(opponents, str) or callable(opponents) or hasattr(opponents, "act")
        each: list[Any] = [opponents] * (self.num_players - 1) if alike else list(opponents)  # type: ignore[arg-type]
        if len(each) != self.num_players - 1:
            raise ValueError(f"{self.num_players} players need {self.num_players - 1} opponents, not {len(each)}")
        return [fresh(one) for one in each]


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """One seat of one game as a Gymnasium environment; opponents play the other seats.

    ``step`` returns the sum of the seat's rewards up to its next decision.  An illegal action ends the game with -1
    and a reason in ``info["illegal"]``, as it does in PettingZoo's ``env()``.

    Args:
        game: The name of a game, or a ``Game``.
        render_mode: None, "ansi", "rgb_array" or "human".
        render_width: The width of pictures in pixels.
        **arguments: ``num_players``, how many play; ``seat``, the learner's seat or "random" (default 0);
            ``opponents``, an agent, its name, or a list with one for each other seat (default "random"); ``reward``,
            "outcome", "margin" or "points"; and the rule variants of the game.
    """

    metadata = {"render_modes": list(render_modes()), "render_fps": FPS}  # noqa: RUF012  (Gymnasium's own form)

    def __init__(
        self, game: str | Game, render_mode: str | None = None, render_width: int | None = None, **arguments: Any
    ) -> None:
        self.seats = Seats(game, 1, **arguments)
        self.render_mode = render_mode
        self._renderer = Renderer(self.seats.game, render_mode, render_width)
        self.observation_space = observation_space(self.seats.game)
        self.action_space = Discrete(self.seats.game.num_actions)
        self._dealt = False
        self._refused = ""  # why the game was ended by an illegal action

    @property
    def seat(self) -> int:
        """The seat of this deal."""
        return int(self.seats.seats[0])

    @property
    def view(self) -> Any:
        """The named record behind the observation."""
        self._check_dealt()
        return self.seats.observations().reshape(-1).view(self.seats.game.view)[0]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Deal the game of the seed; without a seed the next one of the stream, the first drawn at random.

        Opponents move until it is the seat's turn.
        """
        seed = None if seed is None else check_seed(seed)
        super().reset(seed=seed)
        if seed is None and not self._dealt:
            seed = int(self.np_random.integers(1 << 62))
        if seed is None:
            self.seats.deal()
        else:
            self.seats.seed_opponents(seed)
            self.seats.deal(seeds=[seed])
        self._dealt, self._refused = True, ""
        return self._shown()

    def step(self, action: Any) -> Any:
        self._check_dealt()
        if self._refused or self.seats.dones[0]:
            raise ResetNeeded("the game is over; call reset() for another")
        number = check_action(action, self.seats.game.num_actions)
        if not self.seats.action_masks[0][number]:
            self._refused = self.seats.batch._refusal(0, number)
            observation, info = self._shown()
            return observation, ILLEGAL_REWARD, True, False, {**info, "illegal": self._refused}
        self.seats.step([number])
        cut = bool(self.seats.truncations[0])
        ended = bool(self.seats.dones[0]) and not cut
        observation, info = self._shown()
        return observation, float(self.seats.rewards[0]), ended, cut, info

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, under the name that sb3-contrib looks for."""
        return self._mask().astype(np.bool_)

    def describe(self, action: int) -> str:
        return self.seats.game.describe(self.view, action)

    def render(self) -> Any:
        """Draw the seat's view, as ``render_mode`` says."""
        self._check_dealt()
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode; choose one when making the env")
            return None
        return self._renderer.render([self.view])

    def close(self) -> None:
        self._renderer.close()

    def _shown(self) -> tuple[Observation, dict[str, Any]]:
        """Observation and info, with the same mask; a person is shown every change without asking."""
        if self.render_mode == "human":
            self.render()
        mask = self._mask()
        observation = {"observation": self.seats.observations()[0], "action_mask": mask}
        return observation, {"action_mask": mask, "seat": self.seat}

    def _mask(self) -> NDArray[np.int8]:
        """A copy; zeros once the game is over."""
        mask = self.seats.action_masks[0]
        return np.zeros_like(mask) if self._refused else mask.copy()

    def _check_dealt(self) -> None:
        if not self._dealt:
            raise ResetNeeded("no game has been dealt yet; call reset() first")


class SeatVectorEnv(VectorEnv[Observation, NDArray[np.int64], Any]):
    """One seat in each of many games as a Gymnasium vector environment.

    ``step`` returns the sum of each seat's rewards up to its next decision.  All that it returns is copied;
    ``infos["action_mask"]`` holds the masks of all rows.  An illegal action raises ``ValueError``, and no game moves.
    A truncated game has paid its ranking: do not bootstrap.

    Args:
        game: The name of a game, or a ``Game``.
        num_envs: How many games are played side by side.
        autoreset_mode: Gymnasium's.  By default a finished game gives way to the next in the same step, since it has
            no legal action to wait with.
        render_mode: None; many games are not drawn at once.
        **arguments: ``num_players``, ``seat``, ``opponents``, ``reward`` and rule variants, as for ``SeatEnv``.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        render_mode: str | None = None,
        **arguments: Any,
    ) -> None:
        if render_mode is not None:
            raise ValueError("many games are not drawn at once; render_mode must be None")
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.render_mode = None
        self.num_envs = num_envs
        self.seats = Seats(game, num_envs, **arguments)
        self.single_observation_space = observation_space(self.seats.game)
        self.single_action_space = Discrete(self.seats.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rows = np.arange(num_envs)
        self._dealt = False
        self._ended = np.zeros(num_envs, bool)

    def reset(self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None) -> Any:
        """Deal all games, or those of ``options["reset_mask"]``.

        Args:
            seed: An integer deals ``seed + i`` in row i, as Gymnasium's own vector environments do; or a list.
            options: ``{"reset_mask": bool[n]}`` resets some games only.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        rows = self._rows
        if options and "reset_mask" in options:
            rows = np.flatnonzero(self._check_mask(options["reset_mask"]))
        if not self._dealt and len(rows) < self.num_envs:
            raise ResetNeeded("no game has been dealt yet; reset all of them first")
        self.seats.deal(rows, self._seeds(seed, rows))
        self._dealt = True
        self._ended[rows] = False
        observations = self._observations()
        return observations, self._infos(np.isin(self._rows, rows), observations)

    def step(self, actions: NDArray[np.int64]) -> Any:
        if not self._dealt:
            raise ResetNeeded("no game has been dealt yet; call reset() first")
        moves = integers(actions, "actions")
        if moves.shape != (self.num_envs,):
            raise ValueError(f"step needs {self.num_envs} actions, one a game; got an array of shape {moves.shape}")
        if self.autoreset_mode == AutoresetMode.NEXT_STEP and self._ended.any():
            return self._step_and_reset(moves)
        if self._ended.any():
            raise ValueError(f"games {np.flatnonzero(self._ended).tolist()} are over; reset them first")
        self.seats.step(moves)
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self.seats.dones.any():
            return self._reset_in_the_same_step()
        self._ended = self.seats.dones.copy()
        return self._results(*self._figures())

    def action_masks(self) -> NDArray[np.bool_]:
        return self.seats.action_masks.astype(np.bool_)

    def _step_and_reset(self, moves: NDArray[np.int64]) -> Any:
        """Games that ended in the last step are dealt anew, their actions ignored; the others move."""
        ended, going = np.flatnonzero(self._ended), np.flatnonzero(~self._ended)
        if len(going):
            self.seats.step(moves[going], going)
        self.seats.deal(ended)
        self._ended = self.seats.dones.copy()
        return self._results(*self._figures())

    def _reset_in_the_same_step(self) -> Any:
        """The last observations of finished games go into infos, the next deals take their place."""
        ended, figures = np.flatnonzero(self.seats.dones), self._figures()
        finals = self._finals(ended)
        self.seats.deal(ended)
        observations, *rest, infos = self._results(*figures)
        return observations, *rest, {**infos, **finals}

    def _finals(self, ended: NDArray[np.int64]) -> dict[str, Any]:
        """What the seats of finished games saw last, in the form of Gymnasium's own vector environments."""
        seen = self.seats.batch.observe(ended, self.seats.seats[ended])
        no_actions = np.zeros(self.seats.game.num_actions, np.int8)
        final_obs = np.full(self.num_envs, None, dtype=object)
        for observation, row in zip(seen, ended, strict=True):
            final_obs[row] = {"observation": observation, "action_mask": no_actions.copy()}
        over = self.seats.dones.copy()
        return {"final_obs": final_obs, "_final_obs": over, "final_info": self._infos(over), "_final_info": over}

    def _figures(self) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        """Rewards, terminations and truncations of the step."""
        cut = self.seats.truncations.copy()
        return self.seats.rewards.astype(np.float64), self.seats.dones & ~cut, cut

    def _results(self, rewards: Any, over: Any, cut: Any) -> Any:
        observations = self._observations()
        return observations, rewards, over, cut, self._infos(np.ones(self.num_envs, np.bool_), observations)

    def _observations(self) -> Observation:
        return {"observation": self.seats.observations(), "action_mask": self.seats.action_masks.copy()}

    def _infos(self, which: NDArray[np.bool_], observations: Observation | None = None) -> dict[str, Any]:
        """Masks, the same array as in the observations, and seats, for some rows."""
        action_masks = self.seats.action_masks.copy() if observations is None else observations["action_mask"]
        return {"action_mask": action_masks, "_action_mask": which, "seat": self.seats.seats.copy(), "_seat": which}

    def _seeds(self, seed: int | Sequence[int] | None, rows: NDArray[np.int64]) -> list[int] | None:
        """The seeds of some rows; None goes on in their streams."""
        if seed is None and self._dealt:
            return None
        if seed is None:
            seed = int(np.random.default_rng().integers(1 << 62))
        if isinstance(seed, (int, np.integer)):
            self.seats.seed_opponents(check_seed(int(seed)))
            return [int(seed) + int(row) for row in rows]
        if len(seed) != self.num_envs:
            raise ValueError(f"reset needs {self.num_envs} seeds, one a game; got {len(seed)}")
        self.seats.seed_opponents(*(check_seed(one) for one in seed))
        return [seed[row] for row in rows]

    def _check_mask(self, mask: Any) -> NDArray[np.bool_]:
        array = np.asarray(mask)
        if array.shape != (self.num_envs,) or array.dtype != bool or not array.any():
            raise ValueError(f"reset_mask must hold {self.num_envs} booleans, at least one of them true")
        return array
