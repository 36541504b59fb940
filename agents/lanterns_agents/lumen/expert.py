"""Expert play of Lumen: own hands are drawn from the exact belief, and every choice is tried out in all of them.

All players of a drawn world play on by a rule of thumb; the choice after which the game is won most often is
taken.  The draws are the same for the same view, so a decision is a function of view and mask alone.
"""

import numpy as np

from lanterns_agents.lumen.rollout import ROUND, find_strengths, take_style
from lanterns_agents.lumen.trials import (
    ROUNDS_AT_ONCE,
    START,
    TRIED,
    chance_to_win_game,
    draw_world,
    follow_up,
    generator_of,
    restore,
    worth_of_point,
)
from lanterns_agents.lumen.worlds import WORLD, draw_own, take_in, weigh_others
from lanterns_agents.ties import first_best
from lanterns_env.engine.compile import jit
from lanterns_env.games.lumen.rules import BID, BIDS, NUM_ACTIONS

BID_WORLDS, FIRST_WORLDS = 24, 6
EFFORT = 5000  # cards played out for one decision
FEWEST, MOST = 8, 48  # worlds
REACH = 2  # bids tried about the expected tricks
SHARP = 2.0  # points: an action worse by so much is e times less probable


@jit
def choose_rows(views, masks, weights, actions):
    worlds, rounds = np.zeros(1, WORLD), np.zeros(ROUNDS_AT_ONCE, ROUND)
    take_style(rounds[START], weights)
    for k in range(len(actions)):
        actions[k] = choose(views[k], masks[k], worlds[0], rounds, weights)


@jit
def logits_rows(views, masks, weights, logits):
    worlds, rounds = np.zeros(1, WORLD), np.zeros(ROUNDS_AT_ONCE, ROUND)
    take_style(rounds[START], weights)
    for k in range(len(logits)):
        options, worths = evaluate_actions(views[k], masks[k], worlds[0], rounds, weights)
        best = worths.max()
        point = worth_of_point(views[k], best, weights)
        logits[k] = -np.inf
        for j in range(len(options)):
            logits[k, options[j]] = (worths[j] - best) / (SHARP * point)


@jit
def choose(view, mask, world, rounds, weights):
    options, worths = evaluate_actions(view, mask, world, rounds, weights)
    return options[first_best(worths)]


@jit
def evaluate_actions(view, mask, world, rounds, weights):
    """The actions that come into question, and the chance to win with each."""
    options = options_of(mask)
    if len(options) == 1:
        return options, np.full(1, 0.5)
    take_in(view, world)
    if view.phase == BID:
        options = likely_bids(view, world, rounds[START], options)
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


# -- bids -----------------------------------------------------------------------------------------------------


@jit
def likely_bids(view, world, play, options):
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


# -- trying out -----------------------------------------------------------------------------------------------


@jit
def try_out(view, world, rounds, options, number, weights):
    """The chance to win with every option, over so many worlds."""
    n = int(view.num_players)
    rng = generator_of(view)
    worths, all_likelihoods = np.zeros(len(options)), 0.0
    for _ in range(number):
        likelihood = draw_world(view, world, rounds[START], n, rng, weights)
        for k in range(len(options)):
            rounds[TRIED] = rounds[START]
            follow_up(view, world, rounds[TRIED], n, int(options[k]), weights)
            worths[k] += likelihood * chance_to_win_game(view, rounds[TRIED], n, weights)
            all_likelihoods += likelihood
    return worths * len(options) / all_likelihoods
