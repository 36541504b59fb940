"""A score as tables: what the command line and ``print`` show."""

from typing import TYPE_CHECKING

from lanterns_env.match.report import Report
from lanterns_env.score.protocol import ALONE, AMONG, OVERALL, Where
from lanterns_env.score.rating import Rating
from lanterns_env.support.files import printable

if TYPE_CHECKING:
    from lanterns_env.score.result import ScoreResult

SIDES = (
    "Below a member: the win share in % of the agent alone among its copies, then that of each copy of the agent with "
    "one of it among them."
)


def report_of_score(result: "ScoreResult") -> Report:
    members = [member for member in result.protocol.members if member != result.subject.agent]
    size = "" if result.size == "default" else f", {result.size} size"
    return Report(
        title=printable(f"{result.subject.agent}, {result.panel.words}{size}"),
        columns=("table", "rating", "95 % interval", *members, "ms per move"),
        rows=[*(_row(result, where, members) for where in result.tables), *_means(result, members)],
        lines=[printable(line) for line in _lines(result)],
    )


def _row(result: "ScoreResult", where: Where, members: list[str]) -> list[str]:
    found = {(each.member, each.side): result.tallies[each.key] for each in result.contests(where)}
    game, players = where
    cells = []
    for member in members:
        shares = [100 * found[member, ALONE].per_deal.mean()]
        if (member, AMONG) in found:
            shares.append(100 * found[member, AMONG].per_deal.mean() / (players - 1))
        cells.append(" ".join(f"{share:.0f}" for share in shares))
    seconds, decisions = (sum(getattr(each, name) for each in found.values()) for name in ("seconds", "decisions"))
    bound = "*" if result.bounded(where) else ""
    return [f"{game} {players}", *_cells(result.tables[where], bound), *cells, f"{1000 * seconds / decisions:.3f}"]


def _means(result: "ScoreResult", members: list[str]) -> list[list[str]]:
    overall = {OVERALL: result.overall} if result.overall else {}
    empty = [""] * (len(members) + 1)
    return [[name, *_cells(rating), *empty] for name, rating in {**result.games, **overall}.items()]


def _cells(rating: Rating, mark: str = "") -> list[str]:
    low, high = rating.interval
    return [f"{rating.value:.0f}{mark}", f"{low:.0f} to {high:.0f}"]


def _lines(result: "ScoreResult") -> list[str]:
    lines = [SIDES] if result.tables else []
    if any(map(result.bounded, result.tables)):
        lines.append("* It won everything there, or nothing: how far it is from the panel, the rating cannot say.")
    lines += [f"{game} {players} is missing: {reason}" for (game, players), reason in result.missing.items()]
    absent = [game for game in result.protocol.games if game not in result.games]
    if absent:
        lines.append(f"No rating over all games: {_and(absent)} {'is' if len(absent) == 1 else 'are'} not complete.")
    if not result.complete:
        of = sum(len(result.contests(where)) for where in result.protocol.of_game(result.game).tables)
        lines.append(f"{len(result.tallies)} of {of} matches were played to the end: {result.why_incomplete}")
    return lines


def _and(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
