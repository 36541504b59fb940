"""What README and CONTRIBUTING say works: every snippet runs, every command is tried."""

import pathlib
import re
import shlex
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[1]
PAGES = ["README.md", "CONTRIBUTING.md"]
SHORTER = {"scripts/benchmark.py": ["--rounds", "1", "--seconds", "0.01"]}  # what makes a long command short


def blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


def commands():
    for page in PAGES:
        lines = [line for block in blocks(page, "console") for line in block.splitlines()]
        lines += re.findall(r"`((?:make|python) [^`]+)`", (ROOT / page).read_text())
        yield from sorted(set(lines))


def test_the_python_of_a_page_runs_from_top_to_bottom():
    code = "\n".join(blocks("README.md", "python"))
    assert code.count("import") >= 3
    exec(compile(code, "README.md", "exec"), {})


@pytest.mark.parametrize("command", sorted(set(commands())))
def test_a_command_is_there_and_starts(command, tmp_path):
    words = shlex.split(command)
    if words[0] == "make":
        done = subprocess.run(["make", "-n", *words[1:]], cwd=ROOT, capture_output=True, text=True)
    else:
        assert words[0] in ("python", "pip")
        if words[0] == "pip" or "-m" in words:
            return  # installing and rewriting are not for a test
        run = [sys.executable, *words[1:], *SHORTER.get(words[1], [])]
        run = [str(tmp_path / word) if word.endswith(".json") else word for word in run]
        done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_files_that_pages_name_exist():
    for page in PAGES:
        for name in re.findall(r"\]\(([\w./-]+)\)", (ROOT / page).read_text()):
            assert (ROOT / name).exists(), name


def test_the_version_is_one():
    import lanterns_env

    assert f"## {lanterns_env.__version__}" in (ROOT / "CHANGELOG.md").read_text()
