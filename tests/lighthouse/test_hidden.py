"""What a player may know: views, masks and redeals against the whole history of a game, replayed."""

import hashlib
import itertools
from collections import Counter

import numba
import numpy as np
import pytest

from lanterns_env.games.lighthouse.hidden import is_hidden
from lanterns_env.games.lighthouse.rules import CLAIM
from lanterns_env.games.lighthouse.towers import HAND_PROVED, IN_HAND, LAID, NOT_PROVED, PILE, PLACE_PROVED
from tests.lighthouse.table import (
    CARD_NAMES,
    GAME,
    X,
    card,
    dealt,
    facts,
    mask_of,
    play,
    random_game,
    table,
    view_of,
)

COMPILED = numba.config.DISABLE_JIT == 0
VARIANTS = [
    {"num_players": 2},
    {"num_players": 3, "declined_tower": "demolish"},
    {"num_players": 4, "start_player": "drawn"},
    {"num_players": 3, "claims": "forced"},
    {"num_players": 2, "asked": "everyone"},
    {"num_players": 3, "asked": "everyone"},
    {"num_players": 4, "asked": "everyone", "declined_tower": "demolish"},
]


def redealt(state, seat, seed):
    other = copy_of(state)
    GAME.redeal(other, seat, np.uint64(seed))
    return other


def copy_of(state):
    """The same state in memory of its own, padding and all."""
    twin = np.zeros(1, GAME.state)
    twin.view(np.uint8)[:] = np.frombuffer(state.tobytes(), np.uint8)
    return twin[0]


def hidden_from(state, seat):
    return [k for k in range(24) if is_hidden(state, seat, k)]


# -- redeals -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_LH_74_a_redeal_changes_nothing_that_the_player_gets(variant):
    """LH-T34: at every decision, for every player, view and mask are functions of what that player knows."""
    for seed in range(6 if COMPILED else 1):
        state = dealt(**{"seed": seed, "max_turns": 150 if COMPILED else 12, **variant})
        for mask, _ in random_game(state, np.random.default_rng(seed)):
            for seat in range(int(state.num_players)):
                other = redealt(state, seat, seed)
                assert view_of(other, seat).tobytes() == view_of(state, seat).tobytes()
                if seat == state.player:
                    assert (mask_of(other) == mask).all()


@pytest.mark.parametrize("asked", ["holder", "everyone"])
def test_redeal_forgets_the_true_deal(asked):
    for seed in range(10 if COMPILED else 2):
        state = dealt(3, seed, max_turns=60 if COMPILED else 15, asked=asked)
        for step, _ in enumerate(random_game(state, np.random.default_rng(seed))):
            seat = step % 3
            expected = redealt(state, seat, 5)
            assert expected.tobytes() == redealt(redealt(state, seat, step), seat, 5).tobytes()
            assert int(expected.seed) == 5


RECORDED = {"stands": "5ed47d6699df37ac", "demolish": "4cb4295914982697"}  # by declined_tower


@pytest.mark.parametrize("declined_tower", RECORDED)
def test_redeals_are_those_recorded_where_the_holder_alone_is_asked(declined_tower):
    """The same seed deals the same world as ever."""
    found = hashlib.sha256()
    for n in (2, 3, 4):
        state = dealt(n, 1, max_turns=80, declined_tower=declined_tower)
        for step, _ in enumerate(random_game(state, np.random.default_rng(n))):
            world = redealt(state, step % n, step)
            found.update(world.place.tobytes() + world.piles.tobytes())
    assert RECORDED[declined_tower] == found.hexdigest()[:16]


def arrangement(state, seat):
    """Where the orders lie that a seat does not see: hands, and the buried ones from the bottom."""
    hands = tuple(frozenset(k for k in range(24) if state.place[k] == other) for other in range(4) if other != seat)
    piles = tuple(tuple(state.piles[p, : max(0, int(state.pile_size[p]) - 1)].tolist()) for p in (0, 1))
    return hands, piles


