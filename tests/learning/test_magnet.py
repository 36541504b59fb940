"""The magnet of PPO: nothing where it is off, an earlier policy that holds the new one where it is on."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from lanterns_agents.networks.masked_softmax import MaskedCategorical  # noqa: E402
from lanterns_agents.training import ppo  # noqa: E402
from lanterns_agents.training.checkpoint import weights_of  # noqa: E402

from tests.conftest import COMPILED  # noqa: E402
from tests.learning.runs import opened, same, tiny_config, tiny_run, weights  # noqa: E402

GAME = {"game": "lumen", "num_players": [3]}
compiled = pytest.mark.skipif(not COMPILED, reason="hundreds of decisions for every update")
STRONG = 30.0  # a weight at which hardly anything else counts
UPDATES = 3


def collected(**settings):
    """A run of few games with decisions to learn from, and made-up advantages and returns."""
    run = tiny_run(**GAME, **settings)
    ppo.collect(run)
    rng = np.random.default_rng(0)
    n = run.buffer.count
    advantages = rng.normal(size=n).astype(np.float32)
    return run, np.arange(n), advantages, rng.normal(size=(n, run.game.max_players)).astype(np.float32)


def move(run):
    """Another policy than it was."""
    with torch.no_grad():
        for weight in run.network.parameters():
            weight.add_(0.05 * torch.randn(weight.shape, generator=torch.Generator().manual_seed(1)))


# -- off ------------------------------------------------------------------------------------------------------


def plain_loss(run, rows, advantages, returns):
    """The loss of PPO, with no magnet in it."""
    config, buffer = run.config, run.buffer
    given = buffer.observations[rows], buffer.action_masks[rows], buffer.features[rows]
    logits, values = run.network(*map(torch.from_numpy, given))
    value_loss = ppo.value_loss_of(buffer, rows, values, returns)
    logps, entropies = MaskedCategorical.apply(logits, buffer.action_masks[rows], buffer.actions[rows])
    ratio = (logps - torch.from_numpy(buffer.logps[rows])).exp()
    advantage = torch.from_numpy(advantages[rows])
    clipped = ratio.clamp(1 - config.clip_coef, 1 + config.clip_coef)
    policy_loss = -torch.minimum(ratio * advantage, clipped * advantage).mean()
    return policy_loss + config.vf_coef * value_loss - config.ent_coef * entropies.mean()


def gradient(run, loss):
    return torch.autograd.grad(loss, list(run.network.parameters()), materialize_grads=True)


def test_without_a_magnet_the_loss_is_bit_for_bit_the_plain_one():
    run, rows, *given = collected(magnet_every=1)
    move(run)
    expected = plain_loss(run, rows, *given)
    actual, logged = ppo.ppo_loss(run, rows, *given)
    assert same(expected.detach(), actual.detach())
    assert same(gradient(run, expected), gradient(run, actual))
    assert {"policy_loss", "value_loss", "entropy", "approx_kl", "clipfrac"} == set(logged)


@compiled
def test_without_a_magnet_nothing_of_it_is_kept():
    run = tiny_run(**GAME, magnet_every=1)
    ppo.update(run)
    assert [] == [name for name in run.saved()[0] if name.startswith("magnet")]


# -- on -------------------------------------------------------------------------------------------------------


def test_the_divergence_is_that_of_the_policy_from_the_magnet():
    """Sum of p * log(p / q) over legal actions, the mean over decisions; it is added to the loss by its weight."""
    run, rows, *given = collected(magnet_coef=0.2)
    start, _ = ppo.ppo_loss(run, rows, *given)
    assert same(plain_loss(run, rows, *given).detach(), start.detach())  # the magnet is the policy itself
    move(run)
    new, old = (
        ppo.predict(run, rows, network)[0].detach().numpy().astype(np.float64) for network in (None, run.magnet)
    )
    legal = run.buffer.action_masks[rows] == 1
    p, q = (np.where(legal, np.exp(logits), 0) for logits in (new, old))
    p, q = p / p.sum(1, keepdims=True), q / q.sum(1, keepdims=True)
    expected = (p[legal] * np.log(p[legal] / q[legal])).sum() / len(rows)
    loss, logged = ppo.ppo_loss(run, rows, *given)
    assert expected > 1e-4
    assert expected == pytest.approx(logged["magnet_kl"].item(), rel=1e-4)
    assert plain_loss(run, rows, *given).item() + 0.2 * expected == pytest.approx(loss.item(), abs=1e-6)


@compiled
def test_it_holds_the_policy():
    """What is learnt from the same decisions leads away from the start, and hardly with a strong magnet."""
    moved = []
    for coef in (1e-6, STRONG):
        run = tiny_run(**GAME, magnet_coef=coef, learning_rate=1e-3, update_epochs=4)
        for _ in range(UPDATES):
            figures = ppo.update(run)
        moved.append(figures["losses/magnet_kl"])
    assert moved[1] < moved[0] / 2


@compiled
def test_the_magnet_is_the_start_or_the_policy_some_updates_ago():
    for every, expected in {0: 0, 1: UPDATES, 2: 2}.items():
        run = tiny_run(**GAME, magnet_coef=0.1, magnet_every=every)
        policies = [weights(run)]
        for _ in range(UPDATES):
            ppo.update(run)
            policies.append(weights(run))
        magnet = [weight.detach().numpy() for weight in run.magnet.parameters()]
        assert [expected] == [number for number, policy in enumerate(policies) if same(policy, magnet)]


@compiled
def test_a_run_that_had_no_magnet_goes_on_with_its_policy_as_the_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config = tiny_config(**GAME, total_decisions=150, run_name="mine")
    run, path = opened(config)
    ppo.train(run, path)
    resumed, _ = opened(tiny_config(**GAME, total_decisions=3000, run_name="mine", magnet_coef=0.1), True)
    assert same(weights_of(run.network), weights_of(resumed.magnet))
    ppo.update(resumed)
    assert same(weights_of(run.network), weights_of(resumed.magnet))
    assert not same(weights_of(run.network), weights_of(resumed.network))


@compiled
def test_a_run_that_begins_with_another_network_has_it_as_the_magnet(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, path = opened(tiny_config(**GAME, total_decisions=150, run_name="first"))
    ppo.train(first, path)
    second, _ = opened(
        tiny_config(**GAME, seed=1, run_name="second", magnet_coef=0.1, init_from=str(path / "policy.safetensors"))
    )
    assert same(weights_of(first.network), weights_of(second.magnet))
