"""The rules of Lanterns, numbered as in RULES.md.

A turn is three steps, each at most once and in this order: exchange, dedication, placement (with a forced
discard before it).  All chance lies in the deal: a permutation of the tiles and the empty chair.  What an option
does not say, 0, is as the number of players has it.
"""

import numpy as np

from lanterns_env.engine.compile import jit
from lanterns_env.engine.game import Option, state_dtype
from lanterns_env.engine.rng import DEAL, REDEAL, below, generator, shuffle
from lanterns_env.games.lanterns.components import (
    EXCHANGE_COST,
    FOUR_OF_A_KIND,
    GENERIC_VALUE,
    HAND,
    HAND_LIMIT,
    LAKE_TILES,
    MAX_BOX,
    MAX_LAID,
    MAX_PILE,
    MAX_PLAYERS,
    MAX_STACK,
    NUM_COLOURS,
    NUM_KINDS,
    NUM_TILES,
    PLACEMENTS,
    PLATFORM,
    SEVEN_DIFFERENT,
    STACK,
    START_TILE,
    START_TURN,
    THREE_PAIRS,
    TILES,
    TOKEN_VALUES,
    TOKENS_IN_PILE,
    TRIPLES,
)
from lanterns_env.games.lanterns.lake import LAKE_FIELDS, NUM_SLOTS, clear_slots, lay, place

OPTIONS = {
    "empty_chair": Option("drawn", ("drawn", 1, 2, 3), "LA-A3: the empty chair at a table of three"),
    "tiles": Option(LAKE_TILES, range(2, LAKE_TILES + 1), "LA-50: lake tiles that are in play"),
    "first_tile": Option(1, range(1, LAKE_TILES), "LA-50: the lowest number of these tiles"),
    "placements": Option(0, range(int(PLACEMENTS.max()) + 1), "LA-51: tiles that each player places, 0: 11, 9 or 8"),
    "hand": Option(HAND, range(1, HAND + 1), "LA-51: tiles in a hand"),
    "columns": Option(0, range(MAX_LAID + 1), "LA-52: columns of the lake, 0: no edge to the left and right"),
    "left": Option(0, range(MAX_LAID), "LA-52: how many of the columns lie left of the start tile, seen from chair 0"),
    "rows": Option(0, range(MAX_LAID + 1), "LA-52: rows of the lake, 0: no edge near and far"),
    "stack": Option(0, range(MAX_STACK + 1), "LA-53: lanterns of each colour, 0: 5, 7 or 8"),
}

EXCHANGE, DEDICATE, DISCARD, PLACE = range(4)  # the steps of a turn, state.phase
NOBODY = -1  # on a chair
NO_TILE = -1

STATE = state_dtype(
    OPTIONS,
    ("phase", np.int8),
    ("turn", np.int16),  # turns that have ended
    ("chair", np.int8, MAX_PLAYERS),  # of each seat
    ("seat_on", np.int8, 4),  # each chair, or NOBODY
    ("supply", np.int16, NUM_COLOURS),
    ("lanterns", np.int16, (MAX_PLAYERS, NUM_COLOURS)),
    ("favors", np.int16, MAX_PLAYERS),
    ("honor", np.int16, MAX_PLAYERS),
    ("taken", np.int16, NUM_KINDS),  # tokens taken from each pile
    ("hands", np.int8, (MAX_PLAYERS, HAND)),  # tiles, or NO_TILE
    ("pile", np.int8, MAX_PILE),  # from the bottom; the last of the first pile_left is drawn next
    ("pile_left", np.int16),
    ("box", np.int8, MAX_BOX),  # the tiles removed unseen
    *LAKE_FIELDS,
)

# Actions, numbered by blocks.
FOURS = NUM_COLOURS * (NUM_COLOURS - 1)  # after the exchanges
PAIRS = FOURS + NUM_COLOURS
SEVEN = PAIRS + len(TRIPLES)
DISCARDS = SEVEN + 1
PLACES = DISCARDS + NUM_COLOURS
PER_SLOT = HAND * 4
SKIP = PLACES + NUM_SLOTS * PER_SLOT
NUM_ACTIONS = SKIP + 1


# -- deal ---------------------------------------------------------------------------------------------------


