"""The walk through a whole tree: how large it is about, whether there is room, and how far it has come."""

import os
import pathlib
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lanterns_env.engine.compile import specialise
from lanterns_env.engine.game import Game
from lanterns_env.engine.kernels import mask_width
from lanterns_env.games.deals import Deals
from lanterns_env.solve import walking
from lanterns_env.solve.hashing import words_of

MOST_HISTORIES = 100_000_000
PROBES = 16_000  # random lines of play, for the estimate
MOST_DEPTH = 4096
AT_ONCE = 250_000  # histories between two looks at the clock and at Ctrl-C
DEPTH, OUTCOMES = 32, 8  # room at first
GROWTH = 2
SPARE = 1.25  # of room, over the estimate; what is not written to takes no memory
SET_BYTES = 200  # an information set with its actions, index and first line, about
MEGA, GIGA = 1e6, 1e9
REASONS = {
    walking.STUCK: "a position that is not over offers no action",
    walking.UNEQUAL: "positions that look alike to a player offer it different actions",
}

Progress = Callable[[int, float], None]  # histories so far, and about how many there are


class Estimate(NamedTuple):
    """About how large a tree is, before it is walked."""

    histories: float
    ends: float
    longest: int
    num_bytes: float

    def __str__(self) -> str:
        return f"about {amount(self.histories)} histories, {size(self.num_bytes)} of memory at most"


class Walk:
    """One walk through the tree of a game."""

    def __init__(self, game: Game, num_players: int, options: dict[str, Any], deals: Deals) -> None:
        self.game, self.num_players, self.deals = game, num_players, deals
        blank = game.blank(options)
        blank["num_players"] = num_players
        views, words = _view_and_words(game)
        masks = np.zeros(mask_width(game.num_actions), np.int8)
        share = np.zeros((2, game.max_players), np.float32)
        self.deck = walking.Deck(np.ascontiguousarray(deals.orders), blank)
        self.desk = walking.Desk(masks, masks.view(np.uint64), views, words, *share)
        self.counts = np.zeros(walking.NUM_COUNTS, np.int64)
        self.counts[walking.HISTORIES], self.counts[walking.DEPTH] = 1, walking.NOBODY

    def estimate(self) -> Estimate:
        """By random lines of play: their sizes are right on average, and not far off."""
        sums = np.zeros(3)
        state = np.zeros(1, self.game.state)
        with np.errstate(over="ignore"):
            specialise(walking.probe, self.game)(self.deck, self.desk, state, np.uint64(0), PROBES, sums)
        decisions, ends = len(self.deals.orders) / PROBES * sums[:2]
        leaf = leaf_bytes(self.num_players)
        return Estimate(1 + decisions + ends, ends, int(sums[walking.LONGEST]), ends * leaf + decisions * SET_BYTES)

    def go(self, estimate: Estimate, limit: int, progress: Progress | None = None) -> walking.Found:
        """Walk to the end."""
        line, found = self._line(), self._found(estimate)
        kernel = specialise(walking.walk, self.game)
        while True:
            last = min(self.counts[walking.HISTORIES] + AT_ONCE, limit + 1)
            with np.errstate(over="ignore"):
                status = kernel(self.deck, self.desk, line, found, self.counts, last)
            if status == walking.FINISHED:
                return found
            if status in REASONS:
                raise ValueError(f"{self.game.title} cannot be solved: {REASONS[status]}")
            if status == walking.NO_ROOM:
                found = self._roomier(line, found)
            elif status == walking.TOO_DEEP:
                line = self._deeper(line)
            elif self.counts[walking.HISTORIES] > limit:
                raise ValueError(
                    f"this {self.game.title} has more than {amount(limit)} histories: too many to be solved"
                )
            elif progress is not None:
                progress(int(self.counts[walking.HISTORIES]), estimate.histories)

    def _found(self, estimate: Estimate) -> walking.Found:
        """Room for what will be found."""
        most, decisions = len(self.desk.mask), estimate.histories - estimate.ends
        leaves, sets = int(estimate.ends * SPARE) + most, int(decisions * SPARE) + 1
        return walking.Found(
            slots=np.zeros(1 << (2 * sets).bit_length(), np.int32),
            sets=np.empty(sets, walking.SET),
            actions=np.empty(2 * sets + most, np.int32),
            moves=np.empty(estimate.longest * sets + DEPTH, np.int32),
            sequences=np.empty((leaves, self.num_players), np.int32),
            outcomes=np.empty(leaves, np.int32),
            deals=np.empty(leaves, np.int32),
            shares=np.zeros((OUTCOMES + most, self.game.max_players), np.float32),
        )

    def _roomier(self, line: walking.Line, found: walking.Found) -> walking.Found:
        """Twice the room for whatever is full, as ``walking.lacks_room`` says."""
        counts, most = self.counts, len(self.desk.mask)
        full = {
            ("sequences", "outcomes", "deals"): counts[walking.LEAVES] + most > len(found.outcomes),
            ("sets",): counts[walking.SETS] == len(found.sets),
            ("actions",): counts[walking.ENTRIES] + most > len(found.actions),
            ("moves",): counts[walking.MOVES] + len(line.states) > len(found.moves),
            ("shares",): counts[walking.OUTCOMES] + most > len(found.shares),
        }
        names = [name for group, is_full in full.items() if is_full for name in group]
        found = found._replace(**{name: _twice(getattr(found, name)) for name in names})
        if 2 * counts[walking.SETS] >= len(found.slots):
            found = found._replace(slots=np.zeros(GROWTH * len(found.slots), np.int32))
            walking.index_again(found.slots, found.sets, counts[walking.SETS])
        return found

    def _line(self, depth: int = DEPTH) -> walking.Line:
        n, game = self.num_players, self.game
        return walking.Line(
            states=np.zeros(depth, game.state),
            steps=np.zeros(depth, walking.step_dtype(game.max_players)),
            actions=np.zeros((depth, len(self.desk.mask)), np.int32),
            known=np.zeros(n, np.int64),
        )

    def _deeper(self, line: walking.Line) -> walking.Line:
        """The same line with twice the room."""
        if len(line.states) >= MOST_DEPTH:
            raise ValueError(f"{self.game.title} cannot be solved: a line of play has more than {MOST_DEPTH} moves")
        longer = self._line(GROWTH * len(line.states))
        for ours, theirs in zip(longer[:-1], line[:-1], strict=True):
            ours[: len(theirs)] = theirs
        return longer._replace(known=line.known)


