"""What a player of Lighthouse Architects sees.

Players are listed in turn order from the viewer; islands as they lie, clockwise from the harbour.
"""

from lanterns_env.engine.compile import jit
from lanterns_env.engine.game import Field, view_dtype
from lanterns_env.games.lighthouse.components import (
    HAND,
    MAX_LAID,
    MAX_PILE,
    MAX_PLAYERS,
    NUM_CARDS,
    NUM_COLOURS,
    NUM_ISLANDS,
    NUM_PILES,
    POINTS,
    STONES,
    STONES_OF_A_COLOUR,
    TOWER,
)
from lanterns_env.games.lighthouse.hidden import buried_places, known_holder, only_hand_with_room
from lanterns_env.games.lighthouse.movement import LOWER, empty_board, num_islands, stack_on
from lanterns_env.games.lighthouse.rules import CLAIM, asks_everyone
from lanterns_env.games.lighthouse.towers import (
    HAND_PROVED,
    IN_HAND,
    LAID,
    NO_CARD,
    NOBODY,
    NOT_PROVED,
    OUT,
    PILE,
    claim_case,
    is_hidden,
    top_of_pile,
)

OVER = 3  # after the three phases
CLOCK = 100

# Where an order is for the viewer: one flag of these.
OWN_HAND, ON_PILE, LAID_BEFORE, HIDDEN = 0, 1, 3, 7
NUM_PLACES = 8

FIELDS = (
    Field("num_players", (), 2, 4, "how many play"),
    Field("seat", (), 0, 3, "the viewer's seat"),
    Field("to_move", (), 0, 3, "who is to move, in turn order from the viewer"),
    Field("phase", (), 0, 2, "0 placement, the opening too; 1 movement; 2 claim"),
    Field("over", (), 0, 1, "the game is over"),
    Field("now", (4,), 0, 1, "the same as flags: placement, movement, claim, over"),
    Field("mover", (MAX_PLAYERS,), 0, 1, "who is to move, as flags"),
    Field("builder", (MAX_PLAYERS,), 0, 1, "whose turn it is"),
    Field("clock", (), 0, CLOCK, "turns that have ended, in hundredths of max_turns"),
    Field("points", (POINTS + 1,), 0, 1, "points left in this turn: 0 to 4; also those that no turn has"),
    Field("built", (), 0, 1, "a tower was finished in this turn: the rest of the points is optional"),
    Field("duty", (), 0, 1, "the harbour stone must still be moved in this turn"),
    Field("demolish_next", (), 0, 1, "the next tower will be demolished, claimed or not"),
    Field("stones", (NUM_ISLANDS, TOWER, NUM_COLOURS), 0, 1, "stones, from the bottom; where none can be, all colours"),
    Field("harbour", (NUM_COLOURS,), 0, 1, "the stone in the harbour"),
    Field("supply", (NUM_COLOURS,), 0, STONES_OF_A_COLOUR, "stones in the supply"),
    Field("order", (NUM_CARDS, NUM_PLACES), 0, 1, "each order: own hand, top of a pile (2), laid by (4), hidden"),
    Field("hand_size", (MAX_PLAYERS,), 0, HAND, "orders in each player's hand"),
    Field("laid_private", (MAX_PLAYERS,), 0, HAND, "orders each player has laid from the hand"),
    Field("laid", (MAX_PLAYERS,), 0, MAX_LAID, "orders lying before each player"),
    Field("pile_size", (NUM_PILES,), 0, MAX_PILE, "orders in the public piles"),
    Field("claim_order", (NUM_CARDS,), 0, 1, "the order to be claimed or declined"),
    Field("claim_island", (NUM_ISLANDS,), 0, 1, "the island of its tower"),
    Field("claim_case", (4,), 0, 1, "it is: the builder's own, public, in another's hand, laid before another"),
    Field("proved_buried", (NUM_CARDS,), 0, 1, "hidden orders that must lie below the top of a pile"),
    Field("proved_held", (NUM_CARDS,), 0, 1, "hidden orders that must be in another hand; own ones known to be in one"),
    Field("proved_holder", (MAX_PLAYERS, NUM_CARDS), 0, 1, "and in whose; the viewer: own orders that all know of"),
)
VIEW = view_dtype(FIELDS)


@jit
def observe(state, player, view):
    """LH-70, LH-71: everything public, and the own hand."""
    observe_turn(state, player, view)
    for island in range(NUM_ISLANDS):
        view.stones[island] = STONES[stack_on(int(state.board), island)]
    if int(state.board) >> LOWER:
        flag_missing(state, view)
    for colour in range(NUM_COLOURS):
        view.harbour[colour] = state.harbour == colour
        view.supply[colour] = state.supply[colour]
    observe_orders(state, player, view)
    observe_claim(state, player, view)
    observe_proofs(state, player, view)


@jit
def flag_missing(state, view):
    """LH-89: where no stone can ever be in a smaller game, there is one of every colour."""
    view.stones[num_islands(int(state.board)) :] = 1
    view.stones[:, int(state.tower) :] = 1


