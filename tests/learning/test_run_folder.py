"""The folder of a run: one process at a time, files whole or refused in a sentence, and nothing in them is executed."""

import contextlib
import json
import os
import pathlib
import pickle
import resource
import subprocess
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from lanterns_agents.networks.arrays import read_arrays, write_arrays  # noqa: E402
from lanterns_agents.training import export, logging, ppo  # noqa: E402
from lanterns_agents.training.arguments import CONFIG, RUNS, make_config  # noqa: E402
from lanterns_agents.training.folder import CHECKPOINT, POLICY, open_run, write_state  # noqa: E402
from lanterns_agents.training.logging import LOG, read_log  # noqa: E402

from lanterns_env.agent import Table, load  # noqa: E402
from lanterns_env.engine.batch import Batch  # noqa: E402
from lanterns_env.support.files import LOCK, PART  # noqa: E402
from tests.conftest import COMPILED  # noqa: E402
from tests.learning.runs import opened  # noqa: E402
from tests.learning.trainers import BC, PPO, SB3, TRAINERS  # noqa: E402

ROOT = pathlib.Path(__file__).parents[2]
TINY = {"num_games": 4, "batch_size": 40, "hidden_size": 8, "entity_size": 4, "eval_deals": 1, "tensorboard": False}
TINY |= {"eval_opponents": ["random"], "run_name": "mine", "game": "lighthouse", "minibatch_size": 20}
FOLDER = RUNS / "mine"


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def configured(trainer=PPO, **settings):
    return make_config({**TINY, **settings}, trainer.config)


def updated(trainer=PPO, updates=1, **settings):
    """A run after some updates, saved."""
    run, folder = opened(configured(trainer, **settings), False, trainer.run)
    for _ in range(updates):
        trainer.update(run)
        logging.add_line(folder / LOG, logging.line_of(run, {"losses/entropy": 1.0}))
    write_state(run.saved(), folder)
    return run


def resumed(trainer=PPO, **settings):
    return opened(configured(trainer, **settings), True, trainer.run)[0]


