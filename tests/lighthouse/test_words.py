"""Words for actions, reasons against them, and the drawn table."""

import re

import numba
import numpy as np
import pytest

from tests.lighthouse.table import ACTIONS, GAME, X, dealt, mask_of, play, random_game, table, view_of

COMPILED = numba.config.DISABLE_JIT == 0
WORDS = [
    "move the harbour stone",
    *(f"move the top of island {island}" for island in range(1, 9)),
    "stop",
    "place red",
    "place white",
    "place black",
    "claim",
    "decline",
]
TWINS = {  # other words for the same
    "Move  the top of Island 4": "I4",
    "move the top stone of island 8": "I8",
    "move harbour": "H",
    "move the harbor stone": "H",
    "PLACE RED": "R",
    "place a black stone into the harbour": "B",
    "claim the order": "claim",
    " decline ": "decline",
}
PLACING = "in the movement only; now a stone is placed into the harbour"


def why(state, word):
    return GAME.why_illegal(view_of(state, int(state.player)), ACTIONS.index(word))


def test_actions_are_described_and_parsed():
    view = view_of(dealt(), 0)
    assert [GAME.describe(view, action) for action in range(15)] == WORDS
    assert [GAME.parse(view, words) for words in WORDS] == list(range(15))


def test_the_table_of_actions_covers_every_number():
    assert [action for block in GAME.actions for action in range(block.first, block.last + 1)] == list(range(15))


@pytest.mark.parametrize(("words", "action"), TWINS.items())
def test_words_are_taken_loosely(words, action):
    assert GAME.parse(view_of(dealt(), 0), words) == ACTIONS.index(action)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("move the top of island 9", "islands are 1 to 8"),
        ("move the top of island 0", "islands are 1 to 8"),
        ("place green", "colours are red, white, black"),
        ("jump", "say for instance 'move the top of island 4'"),
        ("", "not understood"),
    ],
)
def test_words_that_are_not_understood(words, complaint):
    with pytest.raises(ValueError, match=complaint):
        GAME.parse(view_of(dealt(), 0), words)


def test_a_reason_for_exactly_the_illegal_actions():
    for seed in range(6 if COMPILED else 1):
        state = dealt(2 + seed % 3, seed, max_turns=100 if COMPILED else 15)
        for mask, _ in random_game(state, np.random.default_rng(seed)):
            view = view_of(state, int(state.player))
            for action in range(15):
                reason = GAME.why_illegal(view, action)
                assert (reason is None) == bool(mask[action])
                assert reason is None or re.match(r"LH-\d\d: \S", reason)
        assert all(GAME.why_illegal(view_of(state, 0), action) for action in range(15))


@pytest.mark.parametrize(
    ("state", "word", "reason"),
    [
        (table({1: "R"}), "H", "LH-11: the harbour is empty"),
        (table({1: "R"}), "I3", "LH-11: island 3 is empty"),
        (
            table({1: "R", 2: "WBWB"}, points=1),
            "I1",
            "LH-12: the step jumps 1 full island and costs 2 points, you have 1",
        ),
        (table({1: "R", 2: "WR"}), "I1", "LH-13: red may not land on red, the top of island 2"),
        (table({1: "W", 2: "B"}), "stop", "LH-19: points must be used until a tower is finished; you have 4"),
        (
            table({5: "B"}, "W", points=1),
            "I5",
            "LH-23: with the 0 points left then, the harbour stone might not get away in this turn",
        ),
        (table({5: "B"}), "R", "LH-25: a stone is placed when the movement is over; you have 4 points"),
        (table({5: "B"}), "claim", "LH-38: no tower waits for a claim"),
        (
            table({5: "B"}, placing=True),
            "I5",
            "LH-10: stones are moved in the movement only; now a stone is placed into the harbour",
        ),
        (
            table({5: "B"}, placing=True),
            "stop",
            "LH-20: one stops in the movement only; now a stone is placed into the harbour",
        ),
        (
            table({1: "RBRB", 2: "RBRB", 3: "RBR"}, placing=True),
            "R",
            "LH-25: the supply has no red stone",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_reasons(state, word, reason):
    assert why(state, word) == reason


def test_reasons_at_a_claim_and_before_the_harbour():
    state = table({**X, 1: "R"}, "W", hands={0: ["WBRB", "RWRW", "BRBR"]})
    play(state, "I4 I3 I4")
    assert why(state, "I1") == why(state, "R") == "LH-38: claim or decline the order WBRB first"
    play(state, "claim")
    assert why(state, "stop") == "LH-22: the harbour stone must be moved first"


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_drawings_fit_on_the_page(num_players):
    for seed in range(3 if COMPILED else 1):
        state = dealt(num_players, seed, max_turns=250 if COMPILED else 10)
        for step, _ in enumerate(random_game(state, np.random.default_rng(seed))):
            if step % 10 == 0:
                check_drawing(state)
        check_drawing(state)


def check_drawing(state):
    views = [view_of(state, seat) for seat in range(int(state.num_players))]
    for shown in (views, views[:1]):
        plain = GAME.draw(shown)
        assert max(map(len, plain.split("\n"))) <= 80
        assert "\033" not in plain
    painted = GAME.draw(views, color=True)
    assert painted != GAME.draw(views)
    assert re.sub(r"\033\[[0-9;]*m", "", painted) == GAME.draw(views)


def test_drawing_of_a_position():
    state = table(X, "W", tops=("WBWB", "RBRB"), hands={0: ["WBRB", "RWRW", "BRBR"]}, laid={1: ["WRWR"]})
    text = GAME.draw([view_of(state, 0)])
    for line in (
        "Lighthouse Architects, 2 players: player 0 to move, 4 points left",
        "the harbour stone must be moved in this turn",
        "  public, pile 1    WBWB  and 7 below it",
        "  player 1, 3 held  WRWR",
        "player 0 holds      RWRW WBRB BRBR",
    ):
        assert line in text.split("\n")
    assert "WRBW" not in text


def test_drawing_shows_nothing_hidden():
    state = dealt(2, 5)
    text = GAME.draw([view_of(state, 0)])
    shown = set(re.findall(r"\b[RWB]{4}\b", text))
    seen = view_of(state, 0).order
    assert len(shown) == int(seen[:, :3].sum()) == 5
    assert mask_of(state).any()
