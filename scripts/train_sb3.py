"""MaskablePPO of sb3-contrib on the native VecEnv: one seat learns, agents or earlier selves play the others.

    python scripts/train_sb3.py configs/lanterns_2p_sb3.toml
    python scripts/train_sb3.py configs/lanterns_2p_sb3.toml opponents=greedy max_minutes=10 run_name=longer
    python scripts/train_sb3.py --resume runs/longer max_minutes=20

Networks, settings, evaluation and files are those of lanterns_agents/training, and a run is exported in the same way;
it also writes model.zip, which MaskablePPO.load reads.  That file is SB3's own: loading it may run what is in it, and
nothing here does.
"""

import io
import pathlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import torch
from lanterns_agents.networks.arrays import Arrays, take, those_under, under
from lanterns_agents.networks.base import Network
from lanterns_agents.networks.sb3_policy import NetworkPolicy
from lanterns_agents.training.arguments import read_arguments
from lanterns_agents.training.checkpoint import (
    adam_of,
    games_of,
    restore_adam,
    restore_games,
    weights_of,
    with_weights,
)
from lanterns_agents.training.commands import as_command
from lanterns_agents.training.config import COUNTLESS, PPOSettings
from lanterns_agents.training.folder import NETWORK, open_run
from lanterns_agents.training.logging import LOSSES, RATE, SPEED, Figures
from lanterns_agents.training.opponents import Pool
from lanterns_agents.training.ppo import act, train
from lanterns_agents.training.run import Diverged, Run, State, check_finite
from lanterns_agents.training.settings import FIXED, Doc, check_agents
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import FloatSchedule, set_random_seed

from lanterns_env.agent import Table
from lanterns_env.sb3 import SeatVecEnv
from lanterns_env.support.files import write_whole

REWARDS = ("outcome", "margin")
SELF = "self"  # among the opponents: earlier selves of the run
MODEL = "model.zip"
FEWEST = 2  # decisions that SB3 learns from at once: it looks at how far they lie apart
PARTS = (NETWORK, "adam", "pool", "seats", "model")  # of a checkpoint
OF_SEATS = ("seats", "games", "rewards", "_before")
FIGURES = {  # SB3's words for what is logged
    "policy_loss": "train/policy_gradient_loss",
    "value_loss": "train/value_loss",
    "entropy": "train/entropy_loss",
    "approx_kl": "train/approx_kl",
    "clipfrac": "train/clip_fraction",
    "explained_variance": "train/explained_variance",
}


@dataclass(frozen=True)
class Config(PPOSettings):
    """Settings of MaskablePPO."""

    opponents: Annotated[
        tuple[str, ...], Doc('"self" (earlier selves) or agents: one for all other seats, or one for each')
    ] = (SELF,)
    reward: Annotated[str, FIXED, Doc('"outcome" or "margin"')] = "outcome"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.num_players) != 1:
            raise ValueError(f"num_players must be one number here, not {list(self.num_players)}")
        if self.reward not in REWARDS:
            raise ValueError(f"reward must be one of {', '.join(REWARDS)}, not {self.reward!r}")
        if min(self.minibatch_size, self.batch_size) < FEWEST:
            raise ValueError(
                f"minibatch_size and batch_size must be {FEWEST} at least here, not {self.minibatch_size} and "
                f"{self.batch_size}"
            )
        if self.batch_size % self.num_games:
            raise ValueError(f"batch_size must be a multiple of num_games, not {self.batch_size} of {self.num_games}")
        if len(self.opponents) not in (1, self.num_players[0] - 1):
            raise ValueError("opponents must be one for all other seats, or one for each of them")


