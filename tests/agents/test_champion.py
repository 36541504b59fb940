"""The networks that come with the package: whole, current, and refused with a reason where they cannot play."""

import dataclasses
import json
import sys

import numpy as np
import pytest
from lanterns_agents import load
from lanterns_agents.champion import Champion, champion_file, champions

from lanterns_env import GAMES, Batch
from lanterns_env.agent import Table
from lanterns_env.match import play_ladder
from tests.conftest import COMPILED

MEGABYTES = 8  # at most, each


@pytest.fixture
def without_onnxruntime(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)


def test_every_game_has_one_and_it_fits_the_game_as_it_is(name):
    pytest.importorskip("onnxruntime")
    file = champion_file(name)
    assert file.stat().st_size < MEGABYTES * 1e6
    assert b"site-packages" not in file.read_bytes()  # it tells nothing of where it was made
    network = Champion().evaluator(name)
    network.check(GAMES[name])
    assert network.card == json.loads(file.with_suffix(".json").read_text())
    assert network.card["game_version"] == GAMES[name].version
    assert set(network.card["players"]) <= set(GAMES[name].players)
    assert network.card["results"]


def test_there_is_one_for_each_game():
    assert sorted(GAMES) == champions()


def test_another_version_or_layout_of_the_game_is_refused(name):
    pytest.importorskip("onnxruntime")
    later = dataclasses.replace(GAMES[name], version=99)
    changed = dataclasses.replace(GAMES[name], fields=GAMES[name].fields[1:])
    with pytest.raises(
        ValueError, match=f"{name}/champion.onnx was trained on version 0 of the rules of .* version 99"
    ):
        Champion().evaluator(name).check(later)
    with pytest.raises(ValueError, match=f"{name}/champion.onnx was trained on another layout of"):
        Champion().evaluator(name).check(changed)


def test_a_game_without_one_is_named(tmp_path):
    with pytest.raises(ValueError, match="there is no champion of 'chess'; there are champions of: lanterns, "):
        Champion().evaluator("chess")
    with pytest.raises(ValueError, match="there is no champion of 'lumen'; there are champions of: none"):
        load(f"champion:{tmp_path}").act(Table(Batch("lumen", 1, 3), [0], [0]), np.random.default_rng(0))


def test_without_onnxruntime_it_says_so(name, without_onnxruntime):
    table = Table(Batch(name, 1, 3), [0], [0])
    words = rf"{name}/champion\.onnx needs onnxruntime: pip install 'lanterns_env\[learned\]'"
    with pytest.raises(ValueError, match=words):
        load("champion").act(table, np.random.default_rng(0))


@pytest.mark.skipif(not COMPILED, reason="dozens of games")
def test_without_onnxruntime_a_ladder_goes_on_without_it(without_onnxruntime):
    result = play_ladder("lanterns", ["random", "champion", "greedy"], 2, deals=1, workers=1)
    assert {"random", "greedy"} == {row.agent for row in result.rows}
    assert "lanterns/champion.onnx needs onnxruntime" in result.skipped["champion"]


@pytest.mark.slow
def test_it_evaluates_for_a_search(name):
    pytest.importorskip("onnxruntime")
    batch = Batch(name, 2, seed=3)
    led, alone = load("search:8+champion"), Champion().evaluator(name)
    rows = np.arange(2)
    found = led.search(Table(batch, rows, rows), np.random.default_rng(0))
    assert found.visits.sum(1).tolist() == [7, 7]
    assert (batch.action_masks[rows, found.actions] == 1).all()
    assert led._searches[name].evaluator.file == alone.file


def test_what_is_no_network_evaluates_for_no_search():
    with pytest.raises(ValueError, match="'greedy' cannot evaluate for a search: it is no network"):
        load("search:8+greedy")
