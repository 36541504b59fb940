"""Damaged and made-up files of the trainers: one sentence, or something that is as good as what was written."""

import dataclasses
import json
import random
import reprlib

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")
onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
pytest.importorskip("onnxscript")

from lanterns_agents.networks.arrays import packed, read_arrays  # noqa: E402
from lanterns_agents.networks.base import load_network, read_network  # noqa: E402
from lanterns_agents.networks.sealed import sealed  # noqa: E402
from lanterns_agents.networks.weights import read_exported  # noqa: E402
from lanterns_agents.onnx_agent import OnnxAgent  # noqa: E402
from lanterns_agents.training import export, logging, ppo  # noqa: E402
from lanterns_agents.training.arguments import make_config, read_arguments, write_config  # noqa: E402
from lanterns_agents.training.config import Config  # noqa: E402
from lanterns_agents.training.folder import CHECKPOINT, POLICY, open_run, restore, write_state  # noqa: E402
from lanterns_agents.training.inference import ask  # noqa: E402
from lanterns_agents.training.logging import LOG, read_log  # noqa: E402

from lanterns_env import GAMES, Batch  # noqa: E402
from lanterns_env.agent import Table  # noqa: E402
from tests.attacks.scale import scaled  # noqa: E402
from tests.conftest import COMPILED  # noqa: E402
from tests.learning.trainers import PPO, TRAINERS  # noqa: E402

pytestmark = pytest.mark.slow

TIMES = scaled(150 if COMPILED else 30, 20_000)
SLOWER = scaled(20, 20_000)  # where every try takes milliseconds
LONGEST = 1000  # characters of a sentence
GAME = "lighthouse"
TINY = {"num_games": 4, "batch_size": 40, "hidden_size": 8, "entity_size": 4, "eval_deals": 1, "tensorboard": False}
TINY |= {"eval_opponents": ["random"], "run_name": "mine", "game": GAME, "minibatch_size": 40}
ODD = [None, True, False, 0, -1, 1, 3.5, -0.0, float("nan"), float("inf"), 10**400, 2**63, -(2**64), "", "x", "lumen"]
ODD += ["\0", "../../x", "\ud800", "🏮" * 50, [], [[]], [1, 2], ["random"], [None], {}, {"a": 1}, {"": []}, [1e308] * 3]


@pytest.fixture(scope="module", params=TRAINERS.values(), ids=TRAINERS)
def trainer(request):
    return request.param


@pytest.fixture(scope="module")
def trained(trainer, tmp_path_factory):
    """A run, and its folder with everything in it."""
    runs = tmp_path_factory.mktemp("runs")
    with open_run(make_config(TINY, trainer.config), False, runs, trainer.run) as (run, folder):
        for _ in range(2):
            trainer.update(run)
            logging.add_line(folder / LOG, logging.line_of(run, {"losses/entropy": 1.0}))
        write_state(run.saved(), folder)
    return run, folder


@pytest.fixture(scope="module")
def policy(tmp_path_factory):
    """An exported network."""
    runs = tmp_path_factory.mktemp("runs")
    with open_run(make_config(TINY, Config), False, runs, PPO.run) as (run, folder):
        ppo.update(run)
        logging.add_line(folder / LOG, logging.line_of(run, {}))
        write_state(run.saved(), folder)
    export.main([str(folder), "--check", "4"])
    return folder / "policy.onnx"


