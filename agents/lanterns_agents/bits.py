"""Sets as bits of a whole number: how many members they have."""

import numpy as np

from lanterns_env.compile import jit

HALF = 12  # bits that are counted at once
LOWER_HALF = (1 << HALF) - 1
COUNT = np.array([members.bit_count() for members in range(1 << HALF)], np.int64)


@jit
def count(members):
    """Of a set of up to 24."""
    return COUNT[members & LOWER_HALF] + COUNT[members >> HALF]
