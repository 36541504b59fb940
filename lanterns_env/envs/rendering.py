"""How an environment shows its table: as text, as an array of pixels, or to a person."""

import os
import sys
import warnings
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from lanterns_env.engine.checks import plain_integer
from lanterns_env.engine.game import Game
from lanterns_env.games.raster import rgb_array
from lanterns_env.games.svg import Picture
from lanterns_env.support.extras import missing

FPS = 2
ALL = "all"  # eyes: everybody's
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")


@cache
def render_modes() -> tuple[str, ...]:
    """What can be drawn here: pixels need Pillow."""
    return ("ansi", "human", "rgb_array") if find_spec("PIL") else ("ansi", "human")


def check_render_mode(mode: str | None) -> str | None:
    name = mode if isinstance(mode, str) else ""
    if mode is None or name in render_modes():
        return mode
    hint = f" ({missing(name, 'PIL')})" if name == "rgb_array" else ""
    raise ValueError(f"render_mode must be one of {', '.join(render_modes())} or None; not {mode!r}{hint}")


def check_player(player: Any, agents: Sequence[str]) -> int | str | None:
    """Whose eyes a picture is drawn from: a seat, "all", or None for the environment's own choice."""
    if player is None or (isinstance(player, str) and player == ALL):
        return player
    by_number = isinstance(player, (int, np.integer)) and not isinstance(player, bool)
    seat = int(player) if by_number else next((k for k, agent in enumerate(agents) if agent == str(player)), -1)
    if not 0 <= seat < len(agents):
        raise ValueError(
            f"there is no agent {player!r}; render_player must be {', '.join(agents)}, a seat from 0 to "
            f"{len(agents) - 1}, {ALL!r} or None"
        )
    return seat


def shown_seats(player: Any, usual: int, agents: Sequence[str]) -> list[int]:
    """The seats whose views are drawn together.

    Args:
        player: The ``render_player`` asked for.
        usual: The seat that is shown where None is asked for; with -1, once nobody is to move, all are.
        agents: The agents of all seats.
    """
    chosen = check_player(player, agents)
    seat = usual if chosen is None else chosen
    return list(range(len(agents))) if seat in (ALL, -1) else [int(seat)]


class Renderer:
    """Draws views in one mode.  ``width`` is that of pictures, in pixels."""

    def __init__(self, game: Game, mode: str | None, width: int | None = None) -> None:
        if width is not None and plain_integer(width) < 1:
            raise ValueError(f"the width of a picture must be a positive number of pixels, not {width!r}")
        self.game, self.mode = game, check_render_mode(mode)
        self.width = None if width is None else plain_integer(width)
        self._window: Any = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None}  # a copy opens a window of its own

    def render(self, views: Any) -> Any:
        if self.mode is None:
            warnings.warn("render() does nothing without a render_mode; choose one when making the env", stacklevel=3)
            return None
        if self.mode == "ansi":
            return self.game.draw(views)
        if self.mode == "rgb_array":
            return self.pixels(views)
        if self._can_open_window():
            self._show(views)
        else:
            print(self.game.draw(views, color=sys.stdout.isatty()))
        return None

    def picture(self, views: Any) -> Picture:
        if self.game.picture is None:
            raise ValueError(f"{self.game.title} has no picture; render_mode 'ansi' draws it as text")
        picture: Picture = self.game.picture(views)
        return picture

    def pixels(self, views: Any) -> Any:
        return rgb_array(self.picture(views), self.width)

    def close(self) -> None:
        if self._window is not None:
            import pygame

            pygame.display.quit()
            self._window = None

    def _can_open_window(self) -> bool:
        """A window needs pygame, Pillow and a display."""
        somewhere = sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in DISPLAYS)
        return somewhere and all(find_spec(module) for module in ("pygame", "PIL")) and self.game.picture is not None

    def _show(self, views: Any) -> None:
        import pygame

        pixels = self.pixels(views)
        height, width = pixels.shape[:2]
        if self._window is None:
            pygame.display.init()
            pygame.display.set_caption(self.game.title)
            self._window = pygame.display.set_mode((width, height))
        surface = pygame.image.frombuffer(pixels.tobytes(), (width, height), "RGB")
        self._window.blit(surface, (0, 0))
        pygame.event.pump()
        pygame.display.flip()
