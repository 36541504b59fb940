"""Hidden information: what an agent cannot know, dealt anew, changes nothing that it gets."""

from collections.abc import Iterator

import numpy as np

from lanterns_env.testing.compare import ask, freeze
from lanterns_env.testing.play import (
    Agent,
    Env,
    Game,
    Kit,
    Refused,
    Snapshot,
    allowed,
    difference_of_snapshots,
    is_dead,
    snapshot,
    step,
)

PLAYED_ON = 12  # steps that two redealt games are played on, to see whether they differ


def shown_to(kit: Kit, env: Env, agent: Agent, drawn: bool) -> Snapshot:
    """All that an agent gets to see, drawn as well or not."""
    shown: Snapshot = {
        "agent_selection": env.agent_selection,
        "agents": env.agents,
        "observation": ask(env.observe, agent),
        "info": env.infos.get(agent),
        "reward": env.rewards.get(agent),
        "cumulative reward": env._cumulative_rewards.get(agent),
        "termination": env.terminations.get(agent),
        "truncation": env.truncations.get(agent),
    }
    if agent == env.agent_selection:
        shown["last()"] = ask(env.last)
    if drawn and kit.draw_for:
        shown["drawing"] = ask(kit.draw_for, env, agent)
    return {name: freeze(value) for name, value in shown.items()}


def no_leak(kit: Kit) -> Iterator[str]:
    """What an agent is shown is the same in every world that sample_hidden() deals for it."""
    if kit.sample_hidden is None:
        return
    for game in kit.games():
        looked_at = kit.looked_at(game)
        for number, env in kit.walk(game):
            for place, agent in enumerate(_live(env)):
                world = kit.sample_hidden(env, agent, number + place)
                shown, shown_there = (shown_to(kit, one, agent, number in looked_at) for one in (env, world))
                words = difference_of_snapshots(shown, shown_there)
                if words:
                    yield f"what {agent!r} cannot know shows in what it gets: after a redeal {words}"


def redeal(kit: Kit) -> Iterator[str]:
    """sample_hidden() leaves the game alone, follows its seed, gives playable games, and deals something anew."""
    if kit.sample_hidden is None:
        return
    compared, differs = False, False
    for game in kit.games():
        looked_at = kit.looked_at(game)
        for number, env in kit.walk(game):
            if number in looked_at:
                for agent in _live(env):
                    words = _redeal_fault(kit, game, number, env, agent)
                    if words:
                        yield words
                    compared, differs = True, differs or _worlds_differ(kit, env, agent, number)
    if kit.hidden and compared and not differs:
        yield "sample_hidden() never changed anything (without hidden information in the game, pass hidden=False)"


def _live(env: Env) -> list[Agent]:
    return [agent for agent in env.agents if not is_dead(env, agent)]


def _redeal_fault(kit: Kit, game: Game, number: int, env: Env, agent: Agent) -> str | None:
    assert kit.sample_hidden is not None
    one, other = (kit.sample_hidden(env, agent, number) for _ in range(2))
    words = difference_of_snapshots(game.snapshots[number], snapshot(env))
    if words:
        return f"sample_hidden() changes the game itself: {words}"
    words = difference_of_snapshots(snapshot(one), snapshot(other))
    if words:
        return f"sample_hidden() with the same seed gives two different games: {words}"
    try:
        for action in _played_on(one, number):
            step(other, action)
    except Refused as error:
        return f"a redealt game refuses an action that its mask allows: {error}" if kit.masks_hold else None
    words = difference_of_snapshots(game.snapshots[number], snapshot(env))
    return f"the game changes when a redealt one is played: {words}" if words else None


def _played_on(env: Env, seed: int) -> Iterator[int]:
    """Play some random steps, telling each."""
    rng = np.random.default_rng(seed)
    for _ in range(PLAYED_ON):
        if not env.agents or is_dead(env, env.agent_selection):
            return
        actions = allowed(env, env.agent_selection, ask(env.observe, env.agent_selection))
        if not actions:
            return
        action = actions[int(rng.integers(len(actions)))]
        step(env, action)
        yield action


def _worlds_differ(kit: Kit, env: Env, agent: Agent, seed: int) -> bool:
    """Whether two redeals differ for anybody, at once or when they are played on."""
    assert kit.sample_hidden is not None
    one, other = (kit.sample_hidden(env, agent, seed + offset) for offset in (1, 2))
    if difference_of_snapshots(snapshot(one), snapshot(other)):
        return True
    try:
        for action in _played_on(one, seed):
            step(other, action)
            if difference_of_snapshots(snapshot(one), snapshot(other)):
                return True
    except Refused:
        return True
    return False
