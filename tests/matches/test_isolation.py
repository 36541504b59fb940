"""Agents in processes of their own: the same results, and whatever one of them does loses it a game, not the match."""

import json
import multiprocessing
import os
import time
from contextlib import closing, contextmanager

import numpy as np
import pytest

from lanterns_env import GAMES, Batch
from lanterns_env.agent import Table
from lanterns_env.cli import main
from lanterns_env.match import first_difference, isolation, play_match, read, reproduce
from lanterns_env.match.chairs import Limits
from lanterns_env.match.isolation import ATTEMPTS, IsolatedChair, Setting
from lanterns_env.match.playing import forfeited_shares
from tests.attacks import players
from tests.conftest import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="every process would load the games uncompiled")


def test_isolated_agents_play_the_same_match(name):
    settings = {"num_players": max(GAMES[name].players), "deals": 3, "seed": 4, "workers": 1}
    settings |= {"max_turns": 20} if name == "lighthouse" else {}
    plain = play_match(name, ["greedy", "random"], **settings)
    isolated = play_match(name, ["greedy", "random"], isolate=True, **settings)
    assert "" == first_difference(plain, isolated)
    assert not isolated.why_not_reproducible
    assert {"move_seconds": 60.0, "gigabytes": 8.0} == isolated.to_json()["timing"]["limits"]
    assert "" == first_difference(isolated, reproduce(isolated, workers=1))


def test_two_processes_with_isolated_agents_play_the_same_match():
    settings = {"agents": ["greedy", "random"], "num_players": 2, "deals": 20, "seed": 4}
    plain = play_match("lanterns", workers=1, **settings)
    assert "" == first_difference(plain, play_match("lanterns", workers=2, isolate=True, **settings))


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        (players.Raising, "failed: KeyError: 'nothing here'"),
        (players.Exiting, "ended its process (status 7)"),
        (players.Killed, "was killed, perhaps for want of memory"),
        (players.Hanging, "took more than 0.5 seconds for 1 decision"),
    ],
)
def test_an_agent_that_fails_loses_that_game_and_no_other(agent, reason, tmp_path, monkeypatch):
    monkeypatch.setattr(isolation, "REHEARSAL_SECONDS", 1.0)
    seconds = 0.5 if agent is players.Hanging else 20
    result = play_match("lanterns", [agent, "random"], 2, deals=2, seed=1, move_seconds=seconds)
    assert result.complete
    lost = {(each.deal, each.rotation): each for each in result.forfeits}
    assert lost
    for (deal, rotation), each in lost.items():
        assert result.match.seatings[rotation, each.seat] == 0
        assert f"<{agent.__name__}>" == each.agent
        assert [0, 1] == sorted(result.records.shares[deal, rotation])
        assert 0 == result.records.shares[deal, rotation, each.seat]
    assert any(reason in each.reason for each in result.forfeits)
    assert f"{len(lost)} games were forfeited" == result.why_not_reproducible
    result.save(tmp_path / "match.json")
    assert result.forfeits == read(tmp_path / "match.json").forfeits


def test_too_much_memory_is_refused_and_loses_the_game():
    with seated(players.Greedy, gigabytes=1.0) as chair:
        chair.ask(table_of(1))
        _, lost = chair.answer()
    assert "failed: MemoryError" in lost[0]


MOST = 3 * ATTEMPTS  # rows of a table


@contextmanager
def seated(agent, gigabytes=8.0):
    game = GAMES["lanterns"]
    setting = Setting(game, 2, game.check_options(2, {}), MOST)
    with closing(IsolatedChair(agent.__name__, agent, (1,), setting, Limits(20.0, gigabytes))) as chair:
        yield chair


def table_of(rows):
    return Table(Batch("lanterns", rows, 2), np.arange(rows), np.arange(rows))


