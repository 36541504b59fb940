"""Self-play PPO on a Batch of games, for any of the games and any numbers of players.

    python scripts/train_ppo.py configs/lanterns_2p_quick.toml
    python scripts/train_ppo.py configs/lumen_3p.toml --learning_rate 3e-4 minutes=60 name=longer
    python scripts/train_ppo.py --resume runs/longer minutes=120

A run writes into runs/<name>: config.toml (all settings), log.jsonl (a line an update), checkpoint.safetensors
(everything, to go on exactly), policy.safetensors (the network alone), curves.png.  Read from top to bottom: settings,
who plays, the record of decisions, advantages, the loop.  How settings are read, files kept and runs stopped stands in
run_settings.py, run_folder.py, run_state.py and run_stop.py.

What one seat decides and what comes of it: a decision is followed by the same seat's own next decision, whatever the
others do in between, or by the end of the game (also when it is cut: its ranking is paid, nothing is bootstrapped).
When a rollout ends, the last decision of every seat has no successor yet: it is kept for the next rollout, so that each
decision is learnt from exactly once; its value stands in for the future of the decision before it.
"""

import dataclasses
import math
import pathlib
import reprlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import numpy as np
import torch
from lanterns_agents.features import compute_features, layout_of, width_of
from lanterns_agents.networks.arrays import Arrays, take, take_within, those_under, under
from lanterns_agents.networks.base import (
    MOST_HIDDEN,
    MOST_ITEM,
    Network,
    check_layout,
    load_network,
    make_network,
    read_network,
    save_network,
)
from run_folder import (
    BEFORE,
    LOG,
    MADE_FOR,
    NETWORK,
    TRAINED,
    Keeper,
    State,
    add_line,
    change_last_line,
    draw_curves,
    open_run,
)
from run_settings import FIXED, as_command, check_agents, check_name, check_values, fixed, ranged, read_arguments
from run_state import adam_of, games_of, restore_adam, restore_games, weights_of, with_weights
from run_stop import stopping
from torch import Tensor

from lanterns_env import GAMES, Batch
from lanterns_env.agent import Agent, Table, load
from lanterns_env.engine.compile import jit
from lanterns_env.engine.streams import stream
from lanterns_env.match import play_match

# -- settings -------------------------------------------------------------------------------------------------

YEAR = 60 * 24 * 365.0  # in minutes
MANY, COUNTLESS = 1 << 20, 10**15  # of what is held in memory, of what is only counted
SEEDS = 1 << 32  # what torch, NumPy and Python all take


@dataclass(frozen=True)
class Settings:
    """What this trainer and train_sb3.py have in common."""

    game: str = fixed("lanterns")
    players: tuple[int, ...] = fixed((2,))  # numbers of players; the games of a batch take them in turn
    options: dict[str, Any] = field(default_factory=dict, metadata={FIXED: True})  # rule variants
    name: str = ""  # of the folder in runs/; by default that of the settings file
    seed: int = ranged(0, 0, SEEDS - 1, fixed=True)
    threads: int = ranged(1, 1, 256)  # the network is asked and taught on: at most as many as there are cores to spare
    minutes: float = ranged(0.0, 0, YEAR)  # the run ends after so many, 0: no such limit
    decisions: int = ranged(0, 0, COUNTLESS)  # the run ends after the learner has made so many, 0: no such limit

    num_games: int = ranged(512, 1, MANY, fixed=True)  # side by side
    rollout: int = ranged(16384, 1, 16 * MANY)  # decisions of the learner between updates
    pool_size: int = ranged(4, 1, 1000, fixed=True)  # earlier selves that are kept
    pool_every: int = ranged(25, 1, COUNTLESS)  # updates between two of them

    hidden: int = ranged(256, 1, MOST_HIDDEN, fixed=True)  # numbers in the trunk of the network
    item: int = ranged(32, 1, MOST_ITEM, fixed=True)  # numbers for each slot, tile or island
    learning_rate: float = ranged(1e-3, 0, 1)
    anneal: bool = True  # down to nothing at the limit of the run
    epochs: int = ranged(2, 1, 1000)
    minibatch: int = ranged(2048, 1, 16 * MANY)
    discount: float = ranged(1.0, 0, 1)
    trace: float = ranged(0.95, 0, 1)  # lambda of the advantages
    clip: float = ranged(0.2, 0, 1)
    entropy: float = ranged(0.01, 0, 10)  # weight of the entropy in the loss
    value: float = ranged(0.5, 0, 100)  # weight of the value's error in the loss
    max_norm: float = ranged(0.5, 0, 1e6)  # of a gradient

    evaluate_every: int = ranged(50, 0, COUNTLESS)  # updates between evaluations, 0: only at the end
    evaluate_against: tuple[str, ...] = ("random", "greedy")
    evaluate_deals: int = ranged(100, 1, MANY)  # each is played once from every seat
    checkpoint_minutes: float = ranged(1.0, 0, YEAR)  # what a lost process can lose, 0: after every update
    tensorboard: bool = True  # where it is installed

    def __post_init__(self) -> None:
        check_values(self)
        check_name(self.name)
        if self.game not in GAMES:
            raise ValueError(f"there is no game {self.game!r}; there are: {', '.join(GAMES)}")
        if not self.players:
            raise ValueError("players must be one number of players at least")
        for count in self.players:
            GAMES[self.game].check_players(count)
        GAMES[self.game].check_options(min(self.players), self.options)


