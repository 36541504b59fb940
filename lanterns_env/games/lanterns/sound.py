"""Whether a state is one that a game of Lanterns can stand in, so that play stays inside its arrays from there on."""

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.games.lanterns.components import (
    GENERIC_VALUE,
    HAND,
    HAND_LIMIT,
    LAKE_TILES,
    MAX_BOX,
    MAX_LAID,
    MAX_PILE,
    MAX_PLAYERS,
    MAX_VALUE,
    NUM_COLOURS,
    NUM_KINDS,
    NUM_TILES,
    PLACEMENTS,
    STACK,
    START_TILE,
    START_TURN,
    TOKEN_VALUES,
    TOKENS_IN_PILE,
)
from lanterns_env.games.lanterns.lake import NUM_SLOTS, WIDTH, clear_slots, lay, place
from lanterns_env.games.lanterns.rules import (
    DEDICATE,
    EXCHANGE,
    NO_TILE,
    PLACE,
    STATE,
    has_choice,
    placements_each,
    seat_players,
    tiles_held,
)

MAX_GAIN = 5  # favors of one placement: four matched platforms and the tile's own


@jit
def sound(state):
    """Players, flags and options have been checked."""
    return (
        has_sound_options(state)
        and has_sound_turn(state)
        and has_sound_seats(state)
        and has_sound_tiles(state)
        and has_sound_lake(state)
        and has_sound_goods(state)
        and has_sound_honor(state)
        and (state.over or has_sound_phase(state))
    )


@jit
def has_sound_options(state):
    """LA-50..52: tiles, hands and the lake are large enough for each other, and small enough for the view."""
    n, each, hand = int(state.num_players), placements_each(state), int(state.hand)
    if state.first_tile + state.tiles - 1 > LAKE_TILES or n * each > state.tiles:
        return False
    if not hand <= each <= PLACEMENTS[n - 2] or n * (each - hand) > MAX_PILE:
        return False
    if state.left > 0 and state.left >= state.columns:
        return False
    return state.columns == 0 or state.rows == 0 or int(state.columns) * int(state.rows) > n * each


# -- turns and seats ------------------------------------------------------------------------------------------


@jit
def has_sound_turn(state):
    """LA-30, LA-31: the seats take turns from seat 0 on, and the game is over after the last of them."""
    n = int(state.num_players)
    last = n * (placements_each(state) + 1)
    if state.truncated or not 0 <= state.turn <= last or state.over != (state.turn == last):
        return False
    return EXCHANGE <= state.phase <= PLACE and (state.over or state.player == state.turn % n)


@jit
def has_sound_phase(state):
    """LA-13, LA-A7: the step of the turn offers something, and nobody places with too many lanterns."""
    if not has_choice(state, int(state.phase)):
        return False
    return state.phase != PLACE or state.lanterns[state.player].sum() <= HAND_LIMIT


@jit
def placed(state):
    """How many tiles have been placed: one in every turn but those of the final round."""
    n = int(state.num_players)
    return min(int(state.turn), n * placements_each(state))


@jit
def turns_begun(state, seat, number):
    """How many of the first so many turns were a seat's own."""
    n = int(state.num_players)
    return (number - seat + n - 1) // n


@jit
def has_sound_seats(state):
    """LA-01, LA-A2, LA-A3: the chairs are those of a table of so many."""
    n = int(state.num_players)
    twins = np.zeros(1, STATE)
    twin = twins[0]
    twin.empty_chair = state.empty_chair
    for empty in range(1, 4):  # the chair that was drawn
        seat_players(twin, n, empty)
        if np.all(twin.chair == state.chair) and np.all(twin.seat_on == state.seat_on):
            return True
    return False


# -- tiles and the lake ---------------------------------------------------------------------------------------


@jit
def has_sound_tiles(state):
    """LA-04, LA-25: every tile is in one place, and hands, pile and box are as full as they must be."""
    n, hand = int(state.num_players), int(state.hand)
    pile, box = n * (placements_each(state) - hand), int(state.tiles) - n * placements_each(state)
    done, drawn = placed(state), min(placed(state), pile)
    if state.num_laid != 1 + done or state.pile_left != pile - drawn:
        return False
    found = np.zeros(NUM_TILES, np.uint8)
    for seat in range(MAX_PLAYERS):
        if not collect(state.hands[seat], HAND, found):
            return False
        undrawn = turns_begun(state, seat, done) - turns_begun(state, seat, drawn)
        if tiles_held(state, seat) != (hand - undrawn if seat < n else 0):
            return False
    if not is_heap(state.pile, int(state.pile_left), MAX_PILE) or not is_heap(state.box, box, MAX_BOX):
        return False
    fits = collect(state.pile, MAX_PILE, found) and collect(state.box, MAX_BOX, found)
    if not fits or not collect(state.laid, int(state.num_laid), found):
        return False
    first, tiles = int(state.first_tile), int(state.tiles)
    return found.sum() == tiles + 1 and found[first : first + tiles].sum() == tiles


