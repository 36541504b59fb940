"""What is published: a source archive that holds everything, and a small wheel that plays where nothing else is."""

import email
import tarfile
import tomllib
import zipfile

import pytest
import setuptools
from lanterns_agents.features import REFERENCE, has_features

from lanterns_env import GAMES
from tests.conftest import COMPILED
from tests.published import ROOT, Environment, built, copied, kept, unpacked

OLDEST_SETUPTOOLS = 77
MEGABYTES = 4  # of a wheel, at most
PACKAGES = {"lanterns_env": "lanterns_env", "agents/lanterns_agents": "lanterns_agents"}  # where each lies in a wheel
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PLAYS = """
import numpy as np
import lanterns_env
from lanterns_env import GAMES, Batch
from lanterns_env.agent import Table, load
from lanterns_env.match import play_match

rng = np.random.default_rng(0)
for name, game in GAMES.items():
    module = getattr(lanterns_env, f"{name}_v{game.version}")
    env = module.env(num_players=max(game.players), render_mode="ansi")
    env.reset(seed=7)
    assert "player" in env.render()
    assert env.unwrapped._repr_svg_().startswith("<svg")
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        env.step(None if termination or truncation else int(rng.choice(np.flatnonzero(info["action_mask"]))))
    batch = Batch(name, 32, max(game.players), seed=3)
    rows = np.arange(32)
    for _ in range(20):
        batch.step(load("greedy").act(Table(batch, rows, rows), rng))
    result = play_match(name, ["greedy", "random"], 3, deals=2, workers=1)
    print(name, result.rows[0].games)
"""
COMMANDS = (
    ("--version",),
    ("agents",),
    ("rules", "lumen"),
    ("play", "lumen", "--players", "3", "--seats", "greedy,greedy,random", "--seed", "1"),
    (
        "evaluate",
        "--game",
        "lighthouse",
        "--players",
        "2",
        "--agents",
        "greedy,random",
        "--deals",
        "2",
        "--workers",
        "1",
    ),
    ("benchmark", "--game", "lanterns", "--seconds", "0.01"),
)

pytestmark = [
    pytest.mark.skipif(not COMPILED, reason="building needs no second run"),
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="only a clone knows which files are kept"),
    pytest.mark.skipif(
        int(setuptools.__version__.partition(".")[0]) < OLDEST_SETUPTOOLS, reason="setuptools is too old"
    ),
]


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """The source archive, made in a clone."""
    folder = tmp_path_factory.mktemp("archive")
    return built("sdist", copied(folder / "clone"), folder / "dist")


@pytest.fixture(scope="module")
def wheel(archive, tmp_path_factory):
    """The wheel, made from the source archive alone."""
    folder = tmp_path_factory.mktemp("wheel")
    return built("wheel", unpacked(archive, folder / "sources"), folder / "dist")


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """An environment with the wheel, and what it needs by itself."""
    environment = Environment(tmp_path_factory.mktemp("installed"))
    environment.install(str(wheel))
    return environment


def inside(wheel):
    return set(zipfile.ZipFile(wheel).namelist())


def test_the_archive_holds_everything_that_is_kept(archive):
    with tarfile.open(archive) as files:
        held = {member.name.partition("/")[2] for member in files.getmembers() if member.isfile()}
    folders = {name for name in kept() if (ROOT / name).is_dir()}  # links
    configs = {f"agents/lanterns_agents/configs/{file.name}" for file in (ROOT / "configs").iterdir()}
    assert {"agents/lanterns_agents/configs"} == folders
    assert set() == ({*kept()} - folders | configs) - held


def test_the_wheel_is_small(wheel):
    assert wheel.stat().st_size < MEGABYTES * 1e6


def test_the_wheel_holds_the_two_packages_with_all_their_files_and_nothing_else(wheel):
    expected = {
        f"{PACKAGES[package]}/{file.relative_to(ROOT / package).as_posix()}"
        for package in PACKAGES
        for name in kept()
        for file in files_of(ROOT / name)
        if file.is_relative_to(ROOT / package)
    }
    found = {name for name in inside(wheel) if ".dist-info/" not in name}
    assert expected == found


def files_of(path):
    """A file; of a link to a folder, what is in it."""
    return path.iterdir() if path.is_dir() else [path]


def test_the_wheel_brings_the_champions_along(wheel):
    files = inside(wheel)
    assert {f"lanterns_agents/{name}/champion.{kind}" for name in GAMES for kind in ("onnx", "json")} <= files
    assert {f"lanterns_agents/{name}/{REFERENCE}" for name in GAMES if has_features(name)} <= files
    assert not [name for name in files if name.endswith(".safetensors")]


def test_the_wheel_says_whose_it_is_and_what_it_needs(wheel):
    with zipfile.ZipFile(wheel) as files:
        (name,) = (name for name in files.namelist() if name.endswith("METADATA"))
        said = email.message_from_bytes(files.read(name))
    assert (PROJECT["name"], PROJECT["version"]) == (said["Name"], said["Version"])
    assert PROJECT["authors"][0]["name"] == said["Author"]
    assert PROJECT["classifiers"] == said.get_all("Classifier")
    assert list(PROJECT["optional-dependencies"]) == said.get_all("Provides-Extra")


@pytest.mark.slow
def test_it_plays_where_nothing_else_is_and_warns_of_nothing(installed):
    assert "".join(f"{name} 6\n" for name in GAMES) == installed.run("python", "-I", "-W", "error", "-c", PLAYS)
    for words in COMMANDS:
        installed.run("python", "-I", "-W", "error", "-m", "lanterns_env", *words)
    assert f"lanterns_env {PROJECT['version']}\n" == installed.run("lanterns", "--version")


@pytest.mark.slow
def test_a_hint_can_be_followed_wherever_the_package_came_from(installed):
    """Pip takes the package that is there, and adds what its extra needs."""
    before = installed.packages()
    assert "rich" not in before
    installed.install("lanterns_env[cli]")
    after = installed.packages()
    assert before == {name: version for name, version in after.items() if name in before}
    assert "rich" in after
