"""The tree of a search, and a simulation in it: templates over the names of a game's verbs.

The tree belongs to one player, who cannot tell its redealt worlds apart.  A *node* stands for the decisions that
this player sees as one, an *edge* for what is done there; in every world other edges may be available.

    node --edge--> node        an edge leads to several nodes where worlds show different things after it
"""

from typing import Any, NamedTuple

import numpy as np

from lanterns_env.engine.compile import jit, template
from lanterns_env.engine.rng import PLAY_OUT, below, generator, row_seed


def _record(*fields: tuple[str, type]) -> np.dtype[Any]:
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


NODE = _record(
    ("player", np.int16),  # who decides here
    ("visited", np.bool_),  # simulations go on from here; with an evaluator: it has been asked
    ("value", np.float32),  # for who decides here, at the first visit
    ("weight", np.float32),  # of an edge that the evaluator did not see
    ("edge", np.int32),  # that leads here
    ("shown", np.int32),  # what sets this node apart from others behind the same edge
    ("seen", np.int64),  # a fingerprint of the searching player's view, where it decides
)
EDGE = _record(
    ("node", np.int32),  # where it begins
    ("visits", np.int32),
    ("available", np.int32),  # how often it could have been chosen
    ("weight", np.float32),  # of the prior, above 0, not scaled
    ("total", np.float64),  # of the results of who decides
    ("key", np.int64),
)
ENTRY = _record(("name", np.int64), ("number", np.int32))  # of the index: number + 1, 0 where free
HEAD = _record(("nodes", np.int32), ("edges", np.int32), ("depth", np.int32))  # in use; the length of the path

ROOT, NONE = 0, -1
MAX_DEPTH = 256  # a longer line is evaluated where it is
KEY_BITS = 38  # edges have keys below 2**38
CHILD = 1 << KEY_BITS  # marks the names of nodes in the index
LOW = (1 << KEY_BITS + 1) - 1
SCATTER = (0x2C1B3D, 0x165667B1)  # odd numbers that spread names over the index
C_PUCT, REDUCTION = range(2)  # the settings of a search, and three switches:
ROLLOUT_TO_END, HAS_EVALUATOR, REMEMBERS = range(2, 5)  # full play-outs; it gives priors; views are recorded
FINGER, FINGER_BITS = 4194301, (1 << 40) - 1  # of a fingerprint
ROUNDING = 1e-6  # by which shares may miss 1 in all: they come from float32
LEAST_WEIGHT = 1e-6  # of an edge beside the best that the evaluator saw: another world may offer none but the least


class Tree(NamedTuple):
    """One tree; its index holds a power of two of entries."""

    nodes: Any
    edges: Any
    index: Any
    head: Any  # of one


class Scratch(NamedTuple):
    """What a simulation writes on."""

    world: Any  # one state
    views: Any  # one view
    numbers: Any  # the same as int8[1, D]
    path: Any  # the edges of the line
    actions: Any  # those available in this world
    taken: Any  # and their edges
    words: Any  # uint64: the mask
    mask: Any  # the same as int8[A]
    weights: Any
    values: Any  # float32[2, max_players]
    settings: Any


# -- what a game may offer, and what is done where it does not ---------------------------------------------------


@jit
def action_key(state, action):
    """What an action is, where its number means different things in different worlds: below 2**38."""
    return action


@jit
def revealed_key(state):
    """What the last action has shown to everybody and its number does not say: below 2**31."""
    return 0


@jit
def evaluate(state, values):
    """Shares of the win to be expected, float32[max_players]; False where the position cannot be evaluated."""
    return False


@jit
def prior(state, mask, weights):
    """How promising the legal actions look before any result, float32[A], above 0."""
    weights[:] = 1


@jit
def rollout(state, mask, count, rng):
    """A quick choice among the legal actions of a play-out, here a random one."""
    place = below(rng, count)
    for action in range(len(mask)):
        place -= mask[action]
        if place < 0:
            return action
    return -1


@jit
def fingerprint(numbers):
    """A number that stands for a view, never 0."""
    mixed = 1
    for number in numbers:
        mixed = ((mixed ^ (int(number) & 0xFF)) * FINGER) & FINGER_BITS
        mixed ^= mixed >> 20
    return mixed | (1 << 40)


# -- the index: from names to edges and nodes -------------------------------------------------------------------