@dataclass(frozen=True)
class Config(Settings):
    """All settings of a run; the keys of a TOML file and of the command line."""

    share_self: float = ranged(1.0, 0, 1)  # of the games: played by the learner alone
    share_pool: float = ranged(0.0, 0, 1)  # against an earlier self
    share_bots: float = ranged(0.0, 0, 1)  # against one of the bots
    bots: tuple[str, ...] = fixed(())  # agents by name
    margin: float = ranged(0.0, 0, 1)  # share of the margin in the reward, the rest is the outcome
    judged: bool = False  # pay by the game's own judgement, wherever it has one, instead of by the end of the game

    start: str = fixed("")  # the network to begin with, another run's policy.safetensors; otherwise a fresh one
    warm_bot: str = fixed("")  # at first, learn to decide as this agent does
    warm_minutes: float = ranged(0.0, 0, YEAR)  # for so long
    warm_decisions: int = ranged(0, 0, COUNTLESS)  # or so many decisions
    warm_epochs: int = ranged(1, 1, 1000)  # on each of them, where the teacher takes longer than the network

    def __post_init__(self) -> None:
        super().__post_init__()
        shares = (self.share_self, self.share_pool, self.share_bots)
        if not math.isclose(sum(shares), 1):
            raise ValueError(f"share_self, share_pool and share_bots must add up to 1, not {sum(shares):g}")
        if self.share_bots and not self.bots:
            raise ValueError("share_bots needs bots, for example bots = ['greedy']")
        if self.warm_bot and not (self.warm_minutes or self.warm_decisions):
            raise ValueError("warm_bot needs warm_minutes or warm_decisions")


# -- deciding -------------------------------------------------------------------------------------------------

PART, FEW = 1024, 256  # rows that a network is given at once, about: at most, and at least where they fall into two
Each = Callable[..., Any]  # maps a function over parts, one after the other or on several threads


