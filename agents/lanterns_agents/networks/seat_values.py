"""What every seat may expect of a game: the values of a network, what they are taught, and how far they are off.

Values are outcomes, -1 .. 1: ``(n * share - 1) / (n - 1)`` for a share of the win among n players.  They stand in turn
order from the viewer, the viewer first: [N, P] with P the most players of the game.  A seat that nobody takes has 0,
and the values of a position sum to 0, as the outcomes of a game do.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.support.extras import needed_by

with needed_by(__name__):
    import torch
    from torch import Tensor

from lanterns_env.engine.game import Game

NUM_PLAYERS = "num_players"  # the field of the view


def seated_table(game: Game) -> Tensor:
    """[number of players, place in turn order]: whether somebody sits there."""
    return torch.ones(game.max_players + 1, game.max_players).tril(-1)


def check_num_players(game: Game) -> None:
    """Refuse a game whose views do not say how many play."""
    if len(game.players) > 1 and NUM_PLAYERS not in (field.name for field in game.fields):
        raise ValueError(f"no network can play {game.title}: its view needs a field {NUM_PLAYERS!r}")


def values_of(scores: Tensor, seated: Tensor) -> Tensor:
    """How far the score of every seat lies above the mean score of the other seats, [N, P].

    This is how outcomes come from shares of the win: one's own less the mean of the others'.
    """
    scores = scores * seated
    others = scores.sum(1, keepdim=True) - scores
    return (scores - others / (seated.sum(1, keepdim=True) - 1)) * seated


# -- what they are taught ------------------------------------------------------------------------------------------


def seats_from_viewer(viewers: NDArray[Any], num_players: NDArray[Any], max_players: int) -> NDArray[np.int64]:
    """The seats in turn order from each viewer, [N, P]; those that nobody takes stay where they are."""
    places = np.arange(max_players)
    counts = num_players[:, None]
    seats: NDArray[np.int64] = np.where(places < counts, (viewers[:, None] + places) % counts, places)
    return seats


def seated_mask(num_players: NDArray[Any], max_players: int) -> NDArray[np.bool_]:
    """[N, P]: which places in turn order somebody takes."""
    mask: NDArray[np.bool_] = np.arange(max_players) < num_players[:, None]
    return mask


def seat_targets(results: NDArray[np.float32], viewers: NDArray[Any], num_players: NDArray[Any]) -> NDArray[np.float32]:
    """What the values of positions should have been, [N, P]: the results of their games by seat, from each viewer.

    Results that do not sum to 0, as margins among three and more, are taken as distances from their mean.
    """
    seated = seated_mask(num_players, results.shape[1])
    mean = (results * seated).sum(1, keepdims=True) / num_players[:, None]
    in_order = np.take_along_axis(results - mean, seats_from_viewer(viewers, num_players, results.shape[1]), 1)
    targets: NDArray[np.float32] = np.where(seated, in_order, 0).astype(np.float32)
    return targets


def seat_value_loss(values: Tensor, targets: Tensor, num_players: Tensor) -> Tensor:
    """The mean squared error of a position's values: over the seats that are taken, then over positions."""
    errors: Tensor = (values - targets).square().sum(1) / num_players  # seats that nobody takes are 0 in both
    return errors.mean()
