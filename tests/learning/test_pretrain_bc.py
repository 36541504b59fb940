"""Imitation: what a teacher would do is learnt, and PPO goes on from there."""

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from lanterns_agents.training import bc, folder, opponents, ppo, settings  # noqa: E402
from lanterns_agents.training.arguments import make_config  # noqa: E402
from lanterns_agents.training.config import ImitationConfig  # noqa: E402

from lanterns_env.engine.streams import stream  # noqa: E402
from tests.conftest import COMPILED  # noqa: E402
from tests.learning.runs import TINY, opened, same, tiny_config, weights  # noqa: E402
from tests.learning.test_train_ppo import Listener, first_numbers  # noqa: E402


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def configured(**values):
    return make_config({**TINY, **values}, ImitationConfig)


class Teacher:
    """Wants the first legal action three times as much as the last."""

    def act(self, table, rng):
        return table.action_masks.argmax(1)

    def action_probabilities(self, table):
        probs = np.zeros(table.action_masks.shape, np.float32)
        probs[np.arange(len(table)), table.action_masks.argmax(1)] += 0.75
        probs[np.arange(len(table)), table.action_masks.shape[1] - 1 - table.action_masks[:, ::-1].argmax(1)] += 0.25
        return probs


@pytest.fixture
def of_teacher(monkeypatch):
    for module in (opponents, settings):
        monkeypatch.setattr(module, "load", lambda name: Teacher())
    config = configured(bc_teacher="teacher", bc_epochs=3, minibatch_size=150, learning_rate=3e-3)
    return bc.Imitation(config)


def test_a_teachers_probabilities_of_all_actions_are_recorded(of_teacher):
    run = of_teacher
    bc.collect(run)
    n, probs = run.buffer.count, run.buffer.teacher_probs[: run.buffer.count]
    assert probs.sum(1) == pytest.approx(np.ones(n))
    assert not probs[run.buffer.action_masks[:n] == 0].any()
    assert np.array_equal(run.buffer.action_masks[:n].argmax(1), run.buffer.actions[:n])


def test_the_loss_is_their_cross_entropy_and_that_of_the_value(of_teacher):
    run = of_teacher
    bc.collect(run)
    n, buffer = run.buffer.count, run.buffer
    loss, logged = bc.imitation_loss(run, np.arange(n), None, np.zeros_like(run.buffer.values[:n]))
    logits, values = run.network(*(torch.from_numpy(each[:n]) for each in (buffer.observations, buffer.action_masks)))
    by_hand = -(buffer.teacher_probs[:n] * logits.log_softmax(1).detach().numpy()).sum(1).mean()
    assert by_hand == pytest.approx(logged["policy_loss"].item(), rel=1e-3)
    value_loss = (values.square().sum(1) / torch.from_numpy(buffer.num_players[:n])).mean().item()
    assert value_loss == pytest.approx(logged["value_loss"].item(), rel=1e-4)
    assert by_hand + 0.5 * value_loss == pytest.approx(loss.item(), rel=1e-3)
    right = (logits.argmax(1).numpy() == buffer.actions[:n]).mean()
    assert right == pytest.approx(logged["bc_accuracy"].item())


@pytest.mark.skipif(not COMPILED, reason="thousands of decisions")
def test_probabilities_are_learnt(of_teacher):
    losses = [bc.update(of_teacher)["losses/policy_loss"] for _ in range(80)]
    assert np.mean(losses[-5:]) < np.mean(losses[:5]) - 0.15


def test_without_probabilities_the_action_is_learnt():
    run = bc.Imitation(configured(bc_teacher="greedy"))
    bc.collect(run)
    n = run.buffer.count
    assert (n, 0) == run.buffer.teacher_probs[:n].shape
    _, logged = bc.imitation_loss(run, np.arange(n), None, np.zeros_like(run.buffer.values[:n]))
    given = (run.buffer.observations, run.buffer.action_masks)
    logits, _ = run.network(*(torch.from_numpy(each[:n]) for each in given))
    by_hand = torch.nn.functional.cross_entropy(logits, torch.from_numpy(run.buffer.actions[:n])).item()
    assert by_hand == pytest.approx(logged["policy_loss"].item(), rel=1e-4)


def test_half_of_what_is_played_is_the_teachers(monkeypatch, of_teacher):
    played = []
    step = type(of_teacher.batch).step

    def watched(batch, actions, rows=None):
        if rows is None:
            played.append((np.asarray(actions) == batch.action_masks.argmax(1)).mean())
        step(batch, actions, rows)

    monkeypatch.setattr(type(of_teacher.batch), "step", watched)
    bc.collect(of_teacher)
    assert 0.4 < np.mean(played) < 0.75  # the learner's own are sometimes the same


def test_a_teacher_is_given_streams_that_lead_nowhere():
    run = bc.Imitation(configured(bc_teacher="greedy", seed=9))
    assert ["Greedy"] * 2 == [type(agent).__name__ for agent in run.teachers]
    listeners = run.teachers = [Listener(), Listener()]
    bc.collect(run)
    for seat, listener in enumerate(listeners):
        steps = [stream("teacher", 9, 0, step, seat) for step in range(300)]
        assert listener.given
        assert set(first_numbers(listener.given)) <= set(first_numbers(steps))


def test_ppo_goes_on_with_what_was_learnt():
    run, path = opened(configured(run_name="first", bc_decisions=150), kind=bc.Imitation)
    ppo.train(run, path, bc.update)
    line = json.loads((path / "log.jsonl").read_text().splitlines()[-1])
    assert {"losses/bc_accuracy", "losses/value_loss", "time/teacher", "charts/SPS"} <= line.keys()
    second, _ = opened(tiny_config(run_name="second", init_from=str(path / folder.POLICY)))
    assert same(weights(run), weights(second))
    assert [("first", "greedy")] == [
        (each["config"]["run_name"], each["config"]["bc_teacher"]) for each in second.initialised_from
    ]


@pytest.mark.skipif(not COMPILED, reason="thousands of decisions")
@pytest.mark.slow
def test_a_resumed_run_equals_one_that_was_never_interrupted():
    values = {"game": "lumen", "num_players": [3, 4], "use_heuristic_value": True, "bc_decisions": 900}
    whole, path = opened(configured(**values, run_name="whole"), kind=bc.Imitation)
    ppo.train(whole, path, bc.update)
    config = configured(**values, run_name="broken")
    broken, path = opened(config, kind=bc.Imitation)

    def stop(run):
        run.stopped = run.updates == 2
        return bc.update(run)

    ppo.train(broken, path, stop)
    assert broken.decisions < whole.decisions
    resumed, _ = opened(config, True, bc.Imitation)
    ppo.train(resumed, path, bc.update)
    assert same(whole.saved()[0], resumed.saved()[0])
