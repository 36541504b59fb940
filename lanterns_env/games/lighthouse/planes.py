"""Lighthouse Architects as an image: stacks side by side, the top of the image at the top of the stacks.

Column 0 is the harbour, columns 1 to 8 are the islands as they lie clockwise, then come the 24 orders, each drawn as
the tower that it asks for: a filter of one whole column reads islands and orders alike.
"""

from lanterns_env.engine.compile import jit
from lanterns_env.engine.planes import Plane, Planes
from lanterns_env.games.lighthouse.components import (
    MAX_PLAYERS,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_ISLANDS,
    STONES,
    TOWER,
)
from lanterns_env.games.lighthouse.movement import first_tower, num_islands
from lanterns_env.games.lighthouse.observation import FIELDS, NUM_PLACES, missing

FIRST_ISLAND = 1  # columns; the harbour is the one before
FIRST_ORDER = FIRST_ISLAND + NUM_ISLANDS
WIDTH = FIRST_ORDER + NUM_CARDS

HARBOUR = NUM_COLOURS  # planes; before it those of the colours
ISLAND, ORDER = HARBOUR + 1, HARBOUR + 2
CLAIM = ORDER + NUM_PLACES
BURIED, HELD, HOLDER = CLAIM + 1, CLAIM + 2, CLAIM + 3

BOARD = (
    Plane("stone", (NUM_COLOURS,), 0, 1, "stones by colour, of the stack or of the tower that the order asks for"),
    Plane("harbour_column", (), 0, 1, "the column of the harbour, always"),
    Plane("island_columns", (), 0, 1, "the columns of the islands, always"),
    Plane("order", (NUM_PLACES,), 0, 1, "columns of orders: own hand, top of a pile (2), laid by (4), hidden"),
    Plane("claim", (), 0, 1, "columns of the order to be claimed or declined, and of the island of its tower"),
    Plane("proved_buried", (), 0, 1, "columns of hidden orders that must lie below the top of a pile"),
    Plane(
        "proved_held", (), 0, 1, "columns of hidden orders that must be in another hand; own ones known to be in one"
    ),
    Plane("proved_holder", (MAX_PLAYERS,), 0, 1, "and in whose; the viewer: own orders that all know of"),
)
DRAWN = frozenset(
    ("stones", "harbour", "order", "claim_order", "claim_island", "proved_buried", "proved_held", "proved_holder")
)


@jit
def draw(views, images):
    for i in range(len(views)):
        lacks = missing(views[i])
        draw_stacks(views[i], images[i], num_islands(lacks))
        for card in range(NUM_CARDS):
            draw_order(views[i], images[i, :, :, FIRST_ORDER + card], card, first_tower(lacks))


@jit
def draw_stacks(view, image, islands):
    image[HARBOUR, :, 0] = 1
    image[ISLAND, :, FIRST_ISLAND : FIRST_ISLAND + islands] = 1
    for colour in range(NUM_COLOURS):
        image[colour, TOWER - 1, 0] = view.harbour[colour]
        for island in range(NUM_ISLANDS):
            for level in range(TOWER):
                image[colour, TOWER - 1 - level, FIRST_ISLAND + island] = view.stones[island, level, colour]
    for island in range(NUM_ISLANDS):
        image[CLAIM, :, FIRST_ISLAND + island] = view.claim_island[island]


@jit
def draw_order(view, column, card, first):
    if not view.order[card].any():  # LH-84: it is not in play
        return
    for level in range(TOWER):
        for colour in range(NUM_COLOURS):
            column[colour, TOWER - 1 - level] = STONES[first + card, level, colour]
    for place in range(NUM_PLACES):
        column[ORDER + place] = view.order[card, place]
    column[CLAIM] = view.claim_order[card]
    column[BURIED] = view.proved_buried[card]
    column[HELD] = view.proved_held[card]
    for step in range(MAX_PLAYERS):
        column[HOLDER + step] = view.proved_holder[step, card]


PLANES = Planes(FIELDS, BOARD, TOWER, WIDTH, draw, DRAWN)
