"""Self-play PPO on a Batch of games, for any of the games and any numbers of players.

    lanterns train lanterns_2p_quick
    lanterns train lumen_3p --learning-rate 3e-4 max_minutes=60 run_name=longer
    lanterns train --resume runs/longer max_minutes=120

A run writes into runs/<run_name>: config.toml (all settings), log.jsonl (a line an update), checkpoint.safetensors
(everything, to go on exactly), policy.safetensors (the network alone), curves.png.  This file is the algorithm, to be
read from top to bottom: the buffer of decisions, advantages, acting, collecting, the loss, the update, the loop.  What
is around it stands beside it: settings (config.py), who plays against the learner (opponents.py), files
(folder.py, checkpoint.py), the log and the screen (logging.py), evaluation, and what happens between updates
(recording.py).

What one seat decides and what comes of it: a decision is followed by the same seat's own next decision, whatever the
others do in between, or by the end of the game (also when it is cut: its ranking is paid, nothing is bootstrapped).
When a batch of decisions ends, the last decision of every seat has no successor yet: it is kept for the next batch, so
that each decision is learnt from exactly once; its value stands in for the future of the decision before it.

A network gives the value of every seat, in turn order from who decides.  Rewards, advantages and returns are those of
all seats too, along the decisions of the one that decides: the policy learns from its own, which come first, the value
function from all.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from lanterns_env.support.extras import needed_by

with needed_by(__name__):
    import torch
    from torch import Tensor

from lanterns_agents.features import compute_features, width_of
from lanterns_agents.networks.arrays import Arrays, take, take_within, those_under
from lanterns_agents.networks.base import Network, load_network, save_network
from lanterns_agents.networks.masked_softmax import MaskedCategorical, draw_actions
from lanterns_agents.networks.seat_values import seat_targets, seat_value_loss
from lanterns_agents.training.arguments import read_arguments
from lanterns_agents.training.checkpoint import weights_of, with_weights
from lanterns_agents.training.config import Config
from lanterns_agents.training.folder import open_run
from lanterns_agents.training.inference import Each, ask, parts_of
from lanterns_agents.training.logging import LOSSES, RATE, SPEED, Figures
from lanterns_agents.training.opponents import LEARNER, Seating
from lanterns_agents.training.recording import recording
from lanterns_agents.training.run import State, check_finite
from lanterns_agents.training.self_play import SelfPlay
from lanterns_env import Batch
from lanterns_env.engine.compile import jit

# -- the buffer of decisions ----------------------------------------------------------------------------------

END, OPEN = -1, -2  # what follows a decision when it is no other decision: the end of the game; not known yet
NONE = -1  # no decision of a seat is open
FARTHEST = 1e9  # from 0: what is recorded of a decision


class RolloutBuffer:
    """The learner's decisions in the order they were made, each with the next one of the same seat."""

    columns: ClassVar[tuple[str, ...]] = (
        *("observations", "action_masks", "features", "num_players"),
        *("actions", "logps", "values", "rewards", "next_index"),
    )

    def __init__(self, batch: Batch, batch_size: int) -> None:
        self.game = game = batch.game
        self.capacity = capacity = batch_size + len(batch) * (batch.num_seats + 1)  # kept ones, and a step beyond
        self.count = 0
        self.observations = np.empty((capacity, game.view.itemsize), np.int8)
        self.action_masks = np.empty((capacity, game.num_actions), np.int8)
        self.features = np.empty((capacity, width_of(game)), np.float32)  # what the network is given beside
        self.num_players = np.empty(capacity, np.int16)
        self.actions = np.empty(capacity, np.int64)
        self.logps = np.empty(capacity, np.float32)
        self.values = np.empty((capacity, game.max_players), np.float32)  # of all seats, from who decides
        self.rewards = np.empty((capacity, game.max_players), np.float32)
        self.next_index = np.empty(capacity, np.int64)  # of the same seat's next decision; END; OPEN
        self.last_index = np.full((len(batch), batch.num_seats), NONE)  # of the open decision of each seat

    def add(self, rows: Any, seats: Any, **given: Any) -> None:
        """The columns of one step's decisions but the last two; each follows the last one of the same seat."""
        new = np.arange(self.count, self.count + len(rows))
        last = self.last_index[rows, seats]
        follows = last != NONE
        self.next_index[last[follows]] = new[follows]
        self.last_index[rows, seats] = new
        for name, values in (given | {"rewards": 0, "next_index": OPEN}).items():
            getattr(self, name)[self.count : self.count + len(new)] = values
        self.count += len(new)

    def end(self, rows: Any, rewards: Any) -> None:
        """Games have ended: all seats are paid, also those that did not make the last move."""
        last = self.last_index[rows]
        game, seats = np.nonzero(last != NONE)
        ended = last[game, seats]
        paid = np.zeros((len(ended), self.game.max_players), np.float32)
        paid[:, : rewards.shape[1]] = rewards[game]
        self.rewards[ended] += seat_targets(paid, seats, self.num_players[ended])
        self.next_index[ended] = END
        self.last_index[rows] = NONE

    def carry_over_open(self) -> None:
        """Begin anew with the decisions that nothing has followed yet."""
        kept = np.flatnonzero(self.next_index[: self.count] == OPEN)
        moved = np.full(self.count + 1, NONE)  # the last stands for NONE
        moved[kept] = np.arange(len(kept))
        for name in self.columns:
            array = getattr(self, name)
            array[: len(kept)] = array[kept]
        self.last_index = moved[self.last_index]
        self.count = len(kept)

    def saved(self) -> Arrays:
        """Copies of all but the features, which are large and follow from the observations."""
        kept = [name for name in self.columns if name != "features"]
        return {name: getattr(self, name)[: self.count].copy() for name in kept} | {
            "last_index": self.last_index.copy()
        }

    def restore(self, saved: Arrays) -> None:
        """Decisions that nothing has followed yet, as carry_over_open leaves them."""
        self.count = count = len(saved["actions"])
        if count > self.capacity:
            raise ValueError("there are more decisions than games have seats")
        rows = np.arange(count)
        for name in self.columns:
            array = getattr(self, name)
            if name != "features":
                array[:count] = take(saved, name, array.dtype, (count, *array.shape[1:]))
        self.last_index[:] = take(saved, "last_index", np.int64, self.last_index.shape)
        observations, masks, actions = self.observations[:count], self.action_masks[:count], self.actions[:count]
        if (observations < self.game.low).any() or (observations > self.game.high).any():
            raise ValueError("observations hold numbers that are out of range")
        take_within(saved, "action_masks", np.int8, masks.shape, 0, 1)
        take_within(saved, "actions", np.int64, actions.shape, 0, self.game.num_actions - 1)
        take_within(saved, "next_index", np.int64, actions.shape, OPEN, OPEN)
        take_within(saved, "num_players", np.int16, actions.shape, min(self.game.players), max(self.game.players))
        for name in ("logps", "values", "rewards"):
            take_within(saved, name, np.float32, getattr(self, name)[:count].shape, -FARTHEST, FARTHEST)
        if not masks[rows, actions].all() or not np.array_equal(
            np.sort(self.last_index[self.last_index != NONE]), rows
        ):
            raise ValueError("the decisions in it are not those of games under way")
        self.features[:count] = compute_features(self.game, observations)


