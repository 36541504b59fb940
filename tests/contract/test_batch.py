"""Thousands of games in one array are the same games as one by one."""

import pickle

import numpy as np
import pytest

from lanterns_env import GAMES, Batch
from lanterns_env.envs.aec import make
from tests.conftest import COMPILED
from tests.play import choose


def played(name, num_players=None, num_games=6, steps=10, **arguments):
    batch = Batch(name, num_games, num_players, seed=4, **arguments)
    rng = np.random.default_rng(4)
    for _ in range(steps):
        batch.step(batch.sample(rng))
    return batch


def everything(batch):
    shown = (
        batch.observations,
        batch.action_masks,
        batch.current_players,
        batch.rewards,
        batch.dones,
        batch.truncations,
        batch.seeds,
    )
    return [batch.states.tobytes(), *(array.tolist() for array in shown)]


@pytest.mark.parametrize("reward", ["outcome", "margin", "points"])
def test_a_batch_and_single_environments_play_the_same_games(name, num_players, reward):
    """State for state, to the end and on into the next deal."""
    rows = 3 if COMPILED else 1
    batch = Batch(name, rows, num_players, seed=9, reward=reward)
    envs = [make(name, False, num_players=num_players, reward=reward) for _ in range(rows)]
    for env, seed in zip(envs, batch.seeds, strict=True):
        env.reset(seed=int(seed))
    rng = np.random.default_rng(9)
    ended = 0
    while ended < rows:
        actions = [choose(mask, rng) for mask in batch.action_masks]
        batch.step(actions)
        for row, env in enumerate(envs):
            env.step(actions[row])
            assert list(env.rewards.values()) == batch.rewards[row].tolist()
            over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
            assert over == batch.dones[row]
            assert env.truncations[env.agent_selection] == batch.truncations[row]
            if over:
                ended += 1
                env.reset()
            assert env._batch.states.tobytes() == batch.states[row : row + 1].tobytes()
            assert env.agent_selection == f"player_{batch.current_players[row]}"
            shown = env.observe(env.agent_selection)
            assert np.array_equal(shown["observation"], batch.observations[row])
            assert np.array_equal(shown["action_mask"], batch.action_masks[row])
    for row in range(rows):
        env.reset(seed=int(batch.seeds[row]))
        twin = Batch(name, 1, num_players, seeds=[batch.seeds[row]], reward=reward)
        assert env._batch.states.tobytes() == twin.states.tobytes()


def test_rows_move_alone(name, num_players):
    batch = played(name, num_players)
    before = batch.states
    actions = [choose(batch.action_masks[row], np.random.default_rng(1)) for row in (4, 1)]
    batch.step(actions, rows=[4, 1])
    changed = [row for row in range(6) if batch.states[row].tobytes() != before[row].tobytes()]
    assert changed == [1, 4]
    twin = played(name, num_players)
    for row, action in zip((4, 1), actions, strict=True):
        twin.step([action], rows=[row])
    assert twin.states.tobytes() == batch.states.tobytes()


def test_rewards_are_those_of_the_last_step_alone(name):
    batch = Batch(name, 2, seed=1, autoreset=False)
    rng = np.random.default_rng(1)
    while not batch.dones[0]:
        batch.step([choose(batch.action_masks[0], rng)], rows=[0])
    assert batch.rewards[0].any() or batch.truncations[0] or batch.scores()[1][0].min() > 0
    batch.step([choose(batch.action_masks[1], rng)], rows=[1])
    assert not batch.rewards[0].any()
    assert batch.dones.tolist() == [True, False]


def test_without_restart_a_finished_game_stays_and_refuses(name):
    batch = Batch(name, 2, seed=1, autoreset=False)
    rng = np.random.default_rng(1)
    while not batch.dones[0]:
        batch.step([choose(batch.action_masks[0], rng)], rows=[0])
    assert not batch.action_masks[0].any()
    assert batch.sample(rng)[0] == -1
    before = everything(batch)
    with pytest.raises(ValueError, match="over"):
        batch.step([0, choose(batch.action_masks[1], rng)])
    assert everything(batch) == before
    batch.deal(rows=[0])
    assert not batch.dones[0]
    assert batch.action_masks[0].any()


def test_with_restart_a_row_goes_on_with_the_next_seed_of_its_stream(name, num_players):
    batch = Batch(name, 1, num_players, seeds=[12])
    rng = np.random.default_rng(1)
    following = Batch(name, 1, num_players, seeds=[12])
    following.deal()
    while not batch.dones[0]:
        batch.step(batch.sample(rng))
    assert batch.seeds.tolist() == following.seeds.tolist()
    assert batch.states.tobytes() == following.states.tobytes()


def test_every_row_has_a_seed_of_its_own_and_every_batch_seed_other_rows(name):
    first, second = Batch(name, 50, seed=1).seeds, Batch(name, 50, seed=2).seeds
    assert len({*first.tolist(), *second.tolist()}) == 100


def test_deal_takes_seeds(name, num_players):
    batch = played(name, num_players)
    batch.deal(rows=[5, 0], seeds=[7, 2**64 - 1])
    assert batch.seeds[[5, 0]].tolist() == [7, 2**64 - 1]
    assert batch.states[5].tobytes() == Batch(name, 1, num_players, seeds=[7]).states[0].tobytes()


