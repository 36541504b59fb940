"""Small runs for tests, and what they are compared by."""

from collections.abc import Mapping

import numpy as np
import torch
from lanterns_agents.training.arguments import RUNS, make_config
from lanterns_agents.training.config import Config
from lanterns_agents.training.folder import open_run
from lanterns_agents.training.ppo import PPO

TINY = {
    "num_games": 8,
    "batch_size": 150,
    "minibatch_size": 64,
    "hidden_size": 16,
    "entity_size": 4,
    "eval_every": 0,
    "eval_deals": 2,
    "eval_opponents": ["random"],
    "tensorboard": False,
}
MIXED = {
    "self_play_fraction": 0.4,
    "pool_fraction": 0.3,
    "bot_fraction": 0.3,
    "bot_opponents": ["greedy"],
    "snapshot_every": 1,
    "pool_size": 2,
}


def tiny_config(**settings):
    return make_config({**TINY, **settings}, Config)


def tiny_run(**settings):
    return PPO(tiny_config(**settings))


def opened(config, resume=False, kind=PPO):
    """A run and its folder, let go of at once."""
    with open_run(config, resume, RUNS, kind) as (run, folder):
        return run, folder


def weights(run):
    return [weight.detach().numpy().copy() for weight in run.network.parameters()]


def same(left, right):
    """Bit for bit, whatever it consists of."""
    if isinstance(left, Mapping):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, torch.Tensor):
        left, right = left.numpy(), right.numpy()
    if isinstance(left, np.ndarray):
        return left.dtype == right.dtype and left.tobytes() == right.tobytes()
    if isinstance(left, np.random.Generator):
        return left.bit_generator.state == right.bit_generator.state
    return left == right
