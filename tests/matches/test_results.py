"""The figures of a match against numbers worked out by hand, and the intervals against what they promise."""

import json

import numpy as np
import pytest

from lanterns_env.match.playing import make_match
from lanterns_env.match.statistics import Records, differences, interval, plain_numbers, rows, save_json

SEATINGS = np.array([[0, 1], [1, 0]])


def records(shares, points=None, decisions=None):
    shares = np.array(shares, np.float32)
    points = shares if points is None else np.array(points, np.float32)
    decisions = np.ones(shares.shape, np.int32) if decisions is None else np.array(decisions, np.int32)
    return Records(shares, points, decisions, np.zeros(shares.shape[:2], np.bool_))


def by_hand():
    """Two deals, each in two rotations: A wins, loses; wins, shares."""
    shares = [[[1, 0], [1, 0]], [[1, 0], [0.5, 0.5]]]
    points = [[[20, 10], [15, 11]], [[9, 7], [8, 8]]]
    return records(shares, points, [[[5, 4], [3, 2]], [[6, 6], [1, 2]]])


def test_figures_of_a_match_worked_out_by_hand():
    first, second = rows(by_hand(), ("A", "B"), SEATINGS, seed=0)
    assert ("A", 1, 4) == (first.agent, first.seats, first.games)
    assert (1 + 0 + 1 + 0.5) / 4 == first.win_share
    assert (1.0, 0.25) == first.win_share_by_seat
    assert (20 + 11 + 9 + 8) / 4 == first.mean_points
    assert (10 - 4 + 2 + 0) / 4 == first.mean_margin
    assert (0.75, 0.25) == first.places
    assert (0.5, 0.5) == second.places
    assert (9 + 5 + 12 + 3) / 4 == first.mean_length
    assert (5 + 2 + 6 + 2) / 4 == first.own_decisions
    assert 1 - first.win_share == second.win_share
    (difference,) = differences(by_hand(), ("A", "B"), SEATINGS, seed=0)
    assert ("A", "B", 2 * first.win_share - 1) == (difference.agent, difference.minus, difference.win_share)


def test_intervals_of_two_deals_are_the_three_means_they_can_be_resampled_to():
    first, _ = rows(by_hand(), ("A", "B"), SEATINGS, seed=0)
    assert (0.5, 0.75) == first.interval  # deals of 0.5 and 0.75
    assert (8.5, 15.5) == first.points_interval
    assert (1, 3) == first.margin_interval


def test_places_by_brute_force():
    rng = np.random.default_rng(4)
    points = rng.integers(0, 4, (50, 4, 4))
    shares = np.where(points == points.max(-1, keepdims=True), 1, 0) / (points == points.max(-1, keepdims=True)).sum(
        -1, keepdims=True
    )
    shares[0, 0], points[0, 0] = [0, 1, 0, 0], [9, 8, 3, 9]  # won by what points do not show
    found = records(shares, points)
    for deal, rotation in np.ndindex(50, 4):
        own = list(zip(shares[deal, rotation] > 0, points[deal, rotation], strict=True))
        for seat, (won, score) in enumerate(own):
            ahead = [other for other in own if (other[0] and not won) or (other[0] == won == 0 and other[1] > score)]
            assert 1 + len(ahead) == found.places[deal, rotation, seat]
            others = np.delete(points[deal, rotation], seat)
            assert score - max(others) == found.margins[deal, rotation, seat]


def test_copies_are_counted_by_seat_so_that_a_fair_share_stays_fair():
    seatings = make_match("lanterns", ["A", "B"], 4).seatings
    shares = np.full((3, 4, 4), 0.25)
    first, copies = rows(records(shares), ("A", "B"), seatings, seed=0)
    assert (1, 3) == (first.seats, copies.seats)
    assert 0.25 == first.win_share == copies.win_share
    shares = np.array([[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]] * 9)
    first, copies = rows(records(shares), ("A", "B"), seatings, seed=0)
    alike = 0.05 ** (1 / 9)
    assert (alike, 1) == pytest.approx(first.interval)
    assert (0, (1 - alike) / 3) == pytest.approx(copies.interval)  # of a win that three share


@pytest.mark.parametrize("agents", [["A", "B"], ["A", "B", "C"], ["A", "B", "C", "D"]])
def test_a_seat_that_always_wins_gives_everyone_the_fair_share(agents):
    seatings = make_match("lanterns", agents, 4).seatings
    shares = np.zeros((5, 4, 4))
    shares[:, :, 0] = 1
    for row in rows(records(shares), tuple(agents), seatings, seed=0):
        assert 0.25 == row.win_share
        assert (1.0, 0.0, 0.0, 0.0) == row.win_share_by_seat


def widths(shares):
    first, _ = rows(records(shares), ("A", "B"), SEATINGS, seed=1)
    return first.interval[1] - first.interval[0]


def test_intervals_know_that_games_of_one_deal_belong_together():
    """100 deals of two games: wide if a deal's games go the same way, narrow if one makes up for the other."""
    wins = np.random.default_rng(3).integers(0, 2, 100)
    same_agent = np.stack([np.stack([wins, 1 - wins], -1), np.stack([1 - wins, wins], -1)], 1)
    independent = 2 * 1.96 * np.sqrt(wins.var() / 200)
    assert widths(same_agent) == pytest.approx(np.sqrt(2) * independent, rel=0.1)
    same_seat = np.stack([np.stack([wins, 1 - wins], -1)] * 2, 1)
    assert widths(same_seat) < independent / 2


def test_deals_that_came_out_alike_leave_room_for_others():
    low, high = interval(np.ones(100), 0, (0.0, 1.0))
    assert 1.0 == high
    assert low**100 == pytest.approx(0.05)
    assert interval(np.array([0.5]), 0, (0.0, 1.0)) == pytest.approx((0.025, 0.975))


def test_an_interval_holds_the_mean_nineteen_times_in_twenty():
    rng = np.random.default_rng(5)
    held = 0
    for trial in range(200):
        low, high = interval(rng.choice([0, 0.5, 1], 80, p=[0.2, 0.3, 0.5]), trial, (0.0, 1.0))
        held += low <= 0.65 <= high
    assert 180 <= held <= 198


def test_records_come_back_from_json(tmp_path):
    kept = by_hand()
    kept.shares[0, 0] = np.float32([1 / 3, 2 / 3])
    kept.truncated[1, 0] = True
    save_json({"figures": 1, "records": kept.to_json()}, tmp_path / "result.json")
    back = Records.from_json(json.loads((tmp_path / "result.json").read_text())["records"], 2, 2)
    for name in ("shares", "points", "decisions", "truncated"):
        assert np.array_equal(getattr(kept, name), getattr(back, name)), name
        assert getattr(kept, name).dtype == getattr(back, name).dtype, name
    assert [1, 0.5] == plain_numbers(np.array([1, 0.5], np.float32))
