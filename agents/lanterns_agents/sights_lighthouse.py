"""What a network is told of Lighthouse Architects: the boards that every step and placement leads to.

Positions are the harbour (0) and the islands (1..8); an option is a step of each position's stone, or a placement of
each colour in the harbour; the last is all as it is.  Orders are counted by where they are (lighthouse_places.py), and
kept as bits on the way.
"""

import numpy as np

from lanterns_agents.lighthouse_places import (
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
from lanterns_agents.lighthouse_reach import (
    BEGINS,
    BEGUN,
    BOARD,
    COMING,
    KINDS,
    LAST,
    NEAR,
    NEAR_HARBOUR,
    POSITIONS,
    find_orders,
)
from lanterns_env.compile import jit
from lanterns_env.games.lighthouse.components import (
    EMPTY,
    FIRST_TOWER,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_ISLANDS,
    POINTS,
    STACKS,
    STONES,
    TOP,
    TOWER,
    WITH_TOP,
    WITHOUT_TOP,
)
from lanterns_env.games.lighthouse.encoding import HIDDEN, LAID_BEFORE, ON_PILE, OWN_HAND

OPTIONS = POSITIONS + 1
AS_IT_IS = POSITIONS  # the last option
STACK = TOWER * NUM_COLOURS  # flags of a stack
TURN_ENDS = POINTS + 1  # instead of the points left
LEFT = TURN_ENDS + 1
AROUND = STACK + NUM_WHERE  # of an island: its stones, and the orders it begins
# The columns of an option, from: orders within reach after it and begun, by kind; within the next player's reach after
# one more step and at the end of the turn; a finished one; points left; the stones where it starts and lands; all
# islands, beginning after the one where it starts; orders begun where it lands, and where it starts once it is gone.
AT_REACH = 0
AT_REST = AT_REACH + KINDS * NUM_WHERE
AT_FINISHED = AT_REST + 2 * NUM_WHERE
AT_LEFT = AT_FINISHED + NUM_WHERE
AT_START = AT_LEFT + LEFT
AT_LANDING = AT_START + STACK
AT_ROUND = AT_LANDING + STACK
AT_BEGUN = AT_ROUND + NUM_ISLANDS * AROUND
COLUMNS = AT_BEGUN + 2 * NUM_WHERE
SHAPE = (OPTIONS, COLUMNS)
DTYPE = np.int8

SURE, FAR = 8, 10_000  # an order that can be laid for certain counts as so many that may be; a step that cannot be made
ONES = np.array([bits.bit_count() for bits in range(1 << NUM_CARDS // 2)], np.int8)
HALF, LOWER_HALF = NUM_CARDS // 2, (1 << NUM_CARDS // 2) - 1  # bits that are counted at once
FLAGS = STONES.reshape(len(STACKS), STACK)
ANY_BEGUN = np.bitwise_or.reduce(BEGINS)  # the orders that a stack of one to three stones begins
CERTAIN_PLACES = np.array(CERTAIN)

SCENE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("stacks", np.int64, POSITIONS),
                ("where", np.int64, NUM_WHERE),  # the orders in each place
                ("placing", np.int64),  # a colour is to be placed in the harbour
                ("island", np.int64, POSITIONS),  # where each stone would land, as a position
                ("cost", np.int64, POSITIONS),
                ("raised", np.int64, POSITIONS),  # the stack there then; 0: it cannot land
                ("left", np.int64, OPTIONS),  # points after each option, below 0 where they are too few
                ("changed", np.int64, (OPTIONS, NUM_ISLANDS)),  # orders that come within reach or leave it
                ("now", np.int64, NUM_ISLANDS),  # orders within reach as it is
                ("more", np.int64, NUM_ISLANDS),  # what has changed in a turn that goes on
                ("free", np.int8, POSITIONS),  # steps that it has not taken
            ],
            align=True,
        ),
    )
)


def see_rows(views, sights):
    fill_rows(views, NEAR, NEAR_HARBOUR, sights)


