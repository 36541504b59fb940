"""A turn-based game behind PettingZoo's parallel interface: agents that are not to move have one action, to wait."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete, Space
from pettingzoo import ParallelEnv

from lanterns_env.engine.checks import check_action
from lanterns_env.engine.observations import NAMED, Observer
from lanterns_env.envs.aec import ILLEGAL_REWARD, GameEnv, Observation


class GameParallelEnv(ParallelEnv[str, Observation, int]):
    """A game as a PettingZoo parallel environment: agents that are not to move have one action, to wait.

    Action number A, one more than the game has, is to wait.  Every step takes an action of every agent.  An illegal
    one (a wrong move, waiting in one's turn, moving out of it) ends the game as ``env()`` does: -1 for the offenders,
    0 for the others.  ``game_env`` is the AEC environment inside.

    Args:
        game: The name of a game.
        **arguments: Those of ``GameEnv``.
    """

    def __init__(self, game: str, **arguments: Any) -> None:
        self.game_env = GameEnv(game, **arguments)
        self.wait = self.game_env.game.num_actions
        self.metadata = {**self.game_env.metadata, "is_parallelizable": True}
        self.render_mode = self.game_env.render_mode
        self.possible_agents = self.game_env.possible_agents.copy()
        self.agents: list[str] = []
        self._observation_spaces: dict[str, Space[Any]] = {}
        self._action_spaces: dict[str, Space[Any]] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Without its spaces, which are made anew."""
        return {**self.__dict__, "_observation_spaces": {}, "_action_spaces": {}}

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> Any:
        self.game_env.reset(seed, options)
        self.agents = [] if self.game_env._ended else self.game_env.agents.copy()
        masks = self._masks()
        return self._observations(self.agents, masks), self._infos(self.agents, masks)

    def step(self, actions: Mapping[str, int]) -> Any:
        if not self.agents:
            raise ValueError("the game is over and every agent has left; reset() deals another")
        for agent in self.agents:
            if agent not in actions:
                raise ValueError(f"step needs an action of every agent; {agent} has none (waiting is {self.wait})")
        masks = self._masks()
        chosen = {agent: check_action(actions[agent], self.wait + 1) for agent in self.agents}
        offenders = [agent for agent in self.agents if not masks[agent][chosen[agent]]]
        if offenders:
            return self._end_for(offenders, chosen)
        self.game_env.step(chosen[self.game_env.agent_selection])
        env = self.game_env
        results = env.rewards.copy(), env.terminations.copy(), env.truncations.copy()
        return self._returned(*results, {})

    def _end_for(self, offenders: list[str], chosen: Mapping[str, int]) -> Any:
        """The game ends because of illegal actions."""
        rewards = {agent: ILLEGAL_REWARD if agent in offenders else 0.0 for agent in self.agents}
        over, cut = dict.fromkeys(self.agents, True), dict.fromkeys(self.agents, False)
        reasons = {agent: self._reason(agent, chosen[agent]) for agent in offenders}
        return self._returned(rewards, over, cut, reasons)

    def _reason(self, agent: str, action: int) -> str:
        if agent != self.game_env.agent_selection:
            return f"{agent} is not to move: its only action is {self.wait}, to wait"
        if action == self.wait:
            return f"{agent} is to move and cannot wait"
        return self.game_env._dealt()._refusal(0, action)

    def _returned(self, rewards: Any, over: Any, cut: Any, reasons: Mapping[str, str]) -> Any:
        """What a step returns; when the game is over all agents leave."""
        present = self.agents
        if any(over.values()) or any(cut.values()):
            self.agents = []
        masks = self._masks()
        infos = self._infos(present, masks)
        for agent, reason in reasons.items():
            infos[agent]["illegal"] = reason
        return self._observations(present, masks), rewards, over, cut, infos

    def _masks(self) -> dict[str, Any]:
        """The mover's actions; waiting alone for the others, and for all when the game is over."""
        masks = {}
        for agent in self.possible_agents:
            masks[agent] = np.zeros(self.wait + 1, np.int8)
            if self.agents and agent == self.game_env.agent_selection:
                masks[agent][: self.wait] = self.game_env._dealt().action_masks[0]
            else:
                masks[agent][self.wait] = 1
        return masks

    def _observations(self, agents: list[str], masks: Mapping[str, Any]) -> dict[str, Observation]:
        seen = {agent: self.game_env.observe(agent) for agent in agents}
        if self.game_env.observation != NAMED:
            return seen
        return {agent: {**seen[agent], "action_mask": masks[agent]} for agent in agents}

    def _infos(self, agents: list[str], masks: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        return {agent: {"action_mask": masks[agent]} for agent in agents}

    def observation_space(self, agent: str) -> Space[Any]:
        if agent not in self._observation_spaces:
            observer = Observer(self.game_env.game, self.game_env.observation)
            self._observation_spaces[agent] = observer.seat_space(more_actions=1)
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        if agent not in self._action_spaces:
            self._action_spaces[agent] = Discrete(self.wait + 1)
        return self._action_spaces[agent]

    def state(self) -> Any:
        return self.game_env.state()

    @property
    def state_space(self) -> Box:
        return self.game_env.state_space

    def render(self) -> Any:
        return self.game_env.render()

    def close(self) -> None:
        self.game_env.close()
