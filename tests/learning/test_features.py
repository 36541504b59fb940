"""What networks are given beside the view: it follows from the view alone, and is what it was."""

import functools
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest
from lanterns_agents import features as pinning
from lanterns_agents.features import (
    TOLERANCE,
    check_features,
    compute_features,
    differing,
    features_fingerprint,
    has_features,
    inputs_of,
    read_reference,
    reference_file,
)
from lanterns_agents.lighthouse import features as features_lighthouse
from lanterns_agents.lumen import endgame
from lanterns_agents.lumen import features as features_lumen

from lanterns_env import GAMES
from tests.learning.stages import played

ROOT = pathlib.Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
EFFORT = endgame.EFFORT  # as it is: the tests play fewer worlds without the compiler
MODULES = {"lighthouse": features_lighthouse, "lumen": features_lumen}


@pytest.mark.parametrize("game", list(MODULES))
def test_features_follow_from_the_view_alone(game):
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


def test_only_games_with_features_have_them(name):
    batch = played(name, moves=3)
    given = inputs_of(batch.game, batch.observations, batch.action_masks)
    assert ["observations", "action_masks", *["features"] * (name in MODULES)] == list(given)
    assert has_features(name) == (name in MODULES)
    if name in MODULES:
        assert (len(batch), MODULES[name].WIDTH) == given["features"].shape
        assert np.float32 == given["features"].dtype


# -- pinned by what they are ------------------------------------------------------------------------------------------

files = pytest.mark.parametrize("file", [GOLDEN / "features_{}.npz", reference_file("{}")], ids=["golden", "reference"])


@files
@pytest.mark.parametrize("game", list(MODULES))
def test_features_are_the_pinned_ones(game, file, monkeypatch):
    monkeypatch.setattr(endgame, "EFFORT", EFFORT)
    pinned = read_reference(pathlib.Path(str(file).format(game)))
    assert "" == differing(compute_features(GAMES[game], pinned.observations), pinned.features)


@files
@pytest.mark.parametrize("game", list(MODULES))
def test_pinned_positions_are_of_every_number_of_players_and_stage(game, file):
    pinned = read_reference(pathlib.Path(str(file).format(game)))
    views = pinned.observations.view(GAMES[game].view).reshape(-1)
    assert len(pinned.observations) == len(np.unique(pinned.observations, axis=0))
    stage = {"lumen": "round_number", "lighthouse": "hand_size"}[game]
    for count in GAMES[game].players:
        assert len(np.unique(views[views["num_players"] == count][stage], axis=0)) >= 3


def test_a_game_without_features_pins_nothing():
    assert "" == features_fingerprint("lanterns")
    check_features(GAMES["lanterns"], "")
    with pytest.raises(ValueError, match=r"trained on other features of Lanterns \(0123; now none\): train it anew"):
        check_features(GAMES["lanterns"], "0123")


def test_numbers_that_differ_are_found():
    pinned = np.arange(6, dtype=np.float32).reshape(2, 3) / 8
    assert "" == differing(pinned + TOLERANCE / 2, pinned)
    words = "1 numbers differ, first feature 2 of reference position 1, which is 0.6251 and was 0.625"
    assert words == differing(pinned + 1e-4 * (pinned == 0.625), pinned)
    assert "1 numbers differ, first feature 0 of reference position 0, which is nan and was 0" == differing(
        np.where(pinned == 0, np.nan, pinned), pinned
    )
    assert "a position has 2 of them, and had 3" == differing(pinned[:, :2], pinned)


def test_a_feature_that_changed_refuses_all_networks_of_its_game(monkeypatch):
    """Asked once for every process, so that it costs nothing afterwards."""
    game, module = GAMES["lighthouse"], MODULES["lighthouse"]
    compute_rows = module.compute_rows

    def otherwise(views, features):
        compute_rows(views, features)
        features[5, 7] += 2 * TOLERANCE

    check_reference = pinning.check_reference.__wrapped__
    monkeypatch.setattr(pinning, "check_reference", functools.cache(check_reference))
    monkeypatch.setattr(module, "compute_rows", otherwise)
    words = "the features of Lighthouse Architects are not those that its networks were trained on: 1 numbers differ"
    with pytest.raises(ValueError, match=f"{words}, first feature 7 of reference position 5"):
        check_features(game, features_fingerprint("lighthouse"))
    monkeypatch.setattr(module, "compute_rows", compute_rows)
    check_features(game, features_fingerprint("lighthouse"))
    monkeypatch.setattr(module, "compute_rows", None)
    check_features(game, features_fingerprint("lighthouse"))


LOADS = """
from lanterns_agents.champion import Champion
from lanterns_agents.networks.base import load_network
from lanterns_agents.networks.weights import read_exported
from lanterns_env import GAMES
loads = lambda: Champion().evaluator("lumen").card
loads_weights = lambda: load_network(GAMES["lumen"], read_exported({weights!r}))
for load in (loads, loads_weights):
    try:
        load()
    except ValueError as error:
        print(error)
"""


def test_a_retuned_expert_refuses_the_networks_that_learnt_from_it(tmp_path):
    """Features of Lumen near the end of a round come from its play."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("torch")
    package = tmp_path / "lanterns_agents"
    shutil.copytree(ROOT / "agents" / "lanterns_agents", package, ignore=shutil.ignore_patterns("__pycache__"))
    weights = package / "lumen" / "weights.toml"
    line = next(line for line in weights.read_text().splitlines() if line.startswith("ruff_fall"))
    changed = f"{line.partition('=')[0]}= {float(line.partition('=')[2]) - 0.02:.4f}"
    for text, expected in ((line, 0), (changed, 2)):
        weights.write_text(weights.read_text().replace(line, text))
        # Uncompiled, it takes seconds; compiled, minutes.
        environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}", "NUMBA_DISABLE_JIT": "1"}
        words = LOADS.format(weights=str(package / "lumen" / "champion.onnx"))
        done = subprocess.run(
            [sys.executable, "-c", words], env=environment, capture_output=True, text=True, check=True
        )
        refusals = done.stdout.splitlines()
        assert expected == len(refusals), done.stdout
        for refusal in refusals:
            assert "the features of Lumen are not those that its networks were trained on: " in refusal
