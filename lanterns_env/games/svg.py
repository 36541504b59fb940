"""A picture as a list of shapes, and its two outputs: SVG text, and an RGB array through Pillow.

Lengths are in the picture's own units, x to the right and y down; an output is scaled to the width asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from lanterns_env.engine.extras import needed_by

OVERSAMPLING = 2  # Pillow draws jagged edges: draw larger, then shrink
FONT = "Aileron, Helvetica, Arial, sans-serif"  # Pillow brings Aileron along
BOLD = 30  # sizes of a letter to one thickness more of its line
BASELINE = 0.36  # of the size of a letter: from its middle down to its foot

Point = tuple[float, float]


@dataclass(frozen=True)
class Polygon:
    points: tuple[Point, ...]
    fill: str
    line: str = ""
    line_width: float = 0.0


@dataclass(frozen=True)
class Circle:
    center: Point
    radius: float
    fill: str
    line: str = ""
    line_width: float = 0.0


@dataclass(frozen=True)
class Rectangle:
    corner: Point  # top left
    width: float
    height: float
    fill: str
    line: str = ""
    line_width: float = 0.0
    rounding: float = 0.0


@dataclass(frozen=True)
class Text:
    middle: Point  # of the line of text: at its start, middle or end as the anchor says
    words: str
    size: float
    fill: str = "#222222"
    anchor: str = "middle"
    bold: bool = False


Shape = Polygon | Circle | Rectangle | Text


@dataclass(frozen=True)
class Picture:
    width: float
    height: float
    shapes: Sequence[Shape]
    background: str = "#ffffff"

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return svg(self)


# -- SVG ------------------------------------------------------------------------------------------------------


def svg(picture: Picture, width: int | None = None) -> str:
    """The picture as an SVG document, as wide as asked for."""
    wide = picture.width if width is None else width
    high = wide * picture.height / picture.width
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{high:g}" '
        f'viewBox="0 0 {picture.width:g} {picture.height:g}" font-family="{FONT}">'
    )
    ground = f'<rect width="100%" height="100%" fill="{picture.background}"/>'
    return "\n".join([head, ground, *(_svg_shape(shape) for shape in picture.shapes), "</svg>"])


def _svg_shape(shape: Shape) -> str:
    match shape:
        case Text((x, y), words, size, fill, anchor, bold):
            weight = ' font-weight="bold"' if bold else ""
            place = f'x="{x:g}" y="{y + BASELINE * size:g}" text-anchor="{anchor}"'
            return f'<text {place} font-size="{size:g}" fill="{fill}"{weight}>{escape(words)}</text>'
        case Circle((x, y), radius):
            return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {_svg_paint(shape)}/>'
        case Rectangle((x, y), width, height):
            extent = f'width="{width:g}" height="{height:g}" rx="{shape.rounding:g}"'
            return f'<rect x="{x:g}" y="{y:g}" {extent} {_svg_paint(shape)}/>'
        case Polygon(points):
            corners = " ".join(f"{x:g},{y:g}" for x, y in points)
            return f'<polygon points="{corners}" {_svg_paint(shape)}/>'


def _svg_paint(shape: Polygon | Circle | Rectangle) -> str:
    line = f' stroke="{shape.line}" stroke-width="{shape.line_width:g}"' if shape.line else ""
    return f'fill="{shape.fill}"{line}'


# -- raster ---------------------------------------------------------------------------------------------------


def rgb_array(picture: Picture, width: int | None = None) -> NDArray[np.uint8]:
    """The picture as uint8[height, width, 3]."""
    with needed_by("rgb_array"):
        from PIL import Image, ImageDraw

    wide = round(picture.width if width is None else width)
    high = round(wide * picture.height / picture.width)
    scale = OVERSAMPLING * wide / picture.width
    image = Image.new("RGB", (OVERSAMPLING * wide, OVERSAMPLING * high), picture.background)
    pen = ImageDraw.Draw(image)
    for shape in picture.shapes:
        _draw_shape(pen, shape, scale)
    return np.array(image.reduce(OVERSAMPLING))


def _draw_shape(pen: Any, shape: Shape, scale: float) -> None:
    if isinstance(shape, Text):
        weight = round(scale * shape.size / BOLD) if shape.bold else 0
        letters = _letters(shape.words, round(shape.size * scale) or 1, weight)
        if letters is not None:
            back = {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor] * letters.width
            foot = (shape.middle[1] + BASELINE * shape.size) * scale
            pen.bitmap(
                (round(shape.middle[0] * scale - back), round(foot) - letters.info["ascent"]), letters, shape.fill
            )
        return
    paint: dict[str, Any] = {"fill": shape.fill if shape.fill != "none" else None}
    if shape.line:
        paint |= {"outline": shape.line, "width": max(1, round(shape.line_width * scale))}
    match shape:
        case Polygon(points):
            pen.polygon([(x * scale, y * scale) for x, y in points], **paint)
        case Circle((x, y), radius):
            pen.circle((x * scale, y * scale), radius * scale, **paint)
        case Rectangle((x, y), width, height):
            box = (x * scale, y * scale, (x + width) * scale, (y + height) * scale)
            pen.rounded_rectangle(box, shape.rounding * scale, **paint)


@lru_cache(maxsize=4096)
def _letters(words: str, size: int, weight: int) -> Any:
    """Words as a stencil, kept: most letters and numbers of a picture come again in the next."""
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(size)
    width = round(font.getlength(words))
    if not width:
        return None
    ascent = 2 * size
    stencil = Image.new("L", (width, ascent + size))
    ImageDraw.Draw(stencil).text((0, ascent), words, 255, font, "ls", stroke_width=weight)
    top, bottom = (stencil.getbbox() or (0, 0, 0, 1))[1::2]
    cut = stencil.crop((0, top, width, bottom))
    cut.info["ascent"] = ascent - top
    return cut
