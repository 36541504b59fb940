"""What holds in every game, after every step."""

import itertools

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanterns_env import Batch
from lanterns_env.games.lighthouse.components import NO_COLOUR
from lanterns_env.games.lighthouse.movement import stack_on, with_stack
from lanterns_env.games.lighthouse.rules import LAY, PLACE, PLACES
from lanterns_env.games.lighthouse.towers import IN_HAND, LAID, NO_CARD, PILE
from tests.lighthouse.table import (
    CARD_NAMES,
    COLOURS,
    GAME,
    STACK_NAMES,
    card,
    dealt,
    facts,
    islands,
    mask_of,
    random_game,
    view_of,
)

COMPILED = numba.config.DISABLE_JIT == 0
ASKED = ["holder", "everyone"]
GAMES_EACH = settings(max_examples=40 if COMPILED else 5, deadline=None)

VARIANTS = st.fixed_dictionaries(
    {
        "claims": st.sampled_from(["voluntary", "voluntary", "forced"]),
        "asked": st.sampled_from(ASKED),
        "declined_tower": st.sampled_from(["stands", "demolish"]),
        "ender": st.sampled_from(["layer", "builder"]),
        "max_turns": st.sampled_from([1, 2, 17, 80 if COMPILED else 25]),
        "start_player": st.sampled_from([0, 1, "drawn"]),
    }
)
TABLES = {"num_players": st.sampled_from([2, 3, 4]), "seed": st.integers(0, 2**64 - 1), "variant": VARIANTS}


@GAMES_EACH
@given(**TABLES)
def test_LH_T40_invariants(num_players, seed, variant):
    state = dealt(num_players, seed, **variant)
    private = [0] * num_players  # orders laid from the hand
    before = state.place.tolist()
    for mask, _ in random_game(state, np.random.default_rng(seed)):
        check_stones(state)
        count_private(before, state.place.tolist(), private)
        check_orders(state, private)
        assert mask.any()
        assert not (state.duty and state.phase == PLACE)
        before = state.place.tolist()
    check_stones(state)
    count_private(before, state.place.tolist(), private)
    check_orders(state, private)
    assert state.truncated == (state.turn == state.max_turns)
    assert state.truncated or 0 in private_left(private) or state.pile_size.sum() == 0


def private_left(private):
    return [3 - laid for laid in private]


def count_private(before, after, private):
    """Orders move from a hand before its owner, from a pile or another player before anybody, and nowhere else."""
    for old, new in zip(before, after, strict=True):
        if old != new:
            assert LAID <= new < PILE
            if old < LAID:
                assert new - LAID == old - IN_HAND
                private[old - IN_HAND] += 1


def check_stones(state):
    stones = "".join(islands(state).values()) + ("" if state.harbour == NO_COLOUR else COLOURS[state.harbour])
    assert [stones.count(colour) + int(left) for colour, left in zip(COLOURS, state.supply, strict=True)] == [6, 6, 6]
    view = view_of(state, 0)
    for stack in view.stones:
        height = int(stack.sum())
        assert height <= 4
        assert stack[:height].sum(axis=1).tolist() == [1] * height
        assert not (stack[1:] & stack[:-1]).any()


def check_orders(state, private):
    n = int(state.num_players)
    piled = [int(c) for row in state.piles for c in row if c != NO_CARD]
    assert sorted(piled) == [k for k in range(24) if state.place[k] >= PILE]
    for which in (0, 1):
        size = int(state.pile_size[which])
        assert (state.piles[which, :size] >= 0).all()
        assert (state.piles[which, size:] == NO_CARD).all()
        assert all(state.place[k] == PILE + which for k in state.piles[which, :size])
    for seat in range(n):
        held = sum(state.place[k] == IN_HAND + seat for k in range(24))
        assert held == state.hand_size[seat]
        assert held + private[seat] == 3
    assert all(place < LAID + n for place in state.place if place < PILE)


@GAMES_EACH
@given(num_players=st.sampled_from([2, 3, 4]), seed=st.integers(0, 2**32), turns=st.integers(1, 40))
def test_score_at_any_moment(num_players, seed, turns):
    state = dealt(num_players, seed, max_turns=turns)
    points, share = np.ones(4, np.float32), np.ones(4, np.float32)
    for _ in random_game(state, np.random.default_rng(seed)):
        GAME.score(state, points, share)
        assert share.sum() == pytest.approx(1)
        assert (points[num_players:] == 0).all()
        assert (share[num_players:] == 0).all()
        assert points.sum() == sum(LAID <= place < PILE for place in state.place)


PERMUTATIONS = list(itertools.permutations(range(3)))


def recoloured(name, permutation):
    return "".join(COLOURS[permutation[COLOURS.index(letter)]] for letter in name)


def recolour(state, permutation):
    """The same position with other colours: stones, and orders with them."""
    twin = dealt(int(state.num_players))
    for name in GAME.state.names:
        twin[name] = state[name]
    board = 0
    for island in range(8):
        name = recoloured(STACK_NAMES[stack_on(int(state.board), island)], permutation)
        board = with_stack(board, island, STACK_NAMES.index(name))
    twin.board = board
    if state.harbour != NO_COLOUR:
        twin.harbour = permutation[state.harbour]
    cards = [card(recoloured(name, permutation)) for name in CARD_NAMES]
    for k in range(24):
        twin.place[cards[k]], twin.proved[cards[k]] = state.place[k], state.proved[k]
    for spot in np.ndindex(state.piles.shape):
        twin.piles[spot] = NO_CARD if state.piles[spot] == NO_CARD else cards[state.piles[spot]]
    for colour in range(3):
        twin.supply[permutation[colour]] = state.supply[colour]
    if state.claim_card != NO_CARD:
        twin.claim_card = cards[state.claim_card]
    return twin


@settings(max_examples=30 if COMPILED else 3, deadline=None)
@given(seed=st.integers(0, 2**32), permutation=st.sampled_from(PERMUTATIONS), asked=st.sampled_from(ASKED))
def test_colours_are_interchangeable(seed, permutation, asked):
    state = dealt(3, seed, max_turns=40, asked=asked)
    twin = recolour(state, permutation)
    for mask, action in random_game(state, np.random.default_rng(seed)):
        mirrored = mask_of(twin)
        places = [PLACES + permutation[colour] for colour in range(3)]
        assert (mask[PLACES:LAY] == mirrored[places]).all()
        assert (mask[:PLACES] == mirrored[:PLACES]).all()
        assert facts(recolour(state, permutation)) == facts(twin)
        GAME.play(twin, places[action - PLACES] if PLACES <= action < LAY else action)


@pytest.mark.parametrize(("num_players", "mean"), [(2, 162), (3, 120), (4, 97)])
@pytest.mark.skipif(not COMPILED, reason="thousands of games")
def test_length_of_random_games(num_players, mean):
    """The mean number of turns of uniformly random games, within four standard errors and two turns."""
    count = 1000
    batch = Batch("lighthouse", count, num_players, seed=3, autoreset=False)
    rng = np.random.default_rng(3)
    while (running := np.flatnonzero(~batch.states["over"])).size:
        batch.step(batch.sample(rng)[running], running)
    states = batch.states
    turns = states["turn"] + ~states["truncated"]
    assert abs(turns.mean() - mean) < 4 * turns.std() / count**0.5 + 2
    assert states["truncated"].mean() < 0.02
