"""Features of Lumen near the end of a round: how it comes out with every card that may be played now.

A few own hands are drawn, the same ones for the same view, and everybody plays on by the rule of thumb of the agent
expert (rollout.py).  For earlier tricks, and where there is but one card to play, there are none.
"""

import numpy as np

from lanterns_agents.lumen.rollout import take_style
from lanterns_agents.lumen.trials import (
    START,
    TRIED,
    chance_to_win_game,
    draw_world,
    follow_up,
    generator_of,
    worth_of_point,
)
from lanterns_agents.lumen.worlds import take_in
from lanterns_agents.weights import weights_by_players
from lanterns_env.engine.compile import jit
from lanterns_env.games.lumen.components import HAND, NUM_COLOURS
from lanterns_env.games.lumen.rules import BID, PLAYS, round_points

WEIGHTS = weights_by_players("lumen")
NEAR_END = 5  # cards in the own hand, at most
EFFORT = 600  # cards played out for one view, about
FEWEST, MOST = 2, 16  # worlds

# Of a card: it has been tried; how often the own bid comes true, those of the others (on average); tricks beyond the
# bid, points of the round; how much less likely the game is won than with the best card, in points.
KNOWN, TRUE, TRUE_OF_OTHERS, BEYOND, POINTS, WORSE = range(6)
OUTCOMES = 6
SOME_TRICKS, SOME_POINTS = 2.0, 20.0  # units
WORST = -3.0  # units of points: worse is not distinguished


@jit
def find_outcomes(view, world, rounds, slots):
    """Of every slot that may be played, [slot, outcome]; zeros where nothing is known."""
    slots[:] = 0.0
    options = cards_to_try(view)
    if len(options) < 2:
        return
    n = int(view.num_players)
    weights, rng = WEIGHTS[n], generator_of(view)
    take_in(view, world)
    take_style(rounds[START], weights)
    total, worths = 0.0, np.zeros(HAND)
    for _ in range(number_of_worlds(world, len(options), n)):
        likelihood = draw_world(view, world, rounds[START], n, rng, weights)
        total += likelihood
        for slot in options:
            rounds[TRIED] = rounds[START]
            follow_up(view, world, rounds[TRIED], n, PLAYS + int(slot), weights)
            note_outcome(view, rounds[TRIED], n, likelihood, slots[slot])
            worths[slot] += likelihood * chance_to_win_game(view, rounds[TRIED], n, weights)
    scale_outcomes(view, options, worths / total, total, weights, slots)


@jit
def cards_to_try(view):
    """The slots that the viewer may play now, if it is to play a card and has few."""
    slots = np.empty(HAND, np.int64)
    if view.phase == BID or view.to_move != 0 or view.over == 1 or view.held.sum() > NEAR_END:
        return slots[:0]
    number, follows = 0, False
    for slot in range(HAND):
        follows = follows or (view.held[slot] == 1 and is_led(view, slot))
    for slot in range(HAND):
        if view.held[slot] == 1 and (is_led(view, slot) or not follows):  # LU-32
            slots[number] = slot
            number += 1
    return slots[:number]


@jit
def is_led(view, slot):
    for colour in range(NUM_COLOURS):  # noqa: SIM110
        if view.led[colour] == 1 and view.slot_colour[slot, colour] == 1:
            return True
    return False


@jit
def number_of_worlds(world, options, n):
    return max(FEWEST, min(MOST, EFFORT // (options * int(world.number[0]) * n)))


@jit
def note_outcome(view, play, n, likelihood, columns):
    """Add up how one world comes out."""
    for player in range(n):
        bid, extra, tricks = int(play.bid[player]), int(play.extra[player]), int(play.tricks[player])
        points = round_points(int(view.round_number), bid, extra, tricks)
        if player == 0:
            columns[TRUE] += likelihood if points > 0 else 0.0
            columns[BEYOND] += likelihood * (tricks - bid)
            columns[POINTS] += likelihood * points
        elif points > 0:
            columns[TRUE_OF_OTHERS] += likelihood / (n - 1)


@jit
def scale_outcomes(view, options, worths, total, weights, slots):
    """Means over all worlds, in units."""
    best = worths.max()
    point = worth_of_point(view, best, weights)
    for slot in options:
        columns = slots[slot]
        columns[KNOWN] = 1.0
        columns[TRUE] /= total
        columns[TRUE_OF_OTHERS] /= total
        columns[BEYOND] /= total * SOME_TRICKS
        columns[POINTS] /= total * SOME_POINTS
        columns[WORSE] = max(WORST, (worths[slot] - best) / (point * SOME_POINTS))
