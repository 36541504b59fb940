"""Imitation (behaviour cloning): a network learns to decide as an agent does, before PPO goes on from there.

    lanterns pretrain lumen_3p_bc
    lanterns train lumen_3p          # its settings say init_from = "runs/lumen_3p_bc/policy.safetensors"

Half of the decisions played are the teacher's and half the learner's own, so that the teacher is also asked where the
learner goes.  What is learnt in all of them is what the teacher would do: the probabilities of all actions, where it
has any, else its action.  The value is learnt as in PPO.  Files, evaluation, resuming and most settings are the same.
"""

import time
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from lanterns_env.support.extras import needed_by

with needed_by(__name__):
    import torch
    from torch import Tensor

from lanterns_agents.networks.arrays import Arrays, take_within, those_under
from lanterns_agents.networks.masked_softmax import MaskedCategorical
from lanterns_agents.training.arguments import read_arguments
from lanterns_agents.training.config import COUNTLESS, ImitationConfig
from lanterns_agents.training.folder import open_run
from lanterns_agents.training.inference import parts_of
from lanterns_agents.training.logging import SPEED, Figures
from lanterns_agents.training.opponents import answer, asked_at_seats, load_at_seats
from lanterns_agents.training.ppo import RolloutBuffer, act, learn, note, predict, train, value_loss_of
from lanterns_agents.training.run import State
from lanterns_agents.training.self_play import SelfPlay
from lanterns_env import Batch
from lanterns_env.agent import Table

TEACHERS_PART = 0.5  # of the decisions that are played
NO_ROWS = np.zeros(0, np.int64)


class TeacherBuffer(RolloutBuffer):
    """Decisions with what the teacher would do: its action, and its probabilities of all actions if it has any."""

    columns: ClassVar[tuple[str, ...]] = (*RolloutBuffer.columns, "teacher_probs")

    def __init__(self, batch: Batch, batch_size: int, width: int) -> None:
        super().__init__(batch, batch_size)
        self.teacher_probs = np.empty((self.capacity, width), np.float16)


class Imitation(SelfPlay):
    """All that a run consists of: what a checkpoint holds."""

    trainer = "pretrain_bc"
    agents = ("bc_teacher", "eval_opponents")

    def __init__(self, config: ImitationConfig) -> None:
        super().__init__(config)
        self.teachers = load_at_seats(config.bc_teacher, self.batch)
        self.buffer = TeacherBuffer(self.batch, config.batch_size, self.game.num_actions if self.has_probs() else 0)
        self.game_ids = np.arange(len(self.batch))
        self.spread_out()

    def has_probs(self) -> bool:
        """Whether the teacher has probabilities of all actions."""
        probabilities = getattr(self.teachers[0], "action_probabilities", None)
        return probabilities is not None and probabilities(Table(self.batch, NO_ROWS, NO_ROWS)) is not None

    def saved(self) -> State:
        return self.saved_with(buffer=self.buffer.saved(), games={"game_ids": self.game_ids.copy()})

    def restore(self, arrays: Arrays, card: dict[str, Any]) -> None:
        super().restore(arrays, card)
        self.buffer.restore(those_under("buffer", arrays))
        shape = self.game_ids.shape
        self.game_ids = take_within(those_under("games", arrays), "game_ids", np.int64, shape, 0, COUNTLESS)


# -- playing --------------------------------------------------------------------------------------------------


def collect(run: Imitation) -> None:
    """Play until there are so many decisions more as a batch has."""
    batch, buffer = run.batch, run.buffer
    every, begun, step = np.arange(len(batch)), buffer.count, 0
    while buffer.count - begun < run.config.batch_size:
        with run.timed("policy"):
            asked = [(run.network, every)]
            actions, logps, values, features = act(asked, batch.observations, batch.action_masks, run.rng, run.each)
        with run.timed("teacher"):
            wanted, probs = ask_teachers(run, step)
        given = {"actions": wanted, "logps": logps, "values": values, "features": features, "teacher_probs": probs}
        note(run, every, **given)
        with run.timed("games"):
            batch.step(np.where(run.rng.random(len(batch)) < TEACHERS_PART, wanted, actions))
            finish(run)
        step += 1
    run.decisions += buffer.count - begun


def ask_teachers(run: Imitation, step: int) -> tuple[Any, Any]:
    """What the teacher would do in every game, and its probabilities of all actions, of no width if it has none."""
    batch, width = run.batch, run.buffer.teacher_probs.shape[1]
    actions, probs = np.empty(len(batch), np.int64), np.empty((len(batch), width), np.float32)
    label = "teacher", run.config.seed, run.updates, step
    asked = asked_at_seats(batch, run.game_ids, run.teachers, np.arange(len(batch)), *label)
    if not width:
        for rows, chosen in run.each(answer, asked):
            actions[rows] = chosen
        return actions, probs
    parts = [
        (part, agent, Table(batch, part, run.game_ids[part])) for rows, agent, *_ in asked for part in parts_of(rows)
    ]
    for rows, found in run.each(probabilities, parts):
        probs[rows] = found
    return probs.argmax(1), probs


def probabilities(asked: tuple[Any, Any, Table]) -> tuple[Any, Any]:
    """The rows, and the probabilities of all actions there."""
    rows, agent, table = asked
    return rows, agent.action_probabilities(table)


def finish(run: Imitation) -> None:
    """End the trajectories that end here; pay the seats of games that are over, and deal anew."""
    run.buffer.end(*run.heuristic_rewards())
    rows = np.flatnonzero(run.batch.dones)
    if len(rows):
        run.buffer.end(rows, run.final_rewards(rows, run.batch.scores()[1][rows]))
        run.batch.deal(rows)
        run.games += len(rows)
        run.game_ids[rows] += len(run.batch)


# -- learning -------------------------------------------------------------------------------------------------


def imitation_loss(run: Any, rows: Any, advantages: Any, returns: Any) -> tuple[Tensor, dict[str, Tensor]]:
    """The cross entropy of the teacher's decisions, and the value loss, of these rows of the buffer."""
    buffer = run.buffer
    logits, values = predict(run, rows)
    value_loss = value_loss_of(buffer, rows, values, returns)
    if buffer.teacher_probs.shape[1]:
        logps = (torch.from_numpy(buffer.teacher_probs[rows]).float() * logits.log_softmax(1)).sum(1)
    else:
        logps, _ = MaskedCategorical.apply(logits, buffer.action_masks[rows], buffer.actions[rows])  # type: ignore[no-untyped-call]
    with torch.no_grad():
        accuracy = (logits.argmax(1) == torch.from_numpy(buffer.actions[rows])).float().mean()
    policy_loss = -logps.mean()
    logged = {"policy_loss": policy_loss, "value_loss": value_loss, "bc_accuracy": accuracy}
    return policy_loss + run.config.vf_coef * value_loss, logged


def update(run: Imitation) -> Figures:
    """Play and learn once; what is logged."""
    begun, before = time.perf_counter(), run.decisions
    run.spent = {}
    run.network.eval()
    collect(run)
    run.network.train()
    figures = learn(run, imitation_loss, run.config.bc_epochs)
    run.buffer.carry_over_open()
    run.updates += 1
    elapsed = time.perf_counter() - begun
    run.seconds += elapsed
    return figures | {SPEED: (run.decisions - before) / elapsed}


def main(words: Sequence[str], program: str | None = None) -> None:
    with open_run(*read_arguments(words, ImitationConfig, program), Imitation) as (run, folder):
        train(run, folder, update)
