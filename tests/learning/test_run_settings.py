"""Settings that make no sense are refused before the first game, each in a sentence that says what is allowed."""

import json
import math
import pathlib
import re

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

import tune  # noqa: E402
from lanterns_agents.training import settings  # noqa: E402
from lanterns_agents.training.arguments import make_config, read_arguments, write_config  # noqa: E402
from lanterns_agents.training.config import Config  # noqa: E402
from lanterns_agents.training.settings import check_same  # noqa: E402

from lanterns_env import GAMES  # noqa: E402
from tests.learning.trainers import BC, PPO, SB3  # noqa: E402

KINDS = {"ppo": PPO.config, "sb3": SB3.config}
NUMBERS = ("max_minutes", "learning_rate", "gamma", "gae_lambda", "clip_coef", "ent_coef", "vf_coef")
NUMBERS = (*NUMBERS, "max_grad_norm", "margin_weight")


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def refusal(kind=Config, **values):
    """What is said of these settings."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011  (what it says is what each test asks)
        make_config(values, kind)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"max_minutes": -1.0}, "max_minutes must be from 0 to 525600, not -1.0"),
        ({"total_decisions": -5}, "total_decisions must be from 0 to 1e+15, not -5"),
        ({"learning_rate": 1e30}, "learning_rate must be from 0 to 1, not 1e+30"),
        ({"pool_size": 0}, "pool_size must be from 1 to 1000, not 0"),
        ({"snapshot_every": 0}, "snapshot_every must be from 1 to"),
        ({"hidden_size": -5}, "hidden_size must be from 1 to 4096, not -5"),
        ({"entity_size": 0}, "entity_size must be from 1 to 1024, not 0"),
        ({"eval_deals": 0}, "eval_deals must be from 1 to 1048576, not 0"),
        ({"num_games": 1 << 40}, "num_games must be from 1 to 1048576, not 1099511627776"),
        ({"seed": -1}, "seed must be from 0 to 4294967295, not -1"),
        ({"minibatch_size": 0}, "minibatch_size must be from 1 to"),
        ({"eval_opponents": [5]}, "setting eval_opponents must be a list, each a word, not (5,)"),
        ({"eval_opponents": [["random"]]}, "setting eval_opponents must be a list, each a word, not (['random'],)"),
        ({"num_players": ["a"]}, "setting num_players must be a list, each a whole number, not ('a',)"),
        ({"num_players": [True]}, "setting num_players must be a list, each a whole number, not (True,)"),
        ({"num_players": {"a": 1}}, "setting num_players must be a list, each a whole number, not ({'a': 1},)"),
        ({"num_players": [9]}, "Lanterns is for 2 to 4 players, not 9"),
        ({"num_players": []}, "num_players must be one number of players at least"),
        ({"game_options": {"nosuch": 1}}, "Lanterns has no option 'nosuch'"),
        ({"game_options": 5}, "setting game_options must be a table of names and values, not 5"),
        ({"anneal_lr": 1}, "setting anneal_lr must be true or false, not 1"),
        ({"num_threads": True}, "setting num_threads must be a whole number, not True"),
        ({"max_minutes": "long"}, "setting max_minutes must be a number, not 'long'"),
        ({"run_name": 5}, "setting run_name must be a word, not 5"),
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
        ({"bot_opponents": [5]}, "setting bot_opponents must be a list, each a word, not (5,)"),
        ({"pool_fraction": -0.5, "self_play_fraction": 1.5}, "self_play_fraction must be from 0 to 1, not 1.5"),
        ({"self_play_fraction": math.nan}, "self_play_fraction must be from 0 to 1, not nan"),
    ],
)
def test_values_of_self_play(values, message):
    assert message == refusal(**values)


def test_values_of_one_seat():
    assert "reward must be one of outcome, margin, not 'points'" == refusal(SB3.config, reward="points")
    assert "minibatch_size and batch_size must be 2 at least here, not 1 and 16384" == refusal(
        SB3.config, minibatch_size=1
    )


@pytest.mark.parametrize(
    ("trainer", "words"),
    [
        (PPO, ["eval_opponents=nosuch"]),
        (PPO, ["self_play_fraction=0.5", "bot_fraction=0.5", "bot_opponents=nosuch"]),
        (BC, ["bc_teacher=nosuch"]),
        (SB3, ["opponents=nosuch"]),
        (SB3, ["eval_opponents=nosuch"]),
    ],
    ids=["eval_opponents", "bots", "bc_teacher", "opponents", "eval_opponents of one seat"],
)
def test_agents_are_tried_out_first(trainer, words):
    """Nothing is written where one cannot play."""
    setting = words[-1].partition("=")[0]
    with pytest.raises(ValueError, match=f"^{setting}: there is no agent 'nosuch'; there are: "):
        trainer.main([*words, "num_games=2", "batch_size=2"])
    assert [] == list(pathlib.Path().iterdir())


class Odd:
    """An agent that answers what it is given."""

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
    monkeypatch.setattr(settings, "load", lambda name: Odd(answer))
    with pytest.raises(ValueError, match=f"^{message}"):
        settings.check_agents("bots", ["odd"], GAMES["lanterns"], [2, 3], {})


@pytest.mark.parametrize(
    "word", ["..", ".", "/tmp/x", "../x", "a/../../x", "a\\b", "\0", "runs/../..", "x\ny"], ids=repr
)
def test_a_name_stays_within_the_folder_of_runs(word):
    message = refusal(run_name=word)
    assert message.startswith(
        ("run_name must be that of a folder within the folder of runs", "setting run_name must be a word")
    )
    assert "a/b" == make_config({"run_name": "a/b"}, Config).run_name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\xff\xfe", "is no settings file: 'utf-8' codec"),
        (b"num_players = [", "is no settings file: "),
        (b"x = " + b"[" * 100_000, "is no settings file: it is nested too deeply"),
        (b"#" * (1 << 21), "is too large"),
        (b"num_threads = 0", "num_threads must be from 1 to 256, not 0"),
    ],
    ids=["letters", "bracket", "deep", "large", "value"],
)
def test_files_that_are_no_settings(text, message):
    pathlib.Path("mine.toml").write_bytes(text)
    with pytest.raises(ValueError, match=message):
        read_arguments(["mine.toml"], Config)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere.toml"], "there is no file nowhere.toml"),
        (["."], ". is a folder or a device"),
        (["--resume"], "--resume needs the folder of a run"),
        (["--resume", "max_minutes=3"], "--resume needs the folder of a run"),
        (["--resume", "runs/nowhere"], "there is no file runs/nowhere/config.toml"),
        (["--runs"], "--runs needs a folder"),
        (["x" * 1000 + "=5"], "there is no setting 'xxxxxxxxxxxx...xxxxxxxxxxxxx'"),
        (["num_players=" + "[" * 100_000], "setting num_players must be a list, each a whole number"),
    ],
)
def test_words_that_are_no_settings(words, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        read_arguments(words, Config)


def test_where_runs_are():
    config, resume, runs = read_arguments(["--runs", "build/runs", "run_name=mine"], Config)
    assert ("mine", False, pathlib.Path("build/runs")) == (config.run_name, resume, runs)
    folder = pathlib.Path("build/runs/other")
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('run_name = "as it was called"\nmax_minutes = 3.0\n')
    config, resume, runs = read_arguments(["--resume", str(folder), "max_minutes=5"], Config)
    assert ("other", 5.0, True, folder.parent) == (config.run_name, config.max_minutes, resume, runs)
    with pytest.raises(ValueError, match="a run keeps its name when it is resumed: rename its folder instead"):
        read_arguments(["--resume", str(folder), "run_name=mine"], Config)


def test_settings_are_written_as_they_are_read():
    config = make_config({"run_name": "häß 😀", "game_options": {"empty_chair": 2}, "num_players": [3, 4]}, Config)
    pathlib.Path("mine.toml").write_text(write_config(config), encoding="utf-8")
    assert config == read_arguments(["mine.toml"], Config)[0]


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        *[(Config, {"game": "lighthouse"}), (Config, {"num_players": [2, 4]})],
        *[(Config, {name: 7}) for name in ("seed", "num_games", "hidden_size", "entity_size", "pool_size")],
        *[(Config, {"init_from": "x"}), (Config, {"bot_opponents": ["greedy"]})],
        (BC.config, {"bc_teacher": "expert"}),
        (SB3.config, {"reward": "margin"}),
    ],
)
def test_what_cannot_change_when_a_run_is_resumed(kind, change):
    before = json.loads(json.dumps(vars(make_config({}, kind))))
    name = next(iter(change))
    with pytest.raises(ValueError, match=f"^{name} cannot change while a run goes on: it is .* in checkpoint, not "):
        check_same(make_config(change, kind), before, pathlib.Path("checkpoint"))


def test_what_can_change_when_a_run_is_resumed():
    before = json.loads(json.dumps(vars(make_config({}, Config))))
    change = {
        "max_minutes": 3.0,
        "total_decisions": 5,
        "learning_rate": 1e-4,
        "ent_coef": 0.0,
        "eval_every": 3,
        "num_threads": 2,
    }
    check_same(make_config({**change, "batch_size": 5, "eval_deals": 2}, Config), before, pathlib.Path())


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
