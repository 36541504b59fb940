"""The agent "sb3:model.zip": a model of stable-baselines3 or sb3-contrib, by its file or itself, on the CPU.

It takes the most probable legal action, or for a model of values (DQN) the highest valued one: the mask is applied
here, also for algorithms that know none.
"""

import os
from functools import lru_cache
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray

from lanterns_agents.networks.sealed import stamp_of
from lanterns_env import GAMES
from lanterns_env.agent import ZIP, Table
from lanterns_env.engine.game import Game
from lanterns_env.engine.observations import FLAT, NAMED, PLANES, Observer

BARE = "bare"  # the bytes of the view alone, without the mask beside them
KEPT = 8  # models in memory; the one that was asked for least recently gives way
MOST_REMEMBERED = 4096  # games of which a recurrent model remembers what has happened
NUM_PLAYERS = "num_players"  # the field of the view
NEAR = 1e-3  # to a whole number
WRAPPED = (
    "{} was trained on observations that a wrapper has changed, as VecNormalize does, and that is not in the model: "
    "give an agent of your own that changes them in the same way"
)


class SB3Agent:
    """Plays as a model of stable-baselines3 or sb3-contrib: sb3:model.zip (needs stable-baselines3)."""

    def __init__(self, model: Any = "") -> None:
        if isinstance(model, str) and not model:
            raise ValueError("a model of stable-baselines3 is the name of its file: sb3:model.zip")
        self.file = _existing(model) if isinstance(model, str) else ""
        self._trained = _in_file(self.file, stamp_of(self.file)) if self.file else Trained.from_model(model)
        self._memories: dict[int, NDArray[np.float32]] = {}  # of a recurrent model, by game

    def __deepcopy__(self, memo: Any) -> "SB3Agent":
        """At every seat another agent, of the same model."""
        return _again(self.file, self._trained)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by the name of its file, or with all that it plays by."""
        return (SB3Agent, (self.file,)) if self.file else (_again, ("", self._trained))

    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        from lanterns_agents.networks.one_thread import on_one_thread

        observations = self._trained.observations(table)
        with on_one_thread():
            preferred = self._preferences(observations, table.game_ids.tolist())
        best: NDArray[np.int64] = np.where(table.action_masks == 1, preferred, -np.inf).argmax(1)
        return best

    def _preferences(self, observations: Any, games: list[int]) -> NDArray[np.float32]:
        from lanterns_agents.networks import sb3_model

        policy = self._trained.policy
        if not sb3_model.is_recurrent(policy):
            return sb3_model.preferences(policy, observations)
        blank = sb3_model.blank_memory(policy)
        before = np.stack([self._memories.pop(game, blank) for game in games])
        preferred, after = sb3_model.recurrent_preferences(policy, observations, before)
        self._memories |= zip(games, after, strict=True)
        for game in list(self._memories)[:-MOST_REMEMBERED]:
            del self._memories[game]
        return preferred


class Trained:
    """A policy, and what it was trained on: this is recognised from the space of its observations."""

    def __init__(self, parts: Any) -> None:
        from lanterns_agents.networks.sb3_model import make_policy

        self.parts = parts
        self.policy = make_policy(parts)
        self._known: dict[str, tuple[str, int | None]] = {}  # by game: format, and how many played when it learnt

    @classmethod
    def from_model(cls, model: Any) -> "Trained":
        from lanterns_agents.networks.sb3_model import parts_of_model

        return cls(parts_of_model(model))

    def __reduce__(self) -> tuple[Any, ...]:
        return Trained, (self.parts,)

    def observations(self, table: Table) -> Any:
        """The rows of a table as the policy knows them."""
        game, name = table.game, self.parts.name
        if game.name not in self._known:
            found = self._format_for(game)
            self._known[game.name] = found, players_in(self.parts.last_observations, found, game, name)
        found, trained = self._known[game.name]
        if trained is not None and (table.views[NUM_PLAYERS] != trained).any():
            raise ValueError(f"{name} was trained at tables of {trained} players, not {table.views[NUM_PLAYERS].max()}")
        encoded = Observer(game, NAMED if found == BARE else found).encode(table.views)
        return {"observation": encoded, "action_mask": table.action_masks} if found == NAMED else encoded

    def _format_for(self, game: Game) -> str:
        """The format of its observations; ValueError if they are not those of this game."""
        name, space = self.parts.name, self.parts.observation_space
        found = format_of(space, self.parts.action_space, game)
        if found is not None:
            return found
        for other in GAMES.values():
            if format_of(space, self.parts.action_space, other) is not None:
                raise ValueError(f"{name} was trained on {other.title} and cannot play {game.title}")
        if any(_shapes(space) == _shapes(known) for known in spaces_of(game).values()):
            raise ValueError(WRAPPED.format(name))
        raise ValueError(
            f"{name} was trained on {_in_words(space)}, and that is no observation of {game.title}: "
            f"it has {', '.join(spaces_of(game))}, without wrappers that change them"
        )


def spaces_of(game: Game) -> dict[str, Space[Any]]:
    """The observations that a model may have been trained on."""
    known: dict[str, Space[Any]] = {NAMED: Observer(game).seat_space(), BARE: Observer(game).space}
    formats = [FLAT] if game.planes is None else [FLAT, PLANES]
    return known | {name: Observer(game, name).space for name in formats}


def format_of(space: Space[Any], actions: Space[Any], game: Game) -> str | None:
    """The format of a game's observations that has this space; None if there is none."""
    if not isinstance(actions, Discrete) or actions.n != game.num_actions:
        return None
    return next((name for name, known in spaces_of(game).items() if known == space), None)


