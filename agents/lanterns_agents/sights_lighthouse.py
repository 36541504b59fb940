"""What a network is told of Lighthouse Architects: the boards that every step and placement leads to.

Positions are the harbour (0) and the islands (1..8); an option is a step of each position's stone, or a placement of
each colour in the harbour; the last is all as it is.  Orders are counted by where they are (lighthouse_places.py), and
kept as bits on the way.
"""

import numpy as np

from lanterns_agents.bits import count
from lanterns_agents.greedy_lighthouse import board_of, harbour_of, points_of
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
from lanterns_agents.lighthouse_stakes import STAKES, find_stakes
from lanterns_env.compile import jit
from lanterns_env.games.lighthouse.components import (
    EMPTY,
    FIRST_TOWER,
    NO_COLOUR,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_ISLANDS,
    POINTS,
    STACKS,
    STONES,
    TOWER,
    WITH_TOP,
    WITHOUT_TOP,
)
from lanterns_env.games.lighthouse.encoding import HIDDEN, LAID_BEFORE, ON_PILE, OWN_HAND
from lanterns_env.games.lighthouse.movement import destination, stack_on, stone_at

OPTIONS = POSITIONS + 1
AS_IT_IS = POSITIONS  # the last option
STACK = TOWER * NUM_COLOURS  # flags of a stack
TURN_ENDS = POINTS + 1  # instead of the points left
LEFT = TURN_ENDS + 1
AROUND = STACK + NUM_WHERE  # of an island: its stones, and the orders it begins
# The columns of an option, from: orders within reach after it and begun, by kind; within the next player's reach after
# one more step and at the end of the turn; a finished one; points left; the stones where it starts and lands; orders
# begun where it lands, and where it starts once it is gone; what these are worth if the viewer or the next player lays
# them, and what a finished one is worth; at stake: what the next player could finish then, by place and at worst, and
# at the end of the turn; what the viewer could with the points left, and were it his turn again, by place and at best.
AT_REACH = 0
AT_REST = AT_REACH + KINDS * NUM_WHERE
AT_FINISHED = AT_REST + 2 * NUM_WHERE
AT_LEFT = AT_FINISHED + NUM_WHERE
AT_START = AT_LEFT + LEFT
AT_LANDING = AT_START + STACK
AT_BEGUN = AT_LANDING + STACK
AT_WORTH = AT_BEGUN + 2 * NUM_WHERE
AT_STAKE = AT_WORTH + 2 * 2 + 1
BOTH = 2 * NUM_WHERE  # the two extremes come after the places of both
COLUMNS = AT_STAKE + 2 * (BOTH + 2)
# After all options, in as many columns: the islands; the viewer's chance to win, and what is at stake by place.
ROUND = NUM_ISLANDS * AROUND
IN_ALL = 1 + 2 * NUM_WHERE
ROWS = OPTIONS + 1
WIDTH = ROWS * COLUMNS
UNIT = 0.25  # chances to win seldom differ by more

SURE = 8  # an order that can be laid for certain counts as so many that may be
FLAGS = STONES.reshape(len(STACKS), STACK).astype(np.float32)
ANY_BEGUN = np.bitwise_or.reduce(BEGINS)  # the orders that a stack of one to three stones begins

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
    """What is told of each view.  (The tables are arguments: constants are kept with the compiled code.)"""
    fill_rows(views, NEAR, NEAR_HARBOUR, sights)


@jit
def fill_rows(views, near, near_harbour, sights):
    scenes, boards, all_stakes = np.zeros(1, SCENE), np.zeros(1, BOARD), np.zeros(1, STAKES)
    for row in range(len(sights)):
        scene, stakes = scenes[0], all_stakes[0]
        options, rest = sights[row, : OPTIONS * COLUMNS].reshape(OPTIONS, COLUMNS), sights[row, OPTIONS * COLUMNS :]
        look(views[row], scene)
        find_stakes(views[row], stakes)
        see_reach(scene, boards[0], near, near_harbour, options)
        see_rest(scene, options)
        see_steps(scene, options)
        see_stakes(scene, stakes, options)
        rest[:] = 0.0
        see_islands(scene, rest[:ROUND])
        tell_stakes(stakes, rest[ROUND : ROUND + IN_ALL])


# -- the scene ------------------------------------------------------------------------------------------------


