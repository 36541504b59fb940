"""How fast seats are: the native VecEnv and vector environment beside the usual ways, in one run, interleaved.

    python scripts/bench/seats.py --game lanterns --players 2

"DummyVecEnv" is stable-baselines3's, around one environment wrapped as PettingZoo's tutorial for SB3 wraps it; all
sample uniformly among the legal actions with the same NumPy code.  A bare Batch plays the same number of decisions,
those of the opponents included.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from stable_baselines3.common.vec_env import DummyVecEnv

from lanterns_env import GAMES, Batch
from lanterns_env.envs.aec import make
from lanterns_env.games.raster import rgb_array
from lanterns_env.sb3 import SeatVecEnv
from lanterns_env.support.files import check_target, write_whole

SB3_GAMES, VECTOR_GAMES = 256, 1024
RGB_FRAMES = 5


class TutorialWrapper(gymnasium.Env):
    """A PettingZoo environment as SB3 sees it in the tutorial: every step shows whoever is next."""

    def __init__(self, env: Any) -> None:
        self.env = env
        self.observation_space = env.observation_space(env.possible_agents[0])["observation"]
        self.action_space = env.action_space(env.possible_agents[0])

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        self.env.reset(seed=seed)
        return self.env.last()[0]["observation"], {}

    def step(self, action: int) -> Any:
        self.env.step(action)
        observation, reward, terminated, truncated, info = self.env.last()
        return observation["observation"], reward, terminated, truncated, info

    def action_masks(self) -> Any:
        return self.env.last()[0]["action_mask"]


def choose(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Uniform among the legal actions, with NumPy alone."""
    ranks = masks.cumsum(axis=1, dtype=np.int16)
    drawn = (rng.random(len(masks)) * ranks[:, -1]).astype(np.int16)
    return (ranks > drawn[:, None]).argmax(axis=1)


def rate(work: Callable[[], int], seconds: float) -> float:
    done, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        done += work()
    return done / (time.perf_counter() - begin)


def sb3_work(env: Any, num_envs: int) -> Callable[[], int]:
    rng = np.random.default_rng(1)
    env.reset()

    def step() -> int:
        env.step(choose(np.stack(env.env_method("action_masks")), rng))
        return num_envs

    return step


def vector_work(game: str, players: int) -> tuple[Callable[[], int], Callable[[], int]]:
    """A step of the vector environment, and of a bare Batch until as many decisions have been played."""
    envs = gymnasium.make_vec(f"lanterns_env/{game.capitalize()}-v0", num_envs=VECTOR_GAMES, num_players=players)
    batch = Batch(game, VECTOR_GAMES, players, seed=1)
    rng = np.random.default_rng(1)
    envs.reset(seed=1)

    def step() -> int:
        envs.step(envs.seats.batch.sample(rng))
        return VECTOR_GAMES

    def bare() -> int:
        for _ in range(players):  # the seat's own decision and about as many of each opponent
            batch.step(batch.sample(rng))
        return VECTOR_GAMES

    return step, bare


def frame_work(game: str, players: int) -> Callable[[], int]:
    """Pictures late in the game, all-seeing."""
    env = make(game, False, num_players=players)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    rewound = []
    while not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
        rewound.append(env.get_state())
        env.step(int(choose(env.batch.action_masks, rng)[0]))
    env.set_state(rewound[-5])

    def frames() -> int:
        for _ in range(RGB_FRAMES):
            rgb_array(env.picture())
        return RGB_FRAMES

    return frames


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="lanterns", choices=list(GAMES))
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    check_target(arguments.json)
    game, players = arguments.game, GAMES[arguments.game].check_players(arguments.players)
    dummy = DummyVecEnv([lambda: TutorialWrapper(make(game, True, num_players=players))])
    step, bare = vector_work(game, players)
    works = {
        "DummyVecEnv, 1 game": sb3_work(dummy, 1),
        f"SeatVecEnv, {SB3_GAMES} games": sb3_work(SeatVecEnv(game, SB3_GAMES, players, seed=1), SB3_GAMES),
        f"bare Batch, {VECTOR_GAMES} games": bare,
        f"make_vec, {VECTOR_GAMES} games": step,
        "frames, most players, late": frame_work(game, max(GAMES[game].players)),
    }
    results: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()
    for _ in track(range(arguments.rounds), description="rounds", transient=True):
        for name, work in works.items():
            results[name].append(rate(work, arguments.seconds))
    report(results, arguments)


def report(results: dict[str, list[float]], arguments: argparse.Namespace) -> None:
    dummy, native, bare, vector, _ = results.values()
    ratios = {
        "SeatVecEnv times DummyVecEnv": [a / b for a, b in zip(native, dummy, strict=True)],
        "bare Batch times make_vec": [a / b for a, b in zip(bare, vector, strict=True)],
    }
    title = f"{arguments.game}, {arguments.players} players: steps of the seat a second, {arguments.rounds} rounds"
    table = Table("what", "median", "quartiles", title=title)
    figures = {}
    for name, values in (results | ratios).items():
        low, middle, high = np.quantile(values, (0.25, 0.5, 0.75)).tolist()
        digits = 2 if name in ratios else 0
        table.add_row(name, f"{middle:,.{digits}f}", f"{low:,.{digits}f}..{high:,.{digits}f}")
        figures[name] = {"median": statistics.median(values), "quartiles": [low, high]}
    Console().print(table)
    if arguments.json:
        whole = {
            "game": arguments.game,
            "players": arguments.players,
            "rounds": arguments.rounds,
            "figures": figures,
        }
        write_whole(arguments.json, json.dumps(whole, indent=1) + "\n")


if __name__ == "__main__":
    main()
