"""Results on disk: what is damaged, does not fit or cannot be trusted is refused in words; what is kept is whole."""

import json
import os
import pathlib
from dataclasses import replace

import numpy as np
import pytest
from results_cache import code, command, kept_match

from lanterns_env import GAMES
from lanterns_env.agent import check_trusted, load
from lanterns_env.match import first_difference, play_ladder, play_match, read, reproduce
from lanterns_env.match.playing import FORMAT
from lanterns_env.match.statistics import save_json
from lanterns_env.support.files import check_checksum, check_target, sealed, write_whole
from tests.planted import plant

RESULTS = pathlib.Path(__file__).parents[2] / "docs" / "results"
SETTINGS = {"num_players": 2, "deals": 2, "seed": 5, "workers": 1, "max_turns": 4}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The JSON of a short match, as it is written."""
    file = tmp_path_factory.mktemp("played") / "match.json"
    play_match("lighthouse", ["random", "greedy"], until=0.5, **SETTINGS).save(file)
    return json.loads(file.read_text())


def refused(folder, data):
    """What reading says, whose checksum is as it should be."""
    file = folder / "match.json"
    file.write_text(json.dumps(sealed(data)))
    with pytest.raises(ValueError, match=r"match\.json") as caught:
        read(file)
    return str(caught.value)


# -- checksums ------------------------------------------------------------------------------------------------


def test_what_is_kept_in_docs_is_whole_and_its_figures_are_those_of_its_records():
    files = [file for kind in ("champion", "ladder", "match") for file in sorted(RESULTS.glob(f"{kind}-*.json"))]
    assert len(files) > 30
    for file in files:
        check_checksum(json.loads(file.read_text()), file.name)
        kept = rounded(file.read_text())
        if kept["kind"] == "match":
            found = rounded(json.dumps(read(file).to_json()))
            options = GAMES[kept["game"]].check_options(kept["players"], kept["options"])  # with those that came since
            kept = {**{name: kept[name] for name in found}, "options": options}
            assert {**found, "timing": None} == {**kept, "timing": None}


def rounded(text):
    """What a JSON says, but for the last digits: machines may add up in another order."""
    return json.loads(text, parse_float=lambda number: round(float(number), 9))


def test_a_result_changed_by_hand_is_refused(played, tmp_path):
    file = tmp_path / "match.json"
    file.write_text(json.dumps({**played, "seed": 6}))
    with pytest.raises(ValueError, match=r"match\.json is damaged or was changed by hand: its checksum does not fit"):
        read(file)
    file.write_text(json.dumps({name: value for name, value in played.items() if name != "checksum"}))
    with pytest.raises(ValueError, match=r"match\.json has no checksum"):
        read(file)


def test_a_ladder_carries_a_checksum_and_is_no_match(tmp_path):
    file = tmp_path / "ladder.json"
    play_ladder("lighthouse", ["random", "greedy"], **{**SETTINGS, "deals": 1}).save(file)
    check_checksum(json.loads(file.read_text()), "ladder.json")
    words = f"ladder.json is no saved match of format {FORMAT}: kind 'ladder', format {FORMAT}"
    with pytest.raises(ValueError, match=words):
        read(file)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 970 + "]" * 970])
def test_what_is_nested_too_deeply_is_refused(text, tmp_path):
    (tmp_path / "match.json").write_text(text)
    with pytest.raises(ValueError, match=r"match\.json (is damaged: it is nested too deeply|has no checksum)"):
        read(tmp_path / "match.json")


# -- what a file says -----------------------------------------------------------------------------------------

WRONG = {
    "game": (5, "'game' must be a text, not 5"),
    "players": (True, "'players' must be a whole number, not True"),
    "options": ({"seed": 3}, "Lighthouse Architects has no option 'seed'"),
    "agents": (["random", 7], "agents must be texts, not ['random', 7]"),
    "deals": (10**9, "it holds 2 deals and says that they are all of 1000000000"),
    "seed": (-1, "a seed must be"),
    "until": ([0.5], "'until' must be a win share, not [0.5]"),
    "complete": (1, "'complete' must be true or false, not 1"),
    "why_not_reproducible": (None, "'why_not_reproducible' must be a text, not None"),
    "layout": ("0" * 16, "another version or layout"),
    "seatings": ([[0, 1]], "'seatings' is [[0, 1]], by the records it is [[0, 1], [1, 0]]"),
    "deals_played": (3, "'deals_played' is 3, by the records it is 2"),
    "games": (None, "'games' is None, by the records it is 4"),
    "games_truncated": (9, "'games_truncated' is 9, by the records it is"),
    "reproducible": (False, "'reproducible' is False, by the records it is True"),
    "timing": ({"seconds": 0, "thinking_seconds": [0, 0], "workers": 1}, "timing must be in seconds"),
    "records": ([], "the part with the records is damaged"),
    "format": (FORMAT + 1, f"is no saved match of format {FORMAT}: kind 'match', format {FORMAT + 1}"),
}


@pytest.mark.parametrize("field", WRONG)
def test_a_field_that_does_not_fit_is_named(field, played, tmp_path):
    value, words = WRONG[field]
    assert words in refused(tmp_path, {**played, field: value})


SPOILT = {
    "too few seats": (lambda r: r["shares"][0][0].pop(), "shares must be 2 x 2 x 2 numbers from 0 to 1"),
    "too few deals": (lambda r: r["points"].pop(), "points must be 2 x 2 x 2 numbers"),
    "a share above 1": (lambda r: r["shares"][0].__setitem__(0, [2, -1]), "numbers from 0 to 1"),
    "shares that are no whole": (lambda r: r["shares"][1].__setitem__(1, [0.5, 0]), "do not add up to 1"),
    "no number": (lambda r: r["points"][0][0].__setitem__(0, float("nan")), "points must be"),
    "a huge number": (lambda r: r["points"][0][0].__setitem__(0, 10**400), "points must be"),
    "less than nothing": (lambda r: r["decisions"][1][0].__setitem__(1, -1), "decisions must be"),
    "half a decision": (lambda r: r["decisions"][1][0].__setitem__(1, 1.5), "decisions must be"),
    "true": (lambda r: r["decisions"][1][0].__setitem__(1, True), "decisions must be"),
    "a text": (lambda r: r.__setitem__("shares", "1010"), "'shares' must be a list, not '1010'"),
    "nothing": (lambda r: r.__setitem__("shares", []), "there is no record of a game"),
    "cut before the first": (lambda r: r.__setitem__("truncated", [[-1, 0]]), "truncated must be 1 x 2 numbers"),
    "cut after the last": (lambda r: r.__setitem__("truncated", [[0, 0], [1, 2]]), "truncated must be 2 x 2 numbers"),
    "cut without a place": (lambda r: r.__setitem__("truncated", [[1]]), "truncated must be 1 x 2 numbers"),
}


@pytest.mark.parametrize("kind", SPOILT)
def test_records_that_do_not_fit_are_refused(kind, played, tmp_path):
    spoil, words = SPOILT[kind]
    data = json.loads(json.dumps(played))
    spoil(data["records"])
    assert words in refused(tmp_path, data)


def test_a_game_that_was_not_played_cannot_have_been_cut(tmp_path):
    play_match("lighthouse", ["random"], **{**SETTINGS, "deals": 3}).save(tmp_path / "match.json")
    data = json.loads((tmp_path / "match.json").read_text())
    data["records"]["truncated"] = [[0, 2]]  # one agent alone: there is no third rotation
    assert "truncated names a game that was not played" in refused(tmp_path, data)


def test_figures_are_those_of_the_records(played, tmp_path):
    """Whatever else the file says of them."""
    spoilt = {**played, "results": [], "differences": "none", "stop": {"interval": [0, 0]}}
    save_json(spoilt, tmp_path / "match.json")
    found = json.loads(json.dumps(read(tmp_path / "match.json").to_json()))
    assert [played[name] for name in ("results", "differences", "stop")] == [
        found[name] for name in ("results", "differences", "stop")
    ]


def test_a_match_is_played_again_no_longer_than_it_was(played, tmp_path, monkeypatch):
    """A file that speaks of a billion deals, of which two had been played when it was stopped."""
    stopped = {"complete": False, "why_incomplete": "interrupted"}
    save_json({**played, "deals": 10**9, **stopped}, tmp_path / "match.json")
    asked = []
    monkeypatch.setattr("lanterns_env.match.result.run", lambda match, *_, **__: asked.append(match.deals) or saved)
    saved = read(tmp_path / "match.json")
    reproduce(saved)
    assert [2] == asked


def test_a_match_that_was_stopped_keeps_the_deals_it_might_have_had(monkeypatch):
    saved = read(RESULTS / "match-lanterns-2-search-2000-expert.json")
    assert (50, 200, True) == (len(saved.records), saved.match.deals, saved.stop.decided)
    monkeypatch.setattr("lanterns_env.match.result.run", lambda match, *_, **__: replace(saved, match=match))
    assert saved.match == reproduce(saved).match


# -- trust ----------------------------------------------------------------------------------------------------


def test_agents_of_others_play_a_file_again_only_when_they_are_trusted(played, tmp_path, monkeypatch):
    mark = plant(tmp_path, monkeypatch, "planted")
    for agent in ("planted", "search:5+planted", "planted_agents:Planted", "sb3:policy.zip", "<Watcher>"):
        save_json({**played, "agents": ["random", agent]}, tmp_path / "match.json")
        with pytest.raises(ValueError, match="which may run code that is not part of this package; if you trust"):
            reproduce(read(tmp_path / "match.json"), 1)
    assert not mark.exists()
    save_json({**played, "agents": ["planted", "greedy"]}, tmp_path / "match.json")
    saved = read(tmp_path / "match.json")
    assert "" == first_difference(saved, reproduce(saved, 1, trust=True))
    assert mark.exists()


def test_agents_of_this_package_need_no_trust():
    check_trusted(["random", "greedy", "expert:my.toml", "search:5+champion", "search:9:reuse+a+b.onnx", "my.onnx"])


def test_nobody_takes_the_name_of_an_agent_of_this_package(tmp_path, monkeypatch):
    mark = plant(tmp_path, monkeypatch, "random", "other")
    assert "Uniform" == type(load("random")).__name__
    check_trusted(["random"])
    assert not mark.exists()
    assert "Planted" == type(load("other")).__name__


# -- kept -----------------------------------------------------------------------------------------------------


def kept_again(file, agents=("random", "greedy"), **more):
    return kept_match(file, GAMES["lighthouse"], agents, 2, 1, 3, 1, options={"max_turns": 4}, **more)


def without_timing(data):
    return {name: value for name, value in json.loads(json.dumps(data)).items() if name not in ("timing", "checksum")}


def test_a_kept_match_is_not_played_again(tmp_path, capsys):
    file = tmp_path / "match.json"
    first = kept_again(file, network="abc")
    time = file.stat().st_mtime_ns
    capsys.readouterr()
    assert without_timing(first) == without_timing(kept_again(file, network="abc"))
    assert "abc" == first["network"]
    assert ("", time) == (capsys.readouterr().err, file.stat().st_mtime_ns)
    kept_again(file, network="def")
    assert time != file.stat().st_mtime_ns


def test_a_damaged_kept_match_is_played_again_and_that_is_said(tmp_path, capsys):
    file = tmp_path / "match.json"
    first = kept_again(file)
    good = json.loads(file.read_text())
    better = {**good, "results": [{**good["results"][0], "win_share": 0.99}, *good["results"][1:]]}
    unsound = {**good, "records": {**good["records"], "truncated": [[7, 7]]}}
    capsys.readouterr()
    damages = {
        json.dumps(good)[:-9]: "match.json is damaged",
        "": "match.json is damaged",
        "5": "match.json has no checksum",
        json.dumps(better): "its checksum does not fit",
        json.dumps(sealed(unsound)): "match.json is no sound match: truncated must be",
    }
    for text, words in damages.items():
        file.write_text(text)
        assert without_timing(first) == without_timing(kept_again(file))
        said = capsys.readouterr().err
        assert said.startswith("played again, for ")
        assert words in said
        assert without_timing(good) == without_timing(json.loads(file.read_text()))


def test_a_kept_match_says_what_its_records_say(tmp_path):
    file = tmp_path / "match.json"
    first = kept_again(file)
    save_json({**json.loads(file.read_text()), "results": []}, file)
    assert without_timing(first) == without_timing(kept_again(file))


def test_a_match_that_was_kept_before_an_option_came_is_not_played_again(tmp_path, monkeypatch):
    file = tmp_path / "match.json"
    first = kept_again(file)
    fewer = dict(list(first["options"].items())[:-1])
    save_json({**json.loads(file.read_text()), "options": fewer}, file)
    monkeypatch.setattr("results_cache.play_match", None)
    assert first["results"] == kept_again(file)["results"]


def test_a_kept_match_that_names_others_agents_loads_none_of_them(tmp_path, monkeypatch):
    mark, file = plant(tmp_path, monkeypatch, "planted"), tmp_path / "match.json"
    kept_again(file)
    save_json({**json.loads(file.read_text()), "agents": ["planted", "greedy"]}, file)
    assert ["random", "greedy"] == list(kept_again(file)["agents"])
    assert not mark.exists()


def test_where_a_match_is_to_be_kept_is_looked_at_first(tmp_path, monkeypatch):
    monkeypatch.setattr("results_cache.play_match", None)
    with pytest.raises(ValueError, match="there is no folder"):
        kept_again(tmp_path / "nowhere" / "match.json")


def test_no_name_leaves_its_cell_of_a_page_or_its_word_of_a_command(played):
    assert r"`a\x60b\x7cc\nd\x1b`" == code("a`b|c\nd\x1b")
    named = {**played, "agents": ["random", "x; rm -r /"]}
    assert "--agents 'random,x; rm -r /' --deals 2" in command(named)


# -- writing --------------------------------------------------------------------------------------------------


def test_a_file_is_replaced_as_a_whole(tmp_path, monkeypatch):
    file = tmp_path / "file"
    write_whole(file, "old")
    file.chmod(0o640)
    write_whole(file, b"new")
    assert ("new", 0o640) == (file.read_text(), file.stat().st_mode & 0o777)
    monkeypatch.setattr("os.fsync", lambda number: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_whole(file, "half")
    assert "new" == file.read_text()
    assert [file] == list(tmp_path.iterdir())


def test_a_link_stays_one(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert "new" == (tmp_path / "file").read_text()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_stays_one(tmp_path):
    """As /dev/stdout and /dev/null do."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    check_target(pipe)
    write_whole(pipe, "through")
    assert b"through" == os.read(reader, 100)
    os.close(reader)
    assert pipe.is_fifo()


def test_what_cannot_be_written_is_said_before(tmp_path):
    for target, words in {
        tmp_path: "is a folder; name a file to write",
        tmp_path / "no" / "file": f"there is no folder {tmp_path / 'no'}",
        "x" * 300: "(?i)name too long",
        "a\0b": "null (byte|character)",
    }.items():
        with pytest.raises(ValueError, match=words):
            check_target(target)
    check_target(None)
    check_target(tmp_path / ("x" * 255))
    assert [] == list(tmp_path.iterdir())


def test_records_with_the_largest_points_have_figures(played, tmp_path):
    """No warning, no overflow, whatever numbers a sound file holds."""
    data = json.loads(json.dumps(played))
    data["records"]["points"][0][0] = [float(np.finfo(np.float32).max), float(np.finfo(np.float32).min)]
    data["until"] = 1e-320
    save_json(data, tmp_path / "match.json")
    json.dumps(read(tmp_path / "match.json").to_json(), allow_nan=False)
