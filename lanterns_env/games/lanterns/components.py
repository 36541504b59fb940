"""What lies in the box: tiles, lanterns, dedication tokens."""

import itertools

import numpy as np

COLOURS = ("orange", "green", "purple", "white", "blue", "red", "black")
ORANGE, GREEN, PURPLE, WHITE, BLUE, RED, BLACK = range(7)
NUM_COLOURS = 7
MAX_PLAYERS = 4

# LA-02: four sides each, clockwise seen from above; a star marks a platform.  Tile 0 is the start tile.
TILE_SIDES = """
    blue   red    white  black     green  blue   black  orange    white  black  orange black
    green  green  green  red       orange purple orange orange    red    black  green  purple
    red    green  blue   purple    white  green  orange green*    red    green  black  red
    white  blue   black  blue*     green  red    orange white     blue   purple white  red
    red    green  green  red*      black  purple blue   blue      white  white  red    green
    orange purple white  white*    purple purple red    green*    green  blue   orange blue
    blue   red    black  green     blue   black  white  green     red    black  black  purple*
    red    black  red    orange*   purple blue   purple green*    orange blue   white  orange*
    blue   red    white  black     blue   white  green  purple    orange blue   orange blue*
    black  white  black  white*    purple black  white  orange    red    orange purple white
    purple purple black  purple    orange black  purple red       blue   white  orange red
    blue   purple black  orange    red    white  black  orange    white  green  purple blue
"""
_SIDES = np.array(TILE_SIDES.split()).reshape(-1, 4)
TILES = np.array([[COLOURS.index(side.rstrip("*")) for side in tile] for tile in _SIDES], np.int8)
PLATFORM = np.array([tile[3].endswith("*") for tile in _SIDES], np.uint8)
NUM_TILES = 36  # the start tile among them
LAKE_TILES = NUM_TILES - 1
START_TILE = 0
START_TURN = 1  # LA-03: the start tile's second side, red, faces chair 0

# By number of players 2, 3, 4 (index num_players - 2):
STACK = np.array([5, 7, 8], np.int16)  # LA-05: lanterns of a colour
PLACEMENTS = np.array([11, 9, 8], np.int16)  # LA-30: tiles that every player places
HAND = 3  # LA-04: tiles in a hand
MAX_PILE, MAX_STACK = 20, 8
MAX_BOX = LAKE_TILES - 2  # LA-04: two players who place one tile each leave so many
MAX_LAID = 1 + 4 * 8  # tiles on the table at the end: most with 4 players
MAX_TURNS = 4 * 8 + 4

# LA-07, LA-11: the kinds of dedication, and their tokens from the top by number of players.
FOUR_OF_A_KIND, THREE_PAIRS, SEVEN_DIFFERENT = range(3)
KINDS = ("four of a kind", "three pairs", "seven different")
NUM_KINDS = 3
TOKENS_IN_PILE = np.array([6, 8, 9], np.int16)
TOKEN_VALUES = np.array(
    [
        [[8, 7, 6, 5, 5, 4, 0, 0, 0], [9, 8, 7, 6, 5, 5, 0, 0, 0], [10, 9, 8, 7, 6, 5, 0, 0, 0]],
        [[8, 7, 6, 6, 5, 5, 5, 4, 0], [9, 8, 7, 7, 6, 6, 5, 5, 0], [10, 9, 8, 8, 7, 7, 6, 5, 0]],
        [[8, 7, 7, 6, 6, 5, 5, 5, 4], [9, 8, 8, 7, 7, 6, 6, 5, 5], [10, 9, 9, 8, 8, 7, 7, 6, 5]],
    ],
    np.int16,
)
GENERIC_VALUE = 4  # LA-12: a dedication when the pile is used up
MAX_VALUE = 10
TRIPLES = np.array(list(itertools.combinations(range(NUM_COLOURS), 3)), np.int8)  # of three pairs

EXCHANGE_COST = 2  # LA-10: favors
HAND_LIMIT = 12  # LA-13: lanterns kept when placing
