"""The networks as policies of sb3-contrib, on observations as they are: ``SeatVecEnv(..., observation="named")``.

MaskablePPO(NetworkPolicy, envs, policy_kwargs={"game": "lanterns", "hidden_size": 256, "entity_size": 32})
"""

from typing import Any

from gymnasium import spaces

from lanterns_env.support.extras import needed_by

with needed_by(__name__):
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from stable_baselines3.common.type_aliases import Schedule, TensorDict
    from torch import Tensor, nn

from lanterns_agents.networks.base import Network, make_network
from lanterns_env import GAMES


class NetworkPolicy(MaskableActorCriticPolicy):
    """A network in the place of all of SB3's own layers."""

    def __init__(self, *spaces_and_rate: Any, game: str, hidden_size: int, entity_size: int, **kwargs: Any) -> None:
        self.game, self.sizes = GAMES[game], {"hidden_size": hidden_size, "entity_size": entity_size}
        super().__init__(*spaces_and_rate, **{**kwargs, "features_extractor_class": Numbers})

    @property
    def network(self) -> Network:
        return self.mlp_extractor.network  # type: ignore[return-value]

    def _build(self, lr_schedule: Schedule) -> None:
        self.mlp_extractor = LogitsAndValues(make_network(self.game, **self.sizes))  # type: ignore[assignment]
        self.action_net, self.value_net = nn.Identity(), nn.Identity()  # type: ignore[assignment]
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)  # type: ignore[call-arg]


class Numbers(BaseFeaturesExtractor):
    """The numbers of an observation without its mask."""

    def __init__(self, space: spaces.Dict) -> None:
        super().__init__(space, spaces.utils.flatdim(space["observation"]))

    def forward(self, observations: TensorDict) -> Tensor:
        return observations["observation"]


class LogitsAndValues(nn.Module):
    """Logits and values of a network, asked for together or one by one; the masks come later."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        logits, values = self.network.unmasked(observations)
        return logits, values[:, :1]  # the viewer's own

    def forward_actor(self, observations: Tensor) -> Tensor:
        return self.forward(observations)[0]

    def forward_critic(self, observations: Tensor) -> Tensor:
        return self.forward(observations)[1]
