"""The weights in exported networks: bit for bit those that were trained, or refused in a sentence."""

import json
import pathlib
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
pytest.importorskip("onnxscript")

from lanterns_agents.champion import Champion, champion_file  # noqa: E402
from lanterns_agents.networks import export as exporting  # noqa: E402
from lanterns_agents.networks.base import (  # noqa: E402
    load_network,
    make_network,
    read_network,
    save_network,
    write_network,
)
from lanterns_agents.networks.export import Probabilities, compare, evaluated_by, write_model  # noqa: E402
from lanterns_agents.networks.model_card import fingerprint, make_card  # noqa: E402
from lanterns_agents.networks.weights import PREFIX, read_exported, read_saved  # noqa: E402

from lanterns_env import GAMES, Batch  # noqa: E402
from tests.learning.runs import opened, same, tiny_config, weights  # noqa: E402

TRAINED = {"config": {"num_players": [3], "game_options": {}}, "decisions": 40, "seconds": 1.5, "initialised_from": []}
ROWS, MOVES = 3, 4  # of the positions in which networks are compared


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def champion_with(tmp_path):
    """The champion of a game as a file of its own, after some change of the model or the card."""

    def write(name, change=lambda model: None, **said):
        model = onnx.load(champion_file(name))
        change(model)
        file = tmp_path / "changed.onnx"
        write_model(file, model, {**Champion().evaluator(name).card, **said})
        return str(file)

    return write


def numbers(saved):
    return {name: weight.numpy() for name, weight in saved["weights"].items()}


def test_an_exported_file_holds_the_weights_of_its_network(name, tmp_path, monkeypatch):
    """Also those that the exporter has folded into others."""
    monkeypatch.setattr(exporting, "FIRST", 2)  # moves, before a position is taken for an example
    network = make_network(GAMES[name], hidden_size=16, entity_size=4)
    written = {**save_network(network), **TRAINED}
    write_network(tmp_path / "policy.safetensors", written)
    exporting.export(Probabilities(network), make_card(written, []), tmp_path / "policy.onnx")
    saved = read_saved(tmp_path / "policy.onnx")
    assert same(numbers(read_network(tmp_path / "policy.safetensors")), numbers(saved))
    assert [written[key] for key in TRAINED] == [saved[key] for key in TRAINED]


def test_the_weights_of_a_champion_are_those_that_it_plays_with(name):
    saved = read_exported(champion_file(name))
    assert Champion().evaluator(name).card["weights"] == fingerprint(saved["weights"])
    network = Probabilities(load_network(GAMES[name], saved).eval())
    batch, rng = Batch(name, ROWS, 3, seed=4), np.random.default_rng(0)
    for _ in range(MOVES):
        batch.step(batch.sample(rng))
    given = batch.observations.copy(), batch.action_masks.copy()
    assert compare(evaluated_by(network, GAMES[name])(*given), Champion().evaluator(name).evaluate(*given)).equal


def test_a_run_may_begin_with_the_champion_or_with_an_exported_file(name):
    saved = read_exported(champion_file(name))
    settings = {**saved["network"], "game": name, "num_players": [3]}
    for number, start in enumerate(("champion", str(champion_file(name)))):
        run, _ = opened(tiny_config(**settings, init_from=start, run_name=str(number)))
        assert same([weight.numpy() for weight in saved["weights"].values()], weights(run))
        assert saved["config"] == run.initialised_from[-1]["config"]
        assert len(saved["initialised_from"]) + 1 == len(run.initialised_from)
    another = {**settings, "hidden_size": 16, "init_from": "champion", "run_name": "small"}
    with pytest.raises(ValueError, match=r"init_from: the network in champion has the sizes .*: set the same"):
        opened(tiny_config(**another))


def forget(model):
    del model.training_info[:]


def change_a_number(model):
    tensor = next(each for each in model.graph.initializer if each.name.startswith(PREFIX) and len(each.dims) == 2)
    tensor.raw_data = bytes(4) + tensor.raw_data[4:]


def cut(model):
    tensor = model.training_info[0].initialization.initializer[0]
    tensor.raw_data = tensor.raw_data[4:]


def point_elsewhere(model):
    tensor = model.training_info[0].initialization.initializer[0]
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="changed.json")


def test_files_that_do_not_hold_them_are_refused(champion_with):
    for change, said in {
        forget: r"changed\.onnx does not hold network\.[\w.]+: export it anew",
        change_a_number: r"the weights in .*changed\.onnx are not those that its card names",
        cut: r"changed\.onnx holds no numbers as network\.",
        point_elsewhere: r"changed\.onnx does not hold network\.[\w.]+: export it anew",
    }.items():
        with pytest.raises(ValueError, match=said):
            read_exported(champion_with("lumen", change))


def test_networks_of_another_layout_or_without_a_whole_card_are_refused(champion_with):
    with pytest.raises(ValueError, match="was trained on another layout of Lumen"):
        read_exported(champion_with("lumen", layout="0123"))
    with pytest.raises(ValueError, match=r"the sizes of a network are the numbers"):
        read_exported(champion_with("lumen", network={"hidden_size": 5}))
    file = champion_with("lumen")
    card = {key: value for key, value in Champion().evaluator("lumen").card.items() if key != "network"}
    write_model(pathlib.Path(file), onnx.load(file), card)
    with pytest.raises(ValueError, match=r"the card of .* is not whole: it has no network"):
        read_exported(file)


def test_without_onnx_it_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ValueError, match=r"lumen/champion\.onnx needs onnx: pip install 'lanterns_env\[export\]'"):
        read_exported(champion_file("lumen"))


def test_other_programs_see_nothing_odd_in_it(name):
    """ONNX's own checker takes it, and its card can be read as JSON."""
    model = onnx.load(champion_file(name))
    onnx.checker.check_model(model)
    (text,) = (each.value for each in model.metadata_props if each.key == "card")
    assert name == json.loads(text)["game"]
