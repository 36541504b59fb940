"""A mask allows exactly what step() accepts."""

from collections.abc import Callable, Iterator

import numpy as np
from gymnasium.spaces import Discrete

from lanterns_env.testing.compare import ask
from lanterns_env.testing.parallel import plays_now
from lanterns_env.testing.play import (
    REFUSED,
    Agent,
    Env,
    Game,
    Kit,
    Refused,
    allowed,
    difference_of_snapshots,
    is_dead,
    snapshot,
    step,
)

AFTERWARDS = 10  # steps played on after refused actions: what they changed may show late


def legality(kit: Kit) -> Iterator[str]:
    """Every allowed action is accepted; every other raises and changes nothing, or ends its agent with a penalty."""
    faults = 0
    for game in kit.games():
        if game.stop == REFUSED and game.refused is not None:
            kit.seed, kit.steps = game.seed, len(game.actions)
            faults += 1
            yield f"step({game.refused!r}) raises {game.error}, though nothing forbids the action"
        looked_at = kit.looked_at(game)
        for number, env in kit.walk(game):
            if number in looked_at and plays_now(env):
                for words in _faults_at(kit, game, number, env):
                    faults += 1
                    yield words
    kit.masks_hold = not faults


def _faults_at(kit: Kit, game: Game, number: int, env: Env) -> Iterator[str]:
    agent = env.agent_selection
    space, actions = env.action_space(agent), allowed(env, agent, ask(env.observe, agent))
    if actions is None or not isinstance(space, Discrete):
        return
    first = int(space.start)
    others = sorted({*range(first, first + int(space.n))} - {*actions})
    rng = np.random.default_rng([kit.seed, number])

    def branch() -> Env:
        return _branch(kit, game, number, env)

    half = _trials(kit, game) // 2
    for action in _some(actions, max(half, 1), rng):
        words = _allowed_fault(branch(), action)
        if words:
            yield words
    yield from _forbidden_faults(kit, game, number, branch, agent, _some(others, max(half, 1), rng))
    kit.steps = number


def _branch(kit: Kit, game: Game, number: int, env: Env) -> Env:
    """The game as it stands, once more: a copy if copies are faithful, else played again from the reset."""
    if kit.copier:
        return kit.copier(env)
    again = kit.begin(game.seed)
    for action in game.actions[:number]:
        step(again, action)
    kit.steps = number
    return again


def _trials(kit: Kit, game: Game) -> int:
    return (
        kit.actions_per_position
        if kit.copier
        else min(kit.actions_per_position, kit.replays // max(len(kit.looked_at(game)), 1))
    )


def _some(actions: list[int], limit: int, rng: np.random.Generator) -> list[int]:
    if len(actions) <= limit:
        return actions
    return sorted(int(action) for action in rng.choice(actions, limit, replace=False))


def _allowed_fault(env: Env, action: int) -> str | None:
    before = snapshot(env)
    try:
        step(env, action)
    except Refused as error:
        return f"the mask allows the action {action}, but step() raises {error}"
    if not difference_of_snapshots(before, snapshot(env)):
        return f"the mask allows the action {action}, but step() changes nothing"
    return None


def _forbidden_faults(
    kit: Kit, game: Game, number: int, branch: Callable[[], Env], agent: Agent, actions: list[int]
) -> Iterator[str]:
    env, fresh, raised = branch(), True, []
    for action in actions:
        refused = _refuses(env, action)
        if not refused and not fresh:  # perhaps only after what an earlier refusal broke, of which below
            env = branch()
            refused = _refuses(env, action)
        if refused:
            raised.append(action)
            fresh = False
            continue
        words = _acceptance_fault(env, agent)
        if words:
            yield f"the mask forbids the action {action}, but {words}"
        env, fresh = branch(), True
    words = _disturbance(kit, game, number, branch(), raised)
    if words:
        culprits = (action for action in raised if _disturbance(kit, game, number, branch(), [action]))
        kit.steps = number
        yield f"the refused action {next(culprits, raised[0])} changes the game: {words}"


def _refuses(env: Env, action: int) -> bool:
    try:
        step(env, action)
    except Refused:
        return True
    return False


def _acceptance_fault(env: Env, agent: Agent) -> str | None:
    """Without raising, a forbidden action may only have ended its agent's game, at its cost."""
    if agent in env.agents and not is_dead(env, agent):
        return "step() lets it pass"
    paid = env.rewards.get(agent, 0)
    return None if paid < 0 else f"step() ends the game with the reward {paid} for {agent!r}: no penalty"


def _disturbance(kit: Kit, game: Game, number: int, env: Env, actions: list[int]) -> str | None:
    """How a game goes another way after actions that were refused."""
    for action in actions:
        _refuses(env, action)
    return kit.departure(env, game, number, AFTERWARDS)