def test_an_illegal_answer_loses_the_game():
    result = play_match("lumen", [players.Illegal, "random"], 3, deals=1, isolate=True)
    assert 3 == len(result.forfeits)
    assert all("may not do that" in each.reason for each in result.forfeits)
    assert 0 == result.rows[0].win_share


def test_an_agent_that_cannot_begin_loses_all_its_games():
    result = play_match("lanterns", [players.Unstarted, "random"], 2, deals=1, isolate=True)
    assert 2 == len(result.forfeits)
    assert {"ended its process (status 3)"} == {each.reason for each in result.forfeits}
    with pytest.raises(ValueError, match="there is no agent 'nobody'"):
        play_match("lanterns", ["nobody", "random"], 2, deals=1, isolate=True)
    with pytest.raises(ValueError, match="cannot be sent to a process of its own"):
        play_match("lanterns", [lambda: players.Uniform(), "random"], 2, deals=1, isolate=True)


def test_after_some_failures_the_rest_of_a_call_is_lost_without_asking():
    rows = MOST
    with seated(players.Illegal) as chair:
        chair.ask(table_of(rows))
        actions, lost = chair.answer()
        assert ATTEMPTS + 1 == chair._restarts
    assert [-1] * rows == actions.tolist()
    assert list(range(rows)) == list(lost)


def test_who_wins_a_game_that_an_agent_could_not_finish():
    assert [0, 0.5, 0, 0.5] == forfeited_shares(np.array([1, 0, 1, 2]), 0).tolist()
    assert [0.5, 0.5, 0] == forfeited_shares(np.array([0, 0, 0]), 2).tolist()


def test_what_an_isolated_agent_is_sent_says_nothing_of_the_deal(monkeypatch):
    """All bytes that leave for it are the same in redealt worlds."""
    sent = []

    class Wire:
        def send_bytes(self, message):
            sent.append(message)

        def close(self):
            pass

    chair = object.__new__(IsolatedChair)
    chair._connection, chair._ready = Wire(), True
    for name, game in GAMES.items():
        chair._memory = np.zeros(Table.bytes_of(game, 20), np.uint8)
        batch = Batch(name, 20, seed=3, autoreset=False)
        rng = np.random.default_rng(0)
        for _ in range(6):
            batch.step(batch.sample(rng))
        rows = np.arange(20)
        chair.ask(Table(batch, rows, rows))
        first = chair._memory.copy()
        assert first.any()
        for seed in range(3):
            chair._memory[:] = 0
            chair.ask(Table(batch.worlds(rows, batch.current_players, rows + 100 * seed), rows, rows))
            assert np.array_equal(first, chair._memory)
        assert 1 == len(set(sent))
        sent.clear()


def test_the_command_tells_of_lost_games_and_keeps_the_limits(tmp_path, capsys):
    file = tmp_path / "match.json"
    words = ["evaluate", "--game", "lanterns", "--agents", "greedy,random", "--deals", "2", "--workers", "1"]
    assert 0 == main([*words, "--isolate", "--move-seconds", "30", "--secret", "--json", str(file)])
    secret = json.loads(file.read_text())["secret"]
    assert f"secret: {secret}" in capsys.readouterr().out
    assert 0 == main(["evaluate", "--reproduce", str(file), "--workers", "1"])
    assert "same results" in capsys.readouterr().out
    assert 2 == main([*words, "--move-seconds", "0"])
    assert "move_seconds must be between 0.001 and 86400, not 0.0" in capsys.readouterr().err


def test_no_process_of_an_agent_is_left_behind():
    before = set(children())
    play_match("lanterns", ["greedy", "random"], 2, deals=1, isolate=True)
    until = time.monotonic() + 10
    while time.monotonic() < until and set(children()) - before - {server()}:
        time.sleep(0.1)
    assert not set(children()) - before - {server()}


def children():
    """The processes below the one that agents are forked from."""
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as stat:
                    parent = int(stat.read().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if parent == server():
                yield int(entry)


def server():
    return multiprocessing.forkserver._forkserver._forkserver_pid
