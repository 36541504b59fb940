"""Matches: who sits where, the same numbers on any number of processes, and what happens when something goes wrong."""

import ast
import os
import pathlib
from typing import ClassVar

import numpy as np
import pytest

import lanterns_env
from lanterns_env import GAMES, Batch
from lanterns_env.agent import load
from lanterns_env.match import first_difference, play_match, read, reproduce
from lanterns_env.match.playing import CHUNKS, LARGEST, SMALLEST, make_match, usual_chunk
from lanterns_env.match.workers import in_order
from tests.conftest import COMPILED
from tests.test_house import imports

compiled = pytest.mark.skipif(not COMPILED, reason="hundreds of games")
DEALS = SMALLEST + 8 if COMPILED else 1  # the last chunk is a short one


def test_seatings():
    assert [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]] == seatings("A,B", 4)
    assert [[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0]] == seatings("A,B,C", 4)
    assert [[0, 1, 2], [2, 0, 1], [1, 2, 0]] == seatings("A,B,C", 3)
    assert [[0, 0, 0]] == seatings("A", 3)


def seatings(agents, num_players):
    return make_match("lanterns", agents.split(","), num_players).seatings.tolist()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"game": "chess"}, "there is no game 'chess'; there are: lanterns"),
        ({"agents": ["A", "B", "C"]}, "lanterns ladder"),
        ({"agents": []}, "between 1 to 2 agents, not 0"),
        ({"num_players": 5}, "Lanterns is for 2 to 4 players, not 5"),
        ({"deals": 0}, "deals must be a positive integer, not 0"),
        ({"seed": -1}, "a seed must be"),
        ({"until": 1.5}, "until must be 'fair' or a win share between 0 and 1, not 1.5"),
        ({"agents": ["A"], "until": 0.5}, "there is one agent"),
        ({"colour": 1}, "Lanterns has no option 'colour'"),
        ({"workers": 0}, "workers must be a positive integer, not 0"),
        ({"agents": ["nobody", "random"]}, "there is no agent 'nobody'"),
        ({"agents": [load("random"), "random"], "workers": 2}, "agents given as objects play in this process"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(settings, words):
    with pytest.raises(ValueError, match=words):
        play_match(**{"game": "lanterns", "agents": ["random", "random"], "num_players": 2, **settings})


def test_chunks_have_as_many_deals_as_were_played_before_up_to_their_size():
    match = make_match("lanterns", ["random"], 2, deals=100)
    assert [(0, 1), (1, 2), (2, 4), (4, 8), (8, 16), (16, 32), (32, 57), (57, 82), (82, 100)] == bounds(match)
    assert [(0, 1), (1, 2), (2, 4), (4, 7)] == bounds(make_match("lanterns", ["random"], 2, deals=7))
    for deals in range(1, 70):
        edges = bounds(make_match("lanterns", ["random"], 2, deals))
        assert [0, *(last for _, last in edges)] == [*(first for first, _ in edges), deals]
    assert LARGEST == max(last - first for first, last in bounds(make_match("lanterns", ["random"], 2, deals=9999)))
    assert [(0, 3), (3, 6), (6, 7)] == bounds(make_match("lanterns", ["random"], 2, deals=7, chunk=3))


def bounds(match):
    return [match.bounds(number) for number in match.chunks]


@pytest.mark.parametrize(
    ("agents", "size"),
    [
        (["random", "greedy"], 125),
        (["search:2000", "greedy"], 2),
        (["greedy", "search:100:reuse"], 40),
        (["search:5"], 125),
        (["search:50ms"], 4),
        (["search:9s"], 1),
        (["search:400+champion", "champion"], 125),  # its network takes all games together
        (["sb3:4/model.zip", "bot:Mine"], 125),
    ],
)
def test_who_thinks_long_and_alone_plays_few_deals_at_a_time(agents, size):
    assert size == usual_chunk(agents, 500) == make_match("lanterns", agents, 2).chunk


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ({"chunk": 0}, "chunk must be a positive integer, not 0"),
        ({"chunk": True}, "chunk must be a positive integer, not True"),
        ({"chunk": 4, "first_chunk": 5}, "first_chunk must be an integer from 1 to chunk, 4, not 5"),
        ({"chunk": 4, "first_chunk": 0}, "first_chunk must be an integer from 1 to chunk, 4, not 0"),
    ],
)
def test_sizes_of_chunks_are_checked(sizes, words):
    with pytest.raises(ValueError, match=words):
        make_match("lanterns", ["random"], 2, **sizes)


class Watcher:
    """Plays at random and notes what it is asked, in a list for every watcher."""

    def __init__(self, notes):
        self.asked = []
        notes.append(self.asked)

    def act(self, table, rng):
        self.asked += zip(table.game_ids.tolist(), table.seats.tolist(), strict=True)
        return table.sample(rng)


