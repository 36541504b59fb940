"""Scores as they come back from their files: checked, and their figures computed anew from what was won."""

import math
import os
import pathlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.games import GAMES
from lanterns_env.match.agent_files import check_digests
from lanterns_env.match.statistics import COUNTS, FLOATS
from lanterns_env.score.panel import Panel, installed, where_of
from lanterns_env.score.protocol import SIZES, Contest, Protocol, Where
from lanterns_env.score.result import FORMAT, PRINT_DIGITS, ScoreResult, Subject, Tally
from lanterns_env.support.files import check_checksum, check_fields, read_json

NEEDED = {
    "agent": str,
    "files": dict,
    "method": str,
    "panel": str,
    "size": str,
    "games": dict,
    "complete": bool,
    "why_incomplete": str,
    "missing": dict,
    "versions": dict,
    "ratings": dict,
    "tables": dict,
    "timing": dict,
    "records": dict,
}
OF_A_CONTEST = {"shares": list, "points": list, "decisions": int, "fingerprint": str}
MOST_SECONDS = 1e9  # that anything can have taken
ALIKE = 1e-6  # figures that are computed anew: other processors round otherwise


def read_score(file: str | pathlib.Path, panel: Panel | None = None, protocol: Protocol | None = None) -> ScoreResult:
    """A saved score; a damaged file, and one of another panel, raises ``ValueError``.

    Args:
        file: What ``ScoreResult.save`` wrote.
        panel: By default that of this package.
        protocol: By default that of every score.
    """
    name, data = os.fspath(file), read_json(file)
    check_checksum(data, name)
    if (data.get("kind"), data.get("format")) != ("score", FORMAT):
        kind = f"kind {data.get('kind')!r:.40}, format {data.get('format')!r:.40}"
        raise ValueError(f"{name} is no saved score of format {FORMAT}: {kind}")
    check_fields(data, NEEDED, name)
    try:
        result = _from_json(data, panel or installed(), protocol or Protocol())
        _check_figures(data, result)
    except ValueError as error:
        raise ValueError(f"{name} is no sound score: {error}") from None
    return result


def _from_json(data: dict[str, Any], panel: Panel, protocol: Protocol) -> ScoreResult:
    if data["panel"] != panel.name:
        raise ValueError(f"it was measured by panel {data['panel']:.40}, and this package has {panel.words}")
    if data["size"] not in SIZES:
        raise ValueError(f"size must be {' or '.join(SIZES)}, not {data['size']!r:.40}")
    whole = protocol.sized(data["size"])
    games = {name: [GAMES[name].version, GAMES[name].layout] for name in whole.games}
    if data["games"] != games:
        raise ValueError("a game has another version or layout now")
    result = ScoreResult(
        subject=_subject(data),
        panel=panel,
        protocol=whole,
        size=data["size"],
        game=data.get("game"),
        tallies={},
        missing=_missing(data["missing"], whole),
        why_incomplete=data["why_incomplete"],
        seconds=_number(data["timing"].get("seconds"), 0, MOST_SECONDS),
        workers=int(_number(data["timing"].get("workers"), 1, COUNTS.max)),
        versions=check_texts(data["versions"]),
    )
    result.tallies.update(_tallies(data["records"], result))
    return result


def _subject(data: dict[str, Any]) -> Subject:
    for name in ("decisions", "training_seed"):
        if data.get(name) is not None and (type(data[name]) is not int or data[name] < 0):
            raise ValueError(f"{name!r} must be a whole number, not {data[name]!r:.40}")
    made = data["method"], data.get("decisions"), data.get("training_seed")
    return Subject(data["agent"], check_digests(data["files"]), *made)


def check_texts(data: dict[str, Any]) -> dict[str, str]:
    if any(type(value) is not str for value in data.values()):
        raise ValueError("versions must be texts")
    return data


def _missing(data: dict[str, Any], protocol: Protocol) -> dict[Where, str]:
    known = {f"{game}-{players}": (game, players) for game, players in protocol.tables}
    if not data.keys() <= known.keys() or any(type(reason) is not str for reason in data.values()):
        raise ValueError("what is missing must be tables, and the reason for each")
    return {where_of(key): reason for key, reason in data.items()}


def _tallies(data: dict[str, Any], result: ScoreResult) -> dict[str, Tally]:
    """What was won: of all contests that there are, if the result is complete."""
    tables = [where for where in result.protocol.of_game(result.game).tables if where not in result.missing]
    contests = [each for where in tables for each in result.contests(where)]
    played = {each.key: each for each in contests if each.key in data}
    if data.keys() - played.keys():
        raise ValueError(f"no score has the matches {', '.join(sorted(data.keys() - played.keys())):.100}")
    if result.complete and len(played) < len(contests):
        raise ValueError(f"it has {len(played)} of {len(contests)} matches and says that it is complete")
    return {key: _tally(data[key], contest) for key, contest in played.items()}


def _tally(data: Any, contest: Contest) -> Tally:
    check_fields(data, OF_A_CONTEST, contest.key)
    if len(data["fingerprint"]) != PRINT_DIGITS:
        raise ValueError(f"the fingerprint of {contest.key} must have {PRINT_DIGITS} digits")
    shape = contest.match.deals, len(contest.match.seatings)
    return Tally(
        shares=_numbers(data["shares"], shape, 0, 1, contest.key),
        points=_numbers(data["points"], shape, float(FLOATS.min), float(FLOATS.max), contest.key),
        decisions=int(_number(data["decisions"], 0, COUNTS.max)),
        seconds=_number(data.get("seconds"), 0, MOST_SECONDS),
        fingerprint=data["fingerprint"],
    )


def _numbers(data: Any, shape: tuple[int, int], low: float, high: float, place: str) -> NDArray[np.float64]:
    values = np.array(data, object)  # lists of different lengths stay lists
    if values.shape != shape or not all(type(each) in (int, float) and low <= each <= high for each in values.flat):
        raise ValueError(f"{place} must have {shape[0]} x {shape[1]} numbers from {low:.4g} to {high:.4g}")
    return values.astype(np.float64)


def _number(value: Any, low: float, high: float) -> float:
    if type(value) not in (int, float) or not low <= value <= high:
        raise ValueError(f"{value!r:.40} is no number from {low:g} to {high:g}")
    return float(value)


# -- figures --------------------------------------------------------------------------------------------------


def _check_figures(data: dict[str, Any], result: ScoreResult) -> None:
    """Refuse figures that are not those of the records."""
    found = result.to_json()
    for name in ("complete", "ratings", "tables"):
        place = _differing(name, data[name], found[name])
        if place:
            raise ValueError(f"{place}, by its records")


def _differing(place: str, said: Any, found: Any) -> str:
    """Where two figures differ first, in words."""
    if isinstance(found, dict) and isinstance(said, dict) and said.keys() == found.keys():
        return next(filter(None, (_differing(f"{place}.{key}", said[key], found[key]) for key in found)), "")
    if isinstance(found, (list, tuple)) and isinstance(said, list) and len(said) == len(found):
        pairs = enumerate(zip(said, found, strict=True))
        return next(filter(None, (_differing(f"{place}[{k}]", *pair) for k, pair in pairs)), "")
    if (
        isinstance(found, float)
        and type(said) in (int, float)
        and math.isclose(said, found, abs_tol=ALIKE, rel_tol=ALIKE)
    ):
        return ""
    return "" if said == found else f"{place} is {found!r:.60}, not {said!r:.60}"
