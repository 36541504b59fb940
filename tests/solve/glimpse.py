"""A coin that both players see at the beginning and not again; then both guess.

Who remembers all it has seen is always right.  Player 1, by what it sees where it decides, knows nothing; player 0, by
its present view alone, neither.
"""

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.engine.game import Field, Game, state_dtype
from lanterns_env.engine.rng import DEAL, below, generator
from lanterns_env.games.deals import Deals

LOOK, GUESS, GUESS_AGAIN = range(3)  # state.step: player 0 looks, player 1 guesses, player 0 guesses
UNKNOWN = 2
SIDES = 4  # of the coin, three of them alike
CHANCES = (0.75, 0.25)

STATE = state_dtype({}, ("coin", np.int8), ("step", np.int16), ("guesses", np.int8, 2))
FIELDS = (Field("coin", (), 0, UNKNOWN, "0 or 1 at the beginning, then 2"), Field("step", (), 0, 3, "moves so far"))


@jit
def deal(state, num_players, seed):
    order = np.array([below(generator(seed, DEAL), SIDES) // (SIDES - 1)])
    deal_cards(state, num_players, order)


@jit
def deal_cards(state, num_players, order):
    state.coin = order[0]


@jit
def legal(state, mask):
    mask[:] = 0
    mask[:2] = 1
    return 2


@jit
def play(state, action):
    state.guesses[state.player] = action
    state.step += 1
    state.player = 1 if state.step == GUESS else 0
    state.over = state.step > GUESS_AGAIN


@jit
def observe(state, player, view):
    view.coin = state.coin if state.step == LOOK else UNKNOWN
    view.step = state.step


@jit
def score(state, points, share):
    """Who alone is right wins."""
    points[:] = 0
    right = 0
    for player in range(2):
        points[player] = state.guesses[player] == state.coin
        right += int(points[player])
    for player in range(2):
        share[player] = points[player] / right if right > 0 else 0.5


@jit
def redeal(state, player, seed):
    state.seed = seed


def deals(num_players, options):
    return Deals(np.array([[0], [1]], np.int16), np.array(CHANCES))


GAME = Game(
    name="glimpse",
    title="Glimpse",
    version=0,
    players=range(2, 3),
    default_players=2,
    num_actions=2,
    margin_scale=1.0,
    options={},
    state=STATE,
    fields=FIELDS,
    deal=deal,
    legal=legal,
    play=play,
    observe=observe,
    score=score,
    redeal=redeal,
    describe=lambda view, action: str(action),
    parse=lambda view, words: int(words),
    why_illegal=lambda view, action: "not now",
    draw=lambda views, color=False: str(views),
    deal_cards=deal_cards,
    deals=deals,
)