def test_every_deal_is_played_once_in_every_rotation(name, num_players):
    notes = []
    deals = DEALS if name != "lighthouse" else max(1, DEALS // 9)
    result = play_match(name, [lambda: Watcher(notes), "random"], num_players, deals=deals, seed=3)
    games = deals * num_players
    assert (deals, num_players, num_players) == result.records.shares.shape
    assert games == result.rows[0].games
    assert num_players * len(result.match.chunks) == len(notes)  # one for every rotation of every chunk ...
    assert all(len({seat for _, seat in asked}) == 1 for asked in notes)  # ... in one seat ...
    assert games == sum(len(set(asked)) for asked in notes) == len({game for asked in notes for game, _ in asked})
    assert np.allclose(1, result.records.shares.sum(-1))
    own = result.records.decisions[:, result.match.seatings == 0].sum()
    assert sum(map(len, notes)) == own
    assert [1, num_players - 1] == [row.seats for row in result.rows]
    assert not result.to_json()["reproducible"]
    assert sum(row.win_share * row.seats for row in result.rows) == pytest.approx(1)


def test_rotations_play_the_same_deal_from_seeds_of_their_own():
    """Agents without chance of their own: exchanging two equal ones changes nothing."""
    result = play_match("lanterns", ["greedy", "greedy"], 2, deals=2, workers=1)
    assert np.array_equal(result.records.points[:, 0], result.records.points[:, 1])
    assert not np.array_equal(result.records.points[0], result.records.points[1])


def test_deals_are_those_of_a_batch():
    """Deal k of a match is row k of a batch of the same seed."""

    class First:
        seen: ClassVar = []

        def act(self, table, rng):
            First.seen.append(sorted(view.tobytes() for view in table.views))
            return table.sample(rng)

    play_match("lanterns", [First], 2, deals=3, seed=5, chunk=3)
    assert sorted(view.tobytes() for view in Batch("lanterns", 3, 2, seed=5).views) == First.seen[0]


@compiled
def test_one_process_and_two_play_the_same(name, tmp_path):
    settings = {"num_players": min(GAMES[name].players), "deals": DEALS, "seed": 7}
    one = play_match(name, ["greedy", "random"], workers=1, **settings)
    two = play_match(name, ["greedy", "random"], workers=2, **settings)
    assert 2 == two.workers
    assert "" == first_difference(one, two)
    other = play_match(name, ["greedy", "random"], workers=1, **{**settings, "seed": 8})
    assert "seed: 7 before, 8 now" == first_difference(one, other)


def test_a_result_comes_back_from_its_file_and_is_played_again(name, tmp_path):
    result = play_match(name, ["random", "greedy"], deals=2 if COMPILED else 1, seed=2, workers=1)
    result.save(tmp_path / "match.json")
    back = read(tmp_path / "match.json")
    assert result.to_json() == {**back.to_json(), "timing": result.to_json()["timing"]}
    assert "" == first_difference(back, reproduce(back, workers=1))
    back.records.points[0, 0, 0] += 1
    assert "results[" in first_difference(result, read_anew(back))


def read_anew(result):
    """A result whose figures have not been asked for yet."""
    return type(result)(**{name: getattr(result, name) for name in type(result).__dataclass_fields__})


def test_files_that_are_no_matches_are_refused_in_words(tmp_path):
    file = tmp_path / "x.json"
    for text, words in (
        ("{", "x.json is damaged: "),
        ("{}", "x.json has no checksum"),
        ("[]", "x.json has no checksum"),
    ):
        file.write_text(text)
        with pytest.raises(ValueError, match=words):
            read(file)
    with pytest.raises(ValueError, match="cannot be read"):
        read(tmp_path / "nothing.json")


def test_who_thinks_by_the_clock_cannot_be_repeated():
    for agent, timed in (("search:50ms", True), ("search:1.5s", True), ("search:2000", False), ("runs/4s/x", False)):
        assert timed == bool(make_match("lanterns", [agent], 2).why_not_reproducible), agent


@compiled
def test_a_match_stops_once_its_question_is_decided():
    results = [
        play_match("lanterns", ["greedy", "random"], 2, deals=40 * SMALLEST, workers=p, until="fair") for p in (1, 2)
    ]
    assert results[0].stop.decided
    assert 40 * SMALLEST // CHUNKS > len(results[0].records) == results[0].stop.deals
    assert "" == first_difference(*results)
    assert results[0].complete
    assert results[0].verdict.startswith("decided: the win share of greedy is above 0.5")
    even = play_match("lanterns", ["random", "random"], 2, deals=2 * SMALLEST, workers=1, until=0.5)
    assert not even.stop.decided
    assert even.verdict.startswith("not decided")


class Broken:
    def __init__(self, answer):
        self.answer = answer

    def act(self, table, rng):
        return self.answer(table)


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (lambda table: np.zeros(3, int), ValueError, "agent '<Broken>' was asked for . actions and gave 3"),
        (lambda table: np.full(len(table), 9999), ValueError, "agent '<Broken>' may not do that: .*no action 9999"),
        (lambda table: np.full(len(table), 0), ValueError, "agent '<Broken>' may not do that: row 0: action 0"),
        (lambda table: [0.5, 0.5], ValueError, "agent '<Broken>': actions must be integers"),
        (lambda table: {}["x"], RuntimeError, "agent '<Broken>' failed: KeyError: 'x'"),
    ],
)
def test_an_agent_that_fails_is_named(answer, error, words):
    with pytest.raises(error, match=words):
        play_match("lanterns", ["random", Broken(answer)], 2, deals=2)


@compiled
def test_what_goes_wrong_in_another_process_is_said():
    with pytest.raises(ValueError, match="there is no agent 'nobody'"):
        play_match("lanterns", ["nobody"], 2, deals=DEALS, workers=2)
    with pytest.raises(RuntimeError, match="a process ended in the middle of its work"):
        list(in_order(leave, [1, 2, 3], workers=2))


def leave(status, count):
    os._exit(status)


def test_modules_import_those_before_them_alone():
    order = [
        "workers",
        "agent_files",
        "statistics",
        "stopping",
        "ratings",
        "rating_plot",
        "chairs",
        "isolation",
        "playing",
        "shelf",
        "progress",
        "recording",
        "report",
        "result",
        "saved",
        "ladder",
    ]
    folder = pathlib.Path(lanterns_env.__file__).parent / "match"
    assert {*order} == {file.stem for file in folder.glob("*.py")} - {"__init__", "nursery"}
    for position, name in enumerate(order):
        modules = imports(ast.parse((folder / f"{name}.py").read_text()))
        assert not set(modules) & {f"lanterns_env.match.{later}" for later in order[position:]}, name
