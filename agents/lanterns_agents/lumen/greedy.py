"""Greedy play of Lumen: bids and cards by the points to be expected of the round, from the view alone.

Every card gets a *strength*, its chance to win a trick.  The hands of the others are in view, and the own
values are known by their chances; so strengths are found for all players alike and scaled to the tricks left.
"""

import numpy as np

from lanterns_agents.lumen.worlds import colour_of_slot, hand_size, power_of
from lanterns_agents.ties import NOISE
from lanterns_env.engine.compile import jit
from lanterns_env.games.lumen.belief import spread
from lanterns_env.games.lumen.components import HAND, MAX_PLAYERS, MAX_VALUE, NUM_COLOURS, TRUMP
from lanterns_env.games.lumen.rules import BID, BIDS, NUM_ACTIONS, PLAYS, round_points

FOLLOWS = 0.75  # weight of a plain card: in the other tricks it is thrown off to another colour
RISK = 0.6  # how often one who holds a higher card plays it, as a power of its fraction of the hand
TRUMP_RISK = 0.5  # the same for higher trumps, which often fall in another trick
EAGER = 0.5  # power of the fraction of winning cards for one who wants the trick ...
SHY = 2.0  # ... and for one who does not
STEERING = 2.0  # how far play can turn the odds of the later tricks
SURE = 0.97  # no strength is higher
HEED = 0.4  # weight of the others' bids beside the strength of their hands
NEVER = -1e9


@jit
def choose_rows(views, masks, actions):
    for k in range(len(actions)):
        actions[k] = choose(views[k], masks[k])


@jit
def choose(view, mask):
    chances = own_chances(view)
    cards = cards_of_all(view, chances)
    strengths = own_strengths(view, chances, cards)
    if view.phase == BID:
        return choose_bid(view, mask, strengths)
    return choose_card(view, mask, chances, strengths)


# -- the own fan ----------------------------------------------------------------------------------------------


@jit
def own_chances(view):
    """The chance of every value (column value - 1) for every slot still held."""
    chances = np.zeros((HAND, MAX_VALUE))
    slot = 0
    while slot < HAND:
        end = slot + 1
        if view.held[slot]:
            colour = colour_of_slot(view, slot)
            while end < HAND and view.held[end] and view.slot_colour[end, colour]:
                end += 1
            spread(values_between(view, colour, slot, end), slot, end - slot, chances)
        slot = end
    return chances


@jit
def values_between(view, colour, first, end):
    """The unseen values of a colour between the revealed neighbours of these slots, value v as bit v - 1."""
    lowest, highest = 1, MAX_VALUE
    if first > 0 and view.slot_colour[first - 1, colour]:
        lowest = int(view.slot_value[first - 1]) + 1
    if end < HAND and view.slot_colour[end, colour]:
        highest = int(view.slot_value[end]) - 1
    values = 0
    for value in range(lowest, highest + 1):
        if view.unseen[colour, value - 1]:
            values |= 1 << (value - 1)
    return values


# -- strengths ------------------------------------------------------------------------------------------------


@jit
def cards_of_all(view, chances):
    """How likely each player holds each card: the viewer by chances, the others for certain."""
    cards = np.zeros((MAX_PLAYERS, NUM_COLOURS, MAX_VALUE))
    for slot in range(HAND):
        if view.held[slot]:
            cards[0, colour_of_slot(view, slot)] += chances[slot]
    for player in range(1, view.num_players):
        cards[player] = view.hands[player - 1]
    return cards


@jit
def own_strengths(view, chances, cards):
    """The chance of every own slot to win a trick, so that the tricks left go round among all."""
    raw = np.zeros((MAX_PLAYERS, NUM_COLOURS, MAX_VALUE))
    totals = np.zeros(MAX_PLAYERS)
    for player in range(view.num_players):
        raw_strengths(view, cards, player, raw[player])
        totals[player] = (raw[player] * cards[player]).sum()
    scale = scale_of(view, totals)
    strengths = np.zeros(HAND)
    for slot in range(HAND):
        if view.held[slot]:
            mean = (chances[slot] * raw[0, colour_of_slot(view, slot)]).sum()
            strengths[slot] = min(SURE, scale * mean)
    return strengths


@jit
def scale_of(view, totals):
    """What turns the own raw strengths into tricks; the bids of the others say something about theirs."""
    left = hand_size(view) - int(view.tricks_done)
    scale = left / max(totals.sum(), 1e-6)
    others = 0.0
    for player in range(1, view.num_players):
        expected = scale * totals[player]
        if view.has_bid[player]:
            wanted = max(0, int(view.bid[player]) - int(view.tricks[player]))
            expected += HEED * (wanted - expected)
        others += expected
    own = scale * totals[0]
    return scale * left / max(own + others, 1e-6)