@jit
def look(view, scene):
    board, harbour = board_of(view), harbour_of(view)
    scene.placing = view.now[0]
    scene.stacks[0] = EMPTY if harbour == NO_COLOUR else int(WITH_TOP[EMPTY, harbour])
    for island in range(NUM_ISLANDS):
        scene.stacks[island + 1] = stack_on(board, island)
    scene.where[:] = 0
    for card in range(NUM_CARDS):
        scene.where[place_of(view, card)] |= 1 << card
    look_ahead(board, harbour, points_of(view), scene)


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
def look_ahead(board, harbour, points, scene):
    """Where every stone would land, and for how many points; of an empty position: one of the first colour."""
    for position in range(POSITIONS):
        source = position - 1
        island, cost = destination(board, source)
        colour = max(0, stone_at(board, harbour, source))
        scene.island[position] = island + 1
        scene.cost[position] = cost
        scene.left[position] = points - cost
        scene.raised[position] = max(EMPTY, int(WITH_TOP[stack_on(board, island), colour]))
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
    for place in CERTAIN:
        sure |= scene.where[place]
    for option in range(OPTIONS):
        for island in range(NUM_ISLANDS):
            scene.more[island] = scene.changed[option, island]
        for position in range(POSITIONS):
            scene.free[position] = position != option and may_go(scene, position)
        left = int(scene.left[option])
        columns = sights[option, AT_REST:AT_FINISHED].reshape(2, NUM_WHERE)
        left = take_best_step(scene, left, sure)
        tell(reach_after(scene, AS_IT_IS), scene.where, columns[0])
        for _ in range(1, LAST):
            left = take_best_step(scene, left, sure)
        tell(reach_after(scene, AS_IT_IS), scene.where, columns[1])


@jit
def may_go(scene, position):
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
    best, least = -1, 0
    for position in range(POSITIONS):
        if not scene.free[position] or scene.cost[position] > left:
            continue
        orders = reach_after(scene, position)
        danger = SURE * count(orders & sure) + count(orders & scene.where[UNKNOWN])
        if best < 0 or danger < least:
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
    sights[:, AT_FINISHED:AT_WORTH] = 0
    sights[AS_IT_IS, AT_LEFT + TURN_ENDS] = 1
    for position in range(POSITIONS):
        columns, stack = sights[position], scene.stacks[position]
        columns[AT_START:AT_LANDING] = FLAGS[stack]
        columns[AT_LANDING:AT_BEGUN] = FLAGS[scene.stacks[scene.island[position]]]
        if scene.placing:
            columns[AT_LEFT + TURN_ENDS] = 1
            continue
        columns[AT_LEFT + max(0, scene.left[position])] = 1
        raised = scene.raised[position]
        if raised >= FIRST_TOWER:
            tell(1 << (raised - FIRST_TOWER), scene.where, columns[AT_FINISHED:AT_LEFT])
        tell(ANY_BEGUN[raised], scene.where, columns[AT_BEGUN : AT_BEGUN + NUM_WHERE])
        tell(ANY_BEGUN[WITHOUT_TOP[stack]], scene.where, columns[AT_BEGUN + NUM_WHERE : AT_WORTH])


@jit
def see_islands(scene, sights):
    for island in range(NUM_ISLANDS):
        stack, columns = scene.stacks[island + 1], sights[island * AROUND : (island + 1) * AROUND]
        columns[:STACK] = FLAGS[stack]
        tell(ANY_BEGUN[stack], scene.where, columns[STACK:])


# -- what is at stake -----------------------------------------------------------------------------------------


@jit
def worth_of(counts, stakes):
    """Of orders in each place."""
    total = 0.0
    for place in range(NUM_WHERE):
        total += counts[place] * stakes[place]
    return total / UNIT


@jit
def see_stakes(scene, stakes, sights):
    for option in range(OPTIONS):
        columns = sights[option]
        begun = columns[AT_BEGUN:AT_WORTH].reshape(2, NUM_WHERE)
        for k in range(2):
            columns[AT_WORTH + 2 * k] = worth_of(begun[k], stakes.gains)
            columns[AT_WORTH + 2 * k + 1] = worth_of(begun[k], stakes.losses)
        columns[AT_WORTH + 4] = worth_of(columns[AT_FINISHED:AT_LEFT], stakes.gains)
        reach = columns[AT_REACH:AT_REST].reshape(KINDS, NUM_WHERE)
        at_end = columns[AT_FINISHED - NUM_WHERE : AT_FINISHED]
        feared, hoped = columns[AT_STAKE : AT_STAKE + BOTH + 2], columns[AT_STAKE + BOTH + 2 :]
        feared[BOTH], _ = put_at_stake(reach[LAST], stakes.losses, feared[:NUM_WHERE])
        feared[BOTH + 1], _ = put_at_stake(at_end, stakes.losses, feared[NUM_WHERE:BOTH])
        points = 0 if scene.placing else scene.left[option]
        hoped[:NUM_WHERE] = hoped[BOTH] = 0.0
        if points > 0:
            _, hoped[BOTH] = put_at_stake(reach[points - 1], stakes.gains, hoped[:NUM_WHERE])
        _, hoped[BOTH + 1] = put_at_stake(reach[LAST], stakes.gains, hoped[NUM_WHERE:BOTH])


@jit
def put_at_stake(counts, stakes, found):
    """What is at stake in the places where there are any of these orders; the least and the most of it."""
    least = most = 0.0  # nothing is at stake in some place
    for place in range(NUM_WHERE):
        at_stake = stakes[place] / UNIT if counts[place] > 0 else 0.0
        found[place] = at_stake
        least, most = min(least, at_stake), max(most, at_stake)
    return least, most


@jit
def tell_stakes(stakes, found):
    found[0] = stakes.chance
    for place in range(NUM_WHERE):
        found[1 + place] = stakes.gains[place] / UNIT
        found[1 + NUM_WHERE + place] = stakes.losses[place] / UNIT
