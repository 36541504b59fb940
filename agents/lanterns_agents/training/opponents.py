"""Who plays against the learner: earlier selves, preferred by how often they win, and bots."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from lanterns_agents.networks.arrays import Arrays, take, take_within, those_under, under
from lanterns_agents.networks.base import Network, load_network, save_network
from lanterns_agents.training.checkpoint import weights_of, with_weights
from lanterns_agents.training.config import COUNTLESS, Config
from lanterns_agents.training.inference import Each
from lanterns_env import Batch
from lanterns_env.agent import Agent, Table, load
from lanterns_env.engine.streams import stream

LEARNER = -1  # who plays the seats that are not the learner's: nobody else, an earlier self (0 ..), then the bots
PRIOR = 1.0  # games won and lost against an earlier self before the first
FORGET = 0.98  # of these counts at every update
LEAST = 0.05  # weight of an earlier self that always loses
SEATING = ("own", "opponents", "game_ids")  # what is saved of who plays


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


# -- agents at the seats of a batch ---------------------------------------------------------------------------

Asked = tuple[Any, Agent, Table, np.random.Generator]  # rows, who is asked, what it is shown, its random numbers


def load_at_seats(name: str, batch: Batch) -> list[Any]:
    """A bot or a teacher: at every seat an agent of its own, that sees what this seat may see and nothing else."""
    return [load(name) for _ in range(batch.num_seats)]


def asked_at_seats(batch: Batch, game_ids: Any, agents: Sequence[Agent], rows: Any, *label: Any) -> list[Asked]:
    """Each agent is asked about the rows in which its own seat is to move, with a random stream that leads nowhere."""
    asked = []
    for seat, agent in enumerate(agents):
        its = rows[batch.current_players[rows] == seat]
        if len(its):
            asked.append((its, agent, Table(batch, its, game_ids[its]), stream(*label, seat)))
    return asked


def answer(asked: Asked) -> tuple[Any, Any]:
    """The rows, and what is done there."""
    rows, agent, table, rng = asked
    return rows, agent.act(table, rng)


class Seating:
    """Who plays at the seats of every game: the learner alone, or one opponent at some of them."""

    def __init__(self, batch: Batch, config: Config, rng: np.random.Generator) -> None:
        self.batch, self.config, self.rng = batch, config, rng
        self.pool = Pool(config.pool_size)
        self.bots = [load_at_seats(name, batch) for name in config.bot_opponents]
        self.opponents = np.full(len(batch), LEARNER)
        self.own = np.ones((len(batch), batch.num_seats), bool)  # the learner's seats
        self.game_ids = np.arange(len(batch))
        self.seat(np.arange(len(batch)))

    def seat(self, rows: Any) -> None:
        """Who plays the new games of these rows."""
        config = self.config
        draws = self.rng.random(len(rows))
        self.own[rows] = True
        self.opponents[rows] = LEARNER
        earlier = rows[draws < config.pool_fraction] if self.pool.networks else rows[:0]
        self.opponents[earlier] = self.pool.draw(self.rng, len(earlier)) if len(earlier) else 0
        against_bots = rows[draws >= 1 - config.bot_fraction]
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

    def movers(self) -> Any:
        """Who is to move in every row: LEARNER, or its opponent."""
        own = self.own[np.arange(len(self.batch)), self.batch.current_players]
        return np.where(own, LEARNER, self.opponents)

    def networks(self, movers: Any, learner: Network) -> list[tuple[Network, Any]]:
        """Every network with the rows in which it is to move."""
        earlier = [(network, np.flatnonzero(movers == k)) for k, network in enumerate(self.pool.networks)]
        return [*earlier, (learner, np.flatnonzero(movers == LEARNER))]

    def ask_bots(self, movers: Any, each: Each, *label: Any) -> Any:
        """The rows of each bot at each seat and what it does there, as it comes."""
        asked = []
        for bot, agents in enumerate(self.bots):
            rows = np.flatnonzero(movers == self.config.pool_size + bot)
            asked += asked_at_seats(self.batch, self.game_ids, agents, rows, "training bot", *label, bot)
        return each(answer, asked)

    def next_games(self, rows: Any, shares: Any) -> None:
        """Games are over: the pool is given their results, and the next ones of these rows their players."""
        opponents = self.opponents[rows]
        met = (opponents != LEARNER) & (opponents < self.config.pool_size)
        own, seated = self.own[rows], np.arange(self.batch.num_seats) < self.batch.num_players[rows, None]
        mine = (shares * own).sum(1) / own.sum(1)
        theirs = (shares * ~own * seated).sum(1) / np.maximum((~own & seated).sum(1), 1)
        self.pool.report(opponents[met], (mine / (mine + theirs))[met])
        self.game_ids[rows] += len(self.batch)
        self.seat(rows)

    def saved(self) -> Arrays:
        return {name: getattr(self, name).copy() for name in SEATING}

    def restore(self, saved: Arrays) -> None:
        """After the pool."""
        rows, seats = self.own.shape
        last = self.config.pool_size + len(self.bots) - 1
        own = take(saved, "own", np.bool_, (rows, seats))
        game_ids = take_within(saved, "game_ids", np.int64, (rows,), 0, COUNTLESS)
        opponents = take_within(saved, "opponents", np.int64, (rows,), LEARNER, last)
        earlier = opponents[opponents < self.config.pool_size]
        if (earlier >= len(self.pool.networks)).any() or not own[opponents == LEARNER].all():
            raise ValueError("somebody plays who is not there")
        self.own, self.game_ids, self.opponents = own, game_ids, opponents
