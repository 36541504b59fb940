"""What a player of Lanterns sees.

Everything is turned to the viewer's chair: side 0 is the viewer's own, 1 its left, 2 opposite, 3 its right;
x runs to the viewer's right and y away from it.  Players are listed in turn order from the viewer.
"""

from lanterns_env.engine.compile import jit
from lanterns_env.engine.game import Field, view_dtype
from lanterns_env.games.lanterns.components import (
    HAND,
    MAX_LAID,
    MAX_PILE,
    MAX_PLAYERS,
    MAX_STACK,
    MAX_TURNS,
    MAX_VALUE,
    NUM_COLOURS,
    NUM_KINDS,
    NUM_TILES,
    PLATFORM,
    TILES,
)
from lanterns_env.games.lanterns.lake import NUM_SLOTS
from lanterns_env.games.lanterns.rules import (
    NO_TILE,
    final_round,
    tiles_held,
    token_value,
    tokens_left,
)

MAX_FAVORS = 55  # 11 placements with at most 5 favors
MAX_HONOR = 120  # 12 turns with at most 10 honor
FAR = MAX_LAID - 1  # a line of tiles reaches so far from the start tile

FIELDS = (
    Field("num_players", (), 2, 4, "how many play"),
    Field("seat", (), 0, 3, "the viewer's seat; seat 0 began"),
    Field("to_move", (), 0, 3, "who is to move, in turn order from the viewer"),
    Field("phase", (), 0, 3, "step of the turn: 0 exchange, 1 dedication, 2 discard, 3 placement"),
    Field("turn", (), 0, MAX_TURNS, "turns that have ended"),
    Field("final_round", (), 0, 1, "all tiles are placed: exchange and dedication only"),
    Field("over", (), 0, 1, "the game is over"),
    Field("pile", (), 0, MAX_PILE, "tiles left in the draw pile"),
    Field("side", (MAX_PLAYERS,), -1, 3, "the side on which each player sits, -1: no such player"),
    Field("hand_size", (MAX_PLAYERS,), 0, HAND, "tiles in each player's hand"),
    Field("honor", (MAX_PLAYERS,), 0, MAX_HONOR, "each player's honor"),
    Field("favors", (MAX_PLAYERS,), 0, MAX_FAVORS, "each player's favors"),
    Field("lanterns", (MAX_PLAYERS, NUM_COLOURS), 0, MAX_STACK, "each player's lanterns by colour"),
    Field("supply", (NUM_COLOURS,), 0, MAX_STACK, "lanterns left of each colour"),
    Field("tokens_left", (NUM_KINDS,), 0, 9, "tokens left in the piles: four of a kind, three pairs, seven different"),
    Field("token_value", (NUM_KINDS,), 4, MAX_VALUE, "what the next dedication of each kind scores"),
    Field("hand_tile", (HAND,), NO_TILE, NUM_TILES - 1, "the viewer's tiles, -1: none"),
    Field("hand_sides", (HAND, 4), 0, NUM_COLOURS, "their printed sides clockwise, 1 + colour, 0: no tile"),
    Field("hand_platform", (HAND,), 0, 1, "they show a platform"),
    Field("unseen", (NUM_TILES,), 0, 1, "tiles neither in the lake nor in the viewer's hand"),
    Field("lake_tile", (MAX_LAID,), NO_TILE, NUM_TILES - 1, "the tiles of the lake as they were laid, -1: none"),
    Field("lake_x", (MAX_LAID,), -FAR, FAR, "where they lie, to the viewer's right of the start tile"),
    Field("lake_y", (MAX_LAID,), -FAR, FAR, "where they lie, away from the viewer"),
    Field("lake_turn", (MAX_LAID,), 0, 3, "the printed side that faces the viewer"),
    Field("slot_open", (NUM_SLOTS,), 0, 1, "slots that are a free cell next to a tile"),
    Field("slot_x", (NUM_SLOTS,), -FAR, FAR, "where the free cells are"),
    Field("slot_y", (NUM_SLOTS,), -FAR, FAR, "where the free cells are"),
    Field("touch", (NUM_SLOTS, 4), 0, NUM_COLOURS, "1 + the colour that touches a free cell on each side, 0: water"),
    Field("touch_platform", (NUM_SLOTS, 4), 0, 1, "it belongs to a platform tile"),
)
VIEW = view_dtype(FIELDS)


