"""What went wrong in code that is not of this package: where, and said once."""

import pathlib
import sys
import traceback
from types import FrameType

OURS = {"lanterns_env", "lanterns_agents", *sys.stdlib_module_names}  # what only stands between


class AgentFailed(RuntimeError):
    """An agent raised an error.  The message holds the lines of its own code that led there."""


def in_words(error: BaseException) -> str:
    """The kind of an error and what it says."""
    said = str(error)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def own_frames(error: BaseException) -> traceback.StackSummary:
    """How an error came about, from where this package calls the code of others; empty if it never does."""
    frames = list(traceback.walk_tb(error.__traceback__))
    first = next((place for place, (frame, _) in enumerate(frames) if not _is_ours(frame)), len(frames))
    return traceback.StackSummary.extract(frames[first:])


def lines_of(error: BaseException) -> str:
    """These frames as a traceback prints them, in front of them a line break."""
    return "".join(["\n", *own_frames(error).format()]).rstrip()


def place_of(error: BaseException) -> str:
    """The deepest line in the file that was called, in brackets; empty without one."""
    frames = own_frames(error)
    if not frames:
        return ""
    deepest = [frame for frame in frames if frame.filename == frames[0].filename][-1]
    return f" ({pathlib.Path(deepest.filename).name}, line {deepest.lineno}, in {deepest.name})"


def _is_ours(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] in OURS
