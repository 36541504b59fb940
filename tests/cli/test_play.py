"""Games at the terminal, through scripted keyboards."""

import os
import pty
import random
import re
import select
import signal
import subprocess
import sys

import pytest

from lanterns_env import cli
from lanterns_env.cli import terminal
from lanterns_env.cli.screen import menu
from lanterns_env.games.lumen.rules import round_points
from lanterns_env.replay import read
from tests.cli.playing import dealt, played, repl_of
from tests.conftest import COMPILED

OPPONENT = "greedy" if COMPILED else "random"
PATIENCE = 60  # seconds for a process to answer
# Who runs the tests in the background may have Ctrl-C ignored, and so would a process started from here.
HEARING = "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
HEARING += "runpy.run_module('lanterns_env', run_name='__main__', alter_sys=True)"


def legal_numbers(repl, count, seed=1):
    """So many answers to 'which move?', by number."""
    rng = random.Random(seed)
    return [lambda: str(rng.randint(1, len(repl.session.legal())))] * count


@pytest.mark.skipif(not COMPILED, reason="whole games")
def test_a_whole_game_is_played_said_and_saved(name, tmp_path):
    path = tmp_path / "game.jsonl"
    repl, keyboard = repl_of(dealt(name, ("me", OPPONENT, OPPONENT)), path=str(path))
    keyboard.lines = legal_numbers(repl, 1000)
    assert repl.run()
    (replay,) = read(path)
    assert replay.agents == ("me", OPPONENT, OPPONENT)
    assert replay.actions == tuple(repl.session.actions)
    said = [line for line in keyboard.written if line.startswith(("you: ", f"player 1 ({OPPONENT}): "))]
    assert len(said) == sum(mover != 2 for mover in repl.session.movers)
    for seat, points in enumerate(replay.points):
        assert f"player {seat} ({replay.agents[seat]})" in keyboard.text
        assert f"{points:g} points" in keyboard.text
    assert keyboard.written[-1] == f"saved: {path}"


def test_seats_without_a_person_play_by_themselves():
    repl, keyboard = repl_of(dealt("lighthouse", ("random", "random"), max_turns=6))
    assert repl.run()
    assert "the game was cut, and is ranked as it stands:" in keyboard.text
    assert "player 0 holds" in keyboard.text
    assert "player 1 holds" in keyboard.text


def test_a_move_is_said_by_number_or_in_words():
    repl, _ = played(dealt("lumen", ("me", "me", "me")), "", "bid 3", "", "3", "", "bid 0 +", "quit", "")
    assert [repl.session.env.game.describe(None, action) for action in repl.session.actions] == [
        "bid 3",
        "bid 2",
        "bid 0 with extra",
    ]


WRONG = {
    "": "say a move, by its number or in words",
    "23": "there is no move 23; the legal moves are 1 to 22",
    "0": "there is no move 0; the legal moves are 1 to 22",
    "play slot 3": "not now: LU-20: cards are played when everybody has bid; 3 of 3 have not",
    "bid 11": "LU-21: a bid is 0 to 10 tip stones, one for each trick; not 11",
    "bid 3 more": "'bid 3 with extra'",
    "bid": "22 moves say this; 'moves bid' lists them",
    "10 extra": "did you mean 22: bid 10 with extra?",
    "hlep": "not understood; did you mean 'help'?",
    "why": "say which move: why not MOVE",
    "why not play slot 3": "LU-20: cards are played",
    "why not bid 5": "nothing forbids it: it is legal",
    "why not 5": "nothing forbids it: it is legal",
    "why bid 12": "LU-21",
    "hint nobody": "there is no agent 'nobody'",
    "moves 77": "no legal move says '77'",
    "save": "say a file: save FILE",
    "undo": "there is nothing to take back",
}