def refusal(call, *given):
    """What is said, in one line."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011  (what it says is what each test asks)
        call(*given)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# -- whose it is ----------------------------------------------------------------------------------------------


def test_one_process_at_a_time():
    with open_run(configured(), False, RUNS, PPO.run) as (run, folder):
        write_state(run.saved(), folder)
        before = {file.name: file.read_bytes() for file in folder.iterdir()}
        for resume in (False, True):
            with (
                pytest.raises(ValueError, match=r"^runs/mine is in use by another process$"),
                open_run(configured(max_minutes=5.0), resume, RUNS, PPO.run),
            ):
                pass
        assert before == {file.name: file.read_bytes() for file in folder.iterdir()}
    assert resumed().updates == 0


def test_a_run_that_was_never_saved_leaves_no_lines():
    _, folder = opened(configured())
    (folder / LOG).write_text('{"update": 1, "minutes": 0}\n')
    opened(configured())
    assert "" == (folder / LOG).read_text()


def test_what_will_not_do_leaves_no_folder():
    assert "init_from: nowhere will not do: there is no file nowhere" == refusal(
        opened, configured(init_from="nowhere")
    )
    assert not RUNS.exists()


# -- its log --------------------------------------------------------------------------------------------------

LINES = [{"update": number, "minutes": number / 10, "losses/entropy": 1.5} for number in (1, 2, 3)]
WHOLE = "".join(json.dumps(line) + "\n" for line in LINES).encode()


@pytest.mark.parametrize(
    ("data", "kept", "said"),
    [
        (WHOLE, 3, False),
        (WHOLE[:-1], 3, False),
        (WHOLE[:-20], 2, True),
        (WHOLE + b"\0" * 4096, 3, True),
        (WHOLE[:-20] + b"\0" * 20, 2, True),
        (WHOLE + b"{", 3, True),
        (b"", 0, False),
        (b"\0" * 100, 0, True),
    ],
)
def test_a_last_line_that_was_torn_off_is_left_out(capsys, data, kept, said):
    pathlib.Path("log").write_bytes(data)
    assert LINES[:kept] == read_log(pathlib.Path("log"))
    expected = "log: the last line was torn off while it was written, and is left out\n" if said else ""
    assert expected == capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "5",
        "null",
        "[" * 100_000,
        "{}",
        '{"update": "1"}',
        '{"update": 1}',
        "\0",
        '{"update": true, "minutes": 1}',
    ]
    + [
        '{"update": 1, "minutes": 1, "results": [1]}',
        '{"update": 1, "minutes": 1, "results": {"random": [1, "a", 2]}}',
    ],
    ids=str,
)
def test_other_damage_of_a_log_is_named(line):
    pathlib.Path("log").write_text(f"{json.dumps(LINES[0])}\n{line}\n{json.dumps(LINES[2])}\n")
    assert refusal(read_log, pathlib.Path("log")).startswith("log, line 2 is damaged: ")


def test_a_log_that_is_damaged_stays_as_it_is():
    updated(updates=2)
    damaged = "{\n" + (FOLDER / LOG).read_text()
    (FOLDER / LOG).write_text(damaged)
    assert "runs/mine/log.jsonl, line 1 is damaged" in refusal(resumed)
    assert damaged == (FOLDER / LOG).read_text()


def test_results_go_onto_the_last_line():
    file = pathlib.Path("log")
    for line in LINES[:2]:
        logging.add_line(file, line)
    logging.change_last_line(file, {**LINES[1], "results": {"random 2p": [0.5, 0.0, 1.0]}})
    logging.add_line(file, LINES[2])
    assert [LINES[0], {**LINES[1], "results": {"random 2p": [0.5, 0.0, 1.0]}}, LINES[2]] == read_log(file)


# -- its checkpoint -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trainer", TRAINERS.values(), ids=TRAINERS)
def test_a_checkpoint_comes_back_as_it_was(trainer):
    run = updated(trainer, updates=2)
    expected, found = run.saved(), resumed(trainer).saved()
    assert expected[1] == found[1]
    assert sorted(expected[0]) == sorted(found[0])
    assert [] == [name for name, array in expected[0].items() if array.tobytes() != found[0][name].tobytes()]


@pytest.mark.parametrize("trainer", TRAINERS.values(), ids=TRAINERS)
def test_a_damaged_checkpoint_is_named(trainer):
    updated(trainer)
    file = FOLDER / CHECKPOINT
    data = file.read_bytes()
    middle = len(data) // 2
    for damaged in (
        b"",
        data[:middle],
        data[:-1],
        data + b"x",
        data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :],
    ):
        file.write_bytes(damaged)
        assert refusal(resumed, trainer).startswith(f"{file} is damaged")
    file.unlink()
    assert f"there is no file {file}" == refusal(resumed, trainer)


def test_a_checkpoint_of_the_other_script_is_refused():
    updated(SB3)
    assert f"{FOLDER / CHECKPOINT} is no checkpoint of train_ppo" == refusal(resumed, PPO)


def rewritten(change):
    """The checkpoint with something else in it, and with the checksum that it then has."""
    arrays, card = read_arrays(FOLDER / CHECKPOINT)
    change(arrays, card)
    write_arrays(FOLDER / CHECKPOINT, arrays, card)


def poke(name, place, value):
    def change(arrays, card):
        arrays[name] = arrays[name].copy()
        arrays[name].reshape(-1)[place] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda arrays, card: arrays.pop("batch/games"), "games is missing"),
        (lambda arrays, card: arrays.update({"adam/0/step": np.zeros(2, np.float32)}), "0/step is float32[2]"),
        (lambda arrays, card: arrays.update({"network/x": np.zeros(2)}), "the weights are not those of a network"),
        (lambda arrays, card: card.update(updates=-1), "updates is -1"),
        (lambda arrays, card: card.update(seconds=float("nan")), "seconds is nan"),
        (lambda arrays, card: card.update(layout="0123"), "was trained on another layout"),
        (lambda arrays, card: card.update(rng={}), ""),
        (lambda arrays, card: card.update(rng=5), ""),
        (lambda arrays, card: card.pop("games"), "games"),
        (poke("buffer/actions", 0, 999), "actions holds numbers that are out of range"),
        (poke("buffer/next_index", 0, 3), "next_index holds numbers that are out of range"),
        (poke("buffer/last_index", 0, 999), "the decisions in it are not those of games under way"),
        (poke("buffer/observations", 0, -128), "observations hold numbers that are out of range"),
        (poke("buffer/action_masks", 0, 2), "action_masks holds numbers that are out of range"),
        (poke("buffer/values", 0, np.nan), "values holds numbers that are not finite"),
        (poke("seating/opponents", 0, 99), "opponents holds numbers that are out of range"),
        (poke("seating/opponents", 0, 2), "somebody plays who is not there"),
        (poke("seating/own", 0, False), "somebody plays who is not there"),
        (poke("pool/added", 0, -1), "added holds numbers that are out of range"),
        (poke("pool/added", 0, 1), "the weights are not those of a network"),
    ],
)
def test_what_a_checkpoint_holds_is_checked(change, words):
    updated()
    rewritten(change)
    said = refusal(resumed)
    assert said.startswith(f"{FOLDER / CHECKPOINT} does not fit, or is damaged: ")
    assert words in said


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda arrays, card: card.update(dealt=0), "there are more games than were dealt"),
        (lambda arrays, card: card.update(dealt=True), "there are more games than were dealt"),
        (poke("seats/games", 0, -1), "there are more games than were dealt"),
        (
            lambda arrays, card: arrays.update({"seats/seats": 1 - arrays["seats/seats"]}),
            "other seats are to move than",
        ),
        (poke("pool/added", 0, 0), "there is no earlier self"),
        (lambda arrays, card: arrays.pop("model/starts"), "starts is missing"),
    ],
)
def test_what_a_checkpoint_of_one_seat_holds_is_checked(change, words):
    updated(SB3)
    rewritten(change)
    said = refusal(resumed, SB3)
    assert said.startswith(f"{FOLDER / CHECKPOINT} does not fit, or is damaged: ")
    assert words in said


def test_a_setting_that_cannot_change_is_refused_by_name():
    updated()
    assert "num_games cannot change while a run goes on: it is 4 in runs/mine/checkpoint.safetensors, not 8" == refusal(
        lambda: resumed(num_games=8)
    )
    assert refusal(lambda: resumed(hidden_size=9)).startswith(
        "hidden_size cannot change while a run goes on: it is 8 in "
    )
    run = resumed(batch_size=60, learning_rate=1e-4, max_minutes=3.0)
    assert 1 == run.updates
    ppo.update(run)


# -- what goes wrong ------------------------------------------------------------------------------------------


@pytest.fixture
def small_files():
    """As on a disk that is full: no file can be written beyond this size."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_leaves_the_old_files(request):
    run = updated()
    before = {file.name: file.read_bytes() for file in FOLDER.iterdir()}
    ppo.update(run)
    state = run.saved()
    request.getfixturevalue("small_files")
    said = refusal(write_state, state, FOLDER)
    assert "runs/mine cannot be written to: File too large; its files are the last whole ones" == said
    assert before == {file.name: file.read_bytes() for file in FOLDER.iterdir()}


