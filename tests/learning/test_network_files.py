"""Files of networks: whole or refused in a sentence, never run; and in memory once, whoever plays by them."""

import copy
import json
import os
import pathlib
import pickle
import threading

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnxruntime")

from lanterns_agents.champion import Champion, champion_file  # noqa: E402
from lanterns_agents.networks import exported, sealed  # noqa: E402
from lanterns_agents.networks.arrays import packed, read_arrays, take, take_within, write_arrays  # noqa: E402
from lanterns_agents.networks.base import (  # noqa: E402
    load_network,
    make_network,
    read_network,
    save_network,
    write_network,
)
from lanterns_agents.networks.sealed import SEAL_BYTES, check_seal, read_file, stamp_of  # noqa: E402
from lanterns_agents.networks.sealed import sealed as seal  # noqa: E402
from lanterns_agents.onnx_agent import OnnxAgent  # noqa: E402

from lanterns_env import GAMES, Batch  # noqa: E402
from lanterns_env.agent import Table, load  # noqa: E402

GAME = "lighthouse"
ARRAYS = {"a/b": np.arange(6, dtype=np.int16).reshape(2, 3), "c": np.array(2.5, np.float32), "d": np.array([True])}
CARD = {"game": GAME, "numbers": [1, 2.5, None], "words": "a «b»"}
OTHER = 1 << 3  # the bit that is flipped


@pytest.fixture
def onnx_file(tmp_path):
    """The champion's, in a file of its own."""
    file = tmp_path / "mine.onnx"
    file.write_bytes(champion_file(GAME).read_bytes())
    return file


def asked(agent, game=GAME, rows=3):
    return agent.act(Table(Batch(game, rows, seed=1), np.arange(rows), np.arange(rows)), np.random.default_rng(0))


