"""The commands ``train``, ``pretrain`` and ``export``: found by entry points, wrong words are said to be so."""

import json
import pathlib
import subprocess
import sys
import types
from importlib.metadata import EntryPoint

import pytest

from lanterns_env import cli
from tests.conftest import COMPILED


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


OTHER = '''
def echo(words):
    """say what was given

    More of it.
    """
    if not words:
        raise ValueError("there is nothing to say")
    print(*words)
    return 3
'''


@pytest.fixture
def added(monkeypatch, tmp_path):
    """The command of another package."""
    (tmp_path / "another_package.py").write_text(OTHER)
    monkeypatch.syspath_prepend(tmp_path)
    values = {"echo": "another_package:echo", "gone": "no_such_package.module:gone"}
    entries = {name: EntryPoint(name, value, cli.ENTRY_POINTS) for name, value in values.items()}
    monkeypatch.setattr(cli, "added", lambda: entries)


def test_they_are_listed_with_their_line(capsys):
    assert 0 == cli.main(["--help"])
    text = capsys.readouterr().out
    for name in ("train", "pretrain", "export"):
        assert name in cli.added()
        assert f"  {name:9}  {cli.help_of(name)}\n" in text
    assert "lanterns train CONFIG" in cli.help_of("train")


def test_listing_them_loads_neither_torch_nor_the_compiler():
    code = "import sys; from lanterns_env.cli import main; main(['--help']); "
    code += "sys.exit('torch' in sys.modules or 'numba' in sys.modules)"
    assert 0 == subprocess.run([sys.executable, "-c", code], capture_output=True).returncode


def test_those_of_other_packages_are_listed_too(added, capsys):
    assert 0 == cli.main(["--help"])
    text = capsys.readouterr().out
    assert "  echo       say what was given\n" in text
    assert "  gone       comes from no_such_package.module\n" in text


def test_they_are_given_the_words_and_their_errors_are_said(added, capsys):
    assert 3 == cli.main(["echo", "a=1", "--b", "--help"])
    assert "a=1 --b --help\n" == capsys.readouterr().out
    assert 2 == cli.main(["echo"])
    assert "lanterns echo: error: there is nothing to say\n" == capsys.readouterr().err


def test_a_name_of_a_command_of_this_package_stays_ours(monkeypatch):
    entries = [types.SimpleNamespace(name=name) for name in ("play", "train")]
    monkeypatch.setattr(cli, "entry_points", lambda group: entries)
    cli.added.cache_clear()
    found = cli.added()
    cli.added.cache_clear()
    assert ["train"] == list(found)


@pytest.mark.parametrize(("command", "extra"), [("train", "train"), ("pretrain", "train"), ("export", "export")])
def test_what_is_not_installed_is_said(command, extra, monkeypatch, capsys):
    monkeypatch.setattr("lanterns_env.support.extras.find_spec", lambda name: None if name == "torch" else name)
    assert 2 == cli.main([command, "lanterns_2p"])
    assert f"lanterns {command}: error: lanterns {command} needs torch: pip install 'lanterns_env[{extra}]'\n" == (
        capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["train", "nowhere.toml"], "lanterns train: error: there is no file nowhere.toml\n"),
        (["train", "seed=-1"], "lanterns train: error: seed must be from 0 to 4294967295, not -1\n"),
        (["export", "nowhere"], "lanterns export: error: there is no file nowhere/policy.safetensors\n"),
        (["pretrain", "bc_epochs=0"], "lanterns pretrain: error: bc_epochs must be from 1 to 1000, not 0\n"),
    ],
)
def test_what_is_wrong_is_said(words, message, capsys):
    pytest.importorskip("torch")
    assert 2 == cli.main(words)
    assert message == capsys.readouterr().err


@pytest.mark.skipif(not COMPILED, reason="thousands of decisions")
def test_a_run_from_imitation_to_ppo_and_its_file(capsys):
    for name in ("torch", "onnx", "onnxscript", "onnxruntime"):
        pytest.importorskip(name)
    small = ["num_games=8", "batch_size=64", "hidden_size=8", "eval_deals=1", "eval_opponents=random"]
    small += ["tensorboard=false", "num_threads=1"]
    assert 0 == cli.main(["pretrain", "lanterns_2p_bc", *small, "bc_minutes=0", "bc_decisions=100"])
    assert 0 == cli.main(["train", "lanterns_2p", *small, "max_minutes=0", "--total-decisions", "100"])
    lines = (pathlib.Path("runs/lanterns_2p/log.jsonl")).read_text().splitlines()
    assert json.loads(lines[-1])["decisions"] >= 100
    assert 0 == cli.main(["export", "runs/lanterns_2p", "mine.onnx", "--check", "4"])
    assert "mine.onnx: 4 positions: the same action in 4" in capsys.readouterr().out
