"""`lanterns evaluate` and `lanterns ladder`, as the command runs them."""

import argparse
import importlib
import json

import pytest

from lanterns_env import GAMES
from lanterns_env.cli.evaluate import parse_options
from lanterns_env.match.report import plain_table
from lanterns_env.match.statistics import save_json
from tests.conftest import COMPILED

DEALS = "6" if COMPILED else "1"


def lanterns(line):
    """Run a command line as `lanterns` does: the exit status."""
    command, *words = line.split()
    module = importlib.import_module(f"lanterns_env.cli.{command}")
    parser = argparse.ArgumentParser(f"lanterns {command}", description=module.HELP)
    module.add_arguments(parser)
    return module.run(parser.parse_args(words))


def test_evaluate_every_game(name, num_players, capsys):
    assert 0 == lanterns(f"evaluate --game {name} --players {num_players} --deals 1 --workers 1")
    words = capsys.readouterr().out
    assert f"{GAMES[name].title}, {num_players} players, {num_players} games (1 deal)" in words
    assert "greedy minus random: win share" in words


def test_evaluate_keeps_a_file_and_plays_it_again(tmp_path, capsys):
    file = tmp_path / "match.json"
    play = "evaluate --game lumen --players 3 --agents random,random,greedy --seed 4 --option recall=false"
    assert 0 == lanterns(f"{play} --deals {DEALS} --workers 1 --json {file}")
    kept = json.loads(file.read_text())
    assert ("lumen", 3, 4, False) == (kept["game"], kept["players"], kept["seed"], kept["options"]["recall"])
    assert 0 == lanterns(f"evaluate --reproduce {file} --workers 1")
    assert capsys.readouterr().out.endswith(f"same results as in {file}\n")
    kept["records"]["points"][0][0][0] += 1
    save_json(kept, file)
    assert 1 == lanterns(f"evaluate --reproduce {file} --workers 1")
    assert "not the same: results[" in capsys.readouterr().out


def test_evaluate_says_whether_it_is_decided(capsys):
    assert 0 == lanterns(f"evaluate --players 2 --deals {DEALS} --workers 1 --until")
    assert "win share of greedy is above or below 0.5 (" in capsys.readouterr().out


def test_ladder(tmp_path, capsys):
    files = tmp_path / "ladder.json", tmp_path / "ratings.svg"
    line = "ladder --players 2 --agents random,greedy --deals 1 --workers 1 --json {} --plot {}"
    assert 0 == lanterns(line.format(*files))
    words = capsys.readouterr().out
    assert "Lanterns, 2 players, 2 games (1 deal a table)" in words
    assert "greedy was always ahead of the others, or always behind" in words
    assert all(file.exists() for file in files)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("evaluate --game chess", "there is no game 'chess'"),
        ("evaluate --agents random,nobody --workers 1", "there is no agent 'nobody'"),
        ("evaluate --option recall", "--option is given as name=value, not 'recall'"),
        ("evaluate --game lumen --option recall=perhaps", "option recall of Lumen must be one of: False, True"),
        ("evaluate --option height=3", "Lanterns has no option 'height'"),
        ("evaluate --until never", "--until takes a win share between 0 and 1, not 'never'"),
        ("evaluate --reproduce x.json", "x.json cannot be read"),
        ("evaluate --reproduce x.json --seed 3 --deals 4", "leave out --deals, --seed"),
        ("ladder --plot ratings.gif", "--plot draws .svg or .png, not 'ratings.gif'"),
    ],
)
def test_errors_speak_to_the_user(line, words):
    with pytest.raises(ValueError, match=words):
        lanterns(line)


def test_a_plot_that_cannot_be_drawn_is_said_before_the_games(monkeypatch, tmp_path):
    monkeypatch.setattr("lanterns_env.support.extras.find_spec", lambda name: None)
    with pytest.raises(ValueError, match="needs Pillow"):
        lanterns(f"ladder --plot {tmp_path}/ratings.png")


def test_options_are_the_games_own_values(name):
    game = GAMES[name]
    for option, known in game.options.items():
        for value in list(known.values)[:5]:
            assert {option: value} == parse_options(game, [f"{option}={str(value).lower()}"])
            assert type(value) is type(parse_options(game, [f"{option}={value}"])[option])


def test_plain_tables_are_aligned():
    assert ["a     b", "xyz  10"] == plain_table(["a", "b"], [["xyz", "10"]])