@jit
def find(index, name):
    """Where a name stands in the index, or the free entry where it would."""
    last = len(index) - 1
    low = name & LOW
    at = (((low ^ (low >> 19)) * SCATTER[0] + (name >> (KEY_BITS + 1)) * SCATTER[1]) >> 12) & last  # no overflow
    while index[at].number != 0 and index[at].name != name:
        at = (at + 1) & last
    return at


@jit
def edge_name(node, key):
    return (np.int64(node) << (KEY_BITS + 1)) | key


@jit
def node_name(edge, player, shown):
    return (np.int64(edge) << (KEY_BITS + 1)) | CHILD | (np.int64(shown) << 4) | np.int64(player)


@jit
def add_node(tree, edge, player, shown, at):
    """A node behind an edge, entered in the index."""
    number = int(tree.head[0].nodes)
    tree.head[0].nodes += 1
    node = tree.nodes[number]
    node.player, node.edge, node.shown = player, edge, shown
    node.visited, node.value, node.weight, node.seen = False, 0, 0, 0
    tree.index[at].name = node_name(edge, player, shown)
    tree.index[at].number = number + 1
    return number


@jit
def add_edge(tree, node, key, weight, at):
    """An edge from a node, entered in the index."""
    number = int(tree.head[0].edges)
    tree.head[0].edges += 1
    edge = tree.edges[number]
    edge.node, edge.key, edge.weight = node, key, weight
    edge.visits, edge.available, edge.total = 0, 0, 0
    tree.index[at].name = edge_name(node, key)
    tree.index[at].number = number + 1
    return number


# -- a simulation -----------------------------------------------------------------------------------------------


@template
def simulate(sources, i, seat, seed, first, last, tree, scratch):
    """Simulations first .. last - 1 of one game: each in a world dealt anew, with one node more."""
    for number in range(first, last):
        world_seed = row_seed(seed, number)
        leaf = descend(sources, i, seat, world_seed, tree, scratch)
        evaluate_leaf(scratch, world_seed)
        visit(tree, scratch, leaf)
        backup(tree, scratch)


@template
def descend(sources, i, seat, world_seed, tree, scratch):
    """In a new world from the root to a node not visited before, or to the end; the node."""
    scratch.world[0] = sources[i]
    state = scratch.world[0]
    redeal(state, seat, world_seed)
    node, depth = ROOT, 0
    while tree.nodes[node].visited and not state.over and depth < MAX_DEPTH:
        place = select(state, node, tree, scratch)
        if place == NONE:
            break
        play(state, scratch.actions[place])
        scratch.path[depth] = scratch.taken[place]
        node = follow(state, seat, scratch.taken[place], tree, scratch)
        depth += 1
    tree.head[0].depth = depth
    return node


@template
def follow(state, seat, taken, tree, scratch):
    """The node behind an edge, in this world."""
    player, shown = int(state.player), revealed_key(state)
    at = find(tree.index, node_name(taken, player, shown))
    if tree.index[at].number > 0:
        return tree.index[at].number - 1
    node = add_node(tree, taken, player, shown, at)
    if player == seat and scratch.settings[REMEMBERS]:
        observe(state, seat, scratch.views[0])
        tree.nodes[node].seen = fingerprint(scratch.numbers[0])
    return node


@template
def select(state, node, tree, scratch):
    """The most promising of the edges that this world makes available: its place in the lists."""
    count = find_edges(state, node, tree, scratch)
    weight, visits, total = 0.0, 0, 0.0
    for place in range(count):
        branch = tree.edges[scratch.taken[place]]
        branch.available += 1
        weight += branch.weight
        visits += branch.visits
        total += branch.total
    unknown = (total if visits > 0 else tree.nodes[node].value) / max(visits, 1) - scratch.settings[REDUCTION]
    best, chosen = -np.inf, NONE
    for place in range(count):
        branch = tree.edges[scratch.taken[place]]
        mean = branch.total / branch.visits if branch.visits > 0 else unknown
        chance = branch.weight / weight * np.sqrt(np.float64(branch.available)) / (1 + branch.visits)
        worth = mean + scratch.settings[C_PUCT] * chance
        if worth > best:
            best, chosen = worth, place
    return chosen


@template
def find_edges(state, node, tree, scratch):
    """List the legal actions of this world and their edges; how many they are, 0 once the tree is full."""
    legal(state, scratch.mask)
    weighed, count = False, 0
    for word in range(len(scratch.words)):
        if scratch.words[word] == 0:
            continue
        for action in range(8 * word, 8 * word + 8):
            if scratch.mask[action] == 0:
                continue
            key = action_key(state, action)
            at = find(tree.index, edge_name(node, key))
            if tree.index[at].number == 0:
                if tree.head[0].edges == len(tree.edges):
                    return 0
                if not weighed:
                    weigh_edges(state, node, tree, scratch)
                    weighed = True
                add_edge(tree, node, key, scratch.weights[action], at)
            scratch.actions[count] = action
            scratch.taken[count] = tree.index[at].number - 1
            count += 1
    return count


