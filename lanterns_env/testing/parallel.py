"""A parallel environment played in turns, so that every check serves both kinds."""

from collections.abc import Callable
from typing import Any

from pettingzoo import ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec_wrapper

from lanterns_env.testing.compare import difference, freeze, spoil
from lanterns_env.testing.play import Agent, Env


class InTurns(parallel_to_aec_wrapper):  # type: ignore[type-arg]
    """The agents decide one after the other; the last one's decision plays the round.

    Observations are handed out as copies, for all of a round look at the same ones.  What an asker writes into a copy
    is written into the original before the round is played: an environment that goes on using it shows it then.
    """

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        super().reset(seed=seed, options=options)  # type: ignore[no-untyped-call]
        self._handed_out: dict[Agent, list[Any]] = {}

    def observe(self, agent: Agent) -> Any:
        copied = freeze(self._observations[agent])
        self._handed_out.setdefault(agent, []).append(copied)
        return copied

    def last(self, observe: bool = True) -> Any:
        *others, info = super().last(observe)  # type: ignore[no-untyped-call]
        return *others, freeze(info)

    def step(self, action: Any) -> None:
        if self._plays_round():
            for agent, copies in self._handed_out.items():
                original = self._observations.get(agent)
                if any(difference(original, each, "observation") for each in copies):
                    spoil(original)
            self._handed_out = {}
        super().step(action)

    def state(self) -> Any:
        return freeze(super().state())  # type: ignore[no-untyped-call]

    def _plays_round(self) -> bool:
        agent = self.agent_selection
        return not (self.terminations[agent] or self.truncations[agent]) and bool(self._agent_selector.is_last())


def in_turns(make_env: Callable[[], Any]) -> Callable[[], Env]:
    """``make_env`` itself, or the same with its parallel environments played in turns."""

    def make() -> Env:
        env = make_env()
        return InTurns(env) if isinstance(env, ParallelEnv) else env

    return make


def inner(env: Env) -> Any:
    """What ``make_env`` made."""
    return env.env if isinstance(env, InTurns) else env


def waits(env: Env, agent: Agent) -> bool:
    """Whether an agent decides at another moment; in a parallel environment nobody waits."""
    return agent != env.agent_selection and not isinstance(env, InTurns)


def plays_now(env: Env) -> bool:
    """Whether the next decision is carried out at once: in a parallel environment the last of a round."""
    return not isinstance(env, InTurns) or env._plays_round()
