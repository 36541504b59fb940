"""The rules for people: one text a game, wherever rules are asked for, and with the numbers of the code."""

import importlib
import inspect
import pathlib
import re
import tomllib

import pytest

from lanterns_env import GAMES, cli
from lanterns_env.games.lanterns import components as lanterns
from lanterns_env.games.lighthouse import components as lighthouse
from lanterns_env.games.lighthouse import rules as lighthouse_rules
from lanterns_env.games.lumen import components as lumen
from lanterns_env.games.lumen.rules import round_points
from tests.cli.playing import dealt, played

ROOT = pathlib.Path(__file__).parents[2]
LINES, COLUMNS = 24, 80
STEPS = re.compile(r"\b[1-4] (?=[A-Z])")  # of a turn, numbered


def listed(numbers, last=", "):
    *first, end = map(str, numbers)
    return ", ".join(first) + last + end


def file_of(name):
    return (ROOT / "lanterns_env" / "games" / name / "rules.txt").read_text()


# -- where they are ---------------------------------------------------------------------------------------------


def test_they_fit_on_a_screen_below_a_prompt(name):
    lines = GAMES[name].rules.rstrip().splitlines()
    assert len(lines) < LINES
    assert max(map(len, lines)) <= COLUMNS
    assert GAMES[name].rules.startswith(GAMES[name].title.upper())


def test_the_command_says_them(name, capsys):
    assert cli.main(["rules", name]) == 0
    assert capsys.readouterr().out == file_of(name)


def test_the_command_asks_for_a_game_that_there_is(capsys):
    assert cli.main(["rules"]) == 2
    assert "say which game: lanterns, lighthouse, lumen" in capsys.readouterr().err
    assert cli.main(["rules", "lantern"]) == 2
    assert "there is no game 'lantern'; did you mean 'lanterns'?" in capsys.readouterr().err


def test_they_are_said_in_a_game(name):
    _, keyboard = played(dealt(name, ("me", "random", "random")), "rules", "quit")
    assert file_of(name).rstrip() in keyboard.written


def test_the_module_of_a_game_has_them(name):
    module = importlib.import_module(f"lanterns_env.{name}_v0")
    assert module.rules() == file_of(name)
    assert file_of(name) in module.__doc__


@pytest.mark.parametrize("kind", ["env", "raw_env", "parallel_env"])
def test_an_agent_that_reads_the_module_of_an_environment_reads_them(name, kind):
    """As PettingZoo's agent for language models does."""
    env = getattr(importlib.import_module(f"lanterns_env.{name}_v0"), kind)()
    env.reset(seed=1)
    assert file_of(name) in inspect.getmodule(env.unwrapped).__doc__


def test_the_page_of_a_game_includes_them_and_links_to_all_rules(name):
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text()
    assert f'```text\n--8<-- "lanterns_env/games/{name}/rules.txt"\n```' in page
    assert f"({name}-rules.md)" in page
    assert f"games/{name}-rules.md" in (ROOT / "mkdocs.yml").read_text()


def test_they_are_in_the_wheel():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "games/*/rules.txt" in settings["tool"]["setuptools"]["package-data"]["lanterns_env"]


# -- that they are true -----------------------------------------------------------------------------------------


def lanterns_numbers():
    players = GAMES["lanterns"].players
    yield f"{players[0]} to {players[-1]} players"
    yield f"hold {lanterns.HAND} tiles"
    yield f"{listed(lanterns.STACK, ' or ')} lanterns of each of {lanterns.NUM_COLOURS} colours"
    yield f"(with {listed(players)} players)"
    yield "begin with 1,"  # LA-06
    yield f"pay {lanterns.EXCHANGE_COST} favors and return 1 lantern"
    yield "take 1 lantern"
    for kind, words in enumerate(lanterns.KINDS):
        piles = [[value for value in pile[kind].tolist() if value] for pile in lanterns.TOKEN_VALUES]
        ((first, last),) = {(pile[0], pile[-1]) for pile in piles}
        yield f"{words} {first}, later down to {last} honor"
    yield f"{lanterns.GENERIC_VALUE} honor for a kind whose tokens are used up"
    yield f"more than {lanterns.HAND_LIMIT} lanterns, return some until you have {lanterns.HAND_LIMIT}"
    yield "1 favor if the tile has a platform, and 1 for each platform tile"  # LA-21
    yield f"placed, {listed(lanterns.PLACEMENTS, ' or ')} by each"
    yield "steps 1 and 2 alone"  # LA-31


def lumen_numbers():
    players = GAMES["lumen"].players
    points = {extra: [round_points(number, 3, extra, 3) for number in (1, 2, 3, 4)] for extra in (0, 1)}
    yield f"{players[0]} to {players[-1]} players"
    yield f"values 1 to {listed(lumen.TOP_VALUE, ' or ')} (for {listed(players)} players)"
    yield f"has {lumen.HAND}; {lumen.UNDEALT} more are set aside"
    yield f"0 to {lumen.HAND} tricks, with or without the extra stone"
    yield f"comes true brings {listed(points[0])} points in rounds 1 to {lumen.ROUNDS}"
    yield f"brings only {listed(points[1])}"
    yield f"lose {-round_points(2, 3, 0, 4)} for every trick"
    yield f"With {players[0]} players, in round {lumen.ROUNDS}"
    yield f"After {lumen.ROUNDS} rounds"
    yield f"more in round {lumen.ROUNDS}"


def lighthouse_numbers():
    players = GAMES["lighthouse"].players
    yield f"{players[0]} to {players[-1]} players"
    yield "island 1"
    yield ", ".join(f"{lighthouse.STONES_OF_A_COLOUR} {name}" for name in lighthouse.COLOURS[:-1]) + (
        f" and {lighthouse.STONES_OF_A_COLOUR} {lighthouse.COLOURS[-1]} stones"
    )
    yield f"{lighthouse.NUM_CARDS} orders"
    yield f"hold {lighthouse.HAND} orders"
    yield f"in {lighthouse.NUM_PILES} piles"
    yield "step 2 alone"  # LH-09
    yield f"with {lighthouse.POINTS} points"
    yield f"full ({lighthouse.TOWER} stones): 1 point, and 1 more"
    yield f"laid all {lighthouse.HAND} orders"
    yield f"after {lighthouse_rules.OPTIONS['max_turns'].default} turns"


NUMBERS = {"lanterns": lanterns_numbers, "lumen": lumen_numbers, "lighthouse": lighthouse_numbers}


def test_their_numbers_are_those_of_the_code(name):
    """Every number of the text stands in a phrase that is made here from the constants."""
    text = " ".join(file_of(name).split())
    for phrase in NUMBERS[name]():
        assert phrase in text
        text = text.replace(phrase, "", 1)
    assert re.findall(r"\d+", STEPS.sub("", text)) == []


def test_numbers_in_letters_are_those_of_the_code():
    assert "Eight islands" in file_of("lighthouse")
    assert "four stones" in file_of("lighthouse")
    assert (8, 4) == (lighthouse.NUM_ISLANDS, lighthouse.TOWER)
    assert "Five colours" in file_of("lumen")
    assert "Ten tricks" in file_of("lumen")
    assert (5, 10) == (lumen.NUM_COLOURS, lumen.HAND)
    assert "yellow" == lumen.COLOURS[lumen.TRUMP]
