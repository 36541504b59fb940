"""One seat of a game as a Gymnasium environment, one game or thousands; opponents play the other seats.

``step`` returns the sum of the seat's rewards up to its next decision, those from opponents' moves included.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from lanterns_env.engine.batch import check_action, check_seed
from lanterns_env.engine.game import Game
from lanterns_env.engine.observations import NAMED, Observer
from lanterns_env.envs.aec import ILLEGAL_REWARD, Observation
from lanterns_env.envs.rendering import FPS, Renderer, render_modes
from lanterns_env.envs.seats import ADVICE, Opponents, Seats
from lanterns_env.envs.vector import SeatVectorEnv

__all__ = ["Opponents", "SeatEnv", "SeatVectorEnv", "Seats"]


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """One seat of one game as a Gymnasium environment; opponents play the other seats.

    ``step`` returns the sum of the seat's rewards up to its next decision.  An illegal action ends the game with -1
    and a reason in ``info["illegal"]``, as it does in PettingZoo's ``env()``.  At the end ``info["finished"]`` holds
    seed, length (decisions of all seats), points and shares of the game.

    Args:
        game: The name of a game, or a ``Game``.
        render_mode: None, "ansi", "rgb_array" or "human".
        render_width: The width of pictures in pixels.
        observation: "named" (a dict of ``observation``, int8[D], and ``action_mask``), "flat" (float32[D], every number
            divided by its bound) or "planes" (float32[C, H, W]).  The mask is in ``info["action_mask"]`` too.
        **arguments: ``num_players``, how many play; ``seat``, the learner's seat or "random" (default 0);
            ``opponents``, an agent, its name, or a list with one for each other seat (default "random"); ``reward``,
            "outcome", "margin" or "points"; and the rule variants of the game.
    """

    metadata = {"render_modes": list(render_modes()), "render_fps": FPS}  # noqa: RUF012  (Gymnasium's own form)

    def __init__(
        self,
        game: str | Game,
        render_mode: str | None = None,
        render_width: int | None = None,
        observation: str = NAMED,
        **arguments: Any,
    ) -> None:
        self.seats = Seats(game, 1, **arguments)
        self.render_mode = render_mode
        self._renderer = Renderer(self.seats.game, render_mode, render_width)
        self._observer = Observer(self.seats.game, observation)
        self.observation_space = self._observer.seat_space()
        self.action_space = Discrete(self.seats.game.num_actions)
        self._dealt = False
        self._refused = ""  # why the game was ended by an illegal action
        self._warned = False

    @property
    def seat(self) -> int:
        """The seat of this deal."""
        return int(self.seats.seats[0])

    @property
    def view(self) -> Any:
        """The named record behind the observation."""
        self._check_dealt()
        return self.seats.views()[0]

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
            self._refuse(number)
            observation, info = self._shown()
            return observation, ILLEGAL_REWARD, True, False, {**info, "illegal": self._refused}
        self.seats.step([number])
        cut = bool(self.seats.truncations[0])
        ended = bool(self.seats.dones[0]) and not cut
        observation, info = self._shown()
        if ended or cut:
            info["finished"] = {name: values[0] for name, values in self.seats.finished(np.zeros(1, int)).items()}
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
        seen = self._observer.encode(self.seats.views())[0]
        observation = {"observation": seen, "action_mask": mask} if self._observer.observation == NAMED else seen
        return observation, {"action_mask": mask, "seat": self.seat}

    def _refuse(self, action: int) -> None:
        """An illegal action ends the game; the first comes with advice."""
        self._refused = self.seats.batch._refusal(0, action)
        if not self._warned:
            self._warned = True
            gymnasium.logger.warn(
                f"an illegal action ended the game; info['action_mask'] says which are legal. {ADVICE}"
            )

    def _mask(self) -> NDArray[np.int8]:
        """A copy; zeros once the game is over."""
        mask = self.seats.action_masks[0]
        return np.zeros_like(mask) if self._refused else mask.copy()

    def _check_dealt(self) -> None:
        if not self._dealt:
            raise ResetNeeded("no game has been dealt yet; call reset() first")
