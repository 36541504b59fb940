"""Looking at a replay: forward, back, through any eyes."""

import itertools
import re

import pytest

from lanterns_env import cli
from lanterns_env.cli.screen.viewer import Viewer
from lanterns_env.envs.aec import make
from lanterns_env.replay import record, write
from tests.cli.playing import Keyboard
from tests.play import decisions


def replay_of(name, limit=10**6, seed=4, **options):
    env = make(name, False, **options)
    actions = [action for _, action in decisions(env, seed, limit)]
    return record(env, actions, [f"bot{seat}" for seat in range(env.num_players)])


def drawing(replay, moves, seat=None):
    env = replay.env(moves)
    seats = range(replay.players) if seat is None else [seat]
    return "\n" + env.game.draw([env.view(f"player_{each}") for each in seats]) + "\n"


def browsed(replay, *lines, **rest):
    """The drawings and other lines of a walk through a replay."""
    keyboard = Keyboard(*lines)
    viewer = Viewer(replay, keyboard.write, **rest)
    viewer.browse(keyboard.read)
    return keyboard


def test_keys_go_forward_and_back(name):
    replay = replay_of(name, limit=10)
    keyboard = browsed(replay, "", "n", "n 3", "p", "b 2", "g 7", "s 1", "s all", "q")
    shown = [text for text in keyboard.written if text.startswith("\n")]
    walk = [(0, None), (1, None), (2, None), (5, None), (4, None), (2, None), (7, None), (7, 1), (7, None)]
    assert shown == [drawing(replay, *place) for place in walk]


def test_the_ends_and_wrong_keys_are_said():
    replay = replay_of("lumen", limit=5)
    keyboard = browsed(replay, "p", "n 99", "n", "g", "g x", "s 9", "s", "what", "n 1 2", "?", "m", "q")
    text = keyboard.text
    assert "this is the start of the game" in text
    assert "this is the end of the game" in text
    assert "the game is not over after 5 moves" in text
    assert "say how many moves: a number, not 'x'" in text
    assert "there is no seat '9'; there are 0 to 3, and all" in text
    assert text.count("go on") + text.count("after K moves") == 3
    assert text.count("5  player") == 1
    assert keyboard.prompts[-1].startswith("after 5 of 5 moves")


def test_a_move_is_said_as_the_eyes_hear_it():
    replay = replay_of("lanterns", limit=1)
    views = [replay.env(1).view(f"player_{seat}") for seat in range(4)]
    for seat, view in enumerate(views):
        line = browsed(replay, "q", seat=seat, at=1).written[0].splitlines()[0]
        place = f"tile {view.lake_tile[1]} at ({view.lake_x[1]}, {view.lake_y[1]}): "
        assert line.startswith(f"move 1: player 0 (bot0): place {place}")


def test_turns_are_listed_and_gone_to():
    replay = replay_of("lumen", limit=40)
    keyboard = browsed(replay, "t", "t 3", "t 99", "q")
    listed = keyboard.written[1].splitlines()
    assert listed[:2] == ["   1  after 0: round 1, bids", "   2  after 4: round 1, trick 1"]
    assert len(listed) == 10
    assert drawing(replay, 8) in keyboard.written
    assert "there is no number 99; 't' lists 1 to 10" in keyboard.written


def test_every_game_names_its_turns(name):
    replay = replay_of(name, limit=60)
    found = Viewer(replay, print)._turns()
    assert found[0][0] == 0
    assert len(found) > 5
    assert all(before[0] < at and before[1] != words for before, (at, words) in itertools.pairwise(found))


def test_what_came_of_a_move_is_said():
    replay = replay_of("lumen", limit=8)
    line = browsed(replay, "q", at=8).written[0].splitlines()[1]
    assert re.fullmatch(r"  trick 1 goes to player \d:  (\d:[YRGBP]\d+ *){4}", line)


# -- the command ----------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "games.jsonl"
    write(path, [replay_of("lighthouse", max_turns=9), replay_of("lumen", limit=5)])
    return str(path)


def test_a_file_of_games_is_listed(file, capsys):
    assert cli.main(["replay", file]) == 0
    first, second, hint = capsys.readouterr().out.splitlines()
    assert first.startswith("   1  Lighthouse Architects, 2 players (bot0, bot1), max_turns=9, seed 4, ")
    assert "; points " in first
    assert second == "   2  Lumen, 4 players (bot0, bot1, bot2, bot3), seed 4, 5 moves, not over"
    assert hint == f"to see one: lanterns replay {file} --game-number 1"


def test_moves_are_listed_where_nobody_types(file, capsys):
    assert cli.main(["replay", file, "--game-number", "1", "--moves"]) == 0
    listed = capsys.readouterr().out
    assert cli.main(["replay", file, "--game-number", "1"]) == 0
    assert capsys.readouterr().out == listed
    lines = listed.splitlines()
    replay = replay_of("lighthouse", max_turns=9)
    assert len(lines) == 1 + len(replay) + 3
    assert [line.split()[0] for line in lines[1:-3]] == [str(number + 1) for number in range(len(replay))]
    assert lines[-3] == "the game was cut, and is ranked as it stands:"


def test_one_position_is_drawn_where_nobody_types(file, capsys):
    assert cli.main(["replay", file, "--game-number", "2", "--at", "3", "--seat", "1"]) == 0
    assert drawing(replay_of("lumen", limit=5), 3, seat=1) in capsys.readouterr().out


def test_what_is_not_there_is_said(file, capsys):
    for words, said in {
        ("--game-number", "3"): f"there is no game 3 in {file}; it holds 2, numbered from 1",
        ("--game-number", "2", "--seat", "4"): "there is no seat '4'; there are 0 to 3, and all",
        ("--game-number", "2", "--at", "6"): "the game has 5 moves; there is no position 6, only 0 to 5",
    }.items():
        assert cli.main(["replay", file, *words]) == 2
        assert capsys.readouterr().err == f"lanterns replay: error: {said}\n"
    write(file, [])
    assert cli.main(["replay", file]) == 2
    assert capsys.readouterr().err == f"lanterns replay: error: {file} holds no game yet\n"