def test_player_counts_mix_in_one_batch(name):
    counts = [n for n in GAMES[name].players for _ in range(2)]
    batch = Batch(name, len(counts), counts, seed=3)
    rng = np.random.default_rng(3)
    for _ in range(250 if COMPILED else 20):
        batch.step(batch.sample(rng))
    assert batch.num_players.tolist() == counts
    assert batch.rewards.shape == (len(counts), max(counts))
    for row, n in enumerate(counts):
        alone = Batch(name, 1, n, seeds=batch.seeds[row : row + 1])
        again = Batch(name, len(counts), counts, seeds=batch.seeds)
        assert alone.states[0].tobytes() == again.states[row].tobytes()


def test_observe_shows_any_seat(name, num_players):
    batch = played(name, num_players)
    assert np.array_equal(batch.observe(), batch.observations)
    rows, seats = [2, 2, 5], [0, num_players - 1, 1]
    seen = batch.observe(rows, seats)
    env = make(name, False, num_players=num_players)
    assert seen.shape == (3, env.game.view.itemsize)
    views = seen.reshape(-1).view(env.game.view)
    assert views["seat"].tolist() == seats


def test_sample_is_legal_and_uniform(name):
    batch = Batch(name, 4000 if COMPILED else 400, seeds=np.full(4000 if COMPILED else 400, 5))
    actions = batch.sample(np.random.default_rng(0))
    legal = np.flatnonzero(batch.action_masks[0])
    counts = np.array([(actions == action).sum() for action in legal])
    assert counts.sum() == len(batch)
    expected = len(batch) / len(legal)
    chi_square = ((counts - expected) ** 2 / expected).sum()
    assert chi_square < len(legal) + 6 * np.sqrt(2 * len(legal))


def test_worlds_are_redealt_copies(name, num_players):
    batch = played(name, num_players)
    before = everything(batch)
    rows, seats, seeds = [3, 3, 0], [1, 1, 0], [8, 9, 8]
    worlds = batch.worlds(rows, seats, seeds)
    assert worlds.seeds.tolist() == seeds
    assert worlds.states[0].tobytes() != worlds.states[1].tobytes()
    assert np.array_equal(worlds.observe(seats=seats), batch.observe(rows, seats))
    assert worlds.current_players.tolist() == batch.current_players[rows].tolist()
    worlds.step(worlds.sample(np.random.default_rng(0)))
    assert everything(batch) == before


def test_play_out_ends_copies_and_leaves_the_batch(name, num_players):
    batch = played(name, num_players, autoreset=False)
    before = everything(batch)
    points, share = batch.random_rollouts(3)
    assert everything(batch) == before
    assert share.sum(axis=1) == pytest.approx(1)
    assert points.shape == share.shape == (6, num_players)
    assert np.array_equal(points, batch.random_rollouts(3)[0])
    assert not np.array_equal(points, batch.random_rollouts(4)[0])


def test_copies_and_pickles_are_the_same_games(name, num_players):
    batch = played(name, num_players, reward="points")
    before = everything(batch)
    for twin in (batch.copy(), pickle.loads(pickle.dumps(batch))):
        assert everything(twin) == before
        twin.step(twin.sample(np.random.default_rng(1)))
        assert everything(batch) == before
    batch.step(batch.sample(np.random.default_rng(1)))
    assert everything(batch) == everything(twin)


def test_what_is_shown_cannot_be_written(name):
    batch = Batch(name, 2)
    for shown in (
        batch.observations,
        batch.views,
        batch.action_masks,
        batch.current_players,
        batch.rewards,
        batch.dones,
    ):
        with pytest.raises(ValueError, match="read-only"):
            shown[0] = shown[1]


def test_a_bad_step_leaves_all_games_unchanged(name, num_players):
    batch = played(name, num_players)
    before = everything(batch)
    good = [choose(mask, np.random.default_rng(1)) for mask in batch.action_masks]
    illegal = int(np.flatnonzero(batch.action_masks[5] == 0)[0])
    cases = [
        ("row 5: .*is illegal", [*good[:5], illegal], None),
        ("no action", [*good[:5], batch.game.num_actions], None),
        ("no action", [*good[:5], -1], None),
        ("needs 6 actions", good[:5], None),
        ("needs 2 actions", good[:1], [0, 1]),
        ("integers", [float(action) for action in good], None),
        ("integers", [None] * 6, None),
        ("does not exist", good[:1], [6]),
        ("does not exist", good[:1], [-1]),
        ("named twice", [good[2], good[2]], [2, 2]),
        ("integers", good[:1], [0.5]),
    ]
    for words, actions, rows in cases:
        with pytest.raises(ValueError, match=words):
            batch.step(actions, rows)
        assert everything(batch) == before
    batch.step(good)


def test_bad_arguments_are_said(name):
    batch = Batch(name, 2)
    cases = {
        "num_games": lambda: Batch(name, 0),
        "num_players must be one number": lambda: Batch(name, 3, list(GAMES[name].players)[:2]),
        "players, not 9": lambda: Batch(name, 1, 9),
        "no option": lambda: Batch(name, 1, nonsense=1),
        "reward": lambda: Batch(name, 1, reward="gold"),
        "seed": lambda: Batch(name, 1, seed=-1),
        "a seed must be": lambda: Batch(name, 1, seeds=[2**64]),
        "2 seeds are needed": lambda: batch.deal(seeds=[1]),
        "row 2": lambda: batch.deal(rows=[2]),
        "seat 7": lambda: batch.observe(seats=7),
        "1 seeds are needed": lambda: batch.worlds([0], [0], [1, 2]),
    }
    for words, call in cases.items():
        with pytest.raises(ValueError, match=words):
            call()
    for game in ("chess", 5, None, ["lumen"]):
        with pytest.raises(ValueError, match=r"no game .*lanterns, lighthouse, lumen"):
            Batch(game)
