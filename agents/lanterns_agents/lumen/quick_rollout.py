"""A quick policy for rollouts of Lumen, to the end of a round."""

import numpy as np

from lanterns_agents.lumen.worlds import power_of
from lanterns_env.engine.compile import jit
from lanterns_env.engine.rng import draw
from lanterns_env.games.lumen.components import HAND, MAX_PLAYERS, MAX_VALUE, NUM_COLOURS, TRUMP
from lanterns_env.games.lumen.rules import BID, BIDS, EXTRA_BIDS, NO_SLOT, PLAYS, colour_of, led_colour, value_of

PLAIN = 0.75  # a plain card is thrown off to another colour in the other tricks
RISK = 0.7  # how often a higher card in another hand is played against one
DOUBT = 1.2  # of the tricks that a hand will win
NO_CARD_OF_COLOUR = 0.5  # how often a card stands against one who has none of its colour
TO_SPARE = 0.25  # tricks expected beyond the bid that are worth the extra stone
UNWANTED, HIGHEST = 1000.0, 100.0  # beyond the power of any card


@jit
def rollout(state, mask, count, rng):
    """A bid near the tricks to be expected; a card that wins if a trick is needed, else one that does not."""
    if state.phase == BID:
        return quick_bid(state, mask, rng)
    player = int(state.player)
    fan = state.fans[state.round_number - 1, player]
    needed = int(state.bid[player]) - int(state.tricks[player])
    eager = needed > 0
    if needed == 0 and state.extra[player]:
        eager = draw(rng) & 1 == 1
    led, to_beat = led_colour(state), strength_to_beat(state)
    last = (player + 1) % int(state.num_players) == state.leader
    best, chosen = -np.inf, PLAYS
    for slot in range(HAND):
        if mask[PLAYS + slot]:
            worth = worth_of_card(state, int(fan[slot]), led, to_beat, eager, last)
            if worth > best:
                best, chosen = worth, PLAYS + slot
    return chosen


@jit
def strength(card, led):
    return power_of(colour_of(card), value_of(card), led)


@jit
def strength_to_beat(state):
    led, best = led_colour(state), 0
    for seat in range(state.num_players):
        slot = int(state.table[seat])
        if slot != NO_SLOT:
            best = max(best, strength(int(state.fans[state.round_number - 1, seat, slot]), led))
    return best


@jit
def worth_of_card(state, card, led, to_beat, eager, last):
    """How good a card is to win with, or to lose with."""
    led = colour_of(card) if led < 0 else led
    power = strength(card, led)
    if power <= to_beat:  # it loses: keep the high cards if tricks are needed, get rid of them if not
        keeps = value_of(card) + MAX_VALUE * (colour_of(card) == TRUMP)
        return -keeps - UNWANTED * eager + UNWANTED * (not eager)
    if eager:
        return HIGHEST - power if last else 1.0 * power
    return 1.0 * power if last else -1.0 * power


@jit
def quick_bid(state, mask, rng):
    """The tricks to be expected, a little off by chance; the extra stone in doubt."""
    expected = tricks_expected(state, int(state.player)) + DOUBT * (draw(rng) / 2.0**32 - 0.5)
    stones = min(max(int(expected + 0.5), 0), BIDS - 1)
    while mask[stones] == 0:
        stones -= 1
    return stones + (EXTRA_BIDS if expected - stones > TO_SPARE else 0)


@jit
def tricks_expected(state, player):
    """Of a hand, by the higher cards that the others hold, so that all tricks go round."""
    n = int(state.num_players)
    raw, total = 0.0, 0.0
    for seat in range(n):
        chance = raw_tricks(state, seat)
        total += chance
        if seat == player:
            raw = chance
    return int(state.hand) * raw / max(total, 1e-6)


@jit
def raw_tricks(state, player):
    """The chances of a hand's cards to win a trick, added up."""
    n, hand = int(state.num_players), int(state.hand)
    fans = state.fans[state.round_number - 1]
    total = 0.0
    for colour in range(NUM_COLOURS):
        numbers = np.zeros(MAX_PLAYERS)
        for seat in range(n):
            for slot in range(hand):
                numbers[seat] += colour_of(fans[seat, slot]) == colour
        for slot in range(hand):
            card = int(fans[player, slot])
            if colour_of(card) != colour:
                continue
            stands = 1.0 if colour == TRUMP else PLAIN
            for seat in range(n):
                if seat == player:
                    continue
                above = 0
                for other in range(hand):
                    above += colour_of(fans[seat, other]) == colour and fans[seat, other] > card
                if numbers[seat] > 0:
                    stands *= 1.0 - RISK * above / numbers[seat]
                else:
                    stands *= NO_CARD_OF_COLOUR
            total += stands
    return total
