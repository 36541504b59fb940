"""The sequential stop: seldom wrong although it looks after every chunk, and right in the end."""

import numpy as np
import pytest

from lanterns_env.match.stopping import ConfidenceSequence

COARSE = np.linspace(0, 1, 11)
TRIALS = 400
CHUNK = 64  # deals


def stops(probabilities, threshold, chunks, trials=TRIALS):
    """After how many chunks each trial is decided, 0 if never; deals bring 0, 1/2 or 1."""
    rng = np.random.default_rng(8)
    found = np.zeros(trials, int)
    for trial in range(trials):
        sequence = ConfidenceSequence(threshold, COARSE)
        for chunk in range(1, chunks + 1):
            sequence.add(rng.choice([0, 0.5, 1], CHUNK, p=probabilities))
            if sequence.decided:
                found[trial] = chunk
                break
    return found


@pytest.mark.parametrize("probabilities", [(0.25, 0.5, 0.25), (0.5, 0, 0.5), (0.9, 0.02, 0.08), (0, 0.82, 0.18)])
def test_a_match_without_an_answer_is_seldom_stopped(probabilities):
    truth = probabilities[1] / 2 + probabilities[2]
    assert (stops(probabilities, truth, chunks=30) > 0).mean() <= 0.05


def test_a_clear_answer_is_found_soon_and_a_close_one_later():
    clear, close = (stops(p, 0.5, chunks=60, trials=40) for p in ((0.1, 0.2, 0.7), (0.3, 0.2, 0.5)))
    assert (clear > 0).all()
    assert (close > 0).all()
    assert clear.mean() < 2 < close.mean()


def test_the_interval_leaves_the_threshold_out_when_decided_and_holds_the_mean():
    rng = np.random.default_rng(1)
    sequence = ConfidenceSequence(0.5)
    assert (0.0, 1.0) == sequence.interval
    while not sequence.decided:
        sequence.add(rng.choice([0, 1], CHUNK, p=[0.35, 0.65]).astype(float))
    low, high = sequence.interval
    assert 0.5 <= low < 0.65 < high
    assert "0.5" in str(sequence.stop().to_json()["threshold"])


def test_only_the_order_matters_not_how_the_numbers_are_portioned():
    values = np.random.default_rng(2).random(90)
    one, other = ConfidenceSequence(0.3), ConfidenceSequence(0.3)
    one.add(values)
    for part in np.array_split(values, 7):
        other.add(part)
    assert one.interval == other.interval


def test_every_bet_is_a_fair_one():
    """Were a mean the true one, what a gambler owns would stay the same on average, whatever came before."""
    history = np.random.default_rng(3).choice([0.1, 0.4, 0.7], 200)  # long enough for stakes below the boldest
    capital = {}
    for value in (0.0, 1.0):
        sequence = ConfidenceSequence(0.3)
        sequence.add(np.append(history, value))
        capital[value] = np.exp(sequence._capital[:, -1])
    before = ConfidenceSequence(0.3)
    before.add(history)
    assert 0.7 * capital[0.0] + 0.3 * capital[1.0] == pytest.approx(np.exp(before._capital[:, -1]))
