"""The weights in an exported network: training can begin with the file that plays.

The exporter folds some weights into constants of another shape; these lie beside the model as they were trained, in
ONNX's own place for what training needs.  Reading a file executes nothing that is in it.
"""

import os
from collections.abc import Mapping
from typing import Any

from lanterns_env.support.extras import needed_by

with needed_by(__name__):
    import torch
    from torch import Tensor

from lanterns_agents.networks.arrays import File
from lanterns_agents.networks.base import (
    MADE_FOR,
    NETWORK,
    WEIGHTS,
    check_made_for,
    check_sizes,
    make_network,
    read_network,
)
from lanterns_agents.networks.model_card import check_card, fingerprint
from lanterns_agents.networks.sealed import CARD, check_seal, read_file
from lanterns_env import GAMES
from lanterns_env.agent import EXPORTED
from lanterns_env.support.files import parse_json

PREFIX = "network."  # of their names in a file: what is exported holds the network under this name


def read_saved(file: File) -> dict[str, Any]:
    """A saved network, from a file of either kind; ValueError names the file, whatever is wrong with it."""
    return read_exported(file) if os.fspath(file).endswith(EXPORTED) else read_network(file)


def keep_weights(model: Any, weights: Mapping[str, Tensor]) -> None:
    """Add those weights to a model of ONNX that are not in it as they are."""
    from onnx import numpy_helper

    present = {each.name for each in model.graph.initializer}
    folded = {PREFIX + name: weight for name, weight in weights.items() if PREFIX + name not in present}
    arrays = [numpy_helper.from_array(weight.numpy(), name) for name, weight in folded.items()]
    model.training_info.add().initialization.initializer.extend(arrays)


def read_exported(file: File) -> dict[str, Any]:
    """What save_network gave, and its card, from an exported file: bit for bit as it was trained."""
    name = os.fspath(file)
    data = read_file(name)
    check_seal(data, name)
    stored, texts = _contents(data, name)
    card = check_card(parse_json(texts.get(CARD, ""), f"the card of {name}"), name)
    missing = [each for each in MADE_FOR if each not in card]
    if missing:
        raise ValueError(f"the card of {name} is not whole: it has no {', '.join(missing)}")
    game = GAMES[card["game"]]
    check_made_for(game, card)
    wanted = make_network(game, **check_sizes(game, card[NETWORK])).state_dict()
    weights = {each: _array(stored, PREFIX + each, name) for each in wanted}
    if fingerprint(weights) != card[WEIGHTS]:
        raise ValueError(f"the weights in {name} are not those that its card names")
    return {**card, WEIGHTS: weights}


def _contents(data: bytes, name: str) -> tuple[dict[str, Any], dict[str, str]]:
    """The constants of a model and the texts about it, by name."""
    with needed_by(name):
        import onnx
        from google.protobuf.message import DecodeError
    try:
        model = onnx.load_model_from_string(data)
    except DecodeError:
        raise ValueError(f"{name} is no network that onnx can read") from None
    graphs = model.graph, *(each.initialization for each in model.training_info)
    stored = {each.name: each for graph in graphs for each in graph.initializer}
    return stored, {each.key: each.value for each in model.metadata_props}


def _array(stored: Mapping[str, Any], key: str, name: str) -> Tensor:
    """One constant; what lies in other files is not read."""
    from onnx import external_data_helper, numpy_helper

    if key not in stored or external_data_helper.uses_external_data(stored[key]):
        raise ValueError(f"{name} does not hold {key}: export it anew")
    try:
        return torch.from_numpy(numpy_helper.to_array(stored[key]).copy())
    except (ValueError, TypeError, KeyError):
        raise ValueError(f"{name} holds no numbers as {key}") from None
