"""One seat in each of many games as a stable-baselines3 VecEnv: no subprocesses, opponents act in batches.

The one module that needs more than the core (the extra "sb3"); nothing else imports it.
"""

import secrets
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from lanterns_env.support.extras import needed_by

with needed_by(__name__):
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv

from lanterns_env.engine.batch import check_seed
from lanterns_env.engine.game import Game
from lanterns_env.engine.observations import FLAT, NAMED, Observer
from lanterns_env.envs.seats import ADVICE, Opponents, Seats


class SeatVecEnv(VecEnv):
    """One seat in each of many games as a stable-baselines3 ``VecEnv``, for MaskablePPO of sb3-contrib.

    ``step`` returns the sum of each seat's rewards up to its next decision.  ``infos[i]["episode"]`` holds return and
    length of a finished game, as SB3's Monitor does, ``infos[i]["finished"]`` seed, length (decisions of all seats),
    points and shares.

    Args:
        game: The name of a game, or a ``Game``.
        num_envs: How many games are played side by side.
        num_players: How many play; the game's default unless given.
        seat: The learner's seat, or "random" to draw one for every deal.
        opponents: An agent, its name, a function that makes one, or a model of stable-baselines3 as it is now; or a
            list with one for each other seat.
        reward: "outcome", "margin" or "points".
        seed: Of the deals and of the opponents' random numbers; random unless given.
        observation: "flat" (float32[D], every number divided by its bound; "MlpPolicy"), "named" (a dict of int8[D] and
            mask, as ``gymnasium.make`` has it; "MultiInputPolicy") or "planes" (float32[C, H, W]).
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
        observation: str = FLAT,
        **options: Any,
    ) -> None:
        self.render_mode = None
        self.seats = Seats(game, num_envs, num_players, seat, opponents, reward, **options)
        self._observer = Observer(self.seats.game, observation)
        super().__init__(num_envs, self._observer.seat_space(), Discrete(self.seats.game.num_actions))
        self.actions = np.zeros(num_envs, np.int64)
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        self._begun = time.time()
        self._dealt = False
        if seed is not None:
            self.seed(seed)

    def reset(self) -> Any:
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
        return self.observations()

    def step_async(self, actions: NDArray[Any]) -> None:
        self.actions = np.asarray(actions)

    def step_wait(self) -> Any:
        self._play()
        rewards, dones = self.seats.rewards.copy(), self.seats.dones.copy()
        self._returns += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(dones)
        if len(ended):
            self._finish(ended, infos)
            self.seats.deal(ended)
        return self.observations(), rewards, dones, infos

    def _play(self) -> None:
        try:
            self.seats.step(self.actions)
        except ValueError as error:
            if self.seats.all_to_move:  # nothing has moved: it was an action of ours
                raise ValueError(f"{error}. {ADVICE}") from error
            raise

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of all seats: bool[n, A]."""
        return self.seats.action_masks.astype(np.bool_)

    def observations(self) -> Any:
        """What the seats see: an array, or for "named" a dict of arrays."""
        return self._seen(np.arange(self.num_envs))

    def _seen(self, rows: NDArray[np.int64]) -> Any:
        seen = self._observer.encode(self.seats.views()[rows])
        named = self._observer.observation == NAMED
        return {"observation": seen, "action_mask": self.seats.action_masks[rows]} if named else seen

    def _finish(self, ended: NDArray[np.int64], infos: list[dict[str, Any]]) -> None:
        """What SB3 expects in the infos of finished games, and their records."""
        last, finished = self._seen(ended), self.seats.finished(ended)
        elapsed = round(time.time() - self._begun, 6)
        for place, row in enumerate(ended):
            named = isinstance(last, dict)
            infos[row] = {
                "terminal_observation": {key: last[key][place] for key in last} if named else last[place],
                "TimeLimit.truncated": False,  # a cut game pays its ranking: an end, not to be bootstrapped
                "episode": {"r": float(self._returns[row]), "l": int(self._lengths[row]), "t": elapsed},
                "finished": {name: values[place] for name, values in finished.items()},
            }
        self._returns[ended] = 0
        self._lengths[ended] = 0

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
        """Infos have what SB3's Monitor puts there; no other wrapper is around a seat."""
        return [wrapper_class is Monitor for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[NDArray[Any] | None]:
        return [None] * self.num_envs

    def close(self) -> None:
        """Nothing to close."""
