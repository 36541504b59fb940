"""A small score from its beginning to its file: who meets whom, stops and goes on, files that are sound or not."""

import json
import pathlib
import tempfile
from dataclasses import replace
from functools import cache

import pytest

from lanterns_env.score import Subject, play_score
from lanterns_env.score.again import check_sample, first_difference, reproduce
from lanterns_env.score.protocol import DEALS, MEMBERS, SLOW, SLOW_DEALS, TABLES, Protocol
from lanterns_env.score.saved import read_score
from lanterns_env.support.files import sealed
from tests.conftest import COMPILED
from tests.conftest import TABLES as ALL_TABLES
from tests.matches.test_interrupts import stop_after

compiled = pytest.mark.skipif(not COMPILED, reason="more games than plain Python plays in some seconds")
LAZY = """class Lazy:
    '''Takes the first legal action, and plays Lanterns alone.'''

    def act(self, table, rng):
        if table.game.name != "lanterns":
            raise ValueError("it plays Lanterns alone")
        return table.action_masks.argmax(axis=1)
"""


@pytest.fixture
def lazy(tmp_path, monkeypatch):
    (tmp_path / "lazy_player.py").write_text(LAZY)
    monkeypatch.chdir(tmp_path)
    return "lazy_player:Lazy"


# -- the protocol ---------------------------------------------------------------------------------------------


def test_everything_that_there_is_belongs_to_a_score():
    assert sorted(ALL_TABLES) == sorted(TABLES)
    assert set(TABLES) == set(SLOW_DEALS)
    assert {players for _, players in TABLES} == set(DEALS)
    assert SLOW in MEMBERS


def test_who_meets_whom():
    contests = Protocol().contests("mine", ("lumen", 4))
    assert [(member, side) for member in MEMBERS for side in ("alone", "among")] == [
        (each.member, each.side) for each in contests
    ]
    alone, among = contests[0].match, contests[1].match
    assert (("mine", "random"), ("random", "mine")) == (alone.agents, among.agents)
    assert ([0, 1, 1, 1], [0, 1, 1, 1]) == (alone.seatings[0].tolist(), among.seatings[0].tolist())
    assert (0, 1) == (contests[0].number, contests[1].number)
    assert alone.seed == among.seed  # both sides play the same deals
    assert len({each.match.stream for where in TABLES for each in Protocol().contests("mine", where)}) == 2 * 5 + 7 * 10
    assert 8 * alone.deals == Protocol().sized("full").contests("mine", ("lumen", 4))[0].match.deals


def test_two_players_have_one_side_and_an_agent_does_not_meet_itself():
    found = [(each.member, each.side) for each in Protocol().contests("expert", ("lanterns", 2))]
    assert [(member, "alone") for member in MEMBERS if member != "expert"] == found


# -- played ---------------------------------------------------------------------------------------------------


def test_a_score_is_kept_read_and_played_again(small, lazy, tmp_path):
    about = Subject("", method="first action", decisions=0, training_seed=4)
    result = play_score(lazy, workers=1, about=about)
    assert {"lanterns"} == set(result.games)
    assert result.overall is None
    assert {("lighthouse", 2): "it plays Lanterns alone"} == result.missing
    assert ["lanterns-2 random alone", "lanterns-2 greedy alone"] == list(result.tallies)[:2]
    assert (2, 2) == result.tallies["lanterns-2 random alone"].shares.shape
    assert (1, 3) == result.tallies["lanterns-3 greedy among"].shares.shape
    result.save(tmp_path / "score.json")
    kept = read_score(tmp_path / "score.json")
    assert str(result) == str(kept)
    assert json.dumps(result.to_json()) == json.dumps(kept.to_json())
    assert (lazy, "first action", 0, 4) == (
        kept.subject.agent,
        kept.subject.method,
        kept.subject.decisions,
        kept.subject.training_seed,
    )
    assert ["lazy_player.py"] == list(kept.subject.files)
    assert "" == first_difference(kept, reproduce(kept, workers=1, trust=True))
    assert (0, "") < check_sample(kept, seed=1, workers=1, trust=True)
    assert "" == check_sample(kept, lazy, seed=2, workers=1)[1]
    with pytest.raises(ValueError, match="may run code that is not part of this package"):
        reproduce(kept, workers=1)


@compiled
def test_the_words_of_a_score(small, lazy):
    words = str(play_score(lazy, workers=1))
    assert f"{lazy}, panel {small.name}, version 0 (preview)\n" in words
    assert "lighthouse 2 is missing: it plays Lanterns alone" in words
    assert "No rating over all games: lighthouse is not complete." in words
    assert "\noverall" not in words


def test_one_game_alone(small):
    result = play_score("random", game="lighthouse", workers=1)
    assert [("lighthouse", 2)] == list(result.tables)
    assert result.games["lighthouse"].value == result.tables["lighthouse", 2].value
    assert "No rating over all games: lanterns is not complete." in str(result)
    with pytest.raises(ValueError, match="there is no score for the game 'chess'"):
        play_score("random", game="chess")


