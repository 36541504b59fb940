"""How fast training is: ppo.py beside MaskablePPO in the way of PettingZoo's tutorial, in one run, interleaved.

    python scripts/bench/training.py
    python scripts/bench/training.py --update-epochs 10 --minibatch-size 64

Both learn Lanterns for two, with one thread, the same epochs and minibatch, and the same layers: two of 256 numbers
that policy and value share (PlainNetwork here, a features extractor of the same shape there).  MaskablePPO plays both
seats of one wrapped environment in a DummyVecEnv; ppo.py plays as many games as its settings file says.  Then
where the time goes with the recommended settings of each game, with structured networks and an earlier self among the
opponents.
"""

import argparse
import json
import pathlib
import statistics
import time
import tomllib
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from lanterns_agents.networks.base import PlainNetwork, trunk
from lanterns_agents.training.arguments import make_config
from lanterns_agents.training.config import Config
from lanterns_agents.training.ppo import PPO, update
from rich.console import Console
from rich.progress import track
from rich.table import Table
from sb3_contrib import MaskablePPO
from seats import TutorialWrapper
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from lanterns_env.envs.aec import make
from lanterns_env.support.files import check_target, write_whole

CONFIGS = pathlib.Path(__file__).parents[2] / "configs"
COMPARED = "lanterns_2p"
RECOMMENDED = (COMPARED, "lumen_3p", "lighthouse_2p")
HIDDEN = 256
RATIO = "ratio"
PLAYING = ("policy", "bots", "games")
PARTS = {  # of the loop
    "environment": ("games",),
    "forward": ("policy", "forward"),
    "backward": ("backward",),
}
Measure = Callable[[], dict[str, float]]


class Watch(BaseCallback):
    """Notes when MaskablePPO ends playing and begins to learn."""

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        self.played = time.perf_counter()


class Trunk(BaseFeaturesExtractor):
    """The layers of PlainNetwork in SB3's policy."""

    def __init__(self, space: Any) -> None:
        super().__init__(space, HIDDEN)
        self.layers = trunk(space.shape[0], HIDDEN)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return self.layers(observations)


def recommended(name: str, arguments: argparse.Namespace, **settings: Any) -> PPO:
    """A run as a settings file has it, from a fresh network."""
    given = tomllib.loads((CONFIGS / f"{name}.toml").read_text())
    batch = {"batch_size": arguments.batch_size} if arguments.batch_size else {}
    return PPO(make_config({**given, "init_from": "", **settings, **batch}, Config))


def recommended_loop(name: str, arguments: argparse.Namespace) -> PPO:
    """With an earlier self in as many games as the settings say."""
    run = recommended(name, arguments)
    run.seating.pool.add(run.network)
    run.seating.seat(np.arange(len(run.batch)))
    return run


def plain_run(arguments: argparse.Namespace) -> PPO:
    """The loop of the comparison: self-play alone, a plain network."""
    settings = {"update_epochs": arguments.update_epochs, "minibatch_size": arguments.minibatch_size}
    run = recommended(COMPARED, arguments, num_threads=1, self_play_fraction=1.0, pool_fraction=0.0, **settings)
    run.network = PlainNetwork(run.game, HIDDEN)
    run.optimizer = torch.optim.Adam(run.network.parameters(), run.config.learning_rate, eps=1e-5)
    return run


def tutorial_model(run: PPO, arguments: argparse.Namespace) -> MaskablePPO:
    env = TutorialWrapper(make(run.game.name, True, num_players=run.config.num_players[0]))
    kwargs = {"features_extractor_class": Trunk, "net_arch": []}
    steps, epochs, minibatch = arguments.steps, arguments.update_epochs, arguments.minibatch_size
    return MaskablePPO(
        "MlpPolicy", env, n_steps=steps, batch_size=minibatch, n_epochs=epochs, policy_kwargs=kwargs, device="cpu"
    )