@jit
def find_advantages(values: Any, rewards: Any, next_index: Any, gamma: Any, gae_lambda: Any) -> Any:
    """How much better each decision turned out than its values, by generalised advantage estimation (GAE).

    A decision's successor is the same seat's next one, END or OPEN; an open one has no advantage yet (0).
    """
    result = np.zeros(values.shape, np.float32)
    for k in range(len(values) - 1, -1, -1):
        following = next_index[k]
        if following == OPEN:
            continue
        for place in range(values.shape[1]):
            result[k, place] = rewards[k, place] - values[k, place]
            if following != END:
                result[k, place] += gamma * (values[following, place] + gae_lambda * result[following, place])
    return result


# -- the run --------------------------------------------------------------------------------------------------

MAGNET = "magnet"  # under this name a checkpoint holds its weights


class PPO(SelfPlay):
    """All that a run consists of: what a checkpoint holds."""

    trainer = "train_ppo"
    agents = ("bot_opponents", "eval_opponents")
    seating_kind: ClassVar[type[Seating]] = Seating

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.buffer = RolloutBuffer(self.batch, config.batch_size)
        self.seating = self.seating_kind(self.batch, config, self.rng)
        self.magnet: Network | None = None  # the policy that the loss pulls towards
        self.set_magnet()
        self.spread_out()

    def begin(self) -> None:
        super().begin()
        self.set_magnet()

    def set_magnet(self) -> None:
        """The policy as it is now."""
        if self.config.magnet_coef:
            self.magnet = load_network(self.game, save_network(self.network)).eval()

    def saved(self) -> State:
        seating, magnet = self.seating, weights_of(self.magnet) if self.magnet else {}  # a magnet never changes
        parts = {"pool": seating.pool.saved(), "seating": seating.saved(), MAGNET: magnet}
        return self.saved_with(buffer=self.buffer.saved(), **parts)

    def restore(self, arrays: Arrays, card: dict[str, Any]) -> None:
        super().restore(arrays, card)
        self.buffer.restore(those_under("buffer", arrays))
        self.seating.pool.restore(self.network, those_under("pool", arrays))
        self.seating.restore(those_under("seating", arrays))
        self.set_magnet()
        magnet = those_under(MAGNET, arrays)
        if self.magnet and magnet:  # without one: the run had none, and its policy becomes the first
            self.magnet = with_weights(self.network, magnet).eval()


