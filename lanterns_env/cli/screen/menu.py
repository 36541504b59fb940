"""The legal moves as a person reads them: numbered, filtered by words, in groups when there are many."""

import difflib
import re
import sys
from collections.abc import Sequence
from itertools import takewhile

from lanterns_env.cli.terminal import columns, wrap

FEW = 24  # so many moves are listed one by one

Move = tuple[int, str]  # its number in the menu, from 1; its words
TOKEN = re.compile(r"-?\w+")


def numbered(descriptions: Sequence[str]) -> list[Move]:
    return list(enumerate(descriptions, 1))


def filtered(moves: Sequence[Move], words: str) -> list[Move]:
    """The moves in which the words stand next to each other; if there are none, in which they stand in this order."""
    wanted = tokens(words)
    together = [move for move in moves if stands_together(wanted, tokens(move[1]))]
    return together or [move for move in moves if stands_in_order(wanted, tokens(move[1]))]


def tokens(words: str) -> list[str]:
    return TOKEN.findall(words.lower())


def stands_together(wanted: list[str], found: list[str]) -> bool:
    return any(found[first : first + len(wanted)] == wanted for first in range(len(found) - len(wanted) + 1))


def stands_in_order(wanted: list[str], found: list[str]) -> bool:
    rest = iter(found)
    return all(word in rest for word in wanted)


def listed(moves: Sequence[Move], line_width: int, most: int = sys.maxsize) -> list[str]:
    """All of a few moves, of many the groups that begin alike; in the first form that takes few enough lines."""
    forms = [one_by_one, one_after_another, in_groups] if len(moves) <= FEW else [in_groups, in_a_line]
    tried: list[list[str]] = []
    for form in forms:
        tried.append(form(moves, line_width))
        if len(tried[-1]) <= most:
            return tried[-1]
    return min(tried, key=len)


def one_by_one(moves: Sequence[Move], line_width: int) -> list[str]:
    return columns([f"{number:4}  {words}" for number, words in moves], line_width)


def one_after_another(moves: Sequence[Move], line_width: int) -> list[str]:
    return wrap("; ".join(f"{number} {words}" for number, words in moves), line_width).split("\n")


def in_groups(moves: Sequence[Move], line_width: int) -> list[str]:
    """How many moves begin alike, and how to see them."""
    lines = []
    for start, group in groups(moves).items():
        number, words = group[0]
        lines.append(f"{number:4}  {words}" if len(group) == 1 else f"{len(group):4} moves  {start} ...")
    return [*lines, f"'moves {tokens_shown(moves)}' lists those of a group, 'moves all' every one"]


def in_a_line(moves: Sequence[Move], line_width: int) -> list[str]:
    """The words with which all moves begin, and how to see more."""
    return [f"{len(moves):4} moves  {common_start(moves)} ...; 'moves WORDS' lists some, 'moves all' every one"]


def common_start(moves: Sequence[Move]) -> str:
    """The words with which all moves begin."""
    by_place = zip(*(words.split() for _, words in moves), strict=False)
    return " ".join(words[0] for words in takewhile(lambda words: len(set(words)) == 1, by_place))


def groups(moves: Sequence[Move]) -> dict[str, list[Move]]:
    """Moves by their first words, as few words as tell at least two groups apart."""
    for depth in range(1, max(len(words.split()) for _, words in moves) + 1):
        found: dict[str, list[Move]] = {}
        for move in moves:
            found.setdefault(beginning(move[1], depth), []).append(move)
        if len(found) > 1:
            return found
    return found


def beginning(words: str, depth: int) -> str:
    """The first words; a bracket is not torn."""
    first = words.split()[:depth]
    rest = words.split()[depth:]
    while rest and " ".join(first).count("(") > " ".join(first).count(")"):
        first.append(rest.pop(0))
    return " ".join(first).rstrip(",:")


def tokens_shown(moves: Sequence[Move]) -> str:
    """An example of a filter: the start of the largest group."""
    found = groups(moves)
    return max(found, key=lambda start: len(found[start]))


def meant(moves: Sequence[Move], words: str) -> str:
    """What may have been meant by words that are no move, as the end of a message."""
    fitting = filtered(moves, words) if tokens(words) else []
    if len(fitting) == 1:
        return f"did you mean {fitting[0][0]}: {fitting[0][1]}?"
    if fitting:
        return f"{len(fitting)} moves say this; 'moves {words}' lists them"
    close = difflib.get_close_matches(words.lower(), [said for _, said in moves], n=1)
    return f"did you mean {close[0]!r}?" if close else "'moves' lists what is legal, 'help' what can be said"
