"""The harbour duty: the mask against a look-ahead over strings that tries everything."""

import numba
import numpy as np
import pytest

from lanterns_env.games.lighthouse.components import NO_COLOUR
from lanterns_env.games.lighthouse.rules import MOVE
from tests.lighthouse.table import (
    COLOURS,
    STACK_NAMES,
    dealt,
    harbour,
    islands,
    mask_of,
    put_stones,
    random_game,
    table,
)

COMPILED = numba.config.DISABLE_JIT == 0
STEPS = range(9)  # 0 the harbour, else the island


def landing(board, source):
    """Where a step of the source leads and what it costs, None if there is no stone or its colour is in the way."""
    stone = board[source][-1:]
    for cost in range(1, 9):
        island = (source + cost - 1) % 8 + 1
        if len(board[island]) < 4:
            return (island, cost) if stone and stone != board[island][-1:] else None
    return None


def possible(board, source, points):
    target = landing(board, source)
    return target is not None and target[1] <= points


def futures(board, source, doomed):
    """All that may stand after a step, each with whether the next tower is doomed."""
    island, _ = landing(board, source)
    after = list(board)
    after[source], after[island] = board[source][:-1], board[island] + board[source][-1]
    if len(after[island]) < 4:
        return [(after, doomed)]
    gone = after.copy()
    gone[island] = ""
    return [(gone, False)] if doomed else [(after, False), (gone, False)]


def can_still_leave(board, points, doomed):
    return possible(board, 0, points) or any(safe(board, source, points, doomed) for source in STEPS[1:])


def safe(board, source, points, doomed):
    """Whether a step that is not the harbour stone's leaves a way to move that stone, whatever comes of it."""
    if not possible(board, source, points):
        return False
    left = points - landing(board, source)[1]
    return left > 0 and all(can_still_leave(after, left, flag) for after, flag in futures(board, source, doomed))


def expected_steps(board, points, duty, doomed):
    steps = []
    for source in STEPS:
        allowed = possible(board, source, points)
        if allowed and duty and source > 0:
            allowed = safe(board, source, points, doomed)
        steps.append(allowed)
    return steps


def board_of(state):
    stacks = islands(state)
    return [harbour(state) or "", *(stacks.get(island, "") for island in range(1, 9))]


@pytest.mark.parametrize("num_players", [2, 4])
def test_LH_23_mask_is_the_look_ahead_in_random_games(num_players):
    seen = 0
    for seed in range(25 if COMPILED else 2):
        state = dealt(num_players, seed, max_turns=120 if COMPILED else 30)
        duty = False
        turn = None
        for mask, action in random_game(state, np.random.default_rng(seed)):
            if state.phase != MOVE:
                continue
            board, points = board_of(state), int(state.points)
            duty = possible(board, 0, points) or (duty and turn == state.turn)
            turn = int(state.turn)
            assert expected_steps(board, points, duty, bool(state.demolish_next)) == mask[:9].astype(bool).tolist()
            seen += duty
            duty = duty and action != 0
    assert seen > (1000 if COMPILED else 40)


def test_LH_23_mask_is_the_look_ahead_on_random_boards():
    rng = np.random.default_rng(5)
    weights = np.array([3.0, *[2] * 3, *[1] * 6, *[1] * 12, *[0.4] * 24])
    forbidden = shown = 0
    while shown < (8_000 if COMPILED else 300):
        stacks = [STACK_NAMES[k] for k in rng.choice(46, 8, p=weights / weights.sum())]
        stone, points, doomed = COLOURS[rng.integers(3)], int(rng.integers(1, 5)), bool(rng.integers(2))
        stones = "".join(stacks) + stone
        if max(stones.count(colour) for colour in COLOURS) > 6:
            continue
        board = [stone, *stacks]
        if not can_still_leave(board, points, doomed):
            continue
        state = position(board, points, doomed)
        steps = mask_of(state)[:9].astype(bool).tolist()
        assert expected_steps(board, points, True, doomed) == steps
        assert any(steps)
        forbidden += sum(possible(board, source, points) for source in STEPS) - sum(steps)
        shown += 1
    assert forbidden > shown / 10


POSITION = table()


def position(board, points, doomed):
    """A position with the duty outstanding."""
    put_stones(POSITION, {island: board[island] for island in range(1, 9)}, board[0])
    POSITION.points, POSITION.duty, POSITION.demolish_next = points, True, doomed
    assert POSITION.harbour != NO_COLOUR
    return POSITION


def test_LH_23_a_tower_that_frees_the_way_in_either_world():
    """Island 2 takes a fourth stone from island 1, and the harbour stone follows whether the tower stands or not."""
    state = table({1: "W", 2: "BWB", 8: "R"}, "R", points=3)
    assert mask_of(state)[8]


def test_LH_23_a_tower_whose_top_would_free_the_way():
    """Island 8 becomes a tower whose black stone could cover island 1: only if it stands."""
    state = table({1: "WR", 2: "R", 7: "B", 8: "RWR"}, "R", points=3)
    state.duty = True  # from before, the way was covered in this turn
    assert mask_of(state)[:10].tolist() == [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    state.duty = False
    assert mask_of(state)[7] == 1


def test_LH_23_of_two_towers_only_the_first_is_doomed():
    """Island 1 gives its black stone for a tower on 3, island 8 rebuilds it: if it stands, the harbour is cut off."""
    state = table({1: "WBRB", 2: "BRWR", 3: "RBW", 7: "BWR", 8: "B"}, "R")
    state.demolish_next = True
    assert possible(board_of(state), 1, 4)
    assert not mask_of(state)[1]
