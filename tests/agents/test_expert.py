"""The agent expert: legal play from the view alone, stronger than greedy, by weights that can be exchanged."""

import os
import subprocess
import sys

import numpy as np
import pytest
from lanterns_agents import load
from lanterns_agents.per_game import has_module, module_for
from lanterns_agents.weights import ANY_NUMBER, TABLE, read_weights, weights_file

from lanterns_env import GAMES, Batch
from lanterns_env.agent import Table
from tests.conftest import COMPILED

PLAYED = [game for game in GAMES if has_module("expert", game)]
TABLES = [(game, count) for game in PLAYED for count in GAMES[game].players]
# Of the wins of one seat against greedy ones, over so many deals from every seat; else more than its fair share.
AT_LEAST = {("lanterns", 2): 0.85, ("lanterns", 3): 0.65, ("lanterns", 4): 0.5}
DEALS = 100

every_table = pytest.mark.parametrize(("game", "count"), TABLES, ids=[f"{game}-{n}" for game, n in TABLES])
every_game = pytest.mark.parametrize("game", PLAYED)


def actions_of(agent, batch):
    rows = np.arange(len(batch))
    return agent.act(Table(batch, rows, rows), np.random.default_rng(3))


def file_of(path, values):
    path.write_text("\n".join(f"{name} = {value}" for name, value in values.items()))
    return path


def win_share(game, count, deals):
    """One expert against greedy players, each deal once from every seat."""
    games = deals * count
    batch = Batch(game, games, count, seeds=np.repeat(np.arange(deals), count), autoreset=False)
    seats, rows, rng = np.arange(games) % count, np.arange(games), np.random.default_rng(1)
    expert, greedy = load("expert"), load("greedy")
    while len(rows):
        own, actions = batch.current_players[rows] == seats[rows], np.empty(len(rows), np.int64)
        for agent, chosen in ((expert, own), (greedy, ~own)):
            actions[chosen] = agent.act(Table(batch, rows[chosen], rows[chosen]), rng)
        batch.step(actions, rows)
        rows = rows[~batch.dones[rows]]
    return batch.scores()[1][np.arange(games), seats].mean()


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="hundreds of games")
@every_table
def test_expert_beats_greedy(game, count):
    assert win_share(game, count, DEALS) >= AT_LEAST.get((game, count), 1 / count)


@pytest.mark.skipif(not COMPILED, reason="evaluates every action in two hundred positions")
@pytest.mark.parametrize("game", ["lumen", "lighthouse"])
def test_probabilities_of_all_actions(game):
    """Legal ones alone have any, and what an expert does is the best or, by a closer look, nearly as good."""
    batch, rng, expert = Batch(game, 20, seed=4), np.random.default_rng(0), load("expert")
    rows, best, decided = np.arange(20), 0, 0
    for _ in range(10):
        batch.step(batch.sample(rng))
        probabilities, actions = expert.action_probabilities(Table(batch, rows, rows)), actions_of(expert, batch)
        assert (np.float32, (20, batch.game.num_actions)) == (probabilities.dtype, probabilities.shape)
        assert probabilities.sum(1) == pytest.approx(np.ones(20), abs=1e-5)
        assert not probabilities[batch.action_masks == 0].any()
        chosen = probabilities[rows, actions]
        best += (chosen >= probabilities.max(1) - 1e-6).sum()
        decided += len(rows)
    assert best == decided if game == "lumen" else best > 0.6 * decided


def test_a_game_whose_expert_has_no_probabilities():
    batch = Batch("lanterns", 2)
    assert load("expert").action_probabilities(Table(batch, [0, 1], [0, 1])) is None


@every_game
def test_tables_of_several_sizes(game):
    """Rows of different numbers of players are each played by the weights for their number."""
    counts = np.array(list(GAMES[game].players) * 2)
    mixed = Batch(game, len(counts), counts, seeds=np.arange(len(counts)))
    together = actions_of(load("expert"), mixed)
    for row, count in enumerate(counts):
        alone = Batch(game, 1, count, seeds=[row])
        assert actions_of(load("expert"), alone)[0] == together[row]


def decisions(game, count):
    """What experts would do now and then in a game played at random."""
    batch, rng, chosen, moves = Batch(game, 1, count, seed=11, autoreset=False), np.random.default_rng(4), [], 0
    while not batch.dones[0]:
        if moves % 6 == 1:
            chosen.append(int(actions_of(load("expert"), batch)[0]))
        batch.step(batch.sample(rng))
        moves += 1
    return chosen


