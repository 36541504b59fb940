"""Files given to the command: what cannot be written is said before the work, what a file says steers nothing."""

import json
import xml.etree.ElementTree
from types import SimpleNamespace

import pytest

from lanterns_env import cli
from lanterns_env.cli import evaluate, tables
from lanterns_env.games.svg import svg
from lanterns_env.match import play_match, read
from lanterns_env.match.rating_plot import rating_picture
from lanterns_env.match.statistics import save_json
from lanterns_env.replay import Replay, write
from tests.cli.test_viewer import replay_of
from tests.planted import plant

STEERING = "\033]0;title\007\033[2J\r\u202e\ud800"  # a terminal's title, its screen, its line, its direction; no letter
SPELLED = r"\x1b]0;title\x07\x1b[2J\r\u202e\ud800"


def error_of(capsys, *words):
    """The line that a command fails with."""
    assert cli.main(list(words)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.isascii()
    assert said.err.strip().isprintable()
    return said.err


# -- targets --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "work"),
    [
        ("evaluate --json {}", "lanterns_env.cli.evaluate.play_match"),
        ("evaluate --reproduce {again} --json {}", "lanterns_env.cli.evaluate.reproduce"),
        ("evaluate --record {}", "lanterns_env.cli.evaluate.play_match"),
        ("ladder --json {}", "lanterns_env.cli.ladder.play_ladder"),
        ("ladder --record {}", "lanterns_env.cli.ladder.play_ladder"),
        ("ladder --plot {}.svg", "lanterns_env.cli.ladder.play_ladder"),
        ("benchmark --json {}", "lanterns_env.cli.benchmark.measured"),
        ("play lumen --save {}", "lanterns_env.cli.screen.repl.Repl.run"),
        ("play --resume {resume} --save {}", "lanterns_env.cli.screen.repl.Repl.run"),
    ],
)
def test_what_cannot_be_written_is_said_before_the_work(line, work, tmp_path, monkeypatch, capsys):
    again, resume, target = tmp_path / "match.json", tmp_path / "saved.jsonl", tmp_path / "no" / "file"
    play_match("lighthouse", ["random"], 2, 1, workers=1, max_turns=3).save(again)
    write(resume, [Replay("lumen", 3, 1, (), {}, ("me", "random", "random"))])
    monkeypatch.setattr(work, lambda *args, **more: pytest.fail("the work was begun"))
    said = error_of(capsys, *line.format(target, again=again, resume=resume).split())
    assert f"cannot be written: there is no folder {tmp_path / 'no'}" in said


def test_a_folder_is_no_file_to_write(tmp_path, capsys):
    assert "it is a folder; name a file to write" in error_of(capsys, "evaluate", "--json", str(tmp_path))


# -- trust ----------------------------------------------------------------------------------------------------


def test_a_result_plays_again_with_agents_of_others_only_when_trusted(tmp_path, monkeypatch, capsys):
    file, mark = tmp_path / "match.json", plant(tmp_path, monkeypatch, "planted")
    play_match("lighthouse", ["random"], 2, 1, workers=1, max_turns=3).save(file)
    save_json({**json.loads(file.read_text()), "agents": ["planted"]}, file)
    words = ["evaluate", "--reproduce", str(file), "--workers", "1"]
    assert "names the agent 'planted', which may run code that is not part of this package" in error_of(capsys, *words)
    assert not mark.exists()
    assert cli.main([*words, "--trust"]) == 0
    assert mark.exists()
    assert f"same results as in {file}" in capsys.readouterr().out


def test_a_saved_game_goes_on_with_agents_of_others_only_when_trusted(tmp_path, monkeypatch, capsys):
    file, mark = tmp_path / "game.jsonl", plant(tmp_path, monkeypatch, "planted")
    write(file, [Replay("lighthouse", 2, 1, (), {"max_turns": 3}, ("me", "planted"))])
    monkeypatch.setattr("builtins.input", lambda prompt="": "quit")
    assert "names the agent 'planted', which may run code" in error_of(capsys, "play", "--resume", str(file))
    assert not mark.exists()
    assert cli.main(["play", "--resume", str(file), "--seats", "me,random"]) == 0
    assert not mark.exists()
    assert cli.main(["play", "--resume", str(file), "--trust"]) == 0
    assert mark.exists()


def test_agents_that_the_user_names_are_the_users_own(tmp_path, monkeypatch):
    mark = plant(tmp_path, monkeypatch, "planted")
    words = ["--players", "2", "--deals", "1", "--workers", "1", "--option", "max_turns=3"]
    assert cli.main(["evaluate", "--game", "lighthouse", "--agents", "planted", *words]) == 0
    assert mark.exists()


