"""``lanterns check`` and the pytest plugin, in a folder with somebody's environment and without our games."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
GOOD, BAD = "tests.testing.duel:Duel", "tests.testing.broken_envs:ShowsTheOtherHand"
FOUND = 1  # exit status
MINE = "from tests.testing.duel import Duel\n\ndef env(render_mode=None):\n    return Duel(render_mode=render_mode)\n"


def run(*words, folder=ROOT):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "agents")])}
    return subprocess.run([sys.executable, "-m", *words], cwd=folder, capture_output=True, text=True, env=environment)


def check(*words, folder=ROOT):
    return run("lanterns_env", "check", *words, "--max-steps", "40", folder=folder)


def test_a_correct_environment(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    done = check("mine", "--option", "render_mode=ansi", folder=tmp_path)
    assert (0, "mine: 24 checks, no findings\n", "") == (done.returncode, done.stdout, done.stderr)


def test_a_faulty_one_as_sentences_and_as_json(tmp_path):
    report = tmp_path / "report.json"
    done = check(BAD, "--json", str(report))
    *sentences, last = done.stdout.splitlines()
    data = json.loads(report.read_text())
    assert FOUND == done.returncode
    assert [f"{each['check']}: {each['sentence']}" for each in data["findings"]] == [
        sentence.rpartition(" (seed")[0] for sentence in sentences
    ]
    assert last.endswith(f"24 checks, {len(sentences)} findings")
    assert {"no_leak"} == {each["check"] for each in data["findings"]}
    assert all(len(each["actions"]) == each["steps"] for each in data["findings"])
    assert {"lanterns_env", "pettingzoo", "gymnasium", "numpy"} <= set(data["versions"])
    assert len(data["findings"]) == data["checks"]["no_leak"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere:env"], "nowhere cannot be imported: ModuleNotFoundError: No module named 'nowhere'"),
        (["json:env"], "json has no function 'env' that makes an environment"),
        (
            ["pettingzoo.classic.tictactoe_v3:envy"],
            "no function 'envy' that makes an environment; it offers env, raw_env",
        ),
        ([GOOD, "--option", "colour=red"], "makes no environment: TypeError"),
        ([GOOD, "--option", "red"], "an argument is given as NAME=VALUE, not 'red'"),
        ([GOOD, "--seeds", "one"], "--seeds takes whole numbers with commas between, not 'one'"),
        ([GOOD, "--positions-per-game", "0"], "--positions-per-game must be 1 or more, not 0"),
    ],
)
def test_what_is_wrong_is_said(words, said):
    done = check(*words)
    assert 2 == done.returncode
    assert said in done.stderr
    assert 1 == len(done.stderr.splitlines())


def test_pytest_runs_one_test_a_check(tmp_path):
    done = run(
        "pytest", "-p", "no:cacheprovider", "-q", "--check-env", GOOD, "--check-env", BAD, "-rf", folder=tmp_path
    )
    assert "1 failed, 47 passed" in done.stdout
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert 1 == len(failed)
    assert f"{BAD}::no_leak" in failed[0]
    assert "(seed 0, after " in done.stdout


def test_pytest_reads_environments_from_its_settings_and_leaves_out_what_builds_on_a_fault(tmp_path):
    settings = f"[pytest]\ncheck_env =\n    {GOOD.replace('duel:Duel', 'broken_envs:GlobalNumpy')}\n"
    (tmp_path / "pytest.ini").write_text(settings + "check_env_arguments =\n    hidden=False\n    max_steps=20\n")
    done = run("pytest", "-p", "no:cacheprovider", "-q", folder=tmp_path)
    assert "1 failed, 11 passed, 12 skipped" in done.stdout


def test_the_page_on_other_environments_is_current():
    spec = importlib.util.spec_from_file_location("environments_page", ROOT / "scripts" / "pages" / "environments.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    page, reports = script.PAGE.read_text(), json.loads(script.REPORTS.read_text())
    assert {public.name for public in script.ENVIRONMENTS} == set(reports)
    assert script.current(page, reports) == page