@jit
def deal(state, num_players, seed):
    """LA-A8: an order of the tiles and the empty chair are drawn."""
    rng = generator(seed, DEAL)
    tiles = int(state.tiles)
    order = np.empty(tiles + 1, np.int16)
    for k in range(tiles):
        order[k] = int(state.first_tile) + k
    shuffle(rng, order, tiles)
    order[tiles] = 1 + below(rng, 3)
    deal_cards(state, num_players, order)


@jit
def deal_cards(state, num_players, order):
    """LA-01..08: hands, draw pile and box are cut from the tiles in this order; the last number is the empty chair."""
    seat_players(state, num_players, int(order[int(state.tiles)]))
    hand_out(state, num_players, order)
    state.supply[:] = STACK[num_players - 2] if state.stack == 0 else state.stack
    state.player = 0
    lay(state, START_TILE, START_TURN, 0, 0, True)
    for seat in range(num_players):  # LA-06
        gain(state, seat, int(TILES[START_TILE, (START_TURN + int(state.chair[seat])) % 4]))
    state.phase = PLACE  # LA-15: nobody has a favor or more than one lantern


@jit
def seat_players(state, num_players, drawn_chair):
    """LA-01, LA-A2, LA-A3: two sit opposite, three leave a chair empty."""
    empty = drawn_chair if state.empty_chair == 0 else int(state.empty_chair)
    state.chair[:] = NOBODY
    state.seat_on[:] = NOBODY
    seat = 0
    for chair in range(4):
        if num_players == 2 and chair % 2 == 1:
            continue
        if num_players == 3 and chair == empty:
            continue
        state.chair[seat] = chair
        state.seat_on[chair] = seat
        seat += 1


@jit
def hand_out(state, num_players, tiles):
    """LA-04, LA-51: so many tiles to each hand, then the draw pile from its top, the rest into the box."""
    state.hands[:] = NO_TILE
    state.pile[:] = NO_TILE
    state.box[:] = NO_TILE
    k, size = 0, int(state.hand)
    for seat in range(num_players):
        for position in range(size):
            state.hands[seat, position] = tiles[k]
            k += 1
    left = num_players * (placements_each(state) - size)
    state.pile_left = left
    for depth in range(left):
        state.pile[left - 1 - depth] = tiles[k]
        k += 1
    for j in range(int(state.tiles) - k):
        state.box[j] = tiles[k + j]


@jit
def placements_each(state):
    """LA-30, LA-51: how many tiles each player places in the whole game."""
    return int(state.placements) if state.placements > 0 else int(PLACEMENTS[state.num_players - 2])


# -- what may be done ---------------------------------------------------------------------------------------


@jit
def legal(state, mask):
    """All actions of the player to move, by the step of the turn; how many they are."""
    mask[:] = 0
    if state.phase == EXCHANGE:
        return legal_exchange(state, mask)
    if state.phase == DEDICATE:
        return legal_dedicate(state, mask)
    if state.phase == DISCARD:
        return legal_discard(state, mask)
    return legal_place(state, mask)


@jit
def legal_exchange(state, mask):
    """LA-10, LA-A1: an own lantern for another colour whose stack is not empty; or skip."""
    count = 1
    mask[SKIP] = 1
    for give in range(NUM_COLOURS):
        if state.lanterns[state.player, give] == 0:
            continue
        for take in range(NUM_COLOURS):
            if take != give and state.supply[take] > 0:
                mask[(NUM_COLOURS - 1) * give + take - (take > give)] = 1
                count += 1
    return count


@jit
def legal_dedicate(state, mask):
    """LA-11: the sets in hand; or skip."""
    own = state.lanterns[state.player]
    count = 1
    mask[SKIP] = 1
    for colour in range(NUM_COLOURS):
        if own[colour] >= 4:
            mask[FOURS + colour] = 1
            count += 1
    for triple in range(len(TRIPLES)):
        if own[TRIPLES[triple, 0]] >= 2 and own[TRIPLES[triple, 1]] >= 2 and own[TRIPLES[triple, 2]] >= 2:
            mask[PAIRS + triple] = 1
            count += 1
    if colours_held(own, 1) == NUM_COLOURS:
        mask[SEVEN] = 1
        count += 1
    return count


@jit
def legal_discard(state, mask):
    """LA-13: any own lantern."""
    count = 0
    for colour in range(NUM_COLOURS):
        if state.lanterns[state.player, colour] > 0:
            mask[DISCARDS + colour] = 1
            count += 1
    return count


