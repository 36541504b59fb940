"""Greedy play of Lanterns: every step by what it brings at once, from the view alone."""

import numpy as np

from lanterns_agents.lanterns.placements import place_of, placements
from lanterns_agents.lanterns.rough_values import progress
from lanterns_env.engine.compile import jit
from lanterns_env.games.lanterns.components import (
    FOUR_OF_A_KIND,
    NUM_COLOURS,
    SEVEN_DIFFERENT,
    THREE_PAIRS,
    TRIPLES,
)
from lanterns_env.games.lanterns.rules import (
    DEDICATE,
    DISCARD,
    DISCARDS,
    EXCHANGE,
    FOURS,
    PAIRS,
    SEVEN,
    SKIP,
)

FAVOR = 0.8  # what a favor is worth, in honor
LANTERN = 0.25  # what any lantern is worth beside the set it belongs to
OTHERS = 0.35  # what a lantern of another player costs
SECOND_BEST = 0.3  # weight of the sets that are not the nearest


@jit
def choose_rows(views, masks, actions):
    for k in range(len(actions)):
        actions[k] = choose(views[k], masks[k])


@jit
def choose(view, mask):
    if view.phase == EXCHANGE:
        return choose_exchange(view, mask)
    if view.phase == DEDICATE:
        return choose_dedication(view, mask)
    if view.phase == DISCARD:
        return choose_discard(view, mask)
    return choose_place(view)


@jit
def worth_of_lanterns(view, held):
    """What lanterns are worth: the set nearest to a dedication, a little for the others, a little for each."""
    best, total = 0.0, 0.0
    for kind in range(3):
        worth = int(view.token_value[kind]) * progress(held, kind) ** 2
        best = max(best, worth)
        total += worth
    return best + SECOND_BEST * (total - best) + LANTERN * held.sum()


@jit
def own_lanterns(view):
    held = np.empty(NUM_COLOURS, np.int64)
    for colour in range(NUM_COLOURS):
        held[colour] = view.lanterns[0, colour]
    return held


@jit
def best_value(view, held):
    """The most that a dedication of these lanterns scores, 0 if there is none."""
    best = 0
    for kind in range(3):
        if progress(held, kind) == 1.0:
            best = max(best, int(view.token_value[kind]))
    return best


@jit
def choose_exchange(view, mask):
    """Only for a dedication that is better than what can be dedicated now."""
    held = own_lanterns(view)
    best, action = best_value(view, held), SKIP
    for give in range(NUM_COLOURS):
        for take in range(NUM_COLOURS):
            number = (NUM_COLOURS - 1) * give + take - (take > give)
            if take == give or mask[number] == 0:
                continue
            held[give] -= 1
            held[take] += 1
            value = best_value(view, held)
            held[give] += 1
            held[take] -= 1
            if value > best:
                best, action = value, number
    return action


@jit
def choose_dedication(view, mask):
    """The highest token; of equal ones what leaves the best lanterns."""
    held = own_lanterns(view)
    best, action = -1.0, SKIP
    for number in range(FOURS, SEVEN + 1):
        if mask[number] == 0:
            continue
        left = after_dedication(held, number)
        kind = FOUR_OF_A_KIND if number < PAIRS else (THREE_PAIRS if number < SEVEN else SEVEN_DIFFERENT)
        value = int(view.token_value[kind]) + worth_of_lanterns(view, left) / 100
        if value > best:
            best, action = value, number
    return action


@jit
def after_dedication(held, number):
    left = held.copy()
    if number < PAIRS:
        left[number - FOURS] -= 4
    elif number < SEVEN:
        for k in range(3):
            left[TRIPLES[number - PAIRS, k]] -= 2
    else:
        left -= 1
    return left


@jit
def choose_discard(view, mask):
    """The lantern that is missed least."""
    held = own_lanterns(view)
    best, action = -1.0, DISCARDS
    for colour in range(NUM_COLOURS):
        if mask[DISCARDS + colour] == 0:
            continue
        held[colour] -= 1
        worth = worth_of_lanterns(view, held)
        held[colour] += 1
        if worth > best:
            best, action = worth, DISCARDS + colour
    return action


@jit
def choose_place(view):
    """The placement with the best lanterns and favors, less what the others get."""
    best, chosen = -1e9, SKIP
    for action in placements(view):
        slot, position, side = place_of(action)
        worth = worth_of_place(view, slot, position, side)
        if worth > best:
            best, chosen = worth, action
    return chosen


@jit
def worth_of_place(view, slot, position, side):
    held = own_lanterns(view)
    supply = np.empty(NUM_COLOURS, np.int64)
    for colour in range(NUM_COLOURS):
        supply[colour] = view.supply[colour]
    favors, matched = 0, False
    for towards in range(4):
        colour = int(view.hand_sides[position, (side + towards) % 4])
        if int(view.touch[slot, towards]) == colour:
            matched = True
            favors += int(view.touch_platform[slot, towards])
            held[colour - 1] += supply[colour - 1] > 0
            supply[colour - 1] -= supply[colour - 1] > 0
    favors += int(view.hand_platform[position]) * matched
    others = 0
    for player in range(view.num_players):
        colour = int(view.hand_sides[position, (side + int(view.side[player])) % 4]) - 1
        if supply[colour] > 0:
            supply[colour] -= 1
            if player == 0:
                held[colour] += 1
            else:
                others += 1
    return worth_of_lanterns(view, held) + FAVOR * favors - OTHERS * others / (int(view.num_players) - 1)
