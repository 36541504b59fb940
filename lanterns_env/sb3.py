"""One seat in each of many games as a stable-baselines3 VecEnv: no subprocesses, opponents act in batches.

The one module that needs more than the core (the extra "sb3"); nothing else imports it.
"""

import secrets
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from lanterns_env.engine.extras import needed_by

with needed_by(__name__):
    from stable_baselines3.common.vec_env import VecEnv

from lanterns_env.engine.batch import check_seed
from lanterns_env.engine.game import Game
from lanterns_env.envs.seats import Opponents, Seats


class SeatVecEnv(VecEnv):
    """One seat in each of many games as a stable-baselines3 ``VecEnv``, for MaskablePPO of sb3-contrib.

    ``step`` returns the sum of each seat's rewards up to its next decision.  ``infos[i]["episode"]`` holds return and
    length of a finished game, as SB3's Monitor does.

    Args:
        game: The name of a game, or a ``Game``.
        num_envs: How many games are played side by side.
        num_players: How many play; the game's default unless given.
        seat: The learner's seat, or "random" to draw one for every deal.
        opponents: An agent, its name, or a list with one for each other seat.
        reward: "outcome", "margin" or "points".
        seed: Of the deals and of the opponents' random numbers; random unless given.
        scaled: Whether observations are float32, every number divided by its bound, instead of int8.
        **options: Rule variants of the game.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        num_players: int | None = None,
        seat: int | str = 0,
        opponents: Opponents = "random",
        reward: str = "outcome",
        seed: int | None = None,
        scaled: bool = True,
        **options: Any,
    ) -> None:
        self.render_mode = None
        self.seats = Seats(game, num_envs, num_players, seat, opponents, reward, **options)
        low, high = self.seats.game.low, self.seats.game.high
        self._bounds = np.maximum(np.abs(low.astype(np.float32)), high) if scaled else None
        space = Box(low, high, dtype=np.int8) if self._bounds is None else Box(low / self._bounds, high / self._bounds)
        super().__init__(num_envs, space, Discrete(self.seats.game.num_actions))
        self.actions = np.zeros(num_envs, np.int64)
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        self._begun = time.time()
        self._dealt = False
        if seed is not None:
            self.seed(seed)

    def reset(self) -> NDArray[Any]:
        """Deal all games: from the last seed given, once; after that each row goes on in its stream."""
        if self._seeds[0] is None and not self._dealt:
            self.seed(secrets.randbits(32))
        self._dealt = True
        if self._seeds[0] is not None:
            self.seats.seed_opponents(*(check_seed(seed) for seed in self._seeds))
            self.seats.deal(seeds=np.array(self._seeds, object))
        else:
            self.seats.deal()
        self._reset_seeds()
        self._reset_options()
        self._returns[:] = 0
        self._lengths[:] = 0
        return self._scaled(self.seats.observations())

    def step_async(self, actions: NDArray[Any]) -> None:
        self.actions = np.asarray(actions)

    def step_wait(self) -> Any:
        self.seats.step(self.actions)
        rewards, dones = self.seats.rewards.copy(), self.seats.dones.copy()
        self._returns += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(dones)
        if len(ended):
            self._finish(ended, infos)
            self.seats.deal(ended)
        return self._scaled(self.seats.observations()), rewards, dones, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of all seats: bool[n, A]."""
        return self.seats.action_masks.astype(np.bool_)

    def _finish(self, ended: NDArray[np.int64], infos: list[dict[str, Any]]) -> None:
        """What SB3 expects in the infos of finished games."""
        last = self._scaled(self.seats.batch.observe(ended, self.seats.seats[ended]))
        elapsed = round(time.time() - self._begun, 6)
        for row, observation in zip(ended, last, strict=True):
            infos[row] = {
                "terminal_observation": observation,
                "TimeLimit.truncated": False,  # a cut game pays its ranking: an end, not to be bootstrapped
                "episode": {"r": float(self._returns[row]), "l": int(self._lengths[row]), "t": elapsed},
            }
        self._returns[ended] = 0
        self._lengths[ended] = 0

    def _scaled(self, observations: NDArray[np.int8]) -> NDArray[Any]:
        return observations if self._bounds is None else observations / self._bounds

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        if method_name != "action_masks":
            raise AttributeError(f"a seat has no method {method_name!r}; there is: action_masks")
        masks = self.action_masks()
        return [masks[row] for row in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        if len(list(self._get_indices(indices))) != self.num_envs:
            raise ValueError(f"{attr_name} is one for all rows")
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[NDArray[Any] | None]:
        return [None] * self.num_envs

    def close(self) -> None:
        """Nothing to close."""
