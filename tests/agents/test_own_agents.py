"""Agents of one's own, from the current folder: found, asked, and what is wrong with them said in a sentence."""

import importlib
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

from lanterns_env import Batch, cli
from lanterns_env.agent import Table, check_trusted, fresh, load, names_of
from lanterns_env.match import first_difference, play_match, read, reproduce
from lanterns_env.match.agent_files import files_in
from lanterns_env.seat import Seats
from lanterns_env.support.failures import AgentFailed
from tests.conftest import COMPILED

compiled = pytest.mark.skipif(not COMPILED, reason="processes of their own")
FIVE_LINES = """class Mine:
    \"\"\"Takes the first legal action.\"\"\"

    def act(self, table, rng):
        return table.action_masks.argmax(axis=1)
"""
BOTS = (
    FIVE_LINES
    + """

class Last(Mine):
    def __init__(self, argument):
        self.places = int(argument)

    def act(self, table, rng):
        return table.game.num_actions - 1 - table.action_masks[:, ::-1].argmax(axis=1)


class Raising:
    def act(self, table, rng):
        return self.looked_up(table)

    def looked_up(self, table):
        return {}["nothing here"]


class Refusing:
    def act(self, table, rng):
        raise ValueError("my own bug")


class Silent:
    def act(self, table, rng):
        pass


class Blind:
    def act(self, observation):
        return 0


class Nothing:
    pass


mine = Mine()
"""
)
RAISING = {  # where: by function, the line that calls on
    "act": BOTS.splitlines().index("        return self.looked_up(table)") + 1,
    "looked_up": BOTS.splitlines().index('        return {}["nothing here"]') + 1,
}
BROKEN = "import nothing_that_there_is\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with modules in it that are not imported yet."""
    for name, code in {"bots": BOTS, "broken": BROKEN, "ending": "raise SystemExit(3)\n", "typo": "def:\n"}.items():
        (tmp_path / f"{name}.py").write_text(code)
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each not in ("", str(tmp_path))])
    yield tmp_path
    sys.modules.pop("bots", None)


@pytest.fixture
def bots(folder, monkeypatch):
    monkeypatch.syspath_prepend(str(folder))
    return importlib.import_module("bots")


def lanterns(folder, *words):
    """The command as it is installed: the current folder is not on Python's path."""
    run = [sys.executable, "-P", "-m", "lanterns_env", *words]
    return subprocess.run(run, cwd=folder, capture_output=True, text=True)


@compiled
def test_five_lines_in_an_empty_folder_play_a_match(tmp_path):
    (tmp_path / "bot.py").write_text(FIVE_LINES)
    words = ("evaluate", "--agents", "bot:Mine,greedy", "--players", "2", "--deals", "4", "--workers", "2")
    done = lanterns(tmp_path, *words, "--json", "match.json")
    assert 0 == done.returncode
    assert "bot:Mine minus greedy: win share" in done.stdout
    data = json.loads((tmp_path / "match.json").read_text())
    assert (["bot:Mine", "greedy"], True) == (data["agents"], data["reproducible"])
    assert ["bot:Mine", "greedy"] == [row["agent"] for row in data["results"]]
    again = lanterns(tmp_path, "evaluate", "--reproduce", "match.json")
    assert "names the agent 'bot:Mine', which may run code that is not part of this package" in again.stderr
    again = lanterns(tmp_path, "evaluate", "--reproduce", "match.json", "--trust", "--workers", "1")
    assert "same results as in match.json" in again.stdout


@compiled
def test_processes_find_the_current_folder_too(folder):
    settings = {"agents": ["bots:Last:3", "random"], "num_players": 2, "deals": 20, "seed": 4}
    two = play_match("lanterns", workers=2, **settings)
    isolated = play_match("lanterns", workers=1, isolate=True, **settings)
    assert "bots" not in sys.modules
    one = play_match("lanterns", workers=1, **settings)
    assert "" == first_difference(one, two)
    assert "" == first_difference(one, isolated)
    with pytest.raises(ValueError, match="names the agent 'bots:Last:3'"):
        reproduce(one)


