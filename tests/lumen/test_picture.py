"""The picture of Lumen against the true state: fans, tricks, last moves, and figures."""

import numpy as np
import pytest

from lanterns_env.games.lumen.components import COLOURS, HAND
from lanterns_env.games.lumen.draw_panes import LETTER_SIZE
from lanterns_env.games.lumen.draw_svg import FAN_LEFT, FAN_STEP, fan, hand
from lanterns_env.games.lumen.draw_text import heading, held_values, span
from lanterns_env.games.lumen.draw_tricks import LAST_MOVE, last_move, tricks_of
from lanterns_env.games.lumen.rules import PLAYS
from lanterns_env.games.svg import Rectangle, Text
from tests.drawn import check_picture, words
from tests.lumen.setup import (
    COMPILED,
    GAME,
    LETTERS,
    PLAYERS,
    bid_all,
    legal_actions,
    new_state,
    play,
    view_of,
)
from tests.lumen.setup import fan as true_fan

EVERY = 7 if COMPILED else 31


def positions(num_players, **options):
    """States of a random game, with the cards of its tricks so far by round as they were played."""
    state, rng = new_state(num_players, seed=num_players, **options), np.random.default_rng(num_players)
    played, number = [], 0
    while not state.over:
        if number % EVERY == 0:
            yield state, played
        number += 1
        action, seat, before = int(rng.choice(legal_actions(state))), int(state.player), int(state.round_number)
        if action >= PLAYS:
            played.append((seat, true_fan(state, seat)[action - PLAYS]))
        GAME.play(state, action)
        if state.round_number != before:
            played = []
    yield state, played


def views_of(state):
    return [view_of(state, seat) for seat in range(int(state.num_players))]


def panes(shapes):
    """Letters and values of a fan by their places."""
    found = {}
    for shape in shapes:
        if isinstance(shape, Text) and shape.middle[0] > FAN_LEFT:
            found.setdefault(int((shape.middle[0] - FAN_LEFT) / FAN_STEP), []).append(shape)
    letters = {place: next(t.words for t in texts if t.words.isalpha()) for place, texts in found.items()}
    values = {place: next(t.words for t in texts if t.size > LETTER_SIZE) for place, texts in found.items()}
    return [letters[place] + values[place] for place in sorted(found)]


def in_order(state, played, viewer):
    """Tricks of who played what as seats from a viewer on, the one on the table last."""
    n = int(state.num_players)
    steps = [((seat - viewer) % n, (LETTERS.index(card[0]), int(card[1:]))) for seat, card in played]
    return [steps[first : first + n] for first in range(0, n * (int(state.tricks_done) + 1), n)]


@pytest.mark.parametrize("num_players", PLAYERS)
def test_fans_of_others_are_drawn_card_by_card_as_they_lie(num_players):
    for state, _ in positions(num_players):
        view = view_of(state, 1)
        for step in range(1, num_players):
            shapes = hand(view, step, tricks_of(view), 100.0, 90.0)
            assert true_fan(state, (1 + step) % num_players) == panes(shapes)


@pytest.mark.parametrize("num_players", PLAYERS)
def test_the_whole_table_shows_all_fans(num_players):
    for state, _ in positions(num_players):
        views = views_of(state)
        for viewer in views:
            assert true_fan(state, viewer.seat) == panes(fan(viewer, held_values(views, viewer), None, 100.0, 90.0))


def test_the_own_fan_says_what_it_may_be():
    for state, _ in positions(4):
        view = view_of(state, 2)
        drawn = [shape.words for shape in fan(view, {}, None, 100.0, 90.0) if isinstance(shape, Text)]
        for slot, card in enumerate(true_fan(state, 2)):
            assert (span(view, slot) if view.held[slot] else card[1:]) in drawn


@pytest.mark.parametrize("num_players", PLAYERS)
def test_tricks_are_drawn_as_they_were_played(num_players):
    for state, played in positions(num_players):
        for viewer in range(num_players):
            assert in_order(state, played, viewer) == tricks_of(view_of(state, viewer))


@pytest.mark.parametrize("num_players", PLAYERS)
def test_who_took_the_last_trick_is_said(num_players):
    for state, _ in positions(num_players):
        drawn = words(GAME.picture([view_of(state, 1)]))
        if not state.tricks_done:
            assert "none in this round yet" in drawn
        elif not state.over:  # who took a trick leads the next
            assert f"player {state.leader} took it" in drawn


def test_the_last_card_is_framed_on_the_table_and_in_the_fan():
    for state, played in positions(3):
        for picture in (GAME.picture(views_of(state)), GAME.picture([view_of(state, 1)])):
            a_bid = not played and (state.bid[:3] >= 0).any()
            assert (2 if played else int(a_bid)) == len(framed(picture))
        if played:
            step, (colour, value) = last_move(tricks_of(view_of(state, 0)))
            assert played[-1] == (step, f"{LETTERS[colour]}{value}")


def test_the_last_bid_is_framed():
    state = new_state(3)
    for bids in range(3):
        for picture in (GAME.picture(views_of(state)), GAME.picture([view_of(state, 1)])):
            assert min(bids, 1) == len(framed(picture))
        play(state, "bid 2")


def framed(picture):
    """The white frames of a picture."""
    return [shape for shape in picture.shapes if isinstance(shape, Rectangle) and shape.line == LAST_MOVE]


def test_the_colour_led_and_the_figures_of_all_are_said():
    for state, _ in positions(5):
        view = view_of(state, 3)
        drawn = words(GAME.picture([view]))
        assert heading(view) in drawn
        led = int(state.table[state.leader] >= 0)
        said = [f"{name} is led" for name in COLOURS if f"{name} is led" in drawn]
        assert [f"{COLOURS[int(view.led.argmax())]} is led"] * led == said
        for seat in range(5):
            bid = "-" if state.bid[seat] < 0 else f"{state.bid[seat]}{'+' * int(state.extra[seat])}"
            for figure in (bid, str(state.tricks[seat]), str(state.total[seat])):
                assert figure in drawn
            if state.round_number > 1:
                assert f"{int(state.last_score[seat]):+}" in drawn


def test_without_recall_the_last_trick_is_not_drawn():
    state = new_state(4, recall=False)
    bid_all(state, "2")
    for _ in range(6):
        GAME.play(state, legal_actions(state)[0])
    view = view_of(state, 0)
    assert "not in view any more" in words(GAME.picture([view]))
    assert [0, 2] == [len(trick) for trick in tricks_of(view)]


def test_beliefs_are_drawn_below_the_slots():
    view = view_of(new_state(3, belief=True), 0)
    drawn = words(GAME.picture([view]))
    for slot in range(HAND):
        assert f"{view.belief[slot].max()}%" in drawn
        assert str(view.belief[slot].argmax() + 1) in drawn


def test_the_winner_is_marked():
    for seed in range(2):
        state = new_state(3, seed=seed)
        rng = np.random.default_rng(seed)
        while not state.over:
            GAME.play(state, int(rng.choice(legal_actions(state))))
        assert 1 == sum("wins" in said for said in words(GAME.picture(views_of(state))) if not said.startswith("Lumen"))


@pytest.mark.parametrize("options", [{}, {"recall": False}, {"belief": True}], ids=str)
@pytest.mark.parametrize("num_players", PLAYERS)
def test_words_keep_apart(num_players, options):
    for state, _ in positions(num_players, **options):
        check_picture(GAME.picture(views_of(state)))
        check_picture(GAME.picture([view_of(state, 0)]))
