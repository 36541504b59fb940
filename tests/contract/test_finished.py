"""Games that ended in the last step: their records, in batches and in infos."""

import pickle

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from lanterns_env import GAMES, Batch
from lanterns_env.seat import SeatEnv, SeatVectorEnv
from tests.conftest import COMPILED

ROWS = 6 if COMPILED else 2
NAMES = ("seed", "length", "points", "shares")


def listed(records):
    return [[record[name].tolist() for name in records.dtype.names] for record in records]


@pytest.mark.parametrize("autoreset", [True, False])
@pytest.mark.parametrize("reward", ["outcome", "points"])
def test_every_game_that_ends_is_recorded_once(name, num_players, autoreset, reward):
    batch = Batch(name, ROWS, num_players, seed=2, autoreset=autoreset, reward=reward)
    rng = np.random.default_rng(2)
    seeds, lengths, games = batch.seeds, np.zeros(ROWS, int), 0
    assert len(batch.finished) == 0
    while games < ROWS:
        rows = np.flatnonzero(~batch.dones) if not autoreset else np.arange(ROWS)
        ahead = batch.copy()
        ahead.autoreset = False
        actions = batch.sample(rng, rows)
        ahead.step(actions, rows)
        batch.step(actions, rows)
        lengths[rows] += 1
        points, shares = ahead.scores()
        ended = rows[ahead.dones[rows]]
        expected = [[row, seeds[row], lengths[row], points[row].tolist(), shares[row].tolist()] for row in ended]
        assert expected == listed(batch.finished)
        games += len(ended)
        lengths[ended] = 0
        seeds = batch.seeds


def test_a_record_goes_with_the_next_step_or_deal_and_through_copies(name):
    batch = Batch(name, 3, seed=4, autoreset=False)
    rng = np.random.default_rng(4)
    for action in iter(lambda: batch.sample(rng, [1])[0], -1):
        batch.step([action], [1])
    kept = listed(batch.finished)
    assert [1] == [record[0] for record in kept]
    for twin in (batch.copy(), pickle.loads(pickle.dumps(batch))):
        assert kept == listed(twin.finished)
        twin.deal([1])
        assert [] == listed(twin.finished)
    batch.finished["points"][:] = 77  # the caller's own
    assert kept == listed(batch.finished)
    batch.step(batch.sample(rng, [0]), [0])
    assert [] == listed(batch.finished)
    assert len(batch.worlds([1], [0], [5]).finished) == 0


def test_lengths_go_on_through_copies_pickles_and_worlds(name):
    batch = Batch(name, 1, seed=3, autoreset=False)
    rng = np.random.default_rng(3)
    for _ in range(9):
        batch.step(batch.sample(rng))
    for twin in (batch.copy(), pickle.loads(pickle.dumps(batch)), batch.worlds([0], [0], [1])):
        twin.autoreset, steps = False, 0
        while not twin.dones[0]:
            twin.step(twin.sample(rng))
            steps += 1
        assert 9 + steps == twin.finished["length"][0]


def test_a_batch_that_has_played_before_is_pickled_like_a_new_one(name):
    batch = Batch(name, 1, seed=3, autoreset=False)
    rng = np.random.default_rng(3)
    while not batch.dones[0]:
        batch.step(batch.sample(rng))
    batch.deal(seeds=[5])
    assert pickle.dumps(Batch(name, 1, seeds=[5], autoreset=False)) == pickle.dumps(batch)


def test_records_made_up_are_refused(name):
    """A pickle that says of a last step what no step brings."""
    batch = Batch(name, 1, seed=3, autoreset=False)
    rng = np.random.default_rng(3)
    while not batch.dones[0]:
        batch.step(batch.sample(rng))
    for field, value in (("ended", 2), ("length", -1), ("last_length", -1), ("last_points", np.nan), ("over", False)):
        twin = batch.copy()
        column = twin._reports[field]
        (column.view(np.uint8) if column.dtype == bool else column)[...] = value
        with pytest.raises(ValueError, match="last step is none"):
            pickle.loads(pickle.dumps(twin))


def test_player_counts_mix(name):
    counts = [min(GAMES[name].players), max(GAMES[name].players)]
    batch = Batch(name, 2, counts, seed=1, autoreset=False)
    rng = np.random.default_rng(1)
    for row in range(2):
        for action in iter(lambda row=row: batch.sample(rng, [row])[0], -1):
            batch.step([action], [row])
        record = batch.finished[0]
        assert (row, counts[1]) == (record["row"], len(record["shares"]))
        assert not record["points"][counts[row] :].any()
        assert record["shares"].sum() == pytest.approx(1)


@pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)
def test_infos_have_the_records(name, mode):
    envs = SeatVectorEnv(name, 2, mode)
    _, infos = envs.reset(seed=6)
    rng, found = np.random.default_rng(6), {}
    while not found:
        masks = infos["action_mask"]
        seeds = envs.seats.batch.seeds
        _, _, ended, cut, infos = envs.step([rng.choice(np.flatnonzero(mask)) for mask in masks])
        over = ended | cut
        found = infos.get("final_info", infos).get("finished", {})
        assert bool(found) == over.any()
    assert np.array_equal(over, found["_seed"])
    assert set(NAMES) == {key for key in found if not key.startswith("_")}
    for row in np.flatnonzero(over):
        assert seeds[row] == found["seed"][row]
        assert found["length"][row] > 0
        assert found["shares"][row].sum() == pytest.approx(1)


def test_a_single_seat_has_it_at_the_end(name):
    env = SeatEnv(name, seat=1)
    _, info = env.reset(seed=9)
    over, rng = False, np.random.default_rng(9)
    while not over:
        assert "finished" not in info
        _, reward, ended, cut, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        over = ended or cut
    shares, n = info["finished"]["shares"], env.seats.num_players
    assert 9 == info["finished"]["seed"]
    assert reward == pytest.approx((n * shares[1] - 1) / (n - 1))
    assert np.array_equal(env.seats.batch.scores()[0][0], info["finished"]["points"])
