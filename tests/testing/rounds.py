"""A small correct parallel game for the kit: both choose a number at once; the defects are subclasses."""

import copy
from typing import ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import ParallelEnv

NUMBERS = 4
ROUNDS = 5
ILLEGAL_REWARD = -1.0


class Rounds(ParallelEnv):
    """Of two numbers the higher wins a point; each number once; the first is dealt away from everybody."""

    metadata: ClassVar = {"name": "rounds_v0", "render_modes": []}
    names = ("ann", "bob")

    def __init__(self):
        self.render_mode = None
        self.possible_agents = list(self.names)
        observation = Box(0, 1, (2 * NUMBERS,), np.int8)
        self.spaces = {
            name: Dict(observation=observation, action_mask=Box(0, 1, (NUMBERS,), np.int8)) for name in self.names
        }
        self.choices = {name: Discrete(NUMBERS) for name in self.names}
        self.rng = np.random.default_rng()

    def observation_space(self, agent):
        return self.spaces[agent]

    def action_space(self, agent):
        return self.choices[agent]

    def reset(self, seed=None, options=None):
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        self.agents = list(self.names)
        self.left = {name: np.ones(NUMBERS, np.int8) for name in self.names}
        for name in self.names:
            self.left[name][self.rng.integers(NUMBERS)] = 0
        return self.shown(), {name: {} for name in self.names}

    def shown(self):
        return {name: self.shown_to(name) for name in self.names}

    def shown_to(self, name):
        other = self.names[1 - self.names.index(name)]
        both = np.concatenate([self.left[name], self.left[other]])
        return {"observation": both, "action_mask": self.left[name].copy()}

    def step(self, actions):
        illegal = [name for name in self.agents if not self.left[name][actions[name]]]
        if illegal:
            return self.ended({name: ILLEGAL_REWARD * (name in illegal) for name in self.names})
        for name in self.agents:
            self.left[name][actions[name]] = 0
        first, second = (actions[name] for name in self.names)
        rewards = dict(zip(self.names, np.sign([first - second, second - first]).astype(float).tolist(), strict=True))
        if not any(self.left["ann"]):
            return self.ended(rewards)
        return self.shown(), rewards, *self.flags(False), {name: {} for name in self.names}

    def ended(self, rewards):
        self.agents = []
        return self.shown(), rewards, *self.flags(True), {name: {} for name in self.names}

    def flags(self, over):
        return dict.fromkeys(self.names, over), dict.fromkeys(self.names, False)


class HandsOutItsOwn(Rounds):
    """Who writes into the mask changes what may be played."""

    def shown_to(self, name):
        return {**super().shown_to(name), "action_mask": self.left[name]}


class DealtFromElsewhere(Rounds):
    """The seed is not used."""

    def reset(self, seed=None, options=None):
        return super().reset(None, options)


class LetsPass(Rounds):
    """A number may be played twice, whatever the mask says."""

    def step(self, actions):
        for name in self.agents:
            self.left[name][actions[name]] = 1
        return super().step(actions)


class ShowsTooMuch(Rounds):
    """Outside its space."""

    def shown_to(self, name):
        shown = super().shown_to(name)
        return {**shown, "observation": shown["observation"] * 2}


class CannotBeCopied(Rounds):
    """A copy shares what is left to play."""

    def __deepcopy__(self, memo):
        return copy.copy(self)


BROKEN = {
    HandsOutItsOwn: {"handed_out"},
    DealtFromElsewhere: {"same_seed"},
    LetsPass: {"legality"},
    ShowsTooMuch: {"observations"},
    CannotBeCopied: {"deepcopy"},
}
