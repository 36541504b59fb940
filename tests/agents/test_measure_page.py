"""The page "Measure my agent": its commands, in a folder with the files that its blocks make."""

import pathlib
import re
import shlex
import sys

import pytest

from lanterns_env import cli
from tests.conftest import COMPILED

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "guides" / "measure-my-agent.md"


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_the_commands_measure_what_the_blocks_make(tmp_path, monkeypatch, capsys):
    pytest.importorskip("sb3_contrib")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    model, _, bot, _ = blocks("python")
    exec(compile(model, "measure-my-agent.md", "exec"), {"__name__": "page"})
    pathlib.Path("bot.py").write_text(bot)
    commands = [line for block in blocks("sh") for line in block.splitlines()]
    assert {"sb3:model.zip,random", "bot:First,greedy"} == {
        shlex.split(line)[shlex.split(line).index("--agents") + 1] for line in commands
    }
    for line in commands:
        program, *words = shlex.split(line)
        assert "lanterns" == program
        assert 0 == cli.main([*words, "--workers", "1"])
    said = capsys.readouterr().out
    assert re.search(r"sb3:model.zip minus random: win share [+-]\d\.\d{3} \([+-]\d", said)
    assert 2 == said.count("bot:First minus greedy: win share -")