def test_what_stands_for_an_agent(folder):
    table = Table(Batch("lanterns", 2, 2), [0, 1], [0, 1])
    first = load("bots:Mine").act(table, np.random.default_rng(0)).tolist()
    for name in ("bots:mine", "bots.py:Mine"):
        assert first == load(name).act(table, np.random.default_rng(0)).tolist()
    assert 3 == load("bots:Last:3").places
    assert load("bots:mine") is not load("bots:mine")


WRONG = {
    "bots:Nothing": r"^Nothing has no act\(table, rng\)$",
    "bots:Blind": r"^Blind has act\(observation\), and it must be act\(table, rng\)$",
    "bots:Missing": "^bots has no 'Missing'; agents in it: Mine, Last, Raising, Refusing, Silent, Blind, mine$",
    "bots:Last": "^agent 'bots:Last' needs an argument: bots:Last:...$",
    "bots:Mine:3": "^agent 'bots:Mine' takes no argument$",
    "bots:mine:3": "^agent 'bots:mine' takes no argument$",
    "bots:Last:x": r"^agent 'bots:Last:x' cannot be loaded: ValueError: invalid .* \(bots.py, line \d+, in __init__\)$",
    "bots:Last:my.onnx": "^agent 'bots:Last:my.onnx' cannot be loaded: ValueError",
    "bots": "^bots.py is no agent: name a class in it, as bots:MyAgent$",
    "bots.py": "^bots.py is no agent: name a class in it, as bots:MyAgent$",
    "nowhere:Mine": "^there is no agent or module 'nowhere': not in .*, and not installed$",
    "broken:Mine": "^agent 'broken:Mine' cannot be loaded: ModuleNotFoundError: .* 'nothing_that_there_is'",
    "ending:Mine": "^agent 'ending:Mine' cannot be loaded: SystemExit: 3",
    "typo:Mine": r"^agent 'typo:Mine' cannot be loaded: SyntaxError: .*\(typo.py, line 1\)$",
    "weights.pt": "^weights.pt is a file of torch alone: the network of a run is its folder or its policy.safetensors",
    "sb3": "^a model of stable-baselines3 is the name of its file: sb3:model.zip$",
    "run": "^a run is the name of its folder",
    "tabular": "^a solved policy is the name of its file: tabular:policy.npz$",
    "sb3:no.zip": "^there is no file no.zip$",
    "no.zip": "^there is no file no.zip$",
    "no/policy.safetensors": "^there is no file no/policy.safetensors$",
    ".": "^. is no folder of a run: there is no policy.safetensors in it, which lanterns train writes$",
}


@pytest.mark.parametrize("given", WRONG)
def test_what_is_wrong_with_a_name_is_one_sentence(given, folder):
    with pytest.raises(ValueError, match=WRONG[given]):
        load(given)


def test_what_is_wrong_with_an_object_is_one_sentence(bots):
    for given in (bots.Nothing, bots.Nothing(), lambda: bots.Nothing()):
        with pytest.raises(ValueError, match=r"^<?Nothing>? .*has no act\(table, rng\)"):
            fresh(given)
    with pytest.raises(ValueError, match=r"^Blind has act\(observation\), and it must be act\(table, rng\)$"):
        play_match("lanterns", [bots.Blind(), "random"], 2, deals=1)


def test_opponents_that_are_none_are_refused(bots):
    with pytest.raises(
        ValueError, match=r"^an opponent has act\(table, rng\), or is a name, a model, or what makes one"
    ):
        Seats("lanterns", 2, opponents=bots.Nothing())
    with pytest.raises(ValueError, match=r"^Nothing has no act\(table, rng\)$"):
        Seats("lanterns", 2, opponents=bots.Nothing)
    with pytest.raises(ValueError, match="2 players need 1 opponents, not 2"):
        Seats("lanterns", 2, 2, opponents=[bots.Mine, bots.Mine])


