"""Training on a small variant: settings, decisions, evaluation, resuming, the card; and the settings files for it."""

import json
import pathlib
import subprocess
import sys
import tomllib

import pytest

torch = pytest.importorskip("torch")

from lanterns_agents.training import ppo  # noqa: E402
from lanterns_agents.training.arguments import make_config  # noqa: E402
from lanterns_agents.training.config import Config  # noqa: E402
from lanterns_agents.training.export import read_policy  # noqa: E402

from lanterns_env import GAMES  # noqa: E402
from tests.conftest import COMPILED  # noqa: E402
from tests.learning.runs import opened, same, tiny_config  # noqa: E402

ROOT = pathlib.Path(__file__).parents[2]
TINY = {"preset": "tiny"}
CONFIGS = sorted((ROOT / "configs").glob("tiny_*.toml"))
compiled = pytest.mark.skipif(not COMPILED, reason="hundreds of decisions")


def settings(name):
    return {"game": name, "num_players": [min(GAMES[name].players)], "game_options": TINY, "run_name": name}


@compiled
def test_a_variant_is_learnt_evaluated_and_named_on_the_card(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run, path = opened(tiny_config(**settings(name), total_decisions=300, eval_opponents=["random", "greedy"]))
    ppo.train(run, path)
    game, players = GAMES[name], run.config.num_players[0]
    expected = game.check_options(players, TINY)
    assert expected != game.check_options(players, {})
    assert expected == run.batch.options
    last = json.loads((path / "log.jsonl").read_text().splitlines()[-1])
    assert {f"random {players}p", f"greedy {players}p"} == set(last["results"])
    assert expected == read_policy(path)[1]["options"]
    resumed, _ = opened(tiny_config(**settings(name), total_decisions=600), True)
    assert same(run.saved()[0], resumed.saved()[0])


def test_a_variant_that_a_table_cannot_play_is_refused():
    """At every number of players of the run, not at the smallest alone."""
    with pytest.raises(ValueError, match="Lumen for 5 players cannot be played like that: 5 hands of 2 are 10 cards"):
        tiny_config(game="lumen", num_players=[3, 5], game_options={"colours": 2, "top_value": 4, "hand": 2})
    with pytest.raises(ValueError, match="Lumen has no preset 'huge'"):
        tiny_config(game="lumen", num_players=[3], game_options={"preset": "huge"})


@pytest.mark.parametrize("file", CONFIGS, ids=lambda file: file.stem)
def test_the_settings_files_of_variants_are_of_the_tiny_ones(file):
    config = make_config(tomllib.loads(file.read_text()), Config)
    assert f"tiny_{config.game}_{config.num_players[0]}p" == file.stem
    assert TINY == config.game_options


def test_there_is_a_settings_file_for_every_game():
    assert set(GAMES) == {file.stem.split("_")[1] for file in CONFIGS}


@pytest.mark.slow
@compiled
def test_a_variant_from_its_settings_file_to_an_exported_network(tmp_path):
    small = ["total_decisions=20000", "eval_deals=5", "run_name=mine"]
    options = ["--game", "lanterns", "--players", "2", "--option", "preset=tiny"]
    for words in (
        ["train", str(ROOT / "configs" / "tiny_lanterns_2p.toml"), *small],
        ["export", "runs/mine"],
        ["evaluate", *options, "--agents", "runs/mine/policy.onnx,random", "--deals", "20", "--json", "match.json"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "lanterns_env", *words], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
    card = json.loads((tmp_path / "runs" / "mine" / "policy.json").read_text())
    match = json.loads((tmp_path / "match.json").read_text())
    assert GAMES["lanterns"].check_options(2, TINY) == card["options"] == match["options"]
