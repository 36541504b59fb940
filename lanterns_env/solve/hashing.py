"""128 bits that stand for a view, and for all that a player has seen and done: two hashes of 64 bits, side by side.

Both differ in factor and shift, so that what one of them might confuse the other keeps apart.  Sums and products are
meant to overflow; whoever calls this with the compiler off ignores NumPy's warnings about that.
"""

import numpy as np
from numpy.typing import NDArray

from lanterns_env.engine.compile import jit

LANES = 4  # words that are mixed side by side: views are filled up to a multiple of so many
WORD_BYTES = 8
FACTORS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93))  # odd
SHIFTS = (np.uint64(32), np.uint64(29))
BEGINNINGS = (np.uint64(0x243F6A8885A308D3), np.uint64(0x13198A2E03707344))
LANE_STEP = np.uint64(0xA4093822299F31D1)  # from the beginning of one lane to that of the next


def words_of(num_bytes: int) -> int:
    """How many words a view of so many bytes takes."""
    return -(-num_bytes // (WORD_BYTES * LANES)) * LANES


@jit
def mixed(number, word, which):
    """A hash that has taken in one word more."""
    product = (number ^ word) * FACTORS[which]
    return product ^ (product >> SHIFTS[which])


@jit
def hash_words(words):
    """The two hashes of a row of words."""
    return hash_one(words, 0), hash_one(words, 1)


@jit
def hash_one(words, which):
    a = BEGINNINGS[which]
    b = a + LANE_STEP
    c = b + LANE_STEP
    d = c + LANE_STEP
    for place in range(0, len(words), LANES):
        a = mixed(a, words[place], which)
        b = mixed(b, words[place + 1], which)
        c = mixed(c, words[place + 2], which)
        d = mixed(d, words[place + 3], which)
    return mixed(mixed(mixed(a, b, which), c, which), d, which)


@jit
def begin_memory(memory, seat):
    """What a player remembers before it has seen anything."""
    for which in range(2):
        memory[which] = mixed(BEGINNINGS[which], np.uint64(seat), which)


@jit
def remember(memory, news):
    """Take in the hash of a view."""
    for which in range(2):
        memory[which] = mixed(memory[which], news[which], which)


@jit
def remember_action(memory, action):
    """Take in an action of one's own, or -1: somebody else has moved."""
    for which in range(2):
        memory[which] = mixed(memory[which], np.uint64(action + 1), which)


@jit
def hash_rows(words, results):
    """The hashes of many views: uint64[n, W] to uint64[n, 2]."""
    for row in range(len(words)):
        results[row, 0], results[row, 1] = hash_words(words[row])


def hashes_of(observations: NDArray[np.int8]) -> NDArray[np.uint64]:
    """The hashes of views given as plain numbers, int8[n, D]: uint64[n, 2]."""
    rows, num_bytes = observations.shape
    filled = np.zeros((rows, words_of(num_bytes) * WORD_BYTES), np.int8)
    filled[:, :num_bytes] = observations
    results = np.empty((rows, 2), np.uint64)
    with np.errstate(over="ignore"):
        hash_rows(filled.view(np.uint64), results)
    return results
