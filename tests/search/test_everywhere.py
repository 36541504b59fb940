"""Search goes through wherever it begins and whatever evaluates its positions: a network, nonsense, or nothing."""

import numpy as np
import pytest
from lanterns_agents.champion import Champion
from lanterns_agents.search import heuristics_of

from lanterns_env import GAMES, Batch
from lanterns_env.search import Search
from tests.attacks.scale import scaled
from tests.conftest import COMPILED

POSITIONS = scaled(48, 5000) if COMPILED else 3  # of every game
ROWS = 16 if COMPILED else 1  # that are searched together
SIMULATIONS = 64 if COMPILED else 12
DECISIONS = 240 if COMPILED else 60  # random ones before a position, at most
HUGE = np.finfo(np.float32).max


class Wild:
    """An evaluator whose logits and values are beyond anything that a network would say."""

    kinds = (
        lambda rng, shape: np.zeros(shape),
        lambda rng, shape: np.full(shape, -1e9),
        lambda rng, shape: np.full(shape, -np.inf),
        lambda rng, shape: rng.choice([-100.0, 100.0], shape),
        lambda rng, shape: rng.choice([-HUGE, 0.0, HUGE], shape),
        lambda rng, shape: rng.choice([-np.inf, -1e9, -87.3, 0.0], shape),
        lambda rng, shape: np.where(rng.random(shape) < 0.1, 100.0, -1e9),
        lambda rng, shape: 10 * rng.standard_normal(shape),
    )

    def __init__(self, game, seed):
        self.game, self.rng = game, np.random.default_rng(seed)

    def policy_and_value(self, views, action_masks):
        kinds = self.rng.integers(len(self.kinds), size=len(views))
        logits = np.stack([self.kinds[kind](self.rng, action_masks.shape[1]) for kind in kinds])
        values = self.rng.uniform(-5, 5, (len(views), self.game.max_players))
        return logits.astype(np.float32), values.astype(np.float32)


def tables(name):
    """Every number of players with the usual options, and with each other value of those that are listed."""
    game = GAMES[name]
    others = [
        {key: value}
        for key, option in game.options.items()
        if not isinstance(option.values, range)
        for value in option.values
        if value != option.default
    ]
    for num_players in game.players:
        for options in [{}, *others]:
            if all(game.options[key].allows(value, num_players) for key, value in options.items()):
                yield num_players, options


def positions(name, number):
    """So many random positions of a game, by the batch; every table comes up in turn."""
    every, rng, found = list(tables(name)), np.random.default_rng(number), 0
    while found < number:
        num_players, options = every[(found // ROWS) % len(every)]
        rows = min(ROWS, number - found)
        batch = Batch(name, rows, num_players, seed=found, **options)
        for _ in range(rng.integers(DECISIONS)):
            batch.step(batch.sample(rng))
        yield batch
        found += rows


def check(batch, found, simulations):
    """What holds of every search."""
    assert np.array_equal(found.simulations, [simulations] * len(batch))
    assert (found.visits.sum(axis=1) >= simulations - 1).all()  # the first looks at the root alone
    assert not found.visits[batch.action_masks == 0].any()
    assert np.isfinite(found.values).all()
    assert found.values.min() >= 0
    assert found.values.max() <= 1
    assert [line[0] for line in found.principal_variations] == found.actions.tolist()


def search_all(name, search, number):
    for batch in positions(name, number):
        found = search.run(batch, np.arange(len(batch)))
        check(batch, found, SIMULATIONS)
        assert np.array_equal(found.visits.sum(axis=1), [SIMULATIONS - 1] * len(batch))


def test_nothing_evaluates(name):
    search_all(name, Search(GAMES[name], SIMULATIONS), POSITIONS)


def test_heuristics_evaluate(name):
    search_all(name, Search(GAMES[name], SIMULATIONS, heuristics=heuristics_of(GAMES[name])), POSITIONS)


def test_nonsense_evaluates(name):
    search_all(name, Search(GAMES[name], SIMULATIONS, evaluator=Wild(GAMES[name], 1)), POSITIONS)


def test_nonsense_evaluates_what_is_known(name):
    """The tree of a decision is gone on with at the next ones."""
    search = Search(GAMES[name], SIMULATIONS, evaluator=Wild(GAMES[name], 2), reuse=True)
    for number, batch in enumerate(positions(name, POSITIONS // 3)):
        for _ in range(4):
            found = search.run(batch, np.arange(len(batch)), np.arange(len(batch)) + ROWS * number)
            check(batch, found, SIMULATIONS)
            batch.step(found.actions)


def test_a_champion_evaluates(name):
    pytest.importorskip("onnxruntime")
    game, evaluator = GAMES[name], Champion().evaluator(name)
    search_all(name, Search(game, SIMULATIONS, heuristics=heuristics_of(game), evaluator=evaluator), POSITIONS)
