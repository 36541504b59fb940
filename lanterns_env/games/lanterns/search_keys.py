"""What search asks of Lanterns: what an action is in every world."""

from lanterns_env.engine.compile import jit
from lanterns_env.games.lanterns.components import LAKE_TILES
from lanterns_env.games.lanterns.rules import PER_SLOT, PLACES, SKIP


@jit
def action_key(state, action):
    """A placement by its tile instead of its place in a hand that others cannot see."""
    if action < PLACES or action == SKIP:
        return action
    index = action - PLACES
    tile = int(state.hands[state.player, index % PER_SLOT // 4])
    return PLACES + 4 * ((LAKE_TILES + 1) * (index // PER_SLOT) + tile) + index % 4