@template
def weigh_edges(state, node, tree, scratch):
    """The prior of edges that this world adds."""
    if scratch.settings[HAS_EVALUATOR]:
        scratch.weights[:] = tree.nodes[node].weight
    else:
        prior(state, scratch.mask, scratch.weights)


@template
def evaluate_leaf(scratch, seed):
    """What the world is worth to every player: shares of the win, if need be after a play-out."""
    state = scratch.world[0]
    if scratch.settings[ROLLOUT_TO_END] or not is_evaluated(state, scratch):
        rng = generator(seed, PLAY_OUT)
        playing = True
        while playing and not state.over:
            count = legal(state, scratch.mask)
            play(state, rollout(state, scratch.mask, count, rng))
            playing = scratch.settings[ROLLOUT_TO_END] or not is_evaluated(state, scratch)
        if playing:
            score(state, scratch.values[1], scratch.values[0])


@template
def is_evaluated(state, scratch):
    """Write the values of a position that can be evaluated, or is over."""
    if state.over:
        score(state, scratch.values[1], scratch.values[0])
        return True
    return evaluate(state, scratch.values[0])


@jit
def visit(tree, scratch, leaf):
    """From now on simulations go on from this node."""
    node = tree.nodes[leaf]
    if not node.visited:
        node.visited = True
        node.value = scratch.values[0, node.player]


@jit
def backup(tree, scratch):
    """Add a result to all edges of the line, each for who decided there."""
    for depth in range(tree.head[0].depth):
        branch = tree.edges[scratch.path[depth]]
        branch.visits += 1
        branch.total += scratch.values[0, tree.nodes[branch.node].player]


# -- a whole tree -----------------------------------------------------------------------------------------------


@jit
def clear(tree, player):
    """A tree of its root alone."""
    for at in range(len(tree.index)):
        tree.index[at].number = 0
    tree.head[0].nodes, tree.head[0].edges, tree.head[0].depth = 0, 0, 0
    add_node(tree, NONE, player, 0, find(tree.index, node_name(NONE, player, 0)))


@template
def read_root(sources, i, tree, scratch, visits, totals):
    """What the search has found out about the actions of its game."""
    scratch.world[0] = sources[i]
    for place in range(known_edges(scratch.world[0], ROOT, tree, scratch)):
        branch = tree.edges[scratch.taken[place]]
        visits[scratch.actions[place]] = branch.visits
        totals[scratch.actions[place]] = branch.total


@template
def read_line(sources, i, tree, scratch, line):
    """The most visited edges from the root on, as actions of the given world; how many."""
    scratch.world[0] = sources[i]
    state = scratch.world[0]
    node, length = ROOT, 0
    while not state.over and length < len(line):
        best = most_visited(tree, scratch, known_edges(state, node, tree, scratch))
        if best == NONE:
            break
        line[length] = scratch.actions[best]
        length += 1
        play(state, line[length - 1])
        at = find(tree.index, node_name(scratch.taken[best], int(state.player), revealed_key(state)))
        if tree.index[at].number == 0:
            break
        node = tree.index[at].number - 1
    return length


@jit
def most_visited(tree, scratch, count):
    """The place in the lists of the edge with most visits; of equals that with the best results."""
    best, most = NONE, 0.0
    for place in range(count):
        branch = tree.edges[scratch.taken[place]]
        visits = branch.visits + 0.5 * branch.total / branch.visits
        if visits > most:
            best, most = place, visits
    return best


@template
def known_edges(state, node, tree, scratch):
    """List the legal actions of this world that have been tried, and their edges; how many."""
    legal(state, scratch.mask)
    count = 0
    for action in range(len(scratch.mask)):
        at = find(tree.index, edge_name(node, action_key(state, action))) if scratch.mask[action] else NONE
        if at != NONE and tree.index[at].number > 0 and tree.edges[tree.index[at].number - 1].visits > 0:
            scratch.actions[count] = action
            scratch.taken[count] = tree.index[at].number - 1
            count += 1
    return count


@jit
def find_view(tree, seen):
    """The node at which the searching player saw this, NONE if there is none."""
    for number in range(tree.head[0].nodes):
        if tree.nodes[number].seen == seen:
            return number
    return NONE


