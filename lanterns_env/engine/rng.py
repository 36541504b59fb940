"""All chance of the package: one small explicit generator, the same numbers compiled or not.

The generator is sfc32 (Doty-Humphrey's small fast counter), held in four int64 so that no sum or shift of
32-bit words can overflow.  A seed is an unsigned 64-bit number; a *stream* keeps the deal, the redeal and
the play-outs of one seed apart.
"""

import numpy as np

from lanterns_env.engine.compile import jit

WORD = 0xFFFFFFFF  # the low 32 bits
WARM_UP = 12  # draws thrown away after seeding
DEAL, REDEAL, PLAY_OUT = 1, 2, 3  # streams
ROUND_KEYS = (0x3C6EF372, 0x1B873593, 0x27D4EB2F, 0x165667B1)  # of next_seed


@jit
def generator(seed, stream):
    """A generator for one seed and one stream: int64[4], each below 2**32."""
    rng = np.empty(4, np.int64)
    rng[0] = np.int64(seed & np.uint64(WORD))
    rng[1] = np.int64(seed >> np.uint64(32))
    rng[2] = stream
    rng[3] = 1
    for _ in range(WARM_UP):
        draw(rng)
    return rng


@jit
def draw(rng):
    """The next 32 random bits."""
    a, b, c = rng[0], rng[1], rng[2]
    result = (a + b + rng[3]) & WORD
    rng[0] = b ^ (b >> 9)
    rng[1] = (c + (c << 3)) & WORD
    rng[2] = (((c << 21) | (c >> 11)) + result) & WORD
    rng[3] = (rng[3] + 1) & WORD
    return result


@jit
def below(rng, n):
    """A random number of 0 .. n-1."""
    return (draw(rng) * n) >> 32


@jit
def shuffle(rng, items, n):
    """Put the first n items into random order."""
    for last in range(n - 1, 0, -1):
        other = below(rng, last + 1)
        kept = items[last]
        items[last] = items[other]
        items[other] = kept


@jit
def next_seed(seed):
    """The seed that follows in the stream of deals: a fixed shuffling of all 64-bit numbers.

    A Feistel network of four rounds, so that different seeds never run together.
    """
    left = np.int64(seed >> np.uint64(32))
    right = np.int64(seed & np.uint64(WORD))
    for key in ROUND_KEYS:
        mixed = ((right ^ (right >> 15)) * 0x2C1B3C6D + key) & WORD
        mixed = ((mixed ^ (mixed >> 12)) * 0x297A2D39) & WORD
        left, right = right, left ^ mixed ^ (mixed >> 15)
    return (np.uint64(left) << np.uint64(32)) | np.uint64(right)


@jit
def row_seed(seed, row):
    """The first seed of one row of a batch."""
    return next_seed(next_seed(seed) ^ np.uint64(row))