def test_objects_that_are_called_alike_have_names_of_their_own(bots):
    assert ["<Mine>", "<Mine 2>", "random", "random"] == names_of([bots.Mine, bots.Mine(), "random", "random"])
    result = play_match("lighthouse", [bots.Mine, bots.Mine], 2, deals=1, max_turns=4)
    assert ["<Mine>", "<Mine 2>"] == [row.agent for row in result.rows]
    assert "an agent was given as an object" in result.why_not_reproducible


def test_a_file_that_names_code_is_not_trusted(folder):
    for name in ("bots:Mine", "bots:mine", "os:system:true", "sb3:model.zip", "model.zip", "search:5+bots:Mine"):
        with pytest.raises(ValueError, match="which may run code that is not part of this package"):
            check_trusted([name])
    check_trusted(["run:runs/mine", "runs/mine/policy.safetensors", "a:b.onnx"])
    assert "bots" not in sys.modules


def test_settings_of_training_that_name_code_are_trusted_only_by_word(folder):
    """A settings file, or the folder of a run, may come from anywhere."""
    from lanterns_agents.training.arguments import read_arguments
    from lanterns_agents.training.config import Config

    pathlib.Path("theirs.toml").write_text('eval_opponents = ["random", "bots:Mine"]\n')
    with pytest.raises(ValueError, match=r"names the agent 'bots:Mine', which may run code .* if you trust the file"):
        read_arguments(["theirs.toml"], Config)
    config, *_ = read_arguments(["theirs.toml", "--trust"], Config)
    assert ("random", "bots:Mine") == config.eval_opponents
    config, *_ = read_arguments(["theirs.toml", "eval_opponents=['bots:Mine']"], Config)  # the user's own word
    assert ("bots:Mine",) == config.eval_opponents


def test_a_result_knows_the_files_of_its_agents(folder):
    settings = {"num_players": 2, "deals": 1, "seed": 4, "workers": 1, "max_turns": 4}
    result = play_match("lighthouse", ["bots:Mine", "bots:Last:3"], **settings)
    assert ["bots.py"] == list(result.match.files)
    result.save("match.json")
    kept = read("match.json")
    assert result.match.files == kept.match.files
    assert "" == first_difference(kept, reproduce(kept, 1, trust=True))
    pathlib.Path("bots.py").write_text(BOTS + "\n")
    with pytest.raises(ValueError, match=r"cannot be played again: bots.py has changed since it was played"):
        reproduce(kept, 1, trust=True)
    assert {} == dict(play_match("lighthouse", ["random", "greedy"], **settings).match.files)


def test_the_files_that_a_name_speaks_of(folder):
    for name in ("net.onnx", "model.zip", "my.toml", "mine/policy.safetensors", "random.py"):
        pathlib.Path(name).parent.mkdir(exist_ok=True)
        pathlib.Path(name).touch()
    known = {
        "random": [],
        "net.onnx": ["net.onnx"],
        "search:400+net.onnx": ["net.onnx"],
        "sb3:model": ["model.zip"],
        "sb3:model.zip": ["model.zip"],
        "expert:my.toml": ["my.toml"],
        "mine": ["mine/policy.safetensors"],
        "bots:Last:my.toml": ["bots.py", "my.toml"],
    }
    assert known == {name: list(files_in(name)) for name in known}


# -- agents that fail ---------------------------------------------------------------------------------------------


@compiled
@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_agent_that_raises_shows_its_own_lines_once(workers, folder):
    words = ("evaluate", "--agents", "bots:Raising,random", "--players", "2", "--deals", "40", "--workers", workers)
    done = lanterns(folder, *words)
    assert 2 == done.returncode
    first, *lines = (line for line in done.stderr.splitlines() if "compiling" not in line)
    assert "lanterns evaluate: error: agent 'bots:Raising' failed: KeyError: 'nothing here'" == first
    expected = [f'  File "{folder}/bots.py", line {number}, in {name}' for name, number in RAISING.items()]
    assert expected == [line for line in lines if line.startswith("  File")]
    assert "Traceback" not in done.stderr


