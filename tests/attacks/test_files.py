"""Damaged and hostile files: each is refused in a sentence or is sound; nothing that lies in one is ever run."""

import json
import os
import pathlib
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest
from lanterns_agents.weights import weights_file
from results_cache import kept_match

from lanterns_env import GAMES, Batch
from lanterns_env.agent import Table, load
from lanterns_env.cli.screen.viewer import heading
from lanterns_env.match import MatchResult, first_difference, play_match, read, reproduce
from lanterns_env.replay import Replay, record, write
from lanterns_env.replay import read as read_replays
from lanterns_env.support.files import sealed
from tests.attacks.scale import scaled
from tests.attacks.spoiling import sound, spoilt, spoilt_bytes, written
from tests.conftest import COMPILED

TRIES = scaled(200 if COMPILED else 40, 20_000)
REPLAYED = 10  # of so many accepted results one is played again
SHORT = {"max_turns": 4}

posix = pytest.mark.skipif(sys.platform == "win32", reason="no alarm clock, no limits")
pytestmark = [pytest.mark.slow, posix]


@pytest.fixture(scope="module")
def match(tmp_path_factory) -> bytes:
    file = tmp_path_factory.mktemp("match") / "match.json"
    play_match("lighthouse", ["random", "greedy"], 2, 2, 1, 1, until=0.5, **SHORT).save(file)
    return file.read_bytes()


def games() -> list[Replay]:
    """A game of each kind: one is over, the others are not."""
    found, rng = [], np.random.default_rng(0)
    for name, players, moves in (("lanterns", 2, 30), ("lumen", 3, 30), ("lighthouse", 2, 1000)):
        batch = Batch(name, 1, players, seeds=[5], autoreset=False, **(SHORT if name == "lighthouse" else {}))
        actions: list[int] = []
        while not batch.dones[0] and len(actions) < moves:
            actions.append(int(batch.sample(rng)[0]))
            batch.step(actions[-1:])
        found.append(record(batch, actions, ["random"] * players))
    return found


# -- damage ---------------------------------------------------------------------------------------------------


def test_damaged_replays(tmp_path):
    rng, file = random.Random(1), tmp_path / "games.jsonl"
    write(file, games())
    good = file.read_bytes()
    lines = [json.loads(line) for line in good.splitlines()]
    accepted = 0
    for number in range(TRIES):
        if number % 2:
            bad = spoilt_bytes(rng, good)
        else:
            chosen = rng.randrange(4)
            changed = [spoilt(rng, line) if k == chosen else line for k, line in enumerate(lines)]
            bad = b"\n".join(map(written, changed)) + b"\n"
        file.write_bytes(bad)
        found = sound(lambda: read_replays(file))
        accepted += found is not None
        if number % 20 == 0:
            before = file.read_bytes()
            sound(lambda: write(file, [], append=True))
            assert file.read_bytes() == before
        assert all(heading(each).isprintable() for each in sound(lambda: read_replays(file, check=False)) or ())
    assert 0 < accepted < TRIES / 2


def test_damaged_results(tmp_path, match):
    """Accepted is only what says the same as before the damage: blanks and the like."""
    rng, file, good = random.Random(2), tmp_path / "match.json", json.loads(match)
    for number in range(TRIES):
        bad = spoilt_bytes(rng, match) if number % 2 else written(spoilt(rng, good))
        file.write_bytes(bad)
        if sound(lambda: read(file)) is not None:
            assert json.dumps(json.loads(bad), sort_keys=True) == json.dumps(good, sort_keys=True)


def test_hostile_results(tmp_path, match):
    """Their checksums fit: what is read is sound all the same, has figures, and can be played again."""
    rng, file, good = random.Random(3), tmp_path / "match.json", json.loads(match)
    accepted = 0
    for _ in range(TRIES):
        data = spoilt(rng, good)
        if not isinstance(data, dict):
            continue
        file.write_bytes(written(sealed(data)))
        found = sound(lambda: read(file))
        if isinstance(found, MatchResult):
            accepted += 1
            said = json.loads(json.dumps(found.to_json()))
            assert sum(row["win_share"] * row["seats"] for row in said["results"]) == pytest.approx(1, abs=1e-5)
            if accepted % REPLAYED == 1:
                again = sound(lambda saved=found: reproduce(saved, 1))
                assert again is None or isinstance(first_difference(found, again), str)
    assert 0 < accepted < TRIES / 2


