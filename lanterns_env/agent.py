"""Agents: what they are given, and how they are found by name."""

import copy
import importlib
import os
import pathlib
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from inspect import signature
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lanterns_env.engine.batch import Batch, integers
from lanterns_env.engine.game import Game
from lanterns_env.engine.guard import read_only
from lanterns_env.engine.tables import block_bytes
from lanterns_env.support.failures import in_words, place_of

ENTRY_POINTS = "lanterns_env.agents"
EXPORTED = ".onnx"  # how the files of exported networks end
ONNX, RUN, SB3 = "onnx", "run", "sb3"  # the agents that play what was learnt: files, and the folders of runs
POLICY, ZIP = "policy.safetensors", ".zip"  # the network in the folder of a run; how models of SB3 end
FILES = {EXPORTED: ONNX, pathlib.PurePath(POLICY).suffix: RUN, ZIP: SB3}
OF_TORCH = (".pt", ".pth")
PACKAGE, MODULES = "lanterns_env", "lanterns_agents."  # the distribution and the modules of its own agents
TRUSTED = frozenset(
    ("random", "greedy", "expert", "search", ONNX, RUN, "champion", "tabular")
)  # of these: run no code of files
EVALUATOR = "+"  # in the name of a search: what follows is an agent too
OWN_CODE = re.compile(r"(?P<module>[^\W\d]\w*(\.[^\W\d]\w*)*):(?P<member>[^\W\d]\w*)(:(?P<argument>.*))?", re.DOTALL)