@jit
def legal_place(state, mask):
    """LA-14: any hand tile on any free cell next to a tile, any side facing the player."""
    count = 0
    for slot in range(NUM_SLOTS):
        if state.slot_open[slot] == 0:
            continue
        for position in range(HAND):
            if state.hands[state.player, position] == NO_TILE:
                continue
            first = PLACES + PER_SLOT * slot + 4 * position
            mask[first : first + 4] = 1
            count += 4
    return count


@jit
def has_choice(state, phase):
    """LA-A7: whether a step of the turn offers the player anything."""
    own = state.lanterns[state.player]
    if phase == EXCHANGE:
        return state.favors[state.player] >= EXCHANGE_COST and can_exchange(state, own)
    if phase == DEDICATE:
        return colours_held(own, 4) >= 1 or colours_held(own, 2) >= 3 or colours_held(own, 1) == NUM_COLOURS
    if final_round(state):  # LA-31, LA-A5: no tile, no hand limit
        return False
    if phase == DISCARD:
        return own.sum() > HAND_LIMIT
    return True  # LA-14: a placement always exists


@jit
def can_exchange(state, own):
    """LA-10: some own lantern and a stack of another colour."""
    stacks, stack = 0, -1
    for colour in range(NUM_COLOURS):
        if state.supply[colour] > 0:
            stacks, stack = stacks + 1, colour
    held = colours_held(own, 1)
    if stacks == 1 and own[stack] > 0:
        held -= 1
    return stacks > 0 and held > 0


@jit
def colours_held(own, number):
    """Of how many colours there are at least so many lanterns."""
    held = 0
    for colour in range(NUM_COLOURS):
        held += own[colour] >= number
    return held


@jit
def final_round(state):
    """LA-31: all tiles are placed."""
    return state.turn >= state.num_players * placements_each(state)


# -- what an action does ------------------------------------------------------------------------------------


@jit
def play(state, action):
    if action == SKIP:
        go_on(state, int(state.phase) + 1)
    elif action < FOURS:
        play_exchange(state, action)
    elif action < DISCARDS:
        play_dedicate(state, action)
    elif action < PLACES:
        give_back(state, action - DISCARDS, 1)  # LA-13
        go_on(state, DISCARD)
    else:
        play_place(state, action - PLACES)


@jit
def play_exchange(state, action):
    """LA-10: pay two favors, return a lantern, take one of another colour."""
    give, take = action // (NUM_COLOURS - 1), action % (NUM_COLOURS - 1)
    state.favors[state.player] -= EXCHANGE_COST
    gain(state, int(state.player), take + (take >= give))
    give_back(state, give, 1)
    go_on(state, DEDICATE)


@jit
def play_dedicate(state, action):
    """LA-11: the lanterns go back to the supply, the top token is scored."""
    if action < PAIRS:
        kind = FOUR_OF_A_KIND
        give_back(state, action - FOURS, 4)
    elif action < SEVEN:
        kind = THREE_PAIRS
        for colour in TRIPLES[action - PAIRS]:
            give_back(state, int(colour), 2)
    else:
        kind = SEVEN_DIFFERENT
        for colour in range(NUM_COLOURS):
            give_back(state, colour, 1)
    state.honor[state.player] += token_value(state, kind)
    if tokens_left(state, kind) > 0:
        state.taken[kind] += 1
    go_on(state, DISCARD)


@jit
def play_place(state, index):
    """LA-20..25: match bonus and favors, then a lantern for everybody, then a new tile."""
    slot, position, side = index // PER_SLOT, index % PER_SLOT // 4, index % 4
    player = int(state.player)
    tile = int(state.hands[player, position])
    turn = (side - int(state.chair[player])) % 4  # the side that faces chair 0
    match_bonus(state, player, slot, tile, turn)
    more_to_place = state.turn + 1 < state.num_players * placements_each(state)
    place(state, slot, tile, turn, more_to_place)
    orientation(state, player, tile, turn)
    draw_tile(state, player, position)
    if not more_to_place:
        clear_slots(state)
    go_on(state, PLACE + 1)


@jit
def match_bonus(state, player, slot, tile, turn):
    """LA-20..22: a lantern for every matching side; favors for matched platforms, lantern or not."""
    matched = False
    for chair in range(4):
        colour = int(TILES[tile, (turn + chair) % 4])
        if state.touch[slot, chair] != colour + 1:
            continue
        matched = True
        gain(state, player, colour)
        state.favors[player] += int(state.touch_platform[slot, chair])
    if matched:
        state.favors[player] += int(PLATFORM[tile])


