"""Games on disk: what is written is read again, is played again, and tells what is wrong with it."""

import dataclasses
import json

import numpy as np
import pytest

import lanterns_env
from lanterns_env import Batch
from lanterns_env.envs.aec import make
from lanterns_env.replay import Replay, read, read_header, record, save, write
from tests.conftest import COMPILED
from tests.play import decisions

MOVES = 10**6 if COMPILED else 25  # of a game in plain Python


def played(name, num_players, seed=4, limit=MOVES, **options):
    """A random game and its record."""
    env = make(name, False, num_players=num_players, **options)
    actions = [action for _, action in decisions(env, seed, limit)]
    return env, record(env, actions, [f"bot {seat}" for seat in range(num_players)])


def test_what_is_written_is_read(name, num_players, tmp_path):
    env, replay = played(name, num_players)
    write(tmp_path / "game.jsonl", [replay])
    assert read(tmp_path / "game.jsonl") == [replay]
    over = bool(env.batch.dones[0])
    assert over == COMPILED or name == "lighthouse"
    assert (replay.points is not None) == over
    if over:
        assert list(replay.shares) == env.batch.scores()[1][0].tolist()


def test_a_replay_steps_through_the_played_positions(name):
    env = make(name, False)
    states, actions = [], []
    for _, action in decisions(env, seed=4, limit=20):
        states.append(env.get_state())
        actions.append(action)
    replay = record(env, actions)
    states.append(env.get_state())
    assert [each.get_state() for each in replay.positions()] == states
    for moves in (0, 1, 13, 20):
        assert replay.env(moves).get_state() == states[moves]
    assert replay.env().get_state() == states[-1]


def test_there_is_no_position_outside_the_game():
    _, replay = played("lumen", 3, limit=5)
    for moves in (-1, 6):
        with pytest.raises(ValueError, match=f"the game has 5 moves; there is no position {moves}, only 0 to 5"):
            replay.env(moves)


def test_options_are_part_of_the_game(tmp_path):
    _, replay = played("lighthouse", 2, claims="forced", max_turns=30)
    write(tmp_path / "game.jsonl", [replay])
    (found,) = read(tmp_path / "game.jsonl")
    assert found.options["claims"] == "forced"
    assert found.env().options["max_turns"] == 30


def test_a_row_of_a_batch_is_recorded(name):
    batch = Batch(name, 3, seed=8, autoreset=False)
    rng, actions = np.random.default_rng(1), []
    for _ in range(10):
        actions.append(batch.sample(rng))
        batch.step(actions[-1])
    replay = record(batch, [row[2] for row in actions], row=2)
    replay.check()
    assert replay.seed == batch.seeds[2]
    assert replay.env().batch.observations.tobytes() == batch.observations[2].tobytes()


def test_a_file_is_a_readable_line_a_game(tmp_path):
    _, replay = played("lumen", 3, limit=4)
    write(tmp_path / "game.jsonl", [replay], match="a test")
    first, line = (tmp_path / "game.jsonl").read_text().splitlines()
    assert json.loads(first) == {
        "format": "lanterns_env replays",
        "format_version": 1,
        "lanterns_env": lanterns_env.__version__,
        "match": "a test",
    }
    assert json.loads(line) == {
        "game": "lumen",
        "version": 0,
        "players": 3,
        "seed": 4,
        "options": {name: option.default for name, option in lanterns_env.GAMES["lumen"].options.items()},
        "agents": ["bot 0", "bot 1", "bot 2"],
        "actions": list(replay.actions),
    }
    assert read_header(tmp_path / "game.jsonl")["match"] == "a test"


def test_games_are_added_to_a_file(tmp_path):
    path = tmp_path / "games.jsonl"
    one, two = (played("lumen", 3, seed, limit=4)[1] for seed in (1, 2))
    write(path, [one], append=True)
    write(path, [two], append=True)
    assert read(path) == [one, two]
    assert read(path)[1].place == "games.jsonl, line 3"
    write(path, [two])
    assert read(path) == [two]


def test_nothing_is_added_to_a_line_cut_short(tmp_path):
    path = tmp_path / "games.jsonl"
    write(path, [played("lumen", 3, limit=4)[1]])
    path.write_text(path.read_text()[:-9])
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"games.jsonl: the last line is cut short"):
        write(path, [], append=True)
    assert path.read_bytes() == before


def test_games_are_on_disk_as_they_come(tmp_path):
    replay = played("lumen", 3, limit=4)[1]

    def games():
        for _ in range(2):
            yield replay
        assert len(read(tmp_path / "games.jsonl")) == 2
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "games.jsonl", games())
    assert read(tmp_path / "games.jsonl") == [replay, replay]


