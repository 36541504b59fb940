"""The three trainers side by side, for what is asked of all."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import train_sb3
from lanterns_agents.training import bc, ppo
from lanterns_agents.training.config import Config, ImitationConfig


@dataclass(frozen=True)
class Trainer:
    """What a run is made of."""

    module: ModuleType
    config: type
    run: type

    @property
    def update(self) -> Callable:
        return self.module.update

    @property
    def main(self) -> Callable:
        return self.module.main


PPO = Trainer(ppo, Config, ppo.PPO)
BC = Trainer(bc, ImitationConfig, bc.Imitation)
SB3 = Trainer(train_sb3, train_sb3.Config, train_sb3.SeatPPO)
TRAINERS = {"ppo": PPO, "bc": BC, "sb3": SB3}
