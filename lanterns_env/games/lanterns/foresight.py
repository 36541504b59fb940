"""What search asks of Lanterns: what an action is in every world, how a position stands, what looks promising.

The figures are least-squares fits to the final honor of played games, rounded.
"""

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.games.lanterns.components import (
    EXCHANGE_COST,
    HAND,
    LAKE_TILES,
    MAX_PLAYERS,
    NUM_COLOURS,
    NUM_KINDS,
    PLACEMENTS,
    PLATFORM,
    TILES,
    TRIPLES,
)
from lanterns_env.games.lanterns.lake import NUM_SLOTS
from lanterns_env.games.lanterns.rules import (
    DEDICATE,
    DISCARD,
    DISCARDS,
    EXCHANGE,
    FOURS,
    NO_TILE,
    PAIRS,
    PER_SLOT,
    PLACE,
    PLACES,
    SEVEN,
    SKIP,
    final_round,
    token_value,
)
from lanterns_env.search.leads import share_by_leads

# What lanterns will bring, in honor, by number of players 2, 3, 4 (index num_players - 2).
LANTERN = np.array([0.0, 0.4, 0.7])  # any
SETS = np.array([[0.85, 0.75, 0.55], [0.55, 0.5, 0.35], [0.3, 0.28, 0.2]])  # the most advanced set, the next, ...
FAVOR = 0.14
TO_MOVE = 1.0  # a turn before the others
SPREAD, SPREAD_A_TURN = 1.3, 0.22  # of the final lead about the expected one: at the end, and for every turn before
TEMPERATURE = 1.0  # of the first sight, in honor
OTHERS = 0.6  # weight of what others get, at first sight


@jit
def edge(state, action):
    """A placement by its tile instead of its place in a hand that others cannot see."""
    if action < PLACES or action == SKIP:
        return action
    index = action - PLACES
    tile = int(state.hand[state.player, index % PER_SLOT // 4])
    return PLACES + 4 * ((LAKE_TILES + 1) * (index // PER_SLOT) + tile) + index % 4


# -- how a position stands --------------------------------------------------------------------------------------


@jit
def evaluate(state, values):
    """Shares of the win by the honor that every player is expected to end with."""
    n = int(state.num_players)
    for seat in range(n):
        values[seat] = state.honor[seat] + hopes(state, seat)
    share_by_leads(values, n, SPREAD + SPREAD_A_TURN * dedications_left(state, 0))
    return True


@jit
def dedications_left(state, seat):
    """How often a player may still dedicate."""
    n = int(state.num_players)
    total = n * (int(PLACEMENTS[n - 2]) + 1)
    turn = int(state.turn)
    left = (total - turn - (seat - turn) % n + n - 1) // n
    return left - (seat == state.player and state.phase > DEDICATE)


@jit
def hopes(state, seat):
    """The honor that a player's lanterns and favors will still bring."""
    if dedications_left(state, seat) == 0:
        return 0.0
    if final_round(state):
        return best_set(state, state.lanterns[seat])
    hope = worth(state, state.lanterns[seat]) + FAVOR * state.favors[seat]
    return hope + TO_MOVE * (seat == state.player)


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
    if kind == 0:
        return min(most, 4) / 4
    if kind == 2:
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


# -- first sight ------------------------------------------------------------------------------------------------


@jit
def weigh(state, mask, weights):
    """Placements by the lanterns that everybody gets; the other steps by what is left in hand."""
    if state.phase == PLACE:
        weigh_places(state, mask, weights)
        return
    held = np.empty(NUM_COLOURS, np.int64)
    for action in range(len(mask)):
        if mask[action]:
            for colour in range(NUM_COLOURS):
                held[colour] = state.lanterns[state.player, colour]
            weights[action] = np.exp(after(state, action, held) / TEMPERATURE)


@jit
def after(state, action, held):
    """The honor of a step and what the lanterns left by it will bring."""
    gained = 0.0
    if state.phase == EXCHANGE and action != SKIP:
        give, take = action // (NUM_COLOURS - 1), action % (NUM_COLOURS - 1)
        held[give] -= 1
        held[take + (take >= give)] += 1
        gained = best_set(state, held) - FAVOR * EXCHANGE_COST
    elif state.phase == EXCHANGE:
        gained = best_set(state, held)
    elif state.phase == DISCARD:
        held[action - DISCARDS] -= 1
    elif action != SKIP:
        gained = dedicated(state, action, held)
    return gained + worth(state, held)


@jit
def dedicated(state, action, held):
    """The honor of a dedication; its lanterns leave the hand."""
    if action < PAIRS:
        held[action - FOURS] -= 4
        return float(token_value(state, 0))
    if action < SEVEN:
        for colour in TRIPLES[action - PAIRS]:
            held[colour] -= 2
        return float(token_value(state, 1))
    for colour in range(NUM_COLOURS):
        held[colour] -= 1
    return float(token_value(state, 2))


@jit
def weigh_places(state, mask, weights):
    more = np.empty((MAX_PLAYERS, NUM_COLOURS))
    needs(state, more)
    player, chair = int(state.player), int(state.chair[state.player])
    for slot in range(NUM_SLOTS):
        if state.slot_open[slot] == 0:
            continue
        for position in range(HAND):
            tile = int(state.hand[player, position])
            if tile == NO_TILE:
                continue
            for side in range(4):
                looks = looks_of_place(state, slot, tile, (side - chair) % 4, more)
                weights[PLACES + PER_SLOT * slot + 4 * position + side] = np.exp(looks / TEMPERATURE)


@jit
def needs(state, more):
    """What one more lantern of each colour would bring to each player."""
    held = np.empty(NUM_COLOURS, np.int64)
    for seat in range(state.num_players):
        for colour in range(NUM_COLOURS):
            held[colour] = state.lanterns[seat, colour]
        before = worth(state, held)
        for colour in range(NUM_COLOURS):
            held[colour] += 1
            more[seat, colour] = worth(state, held) - before if state.supply[colour] > 0 else 0.0
            held[colour] -= 1


@jit
def looks_of_place(state, slot, tile, turn, more):
    """The lanterns and favors of a tile, its printed side ``turn`` towards chair 0."""
    player, looks, matched = int(state.player), 0.0, False
    others = OTHERS / (int(state.num_players) - 1)
    for chair in range(4):
        colour = int(TILES[tile, (turn + chair) % 4])
        if int(state.touch[slot, chair]) == colour + 1:
            matched = True
            looks += more[player, colour] + FAVOR * state.touch_platform[slot, chair]
        seat = int(state.seat_on[chair])
        if seat == player:
            looks += more[player, colour]
        elif seat >= 0:
            looks -= others * more[seat, colour]
    return looks + FAVOR * (matched and PLATFORM[tile])