def all_arrangements(state, seat):
    """Every arrangement that fits what towers have proved, counted out."""
    n = int(state.num_players)
    cards = hidden_from(state, seat)
    slots = [IN_HAND + other for other in range(n) if other != seat for _ in range(int(state.hand_size[other]))]
    slots += [PILE + p for p in (0, 1) for _ in range(int(state.pile_size[p]) - 1)]
    found = set()
    for order in itertools.permutations(cards):
        places = list(zip(order, slots, strict=True))
        if all(fits(state, k, place) for k, place in places):
            hands = tuple(frozenset(k for k, place in places if place == other) for other in range(4) if other != seat)
            piles = tuple(tuple(k for k, place in places if place == PILE + p) for p in (0, 1))
            found.add((hands, piles))
    return found


def fits(state, k, place):
    """Whether an order may be in a place, for all that towers have proved."""
    if state.proved[k] == NOT_PROVED:
        return True
    if state.proved[k] == HAND_PROVED:
        return place < LAID
    return place >= PILE if state.place[k] >= PILE else place == state.place[k]


def prove(state, *places, held=()):
    """As towers have proved it: where some orders are; of others that they are in a hand."""
    for name in places:
        state.proved[card(name)] = PLACE_PROVED
    for name in held:
        state.proved[card(name)] = HAND_PROVED
    return state


def two_players():
    """One order unknown in the other hand, one proved there, one proved buried, two piles."""
    hands = {0: ["RWRW", "RBRB"], 1: ["BRBR", "WBWB"]}
    state = table({}, hands=hands, piles=(["WRWR", "BWBW", "RWBR"], ["RWRB", "BRBW"]))
    return prove(state, "BRBR", "WRWR"), 0


def three_players():
    """Nothing proved of one hand, one order of the other; one buried; one own order known to all."""
    hands = {0: ["BRBR", "WBWB"], 1: ["RWRW", "RBRB"], 2: ["WRBW"]}
    piles = (["WRWR", "BWBW", "RWBR"], ["RWRB", "BRBW"])
    return prove(table({}, num_players=3, hands=hands, piles=piles), "BRBR", "WRWR", "RBRB"), 1


def four_players():
    hands = {0: ["BRBR"], 1: ["RWRW"], 2: ["WRBW"], 3: ["WBWB", "RWBR"]}
    piles = (["BWBW"], ["RWRB", "WRWR", "BRBW"])
    return table({}, num_players=4, hands=hands, piles=piles), 3


def two_players_in_turn():
    """Everyone is asked: one order must be in the other hand, with one of two others; one is proved buried."""
    hands = {0: ["RWRW", "RBRB"], 1: ["BRBR", "WBWB"]}
    piles = (["WRWR", "BWBW", "RWBR"], ["RWRB", "BRBW"])
    return prove(table({}, hands=hands, piles=piles, asked="everyone"), "WRWR", held=["BRBR"]), 0


def three_players_in_turn():
    """Two orders are in hands, perhaps in the same; a third is in the viewer's own."""
    hands = {0: ["BRBR", "WBWB"], 1: ["RWRW", "RBRB"], 2: ["WRBW", "BWRB"]}
    piles = (["WRWR", "BWBW", "RWBR"], ["RWRB", "BRBW"])
    state = table({}, num_players=3, hands=hands, piles=piles, asked="everyone")
    return prove(state, held=["BRBR", "WBWB", "RBRB"]), 1


def four_players_in_turn():
    """All but one place in hands is taken by orders that must be there."""
    hands = {0: ["BRBR"], 1: ["RWRW"], 2: ["WRBW"], 3: ["WBWB", "RWBR"]}
    piles = (["BWBW"], ["RWRB", "WRWR", "BRBW"])
    state = table({}, num_players=4, hands=hands, piles=piles, asked="everyone")
    return prove(state, held=["BRBR", "WRBW"]), 3


