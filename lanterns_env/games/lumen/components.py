"""What lies in the box: cards of five colours, plus cards, tip stones and extra stones."""

import numpy as np

COLOURS = ("yellow", "red", "green", "blue", "purple")
NUM_COLOURS = 5
TRUMP = 0  # LU-03: yellow
MAX_VALUE = 12
NUM_CARDS = NUM_COLOURS * MAX_VALUE  # card = MAX_VALUE * colour + value - 1, for every number of players
MIN_PLAYERS, MAX_PLAYERS = 3, 5
HAND = 10  # cards dealt to each player, and tricks of a round
UNDEALT = 10  # LU-02: cards left over, for every number of players
ROUNDS = 4

# By number of players 3, 4, 5 (index num_players - MIN_PLAYERS):
TOP_VALUE = np.array([8, 10, 12], np.int16)  # LU-02: the highest value of every colour

# LU-42, LU-43: points
EXACT_POINTS, EXTRA_POINTS, LOSS_POINTS = 10, 5, 5  # each round, each round, each trick off
POINT_UNIT = 5  # every score is a multiple
BEADS = 15  # tip stones in the box: a limit only with the option bead_limit (LU-A1)
