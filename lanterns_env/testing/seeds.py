"""Seeds: the same gives the same game everywhere and every time, another gives another."""

from collections.abc import Iterator

import numpy as np

from lanterns_env.testing.compare import difference
from lanterns_env.testing.play import (
    OTHER_SEED,
    Kit,
    Refused,
    global_generators,
    pin_global_generators,
    record,
    step,
)

TRIES = 8  # so that a game that is dealt anew every time does not come out the same by chance


def same_seed(kit: Kit) -> Iterator[str]:
    """Two environments reset with the same seed play the same game."""
    for game in kit.games():
        words = kit.departure(kit.begin(game.seed), game)
        if words:
            yield f"two environments reset with the same seed do not play the same game: {words}"


def reset_again(kit: Kit) -> Iterator[str]:
    """The same seed gives the same game in a used environment: after half of another, and after a plain reset()."""
    for game in kit.games():
        env = kit.begin(game.seed)
        kit.restart(env, game.seed + OTHER_SEED)
        other = kit.game(game.seed + OTHER_SEED)
        try:
            for action in other.actions[: len(other.actions) // 2]:
                step(env, action)
        except Refused:
            pass  # this reset was another game already; the next tells
        env.reset()
        kit.restart(env, game.seed)
        words = kit.departure(env, game)
        if words:
            yield f"a later reset with the same seed gives another game: {words}"


def different_seeds(kit: Kit) -> Iterator[str]:
    """Different seeds give different games."""
    if not kit.chance:
        return
    first = None
    seeds = [*kit.seeds, *(seed + OTHER_SEED for seed in kit.seeds)]
    for seed in seeds:
        game = record(kit, kit.begin(seed), seed, np.random.default_rng(0))
        first = first or game
        if difference(first.snapshots, game.snapshots, "game"):
            return
    yield f"the seeds {', '.join(map(str, seeds))} all give the same game (without chance in it, pass chance=False)"


def global_random(kit: Kit) -> Iterator[str]:
    """No generator that a whole process shares (`random`, `np.random`, torch) is read or moved."""
    for game in kit.games():
        env = kit.begin(game.seed)
        touched = _touched_while_playing(kit, game.seed)
        if touched:
            yield f"the environment draws from, or seeds, the global generator of {' and '.join(touched)}"
            continue
        pin_global_generators(game.seed + OTHER_SEED)
        env = kit.make_env()
        env.reset(seed=game.seed)
        here = kit.departure(env, game)
        if here and not any(kit.departure(kit.begin(game.seed), game) for _ in range(TRIES)):
            yield f"the game depends on the state of global generators: {here}"


def _touched_while_playing(kit: Kit, seed: int) -> list[str]:
    pin_global_generators(seed + OTHER_SEED)  # not what an environment that seeds them would make of them
    before = global_generators()
    env = kit.make_env()
    env.reset(seed=seed)
    record(kit, env, seed, np.random.default_rng(seed))
    after = global_generators()
    return [name for name in before if name in after and _moved(before[name], after[name])]


def _moved(before: object, after: object) -> bool:
    if hasattr(before, "numpy") and hasattr(after, "numpy"):
        before, after = before.numpy(), after.numpy()
    return difference(before, after, "") is not None
