"""From a run to a file that plays without torch."""

import json
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
pytest.importorskip("onnxscript")

from lanterns_agents import exported as exporting  # noqa: E402
from lanterns_agents.features import layout_of  # noqa: E402
from lanterns_agents.networks.base import read_network  # noqa: E402
from lanterns_agents.onnx_agent import OnnxAgent  # noqa: E402
from lanterns_agents.training import ppo  # noqa: E402
from lanterns_agents.training.arguments import read_arguments  # noqa: E402
from lanterns_agents.training.config import Config  # noqa: E402
from lanterns_agents.training.evaluate import BestMoves  # noqa: E402
from lanterns_agents.training.inference import ask  # noqa: E402

import lanterns_env  # noqa: E402
from lanterns_env import GAMES, Batch  # noqa: E402
from lanterns_env.agent import Table, load  # noqa: E402
from lanterns_env.match import play_match  # noqa: E402
from scripts import export  # noqa: E402
from tests.conftest import COMPILED  # noqa: E402
from tests.learning.runs import opened  # noqa: E402

ROOT = pathlib.Path(__file__).parents[2]
TINY = ["num_games=4", "batch_size=40", "hidden_size=16", "entity_size=4", "total_decisions=40", "eval_deals=1"]
TINY = [*TINY, "tensorboard=false", "eval_opponents=random", "run_name=small"]


@pytest.fixture(scope="module", autouse=True)
def few_are_timed():
    """Without the compiler, thousands of positions take minutes."""
    with pytest.MonkeyPatch.context() as patch:
        if not COMPILED:
            patch.setattr(export, "TIMED", 16)
        yield