# -- what a file says is shown, not obeyed --------------------------------------------------------------------


def test_a_replay_steers_no_terminal(tmp_path, capsys):
    file, played = tmp_path / "games.jsonl", replay_of("lighthouse", max_turns=3)
    named = Replay(**{**vars(played), "agents": (STEERING, "random")})
    unknown = Replay(**{**vars(named), "game": STEERING, "options": {STEERING: STEERING}})
    write(file, [named, unknown])
    for words in (["--game-number", "1"], ["--game-number", "1", "--at", "3"], []):
        assert cli.main(["replay", str(file), *words]) == 0
        shown = capsys.readouterr().out
        assert shown.replace("\n", "").isprintable()
        assert f"({SPELLED}, random)" in shown
    assert f"   2  unknown game '{SPELLED}', 2 players ({SPELLED}, random), {SPELLED}={SPELLED}, seed" in shown
    assert "there is no game '" in error_of(capsys, "replay", str(file), "--game-number", "2")


def test_a_saved_game_steers_no_terminal(tmp_path, monkeypatch, capsys):
    file = tmp_path / "game.jsonl"
    write(file, [Replay("lighthouse", 2, 1, (), {}, ("me", STEERING))])
    assert r"the file names the agent '\x1b]0;" in error_of(capsys, "play", "--resume", str(file))
    assert "there is no agent '" in error_of(capsys, "play", "--resume", str(file), "--trust")


def test_a_result_steers_no_terminal(tmp_path, capsys):
    file = tmp_path / "match.json"
    play_match("lighthouse", ["random", "greedy"], 2, 1, workers=1, until=0.5, max_turns=3).save(file)
    data = json.loads(file.read_text())
    save_json({**data, "agents": [STEERING, "greedy"]}, file)
    evaluate._report(read(file), None)
    shown = capsys.readouterr().out
    assert shown.replace("\n", "").isprintable()
    assert shown.count(SPELLED) == 3
    assert "names the agent" in error_of(capsys, "evaluate", "--reproduce", str(file))
    save_json({**data, "why_incomplete": STEERING, "complete": False}, file)
    evaluate._report(read(file), None)
    assert SPELLED in capsys.readouterr().out


def test_brackets_in_a_name_are_no_markup(monkeypatch, capsys):
    monkeypatch.setattr(tables, "_dressed", lambda looking: True)
    tables.show_table("a table", ["agent", "n"], [["[red]x", "1"], ["[/nothing]", "2"]])
    shown = capsys.readouterr().out
    assert ["[red]x", "[/nothing]"] == [words for words in ("[red]x", "[/nothing]") if words in shown]


def test_a_name_in_a_picture_is_a_text():
    name = f"</text><script>alert(1)</script>&amp;{STEERING}"
    picture = svg(rating_picture([SimpleNamespace(agent=name, rating=1.0, interval=(0.0, 2.0))]))
    drawn = xml.etree.ElementTree.fromstring(picture)
    texts = [each.text for each in drawn.iter() if each.tag.endswith("text")]
    assert f"</text><script>alert(1)</script>&amp;{SPELLED}" in texts
    assert {"svg", "rect", "text", "circle"} == {each.tag.rpartition("}")[2] for each in drawn.iter()}


# -- damaged --------------------------------------------------------------------------------------------------


def test_a_damaged_file_is_said_in_a_line(tmp_path, capsys):
    for text, words in {"[" * 100_000: "nested too deeply", "": "Expecting value", "{}": "has no checksum"}.items():
        (tmp_path / "x").write_text(text)
        assert words in error_of(capsys, "evaluate", "--reproduce", str(tmp_path / "x"))
        said = error_of(capsys, "replay", str(tmp_path / "x"))
        assert "x, line 1: this is not a file of replays of lanterns_env" in said


def test_a_game_nested_too_deeply_is_said_in_a_line(tmp_path, capsys):
    write(tmp_path / "x", [])
    with open(tmp_path / "x", "a") as file:
        file.write('{"a":' * 100_000 + "\n")
    assert "x, line 2 is damaged: it is nested too deeply" in error_of(capsys, "replay", str(tmp_path / "x"))


def test_an_agent_that_cannot_play_is_named(tmp_path, capsys):
    words = ["play", "lighthouse", "--seats"]
    assert "error: agent 'random' takes no argument\n" in error_of(capsys, *words, "me,random:3")
    assert "a search of '999999999' is not understood" in error_of(capsys, *words, "me,search:999999999")
