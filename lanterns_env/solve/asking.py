"""The policy of an agent: what it does in every information set of a tree, asked as in a match."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.agent import Agent, Given, Table, asked, fresh, name_of
from lanterns_env.engine.batch import Batch
from lanterns_env.engine.compile import specialise
from lanterns_env.engine.streams import stream
from lanterns_env.match.chairs import fault_of
from lanterns_env.solve.policy import ROUNDING, Policy
from lanterns_env.solve.replaying import replay
from lanterns_env.solve.tree import Tree
from lanterns_env.support.failures import AgentFailed, in_words, lines_of

AT_ONCE = 1024  # information sets in one table; another number would give other random streams
STREAM = "solve"  # the label of the random numbers that agents draw
BY_CLOCK, BY_TREE = "by_clock", "policy_on"  # what an agent may have: it thinks by the clock; it knows its own policy

Progress = Callable[[int, int], None]  # how many information sets have been asked, of how many


def policy_of(tree: Tree, agent: Given, seed: int = 0, progress: Progress | None = None) -> Policy:
    """How an agent plays the whole tree.

    Where it gives ``action_probabilities``, those are its policy; else what ``act`` chooses, asked once for every
    information set.  An agent that draws random numbers draws for every set anew; the same seed gives the same
    policy.  It is given a table, as in a match, and nothing of what came before in the game.

    Args:
        tree: The tree of the game.
        agent: Its name, the agent itself, or what makes one.
        seed: Of the random numbers that it draws.
        progress: Called with the information sets asked so far, and how many there are.
    """
    return ask(tree, agent, seed, progress)[0]


def ask(tree: Tree, agent: Given, seed: int = 0, progress: Progress | None = None) -> tuple[Policy, bool]:
    """The policy of an agent, and whether it would be another with another seed."""
    made = fresh(agent)
    if getattr(made, BY_CLOCK, False):
        raise ValueError(f"{name_of(agent)} thinks by the clock, and so has no policy: give it a number of simulations")
    if hasattr(made, BY_TREE):
        known: Policy = getattr(made, BY_TREE)(tree)
        return known, False
    probabilities, random = np.zeros(tree.num_entries), False
    for chunk, first in enumerate(range(0, tree.num_sets, AT_ONCE)):
        numbers = np.arange(first, min(first + AT_ONCE, tree.num_sets))
        table = table_of(tree, numbers)
        rows, drew = _answers(made, name_of(agent), table, stream(STREAM, seed, chunk))
        random = random or drew
        entries = slice(tree.entries(first).start, tree.entries(int(numbers[-1])).stop)
        places = np.repeat(np.arange(len(numbers)), np.diff(tree.form.firsts[first : numbers[-1] + 2]))
        probabilities[entries] = rows[places, tree.actions[entries]]
        if progress is not None:
            progress(int(numbers[-1]) + 1, tree.num_sets)
    return Policy(tree, probabilities), random


def table_of(tree: Tree, numbers: NDArray[np.int64]) -> Table:
    """What an agent is given in some information sets: a row for each, each a game of its own."""
    return Table(positions(tree, numbers), np.arange(len(numbers)), numbers)


def positions(tree: Tree, numbers: NDArray[np.int64]) -> Batch:
    """The first position that was found of each of some information sets, one a row."""
    deals, moves, spans = tree.lines(numbers)
    batch = Batch(tree.game, len(numbers), tree.num_players, autoreset=False, **tree.options)
    states = np.repeat(tree.game.blank(tree.options), len(numbers))
    states["num_players"] = tree.num_players
    specialise(replay, tree.game)(states, tree.deals.orders[deals], moves, spans)
    batch._take_over(states, np.zeros_like(batch._reports))
    return batch


def _answers(agent: Agent, name: str, table: Table, rng: np.random.Generator) -> tuple[NDArray[np.float64], bool]:
    """Probabilities float64[n, A], and whether any random number was drawn for them."""
    try:
        given = _probabilities(agent, table)
        if given is not None:
            return given, False
        before = rng.bit_generator.state
        chosen = asked(agent, table, rng)
    except Exception as error:
        lines = lines_of(error)
        if isinstance(error, ValueError) and not lines:  # a sentence of this package
            raise ValueError(f"agent {name!r}: {error}") from None
        raise AgentFailed(f"agent {name!r} failed: {in_words(error)}{lines}") from None
    fault = fault_of(chosen, table)
    if fault:
        raise ValueError(f"agent {name!r} {fault}")
    rows = np.zeros(table.action_masks.shape)
    rows[np.arange(len(rows)), chosen] = 1
    return rows, rng.bit_generator.state != before


def _probabilities(agent: Any, table: Table) -> NDArray[np.float64] | None:
    """What an agent says of itself, if it does."""
    if not hasattr(agent, "action_probabilities"):
        return None
    given = agent.action_probabilities(table)
    if given is None:
        return None
    rows = np.array(given, np.float64)
    if rows.shape != table.action_masks.shape:
        raise ValueError(
            f"action_probabilities gave {rows.shape}, and a row of {table.game.num_actions} is needed each"
        )
    fits = (rows >= 0).all() and (np.abs((rows * table.action_masks).sum(1) - 1) <= ROUNDING).all()
    if not fits:
        raise ValueError("action_probabilities must be at least 0, sum to 1, and be 0 for what is not legal")
    return rows