@jit
def raw_strengths(view, cards, player, strengths):
    """The chance that no other player beats a card in its own colour or with a trump."""
    strengths[:] = 1.0
    for other in range(view.num_players):
        if other == player:
            continue
        size = max(1.0, cards[other].sum())
        trumps = cards[other, TRUMP].sum() / size
        for colour in range(NUM_COLOURS):
            number = cards[other, colour].sum()
            higher = 0.0
            for column in range(MAX_VALUE - 1, -1, -1):
                if colour == TRUMP:
                    risk = TRUMP_RISK * (higher / max(number, 1.0)) ** RISK
                else:
                    void = max(0.0, 1.0 - number)
                    risk = void * trumps**RISK + (1.0 - void) * (higher / max(number, 1.0)) ** RISK
                strengths[colour, column] *= 1.0 - min(1.0, risk)
                higher += cards[other, colour, column]
    for colour in range(NUM_COLOURS):
        if colour != TRUMP:
            strengths[colour] *= FOLLOWS


# -- points to be expected ------------------------------------------------------------------------------------


@jit
def trick_odds(strengths, without, turn):
    """The chance of every number of tricks from all slots but one, their odds turned by a factor."""
    odds = np.zeros(HAND + 1)
    odds[0] = 1.0
    for slot in range(HAND):
        if slot == without or strengths[slot] <= 0.0:
            continue
        win = strengths[slot] * turn / (strengths[slot] * turn + 1.0 - strengths[slot])
        for number in range(HAND, 0, -1):
            odds[number] += win * (odds[number - 1] - odds[number])
        odds[0] *= 1.0 - win
    return odds


@jit
def expected_points(view, bid, extra, won, odds):
    total = 0.0
    for number in range(HAND + 1 - won):
        total += odds[number] * round_points(int(view.round_number), bid, extra, won + number)
    return total


@jit
def choose_bid(view, mask, strengths):
    """The bid with the most points to be expected."""
    odds = trick_odds(strengths, HAND, 1.0)
    best, action = NEVER, 0
    for number in range(PLAYS):
        if mask[number]:
            worth = expected_points(view, number % BIDS, number // BIDS, 0, odds)
            if worth > best + NOISE:
                best, action = worth, number
    return action


@jit
def choose_card(view, mask, chances, strengths):
    """The card after which, the trick won or lost, most points are to be expected."""
    best, action = NEVER, 0
    for number in range(PLAYS, NUM_ACTIONS):
        if mask[number]:
            slot = number - PLAYS
            win = chance_to_win(view, slot, chances[slot])
            won = int(view.tricks[0])
            taken = best_expectation(view, strengths, slot, won + 1)
            lost = best_expectation(view, strengths, slot, won)
            worth = win * taken + (1.0 - win) * lost
            if worth > best + NOISE:
                best, action = worth, number
    return action


@jit
def best_expectation(view, strengths, slot, won):
    """The points to be expected once this slot is played, when the later play steers towards the bid."""
    best = NEVER
    for turn in (1.0 / STEERING, 1.0, STEERING):
        odds = trick_odds(strengths, slot, turn)
        best = max(best, expected_points(view, int(view.bid[0]), int(view.extra[0]), won, odds))
    return best


# -- the trick on the table -----------------------------------------------------------------------------------


@jit
def chance_to_win(view, slot, chances):
    """Of a slot, over all its values: that it beats the table and nobody after it does better."""
    colour = colour_of_slot(view, slot)
    led = led_colour(view, colour)
    if colour not in (TRUMP, led):
        return 0.0
    to_beat = best_on_table(view, led)
    total = 0.0
    for column in range(MAX_VALUE):
        power = power_of(colour, column + 1, led)
        if chances[column] > 0.0 and power > to_beat:
            total += chances[column] * chance_to_stay(view, power, led)
    return total


@jit
def led_colour(view, colour):
    """The colour to be followed; the given one is led if none is yet."""
    for led in range(NUM_COLOURS):
        if view.led[led]:
            return led
    return colour


@jit
def best_on_table(view, led):
    best = 0
    for player in range(view.num_players):
        if view.trick_value[player] == 0:
            continue
        for colour in range(NUM_COLOURS):
            if view.trick_colour[player, colour]:
                best = max(best, power_of(colour, int(view.trick_value[player]), led))
    return best


@jit
def chance_to_stay(view, power, led):
    """That none of those who still play into the trick beats a card of this power."""
    stay = 1.0
    for player in range(1, view.num_players):
        if view.trick_value[player] == 0:
            fraction = fraction_of_better(view, player, power, led)
            eager = view.tricks[player] < view.bid[player]
            stay *= 1.0 - fraction ** (EAGER if eager else SHY)
    return stay


@jit
def fraction_of_better(view, player, power, led):
    """Of the cards that another player may play: how many are better."""
    hand = view.hands[player - 1]
    must_follow = hand[led].any()
    cards, better = 0, 0
    for colour in range(NUM_COLOURS):
        if must_follow and colour != led:
            continue
        for column in range(MAX_VALUE):
            if hand[colour, column]:
                cards += 1
                better += power_of(colour, column + 1, led) > power
    return better / max(cards, 1)
