"""How fast the engine is: measures of how much it does a second, and their interleaved repeats."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from lanterns_env.engine.batch import Batch
from lanterns_env.envs.aec import make

Measure = Callable[[float], float]  # seconds to spend -> how many a second
PLAYED_OUT = 256  # games of one call
BATCH_DECISIONS = 4096  # of one piece of work, whatever the size of the batch
QUARTILES = (0.25, 0.5, 0.75)


def rate(work: Callable[[], int], seconds: float) -> float:
    """How much work is done a second."""
    done, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        done += work()
    return done / (time.perf_counter() - begin)


def own_measures(game: str, players: int, batches: Sequence[int]) -> dict[str, Measure]:
    """All that is measured of one game: a PettingZoo loop, batches of several sizes, compiled games."""
    measures = {
        f"{game} env()": aec_measure(make(game, True, num_players=players)),
        f"{game} raw_env()": aec_measure(make(game, False, num_players=players)),
    }
    for num_games in batches:
        measures |= batch_measures(game, players, num_games)
    return measures | kernel_measures(game, players)


def batch_measures(game: str, players: int, num_games: int) -> dict[str, Measure]:
    """Step, view and mask of a batch, with and without the sampling of actions."""
    batch = Batch(game, num_games, players, seed=1)
    rng = np.random.default_rng(1)
    calls = max(1, BATCH_DECISIONS // num_games)

    def with_sampling() -> int:
        for _ in range(calls):
            batch.step(batch.sample(rng))
        return calls * num_games

    def steps_alone(seconds: float) -> float:
        """The time of the steps alone; the actions are drawn outside of it."""
        done, spent = 0, 0.0
        while spent < seconds:
            actions = batch.sample(rng)
            begin = time.perf_counter()
            batch.step(actions)
            spent += time.perf_counter() - begin
            done += num_games
        return done / spent

    def sampling() -> int:
        for _ in range(calls):
            batch.sample(rng)
        return calls * num_games

    return {
        f"batch {num_games}: step, view, mask": steps_alone,
        f"batch {num_games}: with sampling": lambda seconds: rate(with_sampling, seconds),
        f"batch {num_games}: sampling alone": lambda seconds: rate(sampling, seconds),
    }


def kernel_measures(game: str, players: int) -> dict[str, Measure]:
    """Random games inside compiled code, and copies."""
    deals = Batch(game, PLAYED_OUT, players, seed=1)
    env = make(game, False, num_players=players)
    env.reset(seed=1)
    length = mean_length(game, players)
    seeds = iter(range(10**9))

    def play_outs() -> int:
        deals.random_rollouts(next(seeds))
        return PLAYED_OUT

    def clones() -> int:
        for _ in range(100):
            env.clone()
        return 100

    return {
        "play-outs from the deal": lambda seconds: rate(play_outs, seconds),
        "decisions in play-outs": lambda seconds: rate(play_outs, seconds) * length,
        "clone of an env": lambda seconds: rate(clones, seconds),
    }


def mean_length(game: str, players: int) -> float:
    """Decisions of a random game."""
    batch = Batch(game, 256, players, seed=1)
    rng = np.random.default_rng(1)
    decisions = ended = 0
    while ended < 1000:
        batch.step(batch.sample(rng))
        decisions += len(batch)
        ended += int(batch.dones.sum())
    return decisions / ended


def aec_measure(env: Any) -> Measure:
    """Whole games of a PettingZoo environment, uniform among the legal actions."""
    rng = np.random.default_rng(1)

    def game() -> int:
        turns = 0
        env.reset(seed=int(rng.integers(1 << 30)))
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(legal[int(rng.random() * len(legal))])
            turns += 1
        return turns

    return lambda seconds: rate(game, seconds)


def run(measures: Mapping[str, Measure], seconds: float, rounds: Iterable[Any]) -> dict[str, list[float]]:
    """All measures one after the other, round by round, so that a busy moment of the machine hits all of them."""
    for measure in measures.values():
        measure(0.01)  # compiled, in the caches
    results: dict[str, list[float]] = {name: [] for name in measures}
    for _ in rounds:
        for name, measure in measures.items():
            results[name].append(measure(seconds))
    return results


def median_and_quartiles(values: list[float]) -> tuple[float, float, float]:
    low, middle, high = np.quantile(values, QUARTILES).tolist()
    return middle, low, high