@jit
def fill_rows(views, near, near_harbour, sights):
    scenes, boards = np.zeros(1, SCENE), np.zeros(1, BOARD)
    for row in range(len(sights)):
        look(views[row], scenes[0])
        see_reach(scenes[0], boards[0], near, near_harbour, sights[row])
        see_rest(scenes[0], sights[row])
        see_steps(scenes[0], sights[row])
        see_round(scenes[0], sights[row])


# -- the scene ------------------------------------------------------------------------------------------------


@jit
def look(view, scene):
    scene.placing = view.now[0]
    scene.stacks[0] = EMPTY
    for colour in range(NUM_COLOURS):
        if view.harbour[colour]:
            scene.stacks[0] = WITH_TOP[EMPTY, colour]
    for island in range(NUM_ISLANDS):
        scene.stacks[island + 1] = stack_of(view, island)
    for place in range(NUM_WHERE):
        scene.where[place] = 0
    for card in range(NUM_CARDS):
        scene.where[place_of(view, card)] |= 1 << card
    look_ahead(view, scene)


@jit
def stack_of(view, island):
    stack = EMPTY
    for level in range(TOWER):
        for colour in range(NUM_COLOURS):
            if view.stones[island, level, colour]:
                stack = int(WITH_TOP[stack, colour])
    return stack


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
        return LAID_BY_OTHERS
    if view.proved_buried[card]:
        return BURIED
    return HELD if view.proved_held[card] else UNKNOWN


@jit
def look_ahead(view, scene):
    """LH-11, LH-12: where every stone would land, and for how many points."""
    points = 0
    for number in range(POINTS + 1):
        points += number * int(view.points[number])
    for position in range(POSITIONS):
        skipped = 0
        while skipped < POINTS and scene.stacks[(position + skipped) % NUM_ISLANDS + 1] >= FIRST_TOWER:
            skipped += 1
        island = (position + skipped) % NUM_ISLANDS + 1
        scene.island[position] = island
        scene.cost[position] = 1 + skipped
        scene.left[position] = points - 1 - skipped
        colour = max(0, int(TOP[scene.stacks[position]]))  # of an empty island: any
        scene.raised[position] = max(EMPTY, int(WITH_TOP[scene.stacks[island], colour]))
    scene.left[AS_IT_IS] = 0


@jit
def build(scene, option, board):
    """The stacks after an option."""
    for position in range(POSITIONS):
        board.stacks[position] = scene.stacks[position]
    if option == AS_IT_IS:
        return
    if scene.placing:
        board.stacks[0] = WITH_TOP[EMPTY, option] if option < NUM_COLOURS else EMPTY
        return
    board.stacks[option] = WITHOUT_TOP[scene.stacks[option]]
    board.stacks[scene.island[option]] = scene.raised[option]


# -- what is within reach -------------------------------------------------------------------------------------


@jit
def count(orders):
    return ONES[orders & LOWER_HALF] + ONES[orders >> HALF]


@jit
def tell(orders, where, columns):
    """How many of these orders are in each place."""
    for place in range(NUM_WHERE):
        columns[place] = count(orders & where[place])


@jit
def see_reach(scene, board, near, near_harbour, sights):
    """Of every kind of order, after every option."""
    for option in range(OPTIONS):
        build(scene, option, board)
        find_orders(board, near, near_harbour)
        columns = sights[option, AT_REACH:AT_REST].reshape(KINDS, NUM_WHERE)
        for points in range(POINTS):
            orders = 0
            for island in range(NUM_ISLANDS):
                orders |= board.within[points, island]
            tell(orders, scene.where, columns[points])
        for k in range(BEGUN + len(COMING)):
            tell(board.begun[k], scene.where, columns[POINTS + k])
        for island in range(NUM_ISLANDS):
            scene.changed[option, island] = board.within[LAST, island]
    for island in range(NUM_ISLANDS):
        scene.now[island] = scene.changed[AS_IT_IS, island]
        for option in range(OPTIONS):
            scene.changed[option, island] ^= scene.now[island]


