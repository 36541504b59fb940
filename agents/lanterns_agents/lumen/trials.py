"""Trying out bids and cards of Lumen: a round in a drawn world, from the view on, and the chance to win after it.

Own hands are drawn from the exact belief, and all players of a drawn world play on by the same rule of thumb
(rollout.py).  The draws are the same for the same view, so what comes out is a function of the view alone.
"""

import numpy as np

from lanterns_agents.lumen.rollout import (
    LED,
    deal_world,
    find_strengths,
    lay,
    new_trick,
    play_round,
    put,
)
from lanterns_agents.lumen.weights import BID_SHIFT, BID_WHIM, EXTRA_AIM, HEED, LAST_SPREAD, SPREAD
from lanterns_agents.lumen.worlds import draw_own, draw_whims, hand_size, weigh_others
from lanterns_env.engine.compile import jit
from lanterns_env.engine.rng import generator
from lanterns_env.games.lumen.components import HAND, MAX_PLAYERS, NUM_COLOURS, POINT_UNIT, ROUNDS
from lanterns_env.games.lumen.rules import BIDS, PLAYS, round_points

SOME_DOUBT = 1e-12  # no game is won for sure: a lead of 250 points in the last round would be
STREAM = 4
START, TRIED, ROUNDS_AT_ONCE = 0, 1, 2  # the round as it stands, as it goes on with an option


@jit
def generator_of(view):
    return generator(np.uint64(int(view.round_number) * (HAND + 1) + int(view.tricks_done)), STREAM)


@jit
def draw_world(view, world, play, n, rng, weights):
    """A world that fits the view, with the round as it stands; how likely the bids made are in it."""
    draw_own(view, world, rng)
    draw_whims(world, n, rng)
    weigh_others(world, n)
    restore(view, world, play, n)
    find_strengths(world, play, n)
    return bid_others(view, world, play, n, weights)


@jit
def restore(view, world, play, n):
    """The round as it stands in the view."""
    deal_world(world, play, n)
    new_trick(play)
    for player in range(n):
        play.tricks[player] = int(view.tricks[player])
    for colour in range(NUM_COLOURS):
        if view.led[colour]:
            play.trick[LED] = colour
    for player in range(n):
        for colour in range(NUM_COLOURS):
            if view.trick_colour[player, colour]:
                lay(play.trick, player, colour, int(view.trick_value[player]))


@jit
def bid_others(view, world, play, n, weights):
    """The bids of all, those to come by the strengths of the hands; how likely these bids are in this world."""
    doubt, most = 0.0, hand_size(view)
    for player in range(1, n):
        expected = play.expected[player] + play.tricks[player]
        if view.has_bid[player]:
            play.bid[player] = int(view.bid[player])
            play.extra[player] = int(view.extra[player])
            off = play.bid[player] + weights[EXTRA_AIM] * play.extra[player] - weights[BID_SHIFT] - expected
            doubt += off * off
        else:
            wanted = expected + weights[BID_SHIFT] + weights[BID_WHIM] * world.whim[player, 0] + 0.5
            play.bid[player] = max(0, min(most, int(wanted)))
            play.extra[player] = 0
        play.needed[player] = play.bid[player] + weights[EXTRA_AIM] * play.extra[player] - play.tricks[player]
    return np.exp(-weights[HEED] * doubt)


@jit
def follow_up(view, world, play, n, option, weights):
    """An own bid or card, then everybody plays to the end of the round."""
    if option < PLAYS:
        play.bid[0], play.extra[0] = option % BIDS, option // BIDS
        play.needed[0] = play.bid[0] + weights[EXTRA_AIM] * play.extra[0]
        play_round(world, play, n, starter_of(view, n), n)
        return
    play.bid[0], play.extra[0] = int(view.bid[0]), int(view.extra[0])
    play.needed[0] = play.bid[0] + weights[EXTRA_AIM] * play.extra[0] - play.tricks[0]
    k, waiting = 0, n
    while world.held[0, k] != option - PLAYS:
        k += 1
    for player in range(n):
        if view.trick_value[player]:
            waiting -= 1
    put(world, play, 0, k)
    play_round(world, play, n, 1 % n, waiting - 1)


@jit
def starter_of(view, n):
    for player in range(n):
        if view.starter[player]:
            return player
    return 0


# -- how the game stands --------------------------------------------------------------------------------------


@jit
def chance_to_win_game(view, play, n, weights):
    """The chance to win the game, by the points after the round."""
    spread = spread_of(view, weights)
    points = np.empty(MAX_PLAYERS)
    for player in range(n):
        gain = round_points(
            int(view.round_number), int(play.bid[player]), int(play.extra[player]), int(play.tricks[player])
        )
        points[player] = POINT_UNIT * int(view.total[player]) + gain
    total = 0.0
    for player in range(n):
        total += np.exp((points[player] - points[0]) / spread)
    return 1.0 / total


@jit
def worth_of_point(view, chance, weights):
    """What a point more adds to a chance to win."""
    return chance * max(SOME_DOUBT, 1.0 - chance) / spread_of(view, weights)


@jit
def spread_of(view, weights):
    """Points by which the game is still open."""
    return weights[LAST_SPREAD] + weights[SPREAD] * (ROUNDS - int(view.round_number))
