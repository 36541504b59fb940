"""The option that everyone is asked: the rules one by one, what is drawn and said, and whole games."""

from functools import partial
from importlib.util import find_spec

import numpy as np
import pytest
from lanterns_agents import load
from lanterns_agents.lighthouse.position import chance_held

from lanterns_env import Batch, lighthouse_v0
from lanterns_env.agent import Table
from lanterns_env.games.lighthouse.observation import HIDDEN
from lanterns_env.games.lighthouse.rules import CLAIM, MOVE, OPTIONS
from lanterns_env.games.lighthouse.towers import HAND_PROVED, NOT_PROVED, PLACE_PROVED
from lanterns_env.games.svg import Text
from lanterns_env.testing import check_env
from tests.conftest import COMPILED
from tests.lighthouse.table import (
    ACTIONS,
    CARD_NAMES,
    GAME,
    X,
    card,
    hand,
    islands,
    laid_by,
    legal,
    play,
    table,
    view_of,
)
from tests.lighthouse.test_hidden import hand_of_each, some_proofs

BUILD = "I4 I3 I4"  # in position X: WBRB on island 5
OWN, NEXT, THIRD = ({seat: ["WBRB", "RWRW", "BRBR"]} for seat in range(3))
UNSEEN = [{"hands": OWN}, {"hands": NEXT}, {"hands": THIRD}, {"buried": ["WBRB"]}]
HELD_BY = list(zip(UNSEEN, [0, 1, 2, None], strict=True))
everyone = partial(table, X, "W", num_players=3, asked="everyone")


def built(**position):
    """Seat 0 of three has finished the tower WBRB."""
    state = everyone(**position)
    play(state, BUILD)
    return state


def declined(**position):
    state = built(**position)
    play(state, "decline decline decline")
    return state


def proof(state):
    return int(state.proved[card("WBRB")])


def flags(view, name):
    return {CARD_NAMES[k] for k in np.flatnonzero(view[name])}


# -- the rules ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", UNSEEN, ids=str)
@pytest.mark.parametrize("doomed", [False, True])
def test_LH_75_all_are_asked_in_turn_from_the_builder_on(place, doomed):
    assert OPTIONS["asked"].default == "holder"
    state = everyone(**place)
    state.demolish_next = doomed
    play(state, BUILD)
    for seat in range(3):
        assert (state.phase, state.player, state.builder) == (CLAIM, seat, 0)
        play(state, "decline")
    assert (state.phase, state.player) == (MOVE, 0)


@pytest.mark.parametrize("place", [{"tops": ("WBRB", None)}, {"laid": {2: ["WBRB"]}}], ids=str)
def test_LH_75_an_order_in_view_is_for_the_builder_alone(place):
    state = built(**place)
    assert (state.phase, state.player, legal(state)) == (CLAIM, 0, {"claim", "decline"})
    play(state, "decline")
    assert (state.phase, state.player) == (MOVE, 0)
    assert islands(state)[5] == "WBRB"
    assert proof(state) == NOT_PROVED


def test_LH_75_nobody_is_asked_where_it_is_clear_or_claims_are_forced():
    own = built(laid={0: ["WBRB"]})
    assert (own.phase, islands(own)[5]) == (MOVE, "WBRB")
    buried = everyone(buried=["WBRB"])
    buried.proved[card("WBRB")] = PLACE_PROVED
    play(buried, BUILD)
    assert (buried.phase, 5 in islands(buried)) == (MOVE, False)
    forced = built(hands=NEXT, claims="forced")
    assert (forced.phase, laid_by(forced, 1)) == (MOVE, {"WBRB"})


@pytest.mark.parametrize(("place", "holder"), HELD_BY, ids=str)
def test_LH_76_who_does_not_hold_the_order_can_only_decline(place, holder):
    state = built(**place)
    for seat in range(3):
        reason = GAME.why_illegal(view_of(state, seat), ACTIONS.index("claim"))
        if seat == holder:
            assert (legal(state), reason) == ({"claim", "decline"}, None)
        else:
            assert legal(state) == {"decline"}
            assert reason == "LH-76: you do not hold the order WBRB, you can only decline"
        play(state, "decline")


@pytest.mark.parametrize("holder", [0, 1, 2])
def test_LH_77_a_claim_settles_the_tower(holder):
    state = built(hands={holder: ["WBRB", "RWRW", "BRBR"]})
    play(state, "decline " * holder + "claim")
    assert laid_by(state, holder) == {"WBRB"}
    assert len(hand(state, holder)) == 2
    assert (state.phase, state.player, islands(state)[5]) == (MOVE, 0, "WBRB")
    last = built(hands={holder: ["WBRB"]})
    play(last, "decline " * holder + "claim")
    assert (last.over, last.ended_by) == (True, holder)


@pytest.mark.parametrize("place", UNSEEN, ids=str)
@pytest.mark.parametrize("declined_tower", ["stands", "demolish"])
@pytest.mark.parametrize("doomed", [False, True])
def test_LH_78_the_tower_after_all_have_declined(place, declined_tower, doomed):
    state = everyone(declined_tower=declined_tower, **place)
    state.demolish_next = doomed
    play(state, BUILD + " decline decline decline")
    stands = "buried" not in place and declined_tower == "stands" and not doomed
    assert (5 in islands(state)) == stands
    assert not state.demolish_next
    assert not any(laid_by(state, seat) & {"WBRB"} for seat in range(3))


@pytest.mark.parametrize("place", UNSEEN, ids=str)
def test_LH_79_silence_proves_no_more_than_the_tower_does(place):
    found = PLACE_PROVED if "buried" in place else HAND_PROVED
    asked = built(**place)
    assert proof(asked) == NOT_PROVED
    play(asked, "decline decline")
    assert proof(asked) == NOT_PROVED
    play(asked, "decline")
    assert proof(asked) == found
    assert proof(declined(declined_tower="demolish", **place)) == NOT_PROVED
    doomed = everyone(**place)
    doomed.demolish_next = True
    play(doomed, BUILD + " decline decline decline")
    assert proof(doomed) == NOT_PROVED


