"""A fast rule of thumb by which all players of a world of Lumen play a round to its end.

Every card has a *strength*, the tricks it can be expected to win, as its owner sees it.  Whoever is to play
compares the strengths of its hand with the tricks it still needs, and plays the card that mends the difference.
"""

import numpy as np

from lanterns_agents.lumen.weights import (
    DOUBT_LATER,
    DOUBT_NOW,
    DREAD,
    EAGER,
    HASTE,
    NUM_STYLE,
    PLAIN_FALL,
    PLAIN_TOP,
    RUFF_EAGER,
    RUFF_FALL,
    RUFF_SHY,
    SHY,
    TRUMP_FALL,
    TRUMP_TOP,
    WHIM,
)
from lanterns_agents.lumen.worlds import NO_COLOUR, PLACES, SETS
from lanterns_agents.popcount import count
from lanterns_agents.ties import NOISE
from lanterns_env.engine.compile import jit
from lanterns_env.games.lumen.components import HAND, MAX_PLAYERS, NUM_COLOURS, TRUMP

NEVER = -1e9

FALLS = (2, (MAX_PLAYERS - 1) * HAND + 1)
ROUND = np.dtype(  # what changes while a round is played out
    (
        np.record,
        np.dtype(
            [
                ("held", np.int64, PLACES),  # as in the world
                ("number", np.int64, MAX_PLAYERS),
                ("hands", np.int64, SETS),
                ("strength", np.float64, PLACES),
                ("expected", np.float64, MAX_PLAYERS),  # of the strengths of all cards in hand
                ("needed", np.float64, MAX_PLAYERS),  # tricks aimed at, less those won
                ("tricks", np.int64, MAX_PLAYERS),
                ("bid", np.int64, MAX_PLAYERS),
                ("extra", np.int64, MAX_PLAYERS),
                ("trick", np.int64, 4),
                ("fall", np.float64, FALLS),  # [trump or plain, number]: strength by the number of higher cards
                ("every", np.int64, NUM_COLOURS),  # the values in all hands, as bits
                ("ruffs", np.float64, NUM_COLOURS),  # what those who may trump a card leave of its strength
                ("weights", np.float64, NUM_STYLE),
            ],
            align=True,
        ),
    )
)
LED, COLOUR, VALUE, OWNER = range(4)


@jit
def take_style(play, weights):
    for k in range(NUM_STYLE):
        play.weights[k] = weights[k]
    play.fall[0, 0], play.fall[1, 0] = weights[TRUMP_TOP], weights[PLAIN_TOP]
    for number in range(1, play.fall.shape[1]):
        play.fall[0, number] = play.fall[0, number - 1] * weights[TRUMP_FALL]
        play.fall[1, number] = play.fall[1, number - 1] * weights[PLAIN_FALL]


@jit
def deal_world(world, play, n):
    """The cards as they lie in the world."""
    for player in range(n):
        play.number[player] = world.number[player]
        for k in range(world.number[player]):
            play.held[player, k] = world.held[player, k]
        for colour in range(NUM_COLOURS):
            play.hands[player, colour] = world.hands[player, colour]


@jit
def new_trick(play):
    play.trick[LED] = NO_COLOUR
    play.trick[COLOUR] = NO_COLOUR
    play.trick[VALUE] = 0
    play.trick[OWNER] = 0


@jit
def lay(trick, player, colour, value):
    """A card that lies in the trick, if it is the best so far."""
    if colour not in (TRUMP, trick[LED]):
        return
    if colour == trick[COLOUR]:
        if value < trick[VALUE]:
            return
    elif trick[COLOUR] == TRUMP:
        return
    trick[COLOUR] = colour
    trick[VALUE] = value
    trick[OWNER] = player


# -- strengths ------------------------------------------------------------------------------------------------


@jit
def find_strengths(world, play, n):
    """Of all cards in hand, so that together they win the tricks that are left."""
    for colour in range(NUM_COLOURS):
        every, ruffs = 0, 1.0
        for player in range(n):
            every |= play.hands[player, colour]
            if play.hands[player, colour] == 0 and play.hands[player, TRUMP] != 0:
                ruffs *= play.weights[RUFF_FALL]
        play.every[colour] = every
        play.ruffs[colour] = ruffs
    for player in range(n):
        for k in range(play.number[player]):
            place = play.held[player, k]
            colour = world.colour[player, place]
            others = play.every[colour] & ~play.hands[player, colour]
            higher = count(others >> world.likely[player, place])
            play.strength[player, place] = play.fall[0 if colour == TRUMP else 1, higher] * play.ruffs[colour]
    balance(play, n)


