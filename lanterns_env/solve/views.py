"""The best that a player can do who goes by its present view alone, as learners do."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lanterns_env.engine.streams import stream
from lanterns_env.solve import deviating
from lanterns_env.solve.policy import Policy, joint
from lanterns_env.solve.tree import VIEW, Ints, Tree
from lanterns_env.solve.values import answered, check_seat, gathered

STARTS = 10
STREAM = "deviate"  # the label of the random starts
LEAST_GAIN = 1e-12  # a sweep that brings less is the last

Floats = NDArray[np.float64]


class ViewResponse(NamedTuple):
    """What a player can get that goes by its present view alone.

    ``value`` is what ``policy`` gets, exactly.  If ``exact``, no policy of views gets more.  Else the best of them lies
    between this and ``recall_value``, what the best response with perfect recall gets.
    """

    value: float
    policy: Policy
    exact: bool
    recall_value: float


def view_response(tree: Tree, policy: Policy, seat: int, starts: int = STARTS, seed: int = 0) -> ViewResponse:
    """The best that one seat can do by its present view alone while the others play as the policy says.

    Where a view says all that matters of what was before, the answer is exact.  Else it is the best that is found by
    improving choice after choice from several starts: at least so much can be got.

    Args:
        tree: The tree of the game.
        policy: How the others play.
        seat: Who deviates.
        starts: How many random starts there are, beside two that are not.
        seed: Of the random starts.
    """
    check_seat(tree, seat)
    given = joint(tree, policy)
    gains = gathered(given, seat)
    recall_value = answered(tree, tree, given, seat, gains).value
    keys = tree.view_keys.copy()
    mine = tree.information_sets(seat)
    others = np.r_[0 : mine.start, mine.stop : tree.num_sets]
    keys[others, 0], keys[others, 1] = others, 0  # the sets of others stay what they are
    classes, first = tree.classes(keys)
    if tree.remembers(classes, first):
        found = answered(tree, tree.merged(classes, first, VIEW), given, seat, gains)
        return ViewResponse(*found, True, recall_value)
    part = _part(tree, seat, classes, gains)
    value, choices = max((_improved(part, start) for start in _starts(part, starts, seed)), key=lambda each: each[0])
    answer = np.zeros(tree.num_entries)
    answer[part.firsts[part.sets] + choices[part.classes]] = 1
    return ViewResponse(value, Policy(tree, given.mixed(seat, answer)), False, recall_value)


def _part(tree: Tree, seat: int, classes: Ints, gains: Floats) -> deviating.Part:
    """What concerns one player."""
    mine, n = tree.information_sets(seat), tree.num_players
    before = np.searchsorted(tree.form.firsts, tree.form.parents[mine.start : mine.stop] - n, "right") - 1 - mine.start
    roots = tree.form.parents[mine.start : mine.stop] < n
    levels, last = np.zeros(len(mine), np.int64), None
    while last is None or (levels != last).any():
        last, levels = levels, np.where(roots, 0, levels[np.where(roots, 0, before)] + 1)
    order = np.argsort(levels, kind="stable")
    return deviating.Part(
        seat=seat,
        num_players=n,
        sets=mine.start + order,
        levels=np.searchsorted(levels[order], np.arange(levels.max(initial=-1) + 2)),
        classes=np.unique(classes[mine.start : mine.stop], return_inverse=True)[1][order],
        firsts=tree.form.firsts,
        parents=tree.form.parents,
        gains=gains,
    )


def _starts(part: deviating.Part, random: int, seed: int) -> Iterator[Ints]:
    """Choices to begin with: the first actions, and random ones."""
    counts = np.zeros(part.classes.max(initial=-1) + 1, np.int64)
    counts[part.classes] = np.diff(part.firsts)[part.sets]
    yield np.zeros(len(counts), np.int64)
    for number in range(random):
        yield stream(STREAM, seed, number).integers(counts)


def _improved(part: deviating.Part, choices: Ints) -> tuple[float, Ints]:
    """The choices after as many sweeps as make them better, and what they get."""
    most = int(np.diff(part.firsts).max(initial=1))
    plans, wanted = np.zeros(len(part.gains)), np.zeros((2, len(choices), most))
    best, value = choices, deviating.value_of(part, choices)
    while True:
        following = best.copy()
        deviating.sweep(part, following, plans, wanted)
        reached = deviating.value_of(part, following)
        if reached <= value + LEAST_GAIN:
            return value, best
        best, value = following, reached