def test_LH_79_what_was_proved_stays_until_the_order_is_laid():
    state = everyone(hands=THIRD)
    state.proved[card("WBRB")] = HAND_PROVED
    state.demolish_next = True
    play(state, BUILD + " decline decline")
    assert proof(state) == HAND_PROVED
    play(state, "claim")
    assert proof(state) == NOT_PROVED


def test_LH_80_a_standing_tower_is_known_to_be_held_and_no_more():
    state = declined(hands=NEXT)
    for seat in range(3):
        view = view_of(state, seat)
        assert flags(view, "proved_held") == {"WBRB"}
        assert flags(view, "proved_buried") == set()
        assert not view.proved_holder.any()
    two = table(X, "W", hands=NEXT, asked="everyone")
    play(two, BUILD + " decline decline")
    assert [view_of(two, seat).proved_holder[:, card("WBRB")].tolist() for seat in (0, 1)] == [
        [0, 1, 0, 0],
        [1, 0, 0, 0],
    ]


def test_LH_80_a_fallen_tower_is_known_to_be_buried():
    state = declined(buried=["WBRB"])
    for seat in range(3):
        assert flags(view_of(state, seat), "proved_buried") == {"WBRB"}
        assert flags(view_of(state, seat), "proved_held") == set()


@pytest.mark.parametrize(("place", "holder"), HELD_BY, ids=str)
def test_LH_80_the_holder_alone_is_said_the_case(place, holder):
    state = built(**place)
    for asked in range(3):
        for seat in range(3):
            view = view_of(state, seat)
            assert flags(view, "claim_order") == {"WBRB"}
            assert (view.claim_island.argmax(), view.to_move) == (4, (asked - seat) % 3)
            expected = [0, 0, 0, 0]
            if seat == holder:
                expected[0 if holder == 0 else 2] = 1
            assert view.claim_case.tolist() == expected
            assert not view.proved_held.any()
        play(state, "decline")


# -- drawn and said -----------------------------------------------------------------------------------------------


def first_line(state, seat):
    return GAME.draw([view_of(state, seat)]).split("\n")[0].removeprefix("Lighthouse Architects, 3 players: ")


def test_who_is_asked_is_drawn_as_the_viewer_knows_it():
    state = built(hands=NEXT)
    asked = "player 0 is asked for WBRB, tower on island 5"
    assert [first_line(state, seat) for seat in range(3)] == [asked] * 3
    play(state, "decline")
    asked, may = "player 1 is asked for WBRB, tower on island 5", "player 1 may claim WBRB, the tower on island 5"
    assert [first_line(state, seat) for seat in range(3)] == [asked, may, asked]


def test_what_is_known_to_be_held_is_drawn():
    state = declined(hands=NEXT)
    drawings = [GAME.draw([view_of(state, seat)]).split("\n") for seat in range(3)]
    assert "  others have       WBRB" in drawings[0]
    assert "  known to be held  WBRB" in drawings[1]
    assert "  others have       WBRB" in drawings[2]
    words = [shape.words for shape in GAME.picture([view_of(state, 0)]).shapes if isinstance(shape, Text)]
    assert words.count("others have") == 1


# -- agents -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", ["holder", "everyone"])
def test_agents_count_how_likely_an_order_is_held(asked):
    """Against all worlds that fit the proofs."""
    rng = np.random.default_rng(5)
    for number in range(90 if COMPILED else 9):
        state = some_proofs(rng, num_players=2 + number % 3, asked=asked)
        worlds, view = hand_of_each(state, 0), view_of(state, 0)
        for k in np.flatnonzero(view.order[:, HIDDEN]):
            assert chance_held(view, k) == pytest.approx(np.mean([k in world for world in worlds]))


@pytest.mark.parametrize("num_players", GAME.players)
def test_agents_play_in_every_position(num_players):
    """Greedy, expert and champion decide at every move; what is played is one of their actions or a random one."""
    names = ["greedy", "expert", *(["champion"] if find_spec("onnxruntime") else [])]
    batch = Batch("lighthouse", 16 if COMPILED else 1, num_players, seed=4, asked="everyone")
    agents, rows, rng, only = [load(name) for name in names], np.arange(len(batch)), np.random.default_rng(6), 0
    for number in range(250 if COMPILED else 25):
        waiting = Table(batch, rows, rows)
        choices = [agent.act(waiting, rng) for agent in agents] + [batch.sample(rng)]
        assert all(batch.action_masks[rows, actions].all() for actions in choices)
        assert np.allclose(load("expert").action_probabilities(waiting).sum(axis=1), 1)
        only += int((batch.states["phase"] == CLAIM).sum() - batch.action_masks[:, ACTIONS.index("claim")].sum())
        batch.step(choices[number % len(choices)])
    assert only > 100 or not COMPILED


# -- whole games --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", GAME.players if COMPILED else [3])
def test_the_kit_finds_nothing(num_players):
    """Spaces, masks, copies, and that nothing hidden shows, in the middle of the asking too."""

    def draw_for(env, agent):
        return GAME.draw(env.view(agent).reshape(1))

    env = partial(lighthouse_v0.raw_env, num_players=num_players, asked="everyone", max_turns=60)
    short = {"seeds": [0], "max_steps": 40, "positions_per_game": 2, "actions_per_position": 10}
    limits = {"seeds": range(2)} if COMPILED else short
    assert [] == check_env(env, zero_sum=True, draw_for=draw_for, **limits)