# -- the view -------------------------------------------------------------------------------------------------


@jit
def observe(state, player, view):
    """LA-40, LA-41: everything public, and the own hand."""
    chair = int(state.chair[player])
    n = int(state.num_players)
    view.num_players = n
    view.seat = player
    view.to_move = (int(state.player) - player) % n
    view.phase = state.phase
    view.turn = state.turn
    view.final_round = final_round(state)
    view.over = state.over
    view.pile = state.pile_left
    observe_players(state, player, chair, view)
    for colour in range(NUM_COLOURS):
        view.supply[colour] = state.supply[colour]
    for kind in range(NUM_KINDS):
        view.tokens_left[kind] = tokens_left(state, kind)
        view.token_value[kind] = token_value(state, kind)
    observe_hand(state, player, view)
    observe_lake(state, chair, view)
    observe_slots(state, chair, view)


@jit
def observe_players(state, player, chair, view):
    view.side[:] = -1
    view.hand_size[:] = 0
    view.honor[:] = 0
    view.favors[:] = 0
    view.lanterns[:] = 0
    for step in range(state.num_players):
        seat = (player + step) % int(state.num_players)
        view.side[step] = (int(state.chair[seat]) - chair) % 4
        view.hand_size[step] = tiles_held(state, seat)
        view.honor[step] = state.honor[seat]
        view.favors[step] = state.favors[seat]
        for colour in range(NUM_COLOURS):
            view.lanterns[step, colour] = state.lanterns[seat, colour]


@jit
def observe_hand(state, player, view):
    for position in range(HAND):
        tile = int(state.hands[player, position])
        view.hand_tile[position] = tile
        view.hand_platform[position] = 0 if tile == NO_TILE else PLATFORM[tile]
        for side in range(4):
            view.hand_sides[position, side] = 0 if tile == NO_TILE else 1 + TILES[tile, side]
    view.unseen[:] = 0
    for tile in range(int(state.first_tile), int(state.first_tile) + int(state.tiles)):
        view.unseen[tile] = 1
    for k in range(state.num_laid):
        view.unseen[state.laid[k]] = 0
    for position in range(HAND):
        if state.hands[player, position] != NO_TILE:
            view.unseen[state.hands[player, position]] = 0


@jit
def observe_lake(state, chair, view):
    view.lake_tile[:] = NO_TILE
    view.lake_x[:] = 0
    view.lake_y[:] = 0
    view.lake_turn[:] = 0
    for k in range(state.num_laid):
        x, y = turned(int(state.laid_x[k]), int(state.laid_y[k]), chair)
        view.lake_tile[k] = state.laid[k]
        view.lake_x[k] = x
        view.lake_y[k] = y
        view.lake_turn[k] = (int(state.laid_turn[k]) + chair) % 4


@jit
def observe_slots(state, chair, view):
    view.slot_open[:] = 0
    view.slot_x[:] = 0
    view.slot_y[:] = 0
    view.touch[:] = 0
    view.touch_platform[:] = 0
    for slot in range(NUM_SLOTS):
        if state.slot_open[slot] == 0:
            continue
        x, y = turned(int(state.slot_x[slot]), int(state.slot_y[slot]), chair)
        view.slot_open[slot] = 1
        view.slot_x[slot] = x
        view.slot_y[slot] = y
        for side in range(4):
            view.touch[slot, side] = state.touch[slot, (chair + side) % 4]
            view.touch_platform[slot, side] = state.touch_platform[slot, (chair + side) % 4]


@jit
def turned(x, y, chair):
    """Coordinates of chair 0 as another chair sees them."""
    if chair == 1:
        return -y, x
    if chair == 2:
        return -x, -y
    if chair == 3:
        return y, -x
    return x, y
