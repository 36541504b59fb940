"""The whole tree of a game, depth first: a template over the names of its verbs.

A *history* is a line of play: what was dealt and what has been done since.  Information sets differ in all
that a player has seen, after the deal and after every move of anybody, and done.  What a player sees is computed only
where it decides once more: until then the states of the line are kept.
"""

from typing import Any, NamedTuple

import numpy as np

from lanterns_env.engine.compile import jit, template
from lanterns_env.engine.kernels import pick
from lanterns_env.engine.rng import PLAY_OUT, below, generator
from lanterns_env.solve.hashing import WORD_BYTES, begin_memory, hash_words, remember, remember_action

NOBODY = -1
# Why the walk stops: it is over, or has gone as far as it should, or lacks room, or the game breaks its contract.
FINISHED, PAUSED, NO_ROOM, TOO_DEEP, STUCK, UNEQUAL = range(6)
# What is counted.
HISTORIES, LEAVES, SETS, ENTRIES, MOVES, OUTCOMES, DEPTH, DEAL = range(8)
NUM_COUNTS = 8
DECISIONS, ENDS, LONGEST = range(3)  # what probes estimate


class Desk(NamedTuple):
    """What a walk works with: the settings of the game, and places to write on."""

    orders: Any  # [n, length], of all deals
    weights: Any  # float64[n]
    blank: Any  # one state that holds number of players and options
    mask: Any  # int8[A], filled up to whole words
    mask_words: Any  # the same as uint64
    views: Any  # one view
    words: Any  # the same as uint64
    points: Any  # float32[max_players]
    share: Any


class Line(NamedTuple):
    """The line of play at which a walk stands, by depth."""

    states: Any
    actions: Any  # int32[depth, A]: what is legal there
    counts: Any  # int64[depth]: how many these are
    places: Any  # int64[depth]: how many of them have been played
    sets: Any  # int64[depth]: the information set of who decides there
    sequences: Any  # int64[depth, n]: each player's last own action so far
    seen: Any  # uint64[depth, n, 2]: all that a player has seen and done
    owned: Any  # uint64[depth, n, 2]: what it has seen and done where it decided itself
    known: Any  # int64[n]: how deep ``seen`` has been computed


class Found(NamedTuple):
    """Information sets in the order in which they are found, and the end of every line of play."""

    slots: Any  # int32[2**k]: number + 1 of an information set, by hash; 0 where free
    seen: Any  # uint64[sets, 2]
    owned: Any  # uint64[sets, 2]
    views: Any  # uint64[sets, 2]: of the view alone
    heads: Any  # int64[sets, 7]
    actions: Any  # int32[entries]: of every set what is legal there
    moves: Any  # int32[moves]: the first line of play that leads to a set
    sequences: Any  # int32[leaves, n]: each player's last own action
    outcomes: Any  # int32[leaves]
    weights: Any  # float64[leaves]: the chance of the deal
    shares: Any  # float32[outcomes, max_players]


# The head of a set: who decides, where its actions begin and how many they are, that player's last own action before,
# the deal of the first line of play that leads there, where its moves begin and how many they are.
SEAT, FIRST, COUNT, PARENT, FROM, FIRST_MOVE, LENGTH = range(7)
NUM_HEADS = 7


@template
def walk(desk, line, found, counts, last):
    """Go on until there are so many histories; says why it stopped."""
    while counts[HISTORIES] < last:
        if lacks_room(desk, line, found, counts):
            return NO_ROOM
        depth = counts[DEPTH]
        if depth == NOBODY:
            if counts[DEAL] == len(desk.orders):
                return FINISHED
            status = begin_deal(desk, line, found, counts)
        elif depth + 1 == len(line.states):
            return TOO_DEEP
        else:
            status = go_on(desk, line, found, counts)
        if status != PAUSED:
            return status
    return PAUSED


@jit
def lacks_room(desk, line, found, counts):
    """Whether any list might not hold what one position more brings, and all ends right after it."""
    most = len(desk.mask)
    return (
        counts[LEAVES] + most > len(found.outcomes)
        or counts[SETS] == len(found.heads)
        or 2 * counts[SETS] >= len(found.slots)
        or counts[ENTRIES] + most > len(found.actions)
        or counts[MOVES] + len(line.states) > len(found.moves)
        or counts[OUTCOMES] + most > len(found.shares)
    )


