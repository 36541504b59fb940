"""What comes within reach in Lighthouse Architects: the features of orders that can be finished after every option."""

import numpy as np

from lanterns_agents.lighthouse.columns import (
    AS_IT_IS,
    AT_FINISHED,
    AT_REACH,
    AT_REST,
    FIRST_BEGUN,
    KINDS,
    OPTIONS,
    POINTS_LEFT,
    POSITIONS,
    WHOLE_TURN,
)
from lanterns_agents.lighthouse.order_values import NUM_WHERE
from lanterns_agents.lighthouse.reachable import BEGINS, BEGUN, find_orders
from lanterns_agents.lighthouse.scene import ENDS, after_option, count_by_place, danger_of, on_any_island
from lanterns_agents.lighthouse.turn import Turn, folded, stepped
from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import NO_COLOUR, NUM_COLOURS, NUM_ISLANDS, POINTS, TOWER
from lanterns_env.games.lighthouse.movement import (
    ALL_STACKS,
    BITS,
    HARBOUR,
    first_tower,
    stack_on,
    step_cost,
    tower_height,
    turn_points,
)


@jit
def fill_reach(scene, reach, near, features):
    """Of every kind of order, after every option."""
    for option in range(OPTIONS - 1, -1, -1):
        if scene.possible[option]:
            board, harbour = after_option(scene, option)
            columns = features[option, AT_REACH:AT_REST].reshape(KINDS, NUM_WHERE)
            find_whole_turn(scene, board, harbour, scene.ends[option], near, reach)
            count_by_place(on_any_island(scene.orders), scene.where, columns[WHOLE_TURN])
            for island in range(NUM_ISLANDS):
                scene.now[island] = scene.orders[island] if option == AS_IT_IS else scene.now[island]
                scene.changed[option, island] = scene.orders[island] ^ scene.now[island]
            if scene.left[option] > 0:
                find_orders(board, harbour, scene.left[option], scene.duty and option > 0, near, reach)
                count_by_place(on_any_island(reach.orders), scene.where, columns[POINTS_LEFT])
            fill_begun(board, harbour, scene.where, columns[FIRST_BEGUN:])


@jit
def find_whole_turn(scene, board, harbour, ends, near, reach):
    """What the next player could finish, once a stone is in the harbour: at the end of a turn that which helps least.

    Earlier in a turn it is not tried out which: it will take a point.
    """
    if harbour != NO_COLOUR or not scene.supply.any():
        keep_orders(scene, board, harbour, turn_points(board), near, reach)
    elif not ends:
        keep_orders(scene, board, harbour, turn_points(board) - 1, near, reach)
    else:
        least = np.inf
        for colour in range(NUM_COLOURS):
            if scene.supply[colour] and least > 0.0:  # nothing leaves less than nothing
                find_orders(board, colour, turn_points(board), False, near, reach)
                danger = danger_of(scene, on_any_island(reach.orders))
                if danger < least:
                    least, scene.orders = danger, reach.orders


@jit
def keep_orders(scene, board, harbour, points, near, reach):
    find_orders(board, harbour, points, False, near, reach)
    scene.orders = reach.orders


@jit
def fill_begun(board, harbour, where, columns):
    begins = BEGINS[TOWER - tower_height(board)]
    for height in range(BEGUN):
        orders = begins[height, harbour + 1]  # as in stack_at()
        for island in range(NUM_ISLANDS):
            orders |= begins[height, stack_on(board, island)]
        count_by_place(orders, where, columns[height])


# -- the rest of the turn -----------------------------------------------------------------------------------


@jit
def fill_rest(scene, reach, near, features):
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
            count_by_place(scene.best, scene.where, columns[0])
            columns[1] = columns[0]
            continue
        begin_rest(scene, option)
        left = take_best_step(scene, left)
        count_by_place(reach_after(scene, AS_IT_IS), scene.where, columns[0])
        for _ in range(2, POINTS):
            left = take_best_step(scene, left)
        count_by_place(reach_after(scene, AS_IT_IS), scene.where, columns[1])


@jit
def begin_rest(scene, option):
    for island in range(NUM_ISLANDS):
        scene.more[island] = scene.changed[option, island]
    for position in range(POSITIONS):
        scene.free[position] = position != option and scene.possible[position] and not scene.placing


@jit
def find_last_step(scene, option, reach, near):
    """The last step that leaves least for the next player, by trying them all; or none, if the turn may be over."""
    board, harbour = after_option(scene, option)
    duty = step_cost(board, harbour, HARBOUR) == 1  # LH-22
    turn, least = Turn(board, harbour, 1, duty, False, 0), np.inf
    if not duty and (scene.ends[AS_IT_IS] or scene.raised[option] >= first_tower(board)):
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
    end = (board & ALL_STACKS) | ((harbour + 1) << (BITS * NUM_ISLANDS))
    place = folded(end) & (ENDS - 1)
    if scene.met[place] != end:
        find_whole_turn(scene, board, harbour, True, near, reach)
        scene.met[place], scene.left_by[place] = end, on_any_island(scene.orders)
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
