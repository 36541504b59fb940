"""Positions of Lumen for the tests: dealt, then changed by hand, always with one card of each kind."""

import math
from contextlib import suppress
from functools import partial
from typing import Any

import numba
import numpy as np

from lanterns_env.games import GAMES
from lanterns_env.games.lumen import rules
from lanterns_env.games.lumen.components import HAND, MAX_VALUE, NUM_COLOURS, TOP_VALUE
from tests import positions
from tests.positions import copy_of  # noqa: F401

GAME = GAMES["lumen"]
COMPILED = numba.config.DISABLE_JIT == 0
PLAYERS = (3, 4, 5)
LETTERS = "YRGBP"
VARIED = ("colours", "top_value", "hand", "rounds", "beads")  # the options that make smaller games


view_of = partial(positions.view_of, GAME)
legal_actions = partial(positions.legal_actions, GAME)


def new_state(num_players: int = 4, seed: int = 7, **options: Any) -> Any:
    """A game just dealt; the dark plus is dealt to seat 0 unless said otherwise."""
    return positions.dealt(GAME, num_players, seed, **{"first_dark_plus": 0, **options})


def variant_by_chance(num_players: int, rng: Any) -> dict[str, Any]:
    """Options of a smaller game that can be played."""
    while True:
        options = {name: int(rng.choice(GAME.options[name].values)) for name in VARIED}
        options |= {"bead_limit": bool(rng.integers(2)), "first_dark_plus": int(rng.integers(num_players))}
        with suppress(ValueError):
            return GAME.check_options(num_players, {**options, "recall": bool(rng.integers(2))})


def play(state: Any, *moves: str) -> None:
    """Play moves given as words, each by the seat to move."""
    for words in moves:
        action = GAME.parse(view_of(state), words)
        assert action in legal_actions(state), GAME.why_illegal(view_of(state), action)
        GAME.play(state, action)


def play_cards(state: Any, *cards: str) -> None:
    """Play cards by their names, each by the seat to move."""
    for name in cards:
        slot = fan(state, int(state.player)).index(name)
        assert rules.PLAYS + slot in legal_actions(state)
        GAME.play(state, rules.PLAYS + slot)


def play_random(state: Any, rng: Any, actions: int = 10**6) -> None:
    """Play on at random, to the end or for so many actions."""
    while not state.over and actions > 0:
        GAME.play(state, int(rng.choice(legal_actions(state))))
        actions -= 1


def bid_all(state: Any, *bids: str) -> None:
    """Everybody bids, in turn order from the starter; the last words again if there are not enough."""
    for k in range(state.num_players):
        play(state, f"bid {bids[min(k, len(bids) - 1)]}")


def score_of(state: Any) -> tuple[list[int], list[float]]:
    points, share = np.full(GAME.max_players, 9, np.float32), np.full(GAME.max_players, 9, np.float32)
    GAME.score(state, points, share)
    assert not points[state.num_players :].any()
    assert not share[state.num_players :].any()
    return points[: state.num_players].tolist(), share[: state.num_players].tolist()


# -- cards ----------------------------------------------------------------------------------------------------


def name_of(card: int) -> str:
    return f"{LETTERS[card // MAX_VALUE]}{card % MAX_VALUE + 1}"


def card_of(name: str) -> int:
    return MAX_VALUE * LETTERS.index(name[0]) + int(name[1:]) - 1


def deck(num_players: int) -> list[str]:
    """All cards of the full game."""
    return cards_up_to(NUM_COLOURS, int(TOP_VALUE[num_players - 3]))


def deck_of(state: Any) -> list[str]:
    return cards_up_to(int(state.colours), int(state.top_value) or int(TOP_VALUE[state.num_players - 3]))


def cards_up_to(colours: int, top: int) -> list[str]:
    return [f"{letter}{value}" for letter in LETTERS[:colours] for value in range(1, top + 1)]


def fan(state: Any, seat: int, number: int | None = None) -> list[str]:
    """The fan of a seat, in this round or another one."""
    return [name_of(int(card)) for card in state.fans[(number or int(state.round_number)) - 1, seat, : state.hand]]


def hand(state: Any, seat: int) -> list[str]:
    """The cards of a seat that are still in hand."""
    tricks = state.trick_of[seat, : state.hand]
    return [card for card, trick in zip(fan(state, seat), tricks, strict=True) if trick == 0]


def set_aside(state: Any, number: int | None = None) -> list[str]:
    """The cards of a round that are in no fan."""
    dealt = {card for seat in range(state.num_players) for card in fan(state, seat, number)}
    return [card for card in deck_of(state) if card not in dealt]


def set_fan(state: Any, seat: int, cards: str) -> None:
    """These cards come into a fan, each for the card of another colour or value that it held; sorted anew."""
    wanted = [card_of(name) for name in cards.split()]
    fans = state.fans[state.round_number - 1]
    for card in wanted:
        if card in fans[seat]:
            continue
        mine = next(slot for slot in range(HAND) if fans[seat, slot] not in wanted)
        for other in range(state.num_players):
            fans[other][fans[other] == card] = fans[seat, mine]
        fans[seat, mine] = card
    for other in range(state.num_players):
        fans[other].sort()
    count_set_aside(state)


def set_hands(state: Any, hands: dict[int, str], leader: int = 0, aside: str = "") -> None:
    """So many tricks are over that these hands are left; the other seats hold what comes, but not what is set aside.

    The bids are made (zero), the tricks were all won by the leader, who is to lead.
    """
    n = int(state.num_players)
    left = len(next(iter(hands.values())).split())
    taken = {card for cards in (*hands.values(), aside) for card in cards.split()}
    pool = [card for card in deck(n)[::-1] if card not in taken]
    for seat in range(n):
        held = hands[seat].split() if seat in hands else [pool.pop() for _ in range(left)]
        assert len(held) == left
        tricks = dict.fromkeys(held, 0) | {pool.pop(): trick for trick in range(1, HAND - left + 1)}
        cards = sorted(tricks, key=card_of)
        state.fans[state.round_number - 1, seat] = [card_of(card) for card in cards]
        state.trick_of[seat] = [tricks[card] for card in cards]
    state.phase = rules.PLAY
    state.bid[:n] = 0
    state.tricks_done = HAND - left
    state.tricks[:] = 0
    state.tricks[leader] = HAND - left
    state.leader = state.player = leader
    count_set_aside(state)


def count_set_aside(state: Any) -> None:
    fans = state.fans[state.round_number - 1, : state.num_players]
    dealt = np.bincount(fans.ravel() // MAX_VALUE, minlength=NUM_COLOURS)
    state.undealt[:] = TOP_VALUE[state.num_players - 3] - dealt
    assert len(set(fans.ravel().tolist())) == fans.size


def set_round(state: Any, number: int, totals: list[int], last: list[int] | None = None) -> None:
    """The rounds before are over with these totals; this one begins."""
    n = int(state.num_players)
    first = int(state.dark_plus) - int(state.round_number)
    state.total[:n] = totals
    if last is not None:
        state.last_score[:n] = last
    state.dark_plus = (first + number - 1) % n
    rules.begin_round(state, number)


# -- chance ---------------------------------------------------------------------------------------------------


def chi_square(counts: Any, shares: Any) -> float:
    """How many standard deviations the statistic lies above what chance alone makes of it."""
    expected = np.asarray(shares) * sum(counts)
    statistic = ((np.asarray(counts) - expected) ** 2 / expected).sum()
    freedom = len(counts) - 1
    return (statistic - freedom) / math.sqrt(2 * freedom)
