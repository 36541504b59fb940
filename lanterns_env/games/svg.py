"""A picture as a list of shapes, and as SVG text; ``raster`` makes pixels of the same shapes.

Lengths are in the picture's own units, x to the right and y down; an output is scaled to the width asked for.
Colours are ``#rrggbb``, or ``#rrggbbaa`` where something shines through.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from xml.sax.saxutils import escape

from lanterns_env.games.letters import FAMILY, WIDEST, length

BASELINE = 0.36  # of the size of a letter: from its middle down to its foot
GLOW = ((0.0, 1.0), (0.2, 0.78), (0.4, 0.45), (0.6, 0.2), (0.8, 0.06), (1.0, 0.0))  # by distance: how much is left
OPAQUE = 255
DARK_INK, BRIGHT_INK = "#222222", "#f2f2f2"
GAP = 0.02  # between the pictures of a grid, of the width of one

Point = tuple[float, float]


@dataclass(frozen=True)
class Fade:
    """A filling that goes from one colour at the top to another at the bottom."""

    top: str
    bottom: str


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
    fill: str | Fade
    line: str = ""
    line_width: float = 0.0
    rounding: float = 0.0


@dataclass(frozen=True)
class Line:
    """From point to point, with round bends."""

    points: tuple[Point, ...]
    line: str
    line_width: float


@dataclass(frozen=True)
class Glow:
    """Light: brightest in the middle, nothing at the rim."""

    center: Point
    radius: float
    fill: str


@dataclass(frozen=True)
class Text:
    middle: Point  # of the line of text: at its start, middle or end as the anchor says
    words: str
    size: float
    fill: str = "#222222"
    anchor: str = "middle"
    bold: bool = False


Painted = Polygon | Circle | Rectangle
Shape = Painted | Line | Glow | Text


@dataclass(frozen=True)
class Picture:
    """Shapes, the first of them at the bottom, on a ground of one colour."""

    width: float
    height: float
    shapes: Sequence[Shape]
    background: str = "#ffffff"

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return svg(self)


def legend(entries: Sequence[str], start: Point, size: float, gap: float, fill: str) -> Iterator[Text]:
    """Words side by side, each a text of its own, far enough apart for the widest letters."""
    x, y = start
    for words in entries:
        yield Text((x, y), words, size, fill, "start")
        x += WIDEST * length(words, size) + gap


def mixed(colour: str, other: str, part: float) -> str:
    """A colour with a part of another in it."""
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(ours + part * (theirs - ours)):02x}" for ours, theirs in pairs)


def ink_on(colour: str) -> str:
    """Letters that can be read on a colour: dark ones on a bright one."""
    red, green, blue = _channels(colour)
    return DARK_INK if 2 * red + 5 * green + blue > 8 * OPAQUE / 2 else BRIGHT_INK


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


# -- many in one ----------------------------------------------------------------------------------------------


def grid(pictures: Sequence[Picture], columns: int) -> Picture:
    """Pictures of one width side by side, row by row, in one of the same width."""
    width, height = pictures[0].width, max(picture.height for picture in pictures)
    rows = -(-len(pictures) // columns)
    factor = 1 / (columns + (columns - 1) * GAP)
    across, down = factor * width * (1 + GAP), factor * (height + GAP * width)
    shapes: list[Shape] = []
    for number, picture in enumerate(pictures):
        corner = number % columns * across, number // columns * down
        ground = Rectangle((0.0, 0.0), picture.width, picture.height, picture.background)
        shapes += [moved(shape, factor, corner) for shape in (ground, *picture.shapes)]
    return Picture(width, rows * down - factor * GAP * width, shapes)


def moved(shape: Shape, factor: float, corner: Point) -> Shape:
    """A shape as it stands in a smaller picture with its upper left corner here."""

    def place(point: Point) -> Point:
        return corner[0] + factor * point[0], corner[1] + factor * point[1]

    match shape:
        case Text():
            return replace(shape, middle=place(shape.middle), size=factor * shape.size)
        case Glow():
            return replace(shape, center=place(shape.center), radius=factor * shape.radius)
    width = factor * shape.line_width
    match shape:
        case Polygon() | Line():
            return replace(shape, points=tuple(map(place, shape.points)), line_width=width)
        case Circle():
            return replace(shape, center=place(shape.center), radius=factor * shape.radius, line_width=width)
        case Rectangle():
            sizes = {name: factor * getattr(shape, name) for name in ("width", "height", "rounding")}
            return replace(shape, corner=place(shape.corner), line_width=width, **sizes)


# -- as text --------------------------------------------------------------------------------------------------


def svg(picture: Picture, width: int | None = None) -> str:
    """The picture as an SVG document, as wide as asked for."""
    wide = picture.width if width is None else width
    high = wide * picture.height / picture.width
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{high:g}" '
        f'viewBox="0 0 {picture.width:g} {picture.height:g}" font-family="{FAMILY}">'
    )
    ground = f'<rect width="100%" height="100%" {_svg_fill(picture.background)}/>'
    defined = "".join(_definitions(picture.shapes))
    definitions = [f"<defs>{defined}</defs>"] if defined else []
    return "\n".join([head, *definitions, ground, *map(_svg_shape, picture.shapes), "</svg>"])


def _definitions(shapes: Sequence[Shape]) -> Iterator[str]:
    """Every glow and every filling that fades, once.  Their names are their colours."""
    glows = dict.fromkeys(shape.fill for shape in shapes if isinstance(shape, Glow))
    for fill in glows:
        stops = "".join(f'<stop offset="{far:g}" {_svg_fill(fill, "stop-color", left)}/>' for far, left in GLOW)
        yield f'<radialGradient id="{_glow_name(fill)}">{stops}</radialGradient>'
    fills = (shape.fill for shape in shapes if isinstance(shape, Rectangle))
    for fade in dict.fromkeys(fill for fill in fills if isinstance(fill, Fade)):
        stops = f"<stop {_svg_fill(fade.top, 'stop-color')}/>"
        stops += f'<stop offset="1" {_svg_fill(fade.bottom, "stop-color")}/>'
        yield f'<linearGradient id="{_fade_name(fade)}" x2="0" y2="1">{stops}</linearGradient>'


def _glow_name(fill: str) -> str:
    return f"glow-{fill[1:]}"


def _fade_name(fade: Fade) -> str:
    return f"fade-{fade.top[1:]}-{fade.bottom[1:]}"


def _svg_shape(shape: Shape) -> str:
    match shape:
        case Text():
            return _svg_text(shape)
        case Glow((x, y), radius, fill):
            return f'<circle cx="{_short(x)}" cy="{_short(y)}" r="{_short(radius)}" fill="url(#{_glow_name(fill)})"/>'
        case Line(points, line, line_width):
            bends = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
            return f'<polyline points="{_svg_points(points)}" {bends} {_svg_line(line, line_width)}/>'
        case Circle((x, y), radius):
            return f'<circle cx="{_short(x)}" cy="{_short(y)}" r="{_short(radius)}" {_svg_paint(shape)}/>'
        case Rectangle((x, y), width, height):
            rounding = f' rx="{shape.rounding:g}"' if shape.rounding else ""
            extent = f'width="{_short(width)}" height="{_short(height)}"{rounding}'
            return f'<rect x="{_short(x)}" y="{_short(y)}" {extent} {_svg_paint(shape)}/>'
        case Polygon(points):
            return f'<polygon points="{_svg_points(points)}" {_svg_paint(shape)}/>'


def _svg_text(text: Text) -> str:
    """Its length is said, so that other letters are drawn out or pressed into the same room."""
    x, y = text.middle
    place = f'x="{_short(x)}" y="{_short(y + BASELINE * text.size)}"'
    anchor = "" if text.anchor == "start" else f' text-anchor="{text.anchor}"'
    weight = ' font-weight="bold"' if text.bold else ""
    style = f'font-size="{_short(text.size)}" {_svg_fill(text.fill)}{anchor}{weight}'
    if len(text.words) > 1 and text.words.isascii():  # of others the widths are not known
        wide = length(text.words, text.size, text.bold)
        style += f' textLength="{_short(wide)}" lengthAdjust="spacingAndGlyphs"'
    return f"<text {place} {style}>{escape(text.words)}</text>"


def _svg_points(points: Sequence[Point]) -> str:
    return " ".join(f"{_short(x)},{_short(y)}" for x, y in points)


def _short(number: float) -> str:
    """Tenths are enough."""
    return f"{round(number, 1):g}"


def _svg_paint(shape: Painted) -> str:
    fill = f'fill="url(#{_fade_name(shape.fill)})"' if isinstance(shape.fill, Fade) else _svg_fill(shape.fill)
    return f"{fill} {_svg_line(shape.line, shape.line_width)}" if shape.line else fill


def _svg_line(line: str, line_width: float) -> str:
    return f'{_svg_fill(line, "stroke")} stroke-width="{line_width:.3g}"'


def _svg_fill(colour: str, name: str = "fill", part: float = 1.0) -> str:
    """A colour, and apart from it how much of it: older renderers know no #rrggbbaa."""
    share = part * (int(colour[7:], 16) / OPAQUE if len(colour) > len("#rrggbb") else 1.0)
    opacity = "" if share == 1.0 else f' {name.removesuffix("-color")}-opacity="{share:.3g}"'
    return f'{name}="{colour[: len("#rrggbb")]}"{opacity}'
