"""A game with people and agents around the table: what was played, whose turn it is, undo.  No words here."""

from dataclasses import replace

import numpy as np

from lanterns_env.agent import AGENTS, Agent, Table, asked, load
from lanterns_env.engine.streams import stream
from lanterns_env.replay import Replay, record

ME = "me"  # the name of a person's seat
ADVISERS = ("expert", "greedy", "random")  # who is asked for a hint: the first that is installed
STREAM = "play"  # the label of the random numbers that agents draw
HINT = 1  # the random numbers of hints are others than those of moves


class GameSession:
    """A game that goes on; ``replay`` says how it was dealt, who sits where, and what has been played."""

    def __init__(self, replay: Replay) -> None:
        self.seats = replay.agents
        self.agents: dict[int, Agent] = {seat: load(name) for seat, name in enumerate(self.seats) if name != ME}
        self.advisers: dict[tuple[str, int], Agent] = {}  # by name and by whom they advise
        self.game_number = 0  # given to agents: a new number is a new game
        self._start = replace(replay, actions=(), points=None, shares=None)
        self._set(replay)

    def _set(self, replay: Replay) -> None:
        """Play a game up to its last action."""
        self.actions: list[int] = []
        self.movers: list[int] = []
        self.env = self._start.env()
        self.game = self.env.game
        for action in replay.actions:
            self.play(action)

    @property
    def over(self) -> bool:
        return bool(self.env.terminations[self.env.agent_selection] or self.env.truncations[self.env.agent_selection])

    @property
    def seat(self) -> int:
        """Whose move it is."""
        return self.env.possible_agents.index(self.env.agent_selection)

    @property
    def people(self) -> list[int]:
        return [seat for seat, name in enumerate(self.seats) if name == ME]

    def legal(self) -> list[int]:
        mask = self.env.observe(self.env.agent_selection)["action_mask"]
        return [int(action) for action in np.flatnonzero(mask)]

    def play(self, action: int) -> None:
        """ValueError, and nothing played, if the action is illegal."""
        mover = self.seat
        self.env.step(action)
        self.actions.append(action)
        self.movers.append(mover)

    def choice(self) -> int:
        """What the agent to move does: the same again if it is asked again in a game resumed or taken back."""
        return self._asked(self.seats[self.seat], self.agents[self.seat], 0)

    def adviser(self) -> str:
        """Who is asked for a hint if nobody is named."""
        return next(name for name in ADVISERS if name in AGENTS)

    def has_adviser(self, name: str) -> bool:
        """Whether an agent has advised the player to move before; if not it is loaded, ValueError if it cannot be."""
        known = (name, self.seat) in self.advisers
        if not known:
            self.advisers[name, self.seat] = load(name)
        return known

    def hint(self, name: str) -> int:
        """What an adviser would do in the place of the player to move."""
        return self._asked(name, self.advisers[name, self.seat], HINT)

    def undo(self) -> int:
        """Back to the last decision that a person took; how many moves were taken back."""
        last = max((k for k, mover in enumerate(self.movers) if mover in self.people), default=len(self.movers))
        taken_back = len(self.movers) - last
        if taken_back:
            self._set(replace(self._start, actions=tuple(self.actions[:last])))
            self.game_number += 1
        return taken_back

    def views(self) -> list[np.record]:
        return [self.env.view(agent) for agent in self.env.possible_agents]

    def replay(self) -> Replay:
        return record(self.env, self.actions, self.seats)

    def _asked(self, name: str, agent: Agent, purpose: int) -> int:
        """An agent sees a table, never the game; its random numbers follow from seed, seat and move."""
        table = Table(self.env.batch, [0], [self.game_number])
        rng = stream(STREAM, self._start.seed, self.seat, len(self.actions), purpose)
        try:
            return int(asked(agent, table, rng)[0])
        except Exception as error:
            kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
            raise ValueError(f"agent {name!r:.60} failed: {kind}{error!s:.200}") from error