class EarlierSelves:
    """A pool as an agent: the number of a game says which of the earlier selves plays in it."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool

    def __deepcopy__(self, memo: Any) -> "EarlierSelves":
        """At every seat another agent, of the same pool."""
        return EarlierSelves(self.pool)

    def act(self, table: Table, rng: np.random.Generator) -> Any:
        met = table.game_ids % len(self.pool.networks)
        asked = [(network, np.flatnonzero(met == number)) for number, network in enumerate(self.pool.networks)]
        return act(asked, table.game.to_array(table.views), table.action_masks, rng)[0]


class SeatPPO(Run):
    """All that a run consists of: what a checkpoint holds."""

    trainer = "train_sb3"

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        table = self.game, config.num_players, config.game_options
        check_agents("opponents", (name for name in config.opponents if name != SELF), *table)
        check_agents("eval_opponents", config.eval_opponents, *table)
        torch.set_num_threads(config.num_threads)
        self.pool = Pool(config.pool_size)
        selves = EarlierSelves(self.pool)
        opponents = [selves if name == SELF else name for name in config.opponents]
        opponents *= (config.num_players[0] - 1) // len(opponents)
        self.envs = SeatVecEnv(
            self.game,
            config.num_games,
            *config.num_players,
            seat="random",
            opponents=opponents,
            reward=config.reward,
            observation="named",
            **config.game_options,
        )
        sizes = {"game": config.game, "hidden_size": config.hidden_size, "entity_size": config.entity_size}
        self.model = MaskablePPO(
            NetworkPolicy,
            self.envs,
            policy_kwargs=sizes,
            seed=config.seed,
            device="cpu",
            **self.settings(),
        )
        self.pool.add(self.network)
        self.minibatches = 0  # of this update
        self.model.policy.optimizer.register_step_pre_hook(self.check_step)

    def check_step(self, *_: Any) -> None:
        """Before every step of the optimizer."""
        self.minibatches += 1
        gradients = (weight.grad for weight in self.network.parameters() if weight.grad is not None)
        check_finite(self, self.minibatches, "loss or gradient", *(each.sum().item() for each in gradients))

    @property
    def network(self) -> Network:
        return self.model.policy.network

    def settings(self) -> dict[str, Any]:
        """What a run may be resumed with anew, as MaskablePPO takes it."""
        config = self.config
        same = {name: getattr(config, name) for name in ("gamma", "gae_lambda", "ent_coef", "vf_coef", "max_grad_norm")}
        return same | {
            "n_steps": config.batch_size // config.num_games,
            "batch_size": config.minibatch_size,
            "n_epochs": config.update_epochs,
            "clip_range": config.clip_coef,
        }

    def end(self, folder: pathlib.Path) -> None:
        """The model as MaskablePPO.load reads it."""
        buffer = io.BytesIO()
        self.model.save(buffer)
        write_whole(folder / MODEL, buffer.getvalue())

    def saved(self) -> State:
        """Copies, which what comes later leaves alone."""
        parts = {
            NETWORK: {name: weight.copy() for name, weight in weights_of(self.network).items()},
            "adam": adam_of(self.model.policy.optimizer),
            "pool": self.pool.saved(),
            "seats": seats_of(self.envs),
            "model": {"starts": np.array(self.model._last_episode_starts)},
        }
        arrays = {name: array for part, those in parts.items() for name, array in under(part, those).items()}
        seats = self.envs.seats
        return arrays, self.card() | {"rngs": seats.streams, "dealt": seats._games_dealt}

    def restore(self, arrays: Arrays, card: dict[str, Any]) -> None:
        self.restore_card(card)
        parts = {part: those_under(part, arrays) for part in PARTS}
        self.network.load_state_dict(with_weights(self.network, parts[NETWORK]).state_dict())
        restore_adam(self.model.policy.optimizer, parts["adam"])
        self.pool.restore(self.network, parts["pool"])
        if not self.pool.networks:
            raise ValueError("there is no earlier self")
        restore_seats(self.envs, parts["seats"], card)
        self.model.num_timesteps = self.decisions
        self.model._n_updates = self.updates * self.config.update_epochs
        self.model._last_obs = self.envs.observations()
        self.model._last_episode_starts = take(parts["model"], "starts", np.bool_, (self.config.num_games,))


def seats_of(envs: SeatVecEnv) -> Arrays:
    """The games of the seats, and how far each is."""
    seats = envs.seats
    figures = {name: getattr(seats, name).copy() for name in OF_SEATS}
    of_envs = {"returns": envs._returns.copy(), "lengths": envs._lengths.copy()}
    return under("batch", games_of(seats.batch)) | figures | of_envs


def restore_seats(envs: SeatVecEnv, saved: Arrays, card: dict[str, Any]) -> None:
    """Into seats that were made in the same way."""
    seats = envs.seats
    restore_games(seats.batch, those_under("batch", saved))
    for name in OF_SEATS:
        array = getattr(seats, name)
        array[:] = take(saved, name, array.dtype, array.shape)
    if (seats.batch.current_players != seats.seats).any() or seats.dones.any():
        raise ValueError("other seats are to move than those that learn")
    envs._returns[:] = take(saved, "returns", np.float64, (envs.num_envs,))
    envs._lengths[:] = take(saved, "lengths", np.int64, (envs.num_envs,))
    if type(card["dealt"]) is not int or not 0 <= seats.games.min() <= seats.games.max() < card["dealt"] <= COUNTLESS:
        raise ValueError("there are more games than were dealt")
    seats._games_dealt = card["dealt"]
    seats.streams = card["rngs"]
    envs._dealt = True
    envs._reset_seeds()


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


def learn(run: SeatPPO, watch: Watch) -> None:
    """Play and learn, as far as there are numbers."""
    weights = list(run.network.parameters())
    try:
        run.model.learn(run.config.batch_size, watch, log_interval=None, reset_num_timesteps=False)
    except Diverged:
        raise
    except ValueError as error:  # torch has the first word on chances that are none, and prints all of them
        check_finite(run, run.minibatches, "weights", *(weight.sum().item() for weight in weights))
        raise ValueError(str(error).partition("\n")[0]) from error
    check_finite(run, run.minibatches, "weights", *(weight.sum().item() for weight in weights))


def update(run: SeatPPO) -> Figures:
    """Play and learn once; what is logged."""
    config, model, watch, rate = run.config, run.model, Watch(), run.learning_rate()
    # Each update has random numbers of its own, so that a resumed run need only know how many there were.
    set_random_seed(int(np.random.SeedSequence([config.seed, run.updates]).generate_state(1)[0]))
    model.lr_schedule = FloatSchedule(rate)
    run.minibatches = 0
    begun = time.perf_counter()
    learn(run, watch)
    run.updates += 1
    if run.updates % config.snapshot_every == 0:
        run.pool.add(run.network)
    ended = time.perf_counter()
    run.spent = {"play": watch.played - begun, "learn": ended - watch.played}
    run.seconds += ended - begun
    run.games += watch.games
    run.decisions = model.num_timesteps
    figures = {LOSSES + name: float(model.logger.name_to_value[key]) for name, key in FIGURES.items()}
    entropy = -figures[f"{LOSSES}entropy"]  # what SB3 logs is a loss
    return figures | {f"{LOSSES}entropy": entropy, SPEED: config.batch_size / (ended - begun), RATE: rate}


def main(words: Sequence[str]) -> None:
    with open_run(*read_arguments(words, Config), SeatPPO) as (run, folder):
        train(run, folder, update)


if __name__ == "__main__":
    as_command("train_sb3", main)
