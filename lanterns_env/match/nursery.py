"""Imported by the process that isolated agents are forked from: what every one of them needs is loaded there once.

No agent is loaded here, and no game of a match is known.
"""

import os

import numpy as np

from lanterns_env.agent import Table
from lanterns_env.engine.batch import Batch
from lanterns_env.games import GAMES

GAME = "LANTERNS_ENV_NURSERY"  # the environment variable that names the game

if os.environ.get(GAME) in GAMES:
    _batch = Batch(os.environ[GAME])
    Table(_batch, [0], [0]).worlds([0]).sample(np.random.default_rng(0))
