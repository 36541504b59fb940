"""Features of Lighthouse Architects: the boards that every step and placement leads to.

Positions are the harbour (0) and the islands (1..8); an option is a step of each position's stone, or a placement of
each colour in the harbour; the last is all as it is.  Of an option that is not possible all columns are 0.  Orders are
counted by where they are (order_values.py), and kept as bits on the way.
"""

import numpy as np

from lanterns_agents.lighthouse.columns import (
    AROUND,
    AS_IT_IS,
    AT_BEGUN,
    AT_FINISHED,
    AT_LANDING,
    AT_LEFT,
    AT_REACH,
    AT_REST,
    AT_STAKE,
    AT_START,
    AT_WORTH,
    BOTH,
    COLUMNS,
    IN_ALL,
    KINDS,
    OPTIONS,
    POINTS_LEFT,
    ROUND,
    ROWS,
    STACK,
    TURN_ENDS,
    UNIT,
    WHOLE_TURN,
    WIDTH,
)
from lanterns_agents.lighthouse.order_values import NUM_WHERE, STAKES, find_stakes
from lanterns_agents.lighthouse.reach_features import fill_reach, fill_rest
from lanterns_agents.lighthouse.reachable import BEGINS, NEAR, REACH
from lanterns_agents.lighthouse.scene import SCENE, count_by_place, set_dangers, set_scene, stack_at
from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import NUM_ISLANDS, STACKS, STONES, TOWER, WITHOUT_TOP
from lanterns_env.games.lighthouse.movement import first_tower, tower_height

__all__ = [
    "AROUND",
    "AT_BEGUN",
    "AT_LEFT",
    "AT_START",
    "COLUMNS",
    "IN_ALL",
    "OPTIONS",
    "ROUND",
    "ROWS",
    "WIDTH",
    "compute_rows",
]

FLAGS = STONES.reshape(len(STACKS), STACK).astype(np.float32)
ANY_BEGUN = np.bitwise_or.reduce(BEGINS, axis=1)  # the orders that a stack of one to three stones begins


def compute_rows(views, features):
    """The features of each view.  (The table is an argument: constants are kept with the compiled code.)"""
    fill_rows(views, NEAR, features)


@jit
def fill_rows(views, near, features):
    scenes, reaches, all_stakes = np.zeros(1, SCENE), np.zeros(1, REACH), np.zeros(1, STAKES)
    for row in range(len(features)):
        scene, stakes = scenes[0], all_stakes[0]
        options, rest = features[row, : OPTIONS * COLUMNS].reshape(OPTIONS, COLUMNS), features[row, OPTIONS * COLUMNS :]
        set_scene(views[row], scene)
        find_stakes(views[row], stakes)
        set_dangers(stakes, scene)
        options[:] = rest[:] = 0.0
        fill_reach(scene, reaches[0], near, options)
        fill_rest(scene, reaches[0], near, options)
        fill_steps(scene, options)
        fill_stakes(scene, stakes, options)
        fill_islands(scene, rest[:ROUND])
        fill_common_stakes(stakes, rest[ROUND : ROUND + IN_ALL])


# -- steps and islands ----------------------------------------------------------------------------------------


@jit
def fill_steps(scene, features):
    """What each step finishes, touches and begins, and the points it leaves."""
    first, begun = first_tower(scene.board), ANY_BEGUN[TOWER - tower_height(scene.board)]
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
        if raised >= first:
            count_by_place(1 << (raised - first), scene.where, columns[AT_FINISHED:AT_LEFT])
        count_by_place(begun[raised], scene.where, columns[AT_BEGUN : AT_BEGUN + NUM_WHERE])
        count_by_place(begun[WITHOUT_TOP[stack]], scene.where, columns[AT_BEGUN + NUM_WHERE : AT_WORTH])


@jit
def fill_islands(scene, features):
    begun = ANY_BEGUN[TOWER - tower_height(scene.board)]
    for island in range(NUM_ISLANDS):
        stack, columns = stack_at(scene, island + 1), features[island * AROUND : (island + 1) * AROUND]
        columns[:STACK] = FLAGS[stack]
        count_by_place(begun[stack], scene.where, columns[STACK:])


# -- what is at stake -----------------------------------------------------------------------------------------


@jit
def worth_of(counts, stakes):
    """Of orders in each place."""
    total = 0.0
    for place in range(NUM_WHERE):
        total += counts[place] * stakes[place]
    return total / UNIT


@jit
def fill_stakes(scene, stakes, features):
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
def fill_common_stakes(stakes, found):
    found[0] = stakes.chance
    for place in range(NUM_WHERE):
        found[1 + place] = stakes.gains[place] / UNIT
        found[1 + NUM_WHERE + place] = stakes.losses[place] / UNIT