@compiled
def test_a_member_does_not_meet_itself(small):
    result = play_score("greedy", workers=1)
    assert {"random"} == {key.split()[1] for key in result.tallies}
    assert result.overall is not None


@compiled
@pytest.mark.slow
def test_the_number_of_processes_makes_no_difference(small):
    assert "" == first_difference(play_score("greedy", workers=1), play_score("greedy", workers=2))


@compiled
def test_a_score_goes_on_where_it_was_stopped(small, tmp_path):
    whole = play_score("greedy", workers=1)
    stopped = play_score("greedy", workers=1, progress=stop_after(3), directory=tmp_path / "folder")
    assert ("interrupted", ["lanterns-2 random alone", "lanterns-3 random alone"]) == (
        stopped.why_incomplete,
        list(stopped.tallies),
    )
    assert [("lanterns", 2)] == list(stopped.tables)
    assert "2 of 4 matches were played to the end: interrupted" in str(stopped)
    seen = []
    again = play_score("greedy", workers=1, progress=seen.append, directory=tmp_path / "folder")
    assert again.complete
    assert (7, 14) == (seen[0].games, seen[-1].games)  # two deals of two, one of three
    assert "" == first_difference(whole, again)
    with pytest.raises(ValueError, match="has another match"):
        play_score("random", workers=1, directory=tmp_path / "folder")


# -- files ----------------------------------------------------------------------------------------------------


@cache
def kept():
    """The text of a file: played once."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "score.json"
        play_score("greedy", game="lanterns", workers=1).save(file)
        return file.read_text()


@pytest.fixture
def file(small, tmp_path):
    (tmp_path / "score.json").write_text(kept())
    return tmp_path / "score.json"


def changed(file, change):
    data = json.loads(file.read_text())
    del data["checksum"]
    change(data)
    file.write_text(json.dumps(sealed(data)))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data["ratings"]["lanterns"].update(rating=2000.0), "ratings.lanterns.rating is"),
        (lambda data: data["tables"]["lanterns-2"].update(bounded="yes"), "tables.lanterns-2.bounded is"),
        (lambda data: data.update(panel="0123456789ab"), "it was measured by panel 0123456789ab, and this package has"),
        (lambda data: data["records"].popitem(), "it has 2 of 3 matches and says that it is complete"),
        (lambda data: data["records"].update(more={}), "no score has the matches more"),
        (
            lambda data: data["records"]["lanterns-2 random alone"]["shares"].pop(),
            "lanterns-2 random alone must have 2 x 2 numbers",
        ),
        (lambda data: data["games"].update(lanterns=[9, ""]), "a game has another version or layout now"),
        (lambda data: data.update(size="huge"), "size must be default or full"),
        (lambda data: data.update(decisions=-1), "'decisions' must be a whole number"),
        (lambda data: data["missing"].update(chess="hard"), "what is missing must be tables"),
        (lambda data: data["timing"].update(seconds="long"), "'long' is no number from 0"),
    ],
)
def test_files_that_are_not_sound_are_refused(change, said, file):
    changed(file, change)
    with pytest.raises(ValueError, match=f"is no sound score: {said}"):
        read_score(file)


def test_files_that_are_no_scores_are_refused(file):
    changed(file, lambda data: data.update(kind="match"))
    with pytest.raises(ValueError, match="is no saved score of format 1: kind 'match'"):
        read_score(file)
    file.write_text(file.read_text().replace("match", "score"))
    with pytest.raises(ValueError, match="was changed by hand"):
        read_score(file)


@compiled
def test_games_that_were_made_up_are_found(file):
    """Points are in no figure: only playing again shows that they are wrong."""

    def invent(data):
        for each in data["records"].values():
            each["points"] = [[points + 1 for points in deal] for deal in each["points"]]

    changed(file, invent)
    saved = read_score(file)
    assert " ended otherwise" in check_sample(saved, seed=0, workers=1)[1]
    assert "lanterns-2 random alone: deal 0 ended otherwise" == first_difference(saved, reproduce(saved, workers=1))


@compiled
def test_only_the_agent_that_was_measured_is_checked(small, lazy, tmp_path):
    play_score(lazy, game="lanterns", workers=1).save(tmp_path / "score.json")
    saved = read_score(tmp_path / "score.json")
    with pytest.raises(ValueError, match="the files of greedy are not those that were measured"):
        check_sample(saved, "greedy", workers=1)
    (tmp_path / "lazy_player.py").write_text(LAZY + "\n")
    with pytest.raises(ValueError, match=r"lazy_player.py has changed since it was played"):
        check_sample(saved, workers=1, trust=True)


@compiled
def test_an_agent_that_thinks_by_the_clock_cannot_be_played_again(small):
    result = play_score("greedy", game="lanterns", workers=1)
    timed = replace(result, subject=Subject("search:50ms"))
    with pytest.raises(ValueError, match="search:50ms thinks by the clock"):
        reproduce(timed)


def test_an_agent_that_plays_nothing_is_refused(small, lazy):
    with pytest.raises(ValueError, match="plays none of these games: it plays Lanterns alone"):
        play_score(lazy, game="lighthouse")
    with pytest.raises(ValueError, match="there is no agent 'nobody'"):
        play_score("nobody")
