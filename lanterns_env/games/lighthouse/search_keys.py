"""What search asks of Lighthouse Architects: what a move has shown."""

from lanterns_env.engine.compile import jit
from lanterns_env.games.lighthouse.components import MAX_PLAYERS, NUM_PILES
from lanterns_env.games.lighthouse.towers import top_of_pile

PHASE_BITS, SIZE_BITS, CARD_BITS, STONES_BITS = 2, 2, 5, 5  # of what a move has shown


@jit
def revealed_key(state):
    """What hidden orders tell by a move: whether one is asked for, whose it was, if its tower fell; the new tops."""
    shown = (int(state.over) << PHASE_BITS) | int(state.phase)
    for seat in range(MAX_PLAYERS):
        shown = (shown << SIZE_BITS) | int(state.hand_size[seat])
    for pile in range(NUM_PILES):
        shown = (shown << CARD_BITS) | (top_of_pile(state, pile) + 1)
    return (shown << STONES_BITS) | int(state.supply.sum())
