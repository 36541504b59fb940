"""Search for one seat among others whose play is known: the tree holds its own decisions, an agent makes the others'.

Every simulation deals anew what the searching player cannot know, as in any search, and begins a game of its own there.
Where another seat is to move the model is asked, and is given what that seat may know in this world.  A node stands for
all that looks the same to the searching player: it is named by the edge before it and by what that player sees there.
A new node is evaluated by the evaluator, or the game is played to its end with the model in every seat.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lanterns_env.agent import Agent, Table
from lanterns_env.engine.batch import Batch, check_seeds
from lanterns_env.engine.game import Game
from lanterns_env.engine.rng import row_seed
from lanterns_env.engine.streams import stream
from lanterns_env.search import tree
from lanterns_env.search.ismcts import Evaluator, Search, SearchResult, Workspace, _Call
from lanterns_env.search.own_tree import choose_in_tree, node_behind, settle_leaf
from lanterns_env.search.tree import NONE

TRUST = 0.5  # of the prior: the evaluator's; the rest is the same for all actions, for an exploit may be unlikely
ENDED = -2  # no node: the game is over


class SearchAgainst(Search):
    """A search whose opponents do what a model does.

    Args:
        game: The game.
        model: Who makes the decisions of all other seats.
        simulations: How many are made for each decision.
        evaluator: A network's priors and values; without it games are played on by the model, to their end.
        c_puct: The exploration constant.
    """

    def __init__(
        self, game: Game, model: Agent, simulations: int, evaluator: Evaluator | None = None, c_puct: float = 1.0
    ) -> None:
        super().__init__(game, simulations, evaluator=evaluator, c_puct=c_puct)
        self.model = model
        self._asked = 0  # games that the model has been asked about: each has a number of its own

    def run(self, worlds: Batch, seeds: ArrayLike, games: ArrayLike | None = None) -> SearchResult:
        """Search the best action of the player to move in each row, from what that player can know."""
        call = _Call(worlds, check_seeds(seeds, len(worlds)), self.game.num_actions)
        with self._workspaces(len(worlds)) as workspaces:
            for row in call.rows:
                tree.clear(workspaces[row].tree, int(worlds.current_players[row]))
            rng = stream("model of a search", call.seeds.tolist())
            for number in range(self.simulations):
                _Simulation(self, call, workspaces, number, rng).play()
            call.found.simulations[:] = self.simulations
            for row in call.rows:
                self._read(call, row, workspaces[row])
        return call.found

    def numbers(self, count: int) -> NDArray[np.int64]:
        """Of games that the model has not met before."""
        self._asked += count
        return np.arange(self._asked - count, self._asked)

    def judged(self, views: NDArray[Any], masks: NDArray[np.int8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits of actions that are all tried, and values."""
        assert self.evaluator is not None
        logits, values = self._checked(self.evaluator.policy_and_value(views, masks), len(views))
        legal_logits = np.where(masks > 0, logits, -np.inf)
        chances = np.exp(legal_logits - legal_logits.max(1, keepdims=True))
        chances = TRUST * chances / chances.sum(1, keepdims=True) + (1 - TRUST) * masks / masks.sum(1, keepdims=True)
        return np.log(np.maximum(chances, np.finfo(np.float32).tiny)).astype(np.float32), values


class _Simulation:
    """One simulation of every row at a time: they go on side by side, and the model is asked about all at once."""

    def __init__(
        self, search: SearchAgainst, call: _Call, workspaces: list[Workspace], number: int, rng: np.random.Generator
    ) -> None:
        self.search, self.workspaces, self.rng = search, workspaces, rng
        rows = np.arange(len(call.worlds))
        self.seats = call.worlds.current_players.copy()
        seeds = np.array([row_seed(seed, number) for seed in call.seeds], np.uint64)
        self.worlds = call.worlds.worlds(rows, self.seats, seeds)
        self.games = search.numbers(len(rows))
        self.leaves = np.full(len(rows), ENDED)  # the node at which each has left the tree
        for workspace in workspaces:
            workspace.tree.head[0]["depth"] = 0

    def play(self) -> None:
        going = np.arange(len(self.leaves))
        while len(going):
            actions = self.decide(going)
            moving = actions != NONE
            going, actions = going[moving], actions[moving]
            self.worlds.step(actions, going)
            going = going[~self.worlds.dones[going]]
        self.conclude()

    def decide(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """An action for every row, NONE where its leaf is evaluated as it stands."""
        actions = np.full(len(rows), NONE)
        own = (self.worlds.current_players[rows] == self.seats[rows]) & (self.leaves[rows] == ENDED)
        states, choose = self.worlds.states, self.search._kernel(choose_in_tree)
        for place in np.flatnonzero(own):
            row = int(rows[place])
            node = self.arrive(row)
            workspace = self.workspaces[row]
            if workspace.tree.nodes[node]["visited"]:
                actions[place] = choose(states, row, node, *workspace.both)
            if actions[place] == NONE:
                self.leaves[row] = node
        by_model = ~own if self.search.evaluator else ~own | (actions == NONE)
        asked = rows[by_model]
        if len(asked):
            actions[by_model] = self.search.model.act(Table(self.worlds, asked, self.games[asked]), self.rng)
        return actions

    def arrive(self, row: int) -> int:
        """The node of what the searching player sees now, perhaps a new one."""
        grown, numbers = self.workspaces[row].tree, self.worlds.observations[row]
        return int(node_behind(grown, self.workspaces[row].scratch, int(self.seats[row]), numbers))

    def conclude(self) -> None:
        """Evaluate the leaves, and add the results to the lines that led there."""
        search, states = self.search, self.worlds.states
        shape = len(self.leaves), search.game.num_actions
        logits, values = np.zeros(shape, np.float32), np.zeros((shape[0], search.game.max_players), np.float32)
        open_rows = np.flatnonzero(~self.worlds.dones)
        if len(open_rows):
            logits[open_rows], values[open_rows] = search.judged(
                self.worlds.views[open_rows], self.worlds.action_masks[open_rows]
            )
        settle = search._kernel(settle_leaf)
        for row, leaf in enumerate(self.leaves.tolist()):
            settle(states, row, leaf, *self.workspaces[row].both, logits[row], values[row])
