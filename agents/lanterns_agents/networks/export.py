"""A network of torch as one ONNX file that plays without torch, compared with it in positions of real games.

The file takes observations (int8 [N, D]) and action_masks (int8 [N, A]) and gives the probabilities of all actions
(float32 [N, A], 0 for illegal ones) and values ([N, P]: the outcome that every seat may expect, in turn order from the
viewer); for a game with features it takes them too (``lanterns_agents.features.inputs_of``).  It holds every weight by
name, for training to begin with (weights.py).
"""

import json
import logging
import math
import pathlib
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanterns_env.support.extras import needed_by

with needed_by(__name__):
    import onnx
    import torch
    from torch import Tensor, nn

from lanterns_agents.features import inputs_of
from lanterns_agents.networks.base import Network
from lanterns_agents.networks.exported import OUTPUTS
from lanterns_agents.networks.sealed import sealed
from lanterns_agents.networks.weights import keep_weights
from lanterns_agents.onnx_agent import OnnxAgent
from lanterns_env import Batch
from lanterns_env.engine.game import Game
from lanterns_env.support.files import write_whole

ABSOLUTE_TOLERANCE = 1e-5  # between the network and the file, in all that they give
RELATIVE_TOLERANCE, NEGLIGIBLE = 1e-4, 1e-30  # of a probability; below that it is not asked how far it is off
COMPARED, MOST_COMPARED = 512, 1 << 20  # positions in which the two are compared, unless chosen otherwise
SIDE_BY_SIDE, FIRST, EVERY = 64, 40, 12  # games for that; the decision at which a position is first taken, and then
TIMED, ROUNDS = 1024, 5  # positions that are evaluated at once to measure the speed, and how often
PROGRAM = ".pt2"

Outputs = tuple[Any, Any]  # probabilities and values
Evaluate = Callable[[Any, Any], Outputs]  # of observations and action masks


