"""Policy-value networks that see the structure of a game.

A network takes observations (int8 or float, [N, D]) and action masks ([N, A]) and gives masked logits [N, A] and values
[N, P]: the outcome that every seat may expect, in turn order from the viewer (seat_values.py).  One network serves all
numbers of players of its game.  What belongs to one game is in a module of its own; a game without one gets a plain
network.  Some networks also take features (features.py): numbers that compiled code works out from the observations;
they are computed where they are not given.
"""

import reprlib
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from lanterns_env.support.extras import needed_by

with needed_by(__name__):
    import torch
    from torch import Tensor, nn
    from torch.nn.functional import embedding

from lanterns_agents.features import FEATURES, check_features, compute_features, features_fingerprint, has_features
from lanterns_agents.networks.arrays import File, read_arrays, write_arrays
from lanterns_agents.networks.seat_values import NUM_PLAYERS, check_num_players, seated_table, values_of
from lanterns_agents.per_game import has_module, module_for
from lanterns_env.engine.game import Game

FLOOR = -1e9  # the logit of an illegal action: its chance is zero, and nothing becomes infinite
OUTPUT_INIT_SCALE = 0.01  # of last layers: at first all legal actions are about equally likely, all values about zero
NETWORK = "network"  # the module of a game that has one of its own
MADE_FOR = ("game", "layout", FEATURES, NETWORK)  # what is said of every network; the last are its sizes
WEIGHTS = "weights"
SIZES = ("hidden_size", "entity_size")
MAX_HIDDEN_SIZE, MAX_ENTITY_SIZE = 4096, 1024
LONGEST = 40  # letters of a name that is shown

Views = dict[str, Tensor]


