"""Information-set Monte-Carlo tree search over any game, compiled, for many games at once.

Every simulation deals anew what the searching player cannot know, walks down one tree that all these worlds
share, and evaluates the position it arrives at.  Every player is assumed to maximise its own result.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lanterns_env.engine.batch import Batch, check_seeds, integers
from lanterns_env.engine.compile import specialise
from lanterns_env.engine.game import Game
from lanterns_env.search import tree as growing
from lanterns_env.search.heuristics import Heuristics
from lanterns_env.search.tree import EDGE, ENTRY, HEAD, NODE, NONE, Scratch, Tree

SLICE = 64  # simulations between two looks at the clock
EDGES_A_NODE = 32  # room for so many on average; a fuller tree grows no further
MOST_TIMED = 1 << 15  # nodes of a tree that is limited by time
NO_HEURISTICS = Heuristics(name="plain")
LINE = 12  # actions of the principal line
REMEMBERED = 128  # trees that are kept for later decisions; the oldest gives way
REDUCTION = 0.05  # what an untried action is expected to lose beside the tried ones


class Evaluator(Protocol):
    """Gives a search its priors and values, as a trained network does."""

    def policy_and_value(
        self, views: NDArray[Any], action_masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """For views of who is to move: logits of the actions [n, A], and outcomes to be expected [n], -1 .. 1."""


FREE_DESKS: dict[tuple[Game, int, int], list["Desk"]] = {}  # by game and the room of the tree


@dataclass
class SearchResult:
    """The result of a search, a row for each game.

    Attributes:
        visits: int64[n, A], of every action.
        values: float32[n, A], mean shares of the win of the player to move; 0 where an action was not visited.
        principal_variations: The most visited line of play of each row, a list of actions.
        simulations: int64[n], made in this call.
    """

    visits: NDArray[np.int64]
    values: NDArray[np.float32]
    principal_variations: list[list[int]]
    simulations: NDArray[np.int64]

    @property
    def actions(self) -> NDArray[np.int64]:
        """The most visited action of each row; among equals, the one of the highest value."""
        best: NDArray[np.int64] = (self.visits + 0.5 * self.values).argmax(axis=1)
        return best


class Search:
    """A tree search for one game, limited by simulations or by milliseconds for each decision.

    Args:
        game: The game.
        simulations: How many are made for each decision; give this or ``milliseconds``.
        milliseconds: How long a decision may take.
        heuristics: Evaluation, prior and rollout policy; without them priors are uniform and rollouts random.
        evaluator: A network's priors and values, in place of heuristics; the leaves of all rows are evaluated together.
        c_puct: The exploration constant; that of the heuristics unless given.
        rollout_to_end: Whether every simulation is played to the end of the game, whatever the heuristics evaluate.
        reuse: Whether the tree is kept from one decision of a game to the next.
    """

    def __init__(
        self,
        game: Game,
        simulations: int = 0,
        milliseconds: float = 0.0,
        heuristics: Heuristics | None = None,
        evaluator: Evaluator | None = None,
        c_puct: float | None = None,
        rollout_to_end: bool = False,
        reuse: bool = False,
    ) -> None:
        if (simulations > 0) == (milliseconds > 0):
            raise ValueError("a search needs one limit: a number of simulations, or of milliseconds")
        self.game, self.evaluator, self.reuse = game, evaluator, reuse
        self.heuristics = heuristics or NO_HEURISTICS
        self.simulations, self.milliseconds = int(simulations), float(milliseconds)
        trust = self.heuristics.c_puct if c_puct is None else c_puct
        self._settings = np.array([trust, REDUCTION, rollout_to_end, evaluator is not None, reuse], np.float32)
        self._most = self.simulations or MOST_TIMED
        self._room = EDGES_A_NODE * self._most + game.num_actions  # for edges; the root has them all
        self._known: dict[tuple[int, int], Tree] = {}  # by game and seat, the latest last

    def run(self, worlds: Batch, seeds: ArrayLike, games: ArrayLike | None = None) -> SearchResult:
        """Search the best action of the player to move in each row, from what that player can know.

        Args:
            worlds: The games, or worlds redealt from them: the result is the same.
            seeds: One for each row; the same seeds give the same result.
            games: A number for each row by which a search with ``reuse`` tells games apart.
        """
        job = _Job(worlds, check_seeds(seeds, len(worlds)), self.game.num_actions)
        numbers = job.rows if games is None else integers(games, "games").tolist()
        names = list(zip(numbers, worlds.current_players.tolist(), strict=True))
        with self._desks(1 if self.evaluator is None else len(worlds)) as desks:
            if self.evaluator is not None:
                for row, name in zip(job.rows, names, strict=True):
                    self._begin(job, row, name, desks[row])
                self._grow_guided(job, desks, self.evaluator)
            for row, name in zip(job.rows, names, strict=True):
                desk = desks[0 if self.evaluator is None else row]
                if self.evaluator is None:
                    self._begin(job, row, name, desk)
                    self._grow(job, row, desk)
                self._read(job, row, desk)
                if self.reuse:
                    self._remember(name, desk.tree)
        return job.found

    def _remember(self, name: tuple[int, int], tree: Tree) -> None:
        """For the next decision of the same seat in the same game."""
        self._known.pop(name, None)
        self._known[name] = _trimmed(tree)
        if len(self._known) > REMEMBERED:
            del self._known[next(iter(self._known))]

    def _kernel(self, function: Any) -> Any:
        return specialise(function, self.game, self.heuristics)

    @contextmanager
    def _desks(self, count: int) -> Iterator[list["Desk"]]:
        """Desks for one call: whoever searches in this process writes on the same ones, one after the other."""
        free = FREE_DESKS.setdefault((self.game, self._most, self._room), [])
        desks = []
        for _ in range(count):
            try:
                desk = free.pop()
            except IndexError:
                desk = Desk(_new_tree(self._most, self._room), _new_scratch(self.game, self._settings))
            desk.scratch = desk.scratch._replace(settings=self._settings)
            desks.append(desk)
        yield desks
        free.extend(desks)

    def _begin(self, job: "_Job", row: int, name: tuple[int, int], desk: "Desk") -> None:
        """A tree of its root alone, or what is known of this game."""
        growing.clear(desk.tree, int(job.worlds.current_players[row]))
        if not self.reuse:
            return
        seen, known = growing.fingerprint(job.worlds.observe([row])[0]), self._known.get(name)
        node = NONE if known is None else growing.find_view(known, seen)
        if known is not None and node != NONE:
            nodes, edges = len(known.nodes) + self._most, len(known.edges) + self._room
            if nodes > len(desk.tree.nodes) or edges > len(desk.tree.edges):
                desk.tree = _new_tree(nodes, edges)
            growing.transplant(known, node, desk.tree)
        desk.tree.nodes["seen"][growing.ROOT] = seen

    def _grow(self, job: "_Job", row: int, desk: "Desk") -> None:
        """Simulations by the slice, until their number or the time is used up."""
        simulate = self._kernel(growing.simulate)
        seat, seed, done = int(job.worlds.current_players[row]), job.seeds[row], 0
        begin = time.perf_counter()
        while done < self._most and not self._late(begin):
            last = self._most if self.simulations else min(done + SLICE, self._most)
            simulate(job.states, row, seat, seed, done, last, desk.tree, desk.scratch)
            done = last
        job.found.simulations[row] = done

    def _grow_guided(self, job: "_Job", desks: list["Desk"], evaluator: Evaluator) -> None:
        """One simulation of every row at a time; their leaves are judged together."""
        descend, take_in = self._kernel(growing.descend_shown), self._kernel(growing.take_in)
        views, masks = np.zeros(len(desks), self.game.view), np.zeros(job.found.visits.shape, np.int8)
        seats = job.worlds.current_players.tolist()
        begin = time.perf_counter()
        while (done := int(job.found.simulations[0])) < self._most and not self._late(begin):
            leaves = [
                descend(job.states, row, seats[row], job.seeds[row], done, *desks[row].both, views, masks)
                for row in job.rows
            ]
            logits, outcomes = _checked(evaluator.policy_and_value(views, masks), masks)
            for row, leaf in enumerate(leaves):
                take_in(*desks[row].both, leaf, logits[row], outcomes[row])
            job.found.simulations[:] += 1

    def _late(self, begin: float) -> bool:
        return self.milliseconds > 0 and 1000 * (time.perf_counter() - begin) >= self.milliseconds

    def _read(self, job: "_Job", row: int, desk: "Desk") -> None:
        totals, line = np.zeros(self.game.num_actions), np.zeros(LINE, np.int64)
        visits = job.found.visits[row]
        self._kernel(growing.read_root)(job.states, row, *desk.both, visits, totals)
        length = self._kernel(growing.read_line)(job.states, row, *desk.both, line)
        job.found.values[row] = totals / np.maximum(visits, 1)
        job.found.principal_variations.append(line[:length].tolist())


@dataclass
class Desk:
    """The tree of one row, and what its simulations write on.  Nothing on it outlives a call."""

    tree: Tree
    scratch: Scratch

    @property
    def both(self) -> tuple[Tree, Scratch]:
        return self.tree, self.scratch


def _checked(judged: tuple[Any, Any], masks: NDArray[np.int8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What an evaluator gives, as compiled code takes it."""
    logits, outcomes = (np.ascontiguousarray(each, np.float32) for each in judged)
    if logits.shape != masks.shape or outcomes.shape != masks.shape[:1]:
        raise ValueError(
            f"an evaluator gives logits of the shape {masks.shape} and outcomes of the shape {masks.shape[:1]}, "
            f"not {logits.shape} and {outcomes.shape}"
        )
    return logits, outcomes


