"""The settings of all trainers: their defaults, ranges and lines of help.

What they have in common is in ``Settings``; PPO here and in train_sb3.py shares ``PPOSettings``, PPO and imitation
share ``SelfPlaySettings``.  TOML files and the command line use these names.
"""

import math
import pathlib
import reprlib
from dataclasses import dataclass, field
from typing import Annotated

from lanterns_agents.networks.base import MAX_ENTITY_SIZE, MAX_HIDDEN_SIZE, SIZES
from lanterns_agents.training.settings import FIXED, Doc, Range, check_values
from lanterns_env import GAMES

YEAR = 60 * 24 * 365.0  # in minutes
MANY, COUNTLESS = 1 << 20, 10**15  # of what is held in memory, of what is only counted
SEEDS = 1 << 32  # what torch, NumPy and Python all take


@dataclass(frozen=True)
class Settings:
    """What all trainers have in common."""

    game: Annotated[str, FIXED, Doc("the game to learn")] = "lanterns"
    num_players: Annotated[
        tuple[int, ...], FIXED, Doc("numbers of players; the games of a batch take them in turn")
    ] = (2,)
    game_options: Annotated[dict[str, int | bool | str], FIXED, Doc("rule variants, by name")] = field(
        default_factory=dict
    )
    run_name: Annotated[str, Doc("the run's folder in runs/; by default the name of the settings file")] = ""
    seed: Annotated[int, Range(0, SEEDS - 1), FIXED, Doc("of the network, the deals and the draws")] = 0
    num_threads: Annotated[int, Range(1, 256), Doc("threads for the network; results do not depend on how many")] = 1
    num_games: Annotated[int, Range(1, MANY), FIXED, Doc("games played side by side")] = 512
    batch_size: Annotated[int, Range(1, 16 * MANY), Doc("the learner's decisions between two updates")] = 16384

    hidden_size: Annotated[int, Range(1, MAX_HIDDEN_SIZE), FIXED, Doc("width of the network's trunk")] = 256
    entity_size: Annotated[
        int, Range(1, MAX_ENTITY_SIZE), FIXED, Doc("width of the network for each slot, tile or island")
    ] = 32
    learning_rate: Annotated[float, Range(0, 1), Doc("step size of Adam")] = 1e-3
    anneal_lr: Annotated[bool, Doc("let the learning rate fall to 0 at the limit of the run")] = True
    minibatch_size: Annotated[int, Range(1, 16 * MANY), Doc("decisions for one step of Adam")] = 2048
    gamma: Annotated[float, Range(0, 1), Doc("discount of what comes after a seat's next decision")] = 1.0
    gae_lambda: Annotated[float, Range(0, 1), Doc("lambda of generalised advantage estimation")] = 0.95
    vf_coef: Annotated[float, Range(0, 100), Doc("weight of the value loss")] = 0.5
    max_grad_norm: Annotated[float, Range(0, 1e6), Doc("gradients are clipped to this norm")] = 0.5

    eval_every: Annotated[
        int,
        Range(0, COUNTLESS),
        Doc("updates between two evaluations, one comes before the first; 0: only at the end"),
    ] = 50
    eval_opponents: Annotated[tuple[str, ...], Doc("agents to be measured against")] = ("random", "greedy")
    eval_deals: Annotated[int, Range(1, MANY), Doc("deals of an evaluation, each played once from every seat")] = 100
    checkpoint_minutes: Annotated[
        float, Range(0, YEAR), Doc("what a lost process can lose; 0: save after every update")
    ] = 1.0
    tensorboard: Annotated[bool, Doc("write TensorBoard files too, where it is installed")] = True

    def __post_init__(self) -> None:
        check_values(self)
        check_run_name(self.run_name)
        if self.game not in GAMES:
            raise ValueError(f"there is no game {self.game!r}; there are: {', '.join(GAMES)}")
        if not self.num_players:
            raise ValueError("num_players must be one number of players at least")
        for count in self.num_players:
            GAMES[self.game].check_options(GAMES[self.game].check_players(count), self.game_options)

    @property
    def sizes(self) -> dict[str, int]:
        """Of the network."""
        return dict(zip(SIZES, (self.hidden_size, self.entity_size), strict=True))

    @property
    def limits(self) -> tuple[float, int]:
        """After how many minutes and decisions a run ends; 0: no such limit."""
        raise NotImplementedError


