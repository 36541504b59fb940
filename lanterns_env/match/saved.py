"""Results of matches as they come back from their files: checked, their figures computed anew from the records."""

import os
import pathlib
from dataclasses import fields, replace
from itertools import takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanterns_env.games import find_game
from lanterns_env.match.agent_files import check_digests
from lanterns_env.match.playing import FORMAT, Forfeit, Match, make_match
from lanterns_env.match.result import GIVEN, MatchResult
from lanterns_env.match.statistics import Records, deal_means
from lanterns_env.match.stopping import ConfidenceSequence, Stop
from lanterns_env.support.files import check_checksum, check_fields, read_json

NEEDED = {  # in the file of a match, beside records and figures
    "game": str,
    "layout": str,
    "players": int,
    "options": dict,
    "agents": list,
    "seed": int,
    "deals": int,
    "chunk": int,
    "complete": bool,
    "why_incomplete": str,
    "why_not_reproducible": str,
    "forfeits": list,
    "timing": dict,
}
MOST_SECONDS = 1e9  # that a match can have taken


def read(file: str | pathlib.Path) -> MatchResult:
    """A saved result.  Its figures are computed anew from its records; a damaged file raises ``ValueError``."""
    name, data = os.fspath(file), read_json(file)
    check_checksum(data, name)
    if (data.get("kind"), data.get("format")) != ("match", FORMAT):
        kind = f"kind {data.get('kind')!r:.40}, format {data.get('format')!r:.40}"
        raise ValueError(f"{name} is no saved match of format {FORMAT}: {kind}")
    check_fields(data, NEEDED, name)
    try:
        return match_from_json(data)
    except ValueError as error:
        raise ValueError(f"{name} is no sound match: {error}") from None


def match_from_json(data: dict[str, Any]) -> MatchResult:
    """What ``to_json`` of a result gave, checked and computed anew."""
    match = _settings(data)
    records = Records.from_json(data.get("records"), len(match.seatings), match.num_players)
    seconds, thinking, workers = _timing(data["timing"], len(match.agents))
    result = MatchResult(
        match=match,
        records=records,
        forfeits=[_forfeit(each, match, len(records)) for each in data["forfeits"]],
        why_incomplete=data["why_incomplete"],
        stop=_stop(match, records),
        seconds=seconds,
        thinking=thinking,
        workers=workers,
        given=GIVEN if data["why_not_reproducible"] == GIVEN else "",
    )
    _check_counts(data, result)
    return result


def _settings(data: dict[str, Any]) -> Match:
    """The settings of the match, if it can still be played."""
    game, agents, until = find_game(data["game"]), data["agents"], data.get("until")
    if any(type(agent) is not str for agent in agents):
        raise ValueError(f"agents must be texts, not {agents!r:.40}")
    if until is not None and type(until) not in (int, float):
        raise ValueError(f"'until' must be a win share, not {until!r:.40}")
    options = game.check_options(game.check_players(data["players"]), data["options"])
    if game.layout != data["layout"]:
        raise ValueError(f"{game.title} has another version or layout now than in the saved match")
    more = {name: data.get(name) for name in ("until", "secret", "chunk", "first_chunk")}
    match = make_match(game, agents, data["players"], data["deals"], data["seed"], **more, **options)
    return replace(match, files=check_digests(data.get("files", {})))


def _forfeit(data: Any, match: Match, deals: int) -> Forfeit:
    kinds = {each.name: str if each.name in ("agent", "reason") else int for each in fields(Forfeit)}
    if not isinstance(data, dict) or {name: type(value) for name, value in data.items()} != kinds:
        raise ValueError(f"a lost game is described by {', '.join(kinds)}, not {data!r:.60}")
    forfeit = Forfeit(**data)
    bounds = (forfeit.deal, deals), (forfeit.rotation, len(match.seatings)), (forfeit.seat, match.num_players)
    if any(not 0 <= place < count for place, count in bounds) or forfeit.agent not in match.agents:
        raise ValueError(f"there is no such game or agent: {data!r:.100}")
    return forfeit


def _timing(data: dict[str, Any], num_agents: int) -> tuple[float, NDArray[np.float64], int]:
    """Seconds of the whole match and of each agent, and how many processes there were."""
    seconds, thinking, workers = data.get("seconds"), data.get("thinking_seconds"), data.get("workers")
    if not (isinstance(thinking, list) and len(thinking) == num_agents):
        raise ValueError("timing must tell how long each agent thought")
    spent = [seconds, *thinking]
    if any(type(each) not in (int, float) or not 0 <= each <= MOST_SECONDS for each in spent) or seconds == 0:
        raise ValueError("timing must be in seconds")
    if type(workers) is not int or workers < 1:
        raise ValueError("timing must tell how many processes there were")
    return float(spent[0]), np.array(thinking, np.float64), workers


def _stop(match: Match, records: Records) -> Stop | None:
    if match.until is None:
        return None
    sequence, shares = ConfidenceSequence(match.until), deal_means(records.shares, match.seatings == 0)
    for first, last in takewhile(lambda bounds: bounds[0] < len(shares), map(match.bounds, match.chunks)):
        sequence.add(shares[first:last])
    return sequence.stop()


def _check_counts(data: dict[str, Any], result: MatchResult) -> None:
    """Check that settings, records and counts agree."""
    played, records = len(result.records), result.records
    counts = {
        "seatings": result.match.seatings.tolist(),
        "deals_played": played,
        "games": records.truncated.size,
        "games_truncated": int(records.truncated.sum()),
        "complete": result.complete,
        "reproducible": not result.why_not_reproducible,
        "why_not_reproducible": result.why_not_reproducible,
    }
    for name, count in counts.items():
        if data.get(name) != count:
            raise ValueError(f"{name!r} is {data.get(name)!r:.40}, by the records it is {count!r:.40}")
    ended = played == result.match.deals or (result.stop is not None and result.stop.decided)
    if played > result.match.deals or (result.complete and not ended):
        raise ValueError(f"it holds {played} deals and says that they are all of {result.match.deals!r:.40}")
