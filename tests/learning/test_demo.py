"""The demo with little training: what it says and leaves behind."""

import pathlib
import subprocess
import sys

import pytest

from lanterns_env.replay import read
from tests.conftest import COMPILED

for needed in ("torch", "onnx", "onnxruntime", "onnxscript", "matplotlib"):
    pytest.importorskip(needed)

DEMO = pathlib.Path(__file__).parents[2] / "scripts" / "demo.py"


@pytest.mark.skipif(not COMPILED, reason="training takes thousands of games")
@pytest.mark.slow
def test_the_demo_after_another_one(tmp_path):
    earlier = tmp_path / "runs" / "demo" / "checkpoint.safetensors"
    earlier.parent.mkdir(parents=True)
    earlier.touch()
    command = [sys.executable, DEMO, "--minutes", "0.01", "--deals", "2", "--runs", "runs"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert 0 == done.returncode, done.stderr
    for words in ("greedy 2p ", "95 % interval", "champion  ", "random  ", "honor, reward", "million decisions"):
        assert words in done.stdout
    assert [earlier] == list(earlier.parent.iterdir())
    folder = pathlib.Path("runs/demo_2")
    for line in (f"learning curve: {folder / 'curves.png'}", f"replay: {folder / 'game.jsonl'}"):
        assert line in done.stdout.splitlines()
    assert (tmp_path / folder / "curves.png").is_file()
    (replay,) = read(tmp_path / folder / "game.jsonl")
    assert ("policy.onnx", "greedy") == replay.agents
    assert replay.points is not None
    commands = [line.split()[2:] for line in done.stdout.splitlines() if line.startswith("$ lanterns")]
    assert ["replay", "play", "evaluate"] == [words[0] for words in commands]
    for words in (commands[0], commands[2]):
        look = [sys.executable, "-m", "lanterns_env", *words]
        seen = subprocess.run(look, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert 0 == seen.returncode, seen.stderr
