"""Random streams for whoever is not the deal: each has a label of its own and leads back to nothing.

A stream comes from a hash.  What an agent can read off its generator is that hash: neither the seed of a match or a
deal, nor any other stream.
"""

import hashlib
import hmac

import numpy as np

SEED_BYTES = 8  # of a deal's seed


def hashed(label: str, *parts: object, key: bytes = b"") -> bytes:
    """32 bytes that stand for a label and what follows it; without the key nobody can work them out."""
    return hmac.new(key, repr((label, *parts)).encode(), hashlib.sha256).digest()


def entropy(label: str, *parts: object) -> int:
    """What a stream begins with."""
    return int.from_bytes(hashed(label, *parts), "big")


def stream(label: str, *parts: object) -> np.random.Generator:
    """The random numbers of one purpose: the same for the same label and parts."""
    return np.random.default_rng(entropy(label, *parts))


def hashed_seed(label: str, *parts: object, key: bytes = b"") -> int:
    """A seed of 64 bits from a hash."""
    return int.from_bytes(hashed(label, *parts, key=key)[:SEED_BYTES], "big")
