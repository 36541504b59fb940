"""What people type, made plain: end stops, fillers and numbers in letters are forgiven, meaning is not guessed."""

import re
from collections.abc import Collection

FILLERS = frozenset({"a", "an", "and", "i", "my", "please", "the", "with"})
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
PUNCTUATION = re.compile(r"[(),:;!?'\"]|\.(?!\d)")


def plain_words(text: str, fillers: Collection[str] = ()) -> str:
    """Small letters, single blanks, numbers in figures; without punctuation, fillers, and further ones of a game."""
    words = PUNCTUATION.sub(" ", text.lower()).split()
    kept = (word for word in words if word not in FILLERS and word not in fillers)
    return " ".join(str(NUMBERS.index(word)) if word in NUMBERS else word for word in kept)