@jit
def collect(tiles, count, found):
    """Take in the first tiles of an array; False if one is none, or was found before."""
    for k in range(count):
        tile = int(tiles[k])
        if tile == NO_TILE:
            continue
        if not 0 <= tile < NUM_TILES or found[tile] == 1:
            return False
        found[tile] = 1
    return True


@jit
def is_heap(tiles, count, room):
    """The first so many are tiles, the others not."""
    for k in range(room):  # noqa: SIM110
        if (tiles[k] == NO_TILE) != (k >= count):
            return False
    return True


@jit
def has_sound_lake(state):
    """LA-14: laid once more tile by tile, each beside another, the lake has the same free cells in the same slots."""
    n = int(state.num_players)
    last = n * placements_each(state)
    twins = np.zeros(1, STATE)
    twin = twins[0]
    twin.columns, twin.left, twin.rows = state.columns, state.left, state.rows
    for k in range(state.num_laid):
        tile, turn, x, y = int(state.laid[k]), int(state.laid_turn[k]), int(state.laid_x[k]), int(state.laid_y[k])
        if not 0 <= turn < 4:
            return False
        if k == 0:
            if tile != START_TILE or turn != START_TURN or x != 0 or y != 0:
                return False
            lay(twin, tile, turn, x, y, True)
            continue
        slot = int(twin.grid[x % WIDTH, y % WIDTH]) - 1
        if slot < 0 or twin.slot_x[slot] != x or twin.slot_y[slot] != y:
            return False
        place(twin, slot, tile, turn, k < last)
    if placed(state) == last:
        clear_slots(twin)
    return is_same_lake(state, twin)


@jit
def is_same_lake(state, twin):
    for k in range(MAX_LAID):
        if state.laid[k] != twin.laid[k] or state.laid_turn[k] != twin.laid_turn[k]:
            return False
        if state.laid_x[k] != twin.laid_x[k] or state.laid_y[k] != twin.laid_y[k]:
            return False
    for x in range(WIDTH):
        for y in range(WIDTH):
            if state.grid[x, y] != twin.grid[x, y]:
                return False
    for slot in range(NUM_SLOTS):
        if state.slot_open[slot] != twin.slot_open[slot]:
            return False
        if state.slot_x[slot] != twin.slot_x[slot] or state.slot_y[slot] != twin.slot_y[slot]:
            return False
        for side in range(4):
            if state.touch[slot, side] != twin.touch[slot, side]:
                return False
            if state.touch_platform[slot, side] != twin.touch_platform[slot, side]:
                return False
    return True


# -- lanterns, favors, honor ----------------------------------------------------------------------------------


@jit
def has_sound_goods(state):
    """LA-05: all lanterns of a colour are in its stack or somebody's; LA-21: so many favors can have been gained."""
    n = int(state.num_players)
    for colour in range(NUM_COLOURS):
        held = int(state.supply[colour])
        for seat in range(MAX_PLAYERS):
            number = int(state.lanterns[seat, colour])
            if number < 0 or (seat >= n and number > 0):
                return False
            held += number
        if state.supply[colour] < 0 or held != (STACK[n - 2] if state.stack == 0 else state.stack):
            return False
    for seat in range(MAX_PLAYERS):
        most = MAX_GAIN * turns_begun(state, seat, placed(state)) if seat < n else 0
        if not 0 <= state.favors[seat] <= most:
            return False
    return True


@jit
def dedications(state, seat):
    """How often a player may have dedicated so far."""
    n = int(state.num_players)
    if seat >= n:
        return 0
    past = not state.over and seat == state.player and state.phase > DEDICATE
    return turns_begun(state, seat, int(state.turn)) + past


@jit
def has_sound_honor(state):
    """LA-12: all honor together is that of the tokens taken, and perhaps some generic ones once a pile is used up."""
    n = int(state.num_players)
    honor, most = 0, 0
    for seat in range(MAX_PLAYERS):
        if not 0 <= state.honor[seat] <= MAX_VALUE * dedications(state, seat):
            return False
        honor += int(state.honor[seat])
        most += dedications(state, seat)
    used_up = False
    for kind in range(NUM_KINDS):
        taken = int(state.taken[kind])
        if not 0 <= taken <= TOKENS_IN_PILE[n - 2]:
            return False
        for k in range(taken):
            honor -= int(TOKEN_VALUES[n - 2, kind, k])
        most -= taken
        used_up = used_up or taken == TOKENS_IN_PILE[n - 2]
    generic = honor // GENERIC_VALUE
    return honor % GENERIC_VALUE == 0 and 0 <= generic <= most * used_up