class _Job:
    """The games of one call, and what is found out about them."""

    def __init__(self, worlds: Batch, seeds: NDArray[np.uint64], num_actions: int) -> None:
        self.worlds, self.states, self.seeds = worlds, worlds.states, seeds
        self.rows = range(len(worlds))
        shape = (len(worlds), num_actions)
        counts = np.zeros(len(worlds), np.int64)
        self.found = SearchResult(np.zeros(shape, np.int64), np.zeros(shape, np.float32), [], counts)


def _new_tree(nodes: int, edges: int) -> Tree:
    """An empty tree with room for so many of each."""
    entries = 1 << int(2 * (nodes + edges)).bit_length()
    return Tree(np.zeros(nodes + 1, NODE), np.zeros(edges, EDGE), np.zeros(entries, ENTRY), np.zeros(1, HEAD))


def _trimmed(tree: Tree) -> Tree:
    """What is in use of a tree, without its index: to be kept."""
    head = tree.head[0]
    return Tree(
        tree.nodes[: head["nodes"]].copy(), tree.edges[: head["edges"]].copy(), tree.index[:1], tree.head.copy()
    )


def _new_scratch(game: Game, settings: NDArray[np.float32]) -> Scratch:
    words, views = np.zeros(-(-game.num_actions // 8), np.uint64), np.zeros(1, game.view)
    return Scratch(
        world=np.zeros(1, game.state),
        views=views,
        numbers=game.to_array(views),
        path=np.zeros(growing.MAX_DEPTH, np.int64),
        actions=np.zeros(game.num_actions, np.int64),
        taken=np.zeros(game.num_actions, np.int64),
        words=words,
        mask=words.view(np.int8),
        weights=np.zeros(8 * len(words), np.float32),
        values=np.zeros((2, game.max_players), np.float32),
        settings=settings,
    )
