"""The course of a game: its start, whose turn it is, rewards, flags, and how agents leave."""

import math
from collections import defaultdict
from collections.abc import Iterator

from pettingzoo import AECEnv

from lanterns_env.testing.compare import Failed, ask, short
from lanterns_env.testing.parallel import inner
from lanterns_env.testing.play import (
    LOST,
    OVER,
    REFUSED,
    STAYS,
    STUCK,
    Agent,
    Env,
    Kit,
    is_dead,
)
from lanterns_env.testing.spaces import others_ended

TOLERANCE = 1e-6  # of sums of rewards
BY_AGENT = ("rewards", "_cumulative_rewards", "terminations", "truncations", "infos")


def start(kit: Kit) -> Iterator[str]:
    """A fresh environment each time, and after reset() a game that can begin."""
    env = kit.make_env()
    if not isinstance(env, AECEnv):
        yield f"make_env() returns {short(env)}, neither an AECEnv nor a ParallelEnv"
        return
    if inner(kit.make_env()) is inner(env):
        yield "make_env() returns the same environment each time; it must make a new one"
        return
    for seed in kit.seeds:
        kit.restart(env, seed)
        if not env.agents:
            yield "there are no agents after reset()"
        elif not set(env.agents) <= set(env.possible_agents):
            yield f"the agents {short(env.agents)} are not all among possible_agents"
        elif any(is_dead(env, agent) for agent in env.agents):
            yield "somebody is terminated or truncated right after reset()"


def rewards(kit: Kit) -> Iterator[str]:
    """The reward of last() is the sum of the agent's rewards since its own last step."""
    for game in kit.games():
        owed: dict[Agent, float] = defaultdict(float)
        for number, env in kit.walk(game):
            if number and game.actions[number - 1] is not None:
                for agent, reward in env.rewards.items():
                    if not math.isfinite(float(reward)):
                        yield f"the reward of {agent!r} is {reward}"
                    owed[agent] += float(reward)
            agent = env.agent_selection
            if agent not in env.agents:
                continue
            paid = float(env._cumulative_rewards[agent])
            if not math.isclose(paid, owed[agent], abs_tol=TOLERANCE):
                yield (
                    f"last() gives {agent!r} the reward {paid:g}; since its last step the rewards "
                    f"sum to {owed[agent]:g}"
                )
            owed[agent] = 0.0


def zero_sum(kit: Kit) -> Iterator[str]:
    """If you say that it is so: over a whole game the rewards of all agents sum to zero."""
    if not kit.zero_sum:
        return
    for game in kit.games():
        total = 0.0
        for number, env in kit.walk(game):
            if number and game.actions[number - 1] is not None:
                total += sum(map(float, env.rewards.values()))
        if game.stop == OVER and abs(total) > TOLERANCE:
            yield f"over the whole game the rewards of all agents sum to {total:g} instead of 0"


def flags(kit: Kit) -> Iterator[str]:
    """Terminations and truncations are plain bools, final, and never both; agent_selection is one of the agents."""
    for game in kit.games():
        dead: set[Agent] = set()
        gone: set[Agent] = set()
        for number, env in kit.walk(game):
            yield from _bookkeeping_faults(env)
            yield from _flag_faults(env)
            now = {agent for agent in env.agents if is_dead(env, agent)}
            for agent in (dead & set(env.agents)) - now:
                yield f"{agent!r} had ended and is in the game again"
            for agent in gone & set(env.agents):
                yield f"{agent!r} had left and is back"
            gone |= set(env.possible_agents) - set(env.agents)
            dead = now
            if number == len(game.actions) and game.stop == STUCK and others_ended(env):
                yield f"the game has ended for others, but {env.agent_selection!r} is left with nothing to do"
            if number == len(game.actions) and game.stop == LOST and env.agent_selection not in env.agents:
                yield f"agent_selection is {env.agent_selection!r}, which is none of the agents {short(env.agents)}"


def _bookkeeping_faults(env: Env) -> Iterator[str]:
    for name in BY_AGENT:
        keys = getattr(env, name)
        if set(keys) != set(env.agents):
            yield f"{name} is for {short(list(keys))}, the agents are {short(env.agents)}"


def _flag_faults(env: Env) -> Iterator[str]:
    for agent in env.agents:
        ended, cut = env.terminations.get(agent), env.truncations.get(agent)
        for name, flag in (("terminations", ended), ("truncations", cut)):
            if type(flag) is not bool:
                yield f"{name}[{agent!r}] is {flag!r}, not a plain bool"
        if ended and cut:
            yield f"{agent!r} is terminated and truncated at once"


def leaving(kit: Kit) -> Iterator[str]:
    """An agent whose game is over sees it in last(), steps None and leaves, until nobody is left."""
    for game in kit.games():
        leaver: Agent | None = None  # who steps None
        there: set[Agent] = set()  # all agents before that
        for number, env in kit.walk(game):
            left = there - set(env.agents)
            if leaver is not None and left != {leaver}:
                yield f"{leaver!r}, whose game is over, steps None, and those who leave are {short(list(left))}"
            leaver = None
            if not env.agents or not is_dead(env, env.agent_selection):
                continue
            agent = env.agent_selection
            answer = ask(env.last)
            if isinstance(answer, Failed):
                yield f"last() raises {answer} for {agent!r}, whose game is over"
            elif not (answer[2] or answer[3]):
                yield f"last() does not tell {agent!r} that its game is over"
            if number == len(game.actions) and game.stop == REFUSED and game.refused is None:
                yield f"step(None) of {agent!r}, whose game is over, raises {game.error}"
            if number == len(game.actions) and game.stop == STAYS:
                yield f"{agent!r}, whose game is over, steps None and does not leave"
            if number < len(game.actions) and game.actions[number] is None:
                leaver, there = agent, set(env.agents)
