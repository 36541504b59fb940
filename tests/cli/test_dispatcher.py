"""The command lanterns: its sub-commands, their help, errors of the user."""

import os
import subprocess
import sys
import types

import pytest

import lanterns_env
from lanterns_env import cli
from tests.conftest import COMPILED


def run(*words):
    return subprocess.run([sys.executable, "-m", "lanterns_env", *words], capture_output=True, text=True)


@pytest.fixture
def command(monkeypatch):
    """A sub-command that does what a test wants."""

    def install(do):
        module = types.ModuleType("lanterns_env.cli.agents")
        module.HELP = "does something"
        module.add_arguments = lambda parser: parser.add_argument("--number", type=int)
        module.run = do
        monkeypatch.setitem(sys.modules, "lanterns_env.cli.agents", module)

    return install


def test_help_lists_every_command_with_its_line(capsys):
    assert cli.main(["--help"]) == 0
    text = capsys.readouterr().out
    for name in cli.present():
        assert f"{name:{max(map(len, cli.COMMANDS))}}  {cli.help_of(name)}" in text


def test_help_and_version_load_no_compiler():
    for words in (["--help"], ["--version"], ["play", "--help"], ["replay", "--help"], ["benchmark", "--help"]):
        code = f"import sys; from lanterns_env.cli import main; main({words}); sys.exit('numba' in sys.modules)"
        assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0, words


@pytest.mark.parametrize("sub", [name for name in cli.present() if name not in ("evaluate", "ladder")])
def test_a_command_has_a_help_text(sub, capsys):
    assert cli.main([sub, "--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"usage: lanterns {sub}")
    assert " ".join(cli.help_of(sub).split()) in " ".join(text.split())


def test_version(capsys):
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"lanterns_env {lanterns_env.__version__}\n"


def test_no_command_shows_the_help(capsys):
    assert cli.main([]) == 2
    assert "commands:" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["plya"], "lanterns: error: there is no command 'plya'; did you mean 'play'?\ntry: lanterns --help\n"),
        (
            ["--versoin"],
            "lanterns: error: unknown argument --versoin; did you mean '--version'?\ntry: lanterns --help\n",
        ),
        (
            ["play", "--playrs", "3"],
            "lanterns play: error: unknown argument --playrs; did you mean '--players'?\ntry: lanterns play --help\n",
        ),
        (
            ["warmup", "lumn"],
            "lanterns warmup: error: argument GAME: there is no game 'lumn'; did you mean 'lumen'? "
            "(there are: lanterns, lighthouse, lumen)\ntry: lanterns warmup --help\n",
        ),
        (["agents", "x", "y"], "lanterns agents: error: unknown arguments x y\ntry: lanterns agents --help\n"),
        (["play"], "lanterns play: error: say which game: lanterns, lighthouse, lumen\n"),
        (["replay", "no-such-file"], "lanterns replay: error: No such file or directory: no-such-file\n"),
        (["benchmark", "--games", "0"], "lanterns benchmark: error: --games and --seconds must be positive\n"),
        (
            ["play", "lumen", "--option", "recal=no"],
            "lanterns play: error: Lumen has no option 'recal'; did you mean 'recall'? "
            "(its options: first_dark_plus, bead_limit, recall, belief, colours, top_value, hand, rounds, beads)\n",
        ),
        (["play", "lumen", "--option", "recall"], None),
        (["play", "lumen", "--seats", "me,me"], "lanterns play: error: Lumen is for 3 to 5 players, not 2\n"),
        (["play", "lumen", "--seats", "me,me,x"], None),
        (["play", "lumen", "--seats", "me,me,me", "--players", "4"], None),
        (["play", "lumen", "--seed", "-1"], None),
    ],
)
def test_an_error_is_said_in_a_line_with_status_2(words, said, capsys):
    assert cli.main(words) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("lanterns")
    if said is not None:
        assert output.err == said


def test_a_command_gets_its_arguments_and_gives_its_status(command):
    command(lambda args: args.number)
    assert cli.main(["agents", "--number", "5"]) == 5


def test_an_argument_is_not_abbreviated(command, capsys):
    command(lambda args: 0)
    assert cli.main(["agents", "--num", "5"]) == 2
    assert "did you mean '--number'?" in capsys.readouterr().err


def raising(error):
    def do(args):
        raise error

    return do


def test_errors_of_the_user_are_said_without_a_traceback(command, capsys):
    for error in (ValueError("not so"), FileNotFoundError("not so")):
        command(raising(error))
        assert cli.main(["agents"]) == 2
        assert capsys.readouterr().err == "lanterns agents: error: not so\n"


def test_errors_of_the_program_are_not_hidden(command):
    command(raising(KeyError("bug")))
    with pytest.raises(KeyError):
        cli.main(["agents"])


def test_interrupted(command, capsys):
    command(raising(KeyboardInterrupt()))
    assert cli.main(["agents"]) == 130
    assert capsys.readouterr().err == "\n"


def test_a_reader_that_leaves_is_no_error():
    shell = f"sleep 0.5; {sys.executable} -m lanterns_env {{}}; echo $? >&2"
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    for words in ("--help", "agents"):
        command = ["sh", "-c", f"({shell.format(words)}) | true"]
        done = subprocess.run(command, env=buffered, capture_output=True, text=True)
        assert done.stderr.strip() == "141"


def test_agents_are_listed():
    done = run("agents")
    assert done.returncode == 0
    assert {"random", "greedy"} <= {line.split()[0] for line in done.stdout.splitlines() if line}


@pytest.mark.skipif(not COMPILED, reason="thousands of games")
def test_benchmark_measures_and_writes(tmp_path, capsys):
    import json

    path = tmp_path / "speed.json"
    words = [
        "benchmark",
        "--game",
        "lumen",
        "--players",
        "3",
        "--games",
        "2",
        "--seconds",
        "0.007",
        "--json",
        str(path),
    ]
    assert cli.main(words) == 0
    assert "Lumen, 3 players" in capsys.readouterr().out
    report = json.loads(path.read_text())["games"]["lumen"]
    assert report["players"] == 3
    assert {"lumen env()", "batch 2: with sampling", "play-outs from the deal"} <= set(report["rates"])
    assert all(0 < row["low"] <= row["median"] <= row["high"] for row in report["rates"].values())