@template
def begin_deal(desk, line, found, counts):
    """The next deal, at the root of its part of the tree."""
    line.states[0] = desk.blank[0]
    state = line.states[0]
    players = int(state.num_players)
    deal_cards(state, players, desk.orders[counts[DEAL]])
    counts[HISTORIES] += 1
    for seat in range(players):
        line.known[seat] = NOBODY
        line.sequences[0, seat] = seat
        begin_memory(line.owned[0, seat], seat)
    counts[DEAL] += 1
    if state.over:
        leaf = counts[LEAVES]
        for seat in range(players):
            found.sequences[leaf, seat] = seat
        found.weights[leaf] = desk.weights[counts[DEAL] - 1]
        add_outcome(line.states, 0, desk, found, counts)
        return PAUSED
    return decide(desk, line, found, counts, 0)


@template
def go_on(desk, line, found, counts):
    """Play what is left to be played at the deepest position, until the game goes on after it.

    Whole lists are named before the loop: to take them out of their records again and again would cost most of all.
    """
    depth, players = counts[DEPTH], len(line.known)
    states, actions, taken = line.states, line.actions, line.sequences
    sequences, weights = found.sequences, found.weights
    seat = int(states[depth].player)
    entry = players + found.heads[line.sets[depth], FIRST]
    weight = desk.weights[counts[DEAL] - 1]
    for place in range(line.places[depth], line.counts[depth]):
        states[depth + 1] = states[depth]
        play(states[depth + 1], np.int64(actions[depth, place]))
        counts[HISTORIES] += 1
        if not states[depth + 1].over:
            line.places[depth] = place + 1
            return go_down(desk, line, found, counts)
        leaf = counts[LEAVES]
        for player in range(players):
            sequences[leaf, player] = taken[depth, player]
        sequences[leaf, seat] = entry + place
        weights[leaf] = weight
        add_outcome(states, depth + 1, desk, found, counts)
    counts[DEPTH] -= 1
    for player in range(players):
        line.known[player] = min(line.known[player], counts[DEPTH])
    return PAUSED


@template
def add_outcome(states, depth, desk, found, counts):
    """The outcome of a line of play that is over, by its number: a new one if there was none like it."""
    points, share, shares = desk.points, desk.share, found.shares
    score(states[depth], points, share)
    number, known = 0, counts[OUTCOMES]
    while number < known:
        same = True
        for player in range(len(share)):
            same &= shares[number, player] == share[player]
        if same:
            break
        number += 1
    if number == known:
        for player in range(len(share)):
            shares[number, player] = share[player]
        counts[OUTCOMES] += 1
    found.outcomes[counts[LEAVES]] = number
    counts[LEAVES] += 1


@template
def go_down(desk, line, found, counts):
    """From the deepest position to the one that its last action has led to."""
    depth, owned, taken = counts[DEPTH], line.owned, line.sequences
    number, place = line.sets[depth], line.places[depth] - 1
    seat = int(line.states[depth].player)
    for player in range(len(line.known)):
        taken[depth + 1, player] = taken[depth, player]
        for which in range(2):
            owned[depth + 1, player, which] = owned[depth, player, which]
    taken[depth + 1, seat] = len(line.known) + found.heads[number, FIRST] + place
    for which in range(2):
        owned[depth + 1, seat, which] = found.owned[number, which]
    remember_action(owned[depth + 1, seat], np.int64(line.actions[depth, place]))
    return decide(desk, line, found, counts, depth + 1)