def in_the_middle():
    """The second of three is asked for an order that may be in his hand, in the third one's or buried."""
    hands = {0: ["RWRW", "WBRB"], 1: ["RBRB"], 2: ["BRBR", "WRBW"]}
    piles = (["WRWR", "BWBW"], ["RWRB", "BRBW"])
    state = table({1: "B", 2: "RWR"}, num_players=3, hands=hands, piles=piles, asked="everyone")
    prove(state, held=["WBRB"])
    play(state, "I1 decline")
    assert (state.phase, state.player, state.claim_card) == (CLAIM, 1, card("RWRB"))
    return state, 2


IN_TURN = [two_players_in_turn, three_players_in_turn, four_players_in_turn, in_the_middle]


@pytest.mark.parametrize("position", [two_players, three_players, four_players, *IN_TURN])
def test_LH_73_a_redeal_is_uniform(position):
    state, seat = position()
    possible = all_arrangements(state, seat)
    draws = (60 if COMPILED else 12) * len(possible)
    counts = Counter(arrangement(redealt(state, seat, seed), seat) for seed in range(draws))
    assert set(counts) == possible
    expected = draws / len(possible)
    freedom = len(possible) - 1
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert abs(chi_square - freedom) < 5 * (2 * freedom) ** 0.5


# -- against the history -----------------------------------------------------------------------------------------


def other_deal(start, state, seat, rng):
    """The deal with the orders that are hidden from a seat now, however they are, spread anew at random."""
    deal = copy_of(start)
    cards = hidden_from(state, seat)
    spread = dict(zip(cards, rng.permutation(cards).tolist(), strict=True))
    for k, other in spread.items():
        deal.place[other] = start.place[k]
    for spot in np.ndindex(start.piles.shape):
        deal.piles[spot] = spread.get(int(start.piles[spot]), int(start.piles[spot]))
    return deal


def looks_the_same(start, deal, actions, seat):
    """Play both deals: does the seat see the same at every moment?"""
    true, other = copy_of(start), copy_of(deal)
    for action in actions:
        if view_of(true, seat).tobytes() != view_of(other, seat).tobytes():
            return False
        GAME.play(true, action)
        GAME.play(other, action)
    return view_of(true, seat).tobytes() == view_of(other, seat).tobytes()


def obeys(state, deal, seat):
    """Whether the spread of a deal fits what is proved now; it holds for the orders hidden from the seat."""
    return all(fits(state, k, deal.place[k]) for k in hidden_from(state, seat))


def test_LH_73_proofs_are_exactly_what_the_history_tells():
    """A spread of the hidden orders gives the same history to a seat if and only if it fits the proofs."""
    results = Counter()
    rng = np.random.default_rng(1)
    for seed in range(60 if COMPILED else 3):
        variant = VARIANTS[seed % len(VARIANTS)]
        start = dealt(**{"seed": seed, **variant})
        state = copy_of(start)
        actions = []
        length = rng.integers(30, 250 if COMPILED else 60)
        for _, action in itertools.islice(random_game(state, rng), length):
            actions.append(action)
        state = copy_of(start)
        for action in actions:
            GAME.play(state, action)
        for seat in range(int(state.num_players)):
            for _ in range(8):
                deal = other_deal(start, state, seat, rng)
                allowed = obeys(state, deal, seat)
                assert looks_the_same(start, deal, actions, seat) == allowed
                results[allowed] += 1
    assert results[True] > (50 if COMPILED else 2)
    assert results[False] > (50 if COMPILED else 2)


def test_LH_73_redealt_worlds_fit_the_history():
    rng = np.random.default_rng(2)
    for seed in range(30 if COMPILED else 2):
        variant = VARIANTS[seed % len(VARIANTS)]
        start = dealt(**{"seed": seed, **variant})
        state, actions = copy_of(start), []
        for _, action in itertools.islice(random_game(state, rng), 200 if COMPILED else 40):
            actions.append(action)
        state = copy_of(start)
        for action in actions:
            GAME.play(state, action)
        for seat in range(int(state.num_players)):
            deal = rewound(start, state, redealt(state, seat, seed), seat)
            assert looks_the_same(start, deal, actions, seat)