@pytest.fixture(scope="module", params=list(GAMES))
def exported(request, tmp_path_factory, few_are_timed):
    """A tiny run of each game and its file."""
    folder = tmp_path_factory.mktemp(request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        config, *_ = read_arguments([f"game={request.param}", "num_players=3", *TINY], Config)
        ppo.train(*opened(config))
        export.main(["runs/small", "--pt2", "--check", "32"])
    return folder / "runs" / "small"


def test_the_file_plays_as_the_network_does(exported):
    agent = load(str(exported / "policy.onnx"))
    saved = read_network(exported / "policy.safetensors")
    game = GAMES[saved["game"]]
    learner = BestMoves(export.load_network(game, saved))
    for num_players in game.players:
        batch, rng = Batch(game, 7, num_players, seed=3), np.random.default_rng(0)
        rows = np.arange(7)
        for _ in range(40 if COMPILED else 5):
            table = Table(batch, rows, rows)
            actions = agent.act(table, rng)
            assert batch.action_masks[rows, actions].all()
            chances, _ = agent.evaluate(game.to_array(table.views), table.action_masks)
            logits = ask(learner.network, batch.observations.copy(), batch.action_masks.copy())[0]
            assert torch.from_numpy(logits).softmax(1).numpy() == pytest.approx(chances, abs=export.TOLERANCE)
            assert not chances[table.action_masks == 0].any()
            of_guide = agent.judge(table.views, table.action_masks)[0]
            legal = table.action_masks == 1
            assert np.log(chances[legal]) == pytest.approx(of_guide[legal], abs=export.TOLERANCE)
            batch.step(batch.sample(rng))


def test_many_rows_are_judged_as_few_are(exported, monkeypatch):
    """In parts; also where nobody in a part may do what others may."""
    agent = OnnxAgent(str(exported / "policy.onnx"))
    batch, rng = Batch(agent.card["game"], 7, seed=3), np.random.default_rng(0)
    for _ in range(12):
        batch.step(batch.sample(rng))
    given = batch.observations.copy(), batch.action_masks.copy()
    expected = agent.evaluate(*given)
    for part in (1, 3):
        monkeypatch.setattr(exporting, "PART", part)
        for at_once, in_parts in zip(expected, agent.evaluate(*given), strict=True):
            assert at_once == pytest.approx(in_parts, abs=export.TOLERANCE)


def test_the_card_says_what_it_was_made_for(exported):
    agent = OnnxAgent(str(exported / "policy.onnx"))
    game = GAMES[agent.card["game"]]
    assert layout_of(game) == agent.card["layout"]
    assert [3] == agent.card["players"]
    assert (game.version, lanterns_env.__version__) == (agent.card["game_version"], agent.card["package_version"])
    assert game.check_options(3, {}) == agent.card["options"]
    assert 40 == agent.card["config"]["rollout"] <= agent.card["decisions"]
    assert agent.card["seconds"] > 0
    (met,) = agent.card["in_training"]
    assert ("random", 3, 3) == (met["against"], met["players"], met["games"])
    assert 0 <= met["interval"][0] <= met["win_share"] <= met["interval"][1] <= 1
    assert agent.card == json.loads((exported / "policy.json").read_text())


def test_the_file_does_not_tell_where_it_was_made(exported):
    assert b"site-packages" not in (exported / "policy.onnx").read_bytes()


def loaded(folder):
    return export.read_policy(folder)


def test_the_program_of_torch_says_the_same(exported):
    network, card = loaded(exported)
    program = torch.export.load(exported / "policy.pt2").module()
    for count in (1, 5):
        given = export.positions(network, card, count)
        judges = export.judged_by(network, network.game), export.judged_by(program, network.game)
        found = export.compare(*judges, *given)
        assert export.Comparison(count, count, count, found.chances, found.of_itself, found.values) == found
        assert max(found.chances, found.of_itself, found.values) <= export.TOLERANCE


def test_a_file_that_says_something_else_is_refused(exported, capsys):
    network, card = loaded(exported)
    export.check(network, card, exported / "policy.onnx", 10)
    assert "policy.onnx: 10 positions: the same action in 10, largest difference" in capsys.readouterr().out
    right = export.judged_by(network, network.game)

    def wrong_values(*given):
        chances, values = right(*given)
        return chances, values + 1e-4

    def wrong_chances(*given):
        chances, values = right(*given)
        return chances * np.where(np.arange(chances.shape[1]) % 2, 1.001, 1), values

    given = export.positions(network, card, 10)
    assert export.compare(right, right, *given).equal
    assert not export.compare(right, wrong_values, *given).equal
    assert not export.compare(right, wrong_chances, *given).equal
    with torch.no_grad():
        network.network.value.bias += 1e-4
    with pytest.raises(ValueError, match="does not say the same as the network it was made from"):
        export.check(network, card, exported / "policy.onnx", 10)


def test_the_positions_are_from_the_middle_of_games(exported):
    network, card = loaded(exported)
    card["players"] = [3, max(network.game.players)]
    observations, masks = export.positions(network, card, 9)
    views = np.stack([network.game.view_from(row) for row in observations])
    assert {3, max(network.game.players)} == set(views["num_players"].tolist())
    assert masks.any(1).all()
    assert 9 == len({row.tobytes() for row in observations})


def test_the_card_takes_results_of_matches(exported, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(exported / "policy.onnx", tmp_path / "my.onnx")
    agent = OnnxAgent("my.onnx")
    name = agent.card["game"]
    play_match(name, ["my.onnx", "random"], 3, 2, seed=5, workers=1).save("mine.json")
    play_match(name, ["random", "my.onnx"], 3, 1, seed=5, workers=1).save("other.json")
    export.main(["my.onnx", "--results", "mine.json"])
    (told,) = OnnxAgent("my.onnx").card["results"]
    assert {**agent.card, "results": [told]} == json.loads((tmp_path / "my.json").read_text())
    assert (["my.onnx", "random"], 3, 6, 2) == tuple(told[key] for key in ("agents", "players", "games", "deals"))
    assert told["interval"][0] <= told["win_share"] <= told["interval"][1]
    words = f"lanterns evaluate --game {name} --players 3 --agents my.onnx,random --deals 2 --seed 5"
    assert words == told["command"]
    with pytest.raises(ValueError, match=r"other\.json: the first agent must be the network, not 'random'"):
        export.main(["my.onnx", "--results", "other.json"])
    with pytest.raises(ValueError, match=r"my\.onnx is exported already: it can be given --results, nothing else"):
        export.main(["my.onnx", "--pt2", "--results", "mine.json"])
    another = "lumen" if name != "lumen" else "lanterns"
    play_match(another, ["random"], 3, 1, workers=1).save("far.json")
    with pytest.raises(ValueError, match=f"far.json is a match of {another}, the network plays {name}"):
        export.main(["my.onnx", "--results", "far.json"])
    assert [told] == OnnxAgent("my.onnx").card["results"]


def test_another_game_version_or_layout_is_refused(exported, tmp_path):
    agent = OnnxAgent(str(exported / "policy.onnx"))
    name = agent.card["game"]
    other = Batch("lumen" if name != "lumen" else "lanterns", 1, 3)
    with pytest.raises(ValueError, match=f"plays {name}, not {other.game.name}"):
        agent.act(Table(other, [0], [0]), np.random.default_rng(0))
    model = onnx.load(exported / "policy.onnx")
    export.write_model(tmp_path / "old.onnx", model, {**agent.card, "layout": "0123"})
    batch = Batch(name, 1, 3)
    with pytest.raises(ValueError, match=r"was trained on another layout .* train it anew"):
        load(str(tmp_path / "old.onnx")).act(Table(batch, [0], [0]), np.random.default_rng(0))
    export.write_model(tmp_path / "older.onnx", model, {**agent.card, "layout": "0123", "game_version": 7})
    with pytest.raises(ValueError, match=r"was trained on version 7 of the rules of .*; this package has version 0"):
        load(str(tmp_path / "older.onnx")).act(Table(batch, [0], [0]), np.random.default_rng(0))
    onnx.save(model, tmp_path / "bare.onnx")
    with pytest.raises(ValueError, match="was not exported from this package, or not by this version"):
        load(str(tmp_path / "bare.onnx")).act(Table(batch, [0], [0]), np.random.default_rng(0))


def test_a_file_that_gives_something_else_is_refused(exported, tmp_path):
    model = onnx.load(exported / "policy.onnx")
    (last,) = (node for node in model.graph.node if "chances" in node.output)
    last.output[0] = model.graph.output[0].name = "logits"
    export.write_model(tmp_path / "logits.onnx", model, OnnxAgent(str(exported / "policy.onnx")).card)
    agent = load(str(tmp_path / "logits.onnx"))
    batch = Batch(json.loads((exported / "policy.json").read_text())["game"], 1, 3)
    with pytest.raises(ValueError, match="gives logits and values, not chances and values: export it anew"):
        agent.act(Table(batch, [0], [0]), np.random.default_rng(0))


def test_it_plays_without_torch(exported):
    game = json.loads((exported / "policy.json").read_text())["game"]
    words = f"""
import sys
import numpy as np
from lanterns_env import Batch
from lanterns_env.agent import Table, load
batch = Batch({game!r}, 2, 3)
load({str(exported / "policy.onnx")!r}).act(Table(batch, [0, 1], [0, 1]), np.random.default_rng(0))
assert not {{"torch", "safetensors", "onnx"}} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", words], check=True, cwd=ROOT)


def test_missing_files_are_named(tmp_path):
    with pytest.raises(ValueError, match=r"there is no file .*nowhere\.onnx"):
        load(str(tmp_path / "nowhere.onnx"))
    with pytest.raises(ValueError, match=r"there is no file .*policy\.safetensors"):
        export.main([str(tmp_path)])


def test_a_search_led_by_an_exported_network(exported):
    """It plays legal actions, the same for the same seed, and refuses another game."""
    file = exported / "policy.onnx"
    batch, rows = Batch(OnnxAgent(str(file)).card["game"], 3, 3, seed=1), np.arange(3)
    table = Table(batch, rows, rows)
    first, again = (load(f"search:20+{file}").act(table, np.random.default_rng(4)) for _ in range(2))
    assert batch.action_masks[rows, first].all()
    assert np.array_equal(first, again)
    other = Batch(next(name for name in GAMES if name != batch.game.name), 1, 3)
    with pytest.raises(ValueError, match=f"plays {batch.game.name}, not {other.game.name}"):
        load(f"search:20+{file}").act(Table(other, [0], [0]), np.random.default_rng(4))
