"""The placements of a turn in Lanterns: what each is worth, and the best, from the view alone."""

from typing import Any, NamedTuple

import numpy as np

from lanterns_agents.lanterns.outlook import Stock, placements_each
from lanterns_agents.lanterns.values import (
    expected_honor,
    number_of,
    record,
    some,
    worth_of_favors,
    worth_of_holdings,
)
from lanterns_agents.lanterns.weights import DENY, FAVOR, FOLLOW, GIVE, PLATFORM_CLOSED, PLATFORM_OPEN, PLATFORM_SPENT
from lanterns_agents.ties import NOISE
from lanterns_env.engine.compile import jit
from lanterns_env.games.lanterns.components import EXCHANGE_COST, HAND, MAX_PLAYERS, NUM_COLOURS
from lanterns_env.games.lanterns.lake import NUM_SLOTS
from lanterns_env.games.lanterns.rules import PER_SLOT, PLACES

SIDES = 4
NOT_YET = -1e9
MATCHES = 16  # which sides match, as bits
NO_SLOT = -1


# What all placements of one decision have in common.
LAKE = record(
    ("gain", np.float64, NUM_COLOURS),  # what one lantern is worth to the mover
    ("loss", np.float64, (MAX_PLAYERS, NUM_COLOURS)),  # and what it costs if another player gets it
    ("mean_loss", np.float64, NUM_COLOURS),
    ("top", np.int64),  # the slot where the others could gain most
    ("lead", np.float64),  # and by how much it is the best
    ("follow", np.float64, (NUM_SLOTS, HAND)),  # the best of the other tiles once a tile lies in this slot
    ("after", np.int64),  # the tiles that are still to be laid by anybody after this one
    ("memo", np.float64, (2, PER_SLOT, MATCHES)),  # lanterns of a placement, once reckoned
)


class Turn(NamedTuple):
    """All that the worth of a placement depends on."""

    own_view: Any  # (Numba takes any attribute called view for the method of arrays)
    own: Any  # OUTLOOK of the mover
    theirs: Any  # OUTLOOK of the others
    others: Any  # OTHERS
    lake: Any  # LAKE: survey() fills it
    stock: Stock


# -- all placements -----------------------------------------------------------------------------------------


@jit
def placements(view):
    """The actions that place a tile of the hand, in their order."""
    actions, number = np.empty(NUM_SLOTS * PER_SLOT, np.int64), 0
    for slot in range(NUM_SLOTS):
        if view.slot_open[slot] == 0:
            continue
        for position in range(HAND):
            if view.hand_tile[position] < 0:
                continue
            for side in range(SIDES):
                actions[number] = PLACES + PER_SLOT * slot + SIDES * position + side
                number += 1
    return actions[:number]


@jit
def place_of(action):
    """The slot, the position in hand and the side of a placement."""
    index = action - PLACES
    return index // PER_SLOT, index % PER_SLOT // SIDES, index % SIDES


@jit
def best_place(turn):
    """What the best placement makes of lanterns and favors, less what it gives the others; and its action."""
    survey(turn)
    best, chosen = NOT_YET, PLACES
    for action in placements(turn.own_view):
        slot, position, side = place_of(action)
        worth = worth_of_place(turn, slot, position, side)
        if worth > best + NOISE:
            best, chosen = worth, action
    return best, chosen


@jit
def worth_of_place(turn, slot, position, side):
    """What a placement makes of lanterns and favors, less what it gives the others; once the lake is surveyed."""
    view, lake, weights, stock = turn.own_view, turn.lake, turn.own.weights, turn.stock
    platform = int(view.hand_platform[position])
    matched, gained, wasted, opened, given = 0, 0, 0, 0, 0.0
    for towards in range(4):
        colour = int(view.hand_sides[position, (side + towards) & 3])
        touched = int(view.touch[slot, towards])
        if touched == 0:
            opened += 1
            given += lake.mean_loss[colour - 1]
        elif touched == colour:
            matched |= 1 << towards
            gained += int(view.touch_platform[slot, towards])
        else:
            wasted += int(view.touch_platform[slot, towards])
    if matched:
        gained += platform
    exchange = int(stock.favors + gained >= EXCHANGE_COST)
    turned = 4 * position + side
    if lake.memo[exchange, turned, matched] == NOT_YET:
        lake.memo[exchange, turned, matched] = worth_of_lanterns(turn, exchange, turned, matched)
    worth = lake.memo[exchange, turned, matched] + worth_of_favors(turn.own, stock.favors + gained, stock.turns)
    worth += weights[FOLLOW] * lake.follow[slot, position]
    if lake.after > 0:
        worth -= weights[GIVE] * given + weights[PLATFORM_CLOSED] * wasted
        worth -= platform * (weights[PLATFORM_OPEN] * opened + weights[PLATFORM_SPENT])
        if slot == lake.top:
            worth += weights[DENY] * lake.lead
    return worth


