"""What lies on the table of Lighthouse Architects for the features: every option of a turn, and what it leads to."""

import numpy as np

from lanterns_agents.lighthouse.columns import AS_IT_IS, OPTIONS, POSITIONS
from lanterns_agents.lighthouse.order_values import (
    BURIED,
    CERTAIN,
    HELD,
    LAID_BY_NEXT,
    LAID_BY_OTHERS,
    LAID_BY_VIEWER,
    NUM_WHERE,
    OWN,
    PUBLIC,
    UNKNOWN,
)
from lanterns_agents.lighthouse.position import board_of, harbour_of, in_play, points_of
from lanterns_agents.popcount import count
from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import NO_COLOUR, NO_STACK, NUM_CARDS, NUM_COLOURS, NUM_ISLANDS, WITH_TOP
from lanterns_env.games.lighthouse.movement import HARBOUR, destination, lifted, stack_on, stone_at, with_stack
from lanterns_env.games.lighthouse.observation import HIDDEN, LAID_BEFORE, ON_PILE, OWN_HAND
from lanterns_env.games.lighthouse.rules import MOVE, PLACE

ENDS = 64  # places for ends of a turn; a power of two
LIKELY = 0.125  # that an order is in the next player's hand which may be there

SCENE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("where", np.int64, NUM_WHERE),  # the orders in each place
                ("danger", np.float64, NUM_WHERE),  # what it costs if the next player can finish one of these
                ("board", np.int64),
                ("harbour", np.int64),
                ("duty", np.bool_),
                ("placing", np.bool_),  # a colour is to be placed in the harbour
                ("possible", np.int8, OPTIONS),
                ("ends", np.int8, OPTIONS),  # the turn may be over after it, but for a stone in an empty harbour
                ("supply", np.int8, NUM_COLOURS),
                ("island", np.int64, POSITIONS),  # where each stone would land, as a position
                ("cost", np.int64, POSITIONS),
                ("raised", np.int64, POSITIONS),  # the stack there then, or NO_STACK: it cannot land
                ("left", np.int64, OPTIONS),  # points after each option
                ("changed", np.int64, (OPTIONS, NUM_ISLANDS)),  # orders that come within reach or leave it
                ("orders", np.int64, NUM_ISLANDS),  # orders within reach after one of them
                ("now", np.int64, NUM_ISLANDS),  # orders within reach as it is
                ("more", np.int64, NUM_ISLANDS),  # what has changed in a turn that goes on
                ("best", np.int64),  # orders within reach at the end of the turn that leaves least, as bits
                ("met", np.int64, ENDS),  # ends of the turn that have been looked at ...
                ("left_by", np.int64, ENDS),  # ... and the orders within reach there
                ("free", np.int8, POSITIONS),  # steps that it has not taken
            ],
            align=True,
        ),
    )
)


@jit
def set_scene(view, scene):
    scene.board, scene.harbour = board_of(view), harbour_of(view)
    scene.placing, scene.duty = view.now[PLACE] == 1, view.duty == 1
    scene.where[:] = 0
    for card in range(NUM_CARDS):
        scene.where[place_of(view, card)] |= 1 << card
    find_landings(points_of(view) if view.now[MOVE] else 0, scene)
    scene.ends[AS_IT_IS] = scene.placing or view.built == 1
    for colour in range(NUM_COLOURS):
        scene.supply[colour] = view.supply[colour] > 0
        if scene.placing:
            scene.possible[colour] = scene.ends[colour] = scene.supply[colour]


@jit
def set_dangers(stakes, scene):
    """What an order in each place costs the viewer if the next player can finish it."""
    scene.danger[:] = 0.0
    for place in CERTAIN:
        scene.danger[place] = -stakes.losses[place]
    scene.danger[UNKNOWN] = -LIKELY * stakes.losses[UNKNOWN]


@jit
def place_of(view, card):
    if view.order[card, OWN_HAND]:
        return OWN
    if view.order[card, ON_PILE] or view.order[card, ON_PILE + 1]:
        return PUBLIC
    if view.order[card, LAID_BEFORE]:
        return LAID_BY_VIEWER
    if view.order[card, LAID_BEFORE + 1]:
        return LAID_BY_NEXT
    if view.order[card, HIDDEN] == 0:
        return LAID_BY_OTHERS if in_play(view, card) else BURIED
    if view.proved_buried[card]:
        return BURIED
    return HELD if view.proved_held[card] else UNKNOWN


@jit
def find_landings(points, scene):
    """Where every stone would land, and for how many points; which of them can go."""
    for position in range(POSITIONS):
        source = position - 1
        island, cost = destination(scene.board, source)
        colour = stone_at(scene.board, scene.harbour, source)
        scene.island[position] = island + 1
        scene.cost[position] = cost
        scene.left[position] = points - cost
        raised = NO_STACK if colour == NO_COLOUR else int(WITH_TOP[stack_on(scene.board, island), colour])
        scene.raised[position] = raised
        scene.possible[position] = cost <= points and raised != NO_STACK
        scene.ends[position] = cost == points
    scene.left[AS_IT_IS], scene.possible[AS_IT_IS] = 0, True


@jit
def stack_at(scene, position):
    """A stone in the harbour is a stack of one."""
    return scene.harbour + 1 if position == 0 else stack_on(scene.board, position - 1)


@jit
def after_option(scene, option):
    """The board and the harbour stone after an option."""
    if option == AS_IT_IS:
        return scene.board, scene.harbour
    if scene.placing:
        return scene.board, option
    source = option - 1
    board = scene.board if source == HARBOUR else lifted(scene.board, source)
    board = with_stack(board, scene.island[option] - 1, scene.raised[option])
    return board, NO_COLOUR if source == HARBOUR else scene.harbour


# -- orders -------------------------------------------------------------------------------------------------


@jit
def count_by_place(orders, where, columns):
    """How many of these orders are in each place."""
    for place in range(NUM_WHERE):
        columns[place] = count(orders & where[place])


@jit
def on_any_island(orders):
    """Of all islands."""
    found = 0
    for island in range(NUM_ISLANDS):
        found |= orders[island]
    return found


@jit
def danger_of(scene, orders):
    """What the next player could lay counts by what it costs the viewer."""
    danger = scene.danger[UNKNOWN] * count(orders & scene.where[UNKNOWN])
    for place in CERTAIN:
        danger += scene.danger[place] * count(orders & scene.where[place])
    return danger
