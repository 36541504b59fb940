"""A small correct game for the kit: a duel with hidden hands, in four dresses."""

import copy
import pickle
from typing import ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

CARDS = 8
HAND = 3
NOBODY = -1
SETTINGS = ("render_mode", "possible_agents", "spaces", "choices")  # no part of a saved game


class Duel(AECEnv):
    """Three cards each out of eight, two lie aside.  The higher card of two takes one point from the other."""

    metadata: ClassVar = {"name": "duel_v0", "render_modes": ["ansi"], "is_parallelizable": False}
    names = ("ann", "bob")

    def __init__(self, render_mode="ansi"):
        super().__init__()
        self.render_mode = render_mode
        self.possible_agents = list(self.names)
        observation = Box(0, 1, (3 * CARDS,), np.int8)
        self.spaces = {
            name: Dict(observation=observation, action_mask=Box(0, 1, (CARDS,), np.int8)) for name in self.names
        }
        self.choices = {name: Discrete(CARDS) for name in self.names}
        self.rng = np.random.default_rng()

    def observation_space(self, agent):
        return self.spaces[agent]

    def action_space(self, agent):
        return self.choices[agent]

    def reset(self, seed=None, options=None):
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        self.deal(self.rng.permutation(CARDS))
        self.agents = list(self.names)
        self.agent_selection = self.names[0]
        self.rewards, self._cumulative_rewards = (dict.fromkeys(self.names, 0.0) for _ in range(2))
        self.terminations, self.truncations = (dict.fromkeys(self.names, False) for _ in range(2))
        self.infos = {name: {} for name in self.names}
        self.tell()

    def deal(self, order):
        self.hands = {name: order[place * HAND :][:HAND].tolist() for place, name in enumerate(self.names)}
        self.table, self.played = NOBODY, []

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.check(agent, action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.hands[agent].remove(action)
        self.played.append(action)
        if self.table == NOBODY:
            self.table, self.agent_selection = action, self.other(agent)
        else:
            self.compare(agent, action)
        self._accumulate_rewards()
        if not any(self.hands.values()):
            self.end()
        self.tell()

    def check(self, agent, action):
        if action not in self.legal(agent):
            raise ValueError(f"{agent} does not hold the card {action}")

    def compare(self, agent, action):
        winner = agent if action > self.table else self.other(agent)
        self.rewards[winner], self.rewards[self.other(winner)] = 1.0, -1.0
        self.table, self.agent_selection = NOBODY, winner

    def end(self):
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def tell(self):
        """Keep infos up to date."""

    def other(self, agent):
        return self.names[1 - self.names.index(agent)]

    def legal(self, agent):
        return self.hands[agent] if agent == self.agent_selection else []

    def mask(self, agent):
        return cards(self.legal(agent))

    def numbers(self, agent):
        table = [] if self.table == NOBODY else [self.table]
        return np.concatenate([cards(self.hands[agent]), cards(table), cards(self.played)])

    def observe(self, agent):
        return {"observation": self.numbers(agent), "action_mask": self.mask(agent)}

    def state(self):
        return np.concatenate([cards(self.hands[name]) for name in self.names])

    def render(self):
        return f"on the table {self.table}, played {self.played}"

    def close(self):
        pass

    def drawing_for(self, agent):
        return f"{self.render()}, in hand {self.hands[agent]}"

    def clone(self):
        return self.twin()

    def twin(self):
        twin = object.__new__(type(self))
        twin.__dict__.update(copy.deepcopy(self.__dict__))
        return twin

    def get_state(self):
        return pickle.dumps({name: value for name, value in self.__dict__.items() if name not in SETTINGS})

    def set_state(self, state):
        self.__dict__.update(pickle.loads(state))

    def sample_hidden(self, agent, seed):
        """The other hand anew, out of all cards not seen."""
        world = self.twin()
        unseen = [card for card in range(CARDS) if card not in self.hands[agent] + self.played]
        other = self.other(agent)
        chosen = np.random.default_rng(seed).choice(unseen, len(self.hands[other]), replace=False)
        world.hands[other] = [int(card) for card in chosen]
        world.tell()
        return world


class InfoDuel(Duel):
    """A plain array as observation, the mask in info alone, and agents whose names are no words."""

    names = (("seat", 0), 1)

    def observation_space(self, agent):
        return self.spaces[agent]["observation"]

    def observe(self, agent):
        return self.numbers(agent)

    def tell(self):
        for name in self.agents:
            self.infos[name] = {"action_mask": self.mask(name) if not self.terminations[name] else cards([])}


class GuardedDuel(Duel):
    """An illegal action ends the game, the offender with a penalty; no copies beyond Python's own, no redeal."""

    clone = get_state = set_state = sample_hidden = None

    def step(self, action):
        agent = self.agent_selection
        if action is None or action in self.legal(agent):
            super().step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.rewards[agent] = -1.0
        self._accumulate_rewards()
        self.end()


class Drum(AECEnv):
    """No mask, no chance, no hidden things, no words: three agents beat 0 or 1; who leaves the beat is out.

    The last one left goes on for two beats and is cut off.
    """

    metadata: ClassVar = {"name": "drum_v0"}

    def __init__(self):
        super().__init__()
        self.possible_agents = ["a", "b", "c"]
        self.space, self.choice = Box(0, 20, (1,), np.float32), Discrete(2, start=5)

    def observation_space(self, agent):
        return self.space

    def action_space(self, agent):
        return self.choice

    def reset(self, seed=None, options=None):
        self.agents = self.possible_agents.copy()
        self.beats, self.agent_selection = 0, "a"
        self.rewards, self._cumulative_rewards = (dict.fromkeys(self.agents, 0.0) for _ in range(2))
        self.terminations, self.truncations = (dict.fromkeys(self.agents, False) for _ in range(2))
        self.infos = {agent: {} for agent in self.agents}

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.beats += 1
        self.agent_selection = self.agents[(self.agents.index(agent) + 1) % len(self.agents)]
        if len(self.agents) == 1:
            self.truncations[agent] = self.beats >= 12
        elif action != 5 + self.beats % 2:
            self.rewards[agent] = -1.0
            self.terminations[agent] = True
            self._accumulate_rewards()
            self._deads_step_first()

    def observe(self, agent):
        return np.array([min(self.beats, 20)], np.float32)


def cards(numbers):
    """One flag for each card."""
    flags = np.zeros(CARDS, np.int8)
    flags[list(numbers)] = 1
    return flags
