"""Playing the environment under test: games recorded once, and played again to be compared."""

import random
import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Discrete

from lanterns_env.testing.compare import Failed, ask, difference, freeze, short

Env: TypeAlias = Any  # any AECEnv, with or without more
Agent: TypeAlias = Hashable
Snapshot: TypeAlias = dict[str, Any]

PUBLIC = ("agent_selection", "agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos")
OTHER_SEED = 104729  # added to a seed to get an unlike one

# Why a recorded game stopped
OVER = "over"  # every agent has left
LIMIT = "limit"  # as many steps as the kit plays
STUCK = "stuck"  # the agent to move has an all-zero mask
REFUSED = "refused"  # step() raised
STAYS = "stays"  # a dead agent stepped None and did not leave
LOST = "lost"  # agent_selection is no agent, or observe() fails


class Refused(Exception):
    """step() raised."""


@dataclass
class Game:
    """What was played from a seed, and everything that could be seen on the way."""

    seed: int
    actions: list[Any] = field(default_factory=list)  # None where a dead agent left
    snapshots: list[Snapshot] = field(default_factory=list)  # before every action, and one after the last
    stop: str = LIMIT
    refused: Any = None  # the action that step() raised at
    error: str = ""

    @property
    def decisions(self) -> list[int]:
        """The steps at which somebody chose."""
        return [number for number, action in enumerate(self.actions) if action is not None]


@dataclass
class Kit:
    """What the caller asked for, and where the check that runs stands."""

    make_env: Callable[[], Env]
    seeds: Sequence[int] = (0, 1, 2)
    max_steps: int = 400
    positions_per_game: int = 12  # decisions looked at closely
    actions_per_position: int = 2000  # tried per decision looked at
    replays: int = 300  # games played again to try actions, where no copy can be trusted
    chance: bool = True
    hidden: bool = True
    zero_sum: bool = False
    sample_hidden: Callable[[Env, Agent, int], Env] | None = None
    draw_for: Callable[[Env, Agent], Any] | None = None
    seed: int = 0
    steps: int = 0
    masks_hold: bool = False  # found by "legality"
    copier: Callable[[Env], Env] | None = None  # a way of copying that was found faithful
    recorded: dict[int, Game] = field(default_factory=dict)

    def begin(self, seed: int) -> Env:
        """A fresh environment, reset with a seed."""
        env = self.make_env()
        self.restart(env, seed)
        return env

    def restart(self, env: Env, seed: int) -> None:
        """Global generators start the same for the same seed: reading them is a finding of its own."""
        self.seed, self.steps = seed, 0
        pin_global_generators(seed)
        env.reset(seed=seed)

    def game(self, seed: int) -> Game:
        """The game of a seed that all checks know."""
        if seed not in self.recorded:
            self.recorded[seed] = record(self, self.begin(seed), seed, np.random.default_rng(seed))
        return self.recorded[seed]

    def games(self) -> Iterator[Game]:
        for seed in self.seeds:
            yield self.game(seed)

    def looked_at(self, game: Game) -> list[int]:
        """Some decisions of a game, the first and the last among them."""
        decisions = game.decisions
        places = np.unique(np.linspace(0, len(decisions) - 1, self.positions_per_game).astype(int)) if decisions else ()
        return [decisions[place] for place in places]

    def walk(self, game: Game) -> Iterator[tuple[int, Env]]:
        """Play a recorded game in a fresh environment; it is shown before every step and after the last."""
        env = self.begin(game.seed)
        for number, action in enumerate(game.actions):
            self.steps = number
            yield number, env
            try:
                step(env, action)
            except Refused:
                return
        self.steps = len(game.actions)
        yield self.steps, env

    def departure(
        self,
        env: Env,
        game: Game,
        start: int = 0,
        length: int | None = None,
        before_step: Callable[[Env], None] | None = None,
    ) -> str | None:
        """Play on as recorded: in words where the game first goes another way, None if it never does."""
        stop = len(game.actions) if length is None else min(start + length, len(game.actions))
        for number in range(start, stop + 1):
            self.steps = number
            other = difference_of_snapshots(game.snapshots[number], snapshot(env))
            if other or number == stop:
                return other
            if before_step:
                before_step(env)
            try:
                step(env, game.actions[number])
            except Refused as error:
                return f"step({game.actions[number]!r}) raises {error}"
        return None


