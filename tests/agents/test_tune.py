"""The search for weights: it finds better ones, the same by the same seed, and goes on where it was stopped."""

import importlib.util
import json
import pathlib

import numpy as np
import pytest
from lanterns_agents.per_game import module_for
from lanterns_agents.weights import read_weights

from tests.conftest import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="hundreds of games")
ROOT = pathlib.Path(__file__).parents[2]
BOUNDS = module_for("weights", "lanterns").BOUNDS
NAMES = tuple(BOUNDS)


@pytest.fixture(scope="module")
def tune():
    spec = importlib.util.spec_from_file_location("tune_script", ROOT / "scripts" / "tune.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


@pytest.fixture
def bad(tmp_path):
    """Weights that nobody would think of."""
    file = tmp_path / "bad.toml"
    file.write_text("\n".join(f"{name} = {high}" for name, (_, high) in BOUNDS.items()))
    return file


def words(tmp_path, bad, **changed):
    values = {"game": "lanterns", "players": 2, "deals": 8, "generations": 3, "population": 4, "check": 8}
    values |= {"start": bad, "run": tmp_path / "run.json", "out": tmp_path / "out.toml"} | changed
    return [word for name, value in values.items() for word in (f"--{name}", str(value))]


@pytest.mark.slow
def test_a_short_run_mends_bad_weights(tune, tmp_path, bad, capsys):
    command = words(tmp_path, bad, deals=16, generations=8, population=8, check=64)
    tune.main(command)
    evaluated = json.loads((tmp_path / "run.json").read_text())["evaluated"]
    assert len(evaluated) == 8
    assert np.mean(evaluated[-1]) > np.mean(evaluated[0])
    assert "better than at the start" in capsys.readouterr().out
    text = (tmp_path / "out.toml").read_text()
    assert text.startswith(f"# python scripts/tune.py {' '.join(command)}\n[players_2]\n")
    assert set(read_weights(tmp_path / "out.toml", BOUNDS)) == {2}


def test_nothing_is_written_that_is_not_better_for_certain(tune, tmp_path, capsys):
    from lanterns_agents.weights import weights_file

    tune.main(words(tmp_path, weights_file("lanterns"), generations=1, deals=1))
    assert "nothing is written" in capsys.readouterr().out
    assert not (tmp_path / "out.toml").exists()


def test_it_may_start_in_the_middle_of_every_range(tune):
    middle = [(low + high) / 2 for low, high in BOUNDS.values()]
    assert middle == tune.starting_weights("lanterns", 2, "middle").tolist()


def test_a_start_that_is_not_there_is_named(tune):
    with pytest.raises(ValueError, match=r"the weights 'nowhere\.toml' cannot be read"):
        tune.starting_weights("lanterns", 2, "nowhere.toml")


def evaluated_by(tune, tmp_path, bad, *more, **changed):
    tune.main([*words(tmp_path, bad, **changed), *more])
    return json.loads((tmp_path / "run.json").read_text())["evaluated"]


def test_a_run_follows_from_its_seed(tune, tmp_path, bad):
    first = evaluated_by(tune, tmp_path, bad, seed=5)
    assert evaluated_by(tune, tmp_path, bad, seed=5) == first
    assert evaluated_by(tune, tmp_path, bad, seed=6) != first


def test_a_stopped_run_goes_on_as_if_it_had_not_been_stopped(tune, tmp_path, bad):
    through = evaluated_by(tune, tmp_path, bad, "--against", "itself", "greedy")
    evaluated_by(tune, tmp_path, bad, "--against", "itself", "greedy", generations=1)
    assert evaluated_by(tune, tmp_path, bad, "--against", "itself", "greedy", "--resume") == through


def test_a_stop_keeps_what_was_found(tune, tmp_path, bad, monkeypatch, capsys):
    generation = tune.Search.generation

    def stopped_at_the_second(search):
        if search.evaluated:
            raise KeyboardInterrupt
        return generation(search)

    monkeypatch.setattr(tune.Search, "generation", stopped_at_the_second)
    assert len(evaluated_by(tune, tmp_path, bad)) == 1
    assert "stopped after 1 generations; the same command with --resume goes on" in capsys.readouterr().out


def test_what_cannot_be_resumed(tune, tmp_path, bad):
    with pytest.raises(SystemExit, match="there is nothing to resume"):
        tune.main([*words(tmp_path, bad), "--resume"])
    evaluated_by(tune, tmp_path, bad, generations=1)
    with pytest.raises(SystemExit, match="is of a run with other settings"):
        tune.main([*words(tmp_path, bad, seed=9), "--resume"])


def test_the_weights_of_other_numbers_of_players_stay(tune, tmp_path):
    file, low, high = tmp_path / "weights.toml", *np.array(list(BOUNDS.values())).T
    tune.write_weights(file, 4, high, "found by hand", NAMES)
    tune.write_weights(file, 2, high, "found somehow", NAMES)
    tune.write_weights(file, 4, low, "found well", NAMES)
    vectors = read_weights(file, BOUNDS)
    assert {count: vector.tolist() for count, vector in vectors.items()} == {2: high.tolist(), 4: low.tolist()}
    comments = [line for line in file.read_text().splitlines() if line.startswith("#")]
    assert comments == ["# found somehow", "# found well"]


def test_outcome_margin_and_share_of_a_game(tune):
    """Worked by hand: 20 honor are a margin of one, and no margin counts for more."""

    class Finished:
        game, num_seats = type("Game", (), {"margin_scale": 20.0}), 3

        def __len__(self):
            return 3

        def scores(self):
            points = np.array([[30, 20, 10], [10, 30, 30], [50, 10, 5]], np.float32)
            return points, np.array([[1, 0, 0], [0, 0.5, 0.5], [1, 0, 0]], np.float32)

    found = tune.results(Finished(), np.array([0, 2, 0]))
    assert found.tolist() == [[1, 0.5, 1], [0.25, 0, 0.5], [1, 1, 1]]
