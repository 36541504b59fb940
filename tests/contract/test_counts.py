"""How many sequences of actions there are to a depth, from fixed positions: any change of the rules shows."""

import json
import pathlib

import numpy as np
import pytest

from lanterns_env import Batch
from tests.conftest import COMPILED, TABLES

FILE = pathlib.Path(__file__).with_name("counts.json")
STEPS = (0, 9, 25)  # random moves before the position
DEPTHS = {"lanterns": 2, "lumen": 3, "lighthouse": 5}
OTHER_DEPTH = 3


def counts(name: str, num_players: int, steps: int, depth: int) -> list[int]:
    batch = Batch(name, 1, num_players, seeds=[77], autoreset=False)
    rng = np.random.default_rng(77)
    for _ in range(steps):
        batch.step(batch.sample(rng))
    stack = np.zeros(depth + 1, batch.game.state)
    stack[0] = batch.states[0]
    masks = np.zeros((depth + 1, batch.game.num_actions), np.int8)
    return [counted(batch.game, stack, masks, to) for to in range(1, depth + 1)]


def counted(game, stack, masks, depth) -> int:
    """The number of sequences of so many actions from the first state of the stack."""
    legal = int(game.legal(stack[0], masks[0]))
    if depth == 1:
        return legal
    total = 0
    for action in np.flatnonzero(masks[0, : game.num_actions]):
        stack[1] = stack[0]
        game.play(stack[1], int(action))
        if not stack[1].over:
            total += counted(game, stack[1:], masks[1:], depth - 1)
    return total


def key(name, num_players, steps):
    return f"{name}, {num_players} players, after {steps}"


@pytest.mark.parametrize("steps", STEPS)
def test_counts_to_a_depth(name, num_players, steps):
    expected = json.loads(FILE.read_text())[key(name, num_players, steps)]
    depth = len(expected) if COMPILED else min(2, len(expected))
    assert expected[:depth] == counts(name, num_players, steps, depth)


if __name__ == "__main__":  # python -m tests.contract.test_counts writes the file anew
    table = {key(*t, steps): counts(*t, steps, DEPTHS.get(t[0], OTHER_DEPTH)) for t in TABLES for steps in STEPS}
    FILE.write_text(json.dumps(table, indent=1) + "\n")
