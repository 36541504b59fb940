"""Ratings by hand, and whether the intervals hold what they promise."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanterns_env.score.rating import Meeting, Rating, expected_shares, mean_rating, rate

REPEATS = 300
COVERED = 0.92  # at least, of such a number of repeats with 95 % intervals


def meeting(strength, alone, among=None, deals=10):
    return Meeting(strength, np.full(deals, alone), None if among is None else np.full(deals, among))


def test_an_agent_that_draws_with_the_anchor_has_its_rating():
    assert 1000 == pytest.approx(rate(2, [meeting(0.0, 0.5)]).value)
    assert 1000 == pytest.approx(rate(4, [meeting(0.0, 0.25, 0.75)]).value)


def test_ten_times_the_odds_are_400_points():
    found = rate(2, [meeting(0.0, 10 / 11, deals=100_000)])
    assert 1400 == pytest.approx(found.value, abs=0.1)


def test_two_players_by_hand():
    """Three of four games won in each of 10 deals, and one drawn: 15.5 of 21."""
    assert 1000 + 400 * math.log10(15.5 / 5.5) == pytest.approx(rate(2, [meeting(0.0, 0.75)]).value)


def test_four_players_by_hand():
    """Half of the games alone against three: three times as strong as each, but for the one drawn game."""
    found = rate(4, [meeting(0.0, 0.5, 0.9, deals=100_000)])
    assert 1000 + 400 * math.log10(3) == pytest.approx(found.value, abs=0.1)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_what_is_expected_gives_the_strength_back(players):
    """At the strength of the anchor the drawn game draws nowhere."""
    members = [-3.0, 0.0, 1.5]
    meetings = []
    for member in members:
        alone, among = expected_shares(0.0, member, players)
        meetings.append(meeting(member, alone, among if players > 2 else None))
    assert 1000 == pytest.approx(rate(players, meetings).value)


@given(st.lists(st.floats(0, 1), min_size=4, max_size=4), st.integers(0, 3), st.floats(0.01, 1))
def test_who_wins_more_is_rated_higher(shares, place, more):
    def rated(values):
        return rate(3, [meeting(-2.0, values[0], values[1]), meeting(1.0, values[2], values[3])]).value

    better = [min(1, share + more) if k == place else share for k, share in enumerate(shares)]
    assert (better == shares) or rated(better) > rated(shares)


def test_who_wins_everything_has_a_rating_and_a_wide_interval():
    found, close = rate(2, [meeting(0.0, 1.0)]), rate(2, [meeting(0.0, 0.5)])
    assert 1000 + 400 * math.log10(20.5 / 0.5) == pytest.approx(found.value)
    assert found.error > 3 * close.error


def test_deals_that_all_end_alike_leave_doubt():
    found = rate(2, [meeting(0.0, 0.5, deals=4)])
    assert found.error > 10  # the spread of a deal that the model expects, over four and the drawn game


def test_more_deals_mean_a_narrower_interval():
    shares = np.tile([0.25, 0.75], 8)
    one, four = (rate(2, [Meeting(0.0, np.tile(shares, times), None)]) for times in (1, 4))
    assert 2 == pytest.approx(one.error / four.error, rel=0.1)


def test_the_mean_of_ratings():
    assert Rating(1100.0, 2.5) == mean_rating([Rating(1000.0, 3.0), Rating(1200.0, 4.0)])
    low, high = Rating(1100.0, 2.5).interval
    assert (2200.0, 9.8) == pytest.approx((low + high, high - low))


@pytest.mark.parametrize(("players", "deals"), [(2, (64, 64, 8)), (3, (32, 32, 3)), (4, (24, 24, 2))])
def test_intervals_hold_the_true_rating_as_often_as_they_say(players, deals):
    """Games as the model has them, their deals in part good for the agent and in part bad."""
    rng, true, members = np.random.default_rng(5), 0.4, (0.0, -1.0, 1.0)
    inside = 0
    for _ in range(REPEATS):
        meetings = [drawn(rng, players, true, *each) for each in zip(members, deals, strict=True)]
        low, high = rate(players, meetings).interval
        inside += low <= 1000 + 400 * true / math.log(10) <= high
    assert COVERED * REPEATS <= inside


def drawn(rng, players, strength, member, deals):
    sides = [rng.binomial(1, share, (deals, players)).mean(1) for share in expected_shares(strength, member, players)]
    return Meeting(member, sides[0], sides[1] if players > 2 else None)


def test_a_meeting_can_be_seen_from_either_end():
    """What one agent did against a member says where the member would stand, were the agent the known one."""
    alone, among = expected_shares(1.0, 0.0, 3)
    there = rate(3, [meeting(0.0, alone, among, deals=100_000)])
    back = rate(3, [replace(meeting(1.0, 1 - among, 1 - alone, deals=100_000))])
    assert (1000 + 400 / math.log(10), 1000) == pytest.approx((there.value, back.value), abs=0.1)
