"""Expert play of Lumen: own hands are drawn from the exact belief, and every choice is tried out in all of them.

All players of a drawn world play on by a rule of thumb; the choice after which the game is won most often is
taken.  The draws are the same for the same view, so a decision is a function of view and mask alone.
"""

import numpy as np

from lanterns_agents.lumen.rollout import (
    COLOUR,
    EXTRA_AIM,
    LED,
    NOISE,
    NUM_STYLE,
    OWNER,
    ROUND,
    VALUE,
    begin,
    find_strengths,
    new_trick,
    play_round,
    put,
    take_style,
)
from lanterns_agents.lumen.worlds import WORLD, draw_own, draw_whims, take_in, weigh_others
from lanterns_env.engine.compile import jit
from lanterns_env.engine.rng import generator
from lanterns_env.games.lumen.components import HAND, MAX_PLAYERS, NUM_COLOURS, POINT_UNIT, ROUNDS, TRUMP
from lanterns_env.games.lumen.rules import BID, BIDS, NUM_ACTIONS, PLAYS, round_points

BOUNDS: dict[str, tuple[float, float]] = {
    "trump_top": (0.6, 1.0),
    "trump_fall": (0.5, 1.0),
    "plain_top": (0.2, 1.0),
    "plain_fall": (0.3, 1.0),
    "ruff_fall": (0.3, 1.0),
    "eager": (-1.0, 1.0),
    "shy": (-1.0, 1.0),
    "ruff_eager": (0.0, 1.0),
    "ruff_shy": (0.0, 1.0),
    "doubt_now": (-1.0, 1.0),
    "doubt_later": (-1.0, 1.0),
    "extra_aim": (0.0, 1.0),
    "haste": (-1.0, 1.0),
    "dread": (-1.0, 1.0),
    "whim": (0.0, 1.0),
    "heed": (0.0, 2.0),  # how much others' bids tell of the own hand
    "bid_shift": (-0.7, 0.7),  # what others bid beyond the tricks that they can expect
    "bid_whim": (0.0, 1.5),
    "last_spread": (1.0, 30.0),  # points by which a game is still open in the last round ...
    "spread": (1.0, 30.0),  # ... and more for every round to come
}
NAMES = tuple(BOUNDS)
HEED, BID_SHIFT, BID_WHIM, LAST_SPREAD, SPREAD = range(NUM_STYLE, len(NAMES))

BID_WORLDS, FIRST_WORLDS = 24, 6
EFFORT = 5000  # cards played out for one decision
FEWEST, MOST = 8, 48  # worlds
REACH = 2  # bids tried about the expected tricks
SHARP = 2.0  # points: an action worse by so much has a weight e times smaller
SOME_DOUBT = 1e-12  # no game is won for sure: a lead of 250 points in the last round would be
STREAM = 4
START, TRIED, ROUNDS_AT_ONCE = 0, 1, 2  # the round as it stands, as it goes on with an option


@jit
def choose_rows(views, masks, weights, actions):
    worlds, rounds = np.zeros(1, WORLD), np.zeros(ROUNDS_AT_ONCE, ROUND)
    take_style(rounds[START], weights)
    for k in range(len(actions)):
        actions[k] = choose(views[k], masks[k], worlds[0], rounds, weights)


@jit
def weigh_rows(views, masks, weights, logs):
    worlds, rounds = np.zeros(1, WORLD), np.zeros(ROUNDS_AT_ONCE, ROUND)
    take_style(rounds[START], weights)
    for k in range(len(logs)):
        options, worths = judge(views[k], masks[k], worlds[0], rounds, weights)
        best = worths.max()
        point = worth_of_point(views[k], best, weights)
        logs[k] = -np.inf
        for j in range(len(options)):
            logs[k, options[j]] = (worths[j] - best) / (SHARP * point)


@jit
def choose(view, mask, world, rounds, weights):
    options, worths = judge(view, mask, world, rounds, weights)
    return options[first_best(worths)]


