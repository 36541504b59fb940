"""What every seat may expect: who is meant by which number, how far values are off, and that all can be learnt."""

import dataclasses

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from lanterns_agents.networks.base import make_network  # noqa: E402
from lanterns_agents.networks.seat_values import (  # noqa: E402
    seat_targets,
    seat_value_loss,
    seated_mask,
    seats_from_viewer,
)

from lanterns_env import GAMES, Batch  # noqa: E402
from tests.conftest import COMPILED  # noqa: E402

PLAYERS = 3
GAMES_PLAYED = 400 if COMPILED else 60
LATE = 100  # decisions of a game, after which somebody is ahead
UPDATES, MINIBATCH = 300, 512
CHANCE_OF_RANKING = 0.5  # of two seats that are taken to be alike


def test_seats_are_in_turn_order_from_the_viewer():
    viewers, num_players = np.array([0, 1, 2, 1]), np.array([4, 3, 3, 2])
    expected = [[0, 1, 2, 3], [1, 2, 0, 3], [2, 0, 1, 3], [1, 0, 2, 3]]
    assert expected == seats_from_viewer(viewers, num_players, 4).tolist()
    assert [[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 0, 0]] == seated_mask(num_players, 4).astype(int).tolist()


def test_targets_are_the_results_of_all_seats_and_sum_to_0():
    results = np.array([[1, -0.5, -0.5, 9], [1, -0.5, -0.5, 9], [6, 3, 0, 0]], np.float32)
    found = seat_targets(results, np.array([0, 2, 1]), np.array([3, 3, 3]))
    assert [[1, -0.5, -0.5, 0], [-0.5, 1, -0.5, 0], [0, -3, 3, 0]] == found.tolist()
    assert np.float32 == found.dtype


def test_the_loss_is_over_the_seats_that_are_taken():
    values, targets = torch.tensor([[0.5, -0.5, 0, 0], [0.4, 0, -0.4, 0]]), torch.zeros(2, 4)
    assert (0.5 / 2 + 0.32 / 3) / 2 == pytest.approx(seat_value_loss(values, targets, torch.tensor([2, 3])).item())


# -- learning ---------------------------------------------------------------------------------------------------------


def late_positions(game, seed):
    """Observations near the end of random games, whose they are, and the outcomes of all seats."""
    batch, rng = Batch(game, GAMES_PLAYED, PLAYERS, seed=seed, autoreset=False), np.random.default_rng(seed)
    observations, viewers, numbers = [], [], []
    for step in range(10_000):
        rows = np.flatnonzero(~batch.dones)
        if not len(rows):
            break
        if step >= LATE and step % PLAYERS == 0:
            observations.append(batch.observations[rows])
            viewers.append(batch.current_players[rows])
            numbers.append(rows)
        batch.step(batch.sample(rng, rows), rows)
    numbers = np.concatenate(numbers)
    outcomes = ((PLAYERS * batch.scores()[1] - 1) / (PLAYERS - 1)).astype(np.float32)
    return np.concatenate(observations), np.concatenate(viewers), outcomes[numbers]


def learnt_values(game, observations, targets, seats, fresh):
    """Of a small network that has learnt the first so many of the targets: its values of other positions."""
    torch.manual_seed(0)
    network = make_network(game, hidden_size=64)
    optimizer, rng = torch.optim.Adam(network.parameters(), 3e-3), np.random.default_rng(0)
    for _ in range(UPDATES):
        rows = rng.integers(len(observations), size=MINIBATCH)
        _, values = network.unmasked(torch.from_numpy(observations[rows]))
        wanted = torch.from_numpy(targets[rows])
        loss = seat_value_loss(values[:, :seats], wanted[:, :seats], torch.full((MINIBATCH,), seats))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        return network.unmasked(torch.from_numpy(fresh))[1].numpy()


def ranked_right(values, targets):
    """How often the seat that did better has the higher value; of seats with one value every second time."""
    pairs = [(left, right) for left in range(PLAYERS) for right in range(left)]
    right = [np.sign(values[:, a] - values[:, b]) * np.sign(targets[:, a] - targets[:, b]) for a, b in pairs]
    decided = [targets[:, a] != targets[:, b] for a, b in pairs]
    return CHANCE_OF_RANKING * (1 + np.concatenate(right)[np.concatenate(decided)].mean())


def test_values_of_all_seats_rank_them_better_than_one_and_the_rest_shared_alike():
    """In games that the networks have not seen."""
    game = dataclasses.replace(GAMES["lumen"], name="lumen_alone")  # no features: a plain network
    (seen, viewers, outcomes), (fresh, fresh_viewers, fresh_outcomes) = (late_positions(game, seed) for seed in (1, 2))
    targets = seat_targets(outcomes, viewers, np.full(len(seen), PLAYERS))
    expected = seat_targets(fresh_outcomes, fresh_viewers, np.full(len(fresh), PLAYERS))
    of_all, own = (learnt_values(game, seen, targets, seats, fresh) for seats in (PLAYERS, 1))
    shared_alike = own[:, :1] * np.array([1] + [-1 / (PLAYERS - 1)] * (PLAYERS - 1))
    better, before = ranked_right(of_all, expected), ranked_right(shared_alike, expected)
    assert of_all.sum(1) == pytest.approx(0, abs=1e-5)
    assert better > before + 0.05
    error = np.square(of_all[:, :PLAYERS] - expected[:, :PLAYERS]).mean()
    assert error < np.square(shared_alike - expected[:, :PLAYERS]).mean()