@pytest.mark.skipif(not COMPILED, reason="compares with compiled play")
@every_game
@pytest.mark.slow
def test_the_same_play_with_the_compiler_off(game):
    counts = list(GAMES[game].players)
    script = f"from tests.agents.test_expert import decisions\nprint([decisions({game!r}, n) for n in {counts}])"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == str([decisions(game, count) for count in counts])


# -- weights ------------------------------------------------------------------------------------------------


@every_game
def test_the_weights_of_the_package_are_complete_and_in_bounds(game):
    module = module_for("weights", game)
    vectors = read_weights(weights_file(game), module.BOUNDS)
    assert set(vectors) in ({ANY_NUMBER}, set(GAMES[game].players))
    assert module.NAMES == tuple(module.BOUNDS)
    low, high = np.array(list(module.BOUNDS.values())).T
    for vector in vectors.values():
        assert (vector >= low).all()
        assert (vector <= high).all()


@every_game
def test_the_weights_of_the_package_say_how_they_were_found(game):
    assert weights_file(game).read_text().startswith("# ")


@every_game
def test_other_weights_play_otherwise(game, tmp_path):
    bounds = module_for("weights", game).BOUNDS
    batch = Batch(game, 8 if COMPILED else 2, seed=5)
    low = load(f"expert:{file_of(tmp_path / 'low.toml', {weight: low for weight, (low, _) in bounds.items()})}")
    high = load(f"expert:{file_of(tmp_path / 'high.toml', {weight: high for weight, (_, high) in bounds.items()})}")
    differing = 0
    for _ in range(40):
        played = actions_of(low, batch)
        differing += int((played != actions_of(high, batch)).sum())
        batch.step(played)
        if differing:
            break
    assert differing > 0


def test_a_file_for_all_tables_or_one_table_for_each(tmp_path):
    flat = file_of(tmp_path / "flat.toml", {"b": 2, "a": 1.5})
    assert read_weights(flat, {"a": 0, "b": 0})[ANY_NUMBER].tolist() == [1.5, 2.0]
    each = tmp_path / "each.toml"
    each.write_text(f"[{TABLE}2]\na = 1\nb = 2\n[{TABLE}4]\na = 3\nb = 4\n")
    vectors = {count: vector.tolist() for count, vector in read_weights(each, {"a": 0, "b": 0}).items()}
    assert vectors == {2: [1, 2], 4: [3, 4]}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a = 1\nc = 2", "not the weights of this game; unknown: c; missing: b"),
        ("[players_2]\na = 1", "players_2: not the weights of this game; missing: b"),
        ("a = 1\nb = 'much'", "b must be a number from -1e\\+06 to 1e\\+06, not 'much'"),
        ("a = 1\nb = inf", "b must be a number from -1e\\+06 to 1e\\+06, not inf"),
        ("a = 1\n[players_2]\na = 1\nb = 2", "must be nothing, but there is 'a'"),
        ("[players_two]\na = 1\nb = 2", "must be nothing, but there is 'players_two'"),
        ("a = ", "cannot be read"),
        ("a = 1\nb = 1" + "0" * 400, "b must be a number from"),
        ("a = " + "[" * 10_000, "cannot be read: they are nested too deeply"),
        ("# " + "x" * 2**20, "cannot be read: it is longer than 1048576 bytes"),
    ],
)
def test_files_that_hold_no_weights(text, complaint, tmp_path):
    file = tmp_path / "weights.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        read_weights(file, {"a": 0, "b": 0})


def test_weights_that_are_not_there(tmp_path):
    batch = Batch("lanterns", 1, 3)
    with pytest.raises(ValueError, match=r"'nowhere\.toml' cannot be read"):
        load("expert:nowhere.toml")
    two = tmp_path / "two.toml"
    low = {weight: low for weight, (low, _) in module_for("weights", "lanterns").BOUNDS.items()}
    two.write_text(f"[{TABLE}2]\n" + file_of(tmp_path / "low.toml", low).read_text())
    with pytest.raises(ValueError, match=r"no table \[players_3\]"):
        actions_of(load(f"expert:{two}"), batch)
