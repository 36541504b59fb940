"""The options of Lighthouse Architects: rules as one likes, and smaller games with less of everything (LH-81..90)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.engine.game import Option
from lanterns_env.games.deals import Deals, Group, arrangements, check_count, count_arrangements, equal_chances
from lanterns_env.games.lighthouse.components import (
    FIRST_OF_HEIGHT,
    HAND,
    MAX_PILE,
    MAX_PLAYERS,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_ISLANDS,
    NUM_PILES,
    PALETTE,
    POINTS,
    STONES_OF_A_COLOUR,
    TOWER,
)

OPTIONS = {
    "claims": Option("voluntary", ("voluntary", "forced"), "LH-A12: whether an order that can be laid must be"),
    "asked": Option("holder", ("holder", "everyone"), "LH-75: who is asked about a tower whose order is hidden"),
    "declined_tower": Option("stands", ("stands", "demolish"), "LH-A13: a tower whose hidden order is not shown"),
    "ender": Option("layer", ("layer", "builder"), "LH-66: who ended the game, layer of the order or builder"),
    "max_turns": Option(500, range(1, 10_001), "LH-67: the game is cut after so many turns of all players together"),
    "start_player": Option(0, (*range(MAX_PLAYERS), "drawn"), "LH-08: the seat that begins", names_seat=True),
    "islands": Option(NUM_ISLANDS, range(2, NUM_ISLANDS + 1), "LH-81: islands in the ring"),
    "tower": Option(TOWER, range(2, TOWER + 1), "LH-82: stones of a tower, and of an order"),
    "colours": Option(NUM_COLOURS, range(2, NUM_COLOURS + 1), "LH-83: colours of stones, from red on"),
    "stones": Option(STONES_OF_A_COLOUR, range(1, STONES_OF_A_COLOUR + 1), "LH-83: stones of each colour"),
    "cards": Option(0, range(NUM_CARDS + 1), "LH-84: orders in play; 0: all that there are"),
    "hand": Option(HAND, range(1, HAND + 1), "LH-85: private orders of a player"),
    "move_points": Option(POINTS, range(1, POINTS + 1), "LH-86: points of a turn"),
}
FORCED = 1  # option claims
EVERYONE = 1  # option asked
DEMOLISH = 1  # option declined_tower
DRAWN = MAX_PLAYERS  # option start_player

LOW = {"islands": 4, "tower": 2, "stones": 2, "hand": 1, "move_points": 2}
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "tiny": {**LOW, "cards": 5, "max_turns": 5},
    "small": {**LOW, "cards": 6, "max_turns": 5},
}

# Why options cannot go together (LH-88).
PLAYABLE, FULL_RING, TOO_LOW, NO_SUCH_ORDERS, LARGE_HANDS, HIGH_PILES = range(6)


@jit
def fill_in_play(colours, tower, cards, found):
    """LH-84: the numbers of the orders in play, ascending; how many they are."""
    first, count = int(FIRST_OF_HEIGHT[tower]), 0
    for stack in range(first, int(FIRST_OF_HEIGHT[tower + 1])):
        if PALETTE[stack] <= colours and (cards == 0 or count < cards):
            found[count] = stack - first
            count += 1
    return count


@jit
def why_not(num_players, islands, tower, colours, stones, cards, hand):
    """LH-88: what is wrong with these options, if anything is."""
    in_play = fill_in_play(colours, tower, cards, np.empty(NUM_CARDS, np.int16))
    if colours * stones > (islands - 1) * tower:
        return FULL_RING
    if 2 * stones < tower:
        return TOO_LOW
    if in_play < cards:
        return NO_SUCH_ORDERS
    if hand * num_players > in_play:
        return LARGE_HANDS
    return HIGH_PILES if in_play - hand * num_players > NUM_PILES * MAX_PILE else PLAYABLE


def why_unplayable(num_players: int, options: Mapping[str, Any]) -> str | None:
    """The reason in words."""
    names = ("islands", "tower", "colours", "stones", "cards", "hand")
    islands, tower, colours, stones, cards, hand = (options[name] for name in names)
    in_play = len(orders_in_play(options))
    return {
        PLAYABLE: None,
        FULL_RING: f"the islands but one hold {(islands - 1) * tower} stones, and there are {colours * stones}; "
        "all other islands must never be full",
        TOO_LOW: f"a tower of {tower} may need {(tower + 1) // 2} stones of one colour, and there are {stones}",
        NO_SUCH_ORDERS: f"there are {in_play} orders of {tower} stones in {colours} colours, not {cards}",
        LARGE_HANDS: f"the hands take {hand * num_players} orders, and there are {in_play}",
        HIGH_PILES: f"{in_play - hand * num_players} orders would be public, and the piles hold "
        f"{NUM_PILES * MAX_PILE}; leave some out by the option cards",
    }[why_not(num_players, islands, tower, colours, stones, cards, hand)]


def orders_in_play(options: Mapping[str, Any]) -> list[int]:
    found = np.empty(NUM_CARDS, np.int16)
    count = fill_in_play(options["colours"], options["tower"], options["cards"], found)
    return [int(card) for card in found[:count]]


def deals(num_players: int, options: Mapping[str, Any]) -> Deals:
    """LH-90: every deal, as ``deal_cards`` takes it; all are equally likely."""
    cards, hand = orders_in_play(options), options["hand"]
    starters = range(num_players) if options["start_player"] == "drawn" else [options["start_player"]]
    groups = [Group(hand, False)] * num_players + [Group(len(cards) - hand * num_players, True)]
    check_count(count_arrangements(groups) * len(starters))
    return equal_chances(
        [(*(cards[k] for k in places), starter) for places in arrangements(groups) for starter in starters]
    )
