"""The picture of a run: what stands at the axes, where the fair share is, and where the curves begin."""

import json

import pytest

pytest.importorskip("torch")
figures = pytest.importorskip("matplotlib.figure")

from lanterns_agents.training import curves  # noqa: E402

LINES = [
    {"update": 0, "decisions": 0, "minutes": 0.0, "results": {"greedy 2p": [0.1, 0.0, 0.2], "greedy 4p": [0, 0, 0.1]}},
    {"update": 1, "decisions": 1_000_000, "minutes": 1.5, "losses/entropy": 2.5},
    {
        "update": 2,
        "decisions": 2_000_000,
        "minutes": 3.0,
        "losses/entropy": 1.5,
        "results": {"greedy 2p": [0.7, 0.6, 0.8]},
    },
]


def test_win_shares_stand_over_decisions_beside_the_fair_share():
    figure = figures.Figure()
    curves.draw_results(figure, LINES)
    two, four = figure.axes
    assert ["Win share with 2 players", "Win share with 4 players"] == [two.get_title(), four.get_title()]
    assert ("decisions of the learner, in millions", "win share") == (two.get_xlabel(), two.get_ylabel())
    assert [0.5, 0.25] == [axes.lines[0].get_ydata()[0] for axes in (two, four)]
    assert [[0.0, 2.0], [0.1, 0.7]] == [list(data) for data in two.containers[0].lines[0].get_data()]
    assert ["fair share", "against greedy"] == [text.get_text() for text in two.get_legend().get_texts()]


def test_signs_of_health_are_those_in_the_log():
    figure = figures.Figure()
    curves.draw_health(figure, LINES)
    (entropy,) = figure.axes
    assert ("Entropy of the policy", "nats") == (entropy.get_title(), entropy.get_ylabel())
    assert [[1.0, 2.0], [2.5, 1.5]] == [list(data) for data in entropy.lines[0].get_data()]


def test_a_run_has_its_picture(tmp_path):
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in LINES))
    curves.draw_curves(tmp_path)
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
