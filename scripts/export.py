"""A trained network as one ONNX file that plays without torch, and its card beside it.

    python scripts/export.py runs/lanterns_2p_quick
    python scripts/export.py runs/lanterns_2p_quick my.onnx --pt2 --check 10000
    lanterns evaluate --agents my.onnx,greedy --json greedy.json
    python scripts/export.py my.onnx --results greedy.json

The file takes observations (int8 [N, D]) and masks (int8 [N, A]) and gives the chances of all actions (float32 [N, A],
0 for illegal ones) and values ([N]: what the seat to move expects); for a game with features it takes them too
(lanterns_agents.features.inputs_of).  The card, also inside the file, says what it was made for and how: game, layout,
versions, options, settings, results.
The last line gives a file that is there already the results of its matches.  ``load("my.onnx")`` plays it.
"""

import argparse
import hashlib
import json
import logging
import math
import pathlib
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
import torch
from lanterns_agents.champion import NAME
from lanterns_agents.features import inputs_of
from lanterns_agents.networks.base import Network, load_network, read_network
from lanterns_agents.networks.exported import GIVEN
from lanterns_agents.networks.sealed import sealed
from lanterns_agents.onnx_agent import OnnxAgent
from lanterns_agents.training.commands import as_command
from lanterns_agents.training.folder import POLICY
from lanterns_agents.training.logging import LOG, read_log
from lanterns_agents.training.settings import check_range
from results_cache import command, first_interval
from torch import Tensor, nn

import lanterns_env
from lanterns_env import GAMES, Batch
from lanterns_env.agent import EXPORTED
from lanterns_env.engine.files import check_target, write_whole
from lanterns_env.engine.game import Game
from lanterns_env.match import read

TOLERANCE = 1e-5  # between the network and the file, in all that they give
OF_ITSELF, TOO_SMALL = 1e-4, 1e-30  # of a chance, in parts of it; chances for which that is not asked
CHECKED, MOST = 512, 1 << 20  # positions in which the two are compared, unless told otherwise, and at most
SIDE_BY_SIDE, FIRST, EVERY = 64, 40, 12  # games for that; the decision at which a position is first taken, and then
TIMED, ROUNDS = 1024, 5  # positions that are judged at once to measure the speed, and how often
DIGITS = 16  # of the fingerprint
PROGRAM = ".pt2"

Judge = Callable[[Any, Any], tuple[Any, Any]]  # observations and masks -> chances and values


# -- the card -------------------------------------------------------------------------------------------------


def make_card(folder: pathlib.Path, saved: dict[str, Any]) -> dict[str, Any]:
    """What the network was made for and how, with the results of the last evaluation while it was trained."""
    config, game = saved["config"], GAMES[saved["game"]]
    players = sorted(set(config["num_players"]))
    return {
        "game": game.name,
        "game_version": game.version,
        "layout": saved["layout"],
        "package_version": lanterns_env.__version__,
        "weights": fingerprint(saved["weights"]),
        "players": players,
        "options": game.check_options(min(players), config["game_options"]),
        "sizes": saved["sizes"],
        "config": config,
        "decisions": saved["decisions"],
        "seconds": saved["seconds"],
        "initialised_from": saved["initialised_from"],
        "in_training": last_evaluation(folder, config),
        "results": [],
    }


def fingerprint(weights: dict[str, torch.Tensor]) -> str:
    """By which results are known to be of these weights."""
    whole = hashlib.sha256()
    for name, weight in sorted(weights.items()):
        whole.update(name.encode() + weight.numpy().tobytes())
    return whole.hexdigest()[:DIGITS]


def last_evaluation(folder: pathlib.Path, config: dict[str, Any]) -> list[dict[str, Any]]:
    """Who was met while training ended, how often the network won, and of how many games."""
    lines = read_log(folder / LOG)
    results = next((line["results"] for line in reversed(lines) if "results" in line), {})
    found = []
    for name, (share, *interval) in results.items():
        against, _, players = name.rpartition(" ")
        count = int(players.removesuffix("p"))
        games = config["eval_deals"] * count
        found.append({"against": against, "players": count, "win_share": share, "interval": interval, "games": games})
    return found


