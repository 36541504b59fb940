"""What is handed in, checked once where it comes in: seeds, actions, rows; ValueError says what is allowed."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lanterns_env.engine.game import MAX_SEED

INT64 = np.dtype(np.int64)
REWARDS = ("outcome", "margin", "points")


def plain_integer(value: Any) -> int:
    """A Python or NumPy integer as Python's own, -1 if it is none."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    return int(value) if whole else -1


def check_seed(seed: Any) -> int:
    """A seed as an integer of 0 .. 2**64 - 1."""
    number = plain_integer(seed)
    if not 0 <= number <= MAX_SEED:
        raise ValueError(f"a seed must be an integer of 0 to 2**64 - 1, not {seed!r}")
    return number


def check_seeds(seeds: ArrayLike, needed: int) -> NDArray[np.uint64]:
    """So many seeds, one a row, in memory that nobody else can write to."""
    array = np.asarray(seeds)
    if array.dtype.kind not in "iu":  # numbers beyond 64 bits, or none at all
        array = np.array([check_seed(seed) for seed in np.asarray(seeds, object).ravel()], np.uint64)
    own = array.astype(np.uint64)
    if own.shape != (needed,):
        raise ValueError(f"{needed} seeds are needed, one a row; got {own.size}")
    if array.dtype.kind == "i":
        for seed in own.view(np.int64)[own.view(np.int64) < 0]:
            check_seed(seed)
    return own


def check_action(action: Any, num_actions: int) -> int:
    """An action as a plain integer in range."""
    if type(action) is int and 0 <= action < num_actions:
        return action
    try:
        number = int(action.__index__())
    except (AttributeError, TypeError):
        raise ValueError(f"an action must be an integer, not {action!r}") from None
    if isinstance(action, (bool, np.bool_)) or not 0 <= number < num_actions:
        raise ValueError(f"there is no action {action!r}; actions are 0 to {num_actions - 1}")
    return number


def check_reward(reward: Any) -> str:
    if not isinstance(reward, str) or reward not in REWARDS:
        raise ValueError(f"reward must be one of {', '.join(REWARDS)}; not {reward!r}")
    return str(reward)


def integers(values: ArrayLike, what: str) -> NDArray[np.int64]:
    """Whole numbers as int64[...], nothing rounded, in memory that nobody else can write to.

    What is checked is what the kernels get: they run without the interpreter's lock.
    """
    array = np.asarray(values)
    if array.dtype is INT64 and array.ndim == 1:  # as nearly always
        return array if type(values) is list else array.copy()  # type: ignore[comparison-overlap]
    if array.dtype.kind not in "iu" and array.size > 0:
        raise ValueError(f"{what} must be integers of at most 63 bits, not {array.dtype}")
    if array.ndim > 1:
        raise ValueError(f"{what} must be one number or a flat list of them, not an array of shape {array.shape}")
    own = np.zeros(0, np.int64) if array.size == 0 else array.astype(np.int64).reshape(-1)
    if array.dtype == np.uint64 and (own < 0).any():
        raise ValueError(f"{what} must be integers of at most 63 bits, not {array.dtype}")
    return own