class Network(nn.Module):
    """Takes observations apart into the fields of the view; ``evaluate`` is each game's own."""

    typical_range: ClassVar[Mapping[str, float]] = {}  # of fields whose bounds are far above what is typical

    def __init__(self, game: Game, hidden_size: int, entity_size: int) -> None:
        super().__init__()
        self.game = game
        self.sizes = {"hidden_size": hidden_size, "entity_size": entity_size}
        self.fields = [field.name for field in game.fields]
        bounds = {field.name: float(max(abs(field.low), field.high)) for field in game.fields}
        self.scale = {**bounds, **self.typical_range}
        check_num_players(game)
        self.register_buffer("seated", seated_table(game), persistent=False)

    seated: Tensor

    def forward(
        self, observations: Tensor, action_masks: Tensor, features: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        logits, values = self.unmasked(observations, features)
        return logits.masked_fill_(action_masks == 0, FLOOR), values

    def unmasked(self, observations: Tensor, features: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Logits of all actions, legal or not, and values."""
        view = self.views(observations, features)
        logits, scores = self.evaluate(view)
        if NUM_PLAYERS not in view:
            return logits, values_of(scores, self.seated[-1:])
        return logits, values_of(scores, lookup(view[NUM_PLAYERS], self.seated).squeeze(1))

    @abstractmethod
    def evaluate(self, view: Views) -> tuple[Tensor, Tensor]:
        """Logits of all actions, legal or not, in a tensor of their own, and a score of every seat (seat_values.py)."""

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
        """Fields divided by their bounds, or by what is typical, flat."""
        return [view[name].flatten(1).float() * (1 / self.scale[name]) for name in names]


class PlainNetwork(Network):
    """For a game without a network of its own: all numbers divided by their bounds, two layers."""

    def __init__(self, game: Game, hidden_size: int = 256, entity_size: int = 0) -> None:
        super().__init__(game, hidden_size, entity_size)
        self.trunk = trunk(game.view.itemsize, hidden_size)
        self.policy = scale_output_layer(nn.Linear(hidden_size, game.num_actions))
        self.value = scale_output_layer(nn.Linear(hidden_size, game.max_players))

    def evaluate(self, view: Views) -> tuple[Tensor, Tensor]:
        trunk_out = self.trunk(torch.cat(self.scaled(view, *self.fields), 1))
        return self.policy(trunk_out), self.value(trunk_out)


def has_structure(game: Game) -> bool:
    """Whether it has a network of its own; a plain one has no use for the size of an entity."""
    return has_module(NETWORK, game.name)


def make_network(game: Game, **sizes: int) -> Network:
    """A fresh network: ``hidden_size`` numbers in the trunk, ``entity_size`` for every slot, tile or island."""
    if not has_structure(game):
        return PlainNetwork(game, **sizes)
    network: Network = module_for(NETWORK, game.name).GameNetwork(game, **sizes)
    return network


def save_network(network: Network) -> dict[str, Any]:
    """All that is needed to make the same network again."""
    weights = {name: weight.clone() for name, weight in network.state_dict().items()}
    return {**made_for(network), WEIGHTS: weights}


def made_for(network: Network) -> dict[str, Any]:
    """What a file says of a network: its game, the layout and features that it was trained on, its sizes."""
    game = network.game
    return dict(zip(MADE_FOR, (game.name, game.layout, features_fingerprint(game.name), network.sizes), strict=True))


def load_network(game: Game, saved: Mapping[str, Any]) -> Network:
    """The network as it was saved, if it was made for this game as it is now."""
    missing = [name for name in (*MADE_FOR, WEIGHTS) if name not in saved]
    if missing:
        raise ValueError(f"this is no saved network: it has no {', '.join(missing)}")
    check_made_for(game, saved)
    network = make_network(game, **check_sizes(game, saved[NETWORK]))
    check_weights(network, saved[WEIGHTS])
    network.load_state_dict(saved[WEIGHTS])
    return network


def write_network(file: File, saved: Mapping[str, Any]) -> None:
    """A saved network, and what else is said of it, as a file."""
    card = {name: value for name, value in saved.items() if name != WEIGHTS}
    write_arrays(file, {name: weight.numpy() for name, weight in saved[WEIGHTS].items()}, card)


def read_network(file: File) -> dict[str, Any]:
    """What write_network wrote; ValueError names the file, whatever is wrong with it."""
    weights, card = read_arrays(file)
    if not isinstance(card, dict):
        raise ValueError(f"{file} is damaged: its card holds {type(card).__name__}")
    return {**card, WEIGHTS: {name: torch.from_numpy(weight) for name, weight in weights.items()}}


def check_sizes(game: Game, sizes: Any) -> dict[str, int]:
    """Refuse sizes that no network has."""
    if not isinstance(sizes, dict) or set(sizes) != set(SIZES) or not all(type(size) is int for size in sizes.values()):
        raise ValueError(f"the sizes of a network are the numbers {' and '.join(SIZES)}, not {shown(sizes)}")
    hidden_size, entity_size = (sizes[name] for name in SIZES)
    if not (1 <= hidden_size <= MAX_HIDDEN_SIZE and has_structure(game) <= entity_size <= MAX_ENTITY_SIZE):
        raise ValueError(
            f"the sizes of a network are from 1 to {MAX_HIDDEN_SIZE} and {MAX_ENTITY_SIZE}, not {shown(sizes)}"
        )
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


def check_made_for(game: Game, card: Mapping[str, Any]) -> None:
    """Refuse what was learnt on another game, or on another view, action list or features of it."""
    if card["game"] != game.name:
        raise ValueError(f"this network plays {shown(card['game'])}, not {game.name}")
    if card["layout"] != game.layout:
        raise ValueError(
            f"this network was trained on another layout of {game.title} ({shown(card['layout'])}; now {game.layout}): "
            "the fields of the view or the actions have changed since; train it anew"
        )
    check_features(game, shown(card[FEATURES]))


def trunk(inputs: int, hidden_size: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, hidden_size), nn.ReLU(), nn.Linear(hidden_size, hidden_size), nn.ReLU())


def scale_output_layer(layer: nn.Linear) -> nn.Linear:
    """A last layer that says almost nothing yet."""
    with torch.no_grad():
        layer.weight.mul_(OUTPUT_INIT_SCALE)
        layer.bias.zero_()
    return layer


def lookup(numbers: Tensor, table: Tensor) -> Tensor:
    """The row of a table for every whole number from 0: [..., columns].  Much faster than comparing."""
    return embedding(numbers.int(), table)


def one_hot_table(first: int, last: int) -> Tensor:
    """Rows for 0 .. last: a flag for each number from first on, none for those below."""
    return torch.eye(last + 1)[:, first:]


def at_least_table(last: int) -> Tensor:
    """Rows for 0 .. last: a flag for each of 1 .. last that is reached."""
    return torch.ones(last + 1, last + 1).tril()[:, 1:]
