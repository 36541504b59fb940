"""`lanterns score` as the command runs it, the commands of its page, and the leaderboard."""

import json
import pathlib
import re
import shlex
import sys

import pytest

from lanterns_env import cli
from lanterns_env.score import play_score
from lanterns_env.score.protocol import DEALS, MEMBERS, SLOW_DEALS, TABLES
from lanterns_env.support.files import sealed
from tests.conftest import COMPILED
from tests.test_docs import page_script

ROOT = pathlib.Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guides" / "score.md").read_text()
FIRST = """class First:
    def act(self, table, rng):
        return table.action_masks.argmax(axis=1)
"""


compiled = pytest.mark.skipif(not COMPILED, reason="more games than plain Python plays in some seconds")


def lanterns(line):
    return cli.main(line.split())


@compiled
def test_a_score_is_shown_kept_checked_and_reproduced(small, tmp_path, capsys):
    file = tmp_path / "score.json"
    about = "--method rules --decisions 5 --training-seed 2"
    assert 0 == lanterns(f"score greedy --game lanterns --workers 1 {about} --json {file}")
    shown = capsys.readouterr().out
    assert f"greedy, panel {small.name}, version 0 (preview)" in shown
    kept = json.loads(file.read_text())
    assert ("rules", 5, 2, "lanterns", "default") == tuple(
        kept[name] for name in ("method", "decisions", "training_seed", "game", "size")
    )
    assert 0 == lanterns(f"score --check {file} --workers 1")
    words = capsys.readouterr().out
    assert words.startswith(shown)
    assert f"{file} is sound" in words
    assert " games were played again and went the same way" in words
    assert 0 == lanterns(f"score --reproduce {file} --workers 1")
    assert f"same results as in {file}" in capsys.readouterr().out
    kept["records"]["lanterns-2 random alone"]["points"][0][0] += 1
    file.write_text(json.dumps(sealed(kept)))
    assert 1 == lanterns(f"score --reproduce {file} --workers 1")
    assert "not the same: lanterns-2 random alone: deal 0 ended otherwise" in capsys.readouterr().out


@compiled
def test_a_score_is_checked_without_its_agent(small, tmp_path, monkeypatch, capsys):
    (tmp_path / "first_player.py").write_text(FIRST)
    monkeypatch.chdir(tmp_path)
    assert 0 == lanterns("score first_player:First --game lanterns --workers 1 --json score.json")
    capsys.readouterr()
    assert 0 == lanterns("score --check score.json")
    assert "no game was played again: the file names the agent 'first_player:First'" in capsys.readouterr().out
    assert 0 == lanterns("score first_player:First --check score.json --workers 1")
    assert "went the same way" in capsys.readouterr().out
    (tmp_path / "first_player.py").unlink()
    monkeypatch.delitem(sys.modules, "first_player")
    assert 0 == lanterns("score --check score.json --trust")
    assert "no game was played again: there is no agent or module 'first_player'" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("score", "name the agent that is to be rated: lanterns score champion"),
        ("score nobody", "there is no agent 'nobody'"),
        ("score random --game chess", "there is no score for the game 'chess'"),
        ("score --check a.json --full", "--check takes its settings from the file: leave out --full"),
        ("score --reproduce a.json --training-seed 1", "leave out --training-seed"),
        ("score --check a.json --reproduce b.json", "are two commands: give one of them"),
        ("score random --reproduce a.json", "leave out AGENT, or use --check"),
        ("score --check a.json --json b.json", "--check writes no result"),
        ("score --check nothing.json", "nothing.json cannot be read"),
        ("score random --json nowhere/b.json", "cannot be written: there is no folder"),
    ],
)
def test_errors_are_one_sentence(small, line, said, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert 2 == lanterns(line)
    found = capsys.readouterr()
    assert "" == found.out
    assert said in " ".join(found.err.split())


# -- pages ----------------------------------------------------------------------------------------------------


@compiled
def test_the_commands_of_the_guide(small, tmp_path, monkeypatch, capsys):
    """With the small panel; another agent stands for those that are trained."""
    monkeypatch.chdir(tmp_path)
    lines = [line for block in re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL) for line in block.splitlines()]
    assert 6 == len(lines)
    for line in lines:
        words = shlex.split(re.sub("runs/mine|(?<=score )champion", "greedy", line))
        assert ["lanterns", "score"] == words[:2]
        assert 0 == cli.main([*words[1:], "--workers", "1"]), line
    assert {"champion.json", "full.json", "mine-10m-1.json", "myscore", "myfullscore"} <= {
        file.name for file in tmp_path.iterdir()
    }
    assert "went the same way" in capsys.readouterr().out


def test_the_guide_says_how_many_deals_there_are():
    quick = ", ".join(map(str, DEALS.values()))
    full = ", ".join(str(8 * deals) for deals in DEALS.values())
    names = ", ".join(f"`{member}`" for member in MEMBERS if member != "search:400")
    assert f"| {names} | {quick} | {full} |" in GUIDE
    for title, game in (("Lanterns", "lanterns"), ("Lumen", "lumen"), ("Lighthouse Architects", "lighthouse")):
        cells = [str(SLOW_DEALS.get((game, players), "")) for players in (2, 3, 4, 5)]
        assert " ".join(f"| {title} | {' | '.join(cells)} |".split()) in " ".join(GUIDE.split())


def test_the_leaderboard_is_that_of_the_scores():
    script = page_script("leaderboard")
    assert (
        script.page(ROOT / "docs" / "results" / "scores", script.installed())
        == (ROOT / "docs" / "leaderboard.md").read_text()
    )


@compiled
def test_runs_of_a_method_stand_together(small, tmp_path):
    script = page_script("leaderboard")
    folder = tmp_path / "scores"
    folder.mkdir()
    for seed, agent in enumerate(("greedy", "random")):
        data = play_score(agent, workers=1).to_json()
        data |= {"method": "mine", "decisions": 1_000_000, "training_seed": seed}
        (folder / f"{seed}.json").write_text(json.dumps(sealed(data)))
    other = {**data, "panel": "0123456789ab", "method": "another", "decisions": None}
    (folder / "2.json").write_text(json.dumps(sealed(other)))
    page = script.page(folder, small)
    own, others = page.split("## Panel 0123456789ab")
    (line,) = [line for line in own.splitlines() if line.startswith("| mine*")]
    ratings = [json.loads((folder / f"{n}.json").read_text())["ratings"]["overall"]["rating"] for n in (0, 1)]
    high, low = ratings
    assert f"| 1 M | 2 | {sum(ratings) / 2:.0f} ({low:.0f} to {high:.0f}) |" in line
    assert "fewer than 3 runs with different training seeds" in own
    assert "| another |" in others
    assert "another" not in own


@compiled
def test_a_member_is_placed_by_what_others_won(small, tmp_path):
    """With two members it stands as far below the one as that stands above it."""
    script = page_script("leaderboard")
    result = play_score("greedy", workers=1)
    found = script.placed(small, "random", [result])
    for where, rating in result.tables.items():
        there = found["tables"][f"{where[0]}-{where[1]}"]
        assert result.bounded(where) == there["bounded"]
        assert there["rating"] < rating.value
    assert {"lanterns", "lighthouse", "overall"} == set(found["ratings"])


def test_every_table_has_its_place_on_the_leaderboard():
    page = (ROOT / "docs" / "leaderboard.md").read_text()
    script = page_script("leaderboard")
    for game, players in TABLES:
        assert f"| {script.GAMES[game].title}, {players} |" in page
