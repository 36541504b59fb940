"""What the trainer does in parts, on one thread or several, is the same as at once."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from lanterns_agents.networks.masked_softmax import MaskedCategorical  # noqa: E402
from lanterns_agents.training import bc, inference, ppo  # noqa: E402
from lanterns_agents.training.arguments import make_config  # noqa: E402
from lanterns_agents.training.config import ImitationConfig  # noqa: E402

from tests.conftest import COMPILED  # noqa: E402
from tests.learning.runs import MIXED, TINY, same, tiny_run, weights  # noqa: E402
from tests.learning.stages import played  # noqa: E402

PART = 16


LUMEN = {"game": "lumen", "num_players": [3, 4]}


def updated(times=2, **settings):
    run = tiny_run(**LUMEN, **settings)
    for _ in range(times):
        ppo.update(run)
    return run


def test_the_number_of_threads_changes_no_number(monkeypatch):
    """With earlier selves and bots among the opponents."""
    monkeypatch.setattr(inference, "PART", PART)
    one, three = (updated(num_threads=count, **MIXED | {"bot_opponents": ["random"]}) for count in (1, 3))
    assert one.decisions >= 300
    assert same(weights(one), weights(three))
    assert same(one.buffer.saved(), three.buffer.saved())


@pytest.mark.skipif(not COMPILED, reason="thousands of decisions of experts")
@pytest.mark.parametrize("teacher", ["greedy", "expert"])
def test_the_number_of_threads_changes_no_number_of_imitation(monkeypatch, teacher):
    monkeypatch.setattr(inference, "PART", PART)
    config = {**TINY, **LUMEN, "bc_teacher": teacher}
    one, three = (bc.Imitation(make_config({**config, "num_threads": count}, ImitationConfig)) for count in (1, 3))
    for run in (one, three):
        bc.update(run)
    assert same(weights(one), weights(three))
    assert same(one.buffer.saved(), three.buffer.saved())


def test_a_gradient_of_parts_is_that_of_the_whole(monkeypatch):
    """Of a minibatch that does not fall into equal parts; and what is logged is the mean of the whole."""
    run = updated(1)
    ppo.collect(run)
    n = run.buffer.count
    rows, advantages = np.arange(50), np.random.default_rng(0).normal(size=n).astype(np.float32)

    def loss_of(part):
        return ppo.ppo_loss(run, part, advantages, np.zeros_like(run.buffer.values[:n]))

    whole = ppo.take_gradient(run, rows, loss_of)
    expected = [weight.grad.numpy().copy() for weight in run.network.parameters()]
    assert [256, 256] == [len(part) for part in inference.parts_of(np.arange(512))]
    monkeypatch.setattr(inference, "PART", PART)
    assert [17, 17, 16] == [len(part) for part in inference.parts_of(rows)]
    figures = ppo.take_gradient(run, rows, loss_of)
    for of_whole, weight in zip(expected, run.network.parameters(), strict=True):
        assert of_whole == pytest.approx(weight.grad.numpy(), abs=1e-6)
    assert whole == pytest.approx(figures, abs=1e-6)


def test_log_probabilities_and_entropies_of_legal_actions_and_their_gradient(name):
    """The same as of the softmax of all, as torch has it."""
    masks = played(name).action_masks.copy()
    rng = np.random.default_rng(0)
    actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
    logits = torch.randn(masks.shape, generator=torch.Generator().manual_seed(0)).mul(3)
    logits = logits.masked_fill(torch.from_numpy(masks) == 0, -1e9).requires_grad_()
    all_logps = logits.log_softmax(1)
    rows = torch.arange(len(masks))
    expected = all_logps[rows, actions], -(all_logps.exp() * all_logps).sum(1)
    found = MaskedCategorical.apply(logits, masks, actions)
    upstream = torch.randn(2, len(masks), generator=torch.Generator().manual_seed(1))
    gradients = [torch.autograd.grad((torch.stack(each) * upstream).sum(), logits)[0] for each in (expected, found)]
    for one, other in zip((*expected, gradients[0]), (*found, gradients[1]), strict=True):
        assert one.detach().numpy() == pytest.approx(other.detach().numpy(), abs=1e-4)
    assert gradients[1].abs().max() > 0.1