@jit
def balance(play, n):
    """Turn strengths into tricks: what is sure stays so, what may go either way is bent until the sum is right."""
    total, open_ones, left = 0.0, 1e-6, 0
    for player in range(n):
        left = max(left, play.number[player])
        for k in range(play.number[player]):
            strength = play.strength[player, play.held[player, k]]
            total += strength
            open_ones += strength * (1.0 - strength)
    bend = max(-1.0, min(1.0, (left - total) / open_ones))
    for player in range(n):
        play.expected[player] = 0.0
        for k in range(play.number[player]):
            strength = play.strength[player, play.held[player, k]]
            strength += bend * strength * (1.0 - strength)
            play.strength[player, play.held[player, k]] = strength
            play.expected[player] += strength


# -- tricks ---------------------------------------------------------------------------------------------------


@jit
def play_round(world, play, n, player, waiting):
    """From this player on, with so many still to play into the trick, to the end of the round."""
    while True:
        while waiting > 0:
            put(world, play, player, choose_place(world, play, n, player, waiting - 1))
            player = (player + 1) % n
            waiting -= 1
        player = int(play.trick[OWNER])
        play.tricks[player] += 1
        play.needed[player] -= 1.0
        new_trick(play)
        if play.number[player] == 0:
            return
        find_strengths(world, play, n)
        waiting = n


@jit
def put(world, play, player, k):
    """The k-th card in hand into the trick."""
    place = play.held[player, k]
    last = play.number[player] - 1
    play.held[player, k] = play.held[player, last]
    play.number[player] = last
    colour, value = int(world.colour[player, place]), int(world.value[player, place])
    play.hands[player, colour] &= ~(1 << (value - 1))
    play.expected[player] -= play.strength[player, place]
    trick = play.trick
    if trick[LED] == NO_COLOUR:
        trick[LED] = colour
    elif colour == trick[COLOUR]:
        if value < trick[VALUE]:
            return
    elif colour != TRUMP:
        return
    trick[COLOUR] = colour
    trick[VALUE] = value
    trick[OWNER] = player


@jit
def choose_place(world, play, n, player, after):
    """Which of its cards a player of the world plays, with so many after it."""
    if play.number[player] == 1:
        return 0
    led = int(play.trick[LED])
    follows = led != NO_COLOUR and play.hands[player, led] != 0
    surplus = play.expected[player] - play.needed[player]
    urge = play.weights[HASTE] if play.needed[player] > 0.0 else -play.weights[DREAD]
    best, chosen = NEVER, 0
    for k in range(play.number[player]):
        place = play.held[player, k]
        if follows and world.colour[player, place] != led:
            continue
        win = chance_to_win(world, play, n, player, place, after)
        strength = play.strength[player, place]
        off = surplus + win - strength
        doubts = play.weights[DOUBT_LATER] * strength * (1.0 - strength) - play.weights[DOUBT_NOW] * win * (1.0 - win)
        worth = doubts - off * off + urge * win + play.weights[WHIM] * world.whim[player, place]
        if worth > best + NOISE:
            best, chosen = worth, k
    return chosen


@jit
def chance_to_win(world, play, n, player, place, after):
    """That a card wins the trick, as far as its owner knows."""
    colour, value = int(world.colour[player, place]), int(world.likely[player, place])
    led, best, to_beat = int(play.trick[LED]), int(play.trick[COLOUR]), int(play.trick[VALUE])
    win = 1.0
    if led == NO_COLOUR:
        led = colour
    elif colour == best:
        win = world.above[player, place, to_beat]
        value = max(value, to_beat + 1)
    elif colour != TRUMP:
        return 0.0
    other = player
    for _ in range(after):
        other = (other + 1) % n
        if win <= 0.0:
            return 0.0
        win *= 1.0 - chance_to_beat(play, other, led, colour, value)
    return win


@jit
def chance_to_beat(play, other, led, colour, value):
    """That one who plays later beats a card."""
    hand = play.hands[other, led]
    eager = play.needed[other] > 0.0
    if hand != 0:
        if colour != led:
            return 0.0
        higher = count(hand >> value) / count(hand)
        bend = play.weights[EAGER] if eager else play.weights[SHY]
        return higher + bend * higher * (1.0 - higher)
    trumps = play.hands[other, TRUMP]
    if colour == TRUMP:
        trumps >>= value
    if trumps == 0:
        return 0.0
    if eager:
        return play.weights[RUFF_EAGER]
    return play.weights[RUFF_SHY] * count(trumps) / play.number[other]