@dataclass(frozen=True)
class PPOSettings(Settings):
    """What PPO has here and with stable-baselines3."""

    max_minutes: Annotated[float, Range(0, YEAR), Doc("the run ends after so many minutes; 0: no such limit")] = 0.0
    total_decisions: Annotated[
        int, Range(0, COUNTLESS), Doc("the run ends after so many decisions of the learner; 0: no such limit")
    ] = 0
    update_epochs: Annotated[int, Range(1, 1000), Doc("times that each batch is learnt from")] = 2
    clip_coef: Annotated[float, Range(0, 1), Doc("how far a probability ratio counts, around 1")] = 0.2
    ent_coef: Annotated[float, Range(0, 10), Doc("weight of the entropy")] = 0.01
    pool_size: Annotated[int, Range(1, 1000), FIXED, Doc("earlier selves that are kept as opponents")] = 4
    snapshot_every: Annotated[int, Range(1, COUNTLESS), Doc("updates between two of them")] = 25

    @property
    def limits(self) -> tuple[float, int]:
        return self.max_minutes, self.total_decisions


@dataclass(frozen=True)
class SelfPlaySettings(Settings):
    """What PPO and imitation have in common."""

    margin_weight: Annotated[float, Range(0, 1), Doc("weight of the margin in the reward; the rest is the outcome")] = (
        0.0
    )
    use_heuristic_value: Annotated[
        bool, Doc("end trajectories at the agents' own evaluation of a position, not only at the end of the game")
    ] = False
    init_from: Annotated[
        str,
        FIXED,
        Doc(
            "the network to begin with: champion, the policy of another run or an exported file; by default a fresh one"
        ),
    ] = ""


@dataclass(frozen=True)
class Config(PPOSettings, SelfPlaySettings):
    """Settings of PPO by self-play."""

    self_play_fraction: Annotated[float, Range(0, 1), Doc("of the games: played by the learner alone")] = 1.0
    pool_fraction: Annotated[float, Range(0, 1), Doc("of the games: some seats are an earlier self's")] = 0.0
    bot_fraction: Annotated[float, Range(0, 1), Doc("of the games: some seats are a bot's")] = 0.0
    bot_opponents: Annotated[tuple[str, ...], FIXED, Doc("these bots: agents by name")] = ()
    magnet_coef: Annotated[
        float, Range(0, 100), Doc("weight of the KL divergence of the policy from an earlier one, the magnet; 0: none")
    ] = 0.0
    magnet_every: Annotated[
        int,
        Range(0, COUNTLESS),
        Doc("updates after which the policy becomes the magnet anew; 0: it stays the one that the run began with"),
    ] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        total = self.self_play_fraction + self.pool_fraction + self.bot_fraction
        if not math.isclose(total, 1):
            raise ValueError(f"self_play_fraction, pool_fraction and bot_fraction must add up to 1, not {total:g}")
        if self.bot_fraction and not self.bot_opponents:
            raise ValueError("bot_fraction needs bot_opponents, for example bot_opponents = ['greedy']")


@dataclass(frozen=True)
class ImitationConfig(SelfPlaySettings):
    """Settings of imitation (behaviour cloning)."""

    bc_teacher: Annotated[str, FIXED, Doc("the agent whose decisions are learnt")] = "greedy"
    bc_minutes: Annotated[float, Range(0, YEAR), Doc("the run ends after so many minutes; 0: no such limit")] = 0.0
    bc_decisions: Annotated[int, Range(0, COUNTLESS), Doc("the run ends after so many decisions; 0: no such limit")] = 0
    bc_epochs: Annotated[
        int, Range(1, 1000), Doc("times that each batch is learnt from: more where the teacher is slow")
    ] = 1

    @property
    def limits(self) -> tuple[float, int]:
        return self.bc_minutes, self.bc_decisions


def check_run_name(name: str) -> None:
    """Refuse a name that leads out of the folder of all runs."""
    path = pathlib.PurePath(name)
    inside = path.parts and not path.is_absolute() and ".." not in path.parts and "\\" not in name
    if name and not inside:
        raise ValueError(f"run_name must be that of a folder within the folder of runs, not {reprlib.repr(name)}")
