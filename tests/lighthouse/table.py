"""Positions of Lighthouse Architects set up by hand, and played by short words: H, I1..I8, stop, R, W, B, claim."""

from itertools import chain

import numpy as np

from lanterns_env.games import GAMES
from lanterns_env.games.lighthouse.components import FIRST_OF_HEIGHT, FIRST_TOWER, NO_COLOUR, NUM_CARDS, STACKS
from lanterns_env.games.lighthouse.movement import HARBOUR, LOWER, first_tower, stack_on, step_cost, with_stack
from lanterns_env.games.lighthouse.rules import MOVE, PLACE
from lanterns_env.games.lighthouse.towers import IN_HAND, LAID, NO_CARD, PILE
from tests import positions

GAME = GAMES["lighthouse"]
COLOURS = "RWB"
ACTIONS = ("H", "I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "stop", "R", "W", "B", "claim", "decline")
STACK_NAMES = ["".join(COLOURS[colour] for colour in stack) for stack in STACKS]
CARD_NAMES = STACK_NAMES[FIRST_TOWER:]
X = {3: "B", 4: "WR", 5: "WB"}  # with a white stone in the harbour: the base position of the examples


def card(name):
    """The number of an order; those of lower towers count anew."""
    return STACK_NAMES.index(name) - int(FIRST_OF_HEIGHT[len(name)])


def name_of(state, number):
    return STACK_NAMES[first_tower(int(state.board)) + number]


def dealt(num_players=2, seed=7, **options):
    return positions.dealt(GAME, num_players, seed, **options)


def table(
    islands=None,
    harbour=None,
    points=4,
    num_players=2,
    hands=None,
    laid=None,
    tops=(None, None),
    buried=(),
    piles=None,
    placing=False,
    **options,
):
    """The turn of seat 0 in a position: stacks by island, orders by seat.

    Seats whose hands are not given get three orders that nothing else names; orders without a place are buried,
    or, where the piles are given as a whole, lie before the last seat.
    """
    state = dealt(num_players, **options)
    put_stones(state, islands or {}, harbour)
    put_orders(state, hands or {}, laid or {}, tops, buried, piles)
    state.builder = state.player = 0
    state.turn = num_players
    state.phase = PLACE if placing else MOVE
    state.points = 0 if placing else points
    state.duty = step_cost(int(state.board), int(state.harbour), HARBOUR) <= state.points
    return state


def put_stones(state, islands, harbour):
    board = int(state.board) >> LOWER << LOWER
    for island, stack in islands.items():
        board = with_stack(board, island - 1, STACK_NAMES.index(stack))
    state.board = board
    state.harbour = COLOURS.index(harbour) if harbour else NO_COLOUR
    stones = "".join(islands.values()) + (harbour or "")
    for k, colour in enumerate(COLOURS[: int(state.colours)]):
        state.supply[k] = state.stones - stones.count(colour)


def put_orders(state, hands, laid, tops, buried, piles):
    n = int(state.num_players)
    named = {*chain(*hands.values(), *laid.values(), *(piles or ())), *tops, *buried}
    free = [name for name in CARD_NAMES if name not in named]
    hands = {seat: hands[seat] if seat in hands else [free.pop() for _ in range(3)] for seat in range(n)}
    laid = {seat: list(laid.get(seat, [])) for seat in range(n)}
    if piles is None:
        tops = [top or free.pop() for top in tops]
        below = [*free, *buried]
        piles = [below[: len(below) // 2] + tops[:1], below[len(below) // 2 :] + tops[1:]]
    else:
        laid[n - 1] += free
    state.piles[:] = NO_CARD
    state.proved[:] = 0
    state.hand_size[:] = 0
    for pile in range(2):
        state.pile_size[pile] = len(piles[pile])
        for depth, name in enumerate(piles[pile]):
            state.piles[pile, depth] = card(name)
            state.place[card(name)] = PILE + pile
    for seat in range(n):
        state.hand_size[seat] = len(hands[seat])
        for name in hands[seat]:
            state.place[card(name)] = IN_HAND + seat
        for name in laid[seat]:
            state.place[card(name)] = LAID + seat


# -- play -------------------------------------------------------------------------------------------------------


def mask_of(state):
    mask = np.zeros(16, np.int8)
    count = GAME.legal(state, mask)
    assert count == mask.sum()
    return mask[: GAME.num_actions]


def legal(state):
    return {ACTIONS[action] for action in np.flatnonzero(mask_of(state))}


def play(state, words):
    """Actions by words, each of which must be legal."""
    for word in words.split():
        action = ACTIONS.index(word)
        assert mask_of(state)[action], f"{word} is not legal: {legal(state)}"
        GAME.play(state, action)


def view_of(state, seat):
    views = np.zeros(1, GAME.view)
    GAME.observe(state, seat, views[0])
    return views[0]


def score_of(state):
    points, share = np.zeros(4, np.float32), np.zeros(4, np.float32)
    GAME.score(state, points, share)
    n = int(state.num_players)
    return points[:n].tolist(), share[:n].tolist()


# -- read -------------------------------------------------------------------------------------------------------


def islands(state):
    """The stacks that are not empty, by island."""
    stacks = {island: STACK_NAMES[stack_on(int(state.board), island - 1)] for island in range(1, 9)}
    return {island: stack for island, stack in stacks.items() if stack}


def harbour(state):
    return None if state.harbour == NO_COLOUR else COLOURS[int(state.harbour)]


def facts(state):
    """Every field of a state, to be compared."""
    return {name: state[name].tolist() for name in GAME.state.names}


def supply(state):
    return "".join(colour * int(count) for colour, count in zip(COLOURS, state.supply, strict=True))


def orders_in(state, place):
    return {name_of(state, k) for k in range(NUM_CARDS) if state.place[k] == place}


def hand(state, seat):
    return orders_in(state, IN_HAND + seat)


def laid_by(state, seat):
    return orders_in(state, LAID + seat)


def pile(state, which):
    return [name_of(state, k) for k in state.piles[which, : int(state.pile_size[which])]]


# -- random games -----------------------------------------------------------------------------------------------


def random_game(state, rng):
    """Play on with uniformly random legal actions; yields before every decision the mask and the action."""
    while not state.over:
        mask = mask_of(state)
        action = int(rng.choice(np.flatnonzero(mask)))
        yield mask, action
        GAME.play(state, action)