def _view_and_words(game: Game) -> tuple[NDArray[Any], NDArray[np.uint64]]:
    """Room for one view, and the same memory as words."""
    words = np.zeros(words_of(game.view.itemsize), np.uint64)
    return np.ndarray(1, game.view, words), words


def _twice(array: NDArray[Any]) -> NDArray[Any]:
    larger = np.zeros((GROWTH * len(array), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger


def leaf_bytes(num_players: int) -> int:
    """What the end of a line of play takes: the players' last own actions, its outcome and its chance."""
    return num_players * np.dtype(np.int32).itemsize + np.dtype(np.int32).itemsize + np.dtype(np.float64).itemsize


def check_size(game: Game, estimate: Estimate, limit: int) -> None:
    """Refuse, before it is walked, a tree for which there is no room."""
    if estimate.histories > limit:
        raise ValueError(
            f"this {game.title} is too large to be solved: about {amount(estimate.histories)} histories, and at most "
            f"{amount(limit)} are allowed; choose a smaller variant, for instance preset=tiny"
        )
    free = free_memory()
    if free is not None and estimate.num_bytes > free:
        raise ValueError(
            f"this {game.title} is too large for this machine: it may take {size(estimate.num_bytes)} of memory, "
            f"and {size(free)} are free"
        )


def free_memory() -> float | None:
    """Bytes of memory that may be taken, where the system says so."""
    try:
        found = re.search(r"^MemAvailable: *(\d+) kB", pathlib.Path("/proc/meminfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    if found:
        return int(found[1]) * 1024
    if hasattr(os, "sysconf") and "SC_AVPHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def amount(number: float) -> str:
    """A large number in few digits."""
    return f"{number / MEGA:.3g} M" if number >= MEGA else f"{number:,.0f}"


def size(num_bytes: float) -> str:
    """An amount of memory."""
    return f"{num_bytes / GIGA:.3g} GB" if num_bytes >= GIGA else f"{max(num_bytes / MEGA, 0.1):.3g} MB"
