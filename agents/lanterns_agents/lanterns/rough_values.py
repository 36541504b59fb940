"""What lanterns in hand will bring, roughly: quick enough for every position of a search.

The figures are least-squares fits to the final honor of played games, rounded.
"""

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.games.lanterns.components import FOUR_OF_A_KIND, NUM_COLOURS, NUM_KINDS, SEVEN_DIFFERENT
from lanterns_env.games.lanterns.rules import DEDICATE, DISCARDS, placements_each, token_value

# What lanterns will bring, in honor, by number of players 2, 3, 4 (index num_players - 2).
LANTERN = np.array([0.0, 0.4, 0.7])  # any
SETS = np.array([[0.85, 0.75, 0.55], [0.55, 0.5, 0.35], [0.3, 0.28, 0.2]])  # the most advanced set, the next, ...


@jit
def dedications_left(state, seat):
    """How often a player may still dedicate."""
    n = int(state.num_players)
    total = n * (placements_each(state) + 1)
    turn = int(state.turn)
    left = (total - turn - (seat - turn) % n + n - 1) // n
    return left - (seat == state.player and state.phase > DEDICATE)


@jit
def worth(state, held):
    """What lanterns will bring: progress to the three kinds of sets, ranked."""
    first, second, third, number = 0.0, 0.0, 0.0, 0
    for kind in range(NUM_KINDS):
        value = token_value(state, kind) * progress(held, kind) ** 2
        if value > first:
            first, second, third = value, first, second
        elif value > second:
            second, third = value, second
        else:
            third = value
    for colour in range(NUM_COLOURS):
        number += held[colour]
    table = int(state.num_players) - 2
    return LANTERN[table] * number + SETS[table, 0] * first + SETS[table, 1] * second + SETS[table, 2] * third


@jit
def progress(held, kind):
    """How much of a set there is: 0 .. 1."""
    most, colours, pairs = 0, 0, 0
    for colour in range(NUM_COLOURS):
        most = max(most, held[colour])
        colours += held[colour] > 0
        pairs += held[colour] > 1
    if kind == FOUR_OF_A_KIND:
        return min(most, 4) / 4
    if kind == SEVEN_DIFFERENT:
        return colours / NUM_COLOURS
    pairs = min(pairs, 3)
    return (2 * pairs + min(colours - pairs, 3 - pairs)) / 6


@jit
def best_set(state, held):
    """The most honor that one dedication brings now."""
    best = 0.0
    for kind in range(NUM_KINDS):
        if progress(held, kind) == 1.0:
            best = max(best, float(token_value(state, kind)))
    return best


@jit
def prior_of_discards(state, mask, weights):
    """By what the lanterns left in hand will bring."""
    held = np.empty(NUM_COLOURS, np.int64)
    for action in range(len(mask)):
        if mask[action]:
            for colour in range(NUM_COLOURS):
                held[colour] = state.lanterns[state.player, colour]
            held[action - DISCARDS] -= 1
            weights[action] = np.exp(worth(state, held))
