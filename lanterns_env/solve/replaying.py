"""Lines of play once more: a template over the names of a game's verbs."""

import numpy as np

from lanterns_env.engine.compile import template


@template
def replay(states, orders, moves, spans):
    """Set up the deal of each order in a blank state, and play the moves of its span: where they begin, how many."""
    for row in range(len(states)):
        deal_cards(states[row], int(states[row].num_players), orders[row])
        for at in range(spans[row, 0], spans[row, 0] + spans[row, 1]):
            play(states[row], np.int64(moves[at]))
