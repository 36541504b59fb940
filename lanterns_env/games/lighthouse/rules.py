"""The rules of Lighthouse Architects, numbered as in RULES.md.

A turn is four points of movement, then a stone for the empty harbour.  A finished tower is settled at once, by a
claim if its order can be laid.  All chance lies in the deal: the order of the cards, and who begins.
"""

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.engine.game import state_dtype
from lanterns_env.engine.rng import DEAL, below, generator, shuffle
from lanterns_env.games.lighthouse.components import (
    MAX_PILE,
    MAX_PLAYERS,
    NO_COLOUR,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_ISLANDS,
    NUM_PILES,
)
from lanterns_env.games.lighthouse.movement import (
    HARBOUR,
    can_step,
    destination,
    empty_board,
    first_tower,
    is_tower,
    keeps_duty,
    landed,
    lifted,
    stack_on,
    step_cost,
    stone_at,
)
from lanterns_env.games.lighthouse.towers import (
    HAND_PROVED,
    IN_HAND,
    LAID,
    NO_CARD,
    NO_CLAIM,
    NO_ISLAND,
    NOBODY,
    NOT_PROVED,
    OTHERS_ORDER,
    OUT,
    PILE,
    PLACE_PROVED,
    claim_case,
    demolish,
    demolish_all,
    is_buried,
    is_hidden,
    lay,
)
from lanterns_env.games.lighthouse.variants import DEMOLISH, DRAWN, EVERYONE, FORCED, OPTIONS, fill_in_play

PLACE, MOVE, CLAIM = range(3)  # state.phase

STATE = state_dtype(
    OPTIONS,
    ("phase", np.int8),
    ("builder", np.int8),  # the seat whose turn it is
    ("turn", np.int16),  # turns that have ended
    ("points", np.int16),  # left in this turn
    ("built", np.bool_),  # a tower in this turn
    ("duty", np.bool_),  # LH-22: the harbour stone must still be moved in this turn
    ("demolish_next", np.bool_),  # LH-51
    ("board", np.int64),  # the stacks of the islands: movement.stack_on
    ("harbour", np.int8),  # the colour there, or NO_COLOUR
    ("supply", np.int16, NUM_COLOURS),
    ("place", np.int8, NUM_CARDS),  # where each order is: towers.IN_HAND, LAID, PILE
    ("proved", np.uint8, NUM_CARDS),  # LH-73, LH-79: what towers have shown everybody of hidden ones: towers.NOT_PROVED
    ("piles", np.int8, (NUM_PILES, MAX_PILE)),  # from the bottom, NO_CARD above the top
    ("pile_size", np.int16, NUM_PILES),
    ("hand_size", np.int16, MAX_PLAYERS),
    ("claim_card", np.int8),  # of the tower to be claimed or declined, else NO_CARD
    ("claim_island", np.int8),
    ("ended_by", np.int8),  # LH-66, NOBODY before the end and after a cut
)

# Actions: 0 the harbour stone, 1..8 the top stone of an island, then:
STOP = 1 + NUM_ISLANDS
PLACES = STOP + 1
LAY = PLACES + NUM_COLOURS
DECLINE = LAY + 1
NUM_ACTIONS = DECLINE + 1


# -- deal ---------------------------------------------------------------------------------------------------


@jit
def deal(state, num_players, seed):
    """LH-05, LH-08: the orders in play are shuffled, and a seat is drawn."""
    rng = generator(seed, DEAL)
    order = np.empty(NUM_CARDS + 1, np.int16)
    count = fill_in_play(int(state.colours), int(state.tower), int(state.cards), order)
    shuffle(rng, order, count)
    drawn = below(rng, num_players)
    order[count] = drawn if state.start_player == DRAWN else int(state.start_player)
    deal_cards(state, num_players, order[: count + 1])


@jit
def deal_cards(state, num_players, order):
    """LH-01..09: orders to each hand, the rest in two public piles; the opening is a placement.

    ``order``: those of the hands, seat by seat, those of the piles, each from the bottom, and the seat that begins.
    """
    hand, starter = int(state.hand), len(order) - 1
    state.place[:] = OUT  # LH-84
    for k in range(hand * num_players):
        state.place[order[k]] = IN_HAND + k // hand
    state.hand_size[:num_players] = hand
    fill_piles(state, order[:starter], hand * num_players)
    state.board = empty_board(int(state.islands), int(state.tower), int(state.move_points))
    state.harbour = NO_COLOUR
    state.supply[: int(state.colours)] = state.stones
    state.claim_card = NO_CARD
    state.claim_island = NO_ISLAND
    state.ended_by = NOBODY
    state.builder = order[starter]
    state.player = state.builder
    state.phase = PLACE


