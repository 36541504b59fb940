"""What a run consists of as arrays by name, and back: weights, what the optimizer knows of them, the games of a batch.

Whatever comes back is checked: kinds, shapes, and what compiled code relies on.
"""

import numpy as np

from lanterns_env.support.extras import needed_by

with needed_by(__name__):
    import torch
    from torch import Tensor

from lanterns_agents.networks.arrays import Arrays, take, take_within
from lanterns_agents.networks.base import Network, load_network, save_network
from lanterns_env import Batch

GAMES = "games"  # the name of the bytes of a batch


def weights_of(network: Network) -> Arrays:
    return {name: weight.numpy() for name, weight in network.state_dict().items()}


def with_weights(network: Network, weights: Arrays) -> Network:
    """Another network of the same sizes."""
    tensors = {name: torch.from_numpy(weight.copy()) for name, weight in weights.items()}
    return load_network(network.game, {**save_network(network), "weights": tensors})


def adam_of(optimizer: torch.optim.Optimizer) -> Arrays:
    """Copies of what the optimizer knows of every weight."""
    return {
        f"{number}/{name}": value.numpy().copy()
        for number, known in optimizer.state_dict()["state"].items()
        for name, value in known.items()
    }


def restore_adam(optimizer: torch.optim.Optimizer, saved: Arrays) -> None:
    known: dict[int, dict[str, Tensor]] = {}
    weights = [weight for group in optimizer.param_groups for weight in group["params"]]
    for number, weight in enumerate(weights if saved else ()):  # nothing before the first update
        shape = tuple(weight.shape)
        arrays = {
            "step": take_within(saved, f"{number}/step", np.float32, (), 0, np.inf),
            "exp_avg": take(saved, f"{number}/exp_avg", np.float32, shape),
            "exp_avg_sq": take_within(saved, f"{number}/exp_avg_sq", np.float32, shape, 0, np.inf),
        }
        known[number] = {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
    optimizer.load_state_dict({"state": known, "param_groups": optimizer.state_dict()["param_groups"]})


def games_of(batch: Batch) -> Arrays:
    """All of its games, as bytes."""
    return {GAMES: np.frombuffer(batch.__getstate__(), np.uint8)}


def restore_games(batch: Batch, saved: Arrays) -> None:
    """Into a batch that was made in the same way."""
    before = batch.__getstate__()
    made, counts = made_of(batch), batch.num_players
    batch.__setstate__(take(saved, GAMES, np.uint8, (len(before),)).tobytes())
    if made_of(batch) != made or not np.array_equal(batch.num_players, counts):
        batch.__setstate__(before)
        raise ValueError("the games in it are of other settings or numbers of players")


def made_of(batch: Batch) -> tuple[object, ...]:
    return batch.game, batch.options, batch.reward, batch.autoreset
