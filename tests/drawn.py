"""What stands in a picture."""

from itertools import combinations

from lanterns_env.games.letters import WIDEST, length
from lanterns_env.games.svg import Picture, Text, svg

MOST_BYTES = 150_000
SMALLEST = 8.5  # of a letter, in a picture 1000 wide


def texts(picture: Picture) -> list[Text]:
    return [shape for shape in picture.shapes if isinstance(shape, Text)]


def words(picture: Picture) -> list[str]:
    return [text.words for text in texts(picture)]


def box(text: Text) -> tuple[float, float, float, float]:
    """Left, top, right and bottom in the widest letters that a machine may have."""
    wide = WIDEST * length(text.words, text.size, text.bold)
    left = text.middle[0] - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * wide
    return left, text.middle[1] - 0.3 * text.size, left + wide, text.middle[1] + 0.3 * text.size


def overlapping(picture: Picture) -> list[tuple[str, str]]:
    """Words that run into each other."""
    boxes = [(text.words, box(text)) for text in texts(picture) if text.words]
    return [
        (one, other)
        for (one, a), (other, b) in combinations(boxes, 2)
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]


def check_picture(picture: Picture) -> None:
    """Words apart, inside the frame and large enough; and not too much of all."""
    assert [] == overlapping(picture)
    for text in texts(picture):
        left, top, right, bottom = box(text)
        assert min(left, top, picture.width - right, picture.height - bottom) >= 0, text
        assert text.size >= SMALLEST, text
    assert len(svg(picture)) < MOST_BYTES