# -- acting ---------------------------------------------------------------------------------------------------


def act(
    asked: Sequence[tuple[Network, Any]], observations: Any, masks: Any, rng: np.random.Generator, each: Each = map
) -> tuple[Any, Any, Any, Any]:
    """Of networks and the rows each is asked about: actions drawn, log-probabilities, values, features.

    The features are handed on, so that they need not be computed once more where the network learns.
    """
    n, game = len(observations), asked[0][0].game
    draws, actions = rng.random(n), np.empty(n, np.int64)
    logps, values = np.empty(n, np.float32), np.empty((n, game.max_players), np.float32)
    features = np.empty((n, width_of(game)), np.float32)

    def act_on(part: tuple[Network, Any]) -> None:
        network, rows = part
        features[rows] = given = compute_features(game, observations[rows])
        logits, values[rows] = ask(network, observations[rows], masks[rows], given)
        drawn, drawn_logps = np.empty(len(rows), np.int64), np.empty(len(rows), np.float32)
        draw_actions(logits, masks[rows], draws[rows], drawn, drawn_logps)
        actions[rows], logps[rows] = drawn, drawn_logps

    list(each(act_on, [(network, part) for network, rows in asked if len(rows) for part in parts_of(rows)]))
    return actions, logps, values, features


def collect(run: PPO) -> None:
    """Play until the learner has made so many decisions more as a batch has."""
    batch, buffer, seating, config = run.batch, run.buffer, run.seating, run.config
    begun, step = buffer.count, 0
    while buffer.count - begun < config.batch_size:
        with run.timed("policy"):
            movers = seating.movers()
            from_bots = seating.ask_bots(movers, run.each, config.seed, run.updates, step)  # they think meanwhile
            asked = seating.networks(movers, run.network)
            actions, logps, values, features = act(asked, batch.observations, batch.action_masks, run.rng, run.each)
            note(run, np.flatnonzero(movers == LEARNER), actions=actions, logps=logps, values=values, features=features)
        with run.timed("bots"):
            for rows, chosen in from_bots:
                actions[rows] = chosen
        with run.timed("games"):
            batch.step(actions)
            finish(run)
        step += 1
    run.decisions += buffer.count - begun


def note(run: Any, rows: Any, **columns: Any) -> None:
    """What the learner was shown in these rows, and what it decided, goes into the buffer."""
    if len(rows):
        batch = run.batch
        columns |= {"observations": batch.observations, "action_masks": batch.action_masks}
        columns |= {"num_players": batch.num_players}
        taken = {name: column[rows] for name, column in columns.items()}
        run.buffer.add(rows, batch.current_players[rows], **taken)


