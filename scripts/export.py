"""A trained network as one ONNX file that plays without torch, and its card beside it.

    python scripts/export.py runs/lanterns_2p
    python scripts/export.py runs/lanterns_2p champion.onnx

The file takes observations (int8 [N, D]) and masks (int8 [N, A]) and gives masked logits and values; the card, also
inside the file, says what it was made for: game, layout, options, settings, results.
``load("champion.onnx")`` plays it.
"""

import json
import logging
import pathlib
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from lanterns_agents.learned import CARD
from lanterns_agents.network import Network, load_network

from lanterns_env import GAMES, Batch

TOLERANCE = 1e-3  # between torch and onnxruntime, in logits and values
CHECKED = 64  # games in which the two are compared


def make_card(folder: pathlib.Path, saved: dict[str, Any]) -> dict[str, Any]:
    """What the network was made for and how, with the results of its last evaluation."""
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    results = next((line["results"] for line in reversed(lines) if "results" in line), {})
    told = {key: saved[key] for key in ("game", "layout", "sizes", "config", "decisions", "seconds")}
    return {**told, "options": saved["config"]["options"], "players": saved["config"]["players"], "results": results}


def export(network: Network, card: dict[str, Any], file: pathlib.Path) -> None:
    """Write the file and check that it says the same as the network."""
    example = some_games(network, 2)
    batch = torch.export.Dim("batch")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the exporter about itself
        logging.getLogger("torch.onnx").setLevel(logging.ERROR)
        program = torch.onnx.export(
            network,
            example,
            dynamo=True,
            verbose=False,
            input_names=["observations", "masks"],
            output_names=["logits", "values"],
            dynamic_shapes=({0: batch}, {0: batch}),
        )
    assert program is not None
    model = program.model_proto
    model.metadata_props.append(onnx.StringStringEntryProto(key=CARD, value=json.dumps(card)))
    file.write_bytes(model.SerializeToString())
    file.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n")
    compare(network, file)


def some_games(network: Network, count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Observations and masks in the middle of games."""
    games, rng = Batch(network.game, count), np.random.default_rng(0)
    for _ in range(CHECKED):
        games.step(games.sample(rng))
    return torch.from_numpy(games.observations.copy()), torch.from_numpy(games.masks.copy())


def compare(network: Network, file: pathlib.Path) -> None:
    observations, masks = some_games(network, CHECKED)
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    found = session.run(None, {"observations": observations.numpy(), "masks": masks.numpy()})
    with torch.no_grad():
        expected = network(observations, masks)
    for left, right in zip(expected, found, strict=True):
        if not np.allclose(left.numpy(), right, atol=TOLERANCE):
            raise ValueError(f"{file} does not say the same as the network it was made from")


def main(words: Sequence[str]) -> None:
    if len(words) not in (1, 2):
        raise ValueError("export.py needs the folder of a run, and may be given a file to write")
    folder = pathlib.Path(words[0])
    if not (folder / "policy.pt").is_file():
        raise ValueError(f"there is no {folder / 'policy.pt'}")
    saved = torch.load(folder / "policy.pt", weights_only=True)
    file = pathlib.Path(words[1]) if len(words) == 2 else folder / "policy.onnx"
    export(load_network(GAMES[saved["game"]], saved).eval(), make_card(folder, saved), file)
    print(f"{file}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except ValueError as error:
        raise SystemExit(f"export: {error}") from None
