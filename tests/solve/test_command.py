"""The command ``lanterns solve``: what it prints, keeps and refuses."""

import json

import numpy as np
import pytest

from lanterns_env.cli import INTERRUPTED, main
from lanterns_env.games import GAMES
from lanterns_env.solve import Tree, nash_conv, policy_of
from lanterns_env.solve.saved import read
from lanterns_env.solve.solving import Solver, Standing
from tests.solve.glimpse import GAME as GLIMPSE
from tests.solve.poker import KUHN_GAME


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    known = {**GAMES._loaded, KUHN_GAME.name: KUHN_GAME, GLIMPSE.name: GLIMPSE}
    monkeypatch.setattr(GAMES, "_loaded", known)


def solve(*words):
    return main(["solve", *map(str, words)])


def test_it_solves_and_keeps(tmp_path, capsys):
    assert 0 == solve("--game", "kuhn", "--out", tmp_path / "kuhn.npz", "--json", tmp_path / "kuhn.json")
    said = capsys.readouterr().out
    assert "Kuhn, 2 players\nabout 55 histories, " in said
    assert "55 histories of 6 deals, 6 + 6 information sets" in said
    assert "of the payoff range of 2" in said
    figures = json.loads((tmp_path / "kuhn.json").read_text())
    assert (55, [6, 6], 6) == tuple(figures[name] for name in ("histories", "information_sets", "deals"))
    assert figures["nash_conv"] <= 0.001 * figures["payoff_range"]
    assert figures["nash_conv"] == figures["curve"][-1]["nash_conv"] == sum(figures["gains"])
    assert figures["gains"] == read(tmp_path / "kuhn.npz").card["gains"]
    tree = Tree(KUHN_GAME)
    assert figures["nash_conv"] == nash_conv(tree, policy_of(tree, f"tabular:{tmp_path / 'kuhn.npz'}")).total


def test_it_judges_agents(tmp_path, capsys):
    words = ["--game", "kuhn", "--agent", "random", "--agent", "search:10", "--seeds", 2]
    assert 0 == solve(*words, "--json", tmp_path / "kuhn.json")
    said = capsys.readouterr().out.splitlines()
    assert ["random", "0.4583", "0.2292", "0.1875", "0.2708", "1"] == next(
        line.split() for line in said if line.startswith("random")
    )
    assert "of agents that draw random numbers: mean and standard deviation over seeds" == said[-1]
    uniform, search = json.loads((tmp_path / "kuhn.json").read_text())["agents"]
    assert (1, 2) == (len(uniform["nash_conv"]), len(search["nash_conv"]))
    np.testing.assert_allclose(uniform["gains"], [[3 / 16, 13 / 48]])


def test_what_is_kept_is_for_what_players_see_where_they_decide(tmp_path, capsys):
    """In Glimpse a deviator who was given more gains by it; solved for all that is seen, nobody does."""
    assert 0 == solve("--game", "glimpse", "--iterations", 60, "--out", tmp_path / "glimpse.npz")
    said = capsys.readouterr().out
    assert "it is made for what players see where they decide, 7 information sets; deviators were given all 8" in said
    assert 0.25 == round(read(tmp_path / "glimpse.npz").card["gains"][1], 2)
    assert 0 == solve("--game", "glimpse", "--iterations", 60, "--json", tmp_path / "glimpse.json")
    assert 0 == round(json.loads((tmp_path / "glimpse.json").read_text())["nash_conv"], 2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--game", "kuhn", "--agent", "random", "--out", "x.npz"], "with --agent nothing is solved: leave out --out"),
        (["--game", "kuhn", "--minutes", "0"], "--minutes must be more than 0, not 0"),
        (["--game", "kuhn", "--limit", "20"], "too large to be solved: about 55 histories, and at most 20 are allowed"),
        (["--game", "kuhn", "--players", "4"], "Kuhn is for 2 to 3 players, not 4"),
        (["--game", "kuhn", "--out", "nowhere/x.npz"], "nowhere/x.npz cannot be written"),
        (["--game", "kuhn", "--agent", "search:5ms"], "search:5ms thinks by the clock"),
    ],
)
def test_what_it_refuses(words, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert 2 == solve(*words)
    shown = capsys.readouterr().err
    assert said in shown
    assert 1 == len(shown.splitlines())
    assert [] == list(tmp_path.iterdir())


def test_stopped_early_it_keeps_what_it_has(tmp_path, monkeypatch, capsys):
    def stopped(*arguments, **settings):
        (tree,) = arguments
        yield Standing(3, 0.1, *reversed(Solver(tree).average()))
        raise KeyboardInterrupt

    monkeypatch.setattr("lanterns_env.solve.solving.solving", stopped)
    assert INTERRUPTED == solve("--game", "kuhn", "--out", tmp_path / "kuhn.npz")
    assert "Solving" in capsys.readouterr().out
    assert (tmp_path / "kuhn.npz").exists()


def test_stopped_before_anything_is_known_it_keeps_nothing(tmp_path, monkeypatch):
    def stopped(*arguments, **settings):
        raise KeyboardInterrupt

    monkeypatch.setattr("lanterns_env.solve.enumerating.Walk.go", stopped)
    assert INTERRUPTED == solve("--game", "kuhn", "--out", tmp_path / "kuhn.npz")
    assert [] == list(tmp_path.iterdir())
