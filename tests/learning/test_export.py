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

from lanterns_agents.networks import export as exporting  # noqa: E402
from lanterns_agents.networks import exported as reading  # noqa: E402
from lanterns_agents.networks.base import load_network, make_network, read_network, save_network, write_network  # noqa: E402
from lanterns_agents.networks.model_card import fingerprint  # noqa: E402
from lanterns_agents.onnx_agent import OnnxAgent  # noqa: E402
from lanterns_agents.training import export  # noqa: E402

import lanterns_env  # noqa: E402
from lanterns_env import GAMES, Batch  # noqa: E402
from lanterns_env.agent import Table, load  # noqa: E402
from lanterns_env.match.result import play_match  # noqa: E402
from tests.conftest import COMPILED  # noqa: E402

ROOT = pathlib.Path(__file__).parents[2]
TOLERANCE = exporting.ABSOLUTE_TOLERANCE
CONFIG = {"num_players": [3], "game_options": {}, "eval_deals": 1}
TRAINED = {"config": CONFIG, "decisions": 40, "seconds": 1.5, "initialised_from": []}
LOG = {"update": 1, "minutes": 0.1, "results": {"random 3p": [0.5, 0.25, 0.75]}}


@pytest.fixture(scope="module", autouse=True)
def few_are_timed():
    """Without the compiler, thousands of positions take minutes."""
    with pytest.MonkeyPatch.context() as patch:
        if not COMPILED:
            patch.setattr(exporting, "TIMED", 16)
        yield


@pytest.fixture(scope="module", params=list(GAMES))
def exported(request, tmp_path_factory, few_are_timed):
    """A small network of each game as a run leaves it, and its file."""
    folder = tmp_path_factory.mktemp(request.param)
    torch.manual_seed(0)
    network = make_network(GAMES[request.param], hidden_size=16, entity_size=4)
    for weight in network.parameters():
        torch.nn.init.normal_(weight, std=0.2)
    write_network(folder / "policy.safetensors", {**save_network(network), **TRAINED})
    (folder / "log.jsonl").write_text(json.dumps(LOG) + "\n")
    export.main([str(folder), "--pt2", "--check", "32"])
    return folder


def test_the_file_plays_as_the_network_does(exported):
    agent = load(str(exported / "policy.onnx"))
    saved = read_network(exported / "policy.safetensors")
    game = GAMES[saved["game"]]
    network = load_network(game, saved)
    for num_players in game.players:
        batch, rng = Batch(game, 7, num_players, seed=3), np.random.default_rng(0)
        rows = np.arange(7)
        for _ in range(40 if COMPILED else 5):
            table = Table(batch, rows, rows)
            actions = agent.act(table, rng)
            assert batch.action_masks[rows, actions].all()
            given = batch.observations.copy(), batch.action_masks.copy()
            with torch.no_grad():
                logits, values = network(*map(torch.from_numpy, given))
            probabilities, found = agent.evaluate(*given)
            assert logits.softmax(1).numpy() == pytest.approx(probabilities, abs=TOLERANCE)
            assert values.numpy() == pytest.approx(found, abs=TOLERANCE)
            assert not probabilities[table.action_masks == 0].any()
            assert not found[:, num_players:].any()
            for_search, values_for_search = agent.policy_and_value(table.views, table.action_masks)
            legal = table.action_masks == 1
            assert np.log(probabilities[legal]) == pytest.approx(for_search[legal], abs=TOLERANCE)
            assert found == pytest.approx(values_for_search, abs=TOLERANCE)
            batch.step(batch.sample(rng))


def test_many_rows_are_evaluated_as_few_are(exported, monkeypatch):
    """In chunks; also where nobody in a chunk may do what others may."""
    agent = OnnxAgent(str(exported / "policy.onnx"))
    batch, rng = Batch(agent.card["game"], 7, seed=3), np.random.default_rng(0)
    for _ in range(12):
        batch.step(batch.sample(rng))
    given = batch.observations.copy(), batch.action_masks.copy()
    expected = agent.evaluate(*given)
    for rows in (1, 3):
        monkeypatch.setattr(reading, "CHUNK", rows)
        for at_once, in_chunks in zip(expected, agent.evaluate(*given), strict=True):
            assert at_once == pytest.approx(in_chunks, abs=TOLERANCE)


def test_the_card_says_what_it_was_made_for(exported):
    agent, saved = OnnxAgent(str(exported / "policy.onnx")), read_network(exported / "policy.safetensors")
    game = GAMES[agent.card["game"]]
    for key in ("layout", "features", "network", *TRAINED):
        assert saved[key] == agent.card[key]
    assert game.layout == agent.card["layout"]
    assert fingerprint(saved["weights"]) == agent.card["weights"]
    assert [3] == agent.card["players"]
    assert (game.version, lanterns_env.__version__) == (agent.card["game_version"], agent.card["package_version"])
    assert game.check_options(3, {}) == agent.card["options"]
    expected = {"against": "random", "players": 3, "win_share": 0.5, "interval": [0.25, 0.75], "games": 3}
    assert [expected] == agent.card["training_eval"]
    assert agent.card == json.loads((exported / "policy.json").read_text())


def test_the_file_does_not_say_where_it_was_made(exported):
    assert b"site-packages" not in (exported / "policy.onnx").read_bytes()


def loaded(folder):
    return export.read_policy(folder)


