"""The commands of the pages on training, one after the other, made short."""

import importlib
import json
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

from tests.conftest import COMPILED

ROOT = pathlib.Path(__file__).parents[2]
PAGES = [(ROOT / "docs" / "guides" / f"{name}.md").read_text() for name in ("training", "exporting", "speed")]
SMALL = ["num_games=32", "batch_size=1024", "minibatch_size=256", "hidden_size=32", "max_minutes=0", "eval_every=0"]
SHORTER = {
    "lanterns train lanterns_2p_quick": [*SMALL, "total_decisions=2000"],
    "lanterns train --resume": ["max_minutes=0", "total_decisions=4000"],
    "lanterns pretrain": [*SMALL[:-2], "bc_minutes=0", "bc_decisions=2000"],
    "lanterns train lanterns_2p": [*SMALL, "total_decisions=2000"],
    "scripts/train_sb3.py configs": [*SMALL, "total_decisions=2000", "eval_deals=5"],
    "scripts/train_sb3.py --resume": ["max_minutes=0", "total_decisions=4000"],
    "scripts/bench/training.py": [
        *("--rounds", "1", "--steps", "128", "--minibatch-size", "128", "--batch-size", "4096"),
    ],
    "--check": ["--check", "100"],
    "--deals": ["--deals", "2"],
}


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="training takes thousands of games")
def test_the_commands_of_the_pages(tmp_path):
    lines = [line for block in re.findall(r"```sh\n(.*?)```", "".join(PAGES), re.DOTALL) for line in block.splitlines()]
    assert len(lines) == 16
    for name in ("scripts", "configs"):
        (tmp_path / name).symlink_to(ROOT / name)
    for line in lines:
        more = next((words for start, words in SHORTER.items() if start in line), [])
        program, *words = shlex.split(line)
        start = [sys.executable, *(["-m", "lanterns_env"] if program == "lanterns" else [])]
        done = subprocess.run([*start, *words, *more], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
    for run in ("lanterns_2p_quick", "lanterns_2p_sb3"):
        files = {file.name for file in (tmp_path / "runs" / run).iterdir()}
        assert {"checkpoint.safetensors", "config.toml", "log.jsonl", "policy.onnx"} <= files
    assert (tmp_path / "runs" / "lanterns_2p_sb3" / "model.zip").exists()
    assert {"lanterns_2p", "lumen_3p", "lighthouse_2p"} == set(
        json.loads((tmp_path / "training.json").read_text())["parts"]
    )
    assert (tmp_path / "runs" / "lanterns_2p_quick" / "policy.pt2").exists()


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="it measures compiled code")
def test_all_speeds_are_measured_into_one_file(tmp_path, monkeypatch):
    """And every table of the pages can be made of it."""
    command = [sys.executable, "scripts/bench/speed.py", "--brief", "--folder", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "speed.json").read_text())
    assert {"lanterns", "lumen", "lighthouse"} == set(report["engine"])
    monkeypatch.syspath_prepend(ROOT / "scripts" / "pages")
    tables = importlib.import_module("speed_tables")
    assert ["| collecting", "| whole loop"] == [line.split(" |")[0] for line in tables.training_table(report)[2:4]]
    for table in (tables.engine_table, tables.seats_table, tables.parts_table):
        assert len(table(report)) > 4
