"""What search asks of Lumen: what a card has shown."""

from lanterns_env.engine.compile import jit
from lanterns_env.games.lumen.components import HAND
from lanterns_env.games.lumen.rules import NO_SLOT, value_of

VALUE_BITS = 4


@jit
def revealed_key(state):
    """The values of the last trick: those who hold cards cannot know them."""
    shown = 0
    trick = int(state.tricks_done) + (state.table[state.leader] != NO_SLOT)
    if trick == 0:
        return 0
    for seat in range(state.num_players):
        shown = (shown << VALUE_BITS) | value_in_trick(state, seat, trick)
    return shown


@jit
def value_in_trick(state, seat, trick):
    """The value that a player has played into a trick, 0: none yet."""
    for slot in range(HAND):
        if state.trick_of[seat, slot] == trick:
            return value_of(state.fans[state.round_number - 1, seat, slot])
    return 0
