"""The tree of a search that holds the decisions of one seat alone: templates over the names of a game's verbs."""

from lanterns_env.engine.compile import jit, template
from lanterns_env.search.tree import (
    MAX_DEPTH,
    NONE,
    ROOT,
    add_node,
    backup,
    expand_and_backup,
    find,
    fingerprint,
    node_name,
    select,
    visit,
)

SHOWN_BITS = (1 << 31) - 1  # of a fingerprint: what sets nodes behind the same edge apart


@jit
def node_behind(tree, scratch, seat, numbers):
    """The node at which the searching player sees this, behind the last edge of the line."""
    depth = int(tree.head[0].depth)
    if depth == 0:
        return ROOT
    edge, shown = scratch.path[depth - 1], fingerprint(numbers) & SHOWN_BITS
    at = find(tree.index, node_name(edge, seat, shown))
    if tree.index[at].number > 0:
        return tree.index[at].number - 1
    return add_node(tree, edge, seat, shown, at)


@template
def choose_in_tree(states, i, node, tree, scratch):
    """The most promising action at a node that was visited before; NONE if the tree is full, or the line too long."""
    depth = int(tree.head[0].depth)
    if depth == MAX_DEPTH:
        return NONE
    place = select(states[i], node, tree, scratch)
    if place == NONE:
        return NONE
    scratch.path[depth] = scratch.taken[place]
    tree.head[0].depth = depth + 1
    return scratch.actions[place]


@template
def settle_leaf(states, i, leaf, tree, scratch, logits, values):
    """Results of a game that is over, or as the evaluator expects them."""
    scratch.world[0] = states[i]
    state = scratch.world[0]
    if not state.over:
        legal(state, scratch.mask)
        expand_and_backup(tree, scratch, leaf, logits, values)
        return
    score(state, scratch.values[1], scratch.values[0])
    if leaf >= 0:
        visit(tree, scratch, leaf)
    backup(tree, scratch)