@jit
def orientation(state, player, tile, turn):
    """LA-23: everybody gets the colour that faces it, the active player first."""
    for step in range(state.num_players):
        seat = (player + step) % state.num_players
        gain(state, seat, int(TILES[tile, (turn + int(state.chair[seat])) % 4]))


@jit
def draw_tile(state, player, position):
    """LA-25: the drawn tile takes the place of the laid one."""
    state.hands[player, position] = NO_TILE
    if state.pile_left > 0:
        state.pile_left -= 1
        state.hands[player, position] = state.pile[state.pile_left]
        state.pile[state.pile_left] = NO_TILE


@jit
def gain(state, seat, colour):
    """LA-24: a lantern from the supply, if the stack has one."""
    if state.supply[colour] > 0:
        state.supply[colour] -= 1
        state.lanterns[seat, colour] += 1


@jit
def give_back(state, colour, number):
    state.lanterns[state.player, colour] -= number
    state.supply[colour] += number


@jit
def tokens_left(state, kind):
    return int(TOKENS_IN_PILE[state.num_players - 2]) - int(state.taken[kind])


@jit
def token_value(state, kind):
    """LA-12: what a dedication brings now."""
    if tokens_left(state, kind) == 0:
        return GENERIC_VALUE
    return int(TOKEN_VALUES[state.num_players - 2, kind, state.taken[kind]])


@jit
def go_on(state, phase):
    """LA-A7: to the next step with a choice, this turn or later; over when no later turn has one (LA-31)."""
    mover = state.player
    while not (phase <= PLACE and has_choice(state, phase)):
        phase += 1
        if phase > PLACE:
            state.turn += 1
            if state.turn == state.num_players * (placements_each(state) + 1):
                state.over = True
                state.player = mover
                return
            state.player = (state.player + 1) % state.num_players
            phase = EXCHANGE
    state.phase = phase


# -- the end, and what is hidden ----------------------------------------------------------------------------


@jit
def score(state, points, share):
    """LA-32: most honor, then favors, then lanterns; then the win is shared."""
    best, winners = -1, 0
    points[:] = 0
    share[:] = 0
    for seat in range(state.num_players):
        points[seat] = state.honor[seat]
        rank = ranking(state, seat)
        if rank > best:
            best, winners = rank, 0
        winners += rank == best
    for seat in range(state.num_players):
        if ranking(state, seat) == best:
            share[seat] = 1.0 / winners


@jit
def ranking(state, seat):
    """Honor, favors and lanterns as one number; favors and lanterns stay below 100."""
    return (int(state.honor[seat]) * 100 + int(state.favors[seat])) * 100 + int(state.lanterns[seat].sum())


@jit
def redeal(state, player, seed):
    """LA-42: shuffle the tiles this player has not seen into the other hands, the pile and the box."""
    unseen = np.empty(NUM_TILES, np.int8)
    count = unseen_tiles(state, player, unseen)
    shuffle(generator(seed, REDEAL), unseen, count)
    k = 0
    for seat in range(state.num_players):
        if seat == player:
            continue
        held = tiles_held(state, seat)
        for position in range(HAND):  # hand positions are private: the tiles come first
            state.hands[seat, position] = unseen[k] if position < held else NO_TILE
            k += position < held
    for j in range(state.pile_left):
        state.pile[j] = unseen[k]
        k += 1
    for j in range(count - k):
        state.box[j] = unseen[k]
        k += 1
    state.seed = seed


@jit
def unseen_tiles(state, player, unseen):
    """The tiles that are neither in the lake nor in this player's hand, in order; how many they are."""
    seen = np.zeros(NUM_TILES, np.uint8)
    for k in range(state.num_laid):
        seen[state.laid[k]] = 1
    for position in range(HAND):
        if state.hands[player, position] != NO_TILE:
            seen[state.hands[player, position]] = 1
    count = 0
    for tile in range(int(state.first_tile), int(state.first_tile) + int(state.tiles)):
        if seen[tile] == 0:
            unseen[count] = tile
            count += 1
    return count


@jit
def tiles_held(state, seat):
    held = 0
    for position in range(HAND):
        held += state.hands[seat, position] != NO_TILE
    return held
