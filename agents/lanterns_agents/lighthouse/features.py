"""What a network is told of Lighthouse Architects: the boards that every step and placement leads to.

Positions are the harbour (0) and the islands (1..8); an option is a step of each position's stone, or a placement of
each colour in the harbour; the last is all as it is.  Of an option that is not possible nothing is told.  Orders are
counted by where they are (lighthouse_places.py), and kept as bits on the way.
"""

import numpy as np

from lanterns_agents.lighthouse.greedy import board_of, harbour_of, points_of
from lanterns_agents.lighthouse.order_values import STAKES, find_stakes
from lanterns_agents.lighthouse.places import (
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
from lanterns_agents.lighthouse.reachable import BEGINS, BEGUN, NEAR, REACH, find_orders
from lanterns_agents.lighthouse.turn import Turn, folded, stepped
from lanterns_agents.popcount import count
from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import (
    FIRST_TOWER,
    NO_COLOUR,
    NO_STACK,
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
from lanterns_env.games.lighthouse.movement import (
    BITS,
    HARBOUR,
    destination,
    lifted,
    stack_on,
    step_cost,
    stone_at,
    with_stack,
)
from lanterns_env.games.lighthouse.observation import HIDDEN, LAID_BEFORE, ON_PILE, OWN_HAND
from lanterns_env.games.lighthouse.rules import MOVE, PLACE

POSITIONS = 1 + NUM_ISLANDS
OPTIONS = POSITIONS + 1
AS_IT_IS = POSITIONS  # the last option
STACK = TOWER * NUM_COLOURS  # flags of a stack
TURN_ENDS = POINTS + 1  # instead of the points left
LEFT = TURN_ENDS + 1
AROUND = STACK + NUM_WHERE  # of an island: its stones, and the orders it begins
# Orders that can be finished in a whole turn and with the points left, and those that stacks begin.
WHOLE_TURN, POINTS_LEFT, FIRST_BEGUN = range(3)
KINDS = FIRST_BEGUN + BEGUN
# The columns of an option, from: these kinds of orders after it; within the next player's reach after one more step
# and at the end of the turn; a finished one; points left; the stones where it starts and lands; orders begun where it
# lands, and where it starts once it is gone; what these are worth if the viewer or the next player lays them, and what
# a finished one is worth; at stake: what the next player could finish then, by place and at worst, and at the end of
# the turn; what the viewer could with the points left, and were it his turn again, by place and at best.
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
# After all options, in two rows of as many columns: the islands; the viewer's chance to win, and what is at stake by
# place.
ROUND = NUM_ISLANDS * AROUND
IN_ALL = 1 + 2 * NUM_WHERE
ROWS = OPTIONS + 2
WIDTH = ROWS * COLUMNS
UNIT = 0.25  # chances to win seldom differ by more

ENDS = 64  # places for ends of a turn; a power of two
LIKELY = 0.125  # that an order is in the next player's hand which may be there
FLAGS = STONES.reshape(len(STACKS), STACK).astype(np.float32)
ANY_BEGUN = np.bitwise_or.reduce(BEGINS)  # the orders that a stack of one to three stones begins

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


def compute_rows(views, features):
    """What is told of each view.  (The table is an argument: constants are kept with the compiled code.)"""
    fill_rows(views, NEAR, features)


@jit
def fill_rows(views, near, features):
    scenes, reaches, all_stakes = np.zeros(1, SCENE), np.zeros(1, REACH), np.zeros(1, STAKES)
    for row in range(len(features)):
        scene, stakes = scenes[0], all_stakes[0]
        options, rest = features[row, : OPTIONS * COLUMNS].reshape(OPTIONS, COLUMNS), features[row, OPTIONS * COLUMNS :]
        look(views[row], scene)
        find_stakes(views[row], stakes)
        fear(stakes, scene)
        options[:] = rest[:] = 0.0
        see_reach(scene, reaches[0], near, options)
        see_rest(scene, reaches[0], near, options)
        see_steps(scene, options)
        see_stakes(scene, stakes, options)
        see_islands(scene, rest[:ROUND])
        tell_stakes(stakes, rest[ROUND : ROUND + IN_ALL])


# -- the scene ------------------------------------------------------------------------------------------------


@jit
def look(view, scene):
    scene.board, scene.harbour = board_of(view), harbour_of(view)
    scene.placing, scene.duty = view.now[PLACE] == 1, view.duty == 1
    scene.where[:] = 0
    for card in range(NUM_CARDS):
        scene.where[place_of(view, card)] |= 1 << card
    look_ahead(points_of(view) if view.now[MOVE] else 0, scene)
    scene.ends[AS_IT_IS] = scene.placing or view.built == 1
    for colour in range(NUM_COLOURS):
        scene.supply[colour] = view.supply[colour] > 0
        if scene.placing:
            scene.possible[colour] = scene.ends[colour] = scene.supply[colour]


@jit
def fear(stakes, scene):
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
        return LAID_BY_OTHERS
    if view.proved_buried[card]:
        return BURIED
    return HELD if view.proved_held[card] else UNKNOWN


@jit
def look_ahead(points, scene):
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
def after(scene, option):
    """The board and the harbour stone after an option."""
    if option == AS_IT_IS:
        return scene.board, scene.harbour
    if scene.placing:
        return scene.board, option
    source = option - 1
    board = scene.board if source == HARBOUR else lifted(scene.board, source)
    board = with_stack(board, scene.island[option] - 1, scene.raised[option])
    return board, NO_COLOUR if source == HARBOUR else scene.harbour


# -- what is within reach -------------------------------------------------------------------------------------


@jit
def tell(orders, where, columns):
    """How many of these orders are in each place."""
    for place in range(NUM_WHERE):
        columns[place] = count(orders & where[place])


@jit
def see_reach(scene, reach, near, features):
    """Of every kind of order, after every option."""
    for option in range(OPTIONS - 1, -1, -1):
        if scene.possible[option]:
            board, harbour = after(scene, option)
            columns = features[option, AT_REACH:AT_REST].reshape(KINDS, NUM_WHERE)
            find_whole_turn(scene, board, harbour, scene.ends[option], near, reach)
            tell(all_of(scene.orders), scene.where, columns[WHOLE_TURN])
            for island in range(NUM_ISLANDS):
                scene.now[island] = scene.orders[island] if option == AS_IT_IS else scene.now[island]
                scene.changed[option, island] = scene.orders[island] ^ scene.now[island]
            if scene.left[option] > 0:
                find_orders(board, harbour, scene.left[option], scene.duty and option > 0, near, reach)
                tell(all_of(reach.orders), scene.where, columns[POINTS_LEFT])
            see_begun(board, harbour, scene.where, columns[FIRST_BEGUN:])


@jit
def find_whole_turn(scene, board, harbour, ends, near, reach):
    """What the next player could finish, once a stone is in the harbour: at the end of a turn that which helps least.

    Earlier in a turn it is not tried out which: it will take a point.
    """
    if harbour != NO_COLOUR or not scene.supply.any():
        keep_orders(scene, board, harbour, POINTS, near, reach)
    elif not ends:
        keep_orders(scene, board, harbour, POINTS - 1, near, reach)
    else:
        least = np.inf
        for colour in range(NUM_COLOURS):
            if scene.supply[colour] and least > 0.0:  # nothing leaves less than nothing
                find_orders(board, colour, POINTS, False, near, reach)
                danger = danger_of(scene, all_of(reach.orders))
                if danger < least:
                    least, scene.orders = danger, reach.orders


@jit
def keep_orders(scene, board, harbour, points, near, reach):
    find_orders(board, harbour, points, False, near, reach)
    scene.orders = reach.orders


@jit
def danger_of(scene, orders):
    """What the next player could lay counts by what it costs the viewer."""
    danger = scene.danger[UNKNOWN] * count(orders & scene.where[UNKNOWN])
    for place in CERTAIN:
        danger += scene.danger[place] * count(orders & scene.where[place])
    return danger


@jit
def all_of(orders):
    """Of all islands."""
    found = 0
    for island in range(NUM_ISLANDS):
        found |= orders[island]
    return found


@jit
def see_begun(board, harbour, where, columns):
    for height in range(BEGUN):
        orders = BEGINS[height, harbour + 1]  # as in stack_at()
        for island in range(NUM_ISLANDS):
            orders |= BEGINS[height, stack_on(board, island)]
        tell(orders, where, columns[height])


@jit
def see_rest(scene, reach, near, features):
    """What the next player would have within reach after one more step, and after all that are left.

    The last step is tried out.  Earlier ones are taken to change what they change by themselves; that which leaves
    least for the next player comes next.
    """
    scene.met[:] = -1
    for option in range(OPTIONS):
        if not scene.possible[option]:
            continue
        left = scene.left[option]
        columns = features[option, AT_REST:AT_FINISHED].reshape(2, NUM_WHERE)
        if left == 1:
            find_last_step(scene, option, reach, near)
            tell(scene.best, scene.where, columns[0])
            columns[1] = columns[0]
            continue
        begin_rest(scene, option)
        left = take_best_step(scene, left)
        tell(reach_after(scene, AS_IT_IS), scene.where, columns[0])
        for _ in range(2, POINTS):
            left = take_best_step(scene, left)
        tell(reach_after(scene, AS_IT_IS), scene.where, columns[1])


@jit
def begin_rest(scene, option):
    for island in range(NUM_ISLANDS):
        scene.more[island] = scene.changed[option, island]
    for position in range(POSITIONS):
        scene.free[position] = position != option and scene.possible[position] and not scene.placing


@jit
def find_last_step(scene, option, reach, near):
    """The last step that leaves least for the next player, by trying them all; or none, if the turn may be over."""
    board, harbour = after(scene, option)
    duty = step_cost(board, harbour, HARBOUR) == 1  # LH-22
    turn, least = Turn(board, harbour, 1, duty, False, 0), np.inf
    if not duty and (scene.ends[AS_IT_IS] or scene.raised[option] >= FIRST_TOWER):
        least = keep_least(scene, board, harbour, least, reach, near)
    for source in range(HARBOUR, HARBOUR + 1 if duty else NUM_ISLANDS):
        if step_cost(board, harbour, source) == 1:
            then, _ = stepped(turn, source)
            least = keep_least(scene, then.board, then.harbour, least, reach, near)
    if least == np.inf:
        keep_least(scene, board, harbour, least, reach, near)


@jit
def keep_least(scene, board, harbour, least, reach, near):
    """An end of the turn, if it leaves less for the next player than the best so far; others may have led there too."""
    if least == 0.0:  # nothing leaves less than nothing
        return least
    end = board | ((harbour + 1) << (BITS * NUM_ISLANDS))
    place = folded(end) & (ENDS - 1)
    if scene.met[place] != end:
        find_whole_turn(scene, board, harbour, True, near, reach)
        scene.met[place], scene.left_by[place] = end, all_of(scene.orders)
    danger = danger_of(scene, scene.left_by[place])
    if danger < least:
        scene.best = scene.left_by[place]
        return danger
    return least


@jit
def reach_after(scene, step):
    """The orders within the next player's reach if this step comes next."""
    orders = 0
    for island in range(NUM_ISLANDS):
        orders |= scene.now[island] ^ (scene.more[island] | scene.changed[step, island])
    return orders


@jit
def take_best_step(scene, left):
    """The points left after it."""
    best, least = -1, 0.0
    for position in range(POSITIONS):
        if not scene.free[position] or scene.cost[position] > left:
            continue
        danger = danger_of(scene, reach_after(scene, position))
        if best < 0 or danger < least:
            best, least = position, danger
    if best < 0:
        return left
    for island in range(NUM_ISLANDS):
        scene.more[island] |= scene.changed[best, island]
    scene.free[best] = False
    return left - scene.cost[best]


# -- steps and islands ----------------------------------------------------------------------------------------


@jit
def see_steps(scene, features):
    """What each step finishes, touches and begins, and the points it leaves."""
    for option in range(OPTIONS):
        columns = features[option]
        if not scene.possible[option]:
            continue
        if scene.placing or option == AS_IT_IS:
            columns[AT_LEFT + TURN_ENDS] = 1
            continue
        stack, raised = stack_at(scene, option), scene.raised[option]
        columns[AT_LEFT + scene.left[option]] = 1
        columns[AT_START:AT_LANDING] = FLAGS[stack]
        columns[AT_LANDING:AT_BEGUN] = FLAGS[stack_at(scene, scene.island[option])]
        if raised >= FIRST_TOWER:
            tell(1 << (raised - FIRST_TOWER), scene.where, columns[AT_FINISHED:AT_LEFT])
        tell(ANY_BEGUN[raised], scene.where, columns[AT_BEGUN : AT_BEGUN + NUM_WHERE])
        tell(ANY_BEGUN[WITHOUT_TOP[stack]], scene.where, columns[AT_BEGUN + NUM_WHERE : AT_WORTH])


@jit
def see_islands(scene, features):
    for island in range(NUM_ISLANDS):
        stack, columns = stack_at(scene, island + 1), features[island * AROUND : (island + 1) * AROUND]
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
def see_stakes(scene, stakes, features):
    for option in range(OPTIONS):
        columns = features[option]
        if not scene.possible[option]:
            continue
        begun = columns[AT_BEGUN:AT_WORTH].reshape(2, NUM_WHERE)
        for k in range(2):
            columns[AT_WORTH + 2 * k] = worth_of(begun[k], stakes.gains)
            columns[AT_WORTH + 2 * k + 1] = worth_of(begun[k], stakes.losses)
        columns[AT_WORTH + 4] = worth_of(columns[AT_FINISHED:AT_LEFT], stakes.gains)
        reach = columns[AT_REACH:AT_REST].reshape(KINDS, NUM_WHERE)
        at_end = columns[AT_FINISHED - NUM_WHERE : AT_FINISHED]
        feared, hoped = columns[AT_STAKE : AT_STAKE + BOTH + 2], columns[AT_STAKE + BOTH + 2 :]
        feared[BOTH], _ = put_at_stake(reach[WHOLE_TURN], stakes.losses, feared[:NUM_WHERE])
        feared[BOTH + 1], _ = put_at_stake(at_end, stakes.losses, feared[NUM_WHERE:BOTH])
        _, hoped[BOTH] = put_at_stake(reach[POINTS_LEFT], stakes.gains, hoped[:NUM_WHERE])
        _, hoped[BOTH + 1] = put_at_stake(reach[WHOLE_TURN], stakes.gains, hoped[NUM_WHERE:BOTH])


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
