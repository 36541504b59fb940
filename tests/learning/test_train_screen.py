"""How a learner is measured, and what a run shows on its way."""

import io
import sys

import pytest

torch = pytest.importorskip("torch")

from lanterns_agents.training import evaluate, logging  # noqa: E402

from lanterns_env.agent import load  # noqa: E402
from tests.conftest import COMPILED  # noqa: E402
from tests.learning.runs import tiny_run  # noqa: E402


@pytest.mark.skipif(not COMPILED, reason="dozens of games")
def test_the_learner_is_measured_at_one_seat_among_bots(monkeypatch):
    """With greedy in the place of the learner: it beats random at every size of table, and random loses to it."""
    monkeypatch.setattr(evaluate, "BestMoves", lambda network: load("greedy"))
    settings = {"num_players": [2, 4], "eval_opponents": ["random", "greedy"], "eval_deals": 30}
    results = evaluate.evaluate(tiny_run(**settings))
    assert ["random 2p", "random 4p", "greedy 2p", "greedy 4p"] == list(results)
    for share, low, high in results.values():
        assert 0 <= low <= share <= high <= 1
    assert [0.5, 0.25] == pytest.approx([results["greedy 2p"][0], results["greedy 4p"][0]], abs=1e-6)
    assert results["random 2p"][1] > 0.9
    assert results["random 4p"][1] > 0.8


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(stream, monkeypatch, minutes=4.0):
    """What a run half over shows on its way."""
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    run = tiny_run(max_minutes=minutes)
    run.seconds, run.updates, run.decisions = 60.0, 7, 12345
    run.spent = {"games": 1.0, "policy": 3.0}
    with logging.screen("mine") as show:
        show(run, {"losses/entropy": 0.5, "charts/SPS": 2000.0}, {"random 2p": [0.75, 0.7, 0.8]})
        run.seconds = 120.0
        show(run, {"losses/entropy": 0.25, "charts/SPS": 3000.0}, {})
    return stream.getvalue()


TIMES = "games 25%  policy 75%"
PARTS = (
    "12,345",
    "2.0 k/s",
    "3.0 min left",
    "entropy 0.500",
    TIMES,
    "random 2p 75.0% (70.0% to 80.0%)",
)


def test_a_line_now_and_then(monkeypatch):
    first, second = shown(io.StringIO(), monkeypatch).splitlines()
    assert [TIMES] == [part for part in PARTS if part not in first]
    assert "entropy 0.250" in second
    assert "random" not in second


def test_the_last_line_says_where_the_time_went(monkeypatch):
    first, second = shown(io.StringIO(), monkeypatch, minutes=2.0).splitlines()
    assert [False, True] == [TIMES in line for line in (first, second)]


def test_a_panel_on_a_terminal_keeps_the_last_results(monkeypatch):
    pytest.importorskip("rich")
    text = shown(Terminal(), monkeypatch)
    assert [] == [part for part in PARTS if part not in text]
    last = text[text.rindex("mine") :]
    assert [] == [part for part in ("2.0 min left", "entropy 0.250", "random 2p 75.0%") if part not in last]
