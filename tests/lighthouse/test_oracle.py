"""The engine against the slow reference: the same deal, the same actions, the same game."""

from collections import Counter

import numba
import numpy as np
import pytest

from lanterns_env.games.lighthouse.towers import HAND_PROVED, PLACE_PROVED, claim_case, is_buried
from tests.lighthouse.table import (
    CARD_NAMES,
    COLOURS,
    STACK_NAMES,
    card,
    dealt,
    hand,
    harbour,
    islands,
    laid_by,
    pile,
    random_game,
    score_of,
    table,
)
from tests.oracles.lighthouse import Lighthouse

COMPILED = numba.config.DISABLE_JIT == 0
PHASES = ("place", "move", "claim")
VARIANTS = [
    {"num_players": 2},
    {"num_players": 3, "start_player": 2},
    {"num_players": 4, "max_turns": 40},
    {"num_players": 2, "claims": "forced"},
    {"num_players": 3, "claims": "forced", "ender": "builder"},
    {"num_players": 4, "declined_tower": "demolish"},
    {"num_players": 3, "declined_tower": "demolish", "ender": "builder", "start_player": "drawn"},
    {"num_players": 2, "asked": "everyone"},
    {"num_players": 3, "asked": "everyone", "ender": "builder"},
    {"num_players": 4, "asked": "everyone", "declined_tower": "demolish"},
    {"num_players": 3, "asked": "everyone", "claims": "forced"},
]
SMALLER = [
    {"num_players": 2, "islands": 4, "tower": 2, "stones": 2, "cards": 5, "hand": 1, "move_points": 2},
    {"num_players": 3, "islands": 3, "tower": 3, "stones": 2, "cards": 8, "hand": 2},
    {"num_players": 4, "islands": 5, "tower": 3, "stones": 4, "hand": 2, "move_points": 3, "asked": "everyone"},
    {"num_players": 2, "islands": 2, "tower": 4, "colours": 2, "stones": 2, "hand": 1},
    {"num_players": 2, "islands": 4, "tower": 2, "colours": 2, "stones": 3, "hand": 1, "move_points": 1},
]


def oracle_of(state, variant):
    """The reference with the hands and piles of a fresh deal."""
    n = int(state.num_players)
    hands = [hand(state, seat) for seat in range(n)]
    stacks = [pile(state, 0), pile(state, 1)]
    options = {name: value for name, value in variant.items() if name not in ("num_players", "start_player")}
    return Lighthouse(n, hands, stacks, start_player=int(state.player), **options)


def compare(state, oracle):
    n = int(state.num_players)
    assert oracle.over == state.over
    assert oracle.truncated == state.truncated
    assert oracle.islands == [islands(state).get(island, "") for island in range(1, 1 + int(state.islands))]
    assert oracle.harbour == harbour(state)
    assert oracle.supply == dict(zip(COLOURS, state.supply.tolist(), strict=True))
    assert oracle.hands == [hand(state, seat) for seat in range(n)]
    assert [set(row) for row in oracle.laid] == [laid_by(state, seat) for seat in range(n)]
    assert oracle.stacks == [pile(state, 0), pile(state, 1)]
    assert oracle.demolish_next == state.demolish_next
    points, share = oracle.result()
    assert points == score_of(state)[0]
    assert np.allclose(share, score_of(state)[1])
    if state.over:
        assert oracle.ender_seat == (None if state.truncated else state.ended_by)
        return
    assert oracle.player == state.player
    assert oracle.turn_owner == state.builder
    assert oracle.turns == state.turn
    assert oracle.phase == PHASES[state.phase]
    assert (oracle.points, oracle.duty, oracle.built) == (state.points, state.duty, state.built)
    if oracle.claim is not None:
        island, order, case = oracle.claim
        assert (island, card(order)) == (state.claim_island, state.claim_card)
        assert case == "abcde"[claim_case(state, state.claim_card)]
    if oracle.asked == "everyone" and oracle.claims == "voluntary":
        below = [k for k in range(24) if is_buried(state, k)]
        assert {card(order) for order in oracle.known_buried} & {*below} == proved(state, PLACE_PROVED)
        assert {card(order) for order in oracle.known_held} == proved(state, HAND_PROVED)


def proved(state, proof):
    return {k for k in range(24) if state.proved[k] == proof}


def play_both(state, oracle, rng):
    """To the end, compared before every decision."""
    for mask, action in random_game(state, rng):
        compare(state, oracle)
        assert oracle.legal() == np.flatnonzero(mask).tolist()
        oracle.play(action)
    compare(state, oracle)
    assert oracle.legal() == []


@pytest.mark.parametrize("variant", [*VARIANTS, *SMALLER], ids=str)
def test_engine_and_reference_play_the_same_game(variant):
    variant = {"max_turns": 60 if COMPILED else 20, **variant}
    for seed in range(4 if COMPILED else 1):
        state = dealt(seed=seed, **variant)
        play_both(state, oracle_of(state, variant), np.random.default_rng(seed))


# -- late in the game -------------------------------------------------------------------------------------------

WEIGHTS = np.array([1.5, *[0.5] * 3, *[0.6] * 6, *[1] * 12, *[0.1] * 24])  # of stacks: many stones, few towers


def late(variant, rng):
    """A position with few orders left in hands and piles, and often no stone in the supply."""
    while True:
        stacks = [STACK_NAMES[k] for k in rng.choice(46, 8, p=WEIGHTS / WEIGHTS.sum())]
        stone = COLOURS[rng.integers(3)] if rng.integers(2) else ""
        stones = "".join(stacks) + stone
        if stones and max(stones.count(colour) for colour in COLOURS) <= 6 and not any(len(s) == 4 for s in stacks):
            break
    orders = rng.permutation(CARD_NAMES).tolist()
    n = variant["num_players"]
    hands = {seat: [orders.pop() for _ in range(rng.integers(1, 4))] for seat in range(n)}
    piles = tuple([orders.pop() for _ in range(size)] for size in [(1, 0), (2, 1), (1, 1)][rng.integers(3)])
    laid = {seat: [orders.pop() for _ in range(rng.integers(0, 3))] for seat in range(n)}
    board = {island + 1: stack for island, stack in enumerate(stacks)}
    state = table(board, stone, hands=hands, piles=piles, laid=laid, **variant)
    state.demolish_next = len(stones) == 18
    return state


def oracle_in(state, variant):
    """The reference set to a position of the movement."""
    oracle = oracle_of(dealt(**variant), variant)
    n = int(state.num_players)
    oracle.hands = [hand(state, seat) for seat in range(n)]
    oracle.laid = [sorted(laid_by(state, seat)) for seat in range(n)]
    oracle.stacks = [pile(state, 0), pile(state, 1)]
    oracle.islands = [islands(state).get(island, "") for island in range(1, 9)]
    oracle.harbour = harbour(state)
    oracle.supply = oracle.supply_for()
    oracle.demolish_next = bool(state.demolish_next)
    oracle.turn_owner = oracle.player = 0
    oracle.phase, oracle.points, oracle.turns = "move", 4, n
    oracle.settle()
    return oracle


def test_engine_and_reference_end_the_game_alike():
    rng = np.random.default_rng(4)
    ends = Counter()
    for k in range(110 if COMPILED else 11):
        variant = {"max_turns": 30, **VARIANTS[k % len(VARIANTS)]}
        state = late(variant, rng)
        play_both(state, oracle_in(state, variant), rng)
        ends["public" if state.pile_size.sum() == 0 else "cut" if state.truncated else "private"] += 1
    assert min(ends["public"], ends["private"]) > (5 if COMPILED else 0)