def test_the_program_of_torch_says_the_same(exported):
    network, card = loaded(exported)
    program = torch.export.load(exported / "policy.pt2").module()
    for count in (1, 5):
        given = exporting.positions(network, card, count)
        outputs = [exporting.evaluated_by(each, network.game)(*given) for each in (network, program)]
        found = exporting.compare(*outputs)
        assert (count, count, count) == (found.positions, found.same_action, found.equally_good)
        assert max(found.probability_error, found.relative_error, found.value_error) <= TOLERANCE


def test_a_file_that_says_something_else_is_refused(exported, capsys):
    network, card = loaded(exported)
    exporting.check(network, card, exported / "policy.onnx", 10)
    assert "policy.onnx: 10 positions: the same action in 10, largest difference" in capsys.readouterr().out
    with torch.no_grad():
        network.network.value.bias[0] += 1e-4
    with pytest.raises(ValueError, match="does not say the same as the network it was made from"):
        exporting.check(network, card, exported / "policy.onnx", 10)


@pytest.mark.parametrize("seat", range(3))
def test_a_value_of_any_seat_that_differs_is_found(seat):
    probabilities, values = np.full((2, 4), 0.25, np.float32), np.zeros((2, 3), np.float32)
    right = probabilities, values
    assert exporting.compare(right, right).equal
    wrong_values = values.copy()
    wrong_values[1, seat] += 1e-4
    assert not exporting.compare(right, (probabilities, wrong_values)).equal


def test_a_probability_that_differs_is_found():
    """By its own size, too."""
    probabilities, values = np.array([[0.9, 0.1, 1e-8]], np.float32), np.zeros((1, 3), np.float32)
    for factors in ([1, 1.001, 1], [1, 1, 1.001]):
        wrong = (probabilities * np.array(factors, np.float32), values)
        assert not exporting.compare((probabilities, values), wrong).equal


def test_the_positions_are_from_the_middle_of_games(exported):
    network, card = loaded(exported)
    card["players"] = [3, max(network.game.players)]
    observations, masks = exporting.positions(network, card, 9)
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
    (said,) = OnnxAgent("my.onnx").card["results"]
    assert {**agent.card, "results": [said]} == json.loads((tmp_path / "my.json").read_text())
    assert (["my.onnx", "random"], 3, 6, 2) == tuple(said[key] for key in ("agents", "players", "games", "deals"))
    assert said["interval"][0] <= said["win_share"] <= said["interval"][1]
    words = f"lanterns evaluate --game {name} --players 3 --agents my.onnx,random --deals 2 --seed 5"
    assert words == said["command"]
    with pytest.raises(ValueError, match=r"other\.json: the first agent must be the network, not 'random'"):
        export.main(["my.onnx", "--results", "other.json"])
    with pytest.raises(ValueError, match=r"my\.onnx is exported already: it can be given --results, nothing else"):
        export.main(["my.onnx", "--pt2", "--results", "mine.json"])
    another = "lumen" if name != "lumen" else "lanterns"
    play_match(another, ["random"], 3, 1, workers=1).save("far.json")
    with pytest.raises(ValueError, match=f"far.json is a match of {another}, the network plays {name}"):
        export.main(["my.onnx", "--results", "far.json"])
    assert [said] == OnnxAgent("my.onnx").card["results"]


def test_another_game_version_or_layout_is_refused(exported, tmp_path):
    agent = OnnxAgent(str(exported / "policy.onnx"))
    name = agent.card["game"]
    other = Batch("lumen" if name != "lumen" else "lanterns", 1, 3)
    with pytest.raises(ValueError, match=f"plays {name}, not {other.game.name}"):
        agent.act(Table(other, [0], [0]), np.random.default_rng(0))
    model = onnx.load(exported / "policy.onnx")
    exporting.write_model(tmp_path / "old.onnx", model, {**agent.card, "layout": "0123"})
    batch = Batch(name, 1, 3)
    with pytest.raises(ValueError, match=r"was trained on another layout .* train it anew"):
        load(str(tmp_path / "old.onnx")).act(Table(batch, [0], [0]), np.random.default_rng(0))
    exporting.write_model(tmp_path / "older.onnx", model, {**agent.card, "layout": "0123", "game_version": 7})
    with pytest.raises(ValueError, match=r"was trained on version 7 of the rules of .*; this package has version 0"):
        load(str(tmp_path / "older.onnx")).act(Table(batch, [0], [0]), np.random.default_rng(0))
    onnx.save(model, tmp_path / "bare.onnx")
    with pytest.raises(ValueError, match="was not exported from this package, or not by this version"):
        load(str(tmp_path / "bare.onnx")).act(Table(batch, [0], [0]), np.random.default_rng(0))


def test_a_file_that_gives_something_else_is_refused(exported, tmp_path):
    model = onnx.load(exported / "policy.onnx")
    (last,) = (node for node in model.graph.node if "probabilities" in node.output)
    last.output[0] = model.graph.output[0].name = "logits"
    exporting.write_model(tmp_path / "logits.onnx", model, OnnxAgent(str(exported / "policy.onnx")).card)
    agent = load(str(tmp_path / "logits.onnx"))
    batch = Batch(json.loads((exported / "policy.json").read_text())["game"], 1, 3)
    with pytest.raises(ValueError, match="gives logits and values, not probabilities and values: export it anew"):
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


@pytest.mark.slow
def test_a_search_with_an_exported_network(exported):
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
