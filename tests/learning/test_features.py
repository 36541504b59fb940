"""What networks are told beside the view: it follows from the view alone."""

import numpy as np
import pytest
from lanterns_agents.features import compute_features, has_features, inputs_of
from lanterns_agents.lighthouse import features as features_lighthouse
from lanterns_agents.lumen import features as features_lumen

from tests.learning.stages import played

MODULES = {"lighthouse": features_lighthouse, "lumen": features_lumen}


@pytest.mark.parametrize("game", list(MODULES))
def test_sights_follow_from_the_view_alone(game):
    """The same in redealt worlds, at any number of rows, and complete: nothing is left from before."""
    batch = played(game, 3)
    rows = np.flatnonzero(batch.dones == 0)[:8]
    expected = compute_features(batch.game, batch.observations[rows])
    worlds = batch.worlds(rows, batch.current_players[rows], np.arange(len(rows)))
    assert np.array_equal(expected, compute_features(batch.game, worlds.observations))
    assert np.array_equal(expected[:1], compute_features(batch.game, batch.observations[rows[:1]]))
    filled = np.full_like(expected, 77)
    MODULES[game].compute_rows(batch.views[rows], filled)
    assert np.array_equal(expected, filled)


def test_only_games_with_sights_have_them(name):
    batch = played(name, moves=3)
    given = inputs_of(batch.game, batch.observations, batch.action_masks)
    assert ["observations", "masks", *["features"] * (name in MODULES)] == list(given)
    assert has_features(name) == (name in MODULES)
    if name in MODULES:
        assert (len(batch), MODULES[name].WIDTH) == given["features"].shape
        assert np.float32 == given["features"].dtype