def test_a_save_that_fails_leaves_the_older_one(tmp_path, monkeypatch):
    replay = played("lumen", 3, limit=4)[1]
    save(tmp_path / "game.jsonl", replay)
    monkeypatch.setattr("lanterns_env.replay.line_of", lambda replay: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        save(tmp_path / "game.jsonl", replay)
    assert read(tmp_path / "game.jsonl") == [replay]


# -- what is wrong --------------------------------------------------------------------------------------------


def damaged(tmp_path, change, line=1):
    """A file of three games, one line of which is changed; what reading it says."""
    path = tmp_path / "games.jsonl"
    replay = played("lumen", 3, limit=8)[1]
    write(path, [replay] * 3)
    lines = path.read_text().splitlines()
    content = json.loads(lines[line])
    changed = change(content)
    lines[line] = changed if isinstance(changed, str) else json.dumps(content)
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(ValueError) as caught:  # noqa: PT011 (the tests compare the whole message)
        read(path)
    return str(caught.value)


def test_the_first_bad_action_is_named(tmp_path):
    said = damaged(tmp_path, lambda content: content["actions"].__setitem__(5, 1), line=2)
    assert said.startswith("games.jsonl, line 3: lumen, move 6, player ")
    assert "action 1 (bid 1) is illegal: LU-22: all bids of this round are made and stand; yours is" in said


def test_what_is_no_action_is_named(tmp_path):
    said = damaged(tmp_path, lambda content: content["actions"].__setitem__(2, 99))
    assert said.startswith("games.jsonl, line 2: lumen, move 3, player ")
    assert said.endswith("there is no action 99; actions are 0 to 31")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"game": "chess"}, "games.jsonl, line 2: there is no game 'chess'; there are: lanterns, lighthouse, lumen"),
        (
            {"version": 7},
            "games.jsonl, line 2: the game was played by version 7 of the rules of Lumen; this package has version 0",
        ),
        ({"players": 9}, "games.jsonl, line 2: Lumen is for 3 to 5 players, not 9"),
        ({"agents": ["a"]}, "games.jsonl, line 2: 1 agents are named for 3 players"),
        ({"seed": -1}, "games.jsonl, line 2: a seed must be an integer of 0 to 2**64 - 1, not -1"),
        (
            {"options": {"reward": "points"}},
            "games.jsonl, line 2: Lumen has no option 'reward'; "
            "its options: first_dark_plus, bead_limit, recall, belief, colours, top_value, hand, rounds, beads",
        ),
        ({"actions": [0, "x"]}, "games.jsonl, line 2 is damaged: 'actions' holds 'x'"),
        ({"actions": [0, True]}, "games.jsonl, line 2 is damaged: 'actions' holds True"),
        ({"actions": None}, "games.jsonl, line 2 is damaged: 'actions' must be a list, not None"),
        ({"seed": "4"}, "games.jsonl, line 2 is damaged: 'seed' must be a whole number, not '4'"),
        ({"points": 3}, "games.jsonl, line 2 is damaged: 'points' must be a list, not 3"),
        (
            {"points": [1, 2, 3]},
            "games.jsonl, line 2: lumen: there are final points, but the game is not over after 8 moves",
        ),
    ],
)
def test_a_wrong_field_is_named(tmp_path, changes, said):
    assert damaged(tmp_path, lambda content: content.update(changes)) == said


def test_a_damaged_line_is_named(tmp_path):
    assert damaged(tmp_path, lambda content: "[1, 2]", line=3) == (
        "games.jsonl, line 4 is damaged: a game is an object, not [1, 2]"
    )
    assert damaged(tmp_path, lambda content: json.dumps(content)[:50], line=2).startswith(
        "games.jsonl, line 3 is damaged: "
    )
    assert damaged(tmp_path, lambda content: "\0\ufffd", line=2).startswith("games.jsonl, line 3 is damaged: ")


def test_another_file_or_format_is_refused(tmp_path):
    path = tmp_path / "games.jsonl"
    for text in ("", "hello\n", "[]\n", '{"format": "other"}\n'):
        path.write_text(text)
        with pytest.raises(ValueError, match=r"games.jsonl, line 1: this is not a file of replays of lanterns_env"):
            read(path)
    assert damaged(tmp_path, lambda content: content.update(format_version=2), line=0) == (
        "games.jsonl, line 1: the file has format version 2, this package reads version 1"
    )
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none.jsonl")


@pytest.mark.skipif(not COMPILED, reason="whole games")
def test_results_and_moves_after_the_end_are_checked(name):
    _, replay = played(name, max(lanterns_env.GAMES[name].players))
    replay.check()
    points = (replay.points[0] + 1, *replay.points[1:])
    with pytest.raises(ValueError, match=r"the replay: \w+: the recorded points are .*, the moves lead to"):
        dataclasses.replace(replay, points=points).check()
    with pytest.raises(ValueError, match=f"move {len(replay) + 1}: the game was over after {len(replay)} moves"):
        dataclasses.replace(replay, actions=(*replay.actions, 0)).check()


def test_a_replay_says_by_itself_which_version_it_is():
    assert Replay("lumen", 3, 1, ()).version == lanterns_env.GAMES["lumen"].version
    with pytest.raises(ValueError, match="there is no game 'chess'"):
        Replay("chess", 2, 1, ())
