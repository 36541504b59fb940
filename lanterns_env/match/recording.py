"""The games of a match as replays: a line for each, in the order deal, rotation, however many processes play."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import IO

from lanterns_env.match.playing import Chunk, Match, deal_seeds
from lanterns_env.match.workers import STOPPING, held_back, ignored
from lanterns_env.replay import Replay, first_line, line_of
from lanterns_env.support.files import Path, check_target, whole_file


class GameFile:
    """A file of replays that is being written."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def add(self, match: Match, number: int, chunk: Chunk) -> None:
        """The games of a chunk, by its number."""
        for replay in replays_of(match, number, chunk):
            self._stream.write(line_of(replay).encode() + b"\n")


@contextmanager
def game_file(path: Path | None) -> Iterator[GameFile | None]:
    """A file for the games; it replaces an older one at the end, unless nothing was played.  None is no file."""
    if path is None:
        yield None
        return
    check_target(path)
    with ExitStack() as stack:
        stream = stack.enter_context(whole_file(path))
        stream.write(first_line({}).encode() + b"\n")
        yield GameFile(stream)
        with ignored(signal.SIGINT), held_back(*STOPPING):  # the file takes its place
            stack.pop_all().close()


def replays_of(match: Match, number: int, chunk: Chunk) -> Iterator[Replay]:
    """A game that was forfeited ends where it was given up, without a result."""
    first, last = match.bounds(number)
    seeds = deal_seeds(match, first, last).tolist()
    lost = {(forfeit.deal, forfeit.rotation) for forfeit in chunk.forfeits}
    points, shares = chunk.records.points.tolist(), chunk.records.shares.tolist()
    for row, seed in enumerate(seeds):
        for turn, seated in enumerate(match.seatings.tolist()):
            over = (first + row, turn) not in lost
            yield Replay(
                game=match.game.name,
                version=match.game.version,
                players=match.num_players,
                seed=seed,
                actions=tuple(chunk.moves[turn][row].tolist()),
                options=match.options,
                agents=tuple(match.agents[agent] for agent in seated),
                points=tuple(points[row][turn]) if over else None,
                shares=tuple(shares[row][turn]) if over else None,
            )
