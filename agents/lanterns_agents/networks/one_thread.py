"""Inference of networks of torch while games are played."""

from collections.abc import Iterator
from contextlib import contextmanager

from lanterns_env.support.extras import needed_by

with needed_by("a network of torch"):
    import torch


@contextmanager
def on_one_thread() -> Iterator[None]:
    """Without gradients and on one thread, so that the numbers are the same in every process."""
    threads = torch.get_num_threads()
    try:
        if threads > 1:
            torch.set_num_threads(1)
        with torch.inference_mode():
            yield
    finally:
        if threads > 1:
            torch.set_num_threads(threads)