@jit
def see_rest(scene, sights):
    """What the next player would have within reach after one more step, and after all that are left.

    Steps are taken to change what they change by themselves; the one that leaves least for the next player comes next.
    """
    sure = 0
    for place in CERTAIN_PLACES:
        sure |= scene.where[place]
    for option in range(OPTIONS):
        for island in range(NUM_ISLANDS):
            scene.more[island] = scene.changed[option, island]
        for position in range(POSITIONS):
            scene.free[position] = position != option and can_step(scene, position)
        left = int(scene.left[option])
        columns = sights[option, AT_REST:AT_FINISHED].reshape(2, NUM_WHERE)
        left = take_best_step(scene, left, sure)
        tell(reach_after(scene, AS_IT_IS), scene.where, columns[0])
        for _ in range(1, LAST):
            left = take_best_step(scene, left, sure)
        tell(reach_after(scene, AS_IT_IS), scene.where, columns[1])


@jit
def can_step(scene, position):
    stands = scene.stacks[position] != EMPTY and scene.raised[position] != EMPTY
    return stands and scene.left[position] >= 0 and scene.placing == 0


@jit
def reach_after(scene, step):
    """The orders within the next player's reach if this step comes next."""
    orders = 0
    for island in range(NUM_ISLANDS):
        orders |= scene.now[island] ^ (scene.more[island] | scene.changed[step, island])
    return orders


@jit
def take_best_step(scene, left, sure):
    """The points left after it."""
    best, least = -1, FAR
    for position in range(POSITIONS):
        if not scene.free[position] or scene.cost[position] > left:
            continue
        orders = reach_after(scene, position)
        danger = SURE * count(orders & sure) + count(orders & scene.where[UNKNOWN])
        if danger < least:
            best, least = position, danger
    if best < 0:
        return left
    for island in range(NUM_ISLANDS):
        scene.more[island] |= scene.changed[best, island]
    scene.free[best] = False
    return left - int(scene.cost[best])


# -- steps and islands ----------------------------------------------------------------------------------------


@jit
def see_steps(scene, sights):
    """What each step finishes, touches and begins, and the points it leaves."""
    sights[:, AT_FINISHED:AT_ROUND] = 0
    sights[:, AT_BEGUN:] = 0
    sights[AS_IT_IS, AT_LEFT + TURN_ENDS] = 1
    for position in range(POSITIONS):
        columns, stack = sights[position], scene.stacks[position]
        columns[AT_START:AT_LANDING] = FLAGS[stack]
        columns[AT_LANDING:AT_ROUND] = FLAGS[scene.stacks[scene.island[position]]]
        if scene.placing:
            columns[AT_LEFT + TURN_ENDS] = 1
            continue
        columns[AT_LEFT + max(0, scene.left[position])] = 1
        raised = scene.raised[position]
        if raised >= FIRST_TOWER:
            tell(1 << (raised - FIRST_TOWER), scene.where, columns[AT_FINISHED:AT_LEFT])
        tell(ANY_BEGUN[raised], scene.where, columns[AT_BEGUN : AT_BEGUN + NUM_WHERE])
        tell(ANY_BEGUN[WITHOUT_TOP[stack]], scene.where, columns[AT_BEGUN + NUM_WHERE :])


@jit
def see_round(scene, sights):
    """All islands as they lie after each position, seen from there."""
    islands = np.empty((NUM_ISLANDS, AROUND), np.int8)
    for island in range(NUM_ISLANDS):
        stack = scene.stacks[island + 1]
        islands[island, :STACK] = FLAGS[stack]
        tell(ANY_BEGUN[stack], scene.where, islands[island, STACK:])
    for option in range(OPTIONS):
        start = option if option < POSITIONS else 0
        columns = sights[option, AT_ROUND:AT_BEGUN].reshape(NUM_ISLANDS, AROUND)
        for step in range(NUM_ISLANDS):
            columns[step] = islands[(start + step) % NUM_ISLANDS]
