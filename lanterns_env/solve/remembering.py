"""What an agent of a match remembers, compiled: where it decided itself, what it saw and did."""

from lanterns_env.engine.compile import jit
from lanterns_env.solve.hashing import begin_memory, remember, remember_action

NO_ACTION = -2  # before a player's first decision there is nothing to take in


@jit
def keys_of(before, seats, actions, news, keys):
    """The keys of information sets under "own decisions", from those of the decisions before: uint64[n, 2] each.

    ``actions`` is what was done there, NO_ACTION where the player decides for the first time; ``news`` are the hashes
    of the views.
    """
    for row in range(len(seats)):
        if actions[row] == NO_ACTION:
            begin_memory(keys[row], seats[row])
        else:
            for which in range(2):
                keys[row, which] = before[row, which]
            remember_action(keys[row], actions[row])
        remember(keys[row], news[row])