@jit
def worth_of_lanterns(turn, exchange, turned, matched):
    """The lanterns of a placement: the mover's own, less those of the others (LA-20, LA-23)."""
    view, lanterns, supply = turn.own_view, turn.stock.lanterns, turn.stock.supply
    position, side = turned // 4, turned % 4
    for towards in range(4):
        if matched >> towards & 1:
            colour = int(view.hand_sides[position, (side + towards) & 3]) - 1
            if number_of(supply, colour) > 0:
                supply -= some(colour, 1)
                lanterns += some(colour, 1)
    cost = 0.0
    for player in range(turn.others.number + 1):
        colour = int(view.hand_sides[position, (side + int(view.side[player])) & 3]) - 1
        if number_of(supply, colour) > 0:
            supply -= some(colour, 1)
            if player == 0:
                lanterns += some(colour, 1)
            else:
                cost += turn.lake.loss[player, colour]
    return expected_honor(turn.own, lanterns, exchange == 1, turn.stock.turns) - cost


# -- what all placements have in common ---------------------------------------------------------------------


@jit
def survey(turn):
    """Fill the lake of a turn with what all its placements have in common."""
    own, theirs, others, lake = turn.own, turn.theirs, turn.others, turn.lake
    lanterns, favors, _, turns = turn.stock
    lake.memo[:] = NOT_YET
    lake.loss[:] = 0.0
    lake.mean_loss[:] = 0.0
    lake.follow[:] = 0.0
    lake.after = placements_after(turn.own_view)
    now = worth_of_holdings(own, lanterns, favors, turns)
    for colour in range(NUM_COLOURS):
        lake.gain[colour] = worth_of_holdings(own, lanterns + some(colour, 1), favors, turns) - now
    for step in range(1, others.number + 1):
        held, boats, left = others.lanterns[step], others.favors[step], others.turns[step]
        now = worth_of_holdings(theirs, held, boats, left)
        for colour in range(NUM_COLOURS):
            more = worth_of_holdings(theirs, held + some(colour, 1), boats, left) - now
            lake.loss[step, colour] = others.weight[step] * more
            lake.mean_loss[colour] += lake.loss[step, colour] / others.number
    most_charming(turn)
    if turns > 1:
        follow_up(turn)


@jit
def placements_after(view):
    return int(view.num_players) * placements_each(view) - int(view.turn) - 1


@jit
def most_charming(turn):
    """The cell where the others could gain most, and by how much it is the best."""
    view, lake, supply = turn.own_view, turn.lake, turn.stock.supply
    first, second = 0.0, 0.0
    lake.top = NO_SLOT
    for slot in range(NUM_SLOTS):
        if view.slot_open[slot] == 0:
            continue
        charm = 0.0
        for towards in range(4):
            colour = int(view.touch[slot, towards]) - 1
            if colour >= 0:
                if number_of(supply, colour) > 0:
                    charm += max(0.0, lake.mean_loss[colour])
                charm += turn.own.weights[FAVOR] * int(view.touch_platform[slot, towards])
        if charm > first + NOISE:
            lake.top, first, second = slot, charm, first
        elif charm > second:
            second = charm
    lake.lead = first - second


@jit
def follow_up(turn):
    """For each slot and hand position: what the best other tile gains in the best other slot."""
    view, lake = turn.own_view, turn.lake
    first, second = np.zeros(HAND), np.zeros(HAND)
    where = np.full(HAND, NO_SLOT)
    for slot in range(NUM_SLOTS):
        if view.slot_open[slot] == 0:
            continue
        for position in range(HAND):
            if view.hand_tile[position] < 0:
                continue
            best = 0.0
            for side in range(4):
                best = max(best, quick_gain(turn, slot, position, side))
            if best > first[position]:
                first[position], second[position], where[position] = best, first[position], slot
            elif best > second[position]:
                second[position] = best
    for slot in range(NUM_SLOTS):
        for position in range(HAND):
            for other in range(HAND):
                if other != position:
                    best = second[other] if where[other] == slot else first[other]
                    lake.follow[slot, position] = max(lake.follow[slot, position], best)


@jit
def quick_gain(turn, slot, position, side):
    """The lanterns and favors of a placement, each for itself."""
    view, lake, supply, favor = turn.own_view, turn.lake, turn.stock.supply, turn.own.weights[FAVOR]
    facing = int(view.hand_sides[position, side]) - 1
    total = lake.gain[facing] if number_of(supply, facing) > 0 else 0.0
    matched = False
    for towards in range(4):
        colour = int(view.hand_sides[position, (side + towards) & 3])
        if int(view.touch[slot, towards]) == colour:
            matched = True
            total += favor * int(view.touch_platform[slot, towards])
            if number_of(supply, colour - 1) > 0:
                total += lake.gain[colour - 1]
    if matched:
        total += favor * int(view.hand_platform[position])
    return total