def parts_of(rows: Any) -> list[Any]:
    """Two, or more where there are many; the same whatever the number of threads, so that it changes no number."""
    return np.array_split(rows, max(1, min(2, len(rows) // FEW), round(len(rows) / PART)))


@jit
def norm_of(logits, legal):
    """What to take from a logit for the logarithm of its chance."""
    best = logits[legal[0]]
    for action in legal:
        best = max(best, logits[action])
    total = 0.0
    for action in legal:
        total += math.exp(logits[action] - best)
    return best + math.log(total)


@jit
def draw_actions(logits, masks, chances, actions, logps):
    """A legal action a row, drawn with the softmax of the legal logits, and the logarithm of its chance."""
    for row in range(len(actions)):
        legal = np.flatnonzero(masks[row])
        norm, left = norm_of(logits[row], legal), chances[row]
        for action in legal:
            actions[row] = action
            left -= math.exp(logits[row, action] - norm)
            if left < 0:
                break
        logps[row] = logits[row, actions[row]] - norm


def ask(network: Network, *given: Any) -> tuple[Any, Any]:
    """Logits and values of a network, as arrays: of observations, masks and perhaps features."""
    with torch.inference_mode():
        logits, values = network(*map(torch.from_numpy, given))
    return logits.numpy(), values.numpy()


def decide(
    asked: Sequence[tuple[Network, Any]], observations: Any, masks: Any, rng: np.random.Generator, each: Each = map
) -> tuple[Any, Any, Any, Any]:
    """Of networks and the rows each is asked about: actions drawn, the logarithms of their chances, values, features.

    What it was told is handed on, so that it need not be worked out once more where the network learns.
    """
    n, game = len(observations), asked[0][0].game
    chances, actions = rng.random(n), np.empty(n, np.int64)
    logps, values = np.empty((2, n), np.float32)
    features = np.empty((n, width_of(game)), np.float32)

    def decide_part(part: tuple[Network, Any]) -> None:
        network, rows = part
        features[rows] = told = compute_features(game, observations[rows])
        logits, values[rows] = ask(network, observations[rows], masks[rows], told)
        drawn, so_likely = np.empty(len(rows), np.int64), np.empty(len(rows), np.float32)
        draw_actions(logits, masks[rows], chances[rows], drawn, so_likely)
        actions[rows], logps[rows] = drawn, so_likely

    parts = [(network, rows) for network, every in asked if len(every) for rows in parts_of(every)]
    list(each(decide_part, parts))
    return actions, logps, values, features


class BestMoves:
    """A network as an agent that always takes the likeliest action."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def __deepcopy__(self, memo: Any) -> "BestMoves":
        """At every seat another agent, of the same network."""
        return BestMoves(self.network)

    def act(self, table: Table, rng: np.random.Generator) -> Any:
        given = table.game.to_array(table.views), table.action_masks  # to be read alone, which torch does not know
        logits, _ = ask(self.network, *(each.copy() for each in given))
        return logits.argmax(1)


# -- the record of decisions ----------------------------------------------------------------------------------

END, OPEN = -1, -2  # what follows a decision when it is no other decision: the end of the game; not known yet
NONE = -1  # no decision of a seat is open
FARTHEST = 1e9  # from 0: what is recorded of a decision
PER_DECISION = (
    "observations",
    "masks",
    "actions",
    "logps",
    "values",
    "rewards",
    "successors",
    "teacher_probs",
    "features",
)


class Record:
    """The learner's decisions in the order they were made, each with the next one of the same seat."""

    def __init__(self, batch: Batch, capacity: int, teacher_probs: int = 0) -> None:
        self.game = game = batch.game
        seats = batch.num_seats
        capacity += len(batch) * (seats + 1)  # kept from before, and a last step beyond
        self.count = 0
        self.observations = np.empty((capacity, game.view.itemsize), np.int8)
        self.action_masks = np.empty((capacity, game.num_actions), np.int8)
        self.actions = np.empty(capacity, np.int64)
        self.logps = np.empty(capacity, np.float32)
        self.values = np.empty(capacity, np.float32)
        self.rewards = np.empty(capacity, np.float32)
        self.successors = np.empty(capacity, np.int64)
        self.teacher_probs = np.empty(
            (capacity, teacher_probs), np.float16
        )  # a teacher's weights of all actions, if it has any
        self.features = np.empty((capacity, width_of(game)), np.float32)  # what the network was told beside
        self.latest = np.full((len(batch), seats), NONE)  # the open decision of each seat

    def add(self, rows: Any, seats: Any, *given: Any, teacher_probs: Any = 0, features: Any = 0) -> None:
        """Observations, masks, actions, logps and values of one step; each follows the latest of the same seat."""
        new = np.arange(self.count, self.count + len(rows))
        latest = self.latest[rows, seats]
        follows = latest != NONE
        self.successors[latest[follows]] = new[follows]
        self.latest[rows, seats] = new
        for name, each in zip(PER_DECISION, (*given, 0, OPEN, teacher_probs, features), strict=True):
            getattr(self, name)[new[0] : new[0] + len(new)] = each
        self.count += len(new)

    def end(self, rows: Any, rewards: Any) -> None:
        """Games have ended: all seats are paid, also those that did not make the last move."""
        latest = self.latest[rows]
        open_ = latest != NONE
        self.rewards[latest[open_]] += rewards[open_]
        self.successors[latest[open_]] = END
        self.latest[rows] = NONE

    def keep_open(self) -> None:
        """Begin anew with the decisions that nothing has followed yet."""
        kept = np.flatnonzero(self.successors[: self.count] == OPEN)
        moved = np.full(self.count + 1, NONE)  # the last stands for NONE
        moved[kept] = np.arange(len(kept))
        for name in PER_DECISION:
            array = getattr(self, name)
            array[: len(kept)] = array[kept]
        self.latest = moved[self.latest]
        self.count = len(kept)

    def forget(self) -> None:
        self.latest[:] = NONE
        self.count = 0

    def saved(self) -> Arrays:
        """Copies of all but the features, which are large and follow from the observations."""
        kept = [name for name in PER_DECISION if name != "features"]
        return {name: getattr(self, name)[: self.count].copy() for name in kept} | {"latest": self.latest.copy()}

    def restore(self, saved: Arrays) -> None:
        """Decisions that nothing has followed yet, as keep_open leaves them."""
        self.count = count = len(saved["actions"])
        rows = np.arange(count)
        for name in PER_DECISION:
            array = getattr(self, name)
            if name != "features":
                array[:count] = take(saved, name, array.dtype, (count, *array.shape[1:]))
        self.latest[:] = take(saved, "latest", np.int64, self.latest.shape)
        observations, masks, actions = self.observations[:count], self.action_masks[:count], self.actions[:count]
        if (observations < self.game.low).any() or (observations > self.game.high).any():
            raise ValueError("observations hold numbers that are out of range")
        take_within(saved, "masks", np.int8, masks.shape, 0, 1)
        take_within(saved, "actions", np.int64, actions.shape, 0, self.game.num_actions - 1)
        take_within(saved, "successors", np.int64, actions.shape, OPEN, OPEN)
        for name in ("logps", "values", "rewards"):
            take_within(saved, name, np.float32, actions.shape, -FARTHEST, FARTHEST)
        if not masks[rows, actions].all() or not np.array_equal(np.sort(self.latest[self.latest != NONE]), rows):
            raise ValueError("the decisions in it are not those of games under way")
        self.features[:count] = compute_features(self.game, observations)


@jit
def advantages(values, rewards, successors, discount, trace):
    """How much better each decision turned out than its value, by generalised advantage estimation.

    A decision's successor is the same seat's next one, END or OPEN; an open one has no advantage yet (0).
    """
    result = np.zeros(len(values), np.float32)
    for k in range(len(values) - 1, -1, -1):
        following = successors[k]
        if following == OPEN:
            continue
        result[k] = rewards[k] - values[k]
        if following != END:
            result[k] += discount * (values[following] + trace * result[following])
    return result


# -- who plays ------------------------------------------------------------------------------------------------

LEARNER = -1  # who plays the seats that are not the learner's: nobody else, an earlier self (0 ..), then the bots
SPREAD = 200  # decisions: more than most games have
PRIOR = 1.0  # games won and lost against an earlier self before the first
FORGET = 0.98  # of these counts at every update
LEAST = 0.05  # weight of an earlier self that always loses


class Pool:
    """Earlier selves; those that win more often against the learner are met more often."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.added = 0
        self.networks: list[Network] = []
        self.won = np.full(size, PRIOR)  # by the learner
        self.lost = np.full(size, PRIOR)

    def add(self, network: Network) -> None:
        """The oldest gives way."""
        place = self.added % self.size
        self.networks[place : place + 1] = [load_network(network.game, save_network(network)).eval()]
        self.won[place] = self.lost[place] = PRIOR
        self.added += 1

    def draw(self, rng: np.random.Generator, count: int) -> Any:
        present = len(self.networks)
        weights = (self.lost / (self.won + self.lost))[:present] ** 2 + LEAST
        return rng.choice(present, count, p=weights / weights.sum())

    def report(self, opponents: Any, results: Any) -> None:
        """Results of the learner between 0 and 1."""
        np.add.at(self.won, opponents, results)
        np.add.at(self.lost, opponents, 1 - results)

    def forget(self) -> None:
        self.won = PRIOR + FORGET * (self.won - PRIOR)
        self.lost = PRIOR + FORGET * (self.lost - PRIOR)

    def saved(self) -> Arrays:
        """What is in it now; networks in it never change, and are not copied."""
        networks = (under(str(place), weights_of(network)) for place, network in enumerate(self.networks))
        counts = {"won": self.won.copy(), "lost": self.lost.copy(), "added": np.array(self.added)}
        return {name: array for arrays in (*networks, counts) for name, array in arrays.items()}

    def restore(self, network: Network, saved: Arrays) -> None:
        self.added = int(take_within(saved, "added", np.int64, (), 0, COUNTLESS))
        present = range(min(self.added, self.size))
        self.networks = [with_weights(network, those_under(str(place), saved)).eval() for place in present]
        self.won = take_within(saved, "won", np.float64, (self.size,), 0, COUNTLESS)
        self.lost = take_within(saved, "lost", np.float64, (self.size,), 0, COUNTLESS)
        if not (self.won + self.lost > 0).all():
            raise ValueError("games won and lost against earlier selves cannot all be none")


COUNTED = {"updates": int, "decisions": int, "games": int, "seconds": float, "warm": bool, "before": list}


class Progress:
    """How far a run has come."""

    script = ""  # that makes such runs
    network: Network

    def __init__(self, config: Any) -> None:
        self.config = config
        self.game = GAMES[config.game]
        self.updates, self.decisions, self.games, self.seconds = 0, 0, 0, 0.0
        self.warm = False
        self.spent: dict[str, float] = {}  # seconds by what they were spent on
        self.said = 0.0
        self.stopped, self.evaluating = False, False
        self.before: list[dict[str, Any]] = []  # what the network that this run began with had been trained with

    def begin(self) -> None:
        """What a new run does first."""

    def end(self, folder: pathlib.Path) -> None:
        """What is written when it has ended."""

    def card(self) -> dict[str, Any]:
        """What is saved of a run besides arrays."""
        made_for = zip(MADE_FOR, (self.game.name, layout_of(self.game), self.network.sizes), strict=True)
        counted = {name: getattr(self, name) for name in COUNTED}
        return {"script": self.script, **dict(made_for), "config": dataclasses.asdict(self.config), **counted}

    def restore_card(self, card: dict[str, Any]) -> None:
        check_layout(self.game, card["game"], card["layout"])
        for name, kind in COUNTED.items():
            value = card[name]
            if type(value) is not kind or (kind is not list and not 0 <= value <= COUNTLESS):
                raise ValueError(f"{name} is {reprlib.repr(value)}")
            setattr(self, name, value)

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        self.spend(what, time.perf_counter() - begun)

    def spend(self, what: str, seconds: float) -> None:
        self.spent[what] = self.spent.get(what, 0.0) + seconds

    def within(self, minutes: float, decisions: int) -> float:
        """How much of a limit has been used: 1 at its end, 0 where there is none."""
        used = [self.seconds / (60 * minutes)] if minutes else []
        used += [self.decisions / decisions] if decisions else []
        return max(used, default=0.0)

    def learning_rate(self) -> float:
        used = self.within(self.config.minutes, self.config.decisions)
        return float(self.config.learning_rate * (max(1 - used, 0.0) if self.config.anneal else 1.0))


NOBODY = np.zeros(0, np.int64)  # rows of no game
PARTS = (NETWORK, "adam", "batch", "record", "pool", "who plays")  # of a checkpoint
WHO_PLAYS = ("own", "opponents", "game_numbers")


class Run(Progress):
    """All that a run consists of: what a checkpoint holds."""

    script = "train_ppo"

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        table = self.game, config.players, config.options
        for setting in ("bots", "evaluate_against"):
            check_agents(setting, getattr(config, setting), *table)
        check_agents("warm_bot", [config.warm_bot] if config.warm_bot else [], *table)
        torch.set_num_threads(1)  # the parts are what goes on side by side
        self.each: Each = ThreadPoolExecutor(config.threads).map if config.threads > 1 else map
        torch.manual_seed(config.seed)
        self.network = make_network(self.game, hidden=config.hidden, item=config.item)
        self.optimizer = torch.optim.Adam(self.network.parameters(), config.learning_rate, eps=1e-5)
        self.rng = np.random.default_rng(config.seed)
        counts = np.resize(config.players, config.num_games)
        self.batch = Batch(self.game, config.num_games, counts, config.seed, None, False, "margin", **config.options)
        self.bots = [self.seated(name) for name in config.bots]
        self.teachers = self.seated(config.warm_bot) if config.warm_bot else []
        self.record = Record(self.batch, config.rollout, self.game.num_actions if self.weighs() else 0)
        self.pool = Pool(config.pool_size)
        self.opponents = np.full(config.num_games, LEARNER)
        self.own = np.ones((config.num_games, self.batch.num_seats), bool)  # the learner's seats
        self.game_numbers = np.arange(config.num_games)
        self.warm = bool(config.warm_bot)
        self.seat_players(np.arange(config.num_games))
        self.spread_out()

    def begin(self) -> None:
        """What a new run does first, if it is to begin with the network of another."""
        file = self.config.start
        if not file:
            return
        try:
            saved = read_network(file)
            network = load_network(self.game, saved)
            self.before = [*saved[BEFORE], {key: saved[key] for key in TRAINED}]
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"start: {file} will not do: {error}") from None
        if network.sizes != self.network.sizes:
            raise ValueError(f"start: the network in {file} has the sizes {network.sizes}: set the same")
        self.network.load_state_dict(network.state_dict())

    def seated(self, name: str) -> list[Any]:
        """A bot or a teacher: at every seat an agent of its own, that sees what this seat may see and nothing else."""
        return [load(name) for _ in range(self.batch.num_seats)]

    def weighs(self) -> bool:
        """Whether the teacher has weights of all actions."""
        weigh = getattr(self.teachers[0], "weigh", None) if self.teachers else None
        return weigh is not None and weigh(Table(self.batch, NOBODY, NOBODY)) is not None

    def spread_out(self) -> None:
        """Random moves at first, so that the games of a rollout are not all at the same stage."""
        left = self.rng.integers(SPREAD, size=len(self.batch))
        for step in range(SPREAD):
            rows = np.flatnonzero(left > step)
            self.batch.step(self.batch.sample(self.rng, rows), rows)
            self.batch.deal(np.flatnonzero(self.batch.dones))

    def seat_players(self, rows: Any) -> None:
        """Who plays the new games of these rows: the learner alone, or one opponent on some of the seats."""
        config = self.config
        draws = self.rng.random(len(rows))
        self.own[rows] = True
        self.opponents[rows] = LEARNER
        if self.warm:
            return
        earlier = rows[draws < config.share_pool] if self.pool.networks else rows[:0]
        self.opponents[earlier] = self.pool.draw(self.rng, len(earlier)) if len(earlier) else 0
        against_bots = rows[draws >= 1 - config.share_bots]
        self.opponents[against_bots] = config.pool_size + self.rng.integers(
            max(len(self.bots), 1), size=len(against_bots)
        )
        for row in (*earlier, *against_bots):
            self.own[row] = self.some_seats(int(self.batch.num_players[row]))

    def some_seats(self, num_players: int) -> Any:
        """At least one seat for the learner and one for the opponent."""
        own = np.zeros(self.batch.num_seats, bool)
        own[self.rng.permutation(num_players)[: 1 + self.rng.integers(num_players - 1)]] = True
        return own

    def saved(self) -> State:
        """Copies, which what comes later leaves alone."""
        parts = {
            NETWORK: {name: weight.copy() for name, weight in weights_of(self.network).items()},
            "adam": adam_of(self.optimizer),
            "batch": games_of(self.batch),
            "record": self.record.saved(),
            "pool": self.pool.saved(),
            "who plays": {name: getattr(self, name).copy() for name in WHO_PLAYS},
        }
        arrays = {name: array for part, those in parts.items() for name, array in under(part, those).items()}
        return arrays, self.card() | {"rng": self.rng.bit_generator.state}

    def restore(self, arrays: Arrays, card: dict[str, Any]) -> None:
        self.restore_card(card)
        parts = {part: those_under(part, arrays) for part in PARTS}
        self.network.load_state_dict(with_weights(self.network, parts[NETWORK]).state_dict())
        restore_adam(self.optimizer, parts["adam"])
        restore_games(self.batch, parts["batch"])
        self.record.restore(parts["record"])
        self.pool.restore(self.network, parts["pool"])
        last = self.config.pool_size + len(self.bots) - 1
        rows, seats = self.own.shape
        self.own = take(parts["who plays"], "own", np.bool_, (rows, seats))
        self.game_numbers = take_within(parts["who plays"], "game_numbers", np.int64, (rows,), 0, COUNTLESS)
        self.opponents = take_within(parts["who plays"], "opponents", np.int64, (rows,), LEARNER, last)
        earlier = self.opponents[self.opponents < self.config.pool_size]
        if (earlier >= len(self.pool.networks)).any() or not self.own[self.opponents == LEARNER].all():
            raise ValueError("somebody plays who is not there")
        self.rng.bit_generator.state = card["rng"]


# -- playing --------------------------------------------------------------------------------------------------


def play(run: Run) -> None:
    """Play until the learner has decided often enough."""
    batch, record = run.batch, run.record
    begun, step = record.count, 0
    while record.count - begun < run.config.rollout:
        own = run.own[np.arange(len(batch)), batch.current_players]
        opponents = np.where(own, LEARNER, run.opponents)
        with run.timed("policy"):
            chosen_by_bots = ask_bots(run, opponents, step)  # on several threads they think while networks do
            asked = [(network, np.flatnonzero(opponents == k)) for k, network in enumerate(run.pool.networks)]
            asked.append((run.network, np.flatnonzero(own)))
            actions, *judged = decide(asked, batch.observations, batch.action_masks, run.rng, run.each)
            note_own(run, np.flatnonzero(own), actions, step, *judged)
        with run.timed("bots"):
            for rows, chosen in chosen_by_bots:
                actions[rows] = chosen
        with run.timed("games"):
            batch.step(actions)
            if run.config.judged:
                pay_judged(run)
            finish(run, np.flatnonzero(batch.dones))
        step += 1
    run.decisions += record.count - begun


Asked = tuple[Any, Agent, Table, np.random.Generator]  # rows, who is asked, what it is shown, its random numbers


def asked_at_seats(run: Run, agents: Sequence[Agent], rows: Any, *label: Any) -> list[Asked]:
    """Each agent is asked about the rows in which its own seat is to move, with a random stream that leads nowhere."""
    asked = []
    for seat, agent in enumerate(agents):
        its = rows[run.batch.current_players[rows] == seat]
        if len(its):
            asked.append((its, agent, table_of(run, its), stream(*label, seat)))
    return asked


def table_of(run: Run, rows: Any) -> Table:
    return Table(run.batch, rows, run.game_numbers[rows])


def act(asked: Asked) -> tuple[Any, Any]:
    """The rows, and what is done there."""
    rows, agent, table, rng = asked
    return rows, agent.act(table, rng)


def ask_bots(run: Run, opponents: Any, step: int) -> Any:
    """The rows of each bot at each seat and what it does there, as it comes."""
    asked = []
    for bot, agents in enumerate(run.bots):
        rows = np.flatnonzero(opponents == run.config.pool_size + bot)
        asked += asked_at_seats(run, agents, rows, "training bot", run.config.seed, run.updates, step, bot)
    return run.each(act, asked)


def note_own(run: Run, rows: Any, actions: Any, step: int, logps: Any, values: Any, features: Any) -> None:
    """What the learner decides is recorded; in the warm phase what its teacher would do."""
    if not len(rows):
        return
    batch = run.batch
    chosen = actions[rows]
    teacher_probs: Any = 0
    if run.warm:  # half of the decisions are the teacher's, so that it is also asked where the learner goes
        chosen, teacher_probs = ask_teachers(run, rows, step)
        shown = run.rng.random(len(rows)) < 0.5
        actions[rows[shown]] = chosen[shown]
    given = batch.observations[rows], batch.action_masks[rows]
    judged = logps[rows], values[rows]
    run.record.add(
        rows, batch.current_players[rows], *given, chosen, *judged, teacher_probs=teacher_probs, features=features[rows]
    )


def ask_teachers(run: Run, rows: Any, step: int) -> tuple[Any, Any]:
    """What the teacher would do, and its weights of all actions if it has any."""
    asked = asked_at_seats(run, run.teachers, rows, "teacher", run.config.seed, run.updates, step)
    if run.record.teacher_probs.shape[1]:
        weights = np.empty((len(run.batch), run.game.num_actions), np.float32)
        parts = [(part, agent, table_of(run, part)) for its, agent, *_ in asked for part in parts_of(its)]
        for part, found in run.each(weigh, parts):
            weights[part] = found
        return weights[rows].argmax(1), weights[rows]
    actions = np.empty(len(run.batch), np.int64)
    for its, chosen in run.each(act, asked):
        actions[its] = chosen
    return actions[rows], 0


def weigh(asked: tuple[Any, Any, Table]) -> tuple[Any, Any]:
    """The rows, and the weights of all actions there."""
    rows, agent, table = asked
    return rows, agent.weigh(table)


@jit
def judge_rows(evaluate, states, shares, found):
    """The shares of the win that the game expects, where it has a judgement."""
    for row in range(len(states)):
        found[row] = evaluate(states[row], shares[row])


def pay_judged(run: Run) -> None:
    """Where the game judges a position, what came before it is paid by that: much nearer than the end of the game."""
    batch = run.batch
    shares, found = np.zeros((len(batch), batch.num_seats), np.float32), np.zeros(len(batch), np.bool_)
    judge_rows(run.game.evaluate, batch.states, shares, found)
    rows = np.flatnonzero(found & (batch.dones == 0))
    counts = batch.num_players[rows, None]
    run.record.end(rows, ((counts * shares[rows] - 1) / (counts - 1)).astype(np.float32))


def finish(run: Run, rows: Any) -> None:
    """Pay the seats of games that are over, tell the pool, deal anew."""
    if not len(rows):
        return
    batch, weight = run.batch, run.config.margin
    counts = batch.num_players[rows, None]
    shares = batch.scores()[1][rows]
    outcomes = (counts * shares - 1) / (counts - 1)
    run.record.end(rows, ((1 - weight) * outcomes + weight * batch.rewards[rows]).astype(np.float32))
    opponents = run.opponents[rows]
    met = (opponents != LEARNER) & (opponents < run.config.pool_size)
    own, seated = run.own[rows], np.arange(batch.num_seats) < counts
    mine = (shares * own).sum(1) / own.sum(1)
    theirs = (shares * ~own * seated).sum(1) / np.maximum((~own & seated).sum(1), 1)
    run.pool.report(opponents[met], (mine / (mine + theirs))[met])
    batch.deal(rows)
    run.game_numbers[rows] += len(batch)
    run.games += len(rows)
    run.seat_players(rows)


# -- learning -------------------------------------------------------------------------------------------------


@np.errstate(over="ignore", invalid="ignore")  # what comes of that is refused before anything is learnt from it
def learn(run: Run) -> dict[str, float]:
    """Some epochs of PPO, or of imitation, on all decisions whose successor is known; the means of what is logged."""
    config, record = run.config, run.record
    n = record.count
    gains = advantages(record.values[:n], record.rewards[:n], record.successors[:n], config.discount, config.trace)
    targets = gains + record.values[:n]
    known = np.flatnonzero(record.successors[:n] != OPEN)
    if not len(known):
        return {}
    gains = (gains - gains[known].mean()) / (gains[known].std() + 1e-8)
    for group in run.optimizer.param_groups:
        group["lr"] = run.learning_rate()
    logged: dict[str, list[float]] = {}
    parts = max(1, round(len(known) / config.minibatch))
    for epoch in range(config.warm_epochs if run.warm else config.epochs):
        for minibatch, chosen in enumerate(np.array_split(run.rng.permutation(known), parts), epoch * parts + 1):
            figures = take_gradient(run, chosen, gains, targets)
            with run.timed("learn backward"):
                norm = torch.nn.utils.clip_grad_norm_(run.network.parameters(), config.max_norm)
                check_finite(run, minibatch, "loss or gradient", *figures.values(), norm.item())
                run.optimizer.step()
            for key, value in figures.items():
                logged.setdefault(key, []).append(value)
    check_finite(run, minibatch, "weights", *(weight.detach().sum().item() for weight in run.network.parameters()))
    unexplained = np.var(targets[known] - record.values[known]) / (np.var(targets[known]) + 1e-8)
    return {key: float(np.mean(values)) for key, values in logged.items()} | {"explained": float(1 - unexplained)}


class Diverged(ValueError):
    """Nothing can be learnt any more."""


def check_finite(run: Progress, minibatch: int, what: str, *numbers: float) -> None:
    """Stop before what is no number is learnt from, or saved."""
    if not all(map(math.isfinite, numbers)):
        raise Diverged(
            f"update {run.updates + 1}, minibatch {minibatch}: {what} beyond all numbers; the run is kept as it was "
            "before that update, and can go on with --resume and a smaller learning_rate"
        )


def take_gradient(run: Run, chosen: Any, gains: Any, targets: Any) -> dict[str, float]:
    """The gradient of the mean loss of a minibatch, from its parts; what is logged."""
    weights = list(run.network.parameters())

    def take_part(rows: Any) -> tuple[Any, dict[str, float], list[float]]:
        times = [time.perf_counter()]
        loss, figures = (imitation_loss if run.warm else ppo_loss)(run, rows, gains, targets)
        times.append(time.perf_counter())
        share = len(rows) / len(chosen)
        gradient = torch.autograd.grad(loss * share, weights, materialize_grads=True)
        times.append(time.perf_counter())
        return gradient, {key: share * value.item() for key, value in figures.items()}, times

    gradients, figures, times = zip(*run.each(take_part, parts_of(chosen)), strict=True)
    for weight, parts in zip(weights, zip(*gradients, strict=True), strict=True):
        weight.grad = torch.stack(parts).sum(0) if len(parts) > 1 else parts[0]
    for what, seconds in zip(("learn forward", "learn backward"), np.diff(times).sum(0), strict=True):
        run.spend(what, float(seconds) / min(run.config.threads, len(times)))
    return {key: sum(part[key] for part in figures) for key in figures[0]}


class Policy(torch.autograd.Function):
    """The logarithms of the chances of actions, and entropies: of legal actions alone, for most are not.

    As softmax() and log_softmax() of all actions it took a tenth of the time of a run.
    """

    @staticmethod
    def forward(ctx: Any, logits: Tensor, masks: Any, actions: Any) -> tuple[Tensor, Tensor]:
        logps, entropies = np.empty((2, len(actions)), np.float32)
        judge_actions(logits.detach().numpy(), masks, actions, logps, entropies)
        ctx.given = logits.detach().numpy(), masks, actions, logps, entropies
        return torch.from_numpy(logps), torch.from_numpy(entropies)

    @staticmethod
    def backward(ctx: Any, of_logps: Tensor, of_entropies: Tensor) -> tuple[Tensor, None, None]:
        gradient = np.zeros_like(ctx.given[0])
        trace_actions(*ctx.given, of_logps.numpy(), of_entropies.numpy(), gradient)
        return torch.from_numpy(gradient), None, None


@jit
def judge_actions(logits, masks, actions, logps, entropies):
    for row in range(len(actions)):
        legal = np.flatnonzero(masks[row])
        norm, entropy = norm_of(logits[row], legal), 0.0
        for action in legal:
            logp = logits[row, action] - norm
            entropy -= math.exp(logp) * logp
        logps[row], entropies[row] = logits[row, actions[row]] - norm, entropy


@jit
def trace_actions(logits, masks, actions, logps, entropies, of_logps, of_entropies, gradient):
    for row in range(len(actions)):
        base = logits[row, actions[row]] - logps[row]
        for action in np.flatnonzero(masks[row]):
            logp = logits[row, action] - base
            chance = math.exp(logp)
            gradient[row, action] = -chance * (of_logps[row] + of_entropies[row] * (logp + entropies[row]))
        gradient[row, actions[row]] += of_logps[row]


def predict(run: Run, chosen: Any) -> tuple[Tensor, Tensor]:
    """Masked logits and values of recorded decisions."""
    record = run.record
    given = record.observations[chosen], record.action_masks[chosen], record.features[chosen]
    logits, values = run.network(*map(torch.from_numpy, given))
    return logits, values


def error_of(values: Tensor, targets: Any) -> Tensor:
    return (values - torch.from_numpy(targets)).square().mean()


def ppo_loss(run: Run, chosen: Any, gains: Any, targets: Any) -> tuple[Tensor, dict[str, Tensor]]:
    config, record = run.config, run.record
    logits, values = predict(run, chosen)
    value_error = error_of(values, targets[chosen])
    logps, entropies = Policy.apply(logits, record.action_masks[chosen], record.actions[chosen])
    gain = torch.from_numpy(gains[chosen])
    change = logps - torch.from_numpy(record.logps[chosen])
    ratio = change.exp()
    clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
    policy_loss = -torch.minimum(ratio * gain, clipped * gain).mean()
    entropy = entropies.mean()
    with torch.no_grad():
        kl = (ratio - 1 - change).mean()
        clip_share = (ratio != clipped).float().mean()
    figures = {"policy": policy_loss, "value": value_error, "entropy": entropy, "kl": kl, "clipped": clip_share}
    return policy_loss + config.value * value_error - config.entropy * entropy, figures


def imitation_loss(run: Run, chosen: Any, gains: Any, targets: Any) -> tuple[Tensor, dict[str, Tensor]]:
    record = run.record
    logits, values = predict(run, chosen)
    value_error = error_of(values, targets[chosen])
    if record.teacher_probs.shape[1]:
        logps = (torch.from_numpy(record.teacher_probs[chosen]).float() * logits.log_softmax(1)).sum(1)
    else:
        logps, _ = Policy.apply(logits, record.action_masks[chosen], record.actions[chosen])
    with torch.no_grad():
        agreed = (logits.argmax(1) == torch.from_numpy(record.actions[chosen])).float().mean()
    figures = {"policy": -logps.mean(), "value": value_error, "agreed": agreed}
    return -logps.mean() + run.config.value * value_error, figures


# -- measuring ------------------------------------------------------------------------------------------------

EVALUATION_SEED = 1_000_000  # deals that training does not see: its own come from streams of other seeds


Results = dict[str, list[float]]  # win shares and the ends of their intervals


def evaluate(run: Any) -> Results:
    """The win share of one learner among bots, with its interval; every deal is played once from every seat."""
    results = {}
    config, learner = run.config, BestMoves(run.network)
    for name in config.evaluate_against:
        for players in sorted(set(config.players)):
            agents, deals = (learner, name), config.evaluate_deals
            match = play_match(run.game, agents, players, deals, EVALUATION_SEED, **config.options)
            if not match.complete:
                raise KeyboardInterrupt
            results[f"{name} {players}p"] = [match.rows[0].win_share, *match.rows[0].interval]
    return results


def evaluate_unless_stopped(run: Any) -> Results:
    """Nothing if a signal ends it."""
    begun = time.perf_counter()
    try:
        run.evaluating = True
        results = evaluate(run)
        run.evaluating = False
    except KeyboardInterrupt:
        results = {}
    run.seconds += time.perf_counter() - begun
    return results


# -- what is said of it ---------------------------------------------------------------------------------------


def line_of(run: Progress, figures: dict[str, float], rate: float) -> dict[str, Any]:
    """What the log says of an update."""
    line = {"update": run.updates, "decisions": run.decisions, "games": run.games, "minutes": run.seconds / 60}
    return line | {"warm": run.warm, "rate": rate, **figures, "spent": shares_of_time(run)}


def shares_of_time(run: Progress) -> dict[str, float]:
    total = sum(run.spent.values())
    return {what: seconds / total for what, seconds in run.spent.items()}


def event_writer(config: Settings, folder: pathlib.Path, updates: int) -> Any:
    """TensorBoard's, where it is installed and wanted."""
    if not config.tensorboard or find_spec("tensorboard") is None:
        return None
    from torch.utils.tensorboard import SummaryWriter

    return SummaryWriter(folder, purge_step=updates)


SAID_EVERY = 2.0  # seconds
Show = Callable[[Run, dict[str, float], float, Results], None]


@contextmanager
def screen(title: str) -> Iterator[Show]:
    """What shows how far a run is: a panel on a terminal where rich is installed, else a line now and then."""
    if not sys.stdout.isatty() or find_spec("rich") is None:
        yield say
        return
    from rich.live import Live
    from rich.panel import Panel
    from rich.table import Table as Grid

    latest: Results = {}

    def show(run: Run, figures: dict[str, float], rate: float, results: Results) -> None:
        latest.update(results)
        grid = Grid.grid(padding=(0, 2))
        for row in in_words(run, figures, rate, latest).items():
            grid.add_row(*row)
        live.update(Panel(grid, title=title), refresh=True)

    with Live(auto_refresh=False) as live:
        yield show


def say(run: Run, figures: dict[str, float], rate: float, results: Results) -> None:
    if results or run.seconds - run.said >= SAID_EVERY:
        run.said = run.seconds
        print(*filter(None, in_words(run, figures, rate, results).values()), sep=" | ", flush=True)


def in_words(run: Run, figures: dict[str, float], rate: float, results: Results) -> dict[str, str]:
    """How far a run is."""
    return {
        "so far": f"{run.updates:5d}  {run.seconds / 60:6.2f} min  {run.decisions:11,d} decisions",
        "speed": f"{rate / 1000:5.1f} k/s",
        "left": time_left(run),
        "learning": "  ".join(f"{key} {value:.3f}" for key, value in figures.items()),
        "time": "  ".join(f"{what} {share:.0%}" for what, share in shares_of_time(run).items()),
        "win share": "  ".join(f"{name} {s:.1%} ({low:.1%} to {high:.1%})" for name, (s, low, high) in results.items()),
    }


def time_left(run: Run) -> str:
    """At the speed so far."""
    used = run.within(run.config.minutes, run.config.decisions)
    return f"{run.seconds / 60 * max(1 / used - 1, 0):.1f} min left" if used else "no limit"


# -- the loop -------------------------------------------------------------------------------------------------


def update(run: Run) -> tuple[dict[str, float], float]:
    """Play, learn, and keep the network for the pool now and then; what is logged, decisions a second."""
    config = run.config
    if run.warm and run.within(config.warm_minutes, config.warm_decisions) >= 1:
        run.warm = False
        run.record.forget()  # what was recorded are the teacher's decisions
    begun, before = time.perf_counter(), run.decisions
    run.spent = {}
    run.network.eval()
    play(run)
    run.network.train()
    figures = learn(run)
    run.record.keep_open()
    run.pool.forget()
    run.updates += 1
    if config.share_pool and not run.warm and run.updates % config.pool_every == 0:
        run.pool.add(run.network)
    elapsed = time.perf_counter() - begun
    run.seconds += elapsed
    return figures, (run.decisions - before) / elapsed


def train(run: Any, folder: pathlib.Path, update: Callable[[Any], tuple[dict[str, float], float]] = update) -> None:
    """Update until a limit is reached or somebody interrupts."""
    writer, keeper = event_writer(run.config, folder, run.updates), Keeper(folder)
    with stopping(run, keeper), screen(folder.name) as show:
        try:
            update_and_save(run, keeper, update, show, writer)
        except Exception:
            keeper.save()  # what was learnt before
            raise
        if writer is not None:
            writer.close()
        run.end(folder)
        draw_curves(folder)


def update_and_save(run: Any, keeper: Keeper, update: Callable[[Any], Any], show: Show, writer: Any) -> None:
    """Every update is logged at once, and saved before anything that takes its time."""
    config, file = run.config, keeper.folder / LOG
    saved, ended = time.monotonic(), run.within(run.config.minutes, run.config.decisions) >= 1
    while not (ended or run.stopped):
        figures, rate = update(run)
        keeper.take(run.saved())
        ended = run.within(config.minutes, config.decisions) >= 1
        line = line_of(run, figures, rate)
        add_line(file, line)
        measured = ended or (config.evaluate_every and run.updates % config.evaluate_every == 0)
        if measured or run.stopped or time.monotonic() - saved >= 60 * config.checkpoint_minutes:
            keeper.save()
            saved = time.monotonic()
        results = evaluate_unless_stopped(run) if measured and not run.stopped else {}
        if results:
            change_last_line(file, line | {"results": results})
            keeper.take(run.saved())  # with the time that it took
        show(run, figures, rate, results)
        if writer is not None:
            shares = {f"win share/{name}": share for name, (share, *_) in results.items()}
            for name, value in (figures | shares | {"rate": rate}).items():
                writer.add_scalar(name, value, run.updates)
    keeper.save()


def main(words: Sequence[str]) -> None:
    with open_run(*read_arguments(words, Config), Run) as (run, folder):
        train(run, folder)


if __name__ == "__main__":
    as_command("train_ppo", main)