@jit
def judge(view, mask, world, rounds, weights):
    """The actions that come into question, and the chance to win with each."""
    options = options_of(mask)
    if len(options) == 1:
        return options, np.full(1, 0.5)
    take_in(view, world)
    if view.phase == BID:
        options = likely_bids(view, world, rounds[START], options, weights)
        number = BID_WORLDS
    else:
        number = max(FEWEST, min(MOST, EFFORT // (len(options) * int(world.number[0]) * int(view.num_players))))
    return options, try_out(view, world, rounds, options, number, weights)


@jit
def options_of(mask):
    options = np.empty(NUM_ACTIONS, np.int64)
    number = 0
    for action in range(NUM_ACTIONS):
        if mask[action]:
            options[number] = action
            number += 1
    return options[:number]


@jit
def first_best(worths):
    best = 0
    for k in range(1, len(worths)):
        if worths[k] > worths[best] + NOISE:
            best = k
    return best


@jit
def generator_of(view):
    return generator(np.uint64(int(view.round_number) * (HAND + 1) + int(view.tricks_done)), STREAM)


# -- bids -----------------------------------------------------------------------------------------------------


@jit
def likely_bids(view, world, play, options, weights):
    """The bids that are near to the own tricks to be expected."""
    rng = generator_of(view)
    n = int(view.num_players)
    expected = 0.0
    for _ in range(FIRST_WORLDS):
        draw_own(view, world, rng)
        weigh_others(world, n)
        restore(view, world, play, n)
        find_strengths(world, play, n)
        expected += play.expected[0] / FIRST_WORLDS
    near = np.empty(len(options), np.int64)
    number = 0
    for option in options:
        if abs(option % BIDS + 0.5 * (option // BIDS) - expected) <= REACH:
            near[number] = option
            number += 1
    return near[:number] if number > 0 else options[:1]


@jit
def bid_others(view, world, play, n, weights):
    """The bids of all, those to come by the strengths of the hands; how likely these bids are in this world."""
    doubt = 0.0
    for player in range(1, n):
        expected = play.expected[player] + play.tricks[player]
        if view.has_bid[player]:
            play.bid[player] = int(view.bid[player])
            play.extra[player] = int(view.extra[player])
            off = play.bid[player] + weights[EXTRA_AIM] * play.extra[player] - weights[BID_SHIFT] - expected
            doubt += off * off
        else:
            wanted = expected + weights[BID_SHIFT] + weights[BID_WHIM] * world.whim[player, 0] + 0.5
            play.bid[player] = max(0, min(HAND, int(wanted)))
            play.extra[player] = 0
        play.needed[player] = play.bid[player] + weights[EXTRA_AIM] * play.extra[player] - play.tricks[player]
    return np.exp(-weights[HEED] * doubt)


# -- trying out -----------------------------------------------------------------------------------------------


@jit
def try_out(view, world, rounds, options, number, weights):
    """The worth of every option over so many worlds."""
    n = int(view.num_players)
    rng = generator_of(view)
    worths, all_likelihoods = np.zeros(len(options)), 0.0
    for _ in range(number):
        likelihood = draw_world(view, world, rounds[START], n, rng, weights)
        for k in range(len(options)):
            rounds[TRIED] = rounds[START]
            follow_up(view, world, rounds[TRIED], n, int(options[k]), weights)
            worths[k] += likelihood * worth(view, rounds[TRIED], n, weights)
            all_likelihoods += likelihood
    return worths * len(options) / all_likelihoods


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
    begin(world, play, n)
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


@jit
def spread_of(view, weights):
    """Points by which the game is still open."""
    return weights[LAST_SPREAD] + weights[SPREAD] * (ROUNDS - int(view.round_number))


@jit
def worth_of_point(view, chance, weights):
    """What a point more adds to a chance to win."""
    return chance * max(SOME_DOUBT, 1.0 - chance) / spread_of(view, weights)


@jit
def worth(view, play, n, weights):
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