def players_in(observations: Any, found: str, game: Game, name: str) -> int | None:
    """How many players the last observations speak of, None if they do not say; ValueError if no game gives such."""
    if observations is None or NUM_PLAYERS not in (field.name for field in game.fields):
        return None
    if found == PLANES:
        return _players_on(np.asarray(observations), game)
    rows = np.asarray(observations["observation"] if found == NAMED else observations, np.float64)
    if rows.shape[1:] != game.low.shape or not len(rows):
        return None
    numbers = rows[0] * game.bound if found == FLAT else rows[0]
    whole = np.rint(numbers)
    if (abs(numbers - whole) > NEAR).any() or (whole < game.low).any() or (whole > game.high).any():
        raise ValueError(WRAPPED.format(name))
    return int(game.view_from(whole.astype(np.int8))[NUM_PLAYERS])


def _players_on(images: NDArray[np.float32], game: Game) -> int | None:
    """The same of images: one of their planes says it."""
    bound = next(field.bound for field in game.fields if field.name == NUM_PLAYERS)
    place = game.planes.places.get(NUM_PLAYERS)
    return round(float(images[0, place.start, 0, 0] * bound)) if place else None


def _existing(file: str) -> str:
    """The file; its ending may be left out, as SB3 does."""
    return file if os.path.exists(file) or not os.path.isfile(file + ZIP) else file + ZIP


@lru_cache(KEPT)
def _in_file(file: str, stamp: tuple[int, ...]) -> Trained:
    """The model of a file; the stamp tells it from what was in the file before it was written anew."""
    from lanterns_agents.networks.sb3_model import parts_of_file

    return Trained(parts_of_file(file))


def _again(file: str, trained: Trained) -> SB3Agent:
    agent = object.__new__(SB3Agent)
    agent.file, agent._trained, agent._memories = file, trained, {}
    return agent


def _shapes(space: Space[Any]) -> Any:
    return {name: part.shape for name, part in space.items()} if isinstance(space, Dict) else space.shape


def _in_words(space: Space[Any]) -> str:
    if isinstance(space, Dict):
        return f"a Dict of {', '.join(space)}"
    return f"{space.dtype}{list(space.shape)}" if isinstance(space, Box) else type(space).__name__
