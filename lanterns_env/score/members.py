"""What the members of the panel are made of: the files that decide their moves, and a name that follows from them."""

import hashlib
import json
import os
import pathlib
from collections.abc import Mapping
from importlib.util import find_spec

from lanterns_env.agent import AGENTS
from lanterns_env.games import GAMES
from lanterns_env.score.protocol import Protocol

AGENT_FILES = (  # in the package of the agents, and in a folder for each game: the rest learns, or plays other files
    "uniform.py",
    "greedy.py",
    "expert.py",
    "search.py",
    "champion.py",
    "onnx_agent.py",
    "features.py",
    "per_game.py",
    "popcount.py",
    "ties.py",
    "weights.py",
    "win_shares.py",
    "networks/exported.py",
    "networks/model_card.py",
    "networks/sealed.py",
)
GAME_FILES = ("*.py", "weights.toml", "champion.onnx")
SEARCH_FILES = ("heuristics.py", "ismcts.py", "tree.py")
GAMES_OF_THE_PANEL = tuple(Protocol().games)
DIGITS = 16  # of the digest of a file
NAME_DIGITS = 12  # of a panel's name

Folder = str | os.PathLike[str]


def sources(agents: Folder | None = None, search: Folder | None = None) -> dict[str, str]:
    """The digest of every file that decides a move of a member; the folders are those of the installed packages."""
    own = pathlib.Path(agents or _folder(AGENTS[Protocol().members[0]].module.partition(".")[0]))
    tree = pathlib.Path(search or _folder("lanterns_env.search"))
    files = [own / name for name in AGENT_FILES]
    files += [file for game in GAMES_OF_THE_PANEL for name in GAME_FILES for file in sorted((own / game).glob(name))]
    found = {f"{own.name}/{file.relative_to(own).as_posix()}": _digest(file) for file in files}
    return found | {f"search/{name}": _digest(tree / name) for name in SEARCH_FILES}


def name_of_panel(protocol: Protocol, files: Mapping[str, str]) -> str:
    """A name for members that decide in this way, in these games, over the deals of the protocol."""
    games = {name: [GAMES[name].version, GAMES[name].layout] for name in GAMES_OF_THE_PANEL}
    content = {"protocol": protocol.to_json(), "files": dict(files), "games": games}
    text = json.dumps(content, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:NAME_DIGITS]


def _folder(package: str) -> str:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ValueError(f"the members of the panel are not installed: there is no package {package}")
    return spec.submodule_search_locations[0]


def _digest(file: pathlib.Path) -> str:
    """Of a text the line ends do not count: they are what a system makes of them."""
    content = file.read_bytes()
    if file.suffix != ".onnx":
        content = content.replace(b"\r\n", b"\n")
    return hashlib.sha256(content).hexdigest()[:DIGITS]
