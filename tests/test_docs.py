"""What README and CONTRIBUTING say works: every snippet runs, every command is tried."""

import dataclasses
import importlib.util
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

from lanterns_env import GAMES
from tests.conftest import COMPILED
from tests.play import decisions

ROOT = pathlib.Path(__file__).parents[1]
PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    *(str(page.relative_to(ROOT)) for page in sorted((ROOT / "docs").rglob("*.md"))),
]
PPO_SETTINGS = 12  # that CleanRL has too
FIRST_PAGES = ("README.md", "docs/index.md")  # whose blocks run in every quick test
RUN_ELSEWHERE = "docs/bridges"  # where a bridge's own test runs its page
SHORTER = {
    "scripts/bench/engine.py": ["--rounds", "1", "--seconds", "0.01"],
    "scripts/bench/seats.py": ["--rounds", "1", "--seconds", "0.01"],
    "scripts/bench/training.py": ["--rounds", "1", "--steps", "128", "--minibatch-size", "128", "--batch-size", "4096"],
    "scripts/bench/calibrate.py": ["--minutes", "0"],
    "benchmark": ["--seconds", "0.01"],
    "scripts/train_ppo.py": [
        "num_games=32",
        "batch_size=1024",
        "max_minutes=0",
        "total_decisions=2000",
        "eval_deals=1",
    ],
}  # what makes a long command short


def blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


def commands():
    for page in PAGES:
        lines = [line for block in blocks(page, "console") for line in block.splitlines()]
        lines += re.findall(r"`((?:make|python) [^`]+)`", (ROOT / page).read_text())
        yield from sorted(set(lines))


def slow_if_long(command):
    """Benchmarks start many processes even when they are short."""
    return pytest.mark.slow if "scripts/bench" in command else ()


def test_readme_and_guides_show_code():
    shown = [page for page in PAGES if blocks(page, "python")]
    assert {"README.md", "docs/index.md", "docs/guides/hidden-information.md"} <= set(shown)


def alone():
    """Every block of Python that a reader may copy, by its page and the line it begins at."""
    for page in PAGES:
        if page.startswith(RUN_ELSEWHERE):
            continue
        text = (ROOT / page).read_text()
        for found in re.finditer(r"```python\n(.*?)```", text, re.DOTALL):
            marks = () if page in FIRST_PAGES else pytest.mark.slow
            yield pytest.param(found[1], marks=marks, id=f"{page}:{text[: found.start()].count(chr(10)) + 1}")