def rewound(start, state, world, seat):
    """The deal from which a redealt world comes: what the seat sees now lay where it truly lay."""
    deal = copy_of(start)
    for k in hidden_from(state, seat):
        deal.place[k] = world.place[k]
    for p in (0, 1):
        below = max(0, int(state.pile_size[p]) - 1)
        deal.piles[p, :below] = world.piles[p, :below]
    return deal


# -- single proofs -----------------------------------------------------------------------------------------------


def flags(view, name):
    return {CARD_NAMES[k] for k in np.flatnonzero(view[name])}


def test_LH_73_a_demolished_tower_proves_its_order_buried():
    state = table(X, "W", buried=["WBRB"])
    play(state, "I4 I3 I4")
    for seat in (0, 1):
        assert flags(view_of(state, seat), "proved_buried") == {"WBRB"}


@pytest.mark.parametrize("doomed", [False, True])
@pytest.mark.parametrize("holder", [0, 2])
def test_LH_74_who_is_asked_holds_the_order(holder, doomed):
    """Everybody sees who decides, so from then on everybody knows, whatever becomes of the tower."""
    state = table(X, "W", num_players=3, hands={holder: ["WBRB", "RWRW", "BRBR"]})
    state.demolish_next = doomed
    play(state, "I4 I3 I4")
    for answered in (False, True):
        assert (state.phase == CLAIM) == (not answered)
        for seat in range(3):
            view = view_of(state, seat)
            known = view.proved_holder[(holder - seat) % 3]
            assert flags({"": known}, "") == {"WBRB"}
            assert flags(view, "proved_held") == (set() if seat == holder else {"WBRB"})
            assert redealt(state, seat, 3).place[card("WBRB")] == IN_HAND + holder
        if not answered:
            play(state, "decline")


def test_LH_73_nobody_asked_proves_buried_under_a_doom_too():
    state = table(X, "W", num_players=3, buried=["WBRB"])
    state.demolish_next = True
    play(state, "I4 I3 I4")
    assert flags(view_of(state, 1), "proved_buried") == {"WBRB"}


def test_LH_73_a_visible_order_needs_no_proof():
    state = table(X, "W", piles=(["BRBR"], ["WBRB", "RBWR"]))
    state.proved[card("WBRB")] = 1
    state.place[card("RBWR")] = PILE + 1
    play(state, "I4 I3 I4")
    assert flags(view_of(state, 0), "proved_buried") == {"WBRB"}
    state = table({3: "RBW", 2: "R"}, piles=(["BRBR"], ["WBRB", "RBWR"]))
    state.proved[card("WBRB")] = 1
    play(state, "I2 claim")
    assert not state.proved[card("WBRB")]
    assert flags(view_of(state, 0), "proved_buried") == set()


def test_LH_73_counting():
    """No place is left below the tops: what is hidden is in a hand; with two players it is known in whose."""
    hands = {0: ["BRBR", "WBWB"], 1: ["RWRW"], 2: ["WRBW"]}
    piles = (["BWBW"], ["RWRB"])
    view = view_of(table({}, num_players=3, hands=hands, piles=piles), 0)
    assert flags(view, "proved_held") == {"RWRW", "WRBW"}
    assert not view.proved_holder.any()
    view = view_of(table({}, hands={0: ["BRBR"], 1: ["RWRW", "WRBW"]}, piles=piles), 0)
    assert flags({"": view.proved_holder[1]}, "") == {"RWRW", "WRBW"}
    state = table({}, hands={0: ["BRBR"], 1: ["RWRW"]}, piles=(["BWBW", "RWRB"], ["WRBW"]))
    state.proved[card("RWRW")] = 1
    assert flags(view_of(state, 0), "proved_buried") == {"BWBW"}


def test_views_agree_with_the_state():
    """Every order is where its flags say, for everybody."""
    state = dealt(4, 3, max_turns=60)
    for _ in random_game(state, np.random.default_rng(3)):
        for seat in range(4):
            order = view_of(state, seat).order
            assert (order.sum(axis=1) == 1).all()
            for k in range(24):
                place = int(state.place[k])
                expected = 7 if is_hidden(state, seat, k) else 0
                if LAID <= place < PILE:
                    expected = 3 + (place - LAID - seat) % 4
                elif place >= PILE and expected == 0:
                    expected = 1 + place - PILE
                assert order[k].argmax() == expected
    assert facts(state)["over"]


