"""The one list of games."""

import importlib
from collections.abc import Iterator, Mapping
from typing import Any

from lanterns_env.engine.game import Game

MODULES = {  # a game is loaded, and the compiler with it, when it is first asked for
    "lanterns": "lanterns_env.games.lanterns",
    "lighthouse": "lanterns_env.games.lighthouse",
    "lumen": "lanterns_env.games.lumen",
}


class Games(Mapping[str, Game]):
    """All games by name."""

    def __init__(self) -> None:
        self._loaded: dict[str, Game] = {}
        self._names = dict(MODULES)

    def __getitem__(self, name: str) -> Game:
        if name not in self._loaded:
            if name not in self._names:
                raise KeyError(f"no game {name!r}; there are: {', '.join(self)}")
            self._loaded[name] = importlib.import_module(self._names[name]).GAME
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._names, **self._loaded})

    def __len__(self) -> int:
        return len({**self._names, **self._loaded})

    def add(self, game: Game) -> None:
        """Take in a game from outside."""
        if game.name in self:
            raise ValueError(f"there is a game {game.name!r} already")
        self._loaded[game.name] = game


GAMES = Games()


def find_game(game: Any) -> Game:
    """A game, or the game of that name."""
    if isinstance(game, Game):
        return game
    if not isinstance(game, str) or game not in GAMES:
        raise ValueError(f"there is no game {game!r}; there are: {', '.join(GAMES)}")
    return GAMES[game]