def result(file: str, card: dict[str, Any]) -> dict[str, Any]:
    """What a saved match says of the network: its first agent."""
    match = read(file)
    data, row = match.to_json(), match.rows[0]
    if data["game"] != card["game"]:
        raise ValueError(f"{file} is a match of {data['game']}, the network plays {card['game']}")
    if not (row.agent.endswith(EXPORTED) or row.agent.partition(":")[0] == NAME):
        raise ValueError(f"{file}: the first agent must be the network, not {row.agent!r}")
    return {
        **{key: data[key] for key in ("players", "agents", "options", "deals", "seed", "complete", "version")},
        "games": data["games"],
        "win_share": row.win_share,
        "interval": first_interval(data),
        "mean_margin": row.mean_margin,
        "margin_interval": row.margin_interval,
        "command": command(data),
    }


def write_card(file: pathlib.Path, card: dict[str, Any]) -> None:
    """Into the file, and beside it."""
    model = onnx.load(file)
    write_model(file, model, card)


def write_model(file: pathlib.Path, model: Any, card: dict[str, Any]) -> None:
    """The file, and its card beside it."""
    del model.metadata_props[:]
    write_whole(file, sealed(model.SerializeToString(), card))
    write_whole(file.with_suffix(".json"), json.dumps(card, indent=2) + "\n")


# -- the file -------------------------------------------------------------------------------------------------


class Chances(nn.Module):
    """A network as it is exported: logits of a hundred are rounded by 1e-5 already, the chances they mean are not."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network, self.game = network, network.game

    def forward(self, observations: Tensor, masks: Tensor, features: Tensor | None = None) -> tuple[Tensor, Tensor]:
        logits, values = self.network(observations, masks, features)
        return logits.softmax(1), values


def export(network: Chances, card: dict[str, Any], file: pathlib.Path, pt2: bool = False) -> None:
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
            output_names=list(GIVEN),
        )
        if pt2:
            torch.export.save(exported, file.with_suffix(PROGRAM))
    assert program is not None
    model = program.model_proto
    for part in (*model.graph.node, *model.graph.value_info, *model.functions):
        part.ClearField("metadata_props")  # where in the sources of this machine each step comes from
    write_model(file, model, card)


def positions(network: Chances, card: dict[str, Any], count: int) -> tuple[Any, Any]:
    """Observations and masks from the middle of games in which half of the moves are the network's own."""
    side_by_side = min(count, SIDE_BY_SIDE)
    counts = np.resize(card["players"], side_by_side)
    games, rng = Batch(network.game, side_by_side, counts, **card["options"]), np.random.default_rng(0)
    seen = []
    for step in range(FIRST + EVERY * math.ceil(count / side_by_side)):
        here = games.observations.copy(), games.action_masks.copy()
        if step >= FIRST and (step - FIRST) % EVERY == 0:
            seen.append(here)
        best = judged_by(network, network.game)(*here)[0].argmax(1)
        games.step(np.where(rng.random(side_by_side) < 0.5, best, games.sample(rng)))
    observations, masks = (np.concatenate(parts)[:count] for parts in zip(*seen, strict=True))
    return observations, masks


# -- whether the two are the same -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    positions: int
    same: int  # how often the likeliest action is the same
    as_good: int  # or one that is as likely but for the tolerance
    chances: float  # the largest difference
    of_itself: float  # the largest in parts of a chance
    values: float

    @property
    def equal(self) -> bool:
        near = max(self.chances, self.values) <= TOLERANCE and self.of_itself <= OF_ITSELF
        return near and self.as_good == self.positions

    def __str__(self) -> str:
        return (
            f"{self.positions} positions: the same action in {self.same}, largest difference of "
            f"chances {self.chances:.1e} ({self.of_itself:.1e} of itself), of values {self.values:.1e}"
        )


