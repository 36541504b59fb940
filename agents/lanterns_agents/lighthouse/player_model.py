"""What a player of Lighthouse Architects knows and wants, as the search of its turn needs it."""

from typing import NamedTuple

import numpy as np

from lanterns_agents.lighthouse.position import LIKELY, add_promise, chance_held, in_play
from lanterns_agents.lighthouse.race import after_capture, after_own, after_public, chance_to_win, race_of
from lanterns_agents.lighthouse.turn import LAID, NEXT_PLAYERS, NOBODYS, OWN_ORDER, PUBLIC, UNKNOWN
from lanterns_agents.lighthouse.weights import HEIGHT_1, HEIGHT_2, HEIGHT_3, NEAR_EXPOSED, NEAR_LAID, NEAR_PUBLIC
from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import (
    COUNTS,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_ISLANDS,
    NUM_PILES,
    NUM_STACKS,
    STONES_OF_A_COLOUR,
    TOWER,
)
from lanterns_env.games.lighthouse.movement import first_tower
from lanterns_env.games.lighthouse.observation import HIDDEN, LAID_BEFORE, ON_PILE, OWN_HAND, is_missing, missing

COLOUR_BITS = 5  # of a number of stones, where all colours are one whole number
ONE_OF_EACH = 1 << COLOUR_BITS * np.arange(NUM_COLOURS)
COUNTED = COUNTS @ ONE_OF_EACH  # [stacks] the stones of a stack
ALL_STONES = STONES_OF_A_COLOUR * int(ONE_OF_EACH.sum())
LATE = 30  # hundredths of the longest game: nearly all others are over
EVERY = 2  # then, in every second hundredth, play is disturbed: players could go round in a circle for ever


class Knowledge(NamedTuple):
    """What the viewer knows, as the search needs it."""

    num_players: int
    race: int
    owners: np.ndarray  # [24] whose each order is
    loss: np.ndarray  # [24] what finishing a hidden tower costs on average
    held: np.ndarray  # [24] how likely the next player holds the order
    stands: int  # towers of hidden orders that more likely stand than fall, as bits
    promise: np.ndarray  # [stacks] what a stack promises
    stones: int  # all that there are
    disturbance: int  # 0, or what mixes up the ends of the turn


@jit
def knowledge_of(view, weights, disturbance):
    """What can be worked out from a view."""
    num_players, race = int(view.num_players), race_of(view)
    owners = np.empty(NUM_CARDS, np.int64)
    loss, held = np.zeros(NUM_CARDS), np.zeros(NUM_CARDS)
    stands = 0
    likely = holder_is_next(view)
    for card in range(NUM_CARDS):
        owners[card] = owner_of(view, card)
        if view.order[card, HIDDEN] == 1:
            chance = chance_held(view, card)
            stands |= int(chance >= LIKELY) << card
            if owners[card] == UNKNOWN:
                held[card] = chance * likely
            loss[card] = chance * loss_by(view, race, card)
    lacks = missing(view)
    promise = promises(owners, loss, race, num_players, weights, first_tower(lacks))
    stones = stones_of(view) if lacks else ALL_STONES
    return Knowledge(num_players, race, owners, loss, held, stands, promise, stones, disturbance)


@jit
def stones_of(view):
    """All stones on the table and in the supply."""
    stones = 0
    for colour in range(NUM_COLOURS):
        count = int(view.harbour[colour]) + int(view.supply[colour])
        for island in range(NUM_ISLANDS):
            for level in range(TOWER):
                count += view.stones[island, level, colour] == 1 and not is_missing(view, island, level)
        stones += count << (COLOUR_BITS * colour)
    return stones


@jit
def disturbance_of(view):
    """What mixes up the ends of the turn in a late game, 0 where nothing does."""
    return 1 + int(view.clock) if view.clock >= LATE and view.clock % EVERY == 0 else 0


@jit
def owner_of(view, card):
    """Whose an order is, as far as the viewer knows."""
    if view.order[card, OWN_HAND] == 1:
        return OWN_ORDER
    if view.order[card, ON_PILE : ON_PILE + NUM_PILES].any():
        return PUBLIC
    for step in range(int(view.num_players)):
        if view.order[card, LAID_BEFORE + step] == 1:
            return LAID + step
    if view.proved_holder[1, card] == 1:
        return NEXT_PLAYERS
    if view.proved_buried[card] == 1:
        return NOBODYS
    return NOBODYS if view.proved_holder[:, card].any() or not in_play(view, card) else UNKNOWN


@jit
def holder_is_next(view):
    """How likely the next player is the one who holds an order that some other player holds."""
    room, all_room = int(view.hand_size[1]), int(view.hand_size[1:].sum())
    for card in range(NUM_CARDS):
        room -= int(view.proved_holder[1, card])
        for step in range(1, int(view.num_players)):
            all_room -= int(view.proved_holder[step, card])
    return room / all_room if all_room > 0 else 0.0


@jit
def loss_by(view, race, card):
    """What it costs on average that one of the others lays an order of his hand."""
    num_players = int(view.num_players)
    now, total, among = chance_to_win(race, 0, num_players), 0.0, 0
    for step in range(1, num_players):
        lost = now - chance_to_win(after_own(race, step), 0, num_players)
        if view.proved_holder[step, card] == 1:
            return lost
        total += lost * int(view.hand_size[step])
        among += int(view.hand_size[step])
    return total / among


@jit
def promises(owners, loss, race, num_players, weights, first):
    """For each stack: what the orders are worth that begin with it, more for a higher stack."""
    promise = np.zeros(NUM_STACKS)
    now = chance_to_win(race, 1, num_players)
    heights = (0.0, weights[HEIGHT_1], weights[HEIGHT_2], weights[HEIGHT_3])
    for card in range(NUM_CARDS):
        worth = promised(owners[card], loss[card], race, num_players, now, weights)
        add_promise(promise, first + card, worth, worth, heights)
    return promise


@jit
def promised(owner, loss, race, num_players, now, weights):
    """What it is worth to come nearer to an order."""
    if owner == OWN_ORDER:
        return chance_to_win(after_own(race, 0), 1, num_players) - now
    if owner == PUBLIC:
        return weights[NEAR_PUBLIC] * (chance_to_win(after_public(race, 0), 1, num_players) - now)
    if owner == LAID:
        return -weights[NEAR_EXPOSED] * (now - chance_to_win(after_capture(race, 1, 0), 1, num_players))
    if owner > LAID:
        return weights[NEAR_LAID] * (chance_to_win(after_capture(race, 0, owner - LAID), 1, num_players) - now)
    return -weights[NEAR_EXPOSED] * loss
