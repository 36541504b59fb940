"""Agents that cheat, and agents that fail: what matches are attacked with."""

import os
import time
from collections import defaultdict
from contextlib import suppress
from typing import ClassVar

import numpy as np

from lanterns_env import Batch

WORLDS = 6  # that flat Monte Carlo tries each action in
TRIED = 4  # actions


class Uniform:
    def act(self, table, rng):
        return table.sample(rng)


class Failing(Uniform):
    """Does what its subclass does where a game begins with an odd tile, card or number: in some rows alone."""

    def act(self, table, rng):
        actions = table.sample(rng)
        if any(view.tobytes()[0] >= 0 and sum(view.tobytes()) % 5 == 0 for view in table.views):
            self.fail(table)
        return actions


class Raising(Failing):
    def fail(self, table):
        raise KeyError("nothing here")


class Exiting(Failing):
    def fail(self, table):
        os._exit(7)


class Killed(Failing):
    def fail(self, table):
        os.kill(os.getpid(), 9)


class Hanging(Failing):
    def fail(self, table):
        time.sleep(1000)


class Greedy(Uniform):
    """For memory."""

    def act(self, table, rng):
        self.kept = [np.ones(1 << 24) for _ in range(100)]
        return table.sample(rng)


class Illegal(Uniform):
    def act(self, table, rng):
        return (table.action_masks == 0).argmax(1)


class Unstarted(Uniform):
    def __init__(self):
        os._exit(3)


class FlatMonteCarlo:
    """Tries some actions in redealt worlds, with random play to the end."""

    def act(self, table, rng):
        worth = np.full(table.action_masks.shape, -1.0)
        for row in range(len(table)):
            legal = np.flatnonzero(table.action_masks[row])
            for action in rng.permutation(legal)[:TRIED]:
                worth[row, action] = self.tried(table, row, int(action), rng)
        return worth.argmax(1)

    def tried(self, table, row, action, rng):
        seeds = rng.integers(2**62, size=len(table))
        shares = []
        for k in range(WORLDS):
            worlds = table.worlds(seeds + k)
            worlds.step([action], [row])
            shares.append(worlds.random_rollouts(int(seeds[row]) + k)[1][row, table.seats[row]])
        return np.mean(shares) + self.known(table, row)

    def known(self, table, row):
        return 0.0


class Remembering(FlatMonteCarlo):
    """Keeps all it is shown under what may tell games apart, and prefers nothing it has not met elsewhere."""

    def __init__(self):
        self.seen = defaultdict(set)
        self.met = 0

    def act(self, table, rng):
        players = int(table.views["num_players"][0])
        for row, game in enumerate(table.game_ids.tolist()):
            for name in (("game", game), *(("deal", game // turns, turns) for turns in range(2, players + 1))):
                self.seen[name].add(int(table.seats[row]))
        return super().act(table, rng)

    def known(self, table, row):
        """Another seat's view of the same deal would be worth a lot."""
        game, seat = int(table.game_ids[row]), int(table.seats[row])
        names = (("game", game), *(("deal", game // turns, turns) for turns in range(2, 6)))
        return float(any(self.seen.get(name, {seat}) - {seat} for name in names))


class Conspirators(Uniform):
    """All objects of the class share what they see; each notes under which names, and what it would guess by them."""

    seen: ClassVar = {}  # name -> the observation that was seen first under it
    guesses: ClassVar = []  # (observation seen, observation that another object saw under the same name)

    def __init__(self):
        self.calls = 0

    def act(self, table, rng):
        observations = table.game.to_array(table.views)
        if self.calls == 0:
            for row, (game, seen) in enumerate(zip(table.game_ids.tolist(), observations, strict=True)):
                for name in (("id", game), ("row", len(table), row)):
                    other = Conspirators.seen.setdefault(name, (self, seen.tobytes()))
                    if other[0] is not self:
                        Conspirators.guesses.append((name[0], seen.tobytes(), other[1]))
        self.calls += 1
        return table.sample(rng)


class Writing(Uniform):
    """Tries to have its table say that somebody else is to move, then asks for worlds."""

    worlds: ClassVar = []

    def act(self, table, rng):
        for array in (table.seats, table.action_masks, table.views, table.game_ids):
            with suppress(ValueError):
                array.flags.writeable = True
            with suppress(ValueError, TypeError):
                array[:] = (array[:] + 1) if array.dtype.names is None else array[::-1]
        with suppress(AttributeError):
            table.seats = (table.seats + 1) % int(table.views["num_players"][0])
        Writing.worlds.append(table.worlds(np.arange(len(table))).states.tobytes())
        return table.sample(rng)


class Seeding(Uniform):
    """Deals whatever number it can read off its generator, and looks whether that is the deal on the table."""

    hits: ClassVar = []
    tried: ClassVar = set()  # the seeds of all deals that were tried
    options: ClassVar = {}

    def act(self, table, rng):
        players = int(table.views["num_players"][0])
        observations = {row.tobytes() for row in table.game.to_array(table.views)}
        numbers = numbers_in(rng.bit_generator.state) + numbers_in(vars_of(rng.bit_generator.seed_seq))
        Seeding.hits.append(any(self.deals(number, table, players) & observations for number in set(numbers)))
        return table.sample(rng)

    def deals(self, number, table, players):
        """What the first to move sees of the deals that a number may stand for."""
        found = set()
        for seed in {
            number % 2**64,
            number >> 64 & 2**64 - 1,
            number & 2**32 - 1,
            *range(number % 2**64, number % 2**64 + 3),
        }:
            for seeds in ({"seed": seed % 2**64}, {"seeds": [seed % 2**64] * 4}):
                batch = Batch(table.game, 4, players, **seeds, **Seeding.options)
                Seeding.tried.update(batch.seeds.tolist())
                found |= {row.tobytes() for row in batch.observations}
        return found


def vars_of(sequence):
    return {name: getattr(sequence, name) for name in ("entropy", "spawn_key", "pool", "state")}


def numbers_in(value):
    """All whole numbers somewhere in a value."""
    if isinstance(value, dict):
        return [number for each in value.values() for number in numbers_in(each)]
    if isinstance(value, list | tuple | np.ndarray):
        return [number for each in value for number in numbers_in(each)]
    return [int(value)] if isinstance(value, int | np.integer) else []
