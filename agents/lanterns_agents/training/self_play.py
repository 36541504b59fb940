"""What PPO and imitation have in common: a network, its optimizer and a batch of games that it plays with itself."""

from typing import Any, ClassVar

import numpy as np

from lanterns_env.support.extras import needed_by

with needed_by(__name__):
    import torch

from lanterns_agents.champion import NAME as CHAMPION
from lanterns_agents.champion import champion_file
from lanterns_agents.networks.arrays import Arrays, those_under, under
from lanterns_agents.networks.base import load_network, make_network
from lanterns_agents.networks.weights import read_saved
from lanterns_agents.per_game import has_module, module_for
from lanterns_agents.search import heuristics_of
from lanterns_agents.training.checkpoint import (
    adam_of,
    games_of,
    restore_adam,
    restore_games,
    weights_of,
    with_weights,
)
from lanterns_agents.training.config import SelfPlaySettings
from lanterns_agents.training.folder import BEFORE, NETWORK, TRAINED
from lanterns_agents.training.inference import each_on
from lanterns_agents.training.run import Run, State
from lanterns_agents.training.settings import check_agents
from lanterns_env import Batch
from lanterns_env.engine.compile import jit

STAGES = 200  # random moves before the first decision, at most: more than most games have
ADAM_EPS = 1e-5
HORIZON = "horizon"  # the module of a game that says where its trajectories may end


class SelfPlay(Run):
    """A run that plays its games itself and learns from them."""

    agents: ClassVar[tuple[str, ...]] = ("eval_opponents",)  # the settings that name agents

    def __init__(self, config: SelfPlaySettings) -> None:
        super().__init__(config)
        for setting in self.agents:
            names = getattr(config, setting)
            names = (names,) if isinstance(names, str) else names
            check_agents(setting, names, self.game, config.num_players, config.game_options)
        self.evaluated = evaluated_by(self.game) if config.use_heuristic_value else None
        self.each = each_on(config.num_threads)
        torch.manual_seed(config.seed)
        self.network = make_network(self.game, **config.sizes)
        self.optimizer = torch.optim.Adam(self.network.parameters(), config.learning_rate, eps=ADAM_EPS)
        self.rng = np.random.default_rng(config.seed)
        counts = np.resize(config.num_players, config.num_games)
        self.batch = Batch(
            self.game,
            config.num_games,
            counts,
            config.seed,
            autoreset=False,
            reward="margin",
            observation="named",
            **config.game_options,
        )

    def begin(self) -> None:
        """What a new run does first, if it is to begin with the network of another."""
        file = self.config.init_from
        if not file:
            return
        try:
            saved = read_saved(champion_file(self.game.name) if file == CHAMPION else file)
            network = load_network(self.game, saved)
            self.initialised_from = [*saved[BEFORE], {key: saved[key] for key in TRAINED}]
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"init_from: {file} will not do: {error}") from None
        if network.sizes != self.network.sizes:
            raise ValueError(f"init_from: the network in {file} has the sizes {network.sizes}: set the same")
        self.network.load_state_dict(network.state_dict())

    def spread_out(self) -> None:
        """Random moves at first, so that the games of a batch are not all at the same stage."""
        left = self.rng.integers(STAGES, size=len(self.batch))
        for step in range(STAGES):
            rows = np.flatnonzero(left > step)
            self.batch.step(self.batch.sample(self.rng, rows), rows)
            self.batch.deal(np.flatnonzero(self.batch.dones))

    def saved_with(self, **parts: Arrays) -> State:
        """Copies of all that a run consists of, which what comes later leaves alone."""
        parts |= {
            NETWORK: {name: weight.copy() for name, weight in weights_of(self.network).items()},
            "adam": adam_of(self.optimizer),
            "batch": games_of(self.batch),
        }
        arrays = {name: array for part, those in parts.items() for name, array in under(part, those).items()}
        return arrays, self.card() | {"rng": self.rng.bit_generator.state}

    def restore(self, arrays: Arrays, card: dict[str, Any]) -> None:
        self.restore_card(card)
        weights = with_weights(self.network, those_under(NETWORK, arrays))
        self.network.load_state_dict(weights.state_dict())
        restore_adam(self.optimizer, those_under("adam", arrays))
        restore_games(self.batch, those_under("batch", arrays))
        self.rng.bit_generator.state = card["rng"]

    # -- what games pay -----------------------------------------------------------------------------------------

    def outcomes(self, rows: Any, shares: Any) -> Any:
        """Rewards of a game's seats from their shares of the win: 1 for a sure win, and they add up to 0."""
        counts = self.batch.num_players[rows, None]
        return (counts * shares - 1) / (counts - 1)

    def final_rewards(self, rows: Any, shares: Any) -> Any:
        """Of games that are over."""
        weight = self.config.margin_weight
        return ((1 - weight) * self.outcomes(rows, shares) + weight * self.batch.rewards[rows]).astype(np.float32)

    def heuristic_rewards(self) -> tuple[Any, Any]:
        """Rows of games under way whose trajectories end here, by the agents' own evaluation, and their rewards."""
        batch = self.batch
        if self.evaluated is None:
            return np.zeros(0, np.int64), np.zeros((0, batch.num_seats), np.float32)
        shares, found = np.zeros((len(batch), batch.num_seats), np.float32), np.zeros(len(batch), np.bool_)
        evaluate_rows(*self.evaluated, batch.states, shares, found)
        rows = np.flatnonzero(found & (batch.dones == 0))
        return rows, self.outcomes(rows, shares[rows]).astype(np.float32)


def evaluated_by(game: Any) -> tuple[Any, Any]:
    """Where a trajectory may end before the game does, and the shares of the win that are expected there."""
    heuristics = heuristics_of(game)
    if heuristics is None or heuristics.evaluate is None:
        raise ValueError(f"use_heuristic_value: there is no evaluation of {game.title}; set it to false")
    ends = module_for(HORIZON, game.name).ends_here if has_module(HORIZON, game.name) else ends_anywhere
    return ends, heuristics.evaluate


@jit
def ends_anywhere(state: Any) -> bool:
    return True


@jit
def evaluate_rows(ends_here: Any, evaluate: Any, states: Any, shares: Any, found: Any) -> None:
    """The shares of the win to be expected, where a trajectory may end and the evaluation has an opinion."""
    for row in range(len(states)):
        found[row] = ends_here(states[row]) and evaluate(states[row], shares[row])
