"""Damage, as disks and people do it: to bytes, and to what a JSON file says."""

import copy
import json
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 60  # seconds for one attempt, on a busy machine; what has to be compiled is compiled before

VALUES = [0, 1, -1, 2, 7, 10**9, 2**63, 2**64, 10**30, 10**400, -(10**400), 0.5, -0.0, 1e-320, 1e308]
VALUES += [float("inf"), float("-inf"), float("nan"), True, False, None, "", "a", "0", "random", "greedy", "../.."]
VALUES += ["\0", "\ud800", "\033[2J", "\U0001f600", "x" * 10_000, [], [[]], [0], [None], ["a"], [1, 2, 3], [0] * 1000]
VALUES += [[[[0, 1], [1, 0]]], {}, {"a": 1}, {"seed": 1}, {"max_turns": 0}]
PIECES = [b"[" * 20, b"9" * 40, b'"', b"{", b"}", b",", b"NaN", b"1e999", b"\xff\xfe", b"\\ud800", b"null", b"\n", b"-"]


class Hangs(BaseException):
    pass


@contextmanager
def in_time() -> Iterator[None]:
    """What is tried must come to an end."""

    def give_up(*_: object) -> None:
        raise Hangs

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def sound(call: Callable[[], Any]) -> Any:
    """What a call gives, None where it refuses in a sentence; any other end is a fault."""
    with in_time():
        try:
            return call()
        except ValueError as error:
            refusal = error
    assert type(refusal) is ValueError, repr(refusal)
    assert str(refusal)
    return None


def spoilt_bytes(rng: random.Random, good: bytes) -> bytes:
    """One to three damages: a bit, a hole, an end, a piece of something else."""
    bad = bytearray(good)
    for _ in range(rng.choice((1, 1, 2, 3))):
        place = rng.randrange(len(bad) + 1)
        kind = rng.randrange(6)
        if kind == 0 and place < len(bad):
            bad[place] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del bad[place:]
        elif kind == 2:
            del bad[place : place + rng.randrange(1, 60)]
        elif kind == 3:
            bad[place:place] = rng.randbytes(rng.randrange(1, 30))
        elif kind == 4:
            bad[place : place + 16] = bytes(16)
        else:
            bad[place:place] = rng.choice(PIECES)
    return bytes(bad)


def spoilt(rng: random.Random, good: Any) -> Any:
    """The same with one to three of its parts left out, renamed or exchanged for others."""
    bad = copy.deepcopy(good)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        holders = list(_holders(bad))
        if not holders or rng.random() < 0.02:
            return copy.deepcopy(rng.choice(VALUES))
        holder = rng.choice(holders)
        key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
        kind = rng.random()
        if kind < 0.15:
            del holder[key]
        elif kind < 0.25 and isinstance(holder, dict):
            holder[rng.choice(["", "x", "kind"])] = holder.pop(key)
        else:
            holder[key] = copy.deepcopy(rng.choice(VALUES))
    return bad


def _holders(data: Any) -> Iterator[Any]:
    """All that holds something."""
    if isinstance(data, (dict, list)) and data:
        yield data
        for part in data.values() if isinstance(data, dict) else data[:4]:
            yield from _holders(part)


def written(data: Any) -> bytes:
    return json.dumps(data).encode()
