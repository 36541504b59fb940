"""What holds in every game, whatever is dealt and played."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lanterns_env.games.lumen import rules
from lanterns_env.games.lumen.components import MAX_VALUE
from tests.lumen.setup import COMPILED, GAME, deck, fan, hand, legal_actions, new_state, score_of, set_aside, view_of

EXAMPLES = 60 if COMPILED else 6
SEEDS = st.integers(0, 2**64 - 1)
TABLES = st.integers(3, 5).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.fixed_dictionaries(
            {
                "first_dark_plus": st.sampled_from(["drawn", *range(n)]),
                "bead_limit": st.booleans(),
                "recall": st.booleans(),
            }
        ),
    )
)


def moves(state, seed):
    """Play to the end at random; the action about to be taken."""
    rng = np.random.default_rng(seed)
    while not state.over:
        action = int(rng.choice(legal_actions(state)))
        yield action
        GAME.play(state, action)


@settings(max_examples=EXAMPLES, deadline=None)
@given(TABLES, SEEDS, SEEDS)
def test_LU_06_44_actions_a_player_and_ten_tricks_a_round(table, deal, seed):
    n, options = table
    state = new_state(n, deal, **options)
    kinds = []
    for action in moves(state, seed):
        kinds.append((int(state.round_number), "bid" if action < rules.PLAYS else int(state.tricks_done)))
        assert state.tricks.sum() == state.tricks_done
        assert 44 * n >= len(kinds)
    assert [(number, kind) for number in range(1, 5) for kind in ("bid", *range(10)) for _ in range(n)] == kinds
    assert 10 == state.tricks.sum()
    assert 1.0 == sum(score_of(state)[1]) == max(score_of(state)[1])


@settings(max_examples=EXAMPLES, deadline=None)
@given(TABLES, SEEDS, SEEDS)
def test_LU_44_totals_are_sums_of_round_scores_within_bounds(table, deal, seed):
    n, options = table
    state = new_state(n, deal, **options)
    before, number = state.total[:n].copy(), 1
    for _ in moves(state, seed):
        if state.round_number != number:
            number += 1
            gained = state.total[:n] - before
            assert gained.tolist() == state.last_score[:n].tolist()
            assert all(-50 <= points <= 10 * (number - 1) and points % 5 == 0 for points in gained)
            before = state.total[:n].copy()
        assert before.tolist() == state.total[:n].tolist()
    assert (state.total[:n] - before).tolist() == state.last_score[:n].tolist()
    assert ((state.total >= -200) & (state.total <= 100)).all()


@settings(max_examples=EXAMPLES, deadline=None)
@given(TABLES, SEEDS, SEEDS)
def test_LU_07_cards_are_conserved(table, deal, seed):
    n, options = table
    state = new_state(n, deal, **options)
    fans = state.fans.copy()
    played = []
    for action in moves(state, seed):
        mover = int(state.player)
        if action < rules.PLAYS:
            played = []
            continue
        played.append(fan(state, mover)[action - rules.PLAYS])
        held = [card for seat in range(n) for card in hand(state, seat)]
        cards = played[:-1] + held + set_aside(state)
        assert sorted(deck(n)) == sorted(cards)
    assert fans.tobytes() == state.fans.tobytes()


@settings(max_examples=EXAMPLES, deadline=None)
@given(TABLES, SEEDS, SEEDS)
def test_LU_32_the_mask_is_following_suit(table, deal, seed):
    n, options = table
    state = new_state(n, deal, **options)
    led = ""
    for action in moves(state, seed):
        legal = legal_actions(state)
        mover = int(state.player)
        if action < rules.PLAYS:
            stones = 15 - sum(int(bid) for bid in state.bid[:n] if bid >= 0) if options["bead_limit"] else 10
            assert [a for a in range(22) if a % 11 <= stones] == legal
            continue
        if mover == state.leader:
            led = ""
        held = hand(state, mover)
        suit = [card for card in held if card[0] == led]
        names = fan(state, mover)
        assert [22 + names.index(card) for card in (suit or held)] == legal
        led = led or names[action - rules.PLAYS][0]


@settings(max_examples=EXAMPLES, deadline=None)
@given(TABLES, SEEDS, SEEDS)
def test_LU_35_the_mover_sees_who_wins(table, deal, seed):
    """Whoever leads after a trick is the one that the cards say."""
    n, options = table
    state = new_state(n, deal, **options)
    trick = {}
    for action in moves(state, seed):
        mover = int(state.player)
        if action < rules.PLAYS or mover == state.leader:
            if len(trick) == n and action >= rules.PLAYS and state.tricks_done > 0:
                led = next(iter(trick.values()))[0]
                suit = "Y" if any(card[0] == "Y" for card in trick.values()) else led
                best = max((int(card[1:]), seat) for seat, card in trick.items() if card[0] == suit)
                assert best[1] == mover
            trick = {}
        if action >= rules.PLAYS:
            trick[mover] = fan(state, mover)[action - rules.PLAYS]


@settings(max_examples=EXAMPLES, deadline=None)
@given(TABLES, SEEDS, SEEDS)
def test_LU_73_views_are_within_bounds_and_tell_no_own_value(table, deal, seed):
    n, options = table
    state = new_state(n, deal, **options)
    for k, _ in enumerate(moves(state, seed)):
        if k % 5:
            continue
        for seat in range(n):
            view = view_of(state, seat)
            flat = np.frombuffer(view.tobytes(), np.int8)
            assert (flat >= GAME.low).all()
            assert (flat <= GAME.high).all()
            mine = [slot for slot in range(10) if state.trick_of[seat, slot] == 0]
            assert mine == np.flatnonzero(view.held).tolist()
            assert not view.slot_value[mine].any()
            assert not view.belief.any()
            own = [int(card) for card in state.fans[state.round_number - 1, seat, mine]]
            places = [divmod(card, MAX_VALUE) for card in own]
            assert all(view.unseen[place] == 1 and view.played_by[place] == 0 for place in places)
            assert not any(view.hands[:, c, v].any() for c, v in places)
