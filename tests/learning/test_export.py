"""From a run to a file that plays without torch."""

import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
pytest.importorskip("onnxscript")

from lanterns_agents.learned import Learned  # noqa: E402

from lanterns_env import GAMES, Batch  # noqa: E402
from lanterns_env.agent import Table, load  # noqa: E402
from scripts import export, train_ppo  # noqa: E402
from tests.conftest import COMPILED  # noqa: E402

ROOT = pathlib.Path(__file__).parents[2]
TINY = ["num_games=4", "rollout=40", "hidden=16", "item=4", "decisions=40", "evaluate_deals=1", "tensorboard=false"]
TINY = [*TINY, "evaluate_against=random", "name=small"]


@pytest.fixture(scope="module", params=list(GAMES))
def exported(request, tmp_path_factory):
    """A tiny run of each game and its file."""
    folder = tmp_path_factory.mktemp(request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        config, _ = train_ppo.read_arguments([f"game={request.param}", "players=3", *TINY])
        train_ppo.train(*train_ppo.open_run(config, False))
        export.main(["runs/small"])
    return folder / "runs" / "small"


def test_the_file_plays_as_the_network_does(exported):
    agent = load(str(exported / "policy.onnx"))
    saved = torch.load(exported / "policy.pt", weights_only=True)
    game = GAMES[saved["game"]]
    learner = train_ppo.BestMoves(export.load_network(game, saved))
    for num_players in game.players:
        batch, rng = Batch(game, 7, num_players, seed=3), np.random.default_rng(0)
        rows = np.arange(7)
        for _ in range(40 if COMPILED else 5):
            table = Table(batch, rows, rows)
            actions = agent.act(table, rng)
            assert batch.masks[rows, actions].all()
            logits, _ = agent.evaluate(game.flat(table.views), table.masks)
            mine = train_ppo.ask(learner.network, batch.observations.copy(), batch.masks.copy())[0]
            assert mine == pytest.approx(logits, abs=1e-3)
            batch.step(batch.sample(rng))


def test_the_card_says_what_it_was_made_for(exported):
    agent = Learned(str(exported / "policy.onnx"))
    game = GAMES[agent.card["game"]]
    assert game.layout == agent.card["layout"]
    assert [3] == agent.card["players"]
    assert {} == agent.card["options"]
    assert ["random 3p"] == list(agent.card["results"])
    assert agent.card == json.loads((exported / "policy.json").read_text())


def test_another_game_or_layout_is_refused(exported, tmp_path):
    agent = Learned(str(exported / "policy.onnx"))
    name = agent.card["game"]
    other = Batch("lumen" if name != "lumen" else "lanterns", 1, 3)
    with pytest.raises(ValueError, match=f"plays {name}, not {other.game.name}"):
        agent.act(Table(other, [0], [0]), np.random.default_rng(0))
    model = onnx.load(exported / "policy.onnx")
    model.metadata_props[0].value = json.dumps({**agent.card, "layout": "0123"})
    onnx.save(model, tmp_path / "old.onnx")
    batch = Batch(name, 1, 3)
    with pytest.raises(ValueError, match=r"was trained on another layout .* train it anew"):
        load(str(tmp_path / "old.onnx")).act(Table(batch, [0], [0]), np.random.default_rng(0))
    model.metadata_props.pop()
    onnx.save(model, tmp_path / "bare.onnx")
    with pytest.raises(ValueError, match="it has no card"):
        load(str(tmp_path / "bare.onnx")).act(Table(batch, [0], [0]), np.random.default_rng(0))


def test_it_plays_without_torch(exported):
    game = json.loads((exported / "policy.json").read_text())["game"]
    words = f"""
import sys
import numpy as np
from lanterns_env import Batch
from lanterns_env.agent import Table, load
batch = Batch({game!r}, 2, 3)
load({str(exported / "policy.onnx")!r}).act(Table(batch, [0, 1], [0, 1]), np.random.default_rng(0))
assert "torch" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", words], check=True, cwd=ROOT)


def test_missing_files_are_named(tmp_path):
    with pytest.raises(ValueError, match=r"there is no file .*nowhere\.onnx"):
        load(str(tmp_path / "nowhere.onnx"))
    with pytest.raises(ValueError, match=r"there is no .*policy\.pt"):
        export.main([str(tmp_path)])


def test_a_search_led_by_an_exported_network(exported):
    """It plays legal actions, the same for the same seed, and refuses another game."""
    file = exported / "policy.onnx"
    batch, rows = Batch(Learned(str(file)).card["game"], 3, 3, seed=1), np.arange(3)
    table = Table(batch, rows, rows)
    first, again = (load(f"search:20+{file}").act(table, np.random.default_rng(4)) for _ in range(2))
    assert batch.masks[rows, first].all()
    assert np.array_equal(first, again)
    other = Batch(next(name for name in GAMES if name != batch.game.name), 1, 3)
    with pytest.raises(ValueError, match=f"plays {batch.game.name}, not {other.game.name}"):
        load(f"search:20+{file}").act(Table(other, [0], [0]), np.random.default_rng(4))
