"""Ladders: who meets whom, what is skipped, and that they come out the same anywhere."""

import itertools
import json
from collections import Counter

import numpy as np
import pytest

from lanterns_env.games.svg import svg
from lanterns_env.match.ladder import draw_lineups, play_ladder
from lanterns_env.match.rating_plot import rating_picture, write_picture
from tests.conftest import COMPILED

compiled = pytest.mark.skipif(not COMPILED, reason="hundreds of games")


@pytest.mark.parametrize(("num_agents", "num_players"), [(2, 2), (6, 2), (2, 5), (3, 5), (4, 4), (7, 4), (9, 5)])
def test_all_meet_equally_often_nearly(num_agents, num_players):
    lineups = draw_lineups(num_agents, num_players, seed=1)
    seats = Counter(agent for lineup in lineups for agent in lineup)
    pairs = Counter(
        frozenset(pair) for lineup in lineups for pair in itertools.combinations(lineup, 2) if pair[0] != pair[1]
    )
    assert set(range(num_agents)) == set(seats)
    assert num_agents * (num_agents - 1) // 2 == len(pairs)
    assert max(seats.values()) - min(seats.values()) <= 2
    assert max(pairs.values()) - min(pairs.values()) <= 2
    assert len(lineups) == len({tuple(sorted(lineup)) for lineup in lineups})
    assert lineups == draw_lineups(num_agents, num_players, seed=1)


def test_two_at_a_table_are_all_pairings():
    assert {frozenset(pair) for pair in itertools.combinations(range(5), 2)} == {
        frozenset(lineup) for lineup in draw_lineups(5, 2, seed=0)
    }


@compiled
def test_a_ladder_of_every_game_rates_greedy_above_random(name, num_players, tmp_path):
    result = play_ladder(name, ["random", "greedy"], num_players, deals=6, seed=1, workers=1)
    first, second = result.rows
    assert ("greedy", "random", 0) == (first.agent, second.agent, second.rating)
    assert first.rating > 100
    assert first.seats == second.seats
    assert np.allclose(1, result.ahead[0, 1] + result.ahead[1, 0])
    if any(table.lineup.count(0) > 1 for table in result.tables):
        assert result.ahead[0, 0] == pytest.approx(0.5)
    else:
        assert np.isnan(result.ahead[0, 0])
    result.save(tmp_path / "ladder.json")
    kept = json.loads((tmp_path / "ladder.json").read_text())
    assert ("ladder", name, num_players, 6, True) == tuple(
        kept[key] for key in ("kind", "game", "players", "deals_played", "complete")
    )
    assert [row["agent"] for row in kept["results"]] == ["greedy", "random"]
    games = [game for table in kept["records"]["places"] for deal in table for game in deal.split()]
    assert kept["games"] == len(games)
    assert all("1" in game and len(game) == num_players for game in games)


@compiled
def test_a_ladder_is_the_same_on_two_processes():
    one, two = (play_ladder("lanterns", ["greedy", "random"], 2, deals=70, seed=1, workers=p).to_json() for p in (1, 2))
    assert {**one, "timing": None} == {**two, "timing": None}
    assert ["greedy", "random"] == one["agents"]


def test_who_refuses_the_game_is_skipped(monkeypatch):
    def refuse(argument):
        raise ValueError("no net for this game")

    entry = type("Entry", (), {"load": staticmethod(lambda: refuse)})()
    monkeypatch.setattr("lanterns_env.agent.AGENTS", {"random": load_entry("random"), "net": entry})
    monkeypatch.setattr("lanterns_env.match.ladder.AGENTS", {"random": load_entry("random"), "net": entry})
    with pytest.raises(ValueError, match=r"at least two agents that play Lanterns; net:x: .*no net for this game"):
        play_ladder("lanterns", ["random", "net:x"], 2, deals=1)
    with pytest.raises(ValueError, match="there is no agent 'nobody'"):
        play_ladder("lanterns", ["random", "nobody"], 2, deals=1)


def load_entry(name):
    from lanterns_env.agent import Agents

    return Agents()[name]


def test_who_always_wins_is_marked():
    result = play_ladder("lanterns", ["random", "greedy"], 2, deals=2, workers=1)
    assert [True, True] == [row.separated for row in result.rows]
    assert (0, 1) == (result.ahead[0, 1], result.ahead[1, 0])


def test_ratings_are_drawn_without_a_display(tmp_path):
    result = play_ladder("lanterns", ["random", "greedy"], 2, deals=1, workers=1)
    picture = rating_picture(result.rows)
    assert picture.height < picture.width
    for row in result.rows:
        assert f">{row.agent}</text>" in svg(picture)
    write_picture(picture, tmp_path / "ratings.svg")
    assert (tmp_path / "ratings.svg").read_text().startswith("<svg")
    write_picture(picture, tmp_path / "ratings.png")
    assert (tmp_path / "ratings.png").read_bytes().startswith(b"\x89PNG")