def test_damaged_kept_results(tmp_path, capsys):
    """Whatever happened to the file: the match says what it said, and the file is whole again."""
    rng, file = random.Random(4), tmp_path / "match.json"

    def kept():
        return kept_match(file, GAMES["lighthouse"], ["random", "random"], 2, 1, 3, 1, options=SHORT)

    timeless = {name: value for name, value in kept().items() if name not in ("timing", "checksum")}
    good = file.read_bytes()
    for number in range(TRIES // (1 if COMPILED else 4)):
        file.write_bytes(spoilt_bytes(rng, good) if number % 2 else written(spoilt(rng, json.loads(good))))
        for found in (sound(kept), read(file).to_json()):
            assert json.dumps(timeless) == json.dumps({name: found[name] for name in timeless})
        capsys.readouterr()


# -- names of agents ------------------------------------------------------------------------------------------

NAMES = ["random", "greedy", "expert", "search:3", "search:2ms", "search:3:reuse", "search:3+champion", "champion"]
NAMES += ["onnx:policy.onnx", "policy.onnx", "expert:weights.toml", "champion:folder", "champion:../.."]
LETTERS = "0123456789:+.-_/\\ ms\n\0\033'\"[]{}é٣\ud800\U0001f600"
QUICK = ("Uniform", "Greedy", "Expert")


def seated() -> tuple[Batch, Table]:
    """A table at which everybody has played already."""
    batch = Batch("lighthouse", 2, 2, seed=1, **SHORT)
    table = Table(batch, [0, 1], [0, 1])
    for name in ("greedy", "expert"):
        load(name).act(table, np.random.default_rng(0))
    return batch, table


def spoilt_name(rng: random.Random) -> str:
    name = rng.choice(NAMES)
    for _ in range(rng.choice((1, 1, 2, 3))):
        place, kind = rng.randrange(len(name) + 1), rng.randrange(5)
        if kind == 0:
            name = name[:place] + rng.choice(LETTERS) + name[place:]
        elif kind == 1:
            name = name[:place] + name[place + 1 :]
        elif kind == 2:
            name = name[:place] + rng.choice(NAMES) + name[place:]
        elif kind == 3:
            name = name + ":" + rng.choice(NAMES)
        else:
            name = name[:place] + rng.choice(LETTERS) * rng.choice((2, 30, 5000)) + name[place:]
    return name


def test_damaged_names_of_agents(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "weights.toml").write_text("a = 1\n")
    rng, made, (batch, table) = random.Random(5), 0, seated()
    for _ in range(TRIES):
        name = spoilt_name(rng)
        agent = sound(lambda name=name: load(name))
        made += agent is not None
        if type(agent).__name__ in QUICK:
            actions = sound(lambda agent=agent: agent.act(table, np.random.default_rng(0)))
            assert actions is None or batch.action_masks[[0, 1], actions].all()
    assert 0 < made < TRIES / 2


def test_damaged_weights(tmp_path):
    rng, file, accepted, (batch, table) = random.Random(6), tmp_path / "weights.toml", 0, seated()
    good = weights_file("lighthouse").read_bytes()
    for _ in range(TRIES):
        file.write_bytes(spoilt_bytes(rng, good))
        actions = sound(lambda: load(f"expert:{file}").act(table, np.random.default_rng(0)))
        if actions is not None:
            accepted += 1
            assert batch.action_masks[[0, 1], actions].all()
    assert 0 < accepted


# -- code in files --------------------------------------------------------------------------------------------


class Mine:
    """Unpickled, it makes a folder."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (str(self.folder),)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_under_another_name_is_never_run(protocol, tmp_path, match):
    mark = tmp_path / "mark"
    mine = pickle.dumps(Mine(mark), protocol)
    readers = {"match.json": read, "games.jsonl": read_replays, "weights.toml": lambda file: load(f"expert:{file}")}
    for name, reader in readers.items():
        (tmp_path / name).write_bytes(mine)
        assert sound(lambda reader=reader, name=name: reader(tmp_path / name)) is None
    write(tmp_path / "saved.jsonl", [])
    with open(tmp_path / "saved.jsonl", "ab") as file:
        file.write(mine)
    assert sound(lambda: read_replays(tmp_path / "saved.jsonl")) is None
    texts = {**json.loads(match), "agents": [mine.decode("latin1"), "expert:" + str(tmp_path / "match.json")]}
    (tmp_path / "match.json").write_bytes(written(sealed(texts)))
    assert sound(lambda: reproduce(read(tmp_path / "match.json"), 1)) is None
    assert not mark.exists()
    pickle.loads(mine)
    assert mark.exists()


# -- a full disk ----------------------------------------------------------------------------------------------

WRITERS = """
import sys, types
from lanterns_env import match, replay
from lanterns_env.match import rating_plot as rating_picture
from lanterns_env.match.statistics import save_json

folder = sys.argv[1]
rows = [types.SimpleNamespace(agent="random", rating=1.0, interval=(0.0, 2.0))] * 9
writers = {
    "match.json": match.read(folder + "/match.json").save,
    "game.jsonl": lambda file: replay.save(file, replay.read(folder + "/game.jsonl", check=False)[0]),
    "ratings.svg": lambda file: rating_picture.write_picture(rating_picture.rating_picture(rows), file),
    "ratings.png": lambda file: rating_picture.write_picture(rating_picture.rating_picture(rows), file),
}
for name, write in writers.items():
    try:
        write(folder + "/" + name)
    except OSError as error:
        print(name, error.strerror)
"""


def test_a_full_disk_leaves_what_was_there(tmp_path, match):
    (tmp_path / "match.json").write_bytes(match)
    long = Replay("lumen", 3, 1, (11,) * 2000, {}, ("x", "y", "z"))
    write(tmp_path / "game.jsonl", [long])
    for name in ("ratings.svg", "ratings.png"):
        (tmp_path / name).write_text("old")
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    limited = ["bash", "-c", 'ulimit -f 1; exec "$@"', "limited", sys.executable, "-c", WRITERS, str(tmp_path)]
    done = subprocess.run(limited, capture_output=True, text=True)
    said = [line.partition(" ") for line in done.stdout.splitlines()]
    assert [(name, "File too large") for name in ("match.json", "game.jsonl", "ratings.svg", "ratings.png")] == [
        (name, words) for name, _, words in said
    ], done.stderr
    assert before == {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert read(tmp_path / "match.json").complete