@jit
def transplant(old, root, tree):
    """Write what grows from one node as a tree of its own."""
    count = int(old.head[0].nodes)
    moved = np.full(count, NONE, np.int32)  # the new numbers of nodes, in their old order, ...
    moved_edges = np.full(int(old.head[0].edges), NONE, np.int32)  # ... and of edges
    clear(tree, int(old.nodes[root].player))
    kept = 0
    for number in range(root, count):
        if number == root or moved[old.edges[old.nodes[number].edge].node] != NONE:
            moved[number] = kept
            kept += 1
    for number in range(len(moved_edges)):
        branch = old.edges[number]
        if moved[branch.node] != NONE:
            moved_edges[number] = copy_edge(branch, int(moved[branch.node]), tree)
    for number in range(root, count):
        if moved[number] != NONE:
            copy_node(old.nodes[number], number == root, moved_edges, tree)


@jit
def copy_edge(branch, node, tree):
    at = find(tree.index, edge_name(node, branch.key))
    number = add_edge(tree, node, branch.key, branch.weight, at)
    fresh = tree.edges[number]
    fresh.visits, fresh.available, fresh.total = branch.visits, branch.available, branch.total
    return number


@jit
def copy_node(node, is_root, moved_edges, tree):
    number = ROOT
    if not is_root:
        above = int(moved_edges[node.edge])
        at = find(tree.index, node_name(above, node.player, node.shown))
        number = add_node(tree, above, node.player, node.shown, at)
    fresh = tree.nodes[number]
    fresh.visited, fresh.value, fresh.weight, fresh.seen = node.visited, node.value, node.weight, node.seen


# -- with an evaluator ------------------------------------------------------------------------------------------


@template
def descend_and_observe(sources, i, seed, number, tree, scratch, views, masks):
    """A simulation up to its leaf, and what who is to move there sees; the leaf."""
    leaf = descend(sources, i, int(sources[i].player), row_seed(seed, number), tree, scratch)
    state = scratch.world[0]
    observe(state, int(state.player), views[i])
    if state.over:
        scratch.mask[:] = 0
    else:
        legal(state, scratch.mask)
    masks[i] = scratch.mask[: masks.shape[1]]
    return leaf


@template
def expand_and_backup(tree, scratch, leaf, logits, values):
    """The rest of it: priors for a new node, and every player's share as the evaluator expects it, or the final ones.

    Where the game is over there are no priors: in another world it may go on from the same node, and is shown then.
    """
    state = scratch.world[0]
    if state.over:
        score(state, scratch.values[1], scratch.values[0])
    else:
        shares_from_values(state, values, scratch.values[0])
        if not tree.nodes[leaf].visited:
            expand(state, leaf, tree, scratch, logits)
        visit(tree, scratch, leaf)
    backup(tree, scratch)


@jit
def shares_from_values(state, values, shares):
    """Shares of the win, 1 in all, from the outcomes -1 .. 1 that are expected in turn order from who is to move.

    An evaluator may go beyond what is possible: what is missing or too much then, all make up in proportion.
    """
    n, total = int(state.num_players), 0.0
    for place in range(n):
        share = min(max((1 + (n - 1) * values[place]) / n, 0.0), 1.0)
        shares[(int(state.player) + place) % n] = share
        total += share
    if total == 0.0:
        shares[:n] = 1.0 / n
    elif abs(total - 1) > ROUNDING:
        for seat in range(n):
            shares[seat] /= total


@template
def expand(state, node, tree, scratch, logits):
    """The edges of a new node, weighed by the evaluator; one that it did not see will get the mean of their weights."""
    highest, total, count = -np.inf, 0.0, 0
    for action in range(len(logits)):
        if scratch.mask[action] and logits[action] > highest:
            highest = float(logits[action])
    for action in range(len(logits)):
        if scratch.mask[action] == 0:
            continue
        key, weight = action_key(state, action), relative_weight(float(logits[action]), highest)
        at = find(tree.index, edge_name(node, key))
        if tree.index[at].number == 0 and tree.head[0].edges < len(tree.edges):
            add_edge(tree, node, key, weight, at)
        total += weight
        count += 1
    tree.nodes[node].weight = total / max(count, 1)


@jit
def relative_weight(logit, highest):
    """The weight of an action, 1 for the best; logits that cannot be compared count as alike."""
    return max(np.exp(logit - highest), LEAST_WEIGHT) if logit < highest else 1.0