def record(kit: Kit, env: Env, seed: int, rng: np.random.Generator) -> Game:
    """Random legal actions until all have left, or the game cannot go on."""
    game = Game(seed)
    while True:
        kit.steps = len(game.actions)
        game.snapshots.append(snapshot(env))
        game.stop, action = _next_action(env, game.snapshots[-1], rng)
        if game.stop != LIMIT or len(game.actions) == kit.max_steps:
            return game
        agent = env.agent_selection
        try:
            step(env, action)
        except Refused as error:
            game.stop, game.refused, game.error = REFUSED, action, str(error)
            return game
        game.actions.append(action)
        if action is None and agent in env.agents:
            game.stop = STAYS
            game.snapshots.append(snapshot(env))
            return game


def _next_action(env: Env, seen: Snapshot, rng: np.random.Generator) -> tuple[str, Any]:
    """Why nothing can be chosen, or LIMIT and what is; nobody is asked anew: those who play again do not ask."""
    if not env.agents:
        return OVER, None
    agent = env.agent_selection
    if agent not in env.agents:
        return LOST, None
    if is_dead(env, agent):
        return LIMIT, None
    observation = seen[observation_of(agent)]
    if isinstance(observation, Failed):
        return LOST, None
    actions = allowed(env, agent, observation)
    if actions is None:
        return LIMIT, _any_action(env.action_space(agent), rng)
    if not actions:
        return STUCK, None
    return LIMIT, actions[int(rng.integers(len(actions)))]


def _any_action(space: Any, rng: np.random.Generator) -> Any:
    if isinstance(space, Discrete):
        return int(space.start) + int(rng.integers(int(space.n)))
    own = freeze(space)  # to sample from the space itself would move its generator
    own.seed(int(rng.integers(1 << 31)))
    return own.sample()


def step(env: Env, action: Any) -> None:
    try:
        env.step(action)
    except Exception as error:
        raise Refused(short(f"{type(error).__name__}: {error}", 120)) from error


def is_dead(env: Env, agent: Agent) -> bool:
    return bool(env.terminations.get(agent) or env.truncations.get(agent))


def masks(env: Env, agent: Agent, observation: Any) -> dict[str, Any]:
    """The masks of an agent by the place where they stand."""
    found = {}
    if isinstance(observation, dict) and "action_mask" in observation:
        found["observation"] = observation["action_mask"]
    info = env.infos.get(agent, {})
    if isinstance(info, dict) and "action_mask" in info:
        found["info"] = info["action_mask"]
    return found


def allowed(env: Env, agent: Agent, observation: Any) -> list[int] | None:
    """The actions that an agent's mask allows; None without a mask."""
    for mask in masks(env, agent, observation).values():
        first = int(getattr(env.action_space(agent), "start", 0))
        return [first + int(place) for place in np.flatnonzero(np.asarray(mask))]
    return None


def public(env: Env) -> Snapshot:
    """What can be seen without calling anything."""
    return {name: freeze(ask(getattr, env, name)) for name in PUBLIC}


def observation_of(agent: Agent) -> str:
    """Its name in a snapshot."""
    return f"observe({agent!r})"


def snapshot(env: Env) -> Snapshot:
    """Everything that can be seen."""
    seen = public(env)
    for agent in seen["agents"] if isinstance(seen["agents"], list) else ():
        seen[observation_of(agent)] = freeze(ask(env.observe, agent))
    seen["state()"] = freeze(ask(env.state))
    return seen


def difference_of_snapshots(expected: Snapshot, found: Snapshot) -> str | None:
    """In words; of an agent that one of them lacks, its name tells."""
    for name, value in expected.items():
        words = difference(value, found[name], name) if name in found else f"{name} is missing"
        if words:
            return words
    return None


def pin_global_generators(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed % 2**32)  # noqa: NPY002
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(seed)


def global_generators() -> dict[str, Any]:
    """The states of the generators that a whole process shares."""
    states: dict[str, Any] = {"random": random.getstate(), "np.random": np.random.get_state()}  # noqa: NPY002
    if "torch" in sys.modules:
        states["torch"] = sys.modules["torch"].get_rng_state()
    return states


def restore_global_generators(states: dict[str, Any]) -> None:
    random.setstate(states["random"])
    np.random.set_state(states["np.random"])  # noqa: NPY002
    if "torch" in states:
        sys.modules["torch"].set_rng_state(states["torch"])
