"""A game behind PettingZoo's AEC interface: a batch of one game, without autoreset."""

import copy
import secrets
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Discrete, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv

from lanterns_env.engine import serialization as saving
from lanterns_env.engine.batch import Batch
from lanterns_env.engine.checks import check_action, check_reward, check_seed
from lanterns_env.engine.game import Game
from lanterns_env.engine.observations import NAMED, Observer
from lanterns_env.envs.bookkeeping import BY_AGENT
from lanterns_env.envs.rendering import FPS, Renderer, render_modes
from lanterns_env.games import find_game
from lanterns_env.games.svg import Picture, svg

ILLEGAL_REWARD = -1.0
Observation = Any  # a dict of "observation" and "action_mask", or an array


class GameEnv(AECEnv[str, Observation, int | None]):
    """A game as a PettingZoo AEC environment, as ``lanterns_v0.env()`` and ``raw_env()`` make it.

    Args:
        game: The name of a game, such as "lanterns", or a ``Game``.
        num_players: How many play; the game's default unless given.
        render_mode: None, "ansi" (text), "rgb_array" (pixels) or "human" (a window; without a display, text).
        reward: "outcome" (zero-sum, at the end), "margin" (points ahead, scaled) or "points" (as they are gained).
        render_player: Whose view is drawn, an agent or a seat; None draws the whole table.
        render_width: The width of pictures in pixels.
        guarded: Whether an illegal action ends the game, the offender with -1 and the others with 0, as in ``env()``.
            Otherwise it raises ``ValueError``, and the game stays as it is.
        observation: "named", a dict of ``observation`` (int8[D], the bytes of the view) and ``action_mask``; "flat",
            float32[D], every number divided by its bound; or "planes", float32[C, H, W], the board as an image.  With
            the latter two the mask is in ``info["action_mask"]`` alone.
        **options: Rule variants of the game.
    """

    def __init__(
        self,
        game: str | Game,
        num_players: int | None = None,
        render_mode: str | None = None,
        reward: str = "outcome",
        render_player: str | int | None = None,
        render_width: int | None = None,
        guarded: bool = False,
        observation: str = NAMED,
        **options: Any,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.game = find_game(game)
        self.num_players = self.game.check_players(self.game.default_players if num_players is None else num_players)
        self.options = self.game.check_options(self.num_players, options)
        self._renderer = Renderer(self.game, render_mode, render_width)
        self.render_mode = render_mode
        self.reward = check_reward(reward)
        self.guarded = bool(guarded)
        self._observer = Observer(self.game, observation)
        self.observation = observation
        self.metadata = {
            "name": f"{self.game.name}_v{self.game.version}",
            "render_modes": list(render_modes()),
            "is_parallelizable": False,
            "render_fps": FPS,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.num_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.render_player = None if render_player is None else self._seat(render_player)
        self.agents: list[str] = []
        self._observation_spaces: dict[str, Space[Any]] = {}
        self._action_spaces: dict[str, Space[Any]] = {}
        self._batch: Batch | None = None
        self._action = np.zeros(1, np.int64)

    # -- PettingZoo ---------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a game.

        Args:
            seed: Names the deal: the same game every time.  Without it the next deal of the same stream follows; the
                first one is drawn at random.
            options: ``{"state": env.get_state()}`` continues a saved game instead; other options are ignored.
        """
        if options is not None and not isinstance(options, Mapping):
            raise ValueError(f"options must be a dict such as {{'state': saved}}, not {options!r}")
        if options and "state" in options:
            self.set_state(options["state"])
        elif seed is not None:
            self._deal(check_seed(seed))
        elif self._batch is None:
            self._deal(secrets.randbits(64))
        else:
            self._batch.deal()
            self._begin()
        self._show()

    def step(self, action: int | None) -> None:
        """Carry out an action of ``agent_selection``; once its game is over, the action is None."""
        batch = self._dealt()
        batch._gate.enter()
        try:
            if not self.agents:
                raise ValueError("the game is over and every agent has left; reset() deals another")
            agent = self.agent_selection
            if self.terminations[agent] or self.truncations[agent]:
                self._was_dead_step(action)
                return
            self._action[0] = self._checked(action)
            if batch._advance(batch._rows, self._action) >= 0:
                self._refuse(agent, int(self._action[0]))
                return
            self._cumulative_rewards[agent] = 0.0
            self.infos[agent] = {"action_mask": self._no_actions}
            self._update(batch)
        finally:
            batch._gate.leave()
        self._show()

    def observe(self, agent: str) -> Observation:
        """An agent's observation; in a dict with its mask, all zeros unless the agent is to move, if "named"."""
        batch = self._dealt()
        seat = self._seat(agent)
        if self.observation != NAMED:
            return self._observer.encode(batch._views if seat == self._to_move else self._views([seat]))[0]
        if seat == self._to_move:
            return {"observation": batch.observations[0].copy(), "action_mask": batch.action_masks[0].copy()}
        return {"observation": batch.observe(seats=seat)[0], "action_mask": self._no_actions.copy()}

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward, termination, truncation and info of the agent to move.

        The reward is the sum of the agent's rewards since its own last step.  ``info["action_mask"]`` and the mask in
        the observation are the same array.
        """
        self._dealt()
        agent = self.agent_selection
        info = self.infos[agent]
        observation = None
        if observe:
            observation = self.observe(agent)
            named = self.observation == NAMED
            info["action_mask"] = observation["action_mask"] if named else info["action_mask"].copy()
        ended, cut = self.terminations[agent], self.truncations[agent]
        return observation, self._cumulative_rewards[agent], ended, cut, info

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        self._dealt()
        return super().agent_iter(max_iter)

    def state(self) -> NDArray[Any]:
        """The observations of all players, one after the other: the input of a centralised critic."""
        return np.concatenate(self._observer.encode(self._views(range(self.num_players))))

    @property
    def batch(self) -> Batch:
        """A copy of the present game as a batch of one row, with "named" observations."""
        return self._dealt().copy()

    @property
    def state_space(self) -> Box:
        return self._observer.state_space(self.num_players)

    def observation_space(self, agent: str) -> Space[Any]:
        """For "named" a ``Dict`` of ``observation``, a ``Box`` with all bounds, and ``action_mask``; else a ``Box``."""
        self._seat(agent)
        if agent not in self._observation_spaces:
            self._observation_spaces[agent] = Observer(self.game, self.observation).seat_space()
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        self._seat(agent)
        if agent not in self._action_spaces:
            self._action_spaces[agent] = Discrete(self.game.num_actions)
        return self._action_spaces[agent]

    def render(self) -> Any:
        """Draw the view of ``render_player``, or the whole table where that is None, as ``render_mode`` says."""
        self._dealt()
        if self.render_mode is None:
            warnings.warn("render() does nothing without a render_mode; choose one when making the env", stacklevel=2)
            return None
        return self._renderer.render(self._shown_views())

    def picture(self) -> Picture:
        """The drawing as shapes; ``lanterns_env.games.svg.svg`` makes an SVG of them."""
        return self._renderer.picture(self._shown_views())

    def _repr_svg_(self) -> str | None:
        """What a notebook shows."""
        drawable = self._batch is not None and self.game.picture is not None
        return svg(self.picture()) if drawable else None

    def close(self) -> None:
        """Close the window, if one is open."""
        self._renderer.close()

    # -- more than PettingZoo asks for ------------------------------------------------------------------------

    def view(self, agent: str) -> Any:
        """An agent's view: the named record whose bytes are its observation."""
        return self._views([self._seat(agent)])[0]

    def describe(self, action: int) -> str:
        """An action of the agent to move, in words."""
        return self.game.describe(self._mover_view(), self._checked(action))

    def parse(self, words: str) -> int:
        """The action that words describe; ``ValueError`` if they are not understood or the action is illegal."""
        if not isinstance(words, str):
            raise ValueError(f"an action is described by a string of words, not by {words!r}")
        action = self.game.parse(self._mover_view(), words)
        if not self._dealt().action_masks[0][action]:
            raise ValueError(self._dealt()._refusal(0, action))
        return action

    def why_illegal(self, action: int) -> str | None:
        """Why an action of the agent to move is illegal: the rule in words; None if it is legal."""
        number = self._checked(action)
        if self._to_move < 0:
            return "the game is over"
        if self._dealt().action_masks[0][number]:
            return None
        return self.game.why_illegal(self._mover_view(), number) or "it is not legal now"

    def sample_hidden(self, agent: str, seed: int) -> "GameEnv":
        """A clone in which everything that an agent cannot know has been dealt anew, uniformly."""
        other = self.clone()
        other._batch = self._dealt().worlds([0], [self._seat(agent)], [seed])
        if not other._ended:
            other._select(other._batch)
        for name, info in other.infos.items():
            if name != agent and "illegal" in info:  # the offender's reason may speak of its own cards
                info["illegal"] = "an illegal action was chosen"
        return other

    def belief(self, agent: str) -> NDArray[np.float64]:
        """Exact probabilities of what is hidden from an agent; ``ValueError`` where the game offers none."""
        return self._dealt().belief(0, self._seat(agent))

    def clone(self) -> "GameEnv":
        """An independent copy of the game."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._observation_spaces, other._action_spaces = {}, {}
        other._action = np.zeros(1, np.int64)
        other._renderer = copy.copy(self._renderer)
        if self._batch is not None:
            other._batch = self._batch.copy()
            other.agents = self.agents.copy()
            for name in BY_AGENT:
                setattr(other, name, getattr(self, name).copy())
            other.infos = {agent: info.copy() for agent, info in self.infos.items()}
            for info in other.infos.values():
                info["action_mask"] = info["action_mask"].copy()
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> "GameEnv":
        other = self.clone()
        for name in ("_observation_spaces", "_action_spaces"):  # they hold generators of their own
            setattr(other, name, copy.deepcopy(getattr(self, name), memo))
        return other

    def get_state(self) -> bytes:
        """The whole game as bytes, PettingZoo's bookkeeping included."""
        return saving.dump(self)

    def set_state(self, data: bytes) -> None:
        """Continue a saved game.  Data of another kind of game raises ``ValueError``, and nothing changes."""
        saving.load(self, data)

    def __getstate__(self) -> bytes:
        """Bytes with a checksum: the arguments and the game.  What was seeded in its spaces is not kept."""
        return saving.dump_env(self)

    def __setstate__(self, data: bytes) -> None:
        arguments, saved = saving.load_env(data)
        GameEnv.__init__(self, **arguments)
        if saved:
            saving.load(self, saved)

    # -- inside ---------------------------------------------------------------------------------------------

    @property
    def _to_move(self) -> int:
        """The seat to move, -1 once the game is over."""
        mover = int(self._dealt().current_players[0])
        return -1 if self._ended else mover

    def _deal(self, seed: int) -> None:
        if self._batch is None:
            arguments = {"autoreset": False, "reward": self.reward, **self.options}
            self._batch = Batch(self.game, 1, self.num_players, seeds=[seed], **arguments)
        else:
            self._batch.deal(seeds=[seed])
        self._begin()

    def _begin(self) -> None:
        """Start PettingZoo's bookkeeping for a game just dealt."""
        self._no_actions = np.frombuffer(bytes(self.game.num_actions), np.int8)  # of all who wait; it stays read-only
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._no_actions} for agent in self.agents}
        self._skip_agent_selection = None  # type: ignore[assignment]
        self._ended = False
        self._select(self._dealt())

    def _select(self, batch: Batch) -> None:
        """Turn to the seat to move."""
        self.agent_selection = self.possible_agents[batch.current_players[0]]
        self.infos[self.agent_selection] = {"action_mask": batch.action_masks[0].copy()}

    def _update(self, batch: Batch) -> None:
        """Take over what a step brought."""
        over = bool(batch.dones[0])
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if over or self.reward == "points":
            self.rewards = dict(zip(self.agents, batch.rewards[0].tolist(), strict=True))
            self._accumulate_rewards()
        if over:
            self._end(cut=bool(batch.truncations[0]))
        else:
            self._select(batch)

    def _end(self, cut: bool) -> None:
        self._ended = True
        self.terminations = dict.fromkeys(self.agents, not cut)
        self.truncations = dict.fromkeys(self.agents, cut)
        for info in self.infos.values():
            info["action_mask"] = self._no_actions
        self._deads_step_first()

    def _refuse(self, agent: str, action: int) -> None:
        """An illegal action: guarded, it ends the game as PettingZoo's TerminateIllegal does; else it raises."""
        reason = self._dealt()._refusal(0, action)
        if not self.guarded:
            raise ValueError(reason)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[agent] = ILLEGAL_REWARD
        self._cumulative_rewards[agent] = 0.0
        self._accumulate_rewards()
        for other, info in self.infos.items():  # the reason may speak of what only the offender sees
            info["illegal"] = reason if other == agent else f"{agent} chose an illegal action"
        self._end(cut=False)

    def _dealt(self) -> Batch:
        if self._batch is None:
            raise ResetNeeded("no game has been dealt yet; call reset() first")
        return self._batch

    def _seat(self, agent: str | int) -> int:
        by_number = isinstance(agent, (int, np.integer)) and not isinstance(agent, bool)
        seat = int(agent) if by_number else self._seats.get(str(agent), -1)
        if not 0 <= seat < self.num_players:
            raise ValueError(f"there is no agent {agent!r}; agents are {', '.join(self.possible_agents)}")
        return seat

    def _checked(self, action: Any) -> int:
        return check_action(action, self.game.num_actions)

    def _views(self, seats: Any) -> NDArray[Any]:
        seats = np.array(list(seats))
        return self._dealt()._look(np.zeros(len(seats), int), seats)

    def _show(self) -> None:
        """A person is shown every change without asking."""
        if self.render_mode == "human":
            self.render()

    def _shown_views(self) -> NDArray[Any]:
        """The views that are drawn."""
        return self._views(range(self.num_players) if self.render_player is None else [self.render_player])

    def _mover_view(self) -> Any:
        if self._to_move < 0:
            raise ValueError("the game is over: nobody is to move")
        return self._dealt().views[0]


def make(game: str | Game, guarded: bool, **arguments: Any) -> GameEnv:
    return GameEnv(game, guarded=guarded, **arguments)
