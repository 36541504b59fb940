"""A picture as pixels, through Pillow."""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.games.letters import FILES
from lanterns_env.games.svg import BASELINE, GLOW, Circle, Fade, Glow, Line, Painted, Picture, Polygon, Rectangle, Text
from lanterns_env.support.extras import needed_by

OVERSAMPLING = 2  # Pillow draws jagged edges: draw larger, then shrink
FONTS = Path(__file__).parent / "fonts"


def rgb_array(picture: Picture, width: int | None = None) -> NDArray[np.uint8]:
    """The picture as uint8[height, width, 3]."""
    return np.array(image_of(picture, width))


def image_of(picture: Picture, width: int | None = None) -> Any:
    """The picture as an image of Pillow's."""
    with needed_by("rgb_array"):
        from PIL import Image

    wide = round(picture.width if width is None else width)
    high = round(wide * picture.height / picture.width)
    image = Image.new("RGB", (OVERSAMPLING * wide, OVERSAMPLING * high), picture.background)
    canvas = Canvas(image, OVERSAMPLING * wide / picture.width)
    for shape in picture.shapes:
        canvas.draw(shape)
    return image.reduce(OVERSAMPLING)


class Canvas:
    """An image and how many of its pixels are one unit of a picture."""

    def __init__(self, image: Any, scale: float) -> None:
        from PIL import ImageDraw

        self.image, self.scale = image, scale
        self.pen = ImageDraw.Draw(image)
        self.mixing_pen = ImageDraw.Draw(image, "RGBA")  # mixes colours with what is there, at twice the time

    def draw(self, shape: Any) -> None:
        match shape:
            case Text():
                self._write(shape)
            case Glow((x, y), radius, fill):
                spot = _spot(round(radius * self.scale) or 1, fill[7:])
                corner = round(x * self.scale) - spot.width // 2, round(y * self.scale) - spot.height // 2
                self.image.paste(fill[:7], corner, spot)
            case Line(points, line, line_width):
                self._line(points, line, line_width)
            case Rectangle(fill=Fade() as fill):
                self._fade(shape, fill)
            case _:
                self._paint(shape)

    def _pen_for(self, *colours: str) -> Any:
        return self.mixing_pen if any(len(colour) > len("#rrggbb") for colour in colours) else self.pen

    def _paint(self, shape: Painted) -> None:
        s, pen = self.scale, self._pen_for(str(shape.fill), shape.line)
        paint: dict[str, Any] = {"fill": shape.fill if shape.fill != "none" else None}
        if shape.line:
            paint |= {"outline": shape.line, "width": max(1, round(shape.line_width * s))}
        match shape:
            case Polygon(points):  # Pillow is slow at wide outlines of polygons
                pen.polygon([(x * s, y * s) for x, y in points], fill=paint["fill"])
                if shape.line:
                    self._line((*points, *points[:2]), shape.line, shape.line_width)
            case Circle((x, y), radius):
                pen.circle((x * s, y * s), radius * s, **paint)
            case Rectangle((x, y), width, height):
                box = (x * s, y * s, (x + width) * s, (y + height) * s)
                if shape.rounding:
                    pen.rounded_rectangle(box, shape.rounding * s, **paint)
                else:
                    pen.rectangle(box, **paint)

    def _line(self, points: Any, line: str, line_width: float) -> None:
        places = [(x * self.scale, y * self.scale) for x, y in points]
        self._pen_for(line).line(places, line, max(1, round(line_width * self.scale)), "curve")

    def _fade(self, shape: Rectangle, fill: Fade) -> None:
        size = round(shape.width * self.scale), round(shape.height * self.scale)
        corner = round(shape.corner[0] * self.scale), round(shape.corner[1] * self.scale)
        colours, stencil = _faded(size, fill, round(shape.rounding * self.scale))
        self.image.paste(colours, corner, stencil)
        if shape.line:
            self._paint(replace(shape, fill="none"))

    def _write(self, text: Text) -> None:
        letters = _letters(text.words, round(text.size * self.scale) or 1, text.bold)
        if letters is not None:
            back = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * letters.width
            foot = round((text.middle[1] + BASELINE * text.size) * self.scale)
            corner = round(text.middle[0] * self.scale - back), foot - letters.info["ascent"]
            self._pen_for(text.fill).bitmap(corner, letters, text.fill)


# What comes again in the next picture is kept.


@lru_cache(maxsize=256)
def _spot(radius: int, opacity: str) -> Any:
    """How much of the light of a glow reaches each pixel; the opacity as hexadecimal digits, none for all."""
    from PIL import Image

    across = (np.arange(2 * radius + 1) - radius) / radius
    far = np.sqrt(across[:, None] ** 2 + across[None, :] ** 2)
    left = np.interp(far, [place for place, _ in GLOW], [part for _, part in GLOW])
    return Image.fromarray((left * int(opacity or "ff", 16) + 0.5).astype(np.uint8))


@lru_cache(maxsize=64)
def _faded(size: tuple[int, int], fade: Fade, rounding: int) -> tuple[Any, Any]:
    """What to paste: the colours from top to bottom, and the stencil that rounds the corners."""
    from PIL import Image, ImageColor, ImageDraw

    ends = [np.array(ImageColor.getcolor(colour, "RGBA"), float) for colour in (fade.top, fade.bottom)]
    share = np.linspace(0.0, 1.0, size[1])[:, None]
    rows = np.rint((1 - share) * ends[0] + share * ends[1]).astype(np.uint8)
    colours = Image.fromarray(rows[:, None, :]).resize(size)
    stencil = Image.new("L", size, 0)
    ImageDraw.Draw(stencil).rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), rounding, 255)
    alpha = Image.composite(colours.getchannel("A"), Image.new("L", size, 0), stencil)
    return colours.convert("RGB"), alpha


@lru_cache(maxsize=4096)
def _letters(words: str, size: int, bold: bool) -> Any:
    """Words as a stencil."""
    from PIL import Image, ImageDraw

    font = _font(size, bold)
    width = round(font.getlength(words))
    if not width:
        return None
    ascent = 2 * size
    stencil = Image.new("L", (width, ascent + size))
    ImageDraw.Draw(stencil).text((0, ascent), words, 255, font, "ls")
    top, bottom = (stencil.getbbox() or (0, 0, 0, 1))[1::2]
    cut = stencil.crop((0, top, width, bottom))
    cut.info["ascent"] = ascent - top
    return cut


@lru_cache(maxsize=256)
def _font(size: int, bold: bool) -> Any:
    from PIL import ImageFont

    return ImageFont.truetype(FONTS / FILES[bold], size)
