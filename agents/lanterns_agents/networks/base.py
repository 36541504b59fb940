"""Policy-value networks that see the structure of a game.

A network takes observations (int8 or float, [N, D]) and masks ([N, A]) and gives masked logits [N, A] and values [N]:
what the seat to move expects.  One network serves all numbers of players of its game.  What belongs to one game is
in a module of its own; a game without one gets a plain network.  Some networks also take features (features.py):
numbers that compiled code works out from the observations; they are computed where they are not given.
"""

import reprlib
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding

from lanterns_agents.features import FEATURES, compute_features, has_features, layout_of
from lanterns_agents.networks.arrays import File, read_arrays, write_arrays
from lanterns_agents.per_game import has_module, module_for
from lanterns_env.engine.game import Game

FLOOR = -1e9  # the logit of an illegal action: its chance is zero, and nothing becomes infinite
QUIET = 0.01  # the last layers begin so small: all legal actions about equally likely, all values about zero
NETWORK = "network"  # the module of a game that has one of its own
SAVED = ("game", "layout", "sizes", "weights")
SIZES = ("hidden", "item")
MOST_HIDDEN, MOST_ITEM = 4096, 1024  # numbers
LONGEST = 40  # letters of a name that is shown

Views = dict[str, Tensor]


class Network(nn.Module):
    """Takes observations apart into the fields of the view; ``evaluate`` is each game's own."""

    usual: ClassVar[Mapping[str, float]] = {}  # what to divide a field by, where its bound is far above what is usual

    def __init__(self, game: Game, hidden: int, item: int) -> None:
        super().__init__()
        self.game = game
        self.sizes = {"hidden": hidden, "item": item}
        self.fields = [field.name for field in game.fields]
        bounds = {field.name: float(max(abs(field.low), field.high)) for field in game.fields}
        self.units = {**bounds, **self.usual}

    def forward(self, observations: Tensor, masks: Tensor, features: Tensor | None = None) -> tuple[Tensor, Tensor]:
        logits, values = self.evaluate(self.views(observations, features))
        return logits.masked_fill_(masks == 0, FLOOR), values

    @abstractmethod
    def evaluate(self, view: Views) -> tuple[Tensor, Tensor]:
        """Logits of all actions, legal or not, in a tensor of their own, and values."""

    def views(self, observations: Tensor, features: Tensor | None = None) -> Views:
        """The fields by name, each [N, ...], and the features, if this is a game with them."""
        parts = torch.split(observations, [field.size for field in self.game.fields], dim=1)
        found = {
            field.name: part.reshape(-1, *field.shape) if len(field.shape) > 1 else part
            for field, part in zip(self.game.fields, parts, strict=True)
        }
        if has_features(self.game.name):
            if features is None:
                features = torch.from_numpy(compute_features(self.game, observations.numpy()))
            found[FEATURES] = features
        return found

    def scaled(self, view: Views, *names: str) -> list[Tensor]:
        """Fields divided by their bounds, or by what is usual, flat."""
        return [view[name].flatten(1).float() * (1 / self.units[name]) for name in names]


class PlainNetwork(Network):
    """For a game without a network of its own: all numbers divided by their bounds, two layers."""

    def __init__(self, game: Game, hidden: int = 256, item: int = 0) -> None:
        super().__init__(game, hidden, item)
        self.trunk = trunk(game.view.itemsize, hidden)
        self.policy = quiet(nn.Linear(hidden, game.num_actions))
        self.value = quiet(nn.Linear(hidden, 1))

    def evaluate(self, view: Views) -> tuple[Tensor, Tensor]:
        known = self.trunk(torch.cat(self.scaled(view, *self.fields), 1))
        return self.policy(known), self.value(known).squeeze(1)


def has_structure(game: Game) -> bool:
    """Whether it has a network of its own; a plain one has no use for the size of an item."""
    return has_module(NETWORK, game.name)


def make_network(game: Game, **sizes: int) -> Network:
    """A fresh network: ``hidden`` numbers in the trunk, ``item`` for every slot, tile or island."""
    if not has_structure(game):
        return PlainNetwork(game, **sizes)
    network: Network = module_for(NETWORK, game.name).GameNetwork(game, **sizes)
    return network


