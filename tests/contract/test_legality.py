"""The mask, ``play``, ``why_illegal`` and words agree on every action."""

import numpy as np
import pytest

from lanterns_env.envs.aec import make
from tests.conftest import COMPILED
from tests.play import decisions, middle

EVERY = 9 if COMPILED else 23  # decisions between two that are looked at


def looked_at(name, num_players, seed):
    env = make(name, False, num_players=num_players)
    for number, _ in enumerate(decisions(env, seed)):
        if number % EVERY == 0:
            yield env


def test_an_action_is_played_exactly_when_the_mask_allows_it(name, num_players):
    for env in looked_at(name, num_players, 1):
        mask = env.observe(env.agent_selection)["action_mask"]
        before = env.get_state()
        for action in range(env.game.num_actions):
            if mask[action]:
                twin = env.clone()
                twin.step(action)
                assert twin.get_state() != before
            else:
                with pytest.raises(ValueError, match="is illegal"):
                    env.step(action)
        assert env.get_state() == before


def test_why_illegal_names_a_rule_exactly_for_illegal_actions(name, num_players):
    for env in looked_at(name, num_players, 2):
        mask = env.observe(env.agent_selection)["action_mask"]
        view = env.view(env.agent_selection)
        reasons = [env.game.why_illegal(view, action) for action in range(env.game.num_actions)]
        assert [reason is None for reason in reasons] == (mask == 1).tolist()
        assert all(reason is None or (reason[:2].isupper() and ": " in reason) for reason in reasons)


def test_words_are_unique_and_parse_back(name, num_players):
    for env in looked_at(name, num_players, 3):
        view = env.view(env.agent_selection)
        words = [env.game.describe(view, action) for action in range(env.game.num_actions)]
        assert len(set(words)) == env.game.num_actions
        assert [env.game.parse(view, word) for word in words] == list(range(env.game.num_actions))


def test_parse_refuses_in_words(name, num_players):
    env = middle(name, num_players, guarded=True)
    mask = env.observe(env.agent_selection)["action_mask"]
    legal, illegal = int(np.flatnonzero(mask)[0]), int(np.flatnonzero(mask == 0)[0])
    before = env.get_state()
    assert env.parse(env.describe(legal)) == legal
    with pytest.raises(ValueError, match="is illegal"):
        env.parse(env.describe(illegal))
    with pytest.raises(ValueError, match="not understood"):
        env.parse("sing a song")
    assert env.why_illegal(legal) is None
    assert env.why_illegal(illegal) is not None
    assert env.get_state() == before
