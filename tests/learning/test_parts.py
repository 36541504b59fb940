"""What the trainer does in parts, on one thread or several, is the same as at once."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import train_ppo  # noqa: E402

from tests.learning.stages import played  # noqa: E402
from tests.learning.test_train_ppo import MIXED, same, tiny_run, weights  # noqa: E402

PART = 16


def updated(times=2, **settings):
    run = tiny_run(game="lumen", players=[3, 4], decisions=10_000, **settings)
    for _ in range(times):
        train_ppo.update(run)
    return run


@pytest.mark.parametrize("warm", [{}, {"warm_bot": "greedy", "warm_decisions": 100}])
def test_the_number_of_threads_changes_no_number(monkeypatch, warm):
    """With earlier selves and bots among the opponents, or a teacher first."""
    monkeypatch.setattr(train_ppo, "PART", PART)
    one, three = (updated(threads=threads, **warm, **MIXED | {"bots": ["random"]}) for threads in (1, 3))
    assert one.decisions > 300
    assert same(weights(one), weights(three))
    assert same(one.record.saved(), three.record.saved())


def test_a_gradient_of_parts_is_that_of_the_whole(monkeypatch):
    """Of a minibatch that does not fall into equal parts; and what is logged is the mean of the whole."""
    run = updated(1)
    train_ppo.play(run)
    n = run.record.count
    chosen, gains, targets = np.arange(50), np.random.default_rng(0).normal(size=(n, 1)), np.zeros(n, np.float32)
    whole = train_ppo.take_gradient(run, chosen, gains[:, 0].astype(np.float32), targets)
    expected = [weight.grad.numpy().copy() for weight in run.network.parameters()]
    assert [256, 256] == [len(part) for part in train_ppo.parts_of(np.arange(512))]
    monkeypatch.setattr(train_ppo, "PART", PART)
    assert [17, 17, 16] == [len(part) for part in train_ppo.parts_of(chosen)]
    figures = train_ppo.take_gradient(run, chosen, gains[:, 0].astype(np.float32), targets)
    for of_whole, weight in zip(expected, run.network.parameters(), strict=True):
        assert of_whole == pytest.approx(weight.grad.numpy(), abs=1e-6)
    assert whole == pytest.approx(figures, abs=1e-6)


def test_chances_and_entropies_of_legal_actions_and_their_gradient(name):
    """The same as of the softmax of all, as torch has it."""
    masks = played(name).action_masks.copy()
    rng = np.random.default_rng(0)
    actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
    logits = torch.randn(masks.shape, generator=torch.Generator().manual_seed(0)).mul(3)
    logits = logits.masked_fill(torch.from_numpy(masks) == 0, -1e9).requires_grad_()
    all_logps = logits.log_softmax(1)
    rows = torch.arange(len(masks))
    expected = all_logps[rows, actions], -(all_logps.exp() * all_logps).sum(1)
    found = train_ppo.Policy.apply(logits, masks, actions)
    upstream = torch.randn(2, len(masks), generator=torch.Generator().manual_seed(1))
    gradients = [torch.autograd.grad((torch.stack(each) * upstream).sum(), logits)[0] for each in (expected, found)]
    for one, other in zip((*expected, gradients[0]), (*found, gradients[1]), strict=True):
        assert one.detach().numpy() == pytest.approx(other.detach().numpy(), abs=1e-4)
    assert gradients[1].abs().max() > 0.1
