"""Asking changes nothing, and what is handed out is the asker's own."""

from collections.abc import Callable, Container, Iterator
from typing import Any

import numpy as np

from lanterns_env.testing.compare import Failed, ask, difference, freeze, short, spoil
from lanterns_env.testing.play import (
    Env,
    Game,
    Kit,
    Refused,
    Snapshot,
    difference_of_snapshots,
    is_dead,
    public,
    snapshot,
    step,
)

MOST_TIMES = 3  # that one question is asked in a row


def questions(env: Env) -> list[str]:
    """What this environment can be asked."""
    available = ["observe", "last"]
    if not isinstance(ask(env.state), Failed):
        available.append("state")
    if getattr(env, "render_mode", None) not in (None, "human"):
        available.append("render")
    return available


def answers(env: Env, question: str) -> list[Any]:
    """A question put once: observe() for every agent, the others as they are."""
    if question == "observe":
        return [ask(env.observe, agent) for agent in env.agents]
    return [ask(getattr(env, question))]


def observing(kit: Kit) -> Iterator[str]:
    """Calling observe(), last(), state() and render() changes nothing, and they answer the same each time."""
    for game in kit.games():
        silent = _played(kit, game, None)
        if len(silent) <= len(game.actions):
            yield "a game that nobody asks anything goes another way: an action allowed before is refused"
            continue
        for question in questions(kit.begin(game.seed)):
            rng = np.random.default_rng(game.seed)
            steps = _steps_to_ask_at(kit, game, question)
            found: list[tuple[int, str]] = []

            def pester(
                env: Env, question: str = question, steps: Any = steps, rng: Any = rng, found: Any = found
            ) -> None:
                if kit.steps in steps:
                    found.extend((kit.steps, words) for words in _asked_again(env, question, rng))

            words = _first_difference(kit, silent, _played(kit, game, pester))
            if words:
                yield f"{question}() changes the game: {words}"
            elif found:
                kit.steps, words = found[0]
                yield words


def _steps_to_ask_at(kit: Kit, game: Game, question: str) -> Container[int]:
    """Every step; drawing is slow and has to do with some."""
    return kit.looked_at(game) if question == "render" else range(len(game.actions))


def _asked_again(env: Env, question: str, rng: np.random.Generator) -> Iterator[str]:
    """Ask several times, of agents in any order; the answers must stay the same."""
    before = public(env)
    agents = list(env.agents) if question == "observe" else [None]
    for place in rng.permutation(len(agents)):
        arguments = [agents[place]] if question == "observe" else []
        first = freeze(ask(getattr(env, question), *arguments))
        for _ in range(rng.integers(MOST_TIMES)):
            words = difference(first, ask(getattr(env, question), *arguments), "answer")
            if words:
                yield f"{question}() answers something else when it is asked again: {words}"
    words = difference_of_snapshots(before, public(env))
    if words:
        yield f"{question}() changes the game: {words}"


def _played(kit: Kit, game: Game, pester: Callable[[Env], None] | None) -> list[Snapshot]:
    """What could be seen without asking at each step, and everything halfway and at the last decision."""
    everything = {game.decisions[place] for place in (len(game.decisions) // 2, -1)} if game.decisions else set()
    seen = []
    env = kit.begin(game.seed)
    for number, action in enumerate([*game.actions, None]):
        kit.steps = number
        seen.append(snapshot(env) if number in everything else public(env))
        if number == len(game.actions):
            break
        if pester:
            pester(env)
        try:
            step(env, action)
        except Refused:
            break
    return seen


def _first_difference(kit: Kit, expected: list[Snapshot], found: list[Snapshot]) -> str | None:
    for number, (one, other) in enumerate(zip(expected, found, strict=False)):
        kit.steps = number
        words = difference_of_snapshots(one, other)
        if words:
            return words
    kit.steps = len(found) - 1
    return None if len(expected) == len(found) else "an action that was allowed is refused"


def handed_out(kit: Kit) -> Iterator[str]:
    """Writing into a returned array does not change the game, and the next step does not change a returned array."""
    for game in kit.games():
        for question in questions(kit.begin(game.seed)):
            steps = _steps_to_ask_at(kit, game, question)

            def spoil_answers(env: Env, question: str = question, steps: Any = steps) -> None:
                if kit.steps in steps:
                    for answer in answers(env, question):
                        spoil(answer)

            words = kit.departure(kit.begin(game.seed), game, before_step=spoil_answers)
            if words:
                yield f"writing into what {question}() returned changes the game: {words}"
            words = _changed_later(kit, game, question)
            if words:
                yield f"what {question}() returned changes with the next step: {words}"


def _changed_later(kit: Kit, game: Game, question: str) -> str | None:
    held: list[Any] = []
    kept: list[Any] = []
    steps = _steps_to_ask_at(kit, game, question)
    for number, env in kit.walk(game):
        words = difference(kept, held, "answer")
        if words:
            return words
        held = answers(env, question) if number in steps else []
        if question == "last":  # its info is PettingZoo's own dict, which may change
            held = [answer[0] for answer in held if isinstance(answer, tuple)]
        kept = freeze(held)
    return None


def last(kit: Kit) -> Iterator[str]:
    """last() returns what observe() and the attributes hold."""
    for game in kit.games():
        for number, env in kit.walk(game):
            if number in kit.looked_at(game) or (env.agents and is_dead(env, env.agent_selection)):
                words = _last_fault(env)
                if words:
                    yield words


def _last_fault(env: Env) -> str | None:
    agent = env.agent_selection
    known = freeze(
        [
            ask(env.observe, agent),
            env._cumulative_rewards[agent],
            env.terminations[agent],
            env.truncations[agent],
            env.infos[agent],
        ]
    )
    answer = ask(env.last)
    if isinstance(answer, Failed):
        return None if is_dead(env, agent) else f"last() raises {answer}"  # of the dead, "leaving" tells
    names = ("observation", "reward", "termination", "truncation", "info")
    if not isinstance(answer, tuple) or len(answer) != len(names):
        return f"last() does not return the five things {', '.join(names)}"
    for name, expected, found in zip(names, known, answer, strict=True):
        words = difference(expected, found, f"the {name} of last()")
        if words:
            return words
    blind = ask(env.last, False)
    if isinstance(blind, Failed) or blind[0] is not None:
        return f"last(observe=False) gives {short(blind)} instead of None and the rest"
    return None
