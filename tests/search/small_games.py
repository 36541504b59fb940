"""Games so small that the best move is known: Nim, a hidden coin, and a door that may be the last."""

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.engine.game import Field, Game, state_dtype
from lanterns_env.engine.rng import DEAL, REDEAL, below, generator

HEAPS, MOST_TAKEN, HIGHEST = 3, 3, 4

NIM = state_dtype({}, ("heaps", np.int16, HEAPS))
NIM_FIELDS = (
    Field("to_move", (), 0, 2, "who is to move, from the viewer"),
    Field("heaps", (HEAPS,), 0, HIGHEST, "sticks"),
)


@jit
def deal_nim(state, num_players, seed):
    rng = generator(seed, DEAL)
    for heap in range(HEAPS):
        state.heaps[heap] = 1 + below(rng, HIGHEST)


@jit
def legal_nim(state, mask):
    mask[:] = 0
    count = 0
    for heap in range(HEAPS):
        for taken in range(1, min(MOST_TAKEN, int(state.heaps[heap])) + 1):
            mask[MOST_TAKEN * heap + taken - 1] = 1
            count += 1
    return count


@jit
def play_nim(state, action):
    state.heaps[action // MOST_TAKEN] -= action % MOST_TAKEN + 1
    if state.heaps.sum() == 0:
        state.over = True
    else:
        state.player = (state.player + 1) % state.num_players


@jit
def observe_nim(state, player, view):
    view.to_move = (int(state.player) - player) % int(state.num_players)
    for heap in range(HEAPS):
        view.heaps[heap] = state.heaps[heap]


@jit
def score_nim(state, points, share):
    """Who takes the last stick wins."""
    points[:] = 0
    share[:] = 0
    points[state.player] = state.over
    share[state.player] = state.over


@jit
def redeal_nim(state, player, seed):
    state.seed = seed


# A coin lies hidden.  The first player calls it, puts that off by a move, or takes the safe part of the win.
HEADS, TAILS, SAFE, LATER = range(4)
SAFE_PART = 0.6
COIN = state_dtype({}, ("coin", np.int8), ("put_off", np.bool_), ("call", np.int8))
COIN_FIELDS = (Field("put_off", (), 0, 1, "the call was put off"), Field("over", (), 0, 1, "the game is over"))


@jit
def deal_coin(state, num_players, seed):
    state.coin = below(generator(seed, DEAL), 2)


@jit
def legal_coin(state, mask):
    mask[:] = 0
    count = 2 if state.put_off else 4
    mask[:count] = 1
    return count


@jit
def play_coin(state, action):
    state.call = action
    state.put_off = action == LATER
    state.over = action != LATER


@jit
def observe_coin(state, player, view):
    view.put_off = state.put_off
    view.over = state.over


@jit
def score_coin(state, points, share):
    points[:] = 0
    share[0] = 1.0 if state.call == state.coin else 0.0
    if state.call == SAFE:
        share[0] = SAFE_PART
    share[1] = 1 - share[0]


@jit
def redeal_coin(state, player, seed):
    state.coin = below(generator(seed, REDEAL), 2)
    state.seed = seed


# Behind a door the game may be over, and the first player wins; or it goes on, and the right one of many keys wins.
OPEN, WAIT, KEYS, RIGHT_KEY = 0, 1, 2, 5
NUM_KEYS = 8
DOOR = state_dtype({}, ("last", np.bool_), ("opened", np.bool_), ("won", np.bool_))
DOOR_FIELDS = (Field("opened", (), 0, 1, "the door is open"), Field("over", (), 0, 1, "the game is over"))


@jit
def deal_door(state, num_players, seed):
    state.last = below(generator(seed, DEAL), 2)


@jit
def legal_door(state, mask):
    mask[:] = 0
    if state.opened:
        mask[KEYS : KEYS + NUM_KEYS] = 1
        return NUM_KEYS
    mask[OPEN] = mask[WAIT] = 1
    return 2


@jit
def play_door(state, action):
    state.won = action == KEYS + RIGHT_KEY or (action == OPEN and state.last)
    state.over = action != OPEN or state.last
    state.opened = action == OPEN


@jit
def observe_door(state, player, view):
    view.opened = state.opened
    view.over = state.over


@jit
def score_door(state, points, share):
    points[:] = 0
    share[0] = state.won
    share[1] = 1 - share[0]


@jit
def redeal_door(state, player, seed):
    """Once the door is open and the game goes on, it was not the last."""
    state.last = not state.opened and below(generator(seed, REDEAL), 2) == 1
    state.seed = seed


def described(view, action):
    return str(action)


def game(name, state, fields, num_actions, players, *verbs):
    names = ("deal", "legal", "play", "observe", "score", "redeal")
    words = {"describe": described, "parse": int, "why_illegal": described, "draw": str}
    return Game(
        name=name,
        title=name.capitalize(),
        version=0,
        players=players,
        default_players=2,
        num_actions=num_actions,
        margin_scale=1.0,
        options={},
        state=state,
        fields=fields,
        **dict(zip(names, verbs, strict=True)),
        **words,
    )


nim_verbs = (deal_nim, legal_nim, play_nim, observe_nim, score_nim, redeal_nim)
coin_verbs = (deal_coin, legal_coin, play_coin, observe_coin, score_coin, redeal_coin)
door_verbs = (deal_door, legal_door, play_door, observe_door, score_door, redeal_door)
NIM_GAME = game("nim", NIM, NIM_FIELDS, HEAPS * MOST_TAKEN, range(2, 4), *nim_verbs)
COIN_GAME = game("coin", COIN, COIN_FIELDS, 4, range(2, 3), *coin_verbs)
DOOR_GAME = game("door", DOOR, DOOR_FIELDS, KEYS + NUM_KEYS, range(2, 3), *door_verbs)