def test_an_error_of_its_own_says_where(folder):
    """A ValueError of somebody's agent is no sentence of this package."""
    with pytest.raises(AgentFailed, match=r"agent 'bots:Refusing' failed: ValueError: my own bug\n.*bots.py") as caught:
        play_match("lanterns", ["bots:Refusing", "random"], 2, deals=1, workers=1)
    assert caught.value.__cause__ is None


def test_an_agent_that_gives_none(folder):
    said = "agent 'bots:Silent': act gave None, not an action for every row"
    with pytest.raises(ValueError, match=said):
        play_match("lanterns", ["bots:Silent", "random"], 2, deals=1, workers=1)
    with pytest.raises(ValueError, match="act gave None"):
        Seats("lanterns", 4, 2, seat=1, opponents="bots:Silent").deal()


@compiled
def test_an_isolated_agent_that_raises_says_where(folder):
    result = play_match("lanterns", ["bots:Raising", "random"], 2, deals=1, workers=1, isolate=True)
    assert {f"failed: KeyError: 'nothing here' (bots.py, line {RAISING['looked_up']}, in looked_up)"} == {
        each.reason for each in result.forfeits
    }


# -- agents of other packages -------------------------------------------------------------------------------------


@pytest.fixture
def plugins(folder, monkeypatch):
    """Four agents of a package that is installed: one that plays, and three that cannot be loaded."""
    info = folder / "others-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n")
    members = {"aaa_broken": "broken:Mine", "bbb_ending": "ending:Mine", "ccc_missing": "bots:Nope", "own": "bots:Mine"}
    entries = "".join(f"{name} = {member}\n" for name, member in members.items())
    (info / "entry_points.txt").write_text(f"[lanterns_env.agents]\n{entries}")
    monkeypatch.syspath_prepend(str(folder))
    agent = sys.modules["lanterns_env.agent"]
    monkeypatch.setattr(agent, "_offered", agent._offered.__wrapped__)


def test_broken_plug_ins_are_listed_and_hide_nobody(plugins, capsys):
    assert 0 == cli.main(["agents"])
    listed, more = capsys.readouterr().out.split("\n\n")
    assert "my_module:MyAgent" in more
    said = dict(line.split(None, 1) for line in listed.splitlines())
    assert {"aaa_broken", "bbb_ending", "ccc_missing", "own", "random", "greedy", "sb3", "run", "onnx"} <= set(said)
    assert "cannot be loaded: ModuleNotFoundError: No module named 'nothing_that_there_is'" == said["aaa_broken"]
    assert "cannot be loaded: SystemExit: 3" == said["bbb_ending"]
    assert said["ccc_missing"].startswith("cannot be loaded: AttributeError: module 'bots' has no attribute 'Nope'")
    assert "Takes the first legal action." == said["own"]
    assert "Plays as a model of stable-baselines3 or sb3-contrib: sb3:model.zip" in said["sb3"]


def test_a_plug_in_that_cannot_be_loaded_is_one_sentence(plugins):
    with pytest.raises(ValueError, match=r"^agent 'ccc_missing' cannot be loaded: AttributeError: "):
        load("ccc_missing")
    assert "Mine" == type(load("own")).__name__


@compiled
def test_a_ladder_skips_what_is_broken(plugins):
    from lanterns_env.match import play_ladder

    agents = ["own", "random", "aaa_broken", "ccc_missing", "bbb_ending"]
    result = play_ladder("lighthouse", agents, 2, deals=1, workers=1, max_turns=4)
    assert {"own", "random"} == {row.agent for row in result.rows}
    assert {"aaa_broken", "bbb_ending", "ccc_missing"} == set(result.skipped)
    assert os.path.isfile("bots.py")
