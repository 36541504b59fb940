"""Matches and ladders with a folder: what was played before is not played again, and the result is the same."""

import json

import numpy as np
import pytest

from lanterns_env import cli
from lanterns_env.match import first_difference, play_ladder, play_match
from lanterns_env.support.files import locked, sealed
from tests.conftest import COMPILED
from tests.matches.test_interrupts import stop_after

compiled = pytest.mark.skipif(not COMPILED, reason="more processes")
SHORT = {"num_players": 2, "max_turns": 4, "seed": 3}  # games of Lighthouse Architects


class Counted:
    """Plays at random, and counts its decisions over all games."""

    decisions = 0

    def act(self, table, rng):
        Counted.decisions += len(table)
        return table.sample(rng)


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=compiled)])
def test_a_match_goes_on_where_it_was_stopped(workers, tmp_path):
    settings = {"agents": ["greedy", "random"], "deals": 9, **SHORT}
    whole = play_match("lighthouse", workers=1, record=tmp_path / "whole.jsonl", **settings)
    more = {"directory": tmp_path / "folder", "record": tmp_path / "games.jsonl", **settings}
    stopped = play_match("lighthouse", workers=workers, progress=stop_after(3), **more)
    assert 4 == len(stopped.records)
    seen = []
    again = play_match("lighthouse", workers=1, progress=seen.append, **more)
    assert again.complete
    assert "" == first_difference(whole, again)
    assert (tmp_path / "whole.jsonl").read_bytes() == (tmp_path / "games.jsonl").read_bytes()
    assert (18, 18) == (seen[-1].games, seen[-1].of)
    assert 8 <= seen[0].games < 18  # those that were over before


def test_what_was_played_is_not_played_again(tmp_path, monkeypatch):
    monkeypatch.setattr(Counted, "decisions", 0)
    settings = {"agents": [Counted], "deals": 4, "directory": tmp_path, **SHORT}
    first = play_match("lighthouse", **settings)
    decisions = Counted.decisions
    assert first.records.decisions.sum() == decisions
    second = play_match("lighthouse", **settings)
    assert decisions == Counted.decisions
    assert "" == first_difference(first, second)
    play_match("lighthouse", record=tmp_path.with_suffix(".jsonl"), **settings)
    assert 2 * decisions == Counted.decisions  # moves had not been kept
    play_match("lighthouse", record=tmp_path.with_suffix(".jsonl"), **settings)
    assert 2 * decisions == Counted.decisions


def test_damaged_parts_are_played_again(tmp_path):
    settings = {"agents": ["random"], "deals": 4, "workers": 1, "directory": tmp_path, **SHORT}
    first = play_match("lighthouse", **settings)
    parts = sorted(tmp_path.glob("table-*.json"))
    data = json.loads(parts[0].read_text())
    parts[0].write_text(json.dumps({**data, "seconds": [9]}))
    parts[1].write_text("{")
    parts[2].write_text(json.dumps(sealed({**data, "records": {}})))
    assert "" == first_difference(first, play_match("lighthouse", **settings))


def test_a_ladder_goes_on_where_it_was_stopped(tmp_path):
    settings = {"agents": ["greedy", "random"], "deals": 5, "workers": 1, **SHORT}
    whole = play_ladder("lighthouse", **settings)
    stopped = play_ladder("lighthouse", directory=tmp_path, progress=stop_after(2), **settings)
    assert 2 == stopped.deals
    again = play_ladder("lighthouse", directory=tmp_path, **settings)
    assert again.complete
    assert all(np.array_equal(a.points, b.points) for a, b in zip(whole.records, again.records, strict=True))


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"seed": 4}, "seed"),
        ({"agents": ["random"]}, "agents, lineup"),
        ({"max_turns": 5}, "options"),
        ({"chunk": 2}, "chunk"),
    ],
)
def test_the_folder_of_another_match_is_refused(change, names, tmp_path):
    settings = {"agents": ["greedy", "random"], "deals": 2, "workers": 1, "directory": tmp_path, **SHORT}
    play_match("lighthouse", **settings)
    with pytest.raises(ValueError, match=f"has another match: its {names}.* not the same"):
        play_match("lighthouse", **{**settings, **change})


def test_a_folder_of_something_else_or_in_use_is_refused(tmp_path):
    settings = {"agents": ["random"], "deals": 1, "workers": 1, "directory": tmp_path, **SHORT}
    with locked(tmp_path), pytest.raises(ValueError, match="is in use by another process"):
        play_match("lighthouse", **settings)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match="is neither empty nor of a match"):
        play_match("lighthouse", **settings)


def test_the_commands_take_a_folder(tmp_path, capsys):
    words = "--game lighthouse --players 2 --option max_turns=4 --agents greedy,random --deals 2 --workers 1"
    for command in ("evaluate", "ladder"):
        for _ in range(2):
            assert 0 == cli.main([command, *words.split(), "--directory", str(tmp_path / command)])
        first, second = capsys.readouterr().out.split("Lighthouse Architects, 2 players, ")[1:]
        assert first == second  # with the times of the first


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"agents": [Counted(), "random"]}, "may have learnt since: name it, or leave out directory"),
        ({"secret": "random"}, "give a secret of your own"),
    ],
)
def test_what_would_be_another_match_each_time_takes_no_folder(change, said, tmp_path):
    settings = {"agents": ["greedy", "random"], "deals": 2, "directory": tmp_path / "folder", **SHORT}
    with pytest.raises(ValueError, match=said):
        play_match("lighthouse", **{**settings, **change})
    assert not (tmp_path / "folder").exists()


@compiled
def test_a_folder_knows_the_limits_and_the_files_of_its_agents(tmp_path, monkeypatch):
    settings = {"agents": ["random", "mine:Mine"], "deals": 1, "workers": 1, "directory": tmp_path / "folder", **SHORT}
    code = "class Mine:\n    def act(self, table, rng):\n        return table.sample(rng)\n"
    (tmp_path / "mine.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    play_ladder("lighthouse", **settings)
    with pytest.raises(ValueError, match="has another match: its limits are not the same"):
        play_ladder("lighthouse", isolate=True, **settings)
    (tmp_path / "mine.py").write_text(code + "# another\n")
    with pytest.raises(ValueError, match="has another match: its files are not the same"):
        play_ladder("lighthouse", **settings)
