"""The columns of the features of Lighthouse Architects: where a network finds what."""

from lanterns_agents.lighthouse.order_values import NUM_WHERE
from lanterns_agents.lighthouse.reachable import BEGUN
from lanterns_env.games.lighthouse.components import NUM_COLOURS, NUM_ISLANDS, POINTS, TOWER

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
