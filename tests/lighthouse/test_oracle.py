"""The engine against the slow reference: the same deal, the same actions, the same game."""

import numba
import numpy as np
import pytest

from tests.lighthouse.table import (
    COLOURS,
    GAME,
    card,
    dealt,
    hand,
    harbour,
    islands,
    laid_by,
    pile,
    random_game,
    score_of,
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
    assert oracle.islands == [islands(state).get(island, "") for island in range(1, 9)]
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
        assert case == "abcd"[case_of(state)]


def case_of(state):
    from lanterns_env.games.lighthouse.towers import claim_case

    return claim_case(state, int(state.claim_card))


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_engine_and_reference_play_the_same_game(variant):
    """Random games; every other one prefers claims, so that games end early and by all ways."""
    for seed in range(12 if COMPILED else 1):
        state = dealt(**{"seed": seed, "max_turns": 60 if COMPILED else 20, **variant})
        oracle = oracle_of(state, {"max_turns": 60 if COMPILED else 20, **variant})
        for mask, action in random_game(state, np.random.default_rng(seed)):
            compare(state, oracle)
            assert oracle.legal() == np.flatnonzero(mask).tolist()
            oracle.play(action)
        compare(state, oracle)
        assert oracle.legal() == []
        assert GAME.num_actions == 15