@pytest.mark.parametrize("line", WRONG)
def test_wrong_input_is_answered_and_nothing_is_lost(line):
    first = dealt("lumen", ("me", "random", "random"), first_dark_plus=2)  # its left neighbour, seat 0, begins
    repl, keyboard = repl_of(first, line)
    before = repl.session.env.get_state()
    repl.run()
    assert WRONG[line] in keyboard.text.rpartition("not seen by")[2]
    assert repl.session.env.get_state() == before
    assert repl.session.actions == []


@pytest.mark.parametrize("agent", ["", OPPONENT, "random"])
def test_a_hint_is_a_legal_move_and_plays_nothing(name, agent):
    repl, keyboard = played(dealt(name, ("me", "me", "random")), "", f"hint {agent}".strip())
    if not COMPILED and not agent:
        return
    (line,) = (line for line in keyboard.written if " would take " in line)
    number, _, words = line.partition(" would take ")[2].partition(": ")
    assert repl.session.env.describe(repl.session.legal()[int(number) - 1]) == words
    assert all(mover not in repl.session.people for mover in repl.session.movers)


def test_an_agent_draws_other_random_numbers_at_every_move_seat_and_hint():
    drawn = []

    class Noted:
        def act(self, table, rng):
            drawn.append(float(rng.random()))
            return table.sample(rng)

    repl, _ = repl_of(dealt("lumen", ("me", "random", "random")))
    session = repl.session
    session.agents = dict.fromkeys(range(3), Noted())
    session.advisers = {("noted", seat): Noted() for seat in range(3)}
    for _ in range(6):
        session.hint("noted")
        session.play(session.choice())
    assert len(set(drawn)) == 12


def test_the_random_numbers_of_an_agent_do_not_lead_back_to_the_deal():
    seen = []

    class Curious:
        def act(self, table, rng):
            seen.append(rng.bit_generator.seed_seq.entropy)
            return table.sample(rng)

    session = repl_of(dealt("lumen", ("random", "random", "random"), seed=3))[0].session
    session.agents = dict.fromkeys(range(3), Curious())
    for _ in range(3):
        session.play(session.choice())
    assert [True] * 3 == [isinstance(entropy, int) and entropy.bit_length() > 200 for entropy in seen]


def test_an_agent_that_fails_is_named_and_the_game_stays():
    class Broken:
        def act(self, table, rng):
            raise KeyError("x")

    repl, keyboard = repl_of(dealt("lumen", ("me", "me", "me")), "", "hint broken", "1")
    repl.session.advisers = {("broken", seat): Broken() for seat in range(3)}
    repl.run()
    assert "agent 'broken' failed: KeyError: 'x'" in keyboard.written
    assert len(repl.session.actions) == 1


def test_undo_goes_back_to_the_last_decision_of_a_person(name):
    repl, keyboard = repl_of(dealt(name, ("me", "random", "random")))
    seen = []

    def look(answer):
        def do():
            seen.append((repl.session.env.get_state(), repl.session.game_number))
            return answer

        return do

    keyboard.lines = [look("1"), look("undo"), look("1"), look("quit"), ""]
    repl.run()
    first, second, back, again = seen
    assert back[0] == first[0]
    assert again[0] == second[0]  # the others answer as before
    assert (first[1], second[1], back[1], again[1]) == (0, 0, 1, 1)  # agents are said that it is another game


def test_undo_goes_back_further_and_further():
    repl, keyboard = repl_of(dealt("lumen", ("me", "random", "random")))
    keyboard.lines = [*legal_numbers(repl, 4), *["undo"] * 6, "quit", ""]
    repl.run()
    assert all(mover != 0 for mover in repl.session.movers)
    assert keyboard.text.count("taken back") == 4
    assert keyboard.text.count("nothing to take back") == 2


def test_a_saved_game_goes_on_as_if_it_had_not_been_left(name, tmp_path):
    whole, keyboard = repl_of(dealt(name, ("me", "random", "random")))
    keyboard.lines = [*["1"] * 8, "quit", ""]
    whole.run()
    path = tmp_path / "game.jsonl"
    played(whole.session._start, *["1"] * 3, f"save {path}", "quit")
    (saved,) = read(path)
    assert saved.points is None
    second, keyboard = repl_of(saved)
    keyboard.lines = [*["1"] * 5, "quit", ""]
    second.run()
    assert second.session.actions == whole.session.actions


