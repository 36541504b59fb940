"""Matches that are stopped: what was played is kept whole, is what a match to the end begins with, or it is said."""

import ctypes
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from lanterns_env import cli, replay
from lanterns_env.match import first_difference, play_ladder, play_match, read, reproduce, workers
from lanterns_env.match.progress import NOTHING
from lanterns_env.support.files import PART
from tests.conftest import COMPILED
from tests.matches.test_processes import wait_until_gone

UNIX = pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
compiled = pytest.mark.skipif(not COMPILED, reason="thousands of games")
SHORT = {"num_players": 2, "max_turns": 4}  # games of Lighthouse Architects
PATIENCE = 120  # seconds for what should take few
BYTES = 20_000  # of games in the file that is being written: the first deals have been played
ENDLESS = "--deals 10000000 --game lighthouse --players 2 --option max_turns=4"


# -- in this process ------------------------------------------------------------------------------------------


def stop_after(deals):
    def progress(progress):
        if progress.deals >= deals:
            raise KeyboardInterrupt

    return progress


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=compiled)])
def test_a_match_that_is_stopped_has_the_first_deals_of_one_that_is_not(processes, tmp_path):
    settings = {"agents": ["greedy", "random"], "deals": 20, "seed": 3, **SHORT}
    whole = play_match("lighthouse", workers=1, record=tmp_path / "whole.jsonl", **settings)
    stopped = play_match(
        "lighthouse", workers=processes, record=tmp_path / "games.jsonl", progress=stop_after(3), **settings
    )
    assert (4, False, "interrupted") == (len(stopped.records), stopped.complete, stopped.why_incomplete)
    for name in vars(whole.records):
        assert np.array_equal(getattr(whole.records, name)[:4], getattr(stopped.records, name))
    assert lines_of(tmp_path / "whole.jsonl")[: 1 + 4 * 2] == lines_of(tmp_path / "games.jsonl")
    stopped.save(tmp_path / "match.json")
    kept = read(tmp_path / "match.json")
    assert not kept.complete
    assert "" == first_difference(kept, reproduce(kept, workers=1))
    assert "4 of 20 deals were played: interrupted" in str(kept)


def lines_of(file):
    return file.read_text().splitlines()


class Tired:
    """Plays at random until it has been asked for so many decisions; then somebody presses Ctrl-C."""

    asked = 0

    def __init__(self, decisions):
        self.decisions = decisions

    def act(self, table, rng):
        Tired.asked += len(table)
        if Tired.asked > self.decisions:
            raise KeyboardInterrupt
        return table.sample(rng)


def test_of_a_chunk_that_was_not_finished_nothing_counts(tmp_path, monkeypatch):
    """Also the games of it that are over, and rotations of its deals."""
    monkeypatch.setattr(Tired, "asked", 0)
    result = play_match("lighthouse", [Tired(10**9)], deals=7, workers=1, **SHORT)
    decisions = int(result.records.decisions[:5].sum())  # one chunk is 3 of the last deals
    monkeypatch.setattr(Tired, "asked", 0)
    stopped = play_match("lighthouse", [Tired(decisions)], deals=7, workers=1, record=tmp_path / "games.jsonl", **SHORT)
    assert 4 == len(stopped.records)
    assert 4 == len(replay.read(tmp_path / "games.jsonl"))


def test_before_the_first_deal_is_played_nothing_is_kept_and_that_is_said(tmp_path, monkeypatch):
    file = tmp_path / "games.jsonl"
    file.write_text("an older file")
    monkeypatch.setattr(Tired, "asked", 0)
    with pytest.raises(KeyboardInterrupt) as caught:
        play_match("lighthouse", [Tired(0)], workers=1, record=file, **SHORT)
    assert [NOTHING] == caught.value.__notes__
    assert "an older file" == file.read_text()
    assert [file] == list(tmp_path.iterdir())