@jit
def is_missing(view, island, level):
    """LH-89: whether no stone can ever be there."""
    return view.stones[island, level, 0] == 1 and view.stones[island, level, 1] == 1


@jit
def missing(view):
    """What a smaller game lacks, as an empty board has it; 0 in the full game."""
    flags = 0
    for points in range(POINTS + 1):
        flags += int(view.points[points])
    if flags == 1 and not is_missing(view, NUM_ISLANDS - 1, TOWER - 1):
        return 0
    islands, tower = 1, 1
    while islands < NUM_ISLANDS and not is_missing(view, islands, 0):
        islands += 1
    while tower < TOWER and not is_missing(view, 0, tower):
        tower += 1
    return empty_board(islands, tower, POINTS + 1 - flags)


@jit
def from_viewer(state, player, seat):
    """Steps in turn order from the viewer to a seat."""
    step = int(seat) - player
    return step + int(state.num_players) if step < 0 else step


@jit
def observe_turn(state, player, view):
    view.num_players = state.num_players
    view.seat = player
    view.to_move = from_viewer(state, player, state.player)
    view.phase = state.phase
    view.over = state.over
    view.now[:] = 0
    view.now[OVER if state.over else int(state.phase)] = 1
    view.mover[:] = 0
    view.mover[view.to_move] = 1
    view.builder[:] = 0
    view.builder[from_viewer(state, player, state.builder)] = 1
    view.clock = CLOCK * int(state.turn) // int(state.max_turns)
    view.points[:] = 0
    view.points[int(state.points)] = 1
    view.points[1 + int(state.move_points) :] = 1  # LH-89
    view.built = state.built
    view.duty = state.duty
    view.demolish_next = state.demolish_next


@jit
def observe_orders(state, player, view):
    view.order[:] = 0
    view.laid[:] = 0
    for card in range(NUM_CARDS):
        place = int(state.place[card])
        if LAID <= place < PILE:
            step = from_viewer(state, player, place - LAID)
            view.laid[step] += 1
            view.order[card, LAID_BEFORE + step] = 1
        elif place - IN_HAND == player:
            view.order[card, OWN_HAND] = 1
        elif place != OUT:
            view.order[card, HIDDEN] = 1
    for pile in range(NUM_PILES):
        view.pile_size[pile] = state.pile_size[pile]
        card = top_of_pile(state, pile)
        if card != NO_CARD:
            view.order[card, HIDDEN] = 0
            view.order[card, ON_PILE + pile] = 1
    view.hand_size[:] = 0
    view.laid_private[:] = 0
    for seat in range(state.num_players):
        step = from_viewer(state, player, seat)
        view.hand_size[step] = state.hand_size[seat]
        view.laid_private[step] = state.hand - state.hand_size[seat]


@jit
def observe_claim(state, player, view):
    """LH-80: where everyone is asked about a hidden order, its holder alone knows the case."""
    view.claim_order[:] = 0
    view.claim_island[:] = 0
    view.claim_case[:] = 0
    if state.phase != CLAIM or state.over:
        return
    card = int(state.claim_card)
    view.claim_order[card] = 1
    view.claim_island[state.claim_island] = 1
    if not (asks_everyone(state, card) and is_hidden(state, player, card)):
        view.claim_case[claim_case(state, card)] = 1


@jit
def observe_proofs(state, player, view):
    """LH-73, LH-80: what towers have shown, and what counting the places that are left adds to it."""
    view.proved_buried[:] = 0
    view.proved_held[:] = 0
    view.proved_holder[:] = 0
    room_in_hands = int(state.hand_size.sum()) - int(state.hand_size[player])
    room_buried = buried_places(state)
    for card in range(NUM_CARDS):
        if state.proved[card] == NOT_PROVED:
            continue
        place = int(state.place[card])
        if place >= PILE:
            view.proved_buried[card] = 1
            room_buried -= 1
            continue
        step = from_viewer(state, player, place - IN_HAND)
        room_in_hands -= step > 0
        if state.proved[card] == HAND_PROVED:
            observe_held(state, player, view, card)
        else:
            view.proved_holder[step, card] = 1
            view.proved_held[card] = step > 0
    if room_in_hands == 0 or room_buried == 0:
        observe_counted(state, player, view, room_in_hands == 0)


@jit
def observe_held(state, player, view, card):
    """LH-80: an order that is in some hand, and in whose where that is certain."""
    view.proved_held[card] = 1
    holder = known_holder(state, player, card)
    if holder != NOBODY:
        view.proved_holder[from_viewer(state, player, holder), card] = 1


@jit
def observe_counted(state, player, view, all_buried):
    """Only buried places are left for the other hidden orders, or only hands, perhaps only one."""
    only = only_hand_with_room(state, player)
    for card in range(NUM_CARDS):
        if state.proved[card] != NOT_PROVED or not is_hidden(state, player, card):
            continue
        if all_buried:
            view.proved_buried[card] = 1
            continue
        view.proved_held[card] = 1
        if only != NOBODY:
            view.proved_holder[from_viewer(state, player, only), card] = 1