def test_an_existing_file_is_not_written_over(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    _, keyboard = played(dealt("lumen", ("me", "random", "random")), f"save {path}", "quit")
    assert f"{path} exists and was left alone; say another name" in keyboard.written
    assert path.read_text() == "mine"


def test_leaving_offers_to_save_until_it_is_done(tmp_path):
    _, keyboard = played(dealt("lumen", ("me", "random", "random")), "1", "quit", "/no/such/folder/x", f"{tmp_path}/x")
    assert any("could not be written" in line for line in keyboard.written)
    assert len(read(tmp_path / "x")) == 1


@pytest.mark.parametrize("leave", [EOFError, KeyboardInterrupt])
def test_a_game_with_a_file_is_saved_however_it_is_left(tmp_path, leave):
    def stop():
        raise leave

    repl, _ = repl_of(dealt("lumen", ("me", "random", "random")), "1", stop, path=str(tmp_path / "game.jsonl"))
    try:
        repl.run()
    except KeyboardInterrupt:
        assert leave is KeyboardInterrupt
    assert read(tmp_path / "game.jsonl")[0].actions == tuple(repl.session.actions)


def test_two_files_are_both_kept(tmp_path):
    """--save a.jsonl, then save b.jsonl, then one more move."""
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    script = ("1", f"save {second}", "1", "quit")
    repl, keyboard = played(dealt("lumen", ("me", "random", "random")), *script, path=str(first))
    assert read(first) == read(second)
    assert read(first)[0].actions == tuple(repl.session.actions)
    assert keyboard.written[-2:] == [f"saved: {first}", f"saved: {second}"]


def test_the_first_hint_says_what_it_waits_for():
    script = ("hint random", "hint random", "quit")
    _, keyboard = played(dealt("lumen", ("me", "random", "random"), first_dark_plus=2), *script)
    said = [line for line in keyboard.written if "asking" in line or "would take" in line]
    assert said[0] == "asking random for the first time; it may have to be compiled ..."
    assert [True, True] == ["would take" in line for line in said[1:]]


def test_of_lumen_every_trick_and_every_score_is_said(tmp_path):
    """Also at the end of the game."""
    repl, keyboard = repl_of(dealt("lumen", ("me", "random", "random")), path=str(tmp_path / "game.jsonl"))
    keyboard.lines = legal_numbers(repl, 1000)
    assert repl.run()
    tricks = [line for line in keyboard.written if re.match(r"  trick \d+ goes to (you|player [12]):  ", line)]
    assert 40 == len(tricks)
    totals = [0, 0, 0]
    for number in range(1, 5):
        scores = [line for line in keyboard.written if line.startswith(f"  round {number}: ")]
        assert ["you", "player 1", "player 2"] == [line.partition(": ")[2].partition(" bid ")[0] for line in scores]
        for seat, line in enumerate(scores):
            bid, extra, won, points = re.search(r"bid (\d+)( with extra)?, won (\d+): ([+-]\d+)$", line).groups()
            assert round_points(number, int(bid), int(extra is not None), int(won)) == int(points)
            totals[seat] += int(points)
    assert repl.session.env.batch.scores()[0][0, :3].tolist() == totals


def test_several_people_are_said_what_happened_at_the_end(tmp_path):
    repl, keyboard = repl_of(dealt("lighthouse", ("me", "me"), max_turns=2), path=str(tmp_path / "game.jsonl"))
    keyboard.lines = ["", "1", "", *["1"] * 9]
    assert repl.run()
    table = max(number for number, text in enumerate(keyboard.written) if text.startswith("\nLighthouse"))
    assert keyboard.written[table - 1].startswith("you: ")
    assert keyboard.prompts[-1].startswith("player 1 >")


# -- hidden information ---------------------------------------------------------------------------------------


def test_with_several_people_nobody_sees_through_the_eyes_of_another():
    """Between two drawings stands the question for Enter, after the screen has been cleared."""
    happened = []
    repl, keyboard = repl_of(dealt("lighthouse", ("me", "me")), clear=lambda: happened.append("clear"))
    keyboard.write = repl.write = lambda text: happened.append(text)

    def read_line(prompt):
        happened.append(prompt)
        return "" if "press Enter" in prompt else session_answers.pop(0)

    session_answers, repl.read = [*["1"] * 12, "quit", ""], read_line
    repl.run()
    eyes = None
    for number, line in enumerate(happened):
        if "press Enter" in line:
            assert happened[number - 1] == "clear"
            eyes = int(line.split()[1].rstrip(","))
        if "Lighthouse Architects" in line:
            assert f"player {eyes} holds" in line
            assert f"player {1 - eyes} holds" not in line
    assert happened.count("clear") > 2


def test_a_person_is_said_what_happened_since_it_last_looked():
    script = ("", "bid 1", "", "bid 2", "", "bid 3", "", "quit", "")
    _, keyboard = played(dealt("lumen", ("me", "me", "me"), first_dark_plus=2), *script)
    said = [
        line for line in keyboard.written if line.startswith(("you: bid", "player 0 (", "player 1 (", "player 2 ("))
    ]
    assert said == [
        "player 0 (me): bid 1",
        "player 0 (me): bid 1",
        "player 1 (me): bid 2",
        "you: bid 1",
        "player 1 (me): bid 2",
        "player 2 (me): bid 3",
    ]


def test_the_drawing_is_of_the_own_eyes():
    repl, keyboard = played(dealt("lumen", ("random", "me", "random")), "quit")
    view = repl.session.env.view("player_1")
    assert "\n" + repl.session.game.draw([view]) + "\n" in keyboard.written


# -- the menu, completion, the terminal -----------------------------------------------------------------------


def test_many_moves_are_listed_in_groups():
    repl, _ = repl_of(dealt("lanterns", ("me", "random")))
    moves = repl._menu()
    assert len(moves) == 48
    listed = menu.listed(moves, 80)
    assert [line.split()[:5] for line in listed[:3]] == [
        ["16", "moves", "place", "tile", str(tile)] for tile in repl.session.env.view("player_0").hand_tile
    ]
    tile = repl.session.env.view("player_0").hand_tile[1]
    found = menu.filtered(moves, f"tile {tile}")
    assert len(found) == 16
    assert all(f"tile {tile} " in words for _, words in found)
    assert found == [move for move in moves if move in found]  # numbers stay what they are
    assert len(menu.filtered(moves, "(0, 1)")) == 12
    assert menu.one_by_one(found, 10**3)[0].startswith(f"{found[0][0]:4}  place tile {tile}")


def test_groups_do_not_tear_a_cell():
    moves = menu.numbered([f"place tile 5 at ({x}, {y}), red facing me" for x in range(9) for y in range(9)])
    assert menu.listed(moves[:9] * 3, 80)[0] == "   3 moves  place tile 5 at (0, 0)" + " ..."


def test_columns_are_read_downwards_and_fit():
    assert terminal.columns(["a", "b", "c", "d", "e"], 11) == ["a   c   e", "b   d"]
    assert terminal.columns(["a" * 30, "b"], 10) == ["a" * 30, "b"]
    assert terminal.columns([], 10) == []


def test_completion_goes_word_by_word():
    candidates = ["place tile 5 at", "place tile 51 at", "play slot 3", "undo"]
    assert terminal.completions("pla", candidates) == ["place ", "play "]
    assert terminal.completions("place tile ", candidates) == ["place tile 5 ", "place tile 51 "]
    assert terminal.completions("U", candidates) == ["undo"]
    assert terminal.completions("x", candidates) == []


def test_colour_is_for_terminals_that_want_it(monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert terminal.colored()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not terminal.colored()
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not terminal.colored()


# -- the command ----------------------------------------------------------------------------------------------


def play(monkeypatch, *words, lines=("quit",)):
    script = iter(lines)

    def read_line(prompt=""):
        for line in script:
            return line
        raise EOFError

    monkeypatch.setattr("builtins.input", read_line)
    return cli.main(["play", *words])


def test_save_and_resume_by_the_command(monkeypatch, tmp_path, capsys):
    path = str(tmp_path / "game.jsonl")
    seats = "me,random,random"
    assert play(monkeypatch, "lumen", "--seats", seats, "--seed", "5", "--save", path, lines=["1"]) == 0
    assert f"saved: {path}" in capsys.readouterr().out
    before = read(path)[0].actions
    assert play(monkeypatch, "--resume", path, lines=["1", "quit"]) == 0
    (replay,) = read(path)
    assert replay.actions[: len(before)] == before
    assert len(replay.actions) > len(before)
    assert (replay.seed, replay.agents) == (5, ("me", "random", "random"))


def test_what_does_not_fit_a_saved_game_is_refused(monkeypatch, tmp_path, capsys):
    path = str(tmp_path / "game.jsonl")
    play(monkeypatch, "lumen", "--seats", "me,random,random", "--seed", "5", "--save", path, lines=["1"])
    capsys.readouterr()
    for words, said in {
        ("--resume", path, "--seed", "6"): "the saved game has seed 5, not 6",
        ("--resume", path, "--players", "4"): "the saved game has players 3, not 4",
        ("lanterns", "--resume", path): "the saved game has game lumen, not lanterns",
        ("--resume", path, "--option", "recall=no"): "--option is for a new game; the saved game has its own options",
        ("--resume", path, "--seats", "me,random"): "--seats names 2 seats, the game has 3 players",
        ("lumen", "--save", path): f"{path} exists; choose another name, or go on with it: --resume {path}",
        ("lumen", "--save", "/no/such/x"): "/no/such/x cannot be written: there is no folder /no/such",
    }.items():
        assert play(monkeypatch, *words) == 2
        assert capsys.readouterr().err == f"lanterns play: error: {said}\n"


def test_seats_and_players_by_default(monkeypatch, capsys):
    if COMPILED:
        play(monkeypatch, "lumen", "--seed", "5", "--option", "first_dark_plus=3")
        assert "Lumen, seed 5, seats: me, greedy, greedy, greedy\n" in capsys.readouterr().out
    play(monkeypatch, "lighthouse", "--seats", "random, me", "--seed", "5")
    assert "Lighthouse Architects, seed 5, seats: random, me\n" in capsys.readouterr().out


@pytest.mark.skipif(not COMPILED, reason="one process is enough")
def test_at_a_real_terminal():
    """Colour, a move completed by the Tab key, and Ctrl-C."""
    here, there = pty.openpty()
    words = [sys.executable, "-c", HEARING, "play", "lighthouse", "--seats", "me,random", "--seed", "3"]
    environment = {**os.environ, "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(words, stdin=there, stdout=there, stderr=there, env=environment)
    os.close(there)
    try:
        seen = until(here, b"player 0 > ")
        assert b"\033[1;97;41m" in seen
        os.write(here, b"place b\t\n")
        seen = until(here, b"player 0 > ")
        assert b"you: place black" in seen
        process.send_signal(signal.SIGINT)
        os.write(here, b"\n")  # a signal that comes just before Python waits for a line is seen after the line
        seen = until(here, b"not saved")
        assert process.wait(PATIENCE) == 130
        assert b"Traceback" not in seen
    finally:
        process.kill()
        process.wait()
        os.close(here)


def until(terminal_end, wanted):
    """What the terminal shows until it shows this."""
    seen = b""
    while wanted not in seen:
        assert select.select([terminal_end], [], [], PATIENCE)[0], seen
        seen += os.read(terminal_end, 1 << 16)
    return seen
