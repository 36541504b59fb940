"""A solved policy in its file: in matches it is worth what it is on the tree; where it does not fit it is refused."""

import io
import pickle

import numpy as np
import pytest
from lanterns_agents.tabular_agent import TabularAgent

from lanterns_env import Batch
from lanterns_env.agent import Table, check_trusted, load
from lanterns_env.match import play_match
from lanterns_env.solve import Policy, Tree, evaluate, nash_conv, policy_of, solve
from lanterns_env.solve.saved import read, save
from tests.conftest import COMPILED
from tests.solve.glimpse import GAME as GLIMPSE
from tests.solve.poker import KUHN_GAME, LEDUC_GAME

OWN = "own decisions"


def kept(folder, game, num_players=None, iterations=50):
    """A policy that is not pure, in a file."""
    tree = Tree(game, num_players).under(OWN)
    policy = solve(tree, iterations)
    file = folder / f"{game.name}.npz"
    save(file, policy, nash_conv(tree, policy))
    return policy, str(file)


def test_what_is_read_is_what_was_kept(tmp_path):
    policy, file = kept(tmp_path, LEDUC_GAME)
    tree = policy.tree
    saved = read(file)
    assert ("leduc", 2, {}) == tuple(saved.card[name] for name in ("game", "players", "options"))
    assert nash_conv(tree, policy).gains.tolist() == saved.card["gains"]
    assert list(range(tree.num_sets)) == saved.find(tree.owned_keys).tolist()
    assert [-1] == saved.find(np.array([[1, 2]], np.uint64)).tolist()
    assert policy.probabilities.tolist() == policy_of(tree, f"tabular:{file}").probabilities.tolist()
    assert (tmp_path / "leduc.npz").read_bytes() == (kept(tmp_path, LEDUC_GAME), tmp_path / "leduc.npz")[1].read_bytes()


def test_it_is_worth_in_matches_what_it_is_worth_on_the_tree(tmp_path):
    """Against random play, from both seats."""
    policy, file = kept(tmp_path, LEDUC_GAME)
    tree = policy.tree
    uniform = Policy.uniform(tree)
    values = evaluate(tree, [policy, uniform])[0], evaluate(tree, [uniform, policy])[1]
    exact = (1 + np.mean(values)) / 2
    deals = 1000 if COMPILED else 40
    row = play_match(LEDUC_GAME, [f"tabular:{file}", "random"], 2, deals, workers=1).rows[0]
    low, high = row.interval
    assert low <= exact <= high
    assert exact > 0.51


def test_it_finds_its_place_in_games_side_by_side(tmp_path):
    """Move by move in many games, it draws in proportion to its policy at the very sets where the games stand."""
    policy, file = kept(tmp_path, KUHN_GAME)
    tree, agent = policy.tree, load(f"tabular:{file}")
    agents, rng = (agent, load(f"tabular:{file}")), np.random.default_rng(0)
    games = 2000 if COMPILED else 60
    batch = Batch(KUHN_GAME, games, 2, autoreset=False)
    while not batch.dones.all():
        for seat in range(2):
            rows = np.flatnonzero(~batch.dones & (batch.current_players == seat))
            if len(rows) > 0:
                batch.step(agents[seat].act(Table(batch, rows, rows), rng), rows)
    value = (2 * batch.scores()[1][:, 0] - 1).mean()
    assert abs(value - evaluate(tree, policy)[0]) < 4 * 0.5 / np.sqrt(games)


def test_a_new_game_under_an_old_number_is_a_new_game(tmp_path):
    _, file = kept(tmp_path, KUHN_GAME)
    agent, rng = load(f"tabular:{file}"), np.random.default_rng(0)
    for seed in range(5):
        batch = Batch(KUHN_GAME, 1, 2, seed=seed)
        assert agent.act(Table(batch, [0], [0]), rng).shape == (1,)


def test_it_remembers_its_own_decisions_alone(tmp_path):
    """In Glimpse player 0 saw the coin when it decided first, and guesses right; copies remember nothing."""
    _, file = kept(tmp_path, GLIMPSE, iterations=200)
    agent, rng = load(f"tabular:{file}"), np.random.default_rng(0)
    batch = Batch(GLIMPSE, 20, 2, autoreset=False)
    coins = batch.views["coin"].tolist()
    batch.step(agent.act(Table(batch, range(20), range(20)), rng))
    batch.step([0] * 20)
    last = Table(batch, range(20), range(20))
    with pytest.raises(ValueError, match="does not know this position"):
        pickle.loads(pickle.dumps(agent)).act(last, rng)
    assert coins == agent.act(last, rng).tolist()
    assert {0, 1} == set(coins)


def test_another_game_variant_or_table_is_refused(tmp_path):
    _, file = kept(tmp_path, KUHN_GAME)
    agent = load(f"tabular:{file}")
    with pytest.raises(ValueError, match=r"kuhn.npz plays kuhn, not leduc"):
        agent.act(Table(Batch(LEDUC_GAME), [0], [0]), np.random.default_rng(0))
    with pytest.raises(ValueError, match=r"kuhn.npz plays Kuhn with 2 players, not with 3"):
        policy_of(Tree(KUHN_GAME, 3), f"tabular:{file}")
    tree = Tree(KUHN_GAME)
    with pytest.raises(ValueError, match=r"take tree.under"):
        save(file, Policy.uniform(tree), nash_conv(tree, Policy.uniform(tree)))


def test_damaged_files_are_refused(tmp_path):
    kept(tmp_path, KUHN_GAME)
    whole = (tmp_path / "kuhn.npz").read_bytes()
    with np.load(io.BytesIO(whole)) as found:
        arrays = dict(found)
    arrays["probabilities"] = arrays["probabilities"][::-1]
    bad = str(tmp_path / "bad.npz")
    np.savez(bad, **arrays)
    with pytest.raises(ValueError, match=r"bad.npz is damaged or was changed by hand: its checksum does not fit"):
        load(f"tabular:{bad}")
    for data in (b"", b"PK", whole[: len(whole) // 2], b"x" * 100, pickle.dumps([1])):
        (tmp_path / "bad.npz").write_bytes(data)
        with pytest.raises(ValueError, match=r"bad.npz is no policy that was kept by this package, or damaged"):
            load(f"tabular:{bad}")
    np.savez(bad, keys=np.zeros(3))
    with pytest.raises(ValueError, match="is no policy that was kept"):
        load(f"tabular:{bad}")
    with pytest.raises(ValueError, match=r"there is no file nowhere.npz"):
        load("tabular:nowhere.npz")
    with pytest.raises(ValueError, match="a solved policy is the name of its file"):
        TabularAgent()


def test_it_runs_no_code_of_files():
    check_trusted(["tabular:policy.npz"])