@jit
def fill_piles(state, cards, first):
    """LH-06: the cards from the first on, the larger half to pile 0."""
    half = (len(cards) - first + 1) // 2
    state.piles[:] = NO_CARD
    for k in range(first, len(cards)):
        pile = int(k - first >= half)
        state.piles[pile, state.pile_size[pile]] = cards[k]
        state.pile_size[pile] += 1
        state.place[cards[k]] = PILE + pile


# -- what may be done ---------------------------------------------------------------------------------------


@jit
def legal(state, mask):
    """All actions of the player to move, by the phase; how many they are."""
    mask[:] = 0
    if state.phase == MOVE:
        return legal_move(state, mask)
    if state.phase == PLACE:
        return legal_place(state, mask)
    return legal_claim(state, mask)


@jit
def legal_move(state, mask):
    """LH-11..23: every step that can be paid, lands on another colour and keeps the duty; LH-20: or stop."""
    board, harbour, points = int(state.board), int(state.harbour), int(state.points)
    count = 0
    for source in range(HARBOUR, NUM_ISLANDS):
        if step_cost(board, harbour, source) > points:
            continue
        if source == HARBOUR or not state.duty or keeps_duty(board, harbour, source, points, state.demolish_next):
            mask[1 + source] = 1
            count += 1
    if state.built and not state.duty:
        mask[STOP] = 1
        count += 1
    return count


@jit
def legal_place(state, mask):
    """LH-25: any colour of the supply."""
    count = 0
    for colour in range(NUM_COLOURS):
        if state.supply[colour] > 0:
            mask[PLACES + colour] = 1
            count += 1
    return count


@jit
def legal_claim(state, mask):
    """LH-38: lay the order or not; LH-76: of those who are asked in turn, only its holder can lay it."""
    mask[DECLINE] = 1
    if state.asked == EVERYONE and is_hidden(state, int(state.player), int(state.claim_card)):
        return 1
    mask[LAY] = 1
    return 2


# -- what an action does ------------------------------------------------------------------------------------


@jit
def play(state, action):
    if action < STOP:
        play_step(state, action - 1)
    elif action == STOP:
        end_movement(state)  # LH-20
    elif action < LAY:
        play_place(state, action - PLACES)
    else:
        play_claim(state, action == LAY)


@jit
def play_step(state, source):
    """LH-11, LH-16: a top stone goes to the next island that is not full; a fourth stone finishes a tower."""
    board = int(state.board)
    island, cost = destination(board, source)
    colour = stone_at(board, int(state.harbour), source)
    if source == HARBOUR:
        state.harbour = NO_COLOUR
        state.duty = False
    else:
        board = lifted(board, source)
    board = landed(board, colour, island)
    state.board = board
    state.points -= cost
    if is_tower(board, island):
        finish_tower(state, island)
    else:
        go_on(state)


@jit
def finish_tower(state, island):
    """LH-30, LH-31: a tower is settled before any other step, by the place of its order."""
    card = stack_on(int(state.board), island) - first_tower(int(state.board))
    state.built = True
    if asks_everyone(state, card):
        ask(state, card, island, int(state.builder))
        return
    case = claim_case(state, card)
    if case == NO_CLAIM:  # LH-36, LH-37, LH-84
        state.proved[card] = PLACE_PROVED if is_buried(state, card) else NOT_PROVED
        settle(state, island, int(state.place[card]) >= PILE)
        return
    holder = int(state.place[card]) - IN_HAND if case == OTHERS_ORDER else int(state.builder)
    if state.claims == FORCED:
        claim(state, card, island, holder)
        return
    if int(state.place[card]) < LAID:
        state.proved[card] = PLACE_PROVED  # LH-74: everybody sees who is asked
    ask(state, card, island, holder)


