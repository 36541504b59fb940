"""Copies and saved games: the same game once more, and each goes its own way."""

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

from lanterns_env.testing.play import (
    OTHER_SEED,
    Env,
    Game,
    Kit,
    difference_of_snapshots,
    snapshot,
    step,
)

PLAYED_ON = 30  # steps that a copy is played on
FEW = 3  # steps that an environment has played before it takes over a saved game


def by_deepcopy(kit: Kit) -> Iterator[str]:
    """copy.deepcopy() gives the same game once more, and each goes its own way."""
    yield from _copy_faults(kit, copy.deepcopy)


def by_pickle(kit: Kit) -> Iterator[str]:
    """Pickling and unpickling gives the same game once more, and each goes its own way."""
    yield from _copy_faults(kit, _pickled)


def by_clone(kit: Kit) -> Iterator[str]:
    """clone(), if there is one, gives the same game once more, and each goes its own way."""
    if _offers(kit, "clone"):
        yield from _copy_faults(kit, _cloned)


def by_saved_state(kit: Kit) -> Iterator[str]:
    """get_state() of one environment and set_state() into another, if there are any, give the same game."""
    if _offers(kit, "get_state") and _offers(kit, "set_state"):

        def saved_and_loaded(env: Env) -> Env:
            other = kit.make_env()
            other.reset(seed=kit.seed + OTHER_SEED)
            for action in kit.game(kit.seed + OTHER_SEED).actions[:FEW]:
                step(other, action)
            other.set_state(env.get_state())
            return other

        for seed in kit.seeds:  # recorded beforehand: recording moves the place that findings name
            kit.game(seed + OTHER_SEED)
        yield from _copy_faults(kit, saved_and_loaded)


def _pickled(env: Env) -> Env:
    return pickle.loads(pickle.dumps(env))


def _cloned(env: Env) -> Env:
    return env.clone()


def _offers(kit: Kit, name: str) -> bool:
    return callable(getattr(kit.begin(kit.seeds[0]), name, None))


def _copy_faults(kit: Kit, way: Callable[[Env], Env]) -> Iterator[str]:
    """One fault a game; a way of copying without any may serve the checks that come later."""
    faultless = True
    for game in kit.games():
        words = _first_fault(kit, game, way)
        if words:
            faultless = False
            yield words
    if faultless and kit.copier is None:
        kit.copier = way


def _first_fault(kit: Kit, game: Game, way: Callable[[Env], Env]) -> str | None:
    looked_at = kit.looked_at(game)
    older: tuple[int, Any] | None = None
    for number, env in kit.walk(game):
        if number not in looked_at:
            continue
        words = _fault_at(kit, game, number, env, way, older)
        if words:
            return words
        older = number, way(env)
        kit.steps = number
    return None


def _fault_at(
    kit: Kit, game: Game, number: int, env: Env, way: Callable[[Env], Env], older: tuple[int, Any] | None
) -> str | None:
    now = game.snapshots[number]
    words = difference_of_snapshots(now, snapshot(env))
    if words:
        return f"after a copy was made, the original goes another way: {words}"
    if older:
        words = difference_of_snapshots(game.snapshots[older[0]], snapshot(older[1]))
        if words:
            return f"a copy changes when the original plays on: {words}"
    try:
        twin = way(env)
    except Exception as error:
        return f"copying raises {type(error).__name__}: {error}"
    words = difference_of_snapshots(now, snapshot(twin))
    if words:
        return f"the copy is not the same game: {words}"
    words = kit.departure(twin, game, number, PLAYED_ON)
    if words:
        return f"the copy goes another way than the original: {words}"
    kit.steps = number
    words = difference_of_snapshots(now, snapshot(env))
    return f"the original changes when its copy plays on: {words}" if words else None
