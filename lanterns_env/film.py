"""A replay as a film: a picture after every move, with the move in words below it, as GIF or APNG."""

import io
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from lanterns_env.engine.checks import plain_integer
from lanterns_env.games import find_game
from lanterns_env.games.raster import image_of
from lanterns_env.games.svg import Picture, Text, ink_on
from lanterns_env.support.files import check_target, printable, write_whole

if TYPE_CHECKING:
    from lanterns_env.envs.aec import GameEnv
    from lanterns_env.replay import Path, Replay

FORMATS = {".gif": "GIF", ".apng": "PNG", ".png": "PNG"}
WIDTH, SECONDS, LAST = 800, 1.0, 4  # pixels; how long a picture stays; the last one: so many times as long
SHORTEST, LONGEST = 0.02, 60.0  # seconds: what shows of films are content with
CAPTION, LETTERS = 0.05, 0.02  # height of the line below and size of its letters, of the width of a picture
LOOP = 0  # for ever
COLOURS = 255  # of a GIF; one more is for what stays as it was


def film(
    replay: "Replay",
    file: "Path",
    render_player: str | int | None = "all",
    seconds: float = SECONDS,
    width: int = WIDTH,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Write a replay as a film; it returns how many pictures there are.  It needs Pillow.

    Args:
        replay: The game.
        file: Its name ends in .gif, or in .apng or .png for an APNG, which has all colours and is larger.
        render_player: Whose eyes: "all", an agent or a seat; None for whoever is to move.
        seconds: How long a picture stays.
        width: Of the pictures, in pixels.
        progress: Called after every picture with the numbers of pictures drawn and to draw.
    """
    kind = _checked(replay, file, seconds, width)
    total = len(replay) + 1
    pictures = _counted(_images(replay, render_player, plain_integer(width)), total, progress)
    stays = round(1000 * seconds)
    durations = [stays] * len(replay) + [LAST * stays]
    settings: dict[str, Any] = {"duration": durations, "loop": LOOP}
    if kind == "GIF":
        last = image_of(replay.env(render_player=render_player).picture(), plain_integer(width))
        pictures = _few_colours(pictures, last.quantize(COLOURS))
        settings |= {"optimize": True, "transparency": COLOURS}  # what stays as it was is not written again
    first, *rest = pictures  # a list: an APNG's pictures are gone through twice
    drawn = io.BytesIO()
    first.save(drawn, kind, save_all=True, append_images=rest, **settings)
    write_whole(file, drawn.getvalue())
    return total


def _checked(replay: "Replay", file: "Path", seconds: float, width: int) -> str:
    """The format; ValueError before anything is drawn."""
    ending = PurePath(os.fspath(file)).suffix.lower()
    if ending not in FORMATS:
        raise ValueError(f"a film is a file named *{', *'.join(FORMATS)}; not {os.fspath(file)!r}")
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not SHORTEST <= seconds <= LONGEST:
        raise ValueError(f"a picture of a film stays for {SHORTEST:g} to {LONGEST:g} seconds, not {seconds!r}")
    if plain_integer(width) < 1:
        raise ValueError(f"the width of a film must be a positive number of pixels, not {width!r}")
    game = find_game(replay.game)
    if game.picture is None:
        raise ValueError(f"{game.title} has no picture, so there is no film of it")
    check_target(file)
    return FORMATS[ending]


def _images(replay: "Replay", render_player: Any, width: int) -> Iterator[Any]:
    """The position after every move as an image of Pillow's, the deal first."""
    env = replay.env(0, render_player=render_player)
    yield image_of(_captioned(env.picture(), f"the deal; {len(replay)} moves follow"), width)
    for number, action in enumerate(replay.actions, 1):
        mover = env.possible_agents.index(env.agent_selection)
        before = [env.view(agent) for agent in env.possible_agents]
        env.step(action)
        heard = env.game.describe_move(before, mover, _listener(env), action)
        name = f"player {mover}" + (f" ({printable(replay.agents[mover])})" if replay.agents else "")
        yield image_of(_captioned(env.picture(), f"move {number} of {len(replay)}, {name}: {heard}"), width)


def _listener(env: "GameEnv") -> int:
    """The seat whose frame the picture is drawn in."""
    return int(env._shown_views()["seat"][0])


def _captioned(picture: Picture, words: str) -> Picture:
    """The picture with a line of words below."""
    size, room = LETTERS * picture.width, CAPTION * picture.width
    line = Text((size, picture.height + room / 2 - size / 4), words, size, ink_on(picture.background), "start")
    return replace(picture, height=picture.height + room, shapes=[*picture.shapes, line])


def _counted(images: Iterator[Any], total: int, progress: Callable[[int, int], None] | None) -> Iterator[Any]:
    for number, image in enumerate(images, 1):
        if progress is not None:
            progress(number, total)
        yield image


def _few_colours(images: Iterator[Any], palette: Any) -> Iterator[Any]:
    """Images in the same few colours, so that what stands still does not flicker."""
    for image in images:
        yield image.quantize(palette=palette, dither=0)
