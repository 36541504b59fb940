"""Settings files, and the words of the command line: TOML first, then key=value, then --key value."""

import pathlib
import re
import tomllib

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from lanterns_agents.training import arguments  # noqa: E402
from lanterns_agents.training.arguments import make_config, read_arguments, write_config  # noqa: E402
from lanterns_agents.training.config import Config  # noqa: E402
from lanterns_agents.training.folder import write_state  # noqa: E402
from lanterns_agents.training.settings import settings_of  # noqa: E402

from tests.learning.runs import opened, tiny_config  # noqa: E402
from tests.learning.trainers import BC, PPO, SB3, TRAINERS  # noqa: E402

ROOT = pathlib.Path(__file__).parents[2]
CONFIGS = sorted((ROOT / "configs").glob("*.toml"))


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def trainer_of(file):
    """By the end of its name."""
    return {"bc": BC, "sb3": SB3}.get(file.stem.rpartition("_")[2], PPO)


# -- files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", CONFIGS, ids=[file.stem for file in CONFIGS])
def test_settings_files_are_read_and_written(file):
    trainer = trainer_of(file)
    config, resume, _ = read_arguments([str(file)], trainer.config)
    assert (file.stem, False) == (config.run_name, resume)
    assert config == make_config(tomllib.loads(write_config(config)), trainer.config)
    assert any(config.limits)
    values = {**tomllib.loads(file.read_text()), "num_games": 4, "batch_size": 4, "init_from": ""}
    if trainer is SB3:
        del values["init_from"]
    trainer.run(make_config(values, trainer.config))


@pytest.mark.parametrize("file", CONFIGS, ids=[file.stem for file in CONFIGS])
def test_what_a_run_begins_with_is_made_by_a_file_that_is_there(file):
    """Of the same game and sizes."""
    config, *_ = read_arguments([str(file)], trainer_of(file).config)
    if getattr(config, "init_from", ""):
        before = ROOT / "configs" / f"{pathlib.Path(config.init_from).parent.name}.toml"
        first, *_ = read_arguments([str(before)], trainer_of(before).config)
        assert (config.game, config.sizes) == (first.game, first.sizes)


def test_there_are_settings_files():
    games = ("lanterns_2p", "lumen_3p", "lighthouse_2p")
    wanted = {f"{game}{purpose}" for game in games for purpose in ("", "_bc", "_quick")}
    assert wanted | {"lanterns_4p", "lanterns_4p_bc", "lanterns_2p_sb3"} <= {file.stem for file in CONFIGS}


def test_a_settings_file_has_a_name_here_and_in_the_package():
    assert (ROOT / "configs").samefile(arguments.packaged_configs())
    assert ("lumen", "lumen_3p") == named("lumen_3p")
    pathlib.Path("configs").mkdir()
    pathlib.Path("configs/lumen_3p.toml").write_text('game = "lighthouse"\n')
    assert ("lighthouse", "lumen_3p") == named("lumen_3p")
    with pytest.raises(
        ValueError, match=re.escape("there is no file lumen_3, and no lumen_3.toml in configs; did you mean")
    ):
        named("lumen_3")


def named(word):
    config, *_ = read_arguments([word], Config)
    return config.game, config.run_name


# -- words ----------------------------------------------------------------------------------------------------


def test_settings_on_the_command_line():
    words = ["game=lumen", "num-players=[3, 4]", "--learning_rate", "3e-4", "--update-epochs=3", "gamma=0.5"]
    words += ["bot_opponents=greedy", "game_options={belief=true}", "--no-anneal-lr", "--eval-opponents", "random", "x"]
    config, *_ = read_arguments(words, Config)
    assert ("lumen", (3, 4), 3e-4, 3, 0.5) == (
        config.game,
        config.num_players,
        config.learning_rate,
        config.update_epochs,
        config.gamma,
    )
    assert (("greedy",), {"belief": True}, False, ("random", "x")) == (
        config.bot_opponents,
        config.game_options,
        config.anneal_lr,
        config.eval_opponents,
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["learnin_rate=1"], "there is no setting 'learnin_rate'; did you mean 'learning_rate'?"),
        (["update_epochs=0.5"], "setting update_epochs must be a whole number, not 0.5"),
        (["game=chess"], "there is no game 'chess'; there are: lanterns"),
        (["bot_fraction=0.5"], "must add up to 1, not 1.5"),
        (["self_play_fraction=0", "bot_fraction=1"], "bot_fraction needs bot_opponents"),
        (["seed=1", "configs/lumen_3p.toml"], "configs/lumen_3p.toml: settings are key=value or --key value, after"),
    ],
)
def test_wrong_settings_are_refused(words, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read_arguments(words, Config)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--learnin-rate", "1"], ["Unrecognized options: --learnin-rate", "Perhaps you meant", "--learning-rate"]),
        (["--update-epochs"], ["Missing value for argument '--update-epochs'"]),
        (["--update-epochs", "0.5"], ["Error parsing --update-epochs", "'0.5'"]),
        (["--update-epochs", "0"], ["update_epochs must be from 1 to 1000, not 0"]),
        (["--game", "chess"], ["there is no game 'chess'; there are: lanterns"]),
    ],
)
def test_wrong_options_are_refused(words, parts, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    with pytest.raises(SystemExit) as ended:
        read_arguments(words, Config)
    assert 2 == ended.value.code
    said = capsys.readouterr().err
    assert [] == [part for part in parts if part not in said]


@pytest.mark.parametrize("trainer", TRAINERS.values(), ids=TRAINERS)
def test_help_shows_every_setting_with_its_default_and_a_line(trainer, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "250")
    with pytest.raises(SystemExit) as ended:
        read_arguments(["seed=77", "--help"], trainer.config, "lanterns train")
    assert 0 == ended.value.code
    text = " ".join(capsys.readouterr().out.split())
    assert text.startswith("usage: lanterns train")
    for setting in settings_of(trainer.config):
        assert f"--{setting.name.replace('_', '-')}" in text
        assert setting.help
        assert f"{setting.help} (default" in text
    assert "(default: 77)" in text


def test_what_is_given_last_counts():
    pathlib.Path("mine.toml").write_text("seed = 1\ngamma = 0.5\nnum_games = 3\n")
    config, *_ = read_arguments(["mine.toml", "gamma=0.25", "--num-games", "4"], Config)
    assert (1, 0.25, 4, "mine") == (config.seed, config.gamma, config.num_games, config.run_name)


def test_a_run_is_not_overwritten():
    config = tiny_config(run_name="mine")
    run, path = opened(config)
    write_state(run.saved(), path)
    with pytest.raises(ValueError, match="is there already: --resume"):
        opened(config)
