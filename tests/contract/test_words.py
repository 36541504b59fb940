"""What people type is forgiven where its meaning is plain, in every game alike."""

import re

import numpy as np
import pytest

from lanterns_env.engine.words import NUMBERS, plain_words
from lanterns_env.envs.aec import make
from tests.play import decisions

LOOSE = ("{}.", "  {} !", "please {}", "'{}'", "I {}")


def test_every_move_is_understood_when_loosely_written(name, num_players, few):
    env = make(name, False, num_players=num_players)
    for number, (agent, _) in enumerate(decisions(env, seed=3, limit=4 * few)):
        view = env.view(agent)
        for action in np.flatnonzero(env.observe(agent)["action_mask"])[:: 1 + number % 5]:
            words = env.describe(int(action))
            loose = [form.format(words) for form in LOOSE] + [words.upper(), words.replace(", ", " and ")]
            assert {int(action)} == {env.game.parse(view, each) for each in loose}, words
            assert action == env.game.parse(view, re.sub(r"(?<!-)\b3\b", "three", words))


@pytest.mark.parametrize(
    ("game", "loose", "plain"),
    [
        ("lumen", "BID 3.", "bid 3"),
        ("lumen", "bid three", "bid 3"),
        ("lumen", "bid 3 extra", "bid 3 with extra"),
        ("lumen", "bid three tricks with the extra stone", "bid 3 with extra"),
        ("lumen", "I bid zero tip stones +", "bid 0 with extra"),
        ("lumen", "play the card from slot four", "play slot 4"),
        ("lighthouse", "move island 3", "move the top of island 3"),
        ("lighthouse", "move 3", "move the top of island 3"),
        ("lighthouse", "Move the stone on island three!", "move the top of island 3"),
        ("lighthouse", "move harbour", "move the harbour stone"),
        ("lighthouse", "place a red stone in the harbor", "place red"),
        ("lighthouse", "claim it", "claim"),
        ("lanterns", "dedicate four red", "dedicate four of a kind: red"),
        ("lanterns", "dedicate 3 pairs of red, blue and white", "dedicate three pairs: white, blue, red"),
        ("lanterns", "exchange a red lantern for a blue one", None),
        ("lanterns", "exchange a red lantern for a blue lantern", "exchange red for blue"),
        ("lanterns", "return red", "discard red"),
    ],
)
def test_fillers_numbers_and_end_stops_are_forgiven(game, loose, plain):
    env = make(game, False)
    env.reset(seed=1)
    view = env.view(env.agent_selection)
    if plain is None:
        with pytest.raises(ValueError, match="not understood"):
            env.game.parse(view, loose)
    else:
        assert env.game.parse(view, plain) == env.game.parse(view, loose)


@pytest.mark.parametrize("words", ["bid 3.5", "bid -3", "bid", "bid three four", "bid 3 bid 4", "bid 3 without extra"])
def test_meaning_is_not_guessed(words):
    env = make("lumen", False)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="not understood"):
        env.parse(words)


def test_a_cell_keeps_its_signs():
    assert "place tile 5 at 0 -1 red" == plain_words("Place tile FIVE at (0,-1), red.")
    assert "bid 3.5" == plain_words("bid 3.5.")
    assert [str(number) for number in range(11)] == [plain_words(word) for word in NUMBERS]
