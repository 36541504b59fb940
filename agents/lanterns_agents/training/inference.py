"""Networks asked about many rows at once, in parts that may go to several threads."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from lanterns_env.support.extras import needed_by

with needed_by(__name__):
    import torch

from lanterns_agents.networks.base import Network

PART, FEW = 1024, 256  # rows that a network is given at once, about: at most, and at least where they fall into two

Each = Callable[..., Any]  # maps a function over parts, one after the other or on several threads


def each_on(num_threads: int) -> Each:
    """Parts go side by side, and torch works on each with one thread."""
    torch.set_num_threads(1)
    return ThreadPoolExecutor(num_threads).map if num_threads > 1 else map


def parts_of(rows: Any) -> list[Any]:
    """Two, or more where there are many; the same whatever the number of threads, so that it changes no number."""
    return np.array_split(rows, max(1, min(2, len(rows) // FEW), round(len(rows) / PART)))


def ask(network: Network, *given: Any) -> tuple[Any, Any]:
    """Logits and values of a network, as arrays: of observations, masks and perhaps features."""
    with torch.inference_mode():
        logits, values = network(*map(torch.from_numpy, given))
    return logits.numpy(), values.numpy()