def finish(run: PPO) -> None:
    """End the trajectories that end here; pay the seats of games that are over, and deal anew."""
    run.buffer.end(*run.heuristic_rewards())
    rows = np.flatnonzero(run.batch.dones)
    if not len(rows):
        return
    shares = run.batch.scores()[1][rows]
    run.buffer.end(rows, run.final_rewards(rows, shares))
    run.batch.deal(rows)
    run.games += len(rows)
    run.seating.next_games(rows, shares)


# -- learning -------------------------------------------------------------------------------------------------

Loss = Callable[[Any, Any, Any, Any], tuple[Tensor, dict[str, Tensor]]]  # of a run and rows; what is logged


def ppo_loss(run: Any, rows: Any, advantages: Any, returns: Any) -> tuple[Tensor, dict[str, Tensor]]:
    """The clipped policy loss, the value loss and the entropy of these rows of the buffer."""
    config, buffer = run.config, run.buffer
    logits, values = predict(run, rows)
    value_loss = value_loss_of(buffer, rows, values, returns)
    logps, entropies = MaskedCategorical.apply(logits, buffer.action_masks[rows], buffer.actions[rows])  # type: ignore[no-untyped-call]
    advantage = torch.from_numpy(advantages[rows])
    log_ratio = logps - torch.from_numpy(buffer.logps[rows])
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - config.clip_coef, 1 + config.clip_coef)
    policy_loss = -torch.minimum(ratio * advantage, clipped * advantage).mean()
    entropy = entropies.mean()
    with torch.no_grad():
        approx_kl = (ratio - 1 - log_ratio).mean()
        clipfrac = (ratio != clipped).float().mean()
    logged = {"policy_loss": policy_loss, "value_loss": value_loss, "entropy": entropy}
    logged |= {"approx_kl": approx_kl, "clipfrac": clipfrac}
    loss = policy_loss + config.vf_coef * value_loss - config.ent_coef * entropy
    if run.magnet is None:
        return loss, logged
    magnet_kl = kl_from_magnet(run, rows, logits)
    return loss + config.magnet_coef * magnet_kl, logged | {"magnet_kl": magnet_kl}


def value_loss_of(buffer: RolloutBuffer, rows: Any, values: Tensor, returns: Any) -> Tensor:
    """How far the values of all seats are off."""
    return seat_value_loss(values, torch.from_numpy(returns[rows]), torch.from_numpy(buffer.num_players[rows]))


def kl_from_magnet(run: PPO, rows: Any, logits: Tensor) -> Tensor:
    """The mean of KL(policy, magnet), the sum of p * (log p - log q) over the actions of a decision."""
    with torch.no_grad():
        reference, _ = predict(run, rows, run.magnet)
    logps = logits.log_softmax(1)  # an illegal action has the same logit in both, and no chance
    return (logps.exp() * (logps - reference.log_softmax(1))).sum(1).mean()


def predict(run: Any, rows: Any, network: Network | None = None) -> tuple[Tensor, Tensor]:
    """Masked logits and values of recorded decisions, by the learner or another network."""
    buffer = run.buffer
    given = buffer.observations[rows], buffer.action_masks[rows], buffer.features[rows]
    logits, values = (network or run.network)(*map(torch.from_numpy, given))
    return logits, values