class Probabilities(nn.Module):
    """A network as it is exported: logits of a hundred are rounded by 1e-5 already, the probabilities are not."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network, self.game = network, network.game

    def forward(
        self, observations: Tensor, action_masks: Tensor, features: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        logits, values = self.network(observations, action_masks, features)
        return logits.softmax(1), values


# -- the file ---------------------------------------------------------------------------------------------------------


def export(network: Probabilities, card: Mapping[str, Any], file: pathlib.Path, pt2: bool = False) -> None:
    """Write the file, and on request torch's own program beside it."""
    given = inputs_of(network.game, *positions(network, card, 2))
    example = tuple(map(torch.from_numpy, given.values()))
    rows = {0: torch.export.Dim("batch")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the exporter about itself
        logging.getLogger("torch.onnx").setLevel(logging.ERROR)
        exported = torch.export.export(network, example, dynamic_shapes=tuple(rows for _ in given))
        program = torch.onnx.export(
            exported,
            dynamo=True,
            verbose=False,
            input_names=list(given),
            output_names=list(OUTPUTS),
        )
        if pt2:
            torch.export.save(exported, file.with_suffix(PROGRAM))
    assert program is not None
    model = program.model_proto
    for part in (*model.graph.node, *model.graph.value_info, *model.functions):
        part.ClearField("metadata_props")  # where in the sources of this machine each step comes from
    keep_weights(model, network.network.state_dict())
    write_model(file, model, card)


def write_model(file: pathlib.Path, model: Any, card: Mapping[str, Any]) -> None:
    """The file, and its card in it and beside it."""
    del model.metadata_props[:]
    write_whole(file, sealed(model.SerializeToString(), dict(card)))
    write_whole(file.with_suffix(".json"), json.dumps(card, indent=2) + "\n")


def write_card(file: pathlib.Path, card: Mapping[str, Any]) -> None:
    """Another card for a file that is there already."""
    write_model(file, onnx.load(file), card)


def positions(network: Probabilities, card: Mapping[str, Any], count: int) -> tuple[Any, Any]:
    """Observations and masks from the middle of games in which half of the moves are the network's own."""
    side_by_side = min(count, SIDE_BY_SIDE)
    counts = np.resize(card["players"], side_by_side)
    games, rng = Batch(network.game, side_by_side, counts, **card["options"]), np.random.default_rng(0)
    taken = []
    for step in range(FIRST + EVERY * math.ceil(count / side_by_side)):
        here = games.observations.copy(), games.action_masks.copy()
        if step >= FIRST and (step - FIRST) % EVERY == 0:
            taken.append(here)
        best = evaluated_by(network, network.game)(*here)[0].argmax(1)
        games.step(np.where(rng.random(side_by_side) < 0.5, best, games.sample(rng)))
    observations, masks = (np.concatenate(parts)[:count] for parts in zip(*taken, strict=True))
    return observations, masks


# -- whether the two are the same -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    """How far the outputs of two networks lie apart."""

    positions: int
    same_action: int  # how often the most probable action is the same
    equally_good: int  # or one that is as probable but for the tolerance
    probability_error: float  # the largest difference
    relative_error: float  # the largest in parts of a probability
    value_error: float  # the largest of any seat

    @property
    def equal(self) -> bool:
        near = max(self.probability_error, self.value_error) <= ABSOLUTE_TOLERANCE
        return near and self.relative_error <= RELATIVE_TOLERANCE and self.equally_good == self.positions

    def __str__(self) -> str:
        return (
            f"{self.positions} positions: the same action in {self.same_action}, largest difference of probabilities "
            f"{self.probability_error:.1e} (relative {self.relative_error:.1e}), of values {self.value_error:.1e}"
        )


def compare(expected: Outputs, found: Outputs) -> Comparison:
    """The outputs of two networks for the same positions."""
    (left, left_values), (right, right_values) = expected, found
    rows, chosen = np.arange(len(left)), right.argmax(1)
    equally_good = left[rows, chosen] >= (1 - ABSOLUTE_TOLERANCE) * left.max(1)
    counted = left > NEGLIGIBLE
    return Comparison(
        positions=len(left),
        same_action=int((left.argmax(1) == chosen).sum()),
        equally_good=int(equally_good.sum()),
        probability_error=float(np.abs(left - right).max()),
        relative_error=float(np.abs(right[counted] / left[counted] - 1).max()),
        value_error=float(np.abs(left_values - right_values).max()),
    )


def evaluated_by(program: Callable[..., Any], game: Game) -> Evaluate:
    """A program of torch, asked with arrays."""

    def evaluate(observations: Any, action_masks: Any) -> Outputs:
        with torch.no_grad():
            found = program(*map(torch.from_numpy, inputs_of(game, observations, action_masks).values()))
        probabilities, values = found
        return probabilities.numpy(), values.numpy()

    return evaluate


def check(network: Probabilities, card: Mapping[str, Any], file: pathlib.Path, count: int, pt2: bool = False) -> None:
    """Say how the files compare with the network, and how fast the exported one is; refuse if they differ."""
    given = positions(network, card, count)
    agent = OnnxAgent(str(file))
    programs: dict[pathlib.Path, Evaluate] = {file: agent.evaluate}
    if pt2:
        program = file.with_suffix(PROGRAM)
        programs[program] = evaluated_by(torch.export.load(program).module(), network.game)
    expected = evaluated_by(network, network.game)(*given)
    for name, evaluate in programs.items():
        found = compare(expected, evaluate(*given))
        print(f"{name}: {found}")
        if not found.equal:
            raise ValueError(f"{name} does not say the same as the network it was made from (to {ABSOLUTE_TOLERANCE})")
    print(f"{file}: {1e6 * seconds(agent, *given):.0f} µs a decision, {TIMED} at once on one thread")


def seconds(agent: OnnxAgent, observations: Any, action_masks: Any) -> float:
    """That a decision takes, the median of some rounds."""
    given = [np.resize(each, (TIMED, each.shape[1])) for each in (observations, action_masks)]
    spent = []
    for _ in range(1 + ROUNDS):  # the first makes ready
        begun = time.perf_counter()
        agent.evaluate(*given)
        spent.append((time.perf_counter() - begun) / TIMED)
    return float(np.median(spent[1:]))