def test_a_ladder_that_is_stopped_has_the_deals_that_all_tables_have_played(tmp_path):
    settings = {"agents": ["greedy", "random", "expert"][: 3 if COMPILED else 2], "deals": 9, "workers": 1, **SHORT}
    whole = play_ladder("lighthouse", record=tmp_path / "whole.jsonl", **settings)
    stopped = play_ladder("lighthouse", record=tmp_path / "games.jsonl", progress=stop_after(2), **settings)
    assert (2, False) == (stopped.deals, stopped.complete)
    tables = len(whole.tables)
    assert [2] * tables == [len(records) for records in stopped.records]
    assert all(
        np.array_equal(one.points[:2], other.points) for one, other in zip(whole.records, stopped.records, strict=True)
    )
    assert lines_of(tmp_path / "whole.jsonl")[: 1 + stopped.games] == lines_of(tmp_path / "games.jsonl")
    assert "2 of 9 deals were played at every table: interrupted" in str(stopped)


@UNIX
def test_signals_are_held_back_until_something_is_done():
    done = []

    def work():
        with workers.held_back(signal.SIGINT):
            signal.raise_signal(signal.SIGINT)
            done.append("kept")
        done.append("too late")

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        signal.signal(signal.SIGINT, before)
    assert ["kept"] == done


@UNIX
@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals for a thread")
def test_a_signal_that_another_thread_receives_is_held_back_too():
    """The system holds signals for one thread alone; Python hands those of others to the main one."""
    done, begin, received = [], threading.Event(), threading.Event()

    def receive():
        begin.wait()
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)  # it is there when this returns
        received.set()

    def work():
        with workers.held_back(signal.SIGINT):
            begin.set()
            received.wait()
            done.append("kept")
        done.append("too late")

    other = threading.Thread(target=receive)
    other.start()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        signal.signal(signal.SIGINT, before)
        begin.set()
        other.join()
    assert ["kept"] == done


def test_a_second_signal_soon_after_the_first_changes_nothing(monkeypatch, capsys):
    """Whoever presses Ctrl-C twice does not lose what is being kept."""
    done = []

    def status(words):
        before = signal.getsignal(signal.SIGINT)
        try:
            before(signal.SIGINT, None)
        except KeyboardInterrupt:
            before(signal.SIGINT, None)
            done.append("kept")
        return 7

    monkeypatch.setattr(cli, "_status", status)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert 7 == cli.main([])
    finally:
        signal.signal(signal.SIGINT, before)
    assert ["kept"] == done


@UNIX
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_that_a_library_drops_comes_once_more(number, status, monkeypatch):
    """As the compiler does, in which Python is called back."""
    came_back = []

    def run(words):
        ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(number))()
        came_back.append(True)
        time.sleep(PATIENCE)
        pytest.fail("it goes on")

    monkeypatch.setattr(cli, "_run", run)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert status == cli.main([])
    finally:
        signal.signal(signal.SIGINT, before)
    assert [True] == came_back


def test_the_table_is_shown_also_where_the_file_cannot_be_written_any_more(tmp_path, monkeypatch, capsys):
    def full(*_):
        raise OSError(28, "No space left on device", "match.json")

    monkeypatch.setattr("lanterns_env.match.result.save_json", full)
    words = "evaluate --game lighthouse --players 2 --option max_turns=4 --agents random --deals 1 --workers 1 --json"
    assert 2 == cli.main([*words.split(), str(tmp_path / "match.json")])
    said = capsys.readouterr()
    assert said.out.startswith("Lighthouse Architects, 2 players, 1 game (1 deal)\nagent")
    assert "lanterns evaluate: error: No space left on device: match.json\n" == said.err


# -- in processes of their own --------------------------------------------------------------------------------


