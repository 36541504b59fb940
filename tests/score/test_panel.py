"""The panel: what its name depends on, and strengths that follow from matches."""

import importlib.util
import math
import pathlib
import shutil

import numpy as np
import pytest
from lanterns_agents import champion

from lanterns_env.agent import AGENTS
from lanterns_env.engine import sources as reach
from lanterns_env.score import panel, play_score
from lanterns_env.score.members import name_of_panel, sources
from lanterns_env.score.panel import FILE, read_panel
from lanterns_env.score.protocol import MEMBERS, TABLES, Protocol
from lanterns_env.score.rating import expected_shares
from lanterns_env.score.result import ScoreResult, Subject, Tally
from lanterns_env.score.saved import read_score
from tests.conftest import COMPILED
from tests.score.small import panel_now, write

ROOT = pathlib.Path(__file__).parents[2]
AGENTS_FOLDER = pathlib.Path(champion.__file__).parent


def script():
    spec = importlib.util.spec_from_file_location("panel_script", ROOT / "scripts" / "panel.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def copy(tmp_path):
    """The members' files, to be changed."""
    folder = tmp_path / "lanterns_agents"
    shutil.copytree(AGENTS_FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__", "training", "configs"))
    return folder


# -- the name -------------------------------------------------------------------------------------------------


def test_a_copy_of_the_members_has_the_same_name(copy):
    assert name_of_panel(Protocol(), sources()) == name_of_panel(Protocol(), sources(copy))


@pytest.mark.parametrize(
    "file",
    ["expert.py", "lumen/expert.py", "lanterns/weights.toml", "lighthouse/champion.onnx", "networks/exported.py"],
)
def test_a_member_that_changes_makes_another_panel(file, copy):
    with open(copy / file, "ab") as stream:
        stream.write(b"\n")
    assert name_of_panel(Protocol(), sources()) != name_of_panel(Protocol(), sources(copy))


def test_what_decides_no_move_makes_no_other_panel(copy):
    (copy / "sb3_agent.py").write_text("# another\n")
    text = (copy / "expert.py").read_bytes()
    (copy / "expert.py").write_bytes(text.replace(b"\n", b"\r\n"))
    assert name_of_panel(Protocol(), sources()) == name_of_panel(Protocol(), sources(copy))


def test_other_deals_make_another_panel():
    files = sources()
    names = {name_of_panel(each, files) for each in (Protocol(), Protocol(seed=1), Protocol(members=MEMBERS[:4]))}
    assert 3 == len(names)
    assert name_of_panel(Protocol(), files) == name_of_panel(Protocol().sized("full"), files)


def test_all_that_members_import_is_hashed():
    """Of the agents and the tree search; the engine has versions of its own."""
    parts = ("greedy", "expert", "heuristics", "features", "weights")
    modules = [AGENTS[member.partition(":")[0]].module for member in MEMBERS]
    modules += [f"lanterns_agents.{game}.{part}" for game in Protocol().games for part in parts]
    files = reach._reached([name for name in modules if reach._file(name)])
    own = {name: file for name, file in files.items() if name.startswith(("lanterns_agents.", "lanterns_env.search."))}
    assert 40 < len(own)
    known = {name.removeprefix("lanterns_agents/") for name in sources()}
    assert set() == {
        name
        for name, file in own.items()
        if file.name != "__init__.py" and "/".join(name.split(".")[1:]) + ".py" not in known
    }


# -- members that are not those that were measured --------------------------------------------------------------


def test_a_changed_member_is_refused(small):
    files = {**small.files, "lanterns_agents/lumen/expert.py": "0" * 16}
    write(panel.FILE, panel_now(name="0123456789ab", files=files))
    panel.installed.cache_clear()
    with pytest.raises(ValueError, match=r"lanterns_agents/lumen/expert.py has changed since they were measured"):
        play_score("random", workers=1)


def test_members_that_were_confirmed_are_taken(small):
    write(panel.FILE, panel_now(name="0123456789ab", alike=(small.name,)))
    panel.installed.cache_clear()
    assert "0123456789ab" == play_score("random", game="lighthouse", workers=1).panel.name


# -- measured -------------------------------------------------------------------------------------------------


def test_strengths_follow_from_what_was_won(small):
    """Three of four games: but for the drawn ones three times as strong.  Who is alone makes no difference."""
    page = script()
    page.ANCHOR = "random"
    for where in (("lanterns", 2), ("lanterns", 3)):
        assert math.log(3) == pytest.approx(page.fit([made_up(where)], where)["greedy"], abs=0.01)


def made_up(where):
    """A score of greedy, three times as strong as random."""
    alone, among = expected_shares(math.log(3), 0.0, where[1])
    protocol = Protocol()
    tallies = {
        contest.key: Tally(np.full((1000, where[1]), alone if contest.side == "alone" else among), None, 0, 0.0, "")
        for contest in protocol.contests("greedy", where)
    }
    return ScoreResult(Subject("greedy"), None, protocol, "default", None, tallies, {}, "", 0.0, 1, {})


@pytest.mark.skipif(not COMPILED, reason="more games than plain Python plays in some seconds")
def test_the_panel_is_measured_and_confirmed(small, tmp_path, monkeypatch, capsys):
    """Of the small ones both are scored."""
    page = script()
    page.ANCHOR, page.SCORED = "greedy", Protocol().members
    target, scores, kept = tmp_path / "panel.json", tmp_path / "scores", tmp_path / "kept"
    scores.mkdir()
    assert 0 == page.measure(Protocol(), target, scores, kept, 1)
    made = read_panel(target)
    assert small.name == made.name
    assert all(each["random"] < each["greedy"] == 0 for each in made.strengths.values())
    assert ["greedy.json", "random.json"] == sorted(file.name for file in scores.iterdir())
    assert made.strengths == read_score(scores / "random.json", made).panel.strengths
    assert 0 == page.confirm(1, target, scores, 1)
    assert f"nothing has changed since panel {made.name}" in capsys.readouterr().out
    monkeypatch.setattr(page, "sources", lambda: {**sources(), "more.py": "0"})
    monkeypatch.setattr(panel, "sources", page.sources)
    assert 0 == page.confirm(1, target, scores, 1)
    confirmed = read_panel(target)
    assert (made.name, 1) == (confirmed.name, len(confirmed.alike))
    confirmed.check_members()


# -- the panel of the package -----------------------------------------------------------------------------------


def test_the_panel_that_comes_with_the_package_is_that_of_its_members():
    found = read_panel(FILE)
    found.check_members()
    assert set(TABLES) == set(found.strengths)
    assert all(set(MEMBERS) == set(each) and 0 == each["expert"] for each in found.strengths.values())
