"""Models of stable-baselines3 and sb3-contrib: their policies, out of a file or of the model itself, and asked.

The policy is made anew on the CPU, with a copy of the weights: no buffers, no environments, and nothing that is learnt
later.  A file is SB3's own, a zip with pickles: reading it may run what is in it.
"""

import json
import os
import warnings
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any

import numpy as np
from gymnasium.spaces import Space
from numpy.typing import NDArray

from lanterns_env.support.extras import needed_by

with needed_by("a model of stable-baselines3"):
    from stable_baselines3.common.policies import BasePolicy
    from stable_baselines3.common.save_util import load_from_zip_file
    from torch import Tensor, from_numpy, zeros

POLICY, LAST = "policy", "_last_obs"
NEEDED = ("policy_class", "policy_kwargs", "observation_space", "action_space", LAST)  # of what a file holds
Observations = NDArray[Any] | dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Parts:
    """What a policy is made of."""

    name: str
    kind: type[BasePolicy]
    arguments: Mapping[str, Any]
    observation_space: Space[Any]
    action_space: Space[Any]
    weights: Mapping[str, NDArray[Any]]
    last_observations: Any  # those that it learnt from last, as its environments gave them; None before it learnt


def parts_of_file(file: str) -> Parts:
    """Of a file that ``model.save`` has written.  What is not needed is not even unpickled."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = set(json.loads(archive.read("data")))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what cannot be read is missing, and said below
            data, weights, _ = load_from_zip_file(file, device="cpu", custom_objects=dict.fromkeys(names - {*NEEDED}))
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, RuntimeError, OSError) as error:
        raise ValueError(f"{file} is no saved model of stable-baselines3: {error!s:.200}") from None
    missing = [name for name in NEEDED if name not in (data or {})] + [POLICY] * (POLICY not in weights)
    if data is None or missing:
        raise ValueError(
            f"{file} cannot be read here: {', '.join(missing)} is missing, or made by code that is; "
            "load it yourself, and give the model instead of its name"
        )
    state: Any = weights[POLICY]
    return _parts(os.path.basename(file), data["policy_class"], data, state)


def parts_of_model(model: Any) -> Parts:
    """Of a model in memory, as it is now."""
    data = {name: getattr(model, name, None) for name in NEEDED}
    return _parts(type(model).__name__, type(model.policy), data, model.policy.state_dict())


def _parts(name: str, kind: type[BasePolicy], data: Mapping[str, Any], weights: Mapping[str, Tensor]) -> Parts:
    arguments = {key: value for key, value in (data["policy_kwargs"] or {}).items() if key != "device"}
    copied = {key: weight.detach().cpu().numpy().copy() for key, weight in weights.items()}
    return Parts(name, kind, arguments, data["observation_space"], data["action_space"], copied, data[LAST])


def make_policy(parts: Parts) -> BasePolicy:
    """The policy, ready to be asked."""
    given: list[Any] = [parts.observation_space, parts.action_space]
    takes = signature(parts.kind).parameters.values()
    if any(each.name == "lr_schedule" or each.kind is Parameter.VAR_POSITIONAL for each in takes):
        given.append(lambda progress: 0.0)
    policy = parts.kind(*given, **parts.arguments)
    policy.load_state_dict({name: from_numpy(weight.copy()) for name, weight in parts.weights.items()})
    policy.set_training_mode(False)
    return policy.to("cpu")


def preferences(policy: BasePolicy, observations: Observations) -> NDArray[np.float32]:
    """How much a policy without a memory prefers each action, [N, A]: log-probabilities, or values."""
    inputs, _ = policy.obs_to_tensor(observations)
    asked: Any = policy
    if hasattr(policy, "q_net"):  # DQN
        found = asked.q_net(inputs)
    elif hasattr(policy, "quantile_net"):  # QR-DQN
        found = asked.quantile_net(inputs).mean(1)
    elif hasattr(policy, "get_distribution"):  # PPO, A2C, TRPO, MaskablePPO
        found = asked.get_distribution(inputs).distribution.logits
    elif hasattr(policy, "action_net"):  # ARS
        found = asked.action_net(asked.extract_features(inputs, policy.features_extractor))
    else:
        raise ValueError(f"a policy of the kind {type(policy).__name__} does not say how good each action is")
    return found.numpy()  # type: ignore[no-any-return]


def is_recurrent(policy: BasePolicy) -> bool:
    return hasattr(policy, "lstm_actor")


def blank_memory(policy: Any) -> NDArray[np.float32]:
    """Of one game that begins: float32[2, layers, hidden size]."""
    layers, _, size = policy.lstm_hidden_state_shape
    return np.zeros((2, layers, size), np.float32)


def recurrent_preferences(
    policy: Any, observations: Observations, memories: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The same of a policy with a memory, and its memories after it: float32[N, 2, layers, hidden size], as before."""
    inputs, _ = policy.obs_to_tensor(observations)
    before = tuple(from_numpy(memories[:, part]).swapaxes(0, 1).contiguous() for part in range(2))
    distribution, after = policy.get_distribution(inputs, before, zeros(len(memories)))
    kept = np.stack([part.swapaxes(0, 1).numpy() for part in after], axis=1)
    return distribution.distribution.logits.numpy(), kept
