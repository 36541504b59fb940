"""The engine against an independent one, state for state."""

import numpy as np
import pytest

from lanterns_env.games.lumen.components import MAX_VALUE
from tests.lumen.setup import (
    COMPILED,
    GAME,
    PLAYERS,
    VARIED,
    legal_actions,
    new_state,
    score_of,
    set_round,
    variant_by_chance,
    view_of,
)
from tests.oracles.lumen import Lumen

GAMES = 40 if COMPILED else 2


def cards_of(fan):
    return [divmod(int(card), MAX_VALUE) for card in fan]


def oracle_of(state):
    """The same deal."""
    n, hand = int(state.num_players), int(state.hand)
    deals = [[[(c, v + 1) for c, v in cards_of(fan)] for fan in fans[:n, :hand]] for fans in state.fans]
    first = (int(state.dark_plus) - 1) % n
    variant = {name: int(state[name]) for name in VARIED}
    return Lumen(n, deals, first_dark_plus=first, bead_limit=bool(state.bead_limit), **variant)


def compare(state, other):
    n = int(state.num_players)
    assert other.over == state.over
    assert other.round == state.round_number
    assert other.totals == state.total[:n].tolist()
    assert other.last_scores == state.last_score[:n].tolist()
    assert other.tricks_won == state.tricks[:n].tolist()
    bids = [None if b < 0 else (int(b), int(e)) for b, e in zip(state.bid[:n], state.extra[:n], strict=True)]
    assert other.bids == bids
    assert (other.dark_plus, other.starter, other.leader) == (state.dark_plus, state.starter, state.leader)
    assert [list(map(float, part)) for part in other.result()] == list(score_of(state))
    if not other.over:
        assert other.player == state.player
        assert other.phase == ("bid", "play")[state.phase]
        assert other.trick == state.tricks_done + 1
        assert other.legal() == legal_actions(state)
    compare_cards(state, other)


def compare_cards(state, other):
    """Hands, table, and what the player to move sees of them."""
    table = dict(other.table)
    for seat in range(state.num_players):
        fan = [(c, v + 1) for c, v in cards_of(state.fans[state.round_number - 1, seat, : state.hand])]
        tricks = state.trick_of[seat, : state.hand]
        assert other.fans[seat] == fan
        assert other.hands[seat] == [None if t else card for card, t in zip(fan, tricks, strict=True)]
        slot = int(state.table[seat])
        assert table.get(seat) == (None if slot < 0 else fan[slot])
    if state.recall:
        seat = int(state.player)
        unseen = {(int(c), int(v) + 1) for c, v in np.argwhere(view_of(state, seat).unseen)}
        assert other.unseen(seat) == unseen


def player_of(kind, rng):
    """Ways to choose an action: anything, small bids, high bids (which use up the stones), the highest slot."""

    def choose(legal):
        if kind == 1 and legal[0] < 11:
            return int(rng.choice([a for a in legal if a % 11 <= 4] or legal))
        if kind == 2 and legal[0] < 11:
            return int(max(legal, key=lambda a: (a % 11, rng.random())))
        if kind == 3 and legal[0] >= 22:
            return legal[-1]
        return int(rng.choice(legal))

    return choose


@pytest.mark.parametrize("num_players", PLAYERS)
def test_LU_06_the_same_games(num_players):
    rng = np.random.default_rng(num_players)
    for game in range(GAMES):
        choose = player_of(game % 4, rng)
        state = new_state(
            num_players,
            seed=int(rng.integers(1 << 63)),
            first_dark_plus=int(rng.integers(num_players)),
            bead_limit=game % 3 == 1,
            recall=game % 5 != 4,
        )
        other = oracle_of(state)
        compare(state, other)
        while not state.over:
            action = choose(legal_actions(state))
            GAME.play(state, action)
            other.play(action)
            compare(state, other)
        assert other.over


@pytest.mark.parametrize("num_players", PLAYERS)
def test_LU_A20_the_same_smaller_games(num_players):
    """Any number of colours, values, cards in hand, rounds and tip stones."""
    rng = np.random.default_rng(num_players + 10)
    for game in range(2 * GAMES):
        choose = player_of(game % 4, rng)
        state = new_state(num_players, seed=int(rng.integers(1 << 63)), **variant_by_chance(num_players, rng))
        other = oracle_of(state)
        compare(state, other)
        while not state.over:
            action = choose(legal_actions(state))
            GAME.play(state, action)
            other.play(action)
            compare(state, other)
        assert other.over


@pytest.mark.parametrize("num_players", PLAYERS)
def test_LU_60_the_same_winners_and_starters(num_players):
    """Totals of few different values, so that ties are frequent."""
    rng = np.random.default_rng(num_players)
    for seed in range(300 if COMPILED else 20):
        state = new_state(num_players, seed=seed, first_dark_plus=int(rng.integers(num_players)))
        other = oracle_of(state)
        other.totals = [int(total) for total in 5 * rng.integers(-1, 2, num_players)]
        other.last_scores = [int(points) for points in 5 * rng.integers(-1, 2, num_players)]
        other._start_round(4)
        set_round(state, 4, other.totals, other.last_scores)
        compare(state, other)
