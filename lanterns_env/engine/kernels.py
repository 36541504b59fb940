"""The compiled loops over rows: templates over the names of a game's verbs, and what is alike for all games."""

from functools import cache
from typing import Any

import numpy as np

from lanterns_env.engine.compile import jit, template
from lanterns_env.engine.rng import PLAY_OUT, draw, generator, next_seed, row_seed

OUTCOME, MARGIN, POINTS = range(3)  # kinds of reward
WORD_BYTES = 8
LOW_BYTE = np.uint64(0xFF)


def mask_width(num_actions: int) -> int:
    """How long the row of a mask is: filled up to whole words."""
    return -(-num_actions // WORD_BYTES) * WORD_BYTES


@cache
def report_dtype(max_players: int) -> np.dtype[Any]:
    """What a step reports of each row, beside view and mask."""
    fields = [
        ("rewards", np.float32, max_players),
        ("player", np.int16),  # the seat to move; once over, the seat that moved last
        ("legal", np.int32),  # how many actions it may take
        ("over", np.bool_),  # the last step ended the game
        ("truncated", np.bool_),
        ("named", np.bool_),  # while a step is checked: this row has its action
        ("ended", np.bool_),  # the last step ended a game of this row; what follows is of it
        ("length", np.int32),  # decisions of the present game
        ("last_length", np.int32),
        ("last_seed", np.uint64),
        ("last_points", np.float32, max_players),
        ("last_shares", np.float32, max_players),
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


@template
def step_rows(states, views, masks, reports, blank, rows, actions, reward):
    """Play one action a row.  The position of the first that cannot be played, else -1; all or nothing.

    ``blank`` is what a finished game is dealt anew from; if it is empty, the game stays.
    """
    bad = first_bad(masks, reports, rows, actions)
    if bad >= 0:
        return bad
    for i in range(len(states)):
        reports[i].rewards[:] = 0
        reports[i].over = states[i].over
        reports[i].truncated = states[i].truncated
        reports[i].ended = False
    points = np.zeros((2, max_players), np.float32)
    share = np.zeros(max_players, np.float32)
    for k in range(len(rows)):
        i = rows[k]
        state = states[i]
        if reward == POINTS:
            score(state, points[0], share)
        play(state, actions[k])
        reports[i].length += 1
        if reward == POINTS or state.over:
            score(state, points[1], share)
            pay(state, reward, points, share, reports[i].rewards)
        reports[i].over = state.over
        reports[i].truncated = state.truncated
        if state.over:
            keep(state, reports[i], points[1], share)
            if len(blank) > 0:
                deal_row(states, i, blank, next_seed(state.seed))
                reports[i].length = 0
        show(states, i, views, masks, reports)
    return -1


@jit
def keep(state, report, points, share):
    """The record of a game that has ended."""
    report.ended = True
    report.last_seed = state.seed
    report.last_length = report.length
    report.last_points[:] = points
    report.last_shares[:] = share


@template
def pay(state, reward, points, share, rewards):
    """The rewards of a step, of the kind asked for; points before and after it."""
    n = int(state.num_players)
    for player in range(n):
        if reward == OUTCOME:
            rewards[player] = (n * share[player] - 1) / (n - 1)
        elif reward == POINTS:
            rewards[player] = points[1, player] - points[0, player]
        else:
            best = np.float32(-np.inf)
            for other in range(n):
                if other != player:
                    best = max(best, points[1, other])
            rewards[player] = (points[1, player] - best) / margin_scale


@template
def show(states, i, views, masks, reports):
    """Write what the seat to move is shown."""
    state = states[i]
    observe(state, int(state.player), views[i])
    reports[i].player = state.player
    if state.over:
        masks[i, :] = 0
        reports[i].legal = 0
    else:
        reports[i].legal = legal(state, masks[i])


@template
def show_rows(states, views, masks, reports):
    for i in range(len(states)):
        show(states, i, views, masks, reports)


@template
def deal_row(states, i, blank, seed):
    num_players = int(states[i].num_players)
    states[i] = blank[0]
    state = states[i]
    state.seed = seed
    state.num_players = num_players
    deal(state, num_players, seed)


@template
def deal_rows(states, views, masks, reports, blank, rows, seeds):
    for k in range(len(rows)):
        i = rows[k]
        deal_row(states, i, blank, seeds[k])
        reports[i].rewards[:] = 0
        reports[i].over = False
        reports[i].truncated = False
        reports[i].ended = False
        reports[i].length = 0
        show(states, i, views, masks, reports)


@template
def deal_orders(states, orders):
    """Set up the deal of each order in a blank state that holds the number of players and the options."""
    for i in range(len(states)):
        deal_cards(states[i], int(states[i].num_players), orders[i])


@template
def observe_rows(states, rows, seats, views):
    for k in range(len(rows)):
        observe(states[rows[k]], seats[k], views[k])


@template
def redeal_rows(sources, rows, seats, seeds, states, views, masks, reports):
    for k in range(len(rows)):
        states[k] = sources[rows[k]]
        redeal(states[k], seats[k], seeds[k])
        reports[k].over = states[k].over
        reports[k].truncated = states[k].truncated
        show(states, k, views, masks, reports)


@template
def score_rows(states, points, shares):
    for i in range(len(states)):
        score(states[i], points[i], shares[i])


@template
def random_rollouts_rows(states, scratch, words, seed, points, shares):
    """Play a copy of every game to its end with uniformly random legal actions."""
    rng = generator(seed, PLAY_OUT)
    mask = words.view(np.int8)
    for i in range(len(states)):
        scratch[0] = states[i]
        state = scratch[0]
        while not state.over:
            count = legal(state, mask)
            play(state, pick(words, (draw(rng) * count) >> 32))
        score(state, points[i], shares[i])


@template
def all_sound(states, mask):
    """Whether every state is one that play may go on from: sound, and with a legal action unless it is over."""
    for i in range(len(states)):
        if not sound(states[i]):
            return False
        if not states[i].over and legal(states[i], mask) == 0:
            return False
    return True


@template
def belief_of(states, i, seat, probabilities):
    belief(states[i], seat, probabilities)


@jit
def first_bad(masks, reports, rows, actions):
    """The position of the first row or action that cannot be played, -1 if there is none."""
    bad = -1
    checked = 0
    for k in range(len(rows)):
        i = rows[k]
        if i < 0 or i >= len(reports) or reports[i].named:
            bad = k
            break
        action = actions[k]
        if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
            bad = k
            break
        reports[i].named = True
        checked += 1
    for k in range(checked):
        reports[rows[k]].named = False
    return bad


@jit
def pick(words, k):
    """The index of the k-th set byte of a mask, the mask read eight bytes at a time."""
    for j in range(len(words)):
        word = words[j]
        if word == 0:
            continue
        ones = word + (word >> np.uint64(32))
        ones = ones + (ones >> np.uint64(16))
        count = np.int64((ones + (ones >> np.uint64(8))) & LOW_BYTE)
        if k >= count:
            k -= count
            continue
        for byte in range(8):
            if (word >> np.uint64(8 * byte)) & LOW_BYTE != 0:
                if k == 0:
                    return 8 * j + byte
                k -= 1
    return -1


@jit
def sample_rows(words, reports, rows, draws, actions):
    """One uniformly random legal action a row, -1 where there is none."""
    for k in range(len(rows)):
        count = int(reports[rows[k]].legal)
        actions[k] = pick(words[rows[k]], (draws[k] * count) >> 32) if count > 0 else -1


@jit
def row_seeds(seed, seeds):
    for row in range(len(seeds)):
        seeds[row] = row_seed(seed, row)


@jit
def next_seeds(seeds, following):
    for row in range(len(seeds)):
        following[row] = next_seed(seeds[row])
