"""One seat in each of many games as a Gymnasium vector environment."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from lanterns_env.engine.batch import check_seed, integers
from lanterns_env.engine.game import Game
from lanterns_env.engine.observations import NAMED, Observer
from lanterns_env.envs.aec import Observation
from lanterns_env.envs.seats import Seats


class SeatVectorEnv(VectorEnv[Observation, NDArray[np.int64], Any]):
    """One seat in each of many games as a Gymnasium vector environment.

    ``step`` returns the sum of each seat's rewards up to its next decision.  All that it returns is copied;
    ``infos["action_mask"]`` holds the masks of all rows.  An illegal action raises ``ValueError``, and no game moves.
    A truncated game has paid its ranking: do not bootstrap.  ``"finished"``, in ``final_info`` or where there is none
    in infos, holds seed, length (decisions of all seats), points and shares of games that ended.

    Args:
        game: The name of a game, or a ``Game``.
        num_envs: How many games are played side by side.
        autoreset_mode: Gymnasium's.  By default a finished game gives way to the next in the same step, since it has
            no legal action to wait with.
        render_mode: None; many games are not drawn at once.
        observation: "named" (a dict of ``observation``, int8[n, D], and ``action_mask``), "flat" (float32[n, D]) or
            "planes" (float32[n, C, H, W]).
        **arguments: ``num_players``, ``seat``, ``opponents``, ``reward`` and rule variants, as for ``SeatEnv``.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        render_mode: str | None = None,
        observation: str = NAMED,
        **arguments: Any,
    ) -> None:
        if render_mode is not None:
            raise ValueError("many games are not drawn at once; render_mode must be None")
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.render_mode = None
        self.num_envs = num_envs
        self.seats = Seats(game, num_envs, **arguments)
        self._observer = Observer(self.seats.game, observation)
        self.single_observation_space = self._observer.seat_space()
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
        action_masks = self.seats.action_masks.copy()
        return self._observations(action_masks), self._infos(np.isin(self._rows, rows), action_masks)

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
        *results, infos = self._results(*self._figures())
        return *results, {**infos, **self._finished(self._ended)}

    def action_masks(self) -> NDArray[np.bool_]:
        return self.seats.action_masks.astype(np.bool_)

    def _step_and_reset(self, moves: NDArray[np.int64]) -> Any:
        """Games that ended in the last step are dealt anew, their actions ignored; the others move."""
        ended, going = np.flatnonzero(self._ended), np.flatnonzero(~self._ended)
        if len(going):
            self.seats.step(moves[going], going)
        over = self.seats.dones & ~self._ended
        finished = self._finished(over)
        self.seats.deal(ended)
        self._ended = over
        *results, infos = self._results(*self._figures())
        return *results, {**infos, **finished}

    def _reset_in_the_same_step(self) -> Any:
        """The last observations of finished games go into infos, the next deals take their place."""
        ended, figures = np.flatnonzero(self.seats.dones), self._figures()
        finals = self._finals(ended)
        self.seats.deal(ended)
        *results, infos = self._results(*figures)
        return *results, {**infos, **finals}

    def _finals(self, ended: NDArray[np.int64]) -> dict[str, Any]:
        """What the seats of finished games saw last, in the form of Gymnasium's own vector environments."""
        seen = self._observer.encode(self.seats.batch._look(ended, self.seats.seats[ended]))
        no_actions = np.zeros(self.seats.game.num_actions, np.int8)
        final_obs = np.full(self.num_envs, None, dtype=object)
        for observation, row in zip(seen, ended, strict=True):
            final_obs[row] = self._shown(observation, no_actions.copy())
        over = self.seats.dones.copy()
        infos = {**self._infos(over, self.seats.action_masks.copy()), **self._finished(over)}
        return {"final_obs": final_obs, "_final_obs": over, "final_info": infos, "_final_info": over}

    def _finished(self, over: NDArray[np.bool_]) -> dict[str, Any]:
        """The records of games that are over, in the form of Gymnasium's own vector environments."""
        if not over.any():
            return {}
        records: dict[str, Any] = {}
        for name, values in self.seats.finished(np.flatnonzero(over)).items():
            records[name] = np.zeros((self.num_envs, *values.shape[1:]), values.dtype)
            records[name][over] = values
            records[f"_{name}"] = over
        return {"finished": records, "_finished": over}

    def _figures(self) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
        """Rewards, terminations and truncations of the step."""
        cut = self.seats.truncations.copy()
        return self.seats.rewards.astype(np.float64), self.seats.dones & ~cut, cut

    def _results(self, rewards: Any, over: Any, cut: Any) -> Any:
        action_masks = self.seats.action_masks.copy()
        infos = self._infos(np.ones(self.num_envs, np.bool_), action_masks)
        return self._observations(action_masks), rewards, over, cut, infos

    def _observations(self, action_masks: NDArray[np.int8]) -> Observation:
        return self._shown(self._observer.encode(self.seats.views()), action_masks)

    def _shown(self, observations: NDArray[Any], action_masks: NDArray[np.int8]) -> Observation:
        named = self._observer.observation == NAMED
        return {"observation": observations, "action_mask": action_masks} if named else observations

    def _infos(self, which: NDArray[np.bool_], action_masks: NDArray[np.int8]) -> dict[str, Any]:
        """Masks, the same array as in the observations, and seats, for some rows."""
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