@pytest.mark.skipif(not COMPILED, reason="a process that compiles nothing takes long")
def test_a_full_disk_ends_a_run_with_a_sentence(tmp_path):
    words = [f"{key}={json.dumps(value)}" for key, value in TINY.items()]
    program = """
import resource
from lanterns_agents.training import ppo
from lanterns_agents.training.commands import as_command
whole = ppo.update
def update(run):
    if run.updates == 2:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    return whole(run)
ppo.train.__defaults__ = (update,)
as_command("train_ppo", ppo.main)
"""
    command = [sys.executable, "-c", program, *words, "checkpoint_minutes=0", "total_decisions=1000"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (1, 1) == (done.returncode, len(done.stderr.splitlines())), done.stderr
    assert "File too large" in done.stderr
    assert [] == [file.name for file in FOLDER.iterdir() if file.name.endswith(PART)]
    assert 2 == resumed().updates


def test_an_update_that_fails_keeps_what_was_before():
    run, folder = opened(configured(checkpoint_minutes=60.0))

    def update(run):
        if run.updates == 2:
            raise ZeroDivisionError
        return ppo.update(run)

    with pytest.raises(ZeroDivisionError):
        ppo.train(run, folder, update)
    assert 2 == resumed().updates


@pytest.mark.skipif(not COMPILED, reason="whole updates")
@pytest.mark.parametrize("trainer", TRAINERS.values(), ids=TRAINERS)
@pytest.mark.parametrize("what", ["loss or gradient", "weights"])
def test_a_run_stops_where_nothing_can_be_learnt_any_more(trainer, what):
    at_once = {PPO: {"minibatch_size": 40, "update_epochs": 1}, BC: {"minibatch_size": 40}}.get(trainer, {})
    run, folder = opened(configured(trainer, checkpoint_minutes=60.0, **at_once), False, trainer.run)
    optimizer = run.model.policy.optimizer if trainer is SB3 else run.optimizer

    weight = next(run.network.parameters())

    def update(run):
        if run.updates == 1 and what == "weights":
            optimizer.register_step_post_hook(lambda *_: weight.data.fill_(torch.inf))
        elif run.updates == 1:
            weight.register_hook(lambda gradient: gradient * torch.nan)
        return trainer.update(run)

    said = refusal(ppo.train, run, folder, update)
    assert said.startswith("update 2, minibatch ")
    assert f"{what} beyond all numbers; the run is kept as it was before that update" in said
    assert 1 == resumed(trainer).updates
    assert 1 == read_arrays(folder / CHECKPOINT)[1]["updates"]
    assert all(np.isfinite(weight).all() for weight in read_arrays(folder / POLICY)[0].values())


# -- code in files --------------------------------------------------------------------------------------------


class Payload:
    """What makes a file when it is unpickled."""

    def __reduce__(self):
        return os.system, ("touch executed",)


def planted(file):
    """The same as a pickle, and as torch has it."""
    yield lambda: file.write_bytes(pickle.dumps(Payload()))
    yield lambda: torch.save({"weights": Payload()}, file)


def test_code_in_files_is_never_executed():
    for name in ("ppo", "sb3"):
        updated(TRAINERS[name], run_name=name, total_decisions=1)
    updated(total_decisions=1)
    export.main(["runs/mine", "--check", "4"])
    onnx_file = FOLDER / "policy.onnx"
    table = Table(Batch("lighthouse", 1), [0], [0])
    loads = {
        FOLDER / CHECKPOINT: [lambda: ppo.main(["--resume", "runs/mine"])],
        RUNS / "sb3" / CHECKPOINT: [lambda: SB3.main(["--resume", "runs/sb3"])],
        onnx_file: [lambda: load(str(onnx_file)).act(table, np.random.default_rng(0))],
        FOLDER / POLICY: [
            lambda: export.main(["runs/mine"]),
            lambda: opened(configured(init_from=str(FOLDER / POLICY))),
        ],
        FOLDER / CONFIG: [
            lambda: ppo.main(["--resume", "runs/mine"]),
            lambda: ppo.main([str(FOLDER / CONFIG)]),
        ],
    }
    for file, calls in loads.items():
        before = file.read_bytes()
        for plant in planted(file):
            plant()
            for call in calls:
                refusal(call)
                assert not pathlib.Path("executed").exists(), file
        file.write_bytes(before)
    log = RUNS / "ppo" / LOG
    for plant in planted(log):  # one line that is no JSON is left out, more are refused
        plant()
        with contextlib.suppress(ValueError):
            ppo.main(["--resume", "runs/ppo"])
        assert not pathlib.Path("executed").exists()
    pickle.loads(pickle.dumps(Payload()))
    assert pathlib.Path("executed").exists()  # it would have been


def test_nothing_here_reads_pickles():
    """Nor does any other script or agent."""
    sources = [*(ROOT / "scripts").rglob("*.py"), *(ROOT / "agents").rglob("*.py")]
    assert [] == [
        (source.name, word)
        for source in sources
        for word in ("torch.load", "torch.save", "pickle.load", "import pickle", "MaskablePPO.load(")
        if word in source.read_text()
    ]


def test_the_lock_is_no_file_of_another_kind():
    _, folder = opened(configured())
    assert {CONFIG, LOG, LOCK} == {file.name for file in folder.iterdir()}
