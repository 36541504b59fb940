"""The demo with little training: what it says and leaves behind, twice."""

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
def test_the_demo_runs_again_and_again(tmp_path):
    command = [sys.executable, DEMO, "--minutes", "0.01", "--deals", "2", "--runs", "runs"]
    for name in ("demo", "demo_2"):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert 0 == done.returncode, done.stderr
        folder = tmp_path / "runs" / name
        for words in ("greedy 2p:", "95 % interval", "champion  ", "random  ", "honor, reward", "million decisions"):
            assert words in done.stdout
        (replay,) = read(folder / "game.jsonl")
        assert ("policy.onnx", "greedy") == replay.agents
        assert replay.points is not None
        for file in ("curves.png", "game.jsonl"):
            assert str(folder / file) in done.stdout
            assert (folder / file).is_file()
        commands = [line[2:] for line in done.stdout.splitlines() if line.startswith("$ lanterns")]
        assert 3 == len(commands)
    _, *look = commands[0].split()
    again = subprocess.run([sys.executable, "-m", "lanterns_env", *look, "--moves"], cwd=tmp_path, capture_output=True)
    assert 0 == again.returncode, again.stderr