def compare(expected: Judge, found: Judge, observations: Any, masks: Any) -> Comparison:
    """Two that judge the same positions."""
    (left, left_values), (right, right_values) = (each(observations, masks) for each in (expected, found))
    rows, chosen = np.arange(len(masks)), right.argmax(1)
    as_good = left[rows, chosen] >= (1 - TOLERANCE) * left.max(1)
    told = left > TOO_SMALL
    return Comparison(
        positions=len(masks),
        same=int((left.argmax(1) == chosen).sum()),
        as_good=int(as_good.sum()),
        chances=float(np.abs(left - right).max()),
        of_itself=float(np.abs(right[told] / left[told] - 1).max()),
        values=float(np.abs(left_values - right_values).max()),
    )


def judged_by(program: Callable[..., Any], game: Game) -> Judge:
    """Chances from torch, asked with arrays."""

    def judge(observations: Any, masks: Any) -> tuple[Any, Any]:
        with torch.no_grad():
            chances, values = program(*map(torch.from_numpy, inputs_of(game, observations, masks).values()))
        return chances.numpy(), values.numpy()

    return judge


def check(network: Chances, card: dict[str, Any], file: pathlib.Path, count: int, pt2: bool = False) -> None:
    """Say how the files compare with the network, and how fast the exported one is; refuse if they differ."""
    observations, masks = positions(network, card, count)
    agent = OnnxAgent(str(file))
    judges = {file: agent.evaluate}
    if pt2:
        program = file.with_suffix(PROGRAM)
        judges[program] = judged_by(torch.export.load(program).module(), network.game)
    for name, judge in judges.items():
        found = compare(judged_by(network, network.game), judge, observations, masks)
        print(f"{name}: {found}")
        if not found.equal:
            raise ValueError(f"{name} does not say the same as the network it was made from (to {TOLERANCE})")
    print(f"{file}: {1e6 * seconds(agent, observations, masks):.0f} µs a decision, {TIMED} at once on one thread")


def seconds(agent: OnnxAgent, observations: Any, masks: Any) -> float:
    """That a decision takes, the median of some rounds."""
    observations, masks = (np.resize(each, (TIMED, each.shape[1])) for each in (observations, masks))
    spent = []
    for _ in range(1 + ROUNDS):  # the first makes ready
        begun = time.perf_counter()
        agent.evaluate(observations, masks)
        spent.append((time.perf_counter() - begun) / TIMED)
    return float(np.median(spent[1:]))


# -- the command ----------------------------------------------------------------------------------------------


def read_policy(folder: pathlib.Path) -> tuple[Chances, dict[str, Any]]:
    """The network of a run, and its card."""
    saved = read_network(folder / POLICY)
    if saved.get("game") not in list(GAMES):
        raise ValueError(f"{folder / POLICY} is of no game that there is")
    try:
        return Chances(load_network(GAMES[saved["game"]], saved).eval()), make_card(folder, saved)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"{folder} cannot be exported: {error}") from None


def export_run(folder: pathlib.Path, file: pathlib.Path, pt2: bool, count: int) -> None:
    check_range("--check", count, 1, MOST)
    check_target(file)
    torch.set_num_threads(1)
    network, card = read_policy(folder)
    export(network, card, file, pt2)
    check(network, card, file, count, pt2)
    print(f"{file}: {file.stat().st_size / 1000:.0f} kB")


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path, help="the folder of a run, or an exported file")
    parser.add_argument("file", type=pathlib.Path, nargs="?", help="to write (default: policy.onnx in the folder)")
    parser.add_argument("--results", nargs="+", default=[], metavar="JSON", help="of matches, for the card")
    parser.add_argument("--pt2", action="store_true", help="write torch's own program too, for torch.export.load")
    parser.add_argument("--check", type=int, default=CHECKED, metavar="N", help=f"positions ({CHECKED})")
    args = parser.parse_args(words)
    file = args.file or args.source / "policy.onnx"
    if args.source.suffix == EXPORTED:
        if args.file or args.pt2 or not args.results:
            raise ValueError(f"{args.source} is exported already: it can be given --results, nothing else")
        file = args.source
    else:
        export_run(args.source, file, args.pt2, args.check)
    if args.results:
        card = OnnxAgent(str(file)).card
        write_card(file, {**card, "results": [result(name, card) for name in args.results]})
        print(f"{file}: {len(args.results)} results on its card")


if __name__ == "__main__":
    as_command("export", main)