def refusal(agent_name):
    """What is said where such an agent is to play."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011  (what it says is what each test asks)
        asked(load(agent_name))
    assert "\n" not in str(caught.value)
    return str(caught.value)


# -- arrays with a card ---------------------------------------------------------------------------------------


def test_arrays_and_a_card_come_back_as_they_were(tmp_path):
    write_arrays(tmp_path / "file", ARRAYS, CARD)
    arrays, card = read_arrays(tmp_path / "file")
    assert CARD == card
    assert sorted(ARRAYS) == sorted(arrays)
    for name, array in ARRAYS.items():
        assert (array.dtype, array.shape, array.tobytes()) == (
            arrays[name].dtype,
            arrays[name].shape,
            arrays[name].tobytes(),
        )


def test_arrays_that_do_not_lie_in_one_piece_come_back_too(tmp_path):
    write_arrays(tmp_path / "file", {"a": np.arange(12).reshape(3, 4).T[::2]}, {})
    assert [[0, 4, 8], [2, 6, 10]] == read_arrays(tmp_path / "file")[0]["a"].tolist()


def test_every_flipped_bit_of_arrays_is_found(tmp_path):
    data, file = packed(ARRAYS, CARD), tmp_path / "file"
    for at in range(len(data)):
        file.write_bytes(data[:at] + bytes([data[at] ^ OTHER]) + data[at + 1 :])
        with pytest.raises(ValueError, match=r"file is damaged"):
            read_arrays(file)


@pytest.mark.parametrize("data", [b"", b"{}", b"\0" * 100, packed(ARRAYS, CARD)[:-1], packed(ARRAYS, CARD) + b"\0"])
def test_what_is_no_file_of_arrays(tmp_path, data):
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(ValueError, match="file is damaged, or no file of this package"):
        read_arrays(tmp_path / "file")


def test_one_array_must_be_as_it_is_wanted():
    for message, wanted in {
        "nowhere is missing": ("nowhere", np.int16, (2, 3)),
        r"a/b is int16\[2, 3\], not int64\[2, 3\]": ("a/b", np.int64, (2, 3)),
        r"a/b is int16\[2, 3\], not int16\[3, 2\]": ("a/b", np.int16, (3, 2)),
    }.items():
        with pytest.raises(ValueError, match=message):
            take(ARRAYS, *wanted)
    with pytest.raises(ValueError, match="x holds numbers that are not finite"):
        take({"x": np.array([1, np.nan])}, "x", np.float64, (2,))
    with pytest.raises(ValueError, match="x holds flags that are neither yes nor no"):
        take({"x": np.array([1, 2], np.uint8).view(bool)}, "x", bool, (2,))
    with pytest.raises(ValueError, match="a/b holds numbers that are out of range"):
        take_within(ARRAYS, "a/b", np.int16, (2, 3), 0, 4)
    assert 5 == take_within(ARRAYS, "a/b", np.int16, (2, 3), 0, 5).max()


# -- networks of torch ----------------------------------------------------------------------------------------


def saved(**changed):
    torch.manual_seed(0)
    return {**save_network(make_network(GAMES[GAME], hidden_size=8, entity_size=4)), **changed}


def test_a_network_comes_back_bit_for_bit(tmp_path):
    network = saved(more=["said"])
    write_network(tmp_path / "file", network)
    found = read_network(tmp_path / "file")
    for name in ("game", "layout", "features", "network", "more"):
        assert network[name] == found[name]
    loaded = load_network(GAMES[GAME], found).state_dict()
    assert all(torch.equal(weight, loaded[name]) for name, weight in network["weights"].items())


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"network": {"hidden_size": 9, "entity_size": 4}},
            "the weights are not those of a network of Lighthouse Architects with",
        ),
        (
            {"network": {"hidden_size": 10**9, "entity_size": 4}},
            "the sizes of a network are from 1 to 4096 and 1024, not",
        ),
        ({"network": {"hidden_size": 8}}, "the sizes of a network are the numbers hidden_size and entity_size, not"),
        ({"network": {"hidden_size": 8, "entity_size": 4.0}}, "are the numbers hidden_size and entity_size, not"),
        ({"network": 5}, "the sizes of a network are the numbers hidden_size and entity_size, not 5"),
        ({"layout": "0123"}, "this network was trained on another layout of Lighthouse Architects"),
        ({"features": "0123"}, "this network was trained on other features of Lighthouse Architects .0123; now"),
        ({"features": ["0123"]}, "this network was trained on other features of Lighthouse Architects"),
        ({"game": ["lumen"]}, "this network plays .*lumen"),
        ({"weights": {}}, "the weights are not those of a network"),
    ],
)
def test_a_network_that_does_not_fit(tmp_path, changed, message):
    write_network(tmp_path / "file", saved(**changed))
    with pytest.raises(ValueError, match=message):
        load_network(GAMES[GAME], read_network(tmp_path / "file"))


def test_weights_that_are_no_numbers_any_more():
    network = saved()
    next(iter(network["weights"].values()))[0] = torch.nan
    with pytest.raises(ValueError, match="the weights hold numbers that are not finite"):
        load_network(GAMES[GAME], network)


# -- exported networks ----------------------------------------------------------------------------------------


def test_a_seal_is_what_protobuf_has_for_two_more_entries():
    onnx = pytest.importorskip("onnx")
    model = onnx.ModelProto(ir_version=8)
    for card in ({}, {"long": "x" * 300}, {"longer": "x" * 20_000}):
        data = seal(model.SerializeToString(), card)
        card_entry, seal_entry = onnx.load_from_string(data).metadata_props
        assert ("card", card) == (card_entry.key, json.loads(card_entry.value))
        assert "sha256" == seal_entry.key
        assert SEAL_BYTES == len(data) - len(data[:-SEAL_BYTES])
        assert data.endswith(seal_entry.value.encode())
        check_seal(data, "file")


def test_every_flipped_bit_of_a_sealed_file_is_found():
    data = seal(b"a model", CARD)
    for at in range(len(data)):
        with pytest.raises(ValueError, match=r"^file (is damaged|was not exported from this package)"):
            check_seal(data[:at] + bytes([data[at] ^ OTHER]) + data[at + 1 :], "file")


def test_a_flipped_bit_is_found_before_anything_reads_the_file(onnx_file, monkeypatch):
    import onnxruntime

    data = bytearray(onnx_file.read_bytes())
    data[len(data) // 2] ^= OTHER
    onnx_file.write_bytes(data)
    monkeypatch.setattr(onnxruntime, "InferenceSession", None)
    assert f"{onnx_file} is damaged or was changed by hand: its checksum does not fit" == refusal(str(onnx_file))


def test_what_is_no_exported_network(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pathlib.Path("empty").touch()
    pathlib.Path("words").write_text("root:x:0:0:root:/root:/bin/bash\n" * 10)
    with pathlib.Path("sparse").open("wb") as file:
        file.truncate(10 << 30)
    for name, message in {
        "empty": "empty was not exported from this package",
        "words": "words was not exported from this package",
        "sparse": "sparse is too large: 10737418240 bytes, and at most 1073741824 are read",
        ".": ". is a folder or a device",
        os.devnull: f"{os.devnull} is a folder or a device",
        "nowhere": "there is no file nowhere",
        "": "a learned agent is the name of its file",
        "x" * 5000: "there is no file xxx",
    }.items():
        with pytest.raises(ValueError, match=f"^{message}"):
            asked(OnnxAgent(name))


def changed(file, model=None, **card):
    """The file with another card, sealed anew."""
    onnx = pytest.importorskip("onnx")
    read = onnx.load(file)
    changed_card = json.loads(read.metadata_props[0].value) | card
    del read.metadata_props[:]
    file.write_bytes(seal(read.SerializeToString() if model is None else model, changed_card))
    return str(file)


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ({"game": "chess"}, "plays 'chess', and there is no such game; there are: lanterns"),
        ({"game": ["lumen"]}, "is not whole: game must be of the kind str"),
        ({"layout": None}, "is not whole: layout must be of the kind str"),
        ({"features": 7}, "is not whole: features must be of the kind str"),
        ({"features": "x" * 41}, "is not whole: features must be a fingerprint"),
        (
            {"features": "0123"},
            "mine.onnx: this network was trained on other features of Lighthouse Architects (0123; ",
        ),
        ({"players": "two"}, "is not whole: players must be of the kind list"),
        ({"players": ["two"]}, "is not whole: players must be a list of numbers"),
        ({"game_version": True}, "is not whole: game_version must be of the kind int"),
        ({"options": []}, "is not whole: options must be of the kind dict"),
        ({"results": {}}, "is not whole: results must be of the kind list"),
    ],
)
def test_cards_that_are_not_whole(onnx_file, card, message):
    assert message in refusal(changed(onnx_file, **card))


@pytest.mark.parametrize("text", ["[" * 100_000, "[]", "5", "null", '{"game": "lumen"}', "{", "\ud800"], ids=len)
def test_cards_that_are_none(onnx_file, text, monkeypatch):
    monkeypatch.setattr(sealed.json, "dumps", lambda card: text.encode(errors="surrogatepass").decode("latin1"))
    assert "card of " in refusal(changed(onnx_file))


@pytest.mark.parametrize("model", [b"", b"no model"])
def test_a_sealed_file_that_is_no_network(onnx_file, model):
    assert f"{onnx_file} is no network that onnxruntime can read" in refusal(changed(onnx_file, model))


def test_a_network_of_another_game_under_its_name(onnx_file):
    lumen = Champion().evaluator("lumen").card
    card = {name: lumen[name] for name in ("game", "layout", "features")}
    assert "does not take what Lumen gives: train and export it anew" in refusal(changed(onnx_file, **card))


# -- in memory ------------------------------------------------------------------------------------------------


def test_all_agents_of_one_file_ask_the_same_network(onnx_file, tmp_path):
    linked = tmp_path / "linked.onnx"
    linked.symlink_to(onnx_file)
    agents = [
        OnnxAgent(str(onnx_file)),
        OnnxAgent(str(onnx_file)),
        OnnxAgent(str(linked)),
        load(f"onnx:{onnx_file}"),
    ]
    assert 1 == len({id(agent.exported.session) for agent in agents})
    champions = [Champion(), copy.deepcopy(Champion()), pickle.loads(pickle.dumps(load("champion")))]
    assert 1 == len({id(agent.evaluator(GAME).exported.session) for agent in champions})


@pytest.mark.parametrize("kind", ["champion", "file"])
def test_copies_are_cheap_and_play_alike(onnx_file, kind):
    agent = load(kind if kind == "champion" else str(onnx_file))
    expected = asked(agent).tolist()
    assert len(pickle.dumps(agent)) < 300
    for twin in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert twin is not agent
        assert expected == asked(twin).tolist()


def test_a_file_that_is_written_anew_is_read_anew(onnx_file):
    before = OnnxAgent(str(onnx_file)).exported
    changed(onnx_file, decisions=7)
    after = OnnxAgent(str(onnx_file)).exported
    assert after.session is not before.session
    assert 7 == after.card["decisions"]


def test_many_threads_open_one_network(onnx_file):
    networks, begin = [], threading.Barrier(8)

    def ask():
        begin.wait()
        agent = OnnxAgent(str(onnx_file))
        networks.append((id(agent.exported.session), asked(agent).tolist()))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 8 == len(networks)
    assert 1 == len({str(each) for each in networks})


def test_few_networks_stay_in_memory(onnx_file, tmp_path, monkeypatch):
    monkeypatch.setattr(exported, "KEPT", 2)
    for number in range(4):
        file = tmp_path / f"{number}.onnx"
        file.write_bytes(onnx_file.read_bytes())
        OnnxAgent(str(file)).card  # noqa: B018  (opens it)
    assert [stamp_of(tmp_path / f"{number}.onnx") for number in (2, 3)] == list(exported._OPEN)


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_forked_process_opens_its_own(onnx_file):
    """Also where another thread is opening one at that moment."""
    expected = asked(OnnxAgent(str(onnx_file))).tolist()
    with exported._LOCK:
        child = os.fork()
        if not child:
            os._exit(0 if asked(OnnxAgent(str(onnx_file))).tolist() == expected else 1)
    assert 0 == os.waitpid(child, 0)[1]


def test_files_are_read_to_a_limit(tmp_path):
    (tmp_path / "file").write_bytes(b"12345")
    assert b"12345" == read_file(tmp_path / "file", 5)
    with pytest.raises(ValueError, match="file is too large: 5 bytes, and at most 4 are read"):
        read_file(tmp_path / "file", 4)