def spoiled(data, rng):
    """Bytes with some damage: cut, flipped, overwritten, zeroed, repeated, left out, or something put in."""
    at = rng.randrange(len(data) + 1)
    length = rng.choice((1, 2, 8, 64, 4096))
    noise = rng.randbytes(length)
    bit = bytearray(data)
    for _ in range(rng.randrange(1, 9)):
        bit[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return rng.choice(
        (
            bytes(bit),
            data[:at],
            data[at:],
            data[:at] + noise + data[at + length :],
            data[:at] + bytes(length) + data[at + length :],
            data[:at] + data[at : at + length] + data[at:],
            data[:at] + data[at + length :],
            data[:at] + noise + data[at:],
        )
    )


def odd(value, rng, depth=0):
    """A JSON value with one thing in it that is odd."""
    if isinstance(value, dict) and value and rng.random() < 0.9 - 0.2 * depth:
        key = rng.choice(list(value))
        rest = {name: each for name, each in value.items() if name != key}
        if rng.random() < 0.1:
            return rest
        return rest | {rng.choice((key, key, key, "odd")): odd(value[key], rng, depth + 1)}
    if isinstance(value, list) and value and rng.random() < 0.7:
        at = rng.randrange(len(value))
        return [*value[:at], odd(value[at], rng, depth + 1), *value[at + 1 :]]
    if rng.random() < 0.02:
        for _ in range(rng.choice((10, 900))):
            value = [value]
        return value
    return rng.choice(ODD)


def odd_arrays(arrays, rng, fixed=()):
    """Arrays of which one is another than it was: in its numbers, its shape, its kind, its name, or gone."""
    name = rng.choice([each for each in arrays if not each.startswith(fixed)])
    array = arrays[name].copy()
    rest = {each: other for each, other in arrays.items() if each != name}
    what = rng.randrange(6)
    if what == 0:
        return rest
    if what == 1:
        return rest | {rng.choice(("odd", f"{name}/odd", "network/odd")): array}
    if what == 2:
        return rest | {name: array.reshape(-1)[: rng.randrange(array.size + 1)]}
    if what == 3:
        return rest | {name: array.astype(rng.choice((np.int8, np.int64, np.float64, np.uint8, np.bool_)))}
    if array.nbytes:
        numbers = array.reshape(-1).view(np.uint8)
        numbers[rng.randrange(len(numbers))] ^= 1 << rng.randrange(8)
    return rest | {name: array}


REFUSED = object()


def tried(call, *given):
    """What a call gives, or REFUSED where it says in one sentence why not; any other end is a fault."""
    try:
        return call(*given)
    except ValueError as error:
        said = str(error)
    assert said
    assert "\n" not in said
    assert len(said) < LONGEST
    return REFUSED


# -- checkpoints ----------------------------------------------------------------------------------------------


def test_damaged_checkpoints(trained):
    run, folder = trained
    data, file, rng = (folder / CHECKPOINT).read_bytes(), folder / "damaged", random.Random(1)
    for _ in range(TIMES):
        found = spoiled(data, rng)
        file.write_bytes(found)
        assert tried(restore, run, file) is REFUSED or found == data


def test_made_up_checkpoints(trained, trainer):
    """With the checksum that belongs to them: what is taken can be trained on."""
    run, folder = trained
    arrays, card = read_arrays(folder / CHECKPOINT)
    file, rng, taken = folder / "made_up", random.Random(2), 0
    games = ("batch/", "seats/batch/")  # which a batch itself answers for
    for number in range(SLOWER):
        other = odd_arrays(arrays, rng, games) if number % 2 else arrays
        file.write_bytes(packed(other, card if number % 2 else odd(card, rng)))
        if tried(restore, run, file) is not REFUSED:
            taken += 1
            tried(trainer.update, run)
            restore(run, folder / CHECKPOINT)
    assert 0 < taken < SLOWER


# -- networks -------------------------------------------------------------------------------------------------


def test_damaged_policies(trained):
    _, folder = trained
    data, file, rng = (folder / POLICY).read_bytes(), folder / "damaged", random.Random(3)
    for _ in range(TIMES):
        found = spoiled(data, rng)
        file.write_bytes(found)
        assert tried(read_network, file) is REFUSED or found == data


def test_made_up_policies(trained):
    """What is taken judges positions in finite numbers, or is refused where it is exported."""
    _, folder = trained
    arrays, card = read_arrays(folder / POLICY)
    file, rng, batch = folder / POLICY, random.Random(4), Batch(GAME, 2, seed=1)
    before = file.read_bytes()
    for number in range(SLOWER):
        other = odd_arrays(arrays, rng) if number % 2 else arrays
        file.write_bytes(packed(other, card if number % 2 else odd(card, rng)))
        tried(export.read_policy, folder)
        network = tried(network_of, file)
        if network is not REFUSED:
            logits, values = ask(network, batch.observations.copy(), batch.action_masks.copy())
            assert not np.isnan(logits).any()
            assert not np.isnan(values).any()
    file.write_bytes(before)


def network_of(file):
    return load_network(GAMES[GAME], read_network(file))


def asked(file):
    batch = Batch(GAME, 2, seed=1)
    actions = OnnxAgent(str(file)).act(Table(batch, [0, 1], [0, 1]), np.random.default_rng(0))
    assert batch.action_masks[[0, 1], actions].all()


def test_damaged_exported_networks(policy):
    data, file, rng = policy.read_bytes(), policy.with_name("damaged.onnx"), random.Random(5)
    for _ in range(TIMES):
        found = spoiled(data, rng)
        file.write_bytes(found)
        assert tried(asked, file) is REFUSED or found == data
        assert tried(read_exported, file) is REFUSED or found == data


def test_made_up_cards(policy):
    """With the checksum that belongs to them."""
    file, rng = policy.with_name("made_up.onnx"), random.Random(6)
    model = onnx.load(policy)
    card = json.loads(model.metadata_props[0].value)
    del model.metadata_props[:]
    bare, taken = model.SerializeToString(), 0
    for _ in range(SLOWER):
        file.write_bytes(sealed(bare, odd(card, rng)))
        taken += tried(asked, file) is not REFUSED
        tried(read_exported, file)
    assert 0 < taken < SLOWER


# -- settings and logs ----------------------------------------------------------------------------------------


def test_made_up_settings(trainer, tmp_path):
    """Damaged as texts, or with odd values; what is taken can be written and read again."""
    rng, file, taken = random.Random(7), tmp_path / "made_up.toml", 0
    text = write_config(trainer.config()).encode()
    names = [each.name for each in dataclasses.fields(trainer.config)]
    for number in range(TIMES):
        if number % 2:
            file.write_bytes(spoiled(text, rng))
        else:
            lines = [f"{rng.choice([*names, 'odd'])} = {toml(rng.choice(ODD))}" for _ in range(rng.randrange(1, 4))]
            file.write_text("\n".join(lines), errors="replace")
        found = tried(read_arguments, [str(file)], trainer.config)
        if found is not REFUSED:
            taken += 1
            file.write_text(write_config(found[0]), encoding="utf-8")
            assert found[0] == read_arguments([str(file)], trainer.config)[0]
    assert 0 < taken < TIMES


def toml(value):
    if value is None:
        return "1979-05-27"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value).replace("NaN", "nan").replace("Infinity", "inf")


def test_damaged_logs(trained, tmp_path, capsys):
    _, folder = trained
    data, file, rng = (folder / LOG).read_bytes(), tmp_path / "log.jsonl", random.Random(8)
    for _ in range(TIMES):
        file.write_bytes(spoiled(data, rng))
        tried(read_log, file)
        assert len(capsys.readouterr().err.splitlines()) <= 1


def test_what_is_damaged_here_is_damaged():
    """Of what is made up, most is not what it was."""
    rng = random.Random(9)
    assert sum(spoiled(b"0123456789" * 20, rng) != b"0123456789" * 20 for _ in range(200)) > 180
    card = {"a": [1, 2, {"b": "c"}], "d": 5}
    assert sum(reprlib.repr(odd(card, rng)) != reprlib.repr(card) for _ in range(200)) > 180
