"""A conformance kit for PettingZoo environments, AEC and parallel, these games' or anybody's.

    from lanterns_env.testing import assert_conforms, check_env

    for finding in check_env(make_env):
        print(finding)

``make_env`` makes a new environment at every call.  Masks are looked for in ``observation["action_mask"]``,
then in ``info["action_mask"]``; an environment without any is taken to allow every action.
"""

import logging
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from lanterns_env.testing import copies, episode_checks, hidden, legality, observation_checks, seeds, spaces
from lanterns_env.testing.compare import ask, short
from lanterns_env.testing.parallel import in_turns
from lanterns_env.testing.play import (
    Agent,
    Env,
    Kit,
    global_generators,
    restore_global_generators,
)

__all__ = ["CHECKS", "Finding", "assert_conforms", "check_env", "run_checks"]

MOST_FINDINGS = 3  # of one check

Check = Callable[[Kit], Iterator[str]]

# What all others build on, one on the other: games that cannot be played again the same cannot be compared.
FOUNDATION: dict[str, Check] = {
    "start": episode_checks.start,
    "global_random": seeds.global_random,
    "same_seed": seeds.same_seed,
    "observing": observation_checks.observing,
}
# These compare a game with the same game played again: left out if the foundation has a fault.
COMPARING: dict[str, Check] = {
    "reset_again": seeds.reset_again,
    "handed_out": observation_checks.handed_out,
    "last": observation_checks.last,
    "clone": copies.by_clone,  # before the others, being the fastest: actions are tried on it
    "deepcopy": copies.by_deepcopy,
    "pickle": copies.by_pickle,
    "saved_state": copies.by_saved_state,
    "legality": legality.legality,
    "no_leak": hidden.no_leak,
    "redeal": hidden.redeal,
}
# These look at single games: left out only if no game can start.
LOOKING: dict[str, Check] = {
    "different_seeds": seeds.different_seeds,
    "same_space": spaces.same_space,
    "observations": spaces.observations,
    "mover_can_act": spaces.mover_can_act,
    "masks_agree": spaces.masks_agree,
    "idle_masks": spaces.idle_masks,
    "rewards": episode_checks.rewards,
    "zero_sum": episode_checks.zero_sum,
    "flags": episode_checks.flags,
    "leaving": episode_checks.leaving,
}
CHECKS = {
    name: " ".join((check.__doc__ or "").split()) for name, check in {**FOUNDATION, **COMPARING, **LOOKING}.items()
}


@dataclass(frozen=True)
class Finding:
    """A fault of an environment, and where it showed.

    Attributes:
        check: The name of the check, one of ``CHECKS``.
        sentence: What is wrong.
        seed: The seed of the game.
        steps: How many steps had been played.
        actions: All actions from the reset to there.
    """

    check: str
    sentence: str
    seed: int = field(compare=False)
    steps: int = field(compare=False)
    actions: tuple[Any, ...] = field(default=(), compare=False, repr=False)  # from the reset to there

    def __str__(self) -> str:
        return f"{self.check}: {self.sentence} (seed {self.seed}, after {self.steps} steps)"


def check_env(
    make_env: Callable[[], Env],
    *,
    seeds: Sequence[int] = (0, 1, 2),
    max_steps: int = 400,
    positions_per_game: int = 12,
    actions_per_position: int = 2000,
    replays: int = 300,
    chance: bool = True,
    hidden: bool = True,
    zero_sum: bool = False,
    sample_hidden: Callable[[Env, Agent, int], Env] | None = None,
    draw_for: Callable[[Env, Agent], Any] | None = None,
) -> list[Finding]:
    """Play random games and return every fault found, at most three of each check; an empty list if there is none.

    Args:
        make_env: Makes a new environment at every call.
        seeds: One game is played for each.
        max_steps: Of a game.
        positions_per_game: How many positions of a game are examined closely.
        actions_per_position: How many actions are tried there on copies, half of them legal and half illegal.
        replays: How many times a game is played again from its reset to try actions, where copies are not faithful.
        chance: Whether seeds matter in this game.
        hidden: Whether anything is hidden from anybody.
        zero_sum: Whether all rewards of a game sum to zero.
        sample_hidden: ``(env, agent, seed)`` returns a copy in which everything that the agent cannot know has been
            dealt anew.  Without it the environment's own method of this name is used; without either, leaks of hidden
            information are not checked.
        draw_for: ``(env, agent)`` returns a drawing of the agent's view, which must not leak either.
    """
    kit = Kit(
        make_env=make_env,
        seeds=tuple(seeds),
        max_steps=max_steps,
        positions_per_game=positions_per_game,
        actions_per_position=actions_per_position,
        replays=replays,
        chance=chance,
        hidden=hidden,
        zero_sum=zero_sum,
        sample_hidden=sample_hidden,
        draw_for=draw_for,
    )
    return [finding for found in run_checks(kit).values() for finding in found or ()]


def run_checks(kit: Kit, progress: Callable[[str], None] = lambda check: None) -> dict[str, list[Finding] | None]:
    """What each check finds, by its name; None of one that was left out, as what it builds on has a fault.

    ``progress`` is called with the name of every check before it runs.
    """
    kit.make_env = in_turns(kit.make_env)
    with _undisturbed():
        if kit.sample_hidden is None and callable(getattr(ask(kit.make_env), "sample_hidden", None)):
            kit.sample_hidden = lambda env, agent, seed: env.sample_hidden(agent, seed)
        return _run_all(kit, progress)


def assert_conforms(make_env: Callable[[], Env], **arguments: Any) -> None:
    """Raise ``AssertionError`` with all findings of ``check_env``, one sentence a line.

    Args:
        make_env: Makes a new environment at every call.
        **arguments: Those of ``check_env``.
    """
    findings = check_env(make_env, **arguments)
    if findings:
        raise AssertionError("\n".join(map(str, findings)))


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Global generators come back as they were; warnings are not shown: illegal actions are tried here on purpose."""
    generators, logging_off = global_generators(), logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(logging_off)
        restore_global_generators(generators)


def _run_all(kit: Kit, progress: Callable[[str], None]) -> dict[str, list[Finding] | None]:
    found: dict[str, list[Finding] | None] = dict.fromkeys(CHECKS)
    for name, check in {**FOUNDATION, **COMPARING, **LOOKING}.items():
        faults = {each for each in FOUNDATION if found[each]}
        if faults and (name not in LOOKING or "start" in faults):
            continue
        progress(name)
        found[name] = _run(kit, name, check)
    return found


def _run(kit: Kit, name: str, check: Check) -> list[Finding]:
    """A check's first findings, one of each; an exception that comes out of it is a finding too."""
    found: dict[str, Finding] = {}
    try:
        for sentence in check(kit):
            found.setdefault(sentence, _finding(kit, name, sentence))
            if len(found) == MOST_FINDINGS:
                break
    except Exception as error:
        sentence = f"the check cannot be finished: {type(error).__name__}: {short(str(error), 200)}"
        found.setdefault(sentence, _finding(kit, name, sentence))
    return list(found.values())


def _finding(kit: Kit, name: str, sentence: str) -> Finding:
    """Where the kit stands; what it played to get there."""
    actions = kit.recorded[kit.seed].actions[: kit.steps] if kit.seed in kit.recorded else []
    return Finding(name, sentence, kit.seed, kit.steps, tuple(actions))