# -- what follows from the proofs ----------------------------------------------------------------------------------


def hand_of_each(state, seat):
    """Every way in which the orders that a seat does not see may be in the other hands, by what towers have proved."""
    others = [other for other in range(int(state.num_players)) if other != seat]

    def dealt_out(cards, seats):
        if not seats:
            if all(fits(state, k, PILE) for k in cards):
                yield {}
            return
        for held in itertools.combinations(cards, int(state.hand_size[seats[0]])):
            if all(fits(state, k, IN_HAND + seats[0]) for k in held):
                for rest in dealt_out([k for k in cards if k not in held], seats[1:]):
                    yield {**dict.fromkeys(held, seats[0]), **rest}

    return list(dealt_out(hidden_from(state, seat), others))


def certain(state, seat):
    """What a seat knows of the orders that it does not see, counted out: the buried ones, the held ones by whom."""
    worlds = hand_of_each(state, seat)
    holders = {k: {world.get(k) for world in worlds} for k in hidden_from(state, seat)}
    buried = {k for k, seats in holders.items() if seats == {None}}
    held = {k: seats for k, seats in holders.items() if None not in seats}
    return buried, held


def some_proofs(rng, **variant):
    """A position with few hidden orders, and some of them proved as the option has it."""
    n, orders = variant["num_players"], rng.permutation(CARD_NAMES).tolist()
    hands = {seat: [orders.pop() for _ in range(rng.integers(1, 4))] for seat in range(n)}
    piles = tuple([orders.pop() for _ in range(size)] for size in rng.integers(0, 3, size=2))
    state = table({}, hands=hands, piles=piles, **variant)
    proof = PLACE_PROVED if variant["asked"] == "holder" else HAND_PROVED
    likely = rng.choice([0.2, 0.6, 0.9])
    for k in range(24):
        if rng.random() < likely and state.place[k] < LAID:
            state.proved[k] = proof
        if rng.random() < likely and state.place[k] >= PILE and is_hidden(state, 0, k):
            state.proved[k] = PLACE_PROVED
    return state


@pytest.mark.parametrize("num_players", [2, 3, 4])
@pytest.mark.parametrize("asked", ["holder", "everyone"])
def test_LH_80_a_view_says_what_is_certain_and_nothing_more(asked, num_players):
    """Against all worlds that fit the proofs, one by one."""
    rng, said = np.random.default_rng(num_players), Counter()
    for _ in range(60 if COMPILED else 20):
        state = some_proofs(rng, num_players=num_players, asked=asked)
        known = [certain(state, seat) for seat in range(num_players)]
        for seat, (buried, held) in enumerate(known):
            view = view_of(state, seat)
            own = {k for k in range(24) if state.place[k] == IN_HAND + seat and state.proved[k] != NOT_PROVED}
            to_all = {k for k in own if all(known[q][1].get(k) == {seat} for q in range(num_players) if q != seat)}
            assert buried == set(np.flatnonzero(view.proved_buried).tolist())
            in_some_hand = own if asked == "everyone" else set()
            assert {*held} | in_some_hand == set(np.flatnonzero(view.proved_held).tolist())
            assert to_all == set(np.flatnonzero(view.proved_holder[0]).tolist())
            for step in range(1, 4):
                theirs = {k for k, seats in held.items() if seats == {(seat + step) % num_players}}
                expected = theirs if step < num_players else set()
                assert expected == set(np.flatnonzero(view.proved_holder[step]).tolist())
            said["buried"] += len(buried)
            said["held"] += len(held)
            said["unsure"] += sum(len(seats) > 1 for seats in held.values())
    assert min(said["buried"], said["held"]) > (20 if COMPILED else 5)
    assert (said["unsure"] > 0) == (num_players > 2)