def save_network(network: Network) -> dict[str, Any]:
    """All that is needed to make the same network again."""
    weights = {name: weight.clone() for name, weight in network.state_dict().items()}
    layout = layout_of(network.game)
    return {"game": network.game.name, "layout": layout, "sizes": network.sizes, "weights": weights}


def load_network(game: Game, saved: Mapping[str, Any]) -> Network:
    """The network as it was saved, if it was made for this game as it is now."""
    missing = [name for name in SAVED if name not in saved]
    if missing:
        raise ValueError(f"this is no saved network: it has no {', '.join(missing)}")
    check_layout(game, saved["game"], saved["layout"])
    network = make_network(game, **check_sizes(game, saved["sizes"]))
    check_weights(network, saved["weights"])
    network.load_state_dict(saved["weights"])
    return network


def write_network(file: File, saved: Mapping[str, Any]) -> None:
    """A saved network, and what else is said of it, as a file."""
    card = {name: value for name, value in saved.items() if name != "weights"}
    write_arrays(file, {name: weight.numpy() for name, weight in saved["weights"].items()}, card)


def read_network(file: File) -> dict[str, Any]:
    """What write_network wrote; ValueError names the file, whatever is wrong with it."""
    weights, card = read_arrays(file)
    if not isinstance(card, dict):
        raise ValueError(f"{file} is damaged: its card holds {type(card).__name__}")
    return {**card, "weights": {name: torch.from_numpy(weight) for name, weight in weights.items()}}


def check_sizes(game: Game, sizes: Any) -> dict[str, int]:
    """Refuse sizes that no network has."""
    if not isinstance(sizes, dict) or set(sizes) != set(SIZES) or not all(type(size) is int for size in sizes.values()):
        raise ValueError(f"the sizes of a network are the numbers {' and '.join(SIZES)}, not {shown(sizes)}")
    if not (1 <= sizes["hidden"] <= MOST_HIDDEN and has_structure(game) <= sizes["item"] <= MOST_ITEM):
        raise ValueError(f"the sizes of a network are from 1 to {MOST_HIDDEN} and {MOST_ITEM}, not {shown(sizes)}")
    return sizes


def shown(value: Any) -> str:
    """What a file says, however long it is and whatever it should be."""
    return value[:LONGEST] if isinstance(value, str) and value.isprintable() else reprlib.repr(value)


def check_weights(network: Network, weights: Mapping[str, Tensor]) -> None:
    """Refuse weights of another network, and weights that are no numbers any more."""
    expected = {name: (weight.dtype, weight.shape) for name, weight in network.state_dict().items()}
    if {name: (weight.dtype, weight.shape) for name, weight in weights.items()} != expected:
        raise ValueError(f"the weights are not those of a network of {network.game.title} with these sizes")
    if not all(weight.isfinite().all() for weight in weights.values() if weight.is_floating_point()):
        raise ValueError("the weights hold numbers that are not finite")


def check_layout(game: Game, name: str, layout: str) -> None:
    """Refuse what was learnt on another game, or on another view, action list or features of it."""
    if name != game.name:
        raise ValueError(f"this network plays {shown(name)}, not {game.name}")
    if layout != layout_of(game):
        raise ValueError(
            f"this network was trained on another layout of {game.title} ({shown(layout)}; now {layout_of(game)}): "
            "the fields of the view, the actions or the features have changed since; train it anew"
        )


def trunk(inputs: int, hidden: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())


def quiet(layer: nn.Linear) -> nn.Linear:
    """A last layer that says almost nothing yet."""
    with torch.no_grad():
        layer.weight.mul_(QUIET)
        layer.bias.zero_()
    return layer


def looked_up(numbers: Tensor, table: Tensor) -> Tensor:
    """The row of a table for every whole number from 0: [..., columns].  Much faster than comparing."""
    return embedding(numbers.int(), table)


def one_hot_table(first: int, last: int) -> Tensor:
    """Rows for 0 .. last: a flag for each number from first on, none for those below."""
    return torch.eye(last + 1)[:, first:]


def at_least_table(last: int) -> Tensor:
    """Rows for 0 .. last: a flag for each of 1 .. last that is reached."""
    return torch.ones(last + 1, last + 1).tril()[:, 1:]
