"""MaskablePPO of sb3-contrib on the native VecEnv: one seat learns, agents or earlier selves play the others.

    python scripts/train_sb3.py configs/lanterns_2p_sb3.toml
    python scripts/train_sb3.py configs/lanterns_2p_sb3.toml opponents=greedy minutes=10 name=longer
    python scripts/train_sb3.py --resume runs/longer minutes=20

The networks, settings, evaluation and files are those of train_ppo.py, and a run is exported in the same way; it also
writes model.zip, which MaskablePPO.load reads.
"""

import copy
import io
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from lanterns_agents.network import Network
from lanterns_agents.sb3 import NetworkPolicy
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import FloatSchedule, set_random_seed
from train_ppo import Pool, Progress, Settings, begin, decide, open_run, read_arguments, write

from lanterns_env.agent import Table
from lanterns_env.sb3 import VecSeats

SELF = "self"  # among the opponents: earlier selves of the run
MODEL = "model.zip"
FIGURES = {  # SB3's words for what is logged
    "policy": "train/policy_gradient_loss",
    "value": "train/value_loss",
    "entropy": "train/entropy_loss",
    "kl": "train/approx_kl",
    "clipped": "train/clip_fraction",
    "explained": "train/explained_variance",
}


@dataclass(frozen=True)
class Config(Settings):
    """All settings of a run; the keys of a TOML file and of the command line."""

    opponents: tuple[str, ...] = (SELF,)  # "self" or agents: one for all other seats, or one for each
    reward: str = "outcome"  # or "margin"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.players) != 1:
            raise ValueError(f"players must be one number here, not {list(self.players)}")
        if self.rollout % self.num_games:
            raise ValueError(f"rollout must be a multiple of num_games, not {self.rollout} of {self.num_games}")
        if len(self.opponents) not in (1, self.players[0] - 1):
            raise ValueError("opponents must be one for all other seats, or one for each of them")


class EarlierSelves:
    """A pool as an agent: the number of a game says which of the earlier selves plays in it."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool

    def act(self, table: Table, rng: np.random.Generator) -> Any:
        met = table.games % len(self.pool.networks)
        asked = [(network, np.flatnonzero(met == number)) for number, network in enumerate(self.pool.networks)]
        return decide(asked, table.game.flat(table.views), table.masks, rng)[0]


class Run(Progress):
    """All that a run consists of: what a checkpoint holds."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        torch.set_num_threads(config.threads)
        self.pool = Pool(config.pool_size)
        selves = EarlierSelves(self.pool)
        opponents = [selves if name == SELF else name for name in config.opponents]
        opponents *= (config.players[0] - 1) // len(opponents)
        self.envs = VecSeats(
            self.game,
            config.num_games,
            *config.players,
            seat="random",
            opponents=opponents,
            reward=config.reward,
            scaled=False,
            **config.options,
        )
        sizes = {"game": config.game, "hidden": config.hidden, "item": config.item}
        self.model = MaskablePPO(
            NetworkPolicy, self.envs, policy_kwargs=sizes, seed=config.seed, device="cpu", **self.settings()
        )
        self.pool.add(self.network)

    @property
    def network(self) -> Network:
        return self.model.policy.network

    def settings(self) -> dict[str, Any]:
        """What a run may be resumed with anew, in SB3's words."""
        config = self.config
        return {
            "n_steps": config.rollout // config.num_games,
            "batch_size": config.minibatch,
            "n_epochs": config.epochs,
            "gamma": config.discount,
            "gae_lambda": config.trace,
            "clip_range": config.clip,
            "ent_coef": config.entropy,
            "vf_coef": config.value,
            "max_grad_norm": config.max_norm,
        }

    def zipped(self) -> bytes:
        """The model as MaskablePPO.load reads it."""
        buffer = io.BytesIO()
        self.model.save(buffer)
        return buffer.getvalue()

    def saved(self) -> dict[str, Any]:
        envs = copy.copy(self.envs)
        envs.seats = copy.copy(envs.seats)
        envs.seats.opponents = []  # made anew from their names
        plain = {name: getattr(self, name) for name in ("updates", "decisions", "games", "seconds")}
        return {"model": self.zipped(), "envs": envs, "pool": self.pool.saved(), "plain": plain}

    def restore(self, saved: dict[str, Any]) -> None:
        saved["envs"].seats.opponents = self.envs.seats.opponents
        self.envs = saved["envs"]
        zipped = io.BytesIO(saved["model"])
        self.model = MaskablePPO.load(zipped, self.envs, device="cpu", force_reset=False, **self.settings())
        self.pool.restore(self.game, saved["pool"])
        for name, value in saved["plain"].items():
            setattr(self, name, value)


class Watch(BaseCallback):
    """Counts games, and notes when playing ends and learning begins."""

    def __init__(self) -> None:
        super().__init__()
        self.games, self.played = 0, 0.0

    def _on_step(self) -> bool:
        self.games += int(self.locals["dones"].sum())
        return True

    def _on_rollout_end(self) -> None:
        self.played = time.perf_counter()


def update(run: Run) -> tuple[dict[str, float], float]:
    """Play and learn once; what is logged, decisions a second."""
    config, model, watch = run.config, run.model, Watch()
    # Each update has random numbers of its own, so that a resumed run need only know how many there were.
    set_random_seed(int(np.random.SeedSequence([config.seed, run.updates]).generate_state(1)[0]))
    model.lr_schedule = FloatSchedule(run.learning_rate())
    begun = time.perf_counter()
    model.learn(config.rollout, watch, log_interval=None, reset_num_timesteps=False)
    run.updates += 1
    if run.updates % config.pool_every == 0:
        run.pool.add(run.network)
    ended = time.perf_counter()
    run.spent = {"play": watch.played - begun, "learn": ended - watch.played}
    run.seconds += ended - begun
    run.games += watch.games
    run.decisions = model.num_timesteps
    figures = {name: float(model.logger.name_to_value[key]) for name, key in FIGURES.items()}
    return figures | {"entropy": -figures["entropy"]}, config.rollout / (ended - begun)


def main(words: Sequence[str]) -> None:
    run, folder = open_run(*read_arguments(words, Config), Run)
    begin(run, folder, update)
    write(folder / MODEL, run.zipped())


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except ValueError as error:
        raise SystemExit(f"train_sb3: {error}") from None