@jit
def asks_everyone(state, card):
    """LH-75: whether a tower of this order is put to all in turn: it is hidden, and no tower has placed it."""
    if state.asked != EVERYONE or state.claims == FORCED or state.proved[card] == PLACE_PROVED:
        return False
    return int(state.place[card]) < LAID or is_buried(state, card)


@jit
def ask(state, card, island, seat):
    """LH-38: the turn waits for a player's decision."""
    state.claim_card = card
    state.claim_island = island
    state.player = seat
    state.phase = CLAIM


@jit
def play_claim(state, claimed):
    """LH-38, LH-39: lay the order, or leave everything where it is; LH-75: perhaps the next player is asked."""
    card, island, seat = int(state.claim_card), int(state.claim_island), int(state.player)
    if not claimed and asks_everyone(state, card):
        following = (seat + 1) % int(state.num_players)
        if following != state.builder:
            ask(state, card, island, following)
            return
        prove_by_silence(state, card)
    falls = is_buried(state, card) or (int(state.place[card]) < LAID and state.declined_tower == DEMOLISH)
    state.claim_card = NO_CARD
    state.claim_island = NO_ISLAND
    if claimed:
        claim(state, card, island, seat)
    else:
        settle(state, island, falls)


@jit
def prove_by_silence(state, card):
    """LH-79: if a held order would make the tower stand, it stands or falls by whether anybody holds it."""
    if state.declined_tower != DEMOLISH and not state.demolish_next:
        state.proved[card] = PLACE_PROVED if is_buried(state, card) else HAND_PROVED


@jit
def claim(state, card, island, seat):
    """LH-32..35; LH-63: if it ends the game, nothing more happens."""
    lay(state, card, seat)
    if not state.over:
        settle(state, island, False)


@jit
def settle(state, island, demolished):
    """LH-37, LH-40, LH-51: the tower is demolished or stands; LH-42: the builder goes on."""
    if demolished or state.demolish_next:
        demolish(state, island)
    state.demolish_next = False
    go_on(state)


@jit
def go_on(state):
    """LH-19, LH-21, LH-22: to the builder's next step, or past the movement if there is none."""
    board, harbour, points = int(state.board), int(state.harbour), int(state.points)
    state.player = state.builder
    state.phase = MOVE
    if step_cost(board, harbour, HARBOUR) <= points:
        state.duty = True
    if not can_step(board, harbour, points):
        end_movement(state)


@jit
def end_movement(state):
    """LH-25, LH-26: points left lapse; the harbour gets a stone if it is empty and there is one."""
    state.points = 0
    if state.harbour == NO_COLOUR and state.supply.sum() > 0:
        state.phase = PLACE
    else:
        end_turn(state)


@jit
def play_place(state, colour):
    """LH-09, LH-25; LH-50: then the supply is checked."""
    state.supply[colour] -= 1
    state.harbour = colour
    if state.supply.sum() == 0:
        demolish_all(state)
    end_turn(state)


@jit
def end_turn(state):
    """LH-10: the next player has all points, with which a step always exists; LH-67, LH-87: or the game is cut."""
    state.turn += 1
    if state.turn == state.max_turns:
        cut(state)
        return
    board, harbour, points = int(state.board), int(state.harbour), int(state.move_points)
    state.builder = (state.builder + 1) % state.num_players
    state.player = state.builder
    state.phase = MOVE
    state.points = points
    state.built = False
    state.duty = step_cost(board, harbour, HARBOUR) <= points
    if not state.duty and not can_step(board, harbour, points):
        cut(state)


@jit
def cut(state):
    state.over = True
    state.truncated = True


# -- the end ------------------------------------------------------------------------------------------------


@jit
def score(state, points, share):
    """LH-64: most orders laid; LH-65: of the tied, who ended the game wins, else they share."""
    points[:] = 0
    share[:] = 0
    for card in range(NUM_CARDS):
        if LAID <= state.place[card] < PILE:
            points[state.place[card] - LAID] += 1
    best, winners = points.max(), 0
    for seat in range(state.num_players):
        winners += points[seat] == best
    ended_by = int(state.ended_by)
    if ended_by != NOBODY and points[ended_by] == best:
        share[ended_by] = 1
        return
    for seat in range(state.num_players):
        if points[seat] == best:
            share[seat] = 1.0 / winners
