"""The softmax of legal actions alone, compiled: most actions are illegal, and torch's own took a tenth of a run."""

import math
from typing import Any

import numpy as np

from lanterns_env.support.extras import needed_by

with needed_by(__name__):
    import torch
    from torch import Tensor

from lanterns_env.engine.compile import jit


@jit
def log_sum_exp(logits: Any, legal: Any) -> Any:
    """What to take from a logit for the logarithm of its probability."""
    best = logits[legal[0]]
    for action in legal:
        best = max(best, logits[action])
    total = 0.0
    for action in legal:
        total += math.exp(logits[action] - best)
    return best + math.log(total)


@jit
def draw_actions(logits: Any, masks: Any, draws: Any, actions: Any, logps: Any) -> None:
    """A legal action a row, drawn with a number from 0 to 1, and the logarithm of its probability."""
    for row in range(len(actions)):
        legal = np.flatnonzero(masks[row])
        norm, left = log_sum_exp(logits[row], legal), draws[row]
        for action in legal:
            actions[row] = action
            left -= math.exp(logits[row, action] - norm)
            if left < 0:
                break
        logps[row] = logits[row, actions[row]] - norm


class MaskedCategorical(torch.autograd.Function):
    """The logarithms of the probabilities of actions, and entropies; both can be differentiated."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, masks: Any, actions: Any) -> tuple[Tensor, Tensor]:
        logps, entropies = np.empty((2, len(actions)), np.float32)
        masked_logps(logits.detach().numpy(), masks, actions, logps, entropies)
        ctx.given = logits.detach().numpy(), masks, actions, logps, entropies
        return torch.from_numpy(logps), torch.from_numpy(entropies)

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor, None, None]:
        gradient = np.zeros_like(ctx.given[0])
        masked_gradient(*ctx.given, np.stack([each.numpy() for each in upstream]), gradient)
        return torch.from_numpy(gradient), None, None


@jit
def masked_logps(logits: Any, masks: Any, actions: Any, logps: Any, entropies: Any) -> None:
    for row in range(len(actions)):
        legal = np.flatnonzero(masks[row])
        norm, entropy = log_sum_exp(logits[row], legal), 0.0
        for action in legal:
            logp = logits[row, action] - norm
            entropy -= math.exp(logp) * logp
        logps[row], entropies[row] = logits[row, actions[row]] - norm, entropy


@jit
def masked_gradient(
    logits: Any, masks: Any, actions: Any, logps: Any, entropies: Any, upstream: Any, gradient: Any
) -> None:
    """Of the logits, from that of the log-probabilities and that of the entropies: upstream[0] and [1]."""
    for row in range(len(actions)):
        of_logp, of_entropy = upstream[0, row], upstream[1, row]
        base = logits[row, actions[row]] - logps[row]
        for action in np.flatnonzero(masks[row]):
            logp = logits[row, action] - base
            probability = math.exp(logp)
            gradient[row, action] = -probability * (of_logp + of_entropy * (logp + entropies[row]))
        gradient[row, actions[row]] += of_logp
