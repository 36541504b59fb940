"""The buffer of decisions: who follows whom, what is paid, and advantages by hand."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from lanterns_agents.training import ppo  # noqa: E402
from lanterns_agents.training.ppo import END, OPEN, RolloutBuffer, find_advantages  # noqa: E402

from lanterns_env import Batch  # noqa: E402
from tests.learning.runs import tiny_run  # noqa: E402

# -- advantages -----------------------------------------------------------------------------------------------


def add(buffer, batch, seat, value):
    """One decision in the only game; of the others nothing is expected."""
    shown = {"observations": batch.observations, "action_masks": batch.action_masks, "num_players": batch.num_players}
    values = [[value] + [0.0] * (batch.game.max_players - 1)]
    buffer.add(np.zeros(1, np.int64), np.array([seat]), actions=[0], logps=[0.0], values=values, features=0, **shown)


def recorded(num_seats, movers, ends=(), pay=()):
    """A buffer of one game at a time: who moved, with values 1, 2, 3 ...; games end after the named moves."""
    batch = Batch({2: "lighthouse", 3: "lanterns", 4: "lanterns", 5: "lumen"}[num_seats], 1, num_seats)
    buffer = RolloutBuffer(batch, 50)
    for move, seat in enumerate(movers):
        add(buffer, batch, seat, move + 1.0)
        if move in ends:
            buffer.end(np.zeros(1, np.int64), np.array([pay[ends.index(move)]], np.float32))
    return buffer


def of_all_seats(buffer, gamma=1.0, gae_lambda=1.0):
    n = buffer.count
    return find_advantages(buffer.values[:n], buffer.rewards[:n], buffer.next_index[:n], gamma, gae_lambda)


def advantages(buffer, gamma=1.0, gae_lambda=1.0):
    """Of the seats that decide."""
    return of_all_seats(buffer, gamma, gae_lambda)[:, 0].tolist()


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_decision_is_followed_by_the_next_of_the_same_seat(seats):
    """Everybody moves twice, the last seat ends the game; each is paid by its seat, all together nothing."""
    pay = [seat - (seats - 1) / 2 for seat in range(seats)]
    buffer = recorded(seats, [*range(seats)] * 2, [2 * seats - 1], [pay])
    assert [*range(seats, 2 * seats), *[END] * seats] == buffer.next_index[: buffer.count].tolist()
    first = [pay[seat] - (seat + 1) for seat in range(seats)]
    last = [pay[seat] - (seats + seat + 1) for seat in range(seats)]
    assert first + last == advantages(buffer)


def test_every_seat_is_paid_in_turn_order_from_who_decides():
    """Three of four places are taken; what is paid of the others follows the decisions of the same seat."""
    buffer = recorded(3, [0, 1, 2, 0], [3], [(2, 1, -3)])
    assert [[0, 0, 0, 0], [1, -3, 2, 0], [-3, 2, 1, 0], [2, 1, -3, 0]] == buffer.rewards[:4].tolist()
    assert [[2 - 1, 1, -3, 0], [1 - 2, -3, 2, 0], [-3 - 3, 2, 1, 0], [2 - 4, 1, -3, 0]] == of_all_seats(buffer).tolist()


def test_rewards_that_do_not_sum_to_nothing_are_distances_from_their_mean():
    buffer = recorded(3, [0, 1, 2], [2], [(6, 3, 0)])
    assert [[3, 0, -3, 0], [0, -3, 3, 0], [-3, 3, 0, 0]] == buffer.rewards[:3].tolist()


def test_advantages_of_uneven_turns_by_hand():
    """Seat 0 moves twice before seat 1, which ends the game: discount and trace of one half."""
    buffer = recorded(2, [0, 0, 1, 0, 1], [4], [(8, -8)])
    last_0, last_1 = 8 - 4, -8 - 5
    second_0 = 0.5 * 4 - 2 + 0.25 * last_0
    first_0 = 0.5 * 2 - 1 + 0.25 * second_0
    first_1 = 0.5 * 5 - 3 + 0.25 * last_1
    assert [first_0, second_0, first_1, last_0, last_1] == advantages(buffer, 0.5, 0.5)


def test_nothing_crosses_the_end_of_a_game():
    buffer = recorded(2, [0, 1, 0, 1], [1, 3], [(1, -1), (-1, 1)])
    assert [1 - 1, -1 - 2, -1 - 3, 1 - 4] == advantages(buffer)


def test_an_open_decision_waits_and_lends_its_value():
    buffer = recorded(3, [0, 1, 2, 0, 1], [], [])
    assert [3, 4, OPEN, OPEN, OPEN] == buffer.next_index[:5].tolist()
    assert [4 - 1, 5 - 2, 0, 0, 0] == advantages(buffer)


def test_open_decisions_are_learnt_from_in_the_next_rollout():
    buffer = recorded(3, [0, 1, 2, 0, 1], [], [])
    buffer.carry_over_open()
    assert [3.0, 4.0, 5.0] == buffer.values[: buffer.count, 0].tolist()
    add(buffer, Batch("lanterns", 1, 3), 2, 6.0)
    buffer.end(np.zeros(1, np.int64), np.array([[1, 2, -3]], np.float32))
    assert [3, END, END, END] == buffer.next_index[:4].tolist()
    assert [-3 - 3, 1 - 4, 2 - 5, -3 - 6] == advantages(buffer)


def test_a_cut_game_is_an_end():
    """Lighthouse, cut after three turns: every decision but the open ones of new games is followed or paid."""
    run = tiny_run(game="lighthouse", game_options={"max_turns": 3}, batch_size=300)
    ppo.collect(run)
    n = run.buffer.count
    assert (run.buffer.next_index[:n] == END).sum() > 20
    assert (run.buffer.next_index[:n] == OPEN).sum() <= 8 * 2
    ended = run.buffer.next_index[:n] == END
    gained = run.buffer.rewards[:n] - run.buffer.values[:n]  # what lies beyond was never written
    assert np.array_equal(gained[ended], of_all_seats(run.buffer)[ended])


def test_every_decision_is_learnt_from_once():
    """Of one rollout after the other: all decisions made, but those that are still open."""
    run = tiny_run(game="lumen", num_players=[3, 5])
    learnt, n = 0, 0
    for _ in range(4):
        ppo.collect(run)
        n = run.buffer.count
        learnt += int((run.buffer.next_index[:n] != OPEN).sum())
        run.buffer.carry_over_open()
    assert learnt + run.buffer.count == run.decisions


def test_rewards_add_up_to_nothing():
    """Outcomes of a game, whoever moved last: all seats have decided, so all are in the buffer."""
    run = tiny_run(game="lumen", num_players=[4], batch_size=8 * 4 * 50)
    ppo.collect(run)
    rewards = run.buffer.rewards[: run.buffer.count]
    assert rewards.any()
    assert rewards.sum(0) == pytest.approx(0, abs=1e-4)
    assert rewards.sum(1) == pytest.approx(0, abs=1e-6)


def test_a_round_of_lumen_is_an_end_where_it_is_evaluated():
    """Seats are paid at the end of every round; all but the last by the agents' evaluation, which takes sides less."""
    run = tiny_run(game="lumen", num_players=[3], use_heuristic_value=True, batch_size=8 * 3 * 44 * 2)
    ppo.collect(run)
    n = run.buffer.count
    ends, rewards = run.buffer.next_index[:n] == END, run.buffer.rewards[:n]
    paid = rewards[ends, 0]
    assert not rewards[~ends].any()
    outright = np.isclose(paid, 1) | np.isclose(paid, -0.5)
    assert 0.2 < outright.mean() < 0.3
    assert abs(paid.mean()) < 1e-3  # seats that had not decided yet are not paid
    assert paid.min() >= -0.5 - 1e-6


def test_every_position_of_lanterns_is_an_end_where_it_is_evaluated():
    run = tiny_run(game="lanterns", num_players=[2], use_heuristic_value=True, batch_size=16)
    ppo.collect(run)
    n = run.buffer.count
    assert (run.buffer.next_index[:n] == END).all()
    assert 0 < np.abs(run.buffer.rewards[:n]).max() <= 1


def test_a_game_without_evaluation_has_no_heuristic_value(monkeypatch):
    monkeypatch.setattr("lanterns_agents.training.self_play.heuristics_of", lambda game: None)
    with pytest.raises(ValueError, match="use_heuristic_value: there is no evaluation of Lanterns; set it to false"):
        tiny_run(use_heuristic_value=True)
