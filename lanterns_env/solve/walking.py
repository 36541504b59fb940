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


class Deck(NamedTuple):
    """All deals of a variant, and the state that they are set up in."""

    orders: Any  # [n, length]
    blank: Any  # one state that holds number of players and options


class Desk(NamedTuple):
    """Places to write on."""

    mask: Any  # int8[A], filled up to whole words
    mask_words: Any  # the same as uint64
    views: Any  # one view
    words: Any  # the same as uint64
    points: Any  # float32[max_players]
    share: Any


class Line(NamedTuple):
    """The line of play at which a walk stands, by depth."""

    states: Any
    steps: Any  # STEP
    actions: Any  # int32[depth, A]: what is legal there
    known: Any  # int64[n]: how deep it has been computed what each player has seen


class Found(NamedTuple):
    """Information sets in the order in which they are found, and the end of every line of play."""

    slots: Any  # int32[2**k]: number + 1 of an information set, by hash; 0 where free
    sets: Any  # SET
    actions: Any  # int32[entries]: of every set what is legal there
    moves: Any  # int32[moves]: the first line of play that leads to a set
    sequences: Any  # int32[ends, n]: each player's last own action
    outcomes: Any  # int32[ends]
    deals: Any  # int32[ends]
    shares: Any  # float32[outcomes, max_players]


SET_FIELDS = [
    ("seen", np.uint64, 2),  # all that the player has seen and done
    ("owned", np.uint64, 2),  # what it has seen and done where it decided itself
    ("shown", np.uint64, 2),  # what it sees now
    ("seat", np.int64),
    ("first", np.int64),  # where its actions begin
    ("count", np.int64),  # how many these are
    ("parent", np.int64),  # the player's last own action before
    ("deal", np.int64),  # of the first line of play that leads here
    ("first_move", np.int64),  # where this line begins
    ("length", np.int64),
]
SET = np.dtype((np.record, np.dtype(SET_FIELDS, align=True)))


def step_dtype(max_players: int) -> np.dtype[Any]:
    """A position of the line of play."""
    fields = [
        ("seat", np.int64),  # who decides
        ("count", np.int64),  # how many actions are legal
        ("played", np.int64),  # how many of them have been played
        ("action", np.int64),  # the last of these
        ("set", np.int64),  # the information set
        ("sequence", np.int64, max_players),  # each player's last own action so far
        ("seen", np.uint64, (max_players, 2)),  # all that a player has seen and done, where it is known
        ("owned", np.uint64, (max_players, 2)),  # what it has seen and done where it decided itself
    ]
    return np.dtype((np.record, np.dtype(fields, align=True)))


@template
def walk(deck, desk, line, found, counts, last):
    """Go on until there are so many histories; says why it stopped."""
    while counts[HISTORIES] < last:
        if lacks_room(desk, line, found, counts):
            return NO_ROOM
        if counts[DEPTH] == NOBODY:
            if counts[DEAL] == len(deck.orders):
                return FINISHED
            status = begin_deal(deck, desk, line, found, counts)
        elif counts[DEPTH] + 1 == len(line.states):
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
        or counts[SETS] == len(found.sets)
        or 2 * counts[SETS] >= len(found.slots)
        or counts[ENTRIES] + most > len(found.actions)
        or counts[MOVES] + len(line.states) > len(found.moves)
        or counts[OUTCOMES] + most > len(found.shares)
    )


@template
def begin_deal(deck, desk, line, found, counts):
    """The next deal, at the root of its part of the tree."""
    line.states[0] = deck.blank[0]
    state, step = line.states[0], line.steps[0]
    deal_cards(state, int(state.num_players), deck.orders[counts[DEAL]])
    counts[HISTORIES] += 1
    counts[DEAL] += 1
    for player in range(len(line.known)):
        line.known[player] = NOBODY
        step.sequence[player] = player
        begin_memory(step.owned[player], player)
    if state.over:
        for player in range(len(line.known)):
            found.sequences[counts[LEAVES], player] = player
        add_end(line.states, 0, desk, found, counts)
        return PAUSED
    return decide(desk, line, found, counts, 0)


@template
def go_on(desk, line, found, counts):
    """Play what is left to be played at the deepest position, until the game goes on after it.

    Whole lists are named before the loop: to take them out of their records again and again would cost most of all.
    """
    depth, players = counts[DEPTH], len(line.known)
    states, actions, sequences = line.states, line.actions, found.sequences
    step = line.steps[depth]
    entry = players + found.sets[step.set].first
    for place in range(step.played, step.count):
        step.action = actions[depth, place]
        states[depth + 1] = states[depth]
        play(states[depth + 1], step.action)
        counts[HISTORIES] += 1
        if not states[depth + 1].over:
            step.played = place + 1
            carry_on(line.steps, depth, players, entry + place, found.sets)
            return decide(desk, line, found, counts, depth + 1)
        for player in range(players):
            sequences[counts[LEAVES], player] = step.sequence[player]
        sequences[counts[LEAVES], step.seat] = entry + place
        add_end(states, depth + 1, desk, found, counts)
    counts[DEPTH] -= 1
    for player in range(players):
        line.known[player] = min(line.known[player], counts[DEPTH])
    return PAUSED