@template
def decide(desk, line, found, counts, depth):
    """Somebody is to move at a new position: in which information set, and what is legal there."""
    state = line.states[depth]
    seat = int(state.player)
    legal(state, desk.mask)
    count = listed(desk, line.actions[depth])
    if count == 0:
        return STUCK
    news = np.empty(2, np.uint64)
    look_back(desk, line, depth, seat, news)
    counts[DEPTH] = depth
    line.counts[depth], line.places[depth] = count, 0
    slot = find_slot(line.seen[depth, seat], found)
    number = np.int64(found.slots[slot]) - 1
    if number == NOBODY:
        number = counts[SETS]
        found.slots[slot] = number + 1
        add_set(line, found, counts, depth, seat, news)
    line.sets[depth] = number
    head = found.heads[number]
    alike = head[SEAT] == seat and head[PARENT] == line.sequences[depth, seat] and head[COUNT] == count
    return PAUSED if alike else UNEQUAL


@jit
def add_set(line, found, counts, depth, seat, news):
    """A new information set: of the position at this depth."""
    number = counts[SETS]
    counts[SETS] += 1
    count, first, first_move = line.counts[depth], counts[ENTRIES], counts[MOVES]
    counts[ENTRIES] += count
    counts[MOVES] += depth
    head = found.heads[number]
    head[SEAT], head[FIRST], head[COUNT], head[PARENT] = seat, first, count, line.sequences[depth, seat]
    head[FROM], head[FIRST_MOVE], head[LENGTH] = counts[DEAL] - 1, first_move, depth
    for place in range(count):
        found.actions[first + place] = line.actions[depth, place]
    for at in range(depth):
        found.moves[first_move + at] = line.actions[at, line.places[at] - 1]
    for which in range(2):
        found.seen[number, which] = line.seen[depth, seat, which]
        found.views[number, which] = news[which]
        found.owned[number, which] = line.owned[depth, seat, which]
    remember(found.owned[number], news)


@template
def look_back(desk, line, depth, seat, news):
    """Compute all that a player has seen on the line since this was last done; ``news`` is the last view."""
    for at in range(line.known[seat] + 1, depth + 1):
        if at == 0:
            begin_memory(line.seen[0, seat], seat)
            remember_action(line.seen[0, seat], NOBODY)
        else:
            for which in range(2):
                line.seen[at, seat, which] = line.seen[at - 1, seat, which]
            moved = int(line.states[at - 1].player) == seat
            action = line.actions[at - 1, line.places[at - 1] - 1] if moved else NOBODY
            remember_action(line.seen[at, seat], np.int64(action))
        observe(line.states[at], seat, desk.views[0])
        hash_words(desk.words, news)
        remember(line.seen[at, seat], news)
    line.known[seat] = depth


@jit
def listed(desk, actions):
    """Write the legal actions in a row; how many they are."""
    count = 0
    for word in range(len(desk.mask_words)):
        if desk.mask_words[word] == 0:
            continue
        for action in range(WORD_BYTES * word, WORD_BYTES * (word + 1)):
            if desk.mask[action] != 0:
                actions[count] = action
                count += 1
    return count


@jit
def find_slot(seen, found):
    """Where an information set stands in the index, or would."""
    last = len(found.slots) - 1
    at = np.int64(seen[0] & np.uint64(last))
    while found.slots[at] != 0:
        number = np.int64(found.slots[at]) - 1
        if found.seen[number, 0] == seen[0] and found.seen[number, 1] == seen[1]:
            break
        at = (at + 1) & last
    return at


@jit
def index_again(found, count):
    """Enter all sets in an index that is still empty."""
    for number in range(count):
        found.slots[find_slot(found.seen[number], found)] = number + 1


@template
def probe(desk, state, seed, probes, sums):
    """Random lines of play, from which follows about how large the tree is (Knuth 1975).

    ``state`` is of one; ``sums`` takes the sums of decisions and of ends, and the longest line.
    """
    rng = generator(seed, PLAY_OUT)
    for _ in range(probes):
        state[0] = desk.blank[0]
        deal_cards(state[0], int(desk.blank[0].num_players), desk.orders[below(rng, len(desk.orders))])
        lines, length = 1.0, 0
        while not state[0].over:
            count = legal(state[0], desk.mask)
            if count == 0:
                break
            sums[DECISIONS] += lines
            lines *= count
            play(state[0], pick(desk.mask_words, below(rng, count)))
            length += 1
        sums[ENDS] += lines
        sums[LONGEST] = max(sums[LONGEST], length)
