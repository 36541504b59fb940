"""Spaces and masks: what is shown lies in its space, and masks say who may do something."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from lanterns_env.testing.compare import Failed, ask, difference, freeze, short
from lanterns_env.testing.parallel import waits
from lanterns_env.testing.play import STUCK, Agent, Env, Kit, is_dead, masks


def same_space(kit: Kit) -> Iterator[str]:
    """A space is the same object each time: whoever seeded it finds it again."""
    for game in kit.games():
        first: dict[tuple[str, Agent], Any] = {}
        for _, env in kit.walk(game):
            yield from _other_spaces(env, env.agents, first)
        env.reset(seed=game.seed)
        yield from _other_spaces(env, env.agents, first)


def _other_spaces(env: Env, agents: list[Agent], first: dict[tuple[str, Agent], Any]) -> Iterator[str]:
    for agent in agents:
        for name in ("observation_space", "action_space"):
            space = getattr(env, name)(agent)
            if first.setdefault((name, agent), space) is not space:
                yield f"{name}({agent!r}) returns another object than before"


def observations(kit: Kit) -> Iterator[str]:
    """What every agent is shown, at its turn or not, fits its space: keys, types, shapes, bounds; so does its mask."""
    for game in kit.games():
        looked_at = {*kit.looked_at(game), len(game.actions)}
        for number, env in kit.walk(game):
            if number not in looked_at:
                continue
            for agent in env.agents:
                yield from _observation_faults(env, agent)


def _observation_faults(env: Env, agent: Agent) -> Iterator[str]:
    observation = ask(env.observe, agent)
    if isinstance(observation, Failed):
        yield f"observe({agent!r}) raises {observation} while {env.agent_selection!r} is to move"
        return
    words = misfit(env.observation_space(agent), observation, f"the observation of {agent!r}")
    if words:
        yield words
    space = env.action_space(agent)
    if isinstance(space, spaces.Discrete):
        for place, mask in masks(env, agent, observation).items():
            words = _mask_misfit(mask, int(space.n), f"the mask in the {place} of {agent!r}")
            if words:
                yield words


def misfit(space: Any, value: Any, where: str) -> str | None:
    """Why a value is not of its space, in words; None if it is."""
    if isinstance(space, spaces.Dict):
        if not isinstance(value, Mapping) or value.keys() != space.keys():
            keys = list(value) if isinstance(value, Mapping) else value
            return f"{where} has {short(keys)} where its space has the keys {short(list(space))}"
        parts = (misfit(space[key], value[key], f"{where}[{key!r}]") for key in space)
        return next((part for part in parts if part), None)
    if isinstance(space, spaces.Box):
        return _box_misfit(space, value, where)
    return None if space.contains(value) else f"{where} is {short(value)}, which {short(space)} does not contain"


def _box_misfit(space: spaces.Box, value: Any, where: str) -> str | None:
    if not isinstance(value, np.ndarray):
        return f"{where} is of type {type(value).__name__}, not a NumPy array"
    if value.dtype != space.dtype:
        return f"{where} is {value.dtype} where its space says {space.dtype}"
    if value.shape != space.shape:
        return f"{where} has the shape {value.shape} where its space says {space.shape}"
    outside = np.argwhere(~((value >= space.low) & (value <= space.high)))  # NaN is outside too
    if len(outside):
        place = tuple(int(number) for number in outside[0])
        bounds = f"{space.low[place]} to {space.high[place]}"
        return f"{where} at {list(place)} is {value[place]} where its space says {bounds}"
    return None


def _mask_misfit(mask: Any, actions: int, where: str) -> str | None:
    """Discrete.sample() takes int8 masks of zeros and ones alone."""
    if not isinstance(mask, np.ndarray) or mask.dtype != np.int8:
        return f"{where} is {getattr(mask, 'dtype', type(mask).__name__)}, not int8, and cannot be sampled with"
    if mask.shape != (actions,):
        return f"{where} has the shape {mask.shape} for {actions} actions"
    others = mask[(mask != 0) & (mask != 1)]
    return f"{where} holds {others[0]}, neither 0 nor 1" if len(others) else None


def mover_can_act(kit: Kit) -> Iterator[str]:
    """The agent to move has at least one legal action."""
    for game in kit.games():
        for number, env in kit.walk(game):
            if number == len(game.actions) and game.stop == STUCK and not others_ended(env):
                yield f"the mask of {env.agent_selection!r}, who is to move, is all zero"


def others_ended(env: Env) -> bool:
    left = set(env.possible_agents) - set(env.agents)
    return bool(left) or any(is_dead(env, agent) for agent in env.agents)


def masks_agree(kit: Kit) -> Iterator[str]:
    """The mask in the observation and the mask in info are equal."""
    for game in kit.games():
        looked_at = kit.looked_at(game)
        for number, env in kit.walk(game):
            if number not in looked_at:
                continue
            agent = env.agent_selection
            found = freeze(masks(env, agent, ask(env.observe, agent)))
            answer = ask(env.last)
            if isinstance(answer, tuple) and isinstance(answer[-1], dict) and "action_mask" in answer[-1]:
                found["info of last()"] = answer[-1]["action_mask"]
            for place, mask in found.items():
                first, expected = next(iter(found.items()))
                words = difference(expected, mask, f"the mask of {agent!r} in the {place}")
                if words:
                    yield f"{words} in the {first}"


def idle_masks(kit: Kit) -> Iterator[str]:
    """The mask of an agent that is not to move is all zero."""
    for game in kit.games():
        looked_at = kit.looked_at(game)
        for number, env in kit.walk(game):
            if number in looked_at:
                for agent in env.agents:
                    yield from _idle_actions(env, agent)


def _idle_actions(env: Env, agent: Agent) -> Iterator[str]:
    if not waits(env, agent):
        return
    for place, mask in masks(env, agent, ask(env.observe, agent)).items():
        actions = np.flatnonzero(np.asarray(mask))
        if len(actions):
            mover = env.agent_selection
            yield f"the mask in the {place} of {agent!r} allows {short(actions.tolist())} while {mover!r} is to move"
