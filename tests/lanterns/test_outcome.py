"""What is said to have come of a move: what everybody got, by the listener's drawing."""

from itertools import pairwise

import numpy as np

from lanterns_env.games.lanterns.components import COLOURS
from tests.lanterns.setup import GAME, legal_actions, new_state, set_hand, set_lanterns, start_turn, view_of


def heard(state, words, listener=0):
    """A move in words of the mover, what is heard of it, and what came of it."""
    mover, before = int(state.player), views_of(state)
    action = GAME.parse(before[mover], words)
    GAME.play(state, action)
    outcome = GAME.describe_outcome(before, mover, action, listener, views_of(state))
    return [GAME.describe_to(before, mover, listener, action), *outcome]


def views_of(state):
    return [view_of(state, seat) for seat in range(int(state.num_players))]


def test_a_placement_is_said_by_the_sides_that_the_listener_sees_and_what_all_got():
    expected = {
        0: "place tile 32 at (0, -1): orange near, red left, blue far, white right",
        1: "place tile 32 at (1, 0): red near, blue left, white far, orange right",
        2: "place tile 32 at (0, 1): blue near, white left, orange far, red right",
        3: "place tile 32 at (-1, 0): white near, orange left, red far, blue right",
    }
    for listener, words in expected.items():
        state = new_state(4)
        set_hand(state, 0, 32)
        start_turn(state, 0)
        said = heard(state, "place tile 32 at (0, -1), orange facing me", listener)
        assert [words, "player 0: 1 orange; player 1: 1 red; player 2: 1 blue; player 3: 1 white"] == said


def test_a_dedication_is_said_with_its_honor():
    state = new_state(3)
    set_lanterns(state, 0, red=4)
    start_turn(state, 0)
    words = "dedicate four of a kind: red"
    assert [words, "player 0: 8 honor"] == heard(state, words)


def test_what_all_got_adds_up_to_what_left_the_supply():
    rng = np.random.default_rng(3)
    state = new_state(3, 3)
    placements = 0
    while not state.over:
        before, mover, action = views_of(state), int(state.player), int(rng.choice(legal_actions(state)))
        GAME.play(state, action)
        if not 92 <= action < 884:
            continue
        (line,) = GAME.describe_outcome(before, mover, action, 1, views_of(state))
        words = line.replace(";", "").replace(",", "").split()
        said = [sum(int(n) for n, name in pairwise(words) if name == colour) for colour in COLOURS]
        assert (before[1].supply - view_of(state, 1).supply).tolist() == said
        placements += 1
    assert 27 == placements
