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
from lanterns_env.search import tree
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
        """For views of who is to move: logits of the actions [n, A], and the outcome that every seat may expect.

        Outcomes, -1 .. 1, are [n, P] in turn order from who is to move, 0 for seats that nobody takes; they sum to 0.
        """


FREE_WORKSPACES: dict[tuple[Game, int, int], list["Workspace"]] = {}  # by game and the room of the tree


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
        call = _Call(worlds, check_seeds(seeds, len(worlds)), self.game.num_actions)
        numbers = call.rows if games is None else integers(games, "games").tolist()
        names = list(zip(numbers, worlds.current_players.tolist(), strict=True))
        with self._workspaces(1 if self.evaluator is None else len(worlds)) as workspaces:
            if self.evaluator is not None:
                for row, name in zip(call.rows, names, strict=True):
                    self._begin(call, row, name, workspaces[row])
                self._grow_with_evaluator(call, workspaces, self.evaluator)
            for row, name in zip(call.rows, names, strict=True):
                workspace = workspaces[0 if self.evaluator is None else row]
                if self.evaluator is None:
                    self._begin(call, row, name, workspace)
                    self._grow(call, row, workspace)
                self._read(call, row, workspace)
                if self.reuse:
                    self._remember(name, workspace.tree)
        return call.found

    def _remember(self, name: tuple[int, int], grown: Tree) -> None:
        """For the next decision of the same seat in the same game."""
        self._known.pop(name, None)
        self._known[name] = _trimmed(grown)
        if len(self._known) > REMEMBERED:
            del self._known[next(iter(self._known))]

    def _kernel(self, function: Any) -> Any:
        return specialise(function, self.game, self.heuristics)

    @contextmanager
    def _workspaces(self, count: int) -> Iterator[list["Workspace"]]:
        """Workspaces for one call: whoever searches in this process writes on the same ones, one after the other."""
        free = FREE_WORKSPACES.setdefault((self.game, self._most, self._room), [])
        workspaces = []
        for _ in range(count):
            try:
                workspace = free.pop()
            except IndexError:
                workspace = Workspace(_new_tree(self._most, self._room), _new_scratch(self.game, self._settings))
            workspace.scratch = workspace.scratch._replace(settings=self._settings)
            workspaces.append(workspace)
        yield workspaces
        free.extend(workspaces)

    def _begin(self, call: "_Call", row: int, name: tuple[int, int], workspace: "Workspace") -> None:
        """A tree of its root alone, or what is known of this game."""
        tree.clear(workspace.tree, int(call.worlds.current_players[row]))
        if not self.reuse:
            return
        seen, known = tree.fingerprint(call.worlds.observe([row])[0]), self._known.get(name)
        node = NONE if known is None else tree.find_view(known, seen)
        if known is not None and node != NONE:
            nodes, edges = len(known.nodes) + self._most, len(known.edges) + self._room
            if nodes > len(workspace.tree.nodes) or edges > len(workspace.tree.edges):
                workspace.tree = _new_tree(nodes, edges)
            tree.transplant(known, node, workspace.tree)
        workspace.tree.nodes["seen"][tree.ROOT] = seen

    def _grow(self, call: "_Call", row: int, workspace: "Workspace") -> None:
        """Simulations by the slice, until their number or the time is used up."""
        simulate = self._kernel(tree.simulate)
        seat, seed, done = int(call.worlds.current_players[row]), call.seeds[row], 0
        begin = time.perf_counter()
        while done < self._most and not self._late(begin):
            last = self._most if self.simulations else min(done + SLICE, self._most)
            simulate(call.states, row, seat, seed, done, last, workspace.tree, workspace.scratch)
            done = last
        call.found.simulations[row] = done

    def _grow_with_evaluator(self, call: "_Call", workspaces: list["Workspace"], evaluator: Evaluator) -> None:
        """One simulation of every row at a time; their leaves are evaluated together."""
        descend, finish = self._kernel(tree.descend_and_observe), self._kernel(tree.expand_and_backup)
        views, masks = np.zeros(len(workspaces), self.game.view), np.zeros(call.found.visits.shape, np.int8)
        begin = time.perf_counter()
        while (done := int(call.found.simulations[0])) < self._most and not self._late(begin):
            leaves = [
                descend(call.states, row, call.seeds[row], done, *workspaces[row].both, views, masks)
                for row in call.rows
            ]
            logits, values = self._checked(evaluator.policy_and_value(views, masks), len(views))
            for row, leaf in enumerate(leaves):
                finish(*workspaces[row].both, leaf, logits[row], values[row])
            call.found.simulations[:] += 1

    def _checked(self, evaluated: tuple[Any, Any], rows: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """What an evaluator gives, as compiled code takes it."""
        logits, values = (np.ascontiguousarray(each, np.float32) for each in evaluated)
        shapes = (rows, self.game.num_actions), (rows, self.game.max_players)
        if (logits.shape, values.shape) != shapes:
            raise ValueError(
                f"an evaluator gives logits of the shape {shapes[0]} and values of every seat, {shapes[1]}, "
                f"not {logits.shape} and {values.shape}"
            )
        return logits, values

    def _late(self, begin: float) -> bool:
        return self.milliseconds > 0 and 1000 * (time.perf_counter() - begin) >= self.milliseconds

    def _read(self, call: "_Call", row: int, workspace: "Workspace") -> None:
        totals, line = np.zeros(self.game.num_actions), np.zeros(LINE, np.int64)
        visits = call.found.visits[row]
        self._kernel(tree.read_root)(call.states, row, *workspace.both, visits, totals)
        length = self._kernel(tree.read_line)(call.states, row, *workspace.both, line)
        call.found.values[row] = totals / np.maximum(visits, 1)
        call.found.principal_variations.append(line[:length].tolist())


@dataclass
class Workspace:
    """The tree of one row, and what its simulations write on.  Nothing on it outlives a call."""

    tree: Tree
    scratch: Scratch

    @property
    def both(self) -> tuple[Tree, Scratch]:
        return self.tree, self.scratch


class _Call:
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


def _trimmed(grown: Tree) -> Tree:
    """What is in use of a tree, without its index: to be kept."""
    head = grown.head[0]
    return Tree(
        grown.nodes[: head["nodes"]].copy(), grown.edges[: head["edges"]].copy(), grown.index[:1], grown.head.copy()
    )


def _new_scratch(game: Game, settings: NDArray[np.float32]) -> Scratch:
    words, views = np.zeros(-(-game.num_actions // 8), np.uint64), np.zeros(1, game.view)
    return Scratch(
        world=np.zeros(1, game.state),
        views=views,
        numbers=game.to_array(views),
        path=np.zeros(tree.MAX_DEPTH, np.int64),
        actions=np.zeros(game.num_actions, np.int64),
        taken=np.zeros(game.num_actions, np.int64),
        words=words,
        mask=words.view(np.int8),
        weights=np.zeros(8 * len(words), np.float32),
        values=np.zeros((2, game.max_players), np.float32),
        settings=settings,
    )