@np.errstate(over="ignore", invalid="ignore")  # what comes of that is refused before anything is learnt from it
def learn(run: Any, loss: Loss, epochs: int) -> Figures:
    """Some epochs on all decisions whose successor is known; the means of what is logged."""
    config, buffer = run.config, run.buffer
    n = buffer.count
    values, next_index = buffer.values[:n], buffer.next_index[:n]
    advantages = find_advantages(values, buffer.rewards[:n], next_index, config.gamma, config.gae_lambda)
    returns = advantages + values
    advantages = advantages[:, 0]  # the policy looks for its own seat's
    known = np.flatnonzero(next_index != OPEN)
    if not len(known):
        return {}
    advantages = (advantages - advantages[known].mean()) / (advantages[known].std() + 1e-8)
    rate = run.learning_rate()
    for group in run.optimizer.param_groups:
        group["lr"] = rate

    def loss_of(part: Any) -> tuple[Tensor, dict[str, Tensor]]:
        return loss(run, part, advantages, returns)

    logged: dict[str, list[float]] = {}
    parts = max(1, round(len(known) / config.minibatch_size))
    for epoch in range(epochs):
        for minibatch, rows in enumerate(np.array_split(run.rng.permutation(known), parts), epoch * parts + 1):
            for name, figure in take_step(run, minibatch, rows, loss_of).items():
                logged.setdefault(LOSSES + name, []).append(figure)
    check_finite(run, minibatch, "weights", *(weight.detach().sum().item() for weight in run.network.parameters()))
    own, expected = returns[known, 0], values[known, 0]
    unexplained = np.var(own - expected) / (np.var(own) + 1e-8)
    figures = {name: float(np.mean(each)) for name, each in logged.items()}
    return figures | {f"{LOSSES}explained_variance": float(1 - unexplained), RATE: rate}


def take_step(run: Any, minibatch: int, rows: Any, loss_of: Callable[[Any], Any]) -> Figures:
    """One step of the optimizer; what is logged of it."""
    figures = take_gradient(run, rows, loss_of)
    with run.timed("backward"):
        norm = torch.nn.utils.clip_grad_norm_(run.network.parameters(), run.config.max_grad_norm)
        check_finite(run, minibatch, "loss or gradient", *figures.values(), norm.item())
        run.optimizer.step()
    return figures


def take_gradient(run: Any, rows: Any, loss_of: Callable[[Any], Any]) -> Figures:
    """The gradient of the mean loss of a minibatch, from its parts; what is logged."""
    weights = list(run.network.parameters())

    def take_part(part: Any) -> tuple[Any, Figures, list[float]]:
        times = [time.perf_counter()]
        loss, logged = loss_of(part)
        times.append(time.perf_counter())
        fraction = len(part) / len(rows)
        gradient = torch.autograd.grad(loss * fraction, weights, materialize_grads=True)
        times.append(time.perf_counter())
        return gradient, {name: fraction * value.item() for name, value in logged.items()}, times

    gradients, figures, times = zip(*run.each(take_part, parts_of(rows)), strict=True)
    for weight, parts in zip(weights, zip(*gradients, strict=True), strict=True):
        weight.grad = torch.stack(parts).sum(0) if len(parts) > 1 else parts[0]
    for what, seconds in zip(("forward", "backward"), np.diff(times).sum(0), strict=True):
        run.spend(what, float(seconds) / min(run.config.num_threads, len(times)))
    return {name: sum(part[name] for part in figures) for name in figures[0]}


# -- the loop -------------------------------------------------------------------------------------------------


def update(run: PPO) -> Figures:
    """Play, learn, and keep the network now and then: for the pool, as the magnet; what is logged."""
    config, pool = run.config, run.seating.pool
    begun, before = time.perf_counter(), run.decisions
    run.spent = {}
    run.network.eval()
    collect(run)
    run.network.train()
    figures = learn(run, ppo_loss, config.update_epochs)
    run.buffer.carry_over_open()
    pool.forget()
    run.updates += 1
    if config.pool_fraction and run.updates % config.snapshot_every == 0:
        pool.add(run.network)
    if config.magnet_every and run.updates % config.magnet_every == 0:
        run.set_magnet()
    elapsed = time.perf_counter() - begun
    run.seconds += elapsed
    return figures | {SPEED: (run.decisions - before) / elapsed}


def train(run: Any, folder: Path, update_once: Callable[[Any], Figures] = update) -> None:
    """Update until a limit is reached or somebody interrupts."""
    with recording(run, folder) as record:
        while run.goes_on():
            record(update_once(run))


def main(words: Sequence[str], program: str | None = None) -> None:
    with open_run(*read_arguments(words, Config, program), PPO) as (run, folder):
        train(run, folder)
