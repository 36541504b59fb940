"""Observations: what a network is given of a view, in the format that it takes.

Every environment, ``Batch`` and agents made from models ask an ``Observer``, so that the same position is the same
array everywhere.
"""

from functools import cached_property
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Space
from numpy.typing import NDArray

from lanterns_env.engine.game import Game

NAMED, FLAT, PLANES = FORMATS = ("named", "flat", "planes")


class Observer:
    """Makes observations from views.

    ``space`` is that of one observation without its mask, ``encode(views)`` an array with a row for each view.  Both
    are alike for all numbers of players and all options.

    Args:
        game: The game.
        observation: "named": int8[D], the bytes of the view.  "flat": float32[D], every number divided by its bound,
            so that it lies in -1..1.  "planes": float32[C, H, W], the board as an image.
    """

    def __init__(self, game: Game, observation: str = NAMED) -> None:
        self.game = game
        self.observation = check_observation(game, observation)

    @cached_property
    def space(self) -> Box:
        if self.observation == PLANES:
            planes = self.game.planes
            low, high = (np.broadcast_to(bound[:, None, None], planes.shape) for bound in (planes.low, planes.high))
            return Box(low, high, dtype=np.float32)
        if self.observation == FLAT:
            return Box(self.game.low / self.game.bound, self.game.high / self.game.bound, dtype=np.float32)
        return Box(self.game.low, self.game.high, dtype=np.int8)

    def seat_space(self, more_actions: int = 0) -> Space[Any]:
        """What environments declare: for "named" a ``Dict`` with the mask; else the mask is in info alone."""
        if self.observation != NAMED:
            return self.space
        return Dict(observation=self.space, action_mask=Box(0, 1, (self.game.num_actions + more_actions,), np.int8))

    def state_space(self, num_players: int) -> Box:
        """That of the observations of all players, one after the other."""
        low, high = (np.concatenate([bound] * num_players) for bound in (self.space.low, self.space.high))
        return Box(low, high, dtype=self.space.dtype.type)

    def encode(self, views: NDArray[Any]) -> NDArray[Any]:
        """The observations of views, one row a view; "named" ones share their memory."""
        if self.observation == NAMED:
            return self.game.to_array(views)
        observations = np.empty((len(views), *self.space.shape), self.space.dtype)
        self.write(views, observations)
        return observations

    def write(self, views: NDArray[Any], observations: NDArray[Any]) -> None:
        """Write the observations of views into an array, unless they are "named"."""
        if self.observation == PLANES:
            self.game.planes.write(views, observations)
        else:
            np.divide(self.game.to_array(views), self.game.bound, out=observations)


def check_observation(game: Game, observation: Any) -> str:
    """The format, if there is one of this name and the game has it."""
    if not isinstance(observation, str) or observation not in FORMATS:
        raise ValueError(f"observation must be one of {', '.join(map(repr, FORMATS))}; not {observation!r}")
    if observation == PLANES and game.planes is None:
        raise ValueError(f"{game.title} has no planes: {game.no_planes}; observation='flat' has all its numbers")
    return observation