@pytest.mark.skipif(not COMPILED, reason="the pages play thousands of games")
@pytest.mark.parametrize("block", list(alone()))
def test_a_block_of_python_runs_alone_in_a_fresh_interpreter(block, tmp_path):
    (tmp_path / "block.py").write_text(block)
    done = subprocess.run([sys.executable, "block.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_import_stands_beside_every_make():
    """Of an id of ours: without the import nobody knows it."""
    makes = re.compile(r"\bmake(_vec)?\([^)]*lanterns_env/")
    for page in PAGES:
        text = (ROOT / page).read_text()
        for place in [*blocks(page, "python"), *re.sub("```.*?```", "", text, flags=re.DOTALL).splitlines()]:
            assert not makes.search(place) or "import lanterns_env" in place, f"{page}: {place}"


def page_script(name):
    """A script that writes pages, as a module."""
    spec = importlib.util.spec_from_file_location(f"{name}_page", ROOT / "scripts" / "pages" / f"{name}.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def test_the_tables_of_the_game_pages_are_current(name):
    script = page_script("games")
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text()
    assert set(script.TABLES) == {found[1] for found in script.MARKED.findall(page)}
    assert script.current(page, script.GAMES[name]) == page
    assert script.pictured(name) == (ROOT / "docs" / "images" / f"{name}.svg").read_text()


def test_the_sizes_of_networks_are_current(name):
    script = page_script("networks")
    page = (ROOT / "docs" / "networks" / f"{name}.md").read_text()
    assert script.MARKED.search(page)
    assert script.current(page, name) == page


def test_the_page_of_settings_is_current():
    script = page_script("settings")
    assert script.page() == script.PAGE.read_text()


def test_the_tables_of_readme_speed_and_install_are_current():
    script = page_script("readme")
    assert ["README.md", "speed.md", "install.md"] == [page.name for page in script.PAGES]
    for page in script.PAGES:
        text = page.read_text()
        assert script.MARKED.search(text)
        assert script.current(text) == text


def test_the_figures_are_those_of_the_results():
    script = page_script("figures")
    drawn = script.files()
    assert {"speed.svg", "speed-dark.svg", "strength.svg", "champion-lumen-dark.svg"} <= {file.name for file in drawn}
    for file, text in drawn.items():
        assert text == file.read_text(), file


def test_the_readme_names_games_as_they_are(name):
    game = GAMES[name]
    cells = [
        f"**{game.title}**",
        f"{min(game.players)}–{max(game.players)}",  # noqa: RUF001
        f"`{name}_v{game.version}`",
        f"`lanterns_env/{name}-v{game.version}`",
    ]
    rows = [line.strip("| ").split(" | ") for line in (ROOT / "README.md").read_text().splitlines()]
    assert [cells] == [[*row[:2], *row[3:]] for row in rows if row[0] == f"**{game.title}**"]


def test_the_page_on_ppo_names_settings_that_there_are():
    from lanterns_agents.training.config import Config

    page = (ROOT / "docs" / "guides" / "ppo.md").read_text()
    table = page[page.index("## Settings beside") : page.index("`total_decisions`")]
    names = re.findall(r"^\| `(\w+)` \| `", table, re.MULTILINE)
    assert len(names) == PPO_SETTINGS
    assert set(names) <= {field.name for field in dataclasses.fields(Config)}


@pytest.mark.skipif(not COMPILED, reason="the commands play thousands of games")
@pytest.mark.parametrize("command", [pytest.param(each, marks=slow_if_long(each)) for each in sorted(set(commands()))])
def test_a_command_is_there_and_starts(command, tmp_path):
    words = shlex.split(command)
    if words[0] == "make":
        done = subprocess.run(["make", "-n", *words[1:]], cwd=ROOT, capture_output=True, text=True)
    else:
        assert words[0] in ("python", "pip", "lanterns")
        if words[0] == "lanterns":
            try_lanterns(words[1:], tmp_path)
            return
        if words[0] == "pip" or "-m" in words:
            return  # installing and rewriting are not for a test
        run = [sys.executable, *words[1:], *SHORTER.get(words[1], [])]
        run = [str(tmp_path / word) if word.endswith(".json") else word for word in run]
        for name in ("scripts", "configs"):
            (tmp_path / name).symlink_to(ROOT / name)
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def try_lanterns(words, folder):
    """In a folder with the files that the pages speak of; nobody types."""
    from lanterns_env.envs.aec import make
    from lanterns_env.replay import record, save, write

    env = make("lumen", False, num_players=3)
    begun = record(env, [action for _, action in decisions(env, seed=7, limit=20)], ["me", "random", "random"])
    for name in ("game.jsonl", "saved.jsonl"):
        save(folder / name, begun)
    write(folder / "games.jsonl", [begun] * 2)
    run = [sys.executable, "-m", "lanterns_env", *words, *SHORTER.get(words[0], [])]
    done = subprocess.run(run, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_files_that_pages_name_exist():
    for page in PAGES:
        for name in re.findall(r"\]\(([\w./-]+)(?:#[\w-]+)?\)", (ROOT / page).read_text()):
            assert ((ROOT / page).parent / name).exists(), name


def test_the_version_is_one():
    import lanterns_env

    assert f"## {lanterns_env.__version__}" in (ROOT / "CHANGELOG.md").read_text()