@template
def add_end(states, depth, desk, found, counts):
    """A line of play that is over: its deal, and the number of its outcome, a new one if there was none like it."""
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
    found.deals[counts[LEAVES]] = counts[DEAL] - 1
    counts[LEAVES] += 1


@jit
def carry_on(steps, depth, players, sequence, sets):
    """What players have done, and what the mover has seen where it decided, for the position after its move."""
    before, after = steps[depth], steps[depth + 1]
    for player in range(players):
        after.sequence[player] = before.sequence[player]
        for which in range(2):
            after.owned[player, which] = before.owned[player, which]
    after.sequence[before.seat] = sequence
    for which in range(2):
        after.owned[before.seat, which] = sets[before.set].owned[which]
    remember_action(after.owned[before.seat], before.action)


@template
def decide(desk, line, found, counts, depth):
    """Somebody is to move at a new position: in which information set, and what is legal there."""
    state, step = line.states[depth], line.steps[depth]
    step.seat = state.player
    legal(state, desk.mask)
    step.count, step.played = listed(desk.mask, desk.mask_words, line.actions[depth]), 0
    if step.count == 0:
        return STUCK
    news = look_back(line.states, line.steps, line.known, depth, desk.views, desk.words)
    counts[DEPTH] = depth
    slot = find_slot(step.seen[step.seat], found.slots, found.sets)
    number = np.int64(found.slots[slot]) - 1
    if number == NOBODY:
        number = counts[SETS]
        found.slots[slot] = number + 1
        add_set(line.steps, depth, found.sets, found.moves, counts, news)
        for place in range(step.count):
            found.actions[counts[ENTRIES] + place] = line.actions[depth, place]
        counts[ENTRIES] += step.count
    step.set = number
    one = found.sets[number]
    alike = one.seat == step.seat and one.parent == step.sequence[step.seat] and one.count == step.count
    return PAUSED if alike else UNEQUAL


@jit
def add_set(steps, depth, sets, moves, counts, news):
    """A new information set: of the position at this depth."""
    step, one = steps[depth], sets[counts[SETS]]
    one.seat, one.count, one.parent = step.seat, step.count, step.sequence[step.seat]
    one.first, one.first_move, one.length, one.deal = counts[ENTRIES], counts[MOVES], depth, counts[DEAL] - 1
    for at in range(depth):
        moves[counts[MOVES] + at] = steps[at].action
    for which in range(2):
        one.seen[which] = step.seen[step.seat, which]
        one.owned[which] = step.owned[step.seat, which]
        one.shown[which] = news[which]
    remember(one.owned, news)
    counts[SETS] += 1
    counts[MOVES] += depth


@template
def look_back(states, steps, known, depth, views, words):
    """Compute all that the player to move has seen since this was last done for it; the hashes of its last view."""
    seat = steps[depth].seat
    news = (np.uint64(0), np.uint64(0))
    for at in range(known[seat] + 1, depth + 1):
        memory = steps[at].seen[seat]
        if at == 0:
            begin_memory(memory, seat)
            remember_action(memory, NOBODY)
        else:
            for which in range(2):
                memory[which] = steps[at - 1].seen[seat, which]
            remember_action(memory, steps[at - 1].action if steps[at - 1].seat == seat else NOBODY)
        observe(states[at], seat, views[0])
        news = hash_words(words)
        remember(memory, news)
    known[seat] = depth
    return news


@jit
def listed(mask, words, actions):
    """Write the legal actions in a row; how many they are."""
    count = 0
    for word in range(len(words)):
        if words[word] == 0:
            continue
        for action in range(WORD_BYTES * word, WORD_BYTES * (word + 1)):
            if mask[action] != 0:
                actions[count] = action
                count += 1
    return count


@jit
def find_slot(seen, slots, sets):
    """Where an information set stands in the index, or would."""
    last = len(slots) - 1
    first, second = seen[0], seen[1]
    at = np.int64(first & np.uint64(last))
    while slots[at] != 0:
        one = sets[np.int64(slots[at]) - 1]
        if one.seen[0] == first and one.seen[1] == second:
            break
        at = (at + 1) & last
    return at


@jit
def index_again(slots, sets, count):
    """Enter all sets in an index that is still empty."""
    for number in range(count):
        slots[find_slot(sets[number].seen, slots, sets)] = number + 1


@template
def probe(deck, desk, state, seed, probes, sums):
    """Random lines of play, from which follows about how large the tree is (Knuth 1975).

    ``state`` is of one; ``sums`` takes the sums of decisions and of ends, and the longest line.
    """
    rng = generator(seed, PLAY_OUT)
    for _ in range(probes):
        state[0] = deck.blank[0]
        deal_cards(state[0], int(deck.blank[0].num_players), deck.orders[below(rng, len(deck.orders))])
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
