"""What a move shows everybody: worlds that look different after it are different nodes of a search."""

from collections import Counter, defaultdict

import numpy as np
import pytest

from lanterns_env.games.lighthouse.rules import CLAIM
from lanterns_env.games.lighthouse.search_keys import revealed_key
from tests.conftest import COMPILED
from tests.lighthouse.table import GAME, X, card, dealt, mask_of, play, random_game, table, view_of
from tests.lighthouse.test_hidden import VARIANTS, copy_of, redealt

WORLDS = 12
BUILD = "I4 I3 I4"  # in position X: WBRB on island 5


def after(state, action):
    twin = copy_of(state)
    GAME.play(twin, action)
    return twin


def by_what_is_shown(worlds, seat, action):
    """What a seat sees after an action, by what tells nodes apart."""
    seen = defaultdict(set)
    for world in worlds:
        if mask_of(world)[action]:
            then = after(world, action)
            seen[revealed_key(then), int(then.player)].add(view_of(then, seat).tobytes())
    return seen


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_what_looks_different_is_shown_to_be_different(variant):
    """Of worlds redealt for a player, after the same action: the same is shown only where all looks the same."""
    apart = Counter()
    for seed in range(3 if COMPILED else 1):
        state = dealt(**{"seed": seed, "max_turns": 120 if COMPILED else 25, **variant})
        for number, _ in enumerate(random_game(state, np.random.default_rng(seed))):
            if state.phase != CLAIM and number % 3:
                continue
            for seat in range(int(state.num_players)):
                worlds = [state, *(redealt(state, seat, k) for k in range(WORLDS))]
                for action in np.flatnonzero(sum(mask_of(world) for world in worlds)):
                    seen = by_what_is_shown(worlds, seat, int(action))
                    assert {len(views) for views in seen.values()} == {1}
                    apart[len(seen) > 1] += 1
    assert apart[True] > 20 or not COMPILED
    assert apart[False] > apart[True]


def shown_after(state, words):
    play(state, words)
    assert 0 <= revealed_key(state) < 1 << 31
    return revealed_key(state)


def test_whether_a_tower_fell_is_shown():
    stands = table(X, "W", laid={0: ["WBRB"]})
    falls = table(X, "W", buried=["WBRB"])
    assert shown_after(stands, "I4 I3") == shown_after(falls, "I4 I3")
    assert shown_after(stands, "I4") != shown_after(falls, "I4")


def test_the_next_order_of_a_pile_is_shown():
    one, other = (table(X, "W", piles=([below, "WBRB"], ["RBWR"])) for below in ("RWRW", "BRBR"))
    assert shown_after(one, BUILD) == shown_after(other, BUILD)
    assert shown_after(one, "claim") != shown_after(other, "claim")


def test_who_has_laid_an_order_unasked_is_shown():
    both = [table(X, "W", num_players=3, hands={seat: ["WBRB", "RWRW", "BRBR"]}, claims="forced") for seat in (1, 2)]
    one, other = (shown_after(state, BUILD) for state in both)
    assert one != other
    assert both[0].player == both[1].player


def test_the_end_is_shown():
    laid = ["RWRW", "BRBR"]
    last, not_last = (table(X, "W", hands={0: ["WBRB", *more]}, laid={0: laid}) for more in ([], ["WRWR"]))
    for state in (last, not_last):
        play(state, BUILD)
    assert card("WBRB") == last.claim_card == not_last.claim_card
    assert shown_after(last, "claim") != shown_after(not_last, "claim")
    assert [bool(last.over), bool(not_last.over)] == [True, False]