class Running:
    """A command that goes on, at the head of a group of processes, as a terminal starts it."""

    def __init__(self, folder, line):
        self.folder = folder
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "lanterns_env", *line.split()],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))},
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # it may be ignored here
            **pipes,
        )

    def wait_for_games(self):
        until = time.monotonic() + PATIENCE
        while not any(file.stat().st_size > BYTES for file in self.folder.glob(f".games*{PART}")):
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < until
            time.sleep(0.05)

    def end(self, *signals):
        """Signals to the whole group, as from a terminal: exit status, what was printed, what was said of errors."""
        for number in signals:
            os.killpg(self.process.pid, number)
            time.sleep(0.02)
        out, err = self.process.communicate(timeout=PATIENCE)
        assert not wait_until_gone(self.process.pid)
        return self.process.returncode, out, err


@pytest.fixture
def begin(tmp_path):
    begun = []

    def run(line):
        begun.append(Running(tmp_path, line))
        return begun[-1]

    yield run
    for running in begun:
        if running.process.poll() is None:
            os.killpg(running.process.pid, signal.SIGKILL)
            running.process.communicate()


@UNIX
@compiled
@pytest.mark.skipif(not pathlib.Path("/proc").is_dir(), reason="processes are looked up in /proc")
@pytest.mark.parametrize(
    ("line", "signals", "status"),
    [
        ("--workers 1", [signal.SIGINT], 130),
        ("--workers 1", [signal.SIGINT, signal.SIGINT, signal.SIGINT], 130),
        ("--workers 2", [signal.SIGINT, signal.SIGINT], 130),
        ("--workers 1 --isolate", [signal.SIGINT], 130),
    ],
)
def test_ctrl_c_keeps_what_was_played(line, signals, status, begin, tmp_path):
    running = begin(f"evaluate --agents random,random {ENDLESS} {line} --json match.json --record games.jsonl")
    running.wait_for_games()
    ended, out, err = running.end(*signals)
    if len(signals) == 1:  # else the last may come when all is done
        assert (status, "") == (ended, err)
    kept = read(tmp_path / "match.json")
    deals = len(kept.records)
    assert deals > 1
    assert "interrupted" == kept.why_incomplete
    assert deals in {kept.match.bounds(number)[1] for number in range(deals.bit_length() + deals)}
    assert f"{deals} of 10000000 deals were played: interrupted" in out
    assert 2 * deals == len(replay.read(tmp_path / "games.jsonl", check=False))
    assert {"match.json", "games.jsonl"} == {file.name for file in tmp_path.iterdir()}
    assert "" == first_difference(kept, reproduce(kept, workers=1))


@UNIX
@compiled
def test_a_terminated_command_keeps_what_was_played(begin, tmp_path):
    running = begin(f"ladder --agents random,greedy {ENDLESS} --workers 2 --record games.jsonl --plot ratings.svg")
    running.wait_for_games()
    os.kill(running.process.pid, signal.SIGTERM)
    ended, out, err = running.end()
    assert (143, "") == (ended, err)
    assert "deals were played at every table: terminated" in out
    assert replay.read(tmp_path / "games.jsonl", check=False)
    assert (tmp_path / "ratings.svg").read_text().startswith("<svg")


@UNIX
@compiled
@pytest.mark.parametrize("line", ["evaluate --agents search:1000000,random", "ladder --agents search:1000000,random"])
def test_a_command_that_is_stopped_before_the_first_deal_says_so(line, begin, tmp_path):
    (tmp_path / "result.json").write_text("an older file")
    running = begin(f"{line} --game lumen --players 3 --deals 4 --workers 1 --json result.json --record games.jsonl")
    if line.startswith("evaluate"):
        until = time.monotonic() + PATIENCE
        while not list(tmp_path.glob(f".games*{PART}")) and time.monotonic() < until:
            time.sleep(0.05)
    else:
        time.sleep(1)  # it tries its agents out
    ended, out, err = running.end(signal.SIGINT)
    assert (130, "") == (ended, out)
    assert err.endswith(f"{NOTHING}\n")
    assert "an older file" == (tmp_path / "result.json").read_text()
    assert ["result.json"] == [file.name for file in tmp_path.iterdir()]
