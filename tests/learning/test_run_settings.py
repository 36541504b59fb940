"""Settings that make no sense are refused before the first game, each in a sentence that says what is allowed."""

import json
import math
import pathlib
import re

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

import run_settings  # noqa: E402
import train_ppo  # noqa: E402
import train_sb3  # noqa: E402
import tune  # noqa: E402
from run_settings import check_same, make_config, read_arguments  # noqa: E402

KINDS = {"ppo": train_ppo.Config, "sb3": train_sb3.Config}
NUMBERS = ("minutes", "learning_rate", "discount", "trace", "clip", "entropy", "value", "max_norm", "margin")


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def refusal(kind=train_ppo.Config, **values):
    """What is said of these settings."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011  (what it says is what each test asks)
        make_config(values, kind)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"minutes": -1.0}, "minutes must be from 0 to 525600, not -1.0"),
        ({"decisions": -5}, "decisions must be from 0 to 1e+15, not -5"),
        ({"learning_rate": 1e30}, "learning_rate must be from 0 to 1, not 1e+30"),
        ({"pool_size": 0}, "pool_size must be from 1 to 1000, not 0"),
        ({"pool_every": 0}, "pool_every must be from 1 to"),
        ({"hidden": -5}, "hidden must be from 1 to 4096, not -5"),
        ({"item": 0}, "item must be from 1 to 1024, not 0"),
        ({"evaluate_deals": 0}, "evaluate_deals must be from 1 to 1048576, not 0"),
        ({"num_games": 1 << 40}, "num_games must be from 1 to 1048576, not 1099511627776"),
        ({"seed": -1}, "seed must be from 0 to 4294967295, not -1"),
        ({"minibatch": 0}, "minibatch must be from 1 to"),
        ({"evaluate_against": [5]}, "setting evaluate_against must be a list, each a word, not (5,)"),
        ({"evaluate_against": [["random"]]}, "setting evaluate_against must be a list, each a word, not (['random'],)"),
        ({"players": ["a"]}, "setting players must be a list, each a whole number, not ('a',)"),
        ({"players": [True]}, "setting players must be a list, each a whole number, not (True,)"),
        ({"players": {"a": 1}}, "setting players must be a list, each a whole number, not ({'a': 1},)"),
        ({"players": [9]}, "Lanterns is for 2 to 4 players, not 9"),
        ({"players": []}, "players must be one number of players at least"),
        ({"options": {"nosuch": 1}}, "Lanterns has no option 'nosuch'"),
        ({"options": 5}, "setting options must be a table of names and values, not 5"),
        ({"anneal": 1}, "setting anneal must be true or false, not 1"),
        ({"threads": True}, "setting threads must be a whole number, not True"),
        ({"minutes": "long"}, "setting minutes must be a number, not 'long'"),
        ({"name": 5}, "setting name must be a word, not 5"),
        ({"learning_rate": 10**400}, "setting learning_rate must be a number, not 1000"),
        ({"game": "x\x1b[2J"}, "setting game must be a word, not 'x\\x1b[2J'"),
    ],
)
def test_values_that_make_no_sense(kind, values, message):
    assert refusal(kind, **values).startswith(message)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf], ids=str)
@pytest.mark.parametrize("setting", NUMBERS)
def test_what_is_no_number(setting, value):
    assert re.fullmatch(rf"{setting} must be from 0 to [\de+]+, not {value}", refusal(**{setting: value}))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"bots": [5]}, "setting bots must be a list, each a word, not (5,)"),
        ({"share_pool": -0.5, "share_self": 1.5}, "share_self must be from 0 to 1, not 1.5"),
        ({"share_self": math.nan}, "share_self must be from 0 to 1, not nan"),
        ({"warm_bot": "greedy"}, "warm_bot needs warm_minutes or warm_decisions"),
    ],
)
def test_values_of_self_play(values, message):
    assert message == refusal(**values)


def test_values_of_one_seat():
    assert "reward must be one of outcome, margin, not 'points'" == refusal(train_sb3.Config, reward="points")
    assert "minibatch and rollout must be 2 at least here, not 1 and 16384" == refusal(train_sb3.Config, minibatch=1)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (train_ppo, ["evaluate_against=nosuch"]),
        (train_ppo, ["share_self=0.5", "share_bots=0.5", "bots=nosuch"]),
        (train_ppo, ["warm_bot=nosuch", "warm_minutes=1"]),
        (train_sb3, ["opponents=nosuch"]),
        (train_sb3, ["evaluate_against=nosuch"]),
    ],
    ids=["evaluate_against", "bots", "warm_bot", "opponents", "evaluate_against of one seat"],
)
def test_agents_are_tried_out_first(script, words):
    """Nothing is written where one cannot play."""
    setting = words[-1].partition("=")[0] if "warm" not in words[0] else "warm_bot"
    with pytest.raises(ValueError, match=f"^{setting}: there is no agent 'nosuch'; there are: "):
        script.main([*words, "num_games=2", "rollout=2"])
    assert [] == list(pathlib.Path().iterdir())


class Odd:
    """An agent that does what it is told to."""

    def __init__(self, answer):
        self.answer = answer

    def act(self, table, rng):
        return self.answer() if callable(self.answer) else self.answer


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ([885], "bots: row 0: there is no action 885"),
        ([0.5], "bots: actions must be integers"),
        ([0, 1], "bots: step needs 1 actions"),
        (lambda: 1 / 0, "bots: agent 'odd' cannot be asked: ZeroDivisionError"),
        (lambda: [1] * 10**30, "bots: agent 'odd' cannot be asked: "),
    ],
)
def test_what_agents_answer_is_tried_out_too(monkeypatch, answer, message):
    monkeypatch.setattr(run_settings, "load", lambda name: Odd(answer))
    with pytest.raises(ValueError, match=f"^{message}"):
        run_settings.check_agents("bots", ["odd"], train_ppo.GAMES["lanterns"], [2, 3], {})


@pytest.mark.parametrize(
    "word", ["..", ".", "/tmp/x", "../x", "a/../../x", "a\\b", "\0", "runs/../..", "x\ny"], ids=repr
)
def test_a_name_stays_within_the_folder_of_runs(word):
    message = refusal(name=word)
    assert message.startswith(
        ("name must be that of a folder within the folder of runs", "setting name must be a word")
    )
    assert "a/b" == make_config({"name": "a/b"}, train_ppo.Config).name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\xff\xfe", "is no settings file: 'utf-8' codec"),
        (b"players = [", "is no settings file: "),
        (b"x = " + b"[" * 100_000, "is no settings file: it is nested too deeply"),
        (b"#" * (1 << 21), "is too large"),
        (b"threads = 0", "threads must be from 1 to 256, not 0"),
    ],
    ids=["letters", "bracket", "deep", "large", "value"],
)
def test_files_that_are_no_settings(text, message):
    pathlib.Path("mine.toml").write_bytes(text)
    with pytest.raises(ValueError, match=message):
        read_arguments(["mine.toml"], train_ppo.Config)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere.toml"], "there is no file nowhere.toml"),
        (["."], ". is a folder or a device"),
        (["--resume"], "--resume needs the folder of a run"),
        (["--resume", "minutes=3"], "--resume needs the folder of a run"),
        (["--resume", "runs/nowhere"], "there is no file runs/nowhere/config.toml"),
        (["--runs"], "--runs needs a folder"),
        (["x" * 1000 + "=5"], "there is no setting 'xxxxxxxxxxxx...xxxxxxxxxxxxx'"),
        (["players=" + "[" * 100_000], "setting players must be a list, each a whole number"),
    ],
)
def test_words_that_are_no_settings(words, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        read_arguments(words, train_ppo.Config)


def test_where_runs_are():
    config, resume, runs = read_arguments(["--runs", "build/runs", "name=mine"], train_ppo.Config)
    assert ("mine", False, pathlib.Path("build/runs")) == (config.name, resume, runs)
    folder = pathlib.Path("build/runs/other")
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('name = "as it was called"\nminutes = 3.0\n')
    config, resume, runs = read_arguments(["--resume", str(folder), "minutes=5"], train_ppo.Config)
    assert ("other", 5.0, True, folder.parent) == (config.name, config.minutes, resume, runs)
    with pytest.raises(ValueError, match="a run keeps its name when it is resumed: rename its folder instead"):
        read_arguments(["--resume", str(folder), "name=mine"], train_ppo.Config)


def test_settings_are_written_as_they_are_read():
    config = make_config({"name": "häß 😀", "options": {"empty_chair": 2}, "players": [3, 4]}, train_ppo.Config)
    pathlib.Path("mine.toml").write_text(run_settings.write_config(config), encoding="utf-8")
    assert config == read_arguments(["mine.toml"], train_ppo.Config)[0]


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        *[(train_ppo.Config, {"game": "lighthouse"}), (train_ppo.Config, {"players": [2, 4]})],
        *[(train_ppo.Config, {name: 7}) for name in ("seed", "num_games", "hidden", "item", "pool_size")],
        *[(train_ppo.Config, {"start": "x"}), (train_ppo.Config, {"bots": ["greedy"]})],
        (train_ppo.Config, {"warm_bot": "greedy", "warm_decisions": 1}),
        (train_sb3.Config, {"reward": "margin"}),
    ],
)
def test_what_cannot_change_when_a_run_is_resumed(kind, change):
    before = json.loads(json.dumps(vars(make_config({}, kind))))
    name = next(iter(change))
    with pytest.raises(ValueError, match=f"^{name} cannot change while a run goes on: it is .* in checkpoint, not "):
        check_same(make_config(change, kind), before, pathlib.Path("checkpoint"))


def test_what_can_change_when_a_run_is_resumed():
    before = json.loads(json.dumps(vars(make_config({}, train_ppo.Config))))
    change = {"minutes": 3.0, "decisions": 5, "learning_rate": 1e-4, "entropy": 0.0, "evaluate_every": 3, "threads": 2}
    check_same(make_config({**change, "rollout": 5, "evaluate_deals": 2}, train_ppo.Config), before, pathlib.Path())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--deals", "0"], "deals must be from 1 to 1048576, not 0"),
        (["--generations", "-1"], "generations must be from 1 to 1048576, not -1"),
        (["--population", "1"], "population must be from 2 to 1000, not 1"),
        (["--step", "nan"], "step must be from 1e-06 to 1, not nan"),
        (["--step", "inf"], "step must be from 1e-06 to 1, not inf"),
        (["--seed", "-1"], "seed must be from 0 to"),
        (["--check", "1"], "--check must be from 2 to 1048576, not 1"),
        (["--players", "0"], "Lanterns is for 2 to 4 players, not 0"),
        (["--against", "nosuch"], "--against: there is no agent 'nosuch'"),
        (["--out", "."], ". cannot be written: it is a folder; name a file to write"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_nonsense_is_no_search_for_weights(words, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        tune.main(["--game", "lanterns", *words])