class Table:
    """A batch of decisions that wait for one agent: the argument of ``act``.

    ``views[n]`` are named records and ``action_masks[n, A]`` the legal actions, both of the seat to move;
    ``game.to_array(views)`` gives the observations.  ``seats[n]`` is the seat to move, ``game_ids[n]`` a number for
    each game that stays the same from move to move.  All of it is a read-only copy.

    A table holds no true state: it is made of worlds in which everything that the seat to move cannot know has been
    dealt anew.  Within one process this stops mistakes, not malice: code that searches the memory of the process
    finds the games.  Agents that you do not trust play in processes of their own (``isolate=True`` of a match).

    Args:
        batch: The games.
        rows: Those in which the agent is to move.
        games: A number for each row, to tell games apart.
    """

    def __init__(self, batch: Batch, rows: ArrayLike, games: ArrayLike) -> None:
        chosen = batch.check_rows(rows)
        worlds = batch.worlds(chosen, batch.current_players[chosen], np.zeros(len(chosen), np.uint64))
        self._hold(worlds, integers(games, "games"))

    def write_to(self, memory: NDArray[np.uint8]) -> None:
        """Copy the table into other memory, for an agent in another process."""
        numbers = self.game_ids.nbytes
        memory[:numbers] = self.game_ids.view(np.uint8)
        self._worlds.write_to(memory[numbers:])

    @classmethod
    def read_from(cls, memory: NDArray[np.uint8], num_rows: int, games: Batch) -> "Table":
        """The table that was written there; ``games`` is a batch of the same settings."""
        table = object.__new__(cls)
        numbers = memory[: num_rows * np.dtype(np.int64).itemsize].view(np.int64)
        table._hold(games.read_from(memory[numbers.nbytes :], num_rows), numbers.copy())
        return table

    @staticmethod
    def bytes_of(game: Game, num_rows: int) -> int:
        """How much memory a table of so many rows takes."""
        return num_rows * np.dtype(np.int64).itemsize + block_bytes(game, num_rows)

    def _hold(self, worlds: Batch, games: NDArray[np.int64]) -> None:
        self._worlds = worlds
        self.game = worlds.game
        self.views = worlds.views  # named records; ``game.to_array(views)`` are the same as int8[n, D]
        self.action_masks = read_only(worlds.action_masks)
        self.seats = worlds.current_players
        self.game_ids = read_only(games)

    def __len__(self) -> int:
        return len(self.seats)

    def sample(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """A uniformly random legal action for every row."""
        return self._worlds.sample(rng)

    def worlds(self, seeds: ArrayLike) -> Batch:
        """Copies of the games in which everything that the seat to move cannot know has been dealt anew."""
        return self._worlds.worlds(np.arange(len(self)), self._worlds.current_players, seeds)


class Agent(Protocol):
    """Any object that chooses actions.

    It may also offer ``action_probabilities(table)``: float32[n, A], rows that sum to 1.
    """

    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        """One legal action for every row of the table."""


@runtime_checkable
class Model(Protocol):
    """A model of stable-baselines3 or sb3-contrib, by what it has."""

    policy: Any
    observation_space: Any
    predict: Any


Given = str | Agent | Callable[[], Agent] | Model  # what stands for an agent: its name, itself, what makes one, a model


def asked(agent: Agent, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
    """What an agent chooses, as whole numbers; whether they are legal is another matter."""
    chosen: Any = agent.act(table, rng)
    if chosen is None:
        raise ValueError("act gave None, not an action for every row")
    return integers(chosen, "actions")


class Agents(Mapping[str, EntryPoint]):
    """All agents that installed packages offer, by name; none takes the name of one of this package."""

    def __getitem__(self, name: str) -> EntryPoint:
        return _offered()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(_offered()))

    def __len__(self) -> int:
        return len(_offered())


@cache  # a package that is installed later is found by the next process
def _offered() -> dict[str, EntryPoint]:
    found = sorted(entry_points(group=ENTRY_POINTS), key=_of_this_package)  # ours last: they replace the others
    return {entry.name: entry for entry in found}


AGENTS = Agents()


# -- from what stands for an agent to the agent --------------------------------------------------------------------


def name_of(given: Given) -> str:
    """The name of an agent in results."""
    if isinstance(given, str):
        return given
    return f"<{getattr(given, '__name__', type(given).__name__)}>"


def names_of(agents: Iterable[Given]) -> list[str]:
    """The names of several; objects that are called alike are numbered."""
    seen: Counter[str] = Counter()
    names = []
    for given in agents:
        name = name_of(given)
        seen[name] += 1
        again = not isinstance(given, str) and seen[name] > 1
        names.append(f"{name[:-1]} {seen[name]}>" if again else name)
    return names


def frozen(given: Given) -> Given:
    """The same, but for a model of stable-baselines3: an agent that plays as the model does now, whatever it learns."""
    if isinstance(given, type) or hasattr(given, "act") or not isinstance(given, Model):
        return given
    if SB3 not in AGENTS:
        raise ValueError(f"{name_of(given)} is a model of stable-baselines3, and no agent that plays such is installed")
    agent: Agent = AGENTS[SB3].load()(given)
    return agent


def fresh(given: Given) -> Agent:
    """A new agent: loaded by its name, made by its factory or from a model, or copied from the given object."""
    if isinstance(given, str):
        return load(given)
    chosen = frozen(given)
    if isinstance(chosen, type) or not hasattr(chosen, "act"):
        return _made(chosen)
    try:
        copied = copy.deepcopy(chosen)
    except Exception as error:  # whatever an object of a user does when it is copied
        raise ValueError(
            f"the agent {name_of(given)} cannot be copied ({in_words(error)}), and every seat needs one "
            "of its own: give a function that makes one, for instance lambda: MyAgent(weights)"
        ) from error
    return _checked(copied, type(copied).__name__)


def _made(factory: Any) -> Agent:
    if not callable(factory):
        raise ValueError(f"{name_of(factory)} is no agent: it is no name, has no act(table, rng), and makes nothing")
    made = factory()
    return _checked(made, name_of(factory)[1:-1] if made is None else type(made).__name__)


def _checked(made: Any, name: str) -> Agent:
    """Refuse what cannot be asked."""
    act = getattr(made, "act", None)
    if not callable(act):
        raise ValueError(f"{name} has no act(table, rng)")
    try:
        takes = signature(act)
    except ValueError:  # compiled code, which does not say
        return made  # type: ignore[no-any-return]
    try:
        takes.bind(None, None)
    except TypeError:
        raise ValueError(f"{name} has act{takes}, and it must be act(table, rng)") from None
    return made  # type: ignore[no-any-return]


# -- by name -------------------------------------------------------------------------------------------------------


def load(name: str) -> Agent:
    """An agent by its name.

    What follows a colon is its argument: "search:2000", "expert:my.toml", "sb3:model.zip".  A file that ends in
    ``.onnx``, ``.zip`` or ``.safetensors`` is an agent too, and so is the folder of a run.  "my_module:MyAgent", or
    with an argument "my_module:MyAgent:fast", is your own class, from the current folder or installed.
    """
    if not isinstance(name, str):
        raise ValueError(f"an agent is named by a text, not by {name!r:.60}")
    kind, argument = _parted(name)
    own = None if kind in AGENTS else OWN_CODE.fullmatch(name)
    if kind not in AGENTS and own is None:
        raise ValueError(_unknown(name, kind))
    try:
        if own or kind == SB3:  # whose networks may be code of the current folder
            _see_current_folder()
        if own:
            made = _of_own_code(own["module"], own["member"], own["argument"] or "")
        else:
            made = _called(AGENTS[kind].load(), kind, argument)
    except (Exception, SystemExit) as error:
        place = place_of(error)
        if isinstance(error, ValueError) and not place:  # a sentence of this package
            raise
        raise ValueError(f"agent {name!r:.60} cannot be loaded: {in_words(error):.200}{place}") from error
    return _checked(made, own["member"] if own else f"agent {name!r:.60}")


def _of_own_code(module: str, member: str, argument: str) -> Any:
    """What a module has under a name: a class or function that makes an agent, or an agent."""
    found, name = _member(module, member), f"{module}:{member}"
    if isinstance(found, type) or argument or (callable(found) and not hasattr(found, "act")):
        return _called(found, name, argument)
    return fresh(found)


def _called(make: Callable[..., Any], name: str, argument: str) -> Any:
    if not callable(make):
        raise ValueError(f"agent {name!r} takes no argument")
    _check_takes(make, name, argument)
    return make(argument) if argument else make()


def _see_current_folder() -> None:
    """Let modules be found in the folder in which the work is done, as ``python -m`` does."""
    folder = os.getcwd()
    if folder not in sys.path:
        sys.path.insert(0, folder)
    importlib.invalidate_caches()


def _member(module: str, member: str) -> Any:
    """A name of a module."""
    name = module.removesuffix(".py")
    try:
        found = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise  # it is there, and wants another
        raise ValueError(f"there is no agent or module {name!r:.60}: not in {os.getcwd()}, and not installed") from None
    if not hasattr(found, member):
        offered = [each for each, value in vars(found).items() if hasattr(value, "act")]
        raise ValueError(f"{name} has no {member!r:.60}; agents in it: {', '.join(offered) or 'none'}")
    return getattr(found, member)


def _unknown(name: str, kind: str) -> str:
    """Why a name is nobody's."""
    module = kind.removesuffix(".py")
    if name.endswith(OF_TORCH):
        return (
            f"{name:.60} is a file of torch alone: the network of a run is its folder or its policy.safetensors, "
            "any other an agent of your own, as my_module:MyAgent:file"
        )
    if os.path.isfile(f"{module}.py"):
        return f"{module:.60}.py is no agent: name a class in it, as {module:.60}:MyAgent"
    return f"there is no agent {kind!r:.60}; there are: {', '.join(AGENTS)}, and your own as my_module:MyAgent"


def check_trusted(names: Iterable[str]) -> None:
    """Refuse agents that a file names if they would run code which is not that of this package."""
    for name in names:
        rest = name
        while rest:
            kind, argument = _parted(rest)
            if kind not in TRUSTED or kind not in AGENTS or not _of_this_package(AGENTS[kind]):
                raise ValueError(
                    f"the file names the agent {rest!r:.60}, which may run code that is not part of this package; "
                    "if you trust the file: --trust, or trust=True"
                )
            rest = argument.partition(EVALUATOR)[2] if kind == "search" else ""


def _parted(name: str) -> tuple[str, str]:
    """The agent's own name, and its argument."""
    kind, _, argument = name.partition(":")
    if kind in AGENTS or OWN_CODE.fullmatch(name):
        return kind, argument
    suffix = pathlib.PurePath(name).suffix
    if suffix in FILES:
        return FILES[suffix], name
    return (RUN, name) if os.path.isdir(name) else (kind, argument)


def _of_this_package(entry: EntryPoint) -> bool:
    return entry.dist is not None and entry.dist.name == PACKAGE and entry.module.startswith(MODULES)


def _check_takes(make: Callable[..., Any], kind: str, argument: str) -> None:
    """Refuse an argument that an agent does not take, or one that is missing."""
    try:
        takes = signature(make)
    except ValueError:  # compiled code, which does not say
        return
    try:
        takes.bind(*filter(None, [argument]))
    except TypeError:
        wish = "takes no argument" if argument else f"needs an argument: {kind}:..."
        raise ValueError(f"agent {kind!r} {wish}") from None
