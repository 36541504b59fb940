"""What lies in the box: stones, islands, order cards; and the stacks that stones can form."""

import itertools

import numpy as np

COLOURS = ("red", "white", "black")
NUM_COLOURS = 3
STONES_OF_A_COLOUR = 6  # LH-03
NUM_ISLANDS = 8
MAX_PLAYERS = 4
POINTS = 4  # LH-10: of a turn
TOWER = 4  # LH-11: stones of a full island

# LH-13, LH-14: all stacks that may ever stand on an island, bottom first: by height, then by colours.
# An island is the number of its stack: 0 is empty, the last 24 are the towers in the order of the cards.
STACKS = [
    stack
    for height in range(TOWER + 1)
    for stack in itertools.product(range(NUM_COLOURS), repeat=height)
    if all(lower != upper for lower, upper in itertools.pairwise(stack))
]
NUM_STACKS = len(STACKS)
EMPTY = 0
NO_STACK = -1
NUM_CARDS = 24  # LH-04: one for every tower
FIRST_TOWER = NUM_STACKS - NUM_CARDS
CARDS = np.array(STACKS[FIRST_TOWER:], np.int8)  # colours, bottom first
# [height] the first stack of so many stones; the last is one past all stacks.  Where towers are lower (LH-81) the
# orders are the stacks of that height in the same way.
FIRST_OF_HEIGHT = np.array([sum(len(stack) < height for stack in STACKS) for height in range(TOWER + 2)])

NO_COLOUR = -1
TOP = np.array([stack[-1] if stack else NO_COLOUR for stack in STACKS], np.int8)
WITHOUT_TOP = np.array([STACKS.index(stack[:-1]) for stack in STACKS], np.int8)
WITH_TOP = np.array(
    [
        [STACKS.index(more) if (more := (*stack, colour)) in STACKS else NO_STACK for colour in range(NUM_COLOURS)]
        for stack in STACKS
    ],
    np.int8,
)
STONES = np.zeros((NUM_STACKS, TOWER, NUM_COLOURS), np.int8)  # which stones a stack is made of, as flags
for _number, _stack in enumerate(STACKS):
    for _level, _colour in enumerate(_stack):
        STONES[_number, _level, _colour] = 1
COUNTS = STONES.sum(axis=1, dtype=np.int16)  # [stacks, colours] the stones of each colour in a stack
HEIGHT = COUNTS.sum(axis=1, dtype=np.int8)
PALETTE = np.array([max(stack, default=NO_COLOUR) + 1 for stack in STACKS], np.int8)  # colours that a stack needs

HAND = 3  # LH-05: private orders of a player
NUM_PILES = 2  # LH-06: of public orders
MAX_PILE = 9  # with 2 players; LH-88: smaller games have no more
# Nobody can have more before him than all that lie open.  The first empty hand ends the game, so one order at
# least is still hidden: in another hand, or in both when the last public order goes.
MAX_LAID = 22
