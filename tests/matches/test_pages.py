"""The guide's commands run as they stand, with fewer deals, and the results page is written and gone on with."""

import importlib.util
import json
import pathlib
import re

import pytest

from lanterns_env import GAMES
from lanterns_env.match.statistics import save_json
from tests.conftest import COMPILED
from tests.matches.test_commands import lanterns

ROOT = pathlib.Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guides" / "matches.md").read_text()

pytestmark = pytest.mark.skipif(not COMPILED, reason="hundreds of games")


@pytest.mark.slow
def test_the_commands_of_the_guide(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lines = [line for block in re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL) for line in block.splitlines()]
    assert len(lines) >= 7
    for line in lines:
        assert 0 == lanterns(re.sub(r"--deals \d+", "--deals 4", line.removeprefix("lanterns "))), line
    assert {"match.json", "ladder.json", "ratings.svg", "games.jsonl", "mymatch", "myladder"} == {
        file.name for file in tmp_path.iterdir()
    }
    assert "same results" in capsys.readouterr().out


@pytest.fixture
def script():
    spec = importlib.util.spec_from_file_location("ladder_script", ROOT / "scripts" / "pages" / "results.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.LADDERS = [("lanterns", 2, "greedy,random", 500), ("lighthouse", 3, "greedy,random", 500)]
    module.MATCHES = [("lumen", 3, "greedy,random", 500, None), ("lanterns", 2, "greedy,random", 500, 0.5)]
    return module


def test_the_results_page_is_written_and_gone_on_with(script, tmp_path, capsys):
    run = ["--deals", "8", "--folder", str(tmp_path), "--workers", "1"]
    assert 0 == script.main(run)
    page = (tmp_path / "results.md").read_text()
    for words in ("## Lanterns, 2 players", "## Lighthouse Architects, 3 players", "`greedy`", "--deals 8 --seed 1"):
        assert words in page
    for name in re.findall(r"\]\((images[^)]+)\)", page):
        assert (tmp_path / name).read_text().startswith("<svg")
    files = sorted((tmp_path / "results").iterdir())
    assert 4 == len(files)
    times = [file.stat().st_mtime_ns for file in files]
    interrupted = json.loads(files[0].read_text())
    save_json({**interrupted, "complete": False}, files[0])
    files[1].write_text(files[1].read_text()[:-9])
    capsys.readouterr()
    assert 0 == script.main(run)
    assert page == (tmp_path / "results.md").read_text()
    assert times[2:] == [file.stat().st_mtime_ns for file in files[2:]]
    assert json.loads(files[0].read_text())["complete"]
    assert f"played again, for {files[1]} is damaged" in capsys.readouterr().err
    figureless = json.loads(files[3].read_text())
    save_json({**figureless, "results": []}, files[3])  # the page takes its figures from the records
    assert 0 == script.main(run)
    assert page == (tmp_path / "results.md").read_text()


def test_the_results_page_asks_for_games_that_there_are():
    spec = importlib.util.spec_from_file_location("ladder_script", ROOT / "scripts" / "pages" / "results.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert {(name, n) for name in GAMES for n in GAMES[name].players} == {row[:2] for row in module.LADDERS}
    for name, players, *_ in module.MATCHES:
        assert players in GAMES[name].players
