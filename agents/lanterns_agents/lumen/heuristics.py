"""Heuristics for search in Lumen: rounds are played out by the rule of thumb of expert play.

The players of a world are the seats of the game; the places of their cards count those still in hand, in order.
"""

import numpy as np

from lanterns_agents.lumen.quick_rollout import rollout
from lanterns_agents.lumen.rollout import (
    LED,
    ROUND,
    deal_world,
    find_strengths,
    lay,
    new_trick,
    play_round,
    take_style,
)
from lanterns_agents.lumen.weights import BID_SHIFT, BID_WHIM, EXTRA_AIM, LAST_SPREAD
from lanterns_agents.lumen.worlds import WORLD, take_up, weigh_hand, whim
from lanterns_agents.weights import weights_by_players
from lanterns_agents.win_shares import softmax_win_shares
from lanterns_env.engine.compile import jit
from lanterns_env.engine.rng import generator
from lanterns_env.games.lumen.components import HAND, MAX_VALUE, ROUNDS
from lanterns_env.games.lumen.rules import (
    BID,
    BIDS,
    EXTRA_BIDS,
    NO_BID,
    NO_SLOT,
    PLAYS,
    colour_of,
    highest_value,
    round_points,
    value_of,
)

__all__ = ["c_puct", "evaluate", "prior", "rollout"]

WEIGHTS = weights_by_players("lumen")
# Of the final lead about the present one, in points, by the round that begins: fits to played games.
SPREAD = np.array([22.0, 22.0, 22.0, 17.0])
c_puct = 0.7
STREAM = 5
BID_DOUBT = 0.8  # of the tricks that a hand will win


@jit
def evaluate(state, values):
    """Shares of the win by the totals, in the middle of a round by those after it is played out."""
    n, number = int(state.num_players), int(state.round_number)
    for seat in range(n):
        values[seat] = state.total[seat]
    if state.phase == BID and state.bid[state.starter] == NO_BID:
        softmax_win_shares(values, n, SPREAD[number - 1])
        return True
    play_on(state, values, np.zeros(1, WORLD), np.zeros(1, ROUND))
    softmax_win_shares(values, n, SPREAD[number] if number < ROUNDS else WEIGHTS[n, LAST_SPREAD])
    return True


@jit
def play_on(state, totals, worlds, rounds):
    """Add the points of the round once it is played out.  (Arrays, for a record alone would outlive its memory.)"""
    n, world, play = int(state.num_players), worlds[0], rounds[0]
    set_up(state, world, play, n)
    finish_round(state, world, play, n)
    for seat in range(n):
        totals[seat] += round_points(
            int(state.round_number), int(play.bid[seat]), int(play.extra[seat]), int(play.tricks[seat])
        )


# -- the position ---------------------------------------------------------------------------------------------


@jit
def set_up(state, world, play, n):
    """The round as it stands, with what every player knows of its cards, and their strengths."""
    take_in_state(state, world, n)
    chances = np.empty((HAND, MAX_VALUE))
    for player in range(n):
        weigh_hand(world, player, chances)
    take_style(play, WEIGHTS[n])
    deal_world(world, play, n)
    new_trick(play)
    lay_trick(state, play, n)
    for player in range(n):
        play.tricks[player] = int(state.tricks[player])
    find_strengths(world, play, n)


@jit
def take_in_state(state, world, n):
    """The true cards; unseen are here those set aside alone."""
    fans = state.fans[state.round_number - 1]
    world.unseen[:] = 0
    world.unseen[: int(state.colours)] = (1 << highest_value(state)) - 1
    for player in range(n):
        for slot in range(int(state.hand)):
            card = int(fans[player, slot])
            colour, value = colour_of(card), value_of(card)
            world.unseen[colour] &= ~(1 << (value - 1))
            if state.trick_of[player, slot] == 0:
                take_up(world, player, int(world.number[player]), colour, value)
            else:
                world.played[player, colour] |= 1 << (value - 1)


@jit
def lay_trick(state, play, n):
    """The cards that lie in the trick, from the leader on."""
    player = int(state.leader)
    while state.table[player] != NO_SLOT:
        card = int(state.fans[state.round_number - 1, player, state.table[player]])
        if player == state.leader:
            play.trick[LED] = colour_of(card)
        lay(play.trick, player, colour_of(card), value_of(card))
        player = (player + 1) % n


# -- playing out ----------------------------------------------------------------------------------------------


@jit
def finish_round(state, world, play, n):
    """Bids still to come by the strengths of the hands, then everybody plays on, with other whims in every world."""
    rng = generator(state.seed, STREAM)
    waiting = 0
    for player in range(n):
        for k in range(world.number[player]):
            world.whim[player, k] = whim(rng)
        waiting += state.table[player] == NO_SLOT
        set_bid(state, world, play, player, WEIGHTS[n])
    play_round(world, play, n, int(state.leader if state.phase == BID else state.player), waiting)


@jit
def set_bid(state, world, play, player, weights):
    """The bid that was made, or one to be expected, without the extra stone."""
    if state.bid[player] == NO_BID:
        wanted = play.expected[player] + weights[BID_SHIFT] + weights[BID_WHIM] * world.whim[player, 0] + 0.5
        play.bid[player], play.extra[player] = max(0, min(int(state.hand), int(wanted))), 0
    else:
        play.bid[player], play.extra[player] = int(state.bid[player]), int(state.extra[player])
    play.needed[player] = play.bid[player] + weights[EXTRA_AIM] * play.extra[player] - play.tricks[player]


# -- the prior ------------------------------------------------------------------------------------------------


@jit
def prior(state, mask, weights):
    """Bids near the tricks to be expected; all cards alike."""
    weights[:] = 1.0
    if state.phase != BID:
        return
    expected = expected_tricks(state, np.zeros(1, WORLD), np.zeros(1, ROUND))
    for number in range(PLAYS):
        if mask[number]:
            off = number % BIDS - expected + (0.5 if number >= EXTRA_BIDS else 0.0)
            weights[number] = np.exp(-0.5 * (off / BID_DOUBT) ** 2) + 0.005


@jit
def expected_tricks(state, worlds, rounds):
    n = int(state.num_players)
    set_up(state, worlds[0], rounds[0], n)
    return rounds[0].expected[state.player] + WEIGHTS[n, BID_SHIFT]