def loop_measure(run: PPO) -> Measure:
    """Seconds a decision of one update: all, collecting, and the parts."""

    def measure() -> dict[str, float]:
        before, begun = run.decisions, time.perf_counter()
        update(run)
        elapsed = time.perf_counter() - begun
        spent = {"whole loop": elapsed, "collecting": sum(run.spent.get(what, 0) for what in PLAYING)}
        for part, names in PARTS.items():
            spent[part] = sum(run.spent.get(what, 0) for what in names)
        return {what: seconds / (run.decisions - before) for what, seconds in spent.items()}

    return measure


def tutorial_measure(model: MaskablePPO) -> Measure:
    def measure() -> dict[str, float]:
        watch, begun = Watch(), time.perf_counter()
        model.learn(model.n_steps, watch, log_interval=None, reset_num_timesteps=False)
        elapsed = time.perf_counter() - begun
        return {"whole loop": elapsed / model.n_steps, "collecting": (watch.played - begun) / model.n_steps}

    return measure


def weights(module: torch.nn.Module) -> int:
    return sum(weight.numel() for weight in module.parameters())


def spread(values: list[float]) -> dict[str, float]:
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def compare(ours: list[dict[str, float]], theirs: list[dict[str, float]]) -> dict[str, dict[str, float]]:
    """Decisions a second of both, and the ratios within each round."""
    figures = {}
    for what in ("collecting", "whole loop"):
        figures[f"{what}, ppo.py"] = spread([1 / one[what] for one in ours])
        figures[f"{what}, MaskablePPO"] = spread([1 / other[what] for other in theirs])
        figures[f"{what}, {RATIO}"] = spread([other[what] / one[what] for one, other in zip(ours, theirs, strict=True)])
    return figures


def parts_of_time(rounds: list[dict[str, float]]) -> dict[str, float]:
    """The medians of the parts of the time."""
    return {part: statistics.median(one[part] / one["whole loop"] for one in rounds) for part in PARTS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--update-epochs", type=int, default=1)
    parser.add_argument("--minibatch-size", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=2048, help="of MaskablePPO between updates")
    parser.add_argument("--batch-size", type=int, default=0, help="of ppo.py between updates, if not the file's")
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    check_target(arguments.json)
    run = plain_run(arguments)
    model = tutorial_model(run, arguments)
    measures = {"ppo.py": loop_measure(run), "MaskablePPO": tutorial_measure(model)}
    for name in RECOMMENDED:
        measures[name] = loop_measure(recommended_loop(name, arguments))
    for measure in measures.values():
        measure()
    rounds: dict[str, list[dict[str, float]]] = {name: [] for name in measures}
    for _ in track(range(arguments.rounds), description="rounds", transient=True):
        for name, measure in measures.items():
            rounds[name].append(measure())
    figures = compare(rounds["ppo.py"], rounds["MaskablePPO"])
    figures |= {name: spread([1 / one["whole loop"] for one in rounds[name]]) for name in RECOMMENDED}
    parts = {name: parts_of_time(rounds[name]) for name in RECOMMENDED}
    report(figures, parts, {"ppo.py": weights(run.network), "MaskablePPO": weights(model.policy)}, arguments)


def report(
    figures: dict[str, dict[str, float]],
    parts: dict[str, dict[str, float]],
    sizes: dict[str, int],
    arguments: argparse.Namespace,
) -> None:
    """Two tables, and a file where one is wanted."""
    alike = {"update_epochs": arguments.update_epochs, "minibatch_size": arguments.minibatch_size, "weights": sizes}
    speeds = Table("what", "median", "min..max", title=f"decisions a second, {arguments.rounds} rounds")
    for name, values in figures.items():
        form = ".1f" if RATIO in name else ",.0f"
        speeds.add_row(name, format(values["median"], form), f"{values['min']:{form}}..{values['max']:{form}}")
    times = Table("settings", *PARTS, title="parts of the time")
    for name, each in parts.items():
        times.add_row(name, *(f"{share:.0%}" for share in each.values()))
    Console().print(alike, speeds, times)
    if arguments.json:
        whole = {**alike, "rounds": arguments.rounds, "figures": figures, "parts": parts}
        write_whole(arguments.json, json.dumps(whole, indent=1) + "\n")


if __name__ == "__main__":
    main()
