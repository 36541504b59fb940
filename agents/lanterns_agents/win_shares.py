"""From expected leads to shares of the win: how heuristic values of positions end."""

import numpy as np

from lanterns_env.engine.compile import jit


@jit
def softmax_win_shares(values, num_players, spread):
    """Turn what every player is expected to end with into shares of the win; others than players get none.

    ``spread`` is how far the end lies from what is expected: a lead of it makes a share e times as large.
    """
    best, total = -np.inf, 0.0
    for seat in range(num_players):
        best = max(best, float(values[seat]))
    for seat in range(num_players):
        values[seat] = np.exp((values[seat] - best) / spread)
        total += values[seat]
    for seat in range(num_players):
        values[seat] /= total
    values[num_players:] = 0
