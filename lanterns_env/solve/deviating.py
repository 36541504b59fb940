"""Deviating by the present view alone, compiled: choices that are the same wherever a player sees the same."""

from typing import Any, NamedTuple

import numpy as np

from lanterns_env.engine.compile import jit


class Part(NamedTuple):
    """One player's part of a tree."""

    seat: int
    num_players: int
    sets: Any  # int64: its information sets, sorted by how many decisions it has behind it
    levels: Any  # int64[levels + 1]: where in ``sets`` those of each level begin
    classes: Any  # int64[sets]: what it sees there, as a number, in the order of ``sets``
    firsts: Any  # int64, of all sets of the tree: where their entries begin
    parents: Any  # int64, of all sets of the tree: the player's own last sequence before
    gains: Any  # float64[n + entries]: what sequences lead to at once, while the others play as they do


@jit
def value_of(part, choices):
    """What the player gets when it chooses like that: int64[classes], places among the legal actions."""
    gains = part.gains.copy()
    for at in range(len(part.sets) - 1, -1, -1):
        number = part.sets[at]
        taken = part.num_players + part.firsts[number] + choices[part.classes[at]]
        gains[part.parents[number]] += gains[taken]
    return gains[part.seat]


@jit
def sweep(part, choices, plans, wanted):
    """Choose anew for all that the player may see, from its last decisions to its first.

    What it chooses for a view is best while all else stays, weighed by how often it gets there; a view to which it
    never gets is weighed as if it tried to.  ``wanted``, float64[2, classes, most actions], is to write on.
    """
    carry_down(part, choices, plans)
    gains = part.gains.copy()
    for level in range(len(part.levels) - 2, -1, -1):
        first, last = part.levels[level], part.levels[level + 1]
        for at in range(first, last):
            wanted[:, part.classes[at]] = 0
        for at in range(first, last):
            number = part.sets[at]
            entry = part.num_players + part.firsts[number]
            for place in range(part.firsts[number + 1] - part.firsts[number]):
                wanted[0, part.classes[at], place] += plans[part.parents[number]] * gains[entry + place]
                wanted[1, part.classes[at], place] += gains[entry + place]
        for at in range(first, last):
            number, seen = part.sets[at], part.classes[at]
            count = part.firsts[number + 1] - part.firsts[number]
            choices[seen] = best_place(wanted[:, seen, :count], choices[seen])
            gains[part.parents[number]] += gains[part.num_players + part.firsts[number] + choices[seen]]


@jit
def carry_down(part, choices, plans):
    """Which sequences the player plays: 1 or 0."""
    plans[part.seat] = 1
    for at in range(len(part.sets)):
        number = part.sets[at]
        entry = part.num_players + part.firsts[number]
        for place in range(part.firsts[number + 1] - part.firsts[number]):
            plans[entry + place] = 0
        plans[entry + choices[part.classes[at]]] = plans[part.parents[number]]


@jit
def best_place(wanted, before):
    """The best choice: the one before where nothing is better, by what it would be worth where nobody gets."""
    row = wanted[0] if np.abs(wanted[0]).max() > 0 else wanted[1]
    best = before
    for place in range(len(row)):
        if row[place] > row[best]:
            best = place
    return best
