"""Passes over a tree in sequence form, compiled.

A *sequence* is a player's own last action in one of its information sets, with all its own actions before; it has the
number of players plus that of the entry.  The sequences 0 .. n-1 are those of players that have not decided yet.  With
perfect recall the end of a line of play counts by the players' last sequences alone: nothing between has to be visited.
"""

from typing import Any, NamedTuple

import numpy as np

from lanterns_env.engine.compile import jit


class Form(NamedTuple):
    """A tree as the passes need it.  Sets are sorted by seat, and come after those that lead to them."""

    bounds: Any  # int64[n + 1]: the sets of seat p are bounds[p] .. bounds[p + 1] - 1
    firsts: Any  # int64[sets + 1]: the entries of set i, one for each action, are firsts[i] .. firsts[i + 1] - 1
    parents: Any  # int64[sets]: the player's own last sequence before
    sequences: Any  # int32[ends, n]: of the end of every line of play, each player's last sequence
    outcomes: Any  # int32[ends]
    weights: Any  # float64[ends]: the chance of the deal
    utilities: Any  # float64[outcomes, n]


@jit
def reach(form, seat, probabilities, plans):
    """The chance, as far as it is up to a player, that it plays each of its sequences."""
    n = len(form.bounds) - 1
    plans[seat] = 1
    for number in range(form.bounds[seat], form.bounds[seat + 1]):
        above = plans[form.parents[number]]
        for entry in range(form.firsts[number], form.firsts[number + 1]):
            plans[n + entry] = above * probabilities[entry]


@jit
def gather(form, seat, plans, gains):
    """What a player's sequences lead to at once, weighed by chance and by what the others do."""
    n = len(form.bounds) - 1
    gains[seat] = 0
    for number in range(form.bounds[seat], form.bounds[seat + 1]):
        for entry in range(form.firsts[number], form.firsts[number + 1]):
            gains[n + entry] = 0
    if n == 2:
        gather_two(form, seat, plans, gains)
        return
    for end in range(len(form.outcomes)):
        chance = form.weights[end]
        for other in range(n):
            if other != seat:
                chance *= plans[form.sequences[end, other]]
        gains[form.sequences[end, seat]] += chance * form.utilities[form.outcomes[end], seat]


@jit
def gather_two(form, seat, plans, gains):
    """The same for two players."""
    other = 1 - seat
    for end in range(len(form.outcomes)):
        chance = form.weights[end] * plans[form.sequences[end, other]]
        gains[form.sequences[end, seat]] += chance * form.utilities[form.outcomes[end], seat]


@jit
def expect(form, seat, probabilities, gains):
    """Carry what was gathered up to the root, for a player that plays like this: the value of the game for it."""
    n = len(form.bounds) - 1
    for number in range(form.bounds[seat + 1] - 1, form.bounds[seat] - 1, -1):
        value = 0.0
        for entry in range(form.firsts[number], form.firsts[number + 1]):
            value += probabilities[entry] * gains[n + entry]
        gains[form.parents[number]] += value
    return gains[seat]


@jit
def respond(form, seat, gains, probabilities):
    """The same for a player that answers in the best way: the first of the best actions."""
    n = len(form.bounds) - 1
    for number in range(form.bounds[seat + 1] - 1, form.bounds[seat] - 1, -1):
        best = form.firsts[number]
        for entry in range(best, form.firsts[number + 1]):
            probabilities[entry] = 0
            if gains[n + entry] > gains[n + best]:
                best = entry
        probabilities[best] = 1
        gains[form.parents[number]] += gains[n + best]
    return gains[seat]


@jit
def appraise(form, seat, probabilities, plans, results):
    """What a player gets, and what it could get: into ``results[0]`` and ``results[1]``.

    ``plans`` are those of all others; what the player's own are does not matter.
    """
    gains = np.empty(len(plans))
    gather(form, seat, plans, gains)
    before = gains.copy()
    answer = np.empty(len(probabilities))
    results[0] = expect(form, seat, probabilities, gains)
    results[1] = respond(form, seat, before, answer)
