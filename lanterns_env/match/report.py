"""Results as tables: what the command line, ``print`` and notebooks show."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from lanterns_env.match.playing import Forfeit
from lanterns_env.support.files import printable

if TYPE_CHECKING:
    from lanterns_env.match.ladder import LadderResult
    from lanterns_env.match.result import MatchResult

OF_A_MATCH = ("agent", "games", "win share", "95 % interval", "points", "margin", "places in %", "ms per move")
OF_A_LADDER = ("agent", "rating", "95 % interval", "win share", "95 % interval", "points", "place", "seats")
CELL = '<{kind} style="text-align:{side}">{text}</{kind}>'


@dataclass(frozen=True)
class Report:
    """A table with a title above it and lines below it, none of which steers a terminal."""

    title: str
    columns: tuple[str, ...]
    rows: list[list[str]]
    lines: list[str]

    def __str__(self) -> str:
        return "\n".join([self.title, *plain_table(self.columns, self.rows), *self.lines])

    def html(self) -> str:
        """The same for a notebook."""
        rows = [("th", self.columns), *(("td", row) for row in self.rows)]
        table = "\n".join(f"<tr>{_cells(kind, row)}</tr>" for kind, row in rows)
        lines = "".join(f"<p>{escape(line)}</p>\n" for line in self.lines)
        return f"<table>\n<caption>{escape(self.title)}</caption>\n{table}\n</table>\n{lines}"


def plain_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table: the first column to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    return [
        "  ".join(f"{cell:>{w}}" if k else f"{cell:<{w}}" for k, (cell, w) in enumerate(zip(line, widths, strict=True)))
        for line in (columns, *rows)
    ]


def _cells(kind: str, row: Sequence[str]) -> str:
    sides = ["left", *["right"] * (len(row) - 1)]
    return "".join(CELL.format(kind=kind, side=side, text=escape(text)) for side, text in zip(sides, row, strict=True))


def counted(number: int, thing: str) -> str:
    """One thing, or several."""
    return f"{number} {thing}{'s'[: number != 1]}"


# -- a match --------------------------------------------------------------------------------------------------


def report_of_match(result: "MatchResult") -> Report:
    match = result.match
    games = f"{counted(result.records.truncated.size, 'game')} ({counted(len(result.records), 'deal')})"
    return Report(
        title=f"{match.game.title}, {match.num_players} players, {games}",
        columns=OF_A_MATCH,
        rows=_rows_of_match(result),
        lines=[printable(line) for line in _lines_of_match(result)],
    )


def _rows_of_match(result: "MatchResult") -> list[list[str]]:
    return [
        [
            printable(row.agent if row.seats == 1 else f"{row.agent} (each of {row.seats})"),
            str(row.games),
            f"{row.win_share:.3f}",
            "{:.3f} to {:.3f}".format(*row.interval),
            f"{row.mean_points:.1f}",
            f"{row.mean_margin:+.1f}",
            " ".join(f"{100 * place:.0f}" for place in row.places),
            f"{ms:.3f}",
        ]
        for row, ms in zip(result.rows, result.ms_per_move, strict=True)
    ]


def _lines_of_match(result: "MatchResult") -> list[str]:
    lines = []
    for each in result.differences:
        low, high = each.interval
        share = f"win share {each.win_share:+.3f} ({low:+.3f} to {high:+.3f})"
        lines.append(f"{each.agent} minus {each.minus}: {share}")
    cut = int(result.records.truncated.sum())
    lines += [f"{counted(cut, 'game')} cut"] if cut else []
    lines += [result.verdict] if result.stop else []
    if not result.complete:
        lines.append(f"{len(result.records)} of {result.match.deals} deals were played: {result.why_incomplete}")
    lines += _lines_of_forfeits(result.forfeits)
    return lines + ([f"secret: {result.match.secret}"] if result.match.secret is not None else [])


def _lines_of_forfeits(forfeits: Iterable[Forfeit]) -> list[str]:
    """Every agent and reason once, with the number of games that were lost by it."""
    lost = Counter((each.agent, each.reason) for each in forfeits)
    return [f"agent {agent} lost {counted(games, 'game')}: it {reason}" for (agent, reason), games in lost.items()]


# -- a ladder -------------------------------------------------------------------------------------------------


def report_of_ladder(result: "LadderResult") -> Report:
    match = result.match
    games = f"{counted(result.games, 'game')} ({counted(result.deals, 'deal')} a table)"
    return Report(
        title=f"{match.game.title}, {match.num_players} players, {games}",
        columns=OF_A_LADDER,
        rows=_rows_of_ladder(result),
        lines=[printable(line) for line in _lines_of_ladder(result)],
    )


def _rows_of_ladder(result: "LadderResult") -> list[list[str]]:
    return [
        [
            printable(row.agent),
            f"{row.rating:.0f}",
            "{:.0f} to {:.0f}".format(*row.interval),
            f"{row.win_share:.3f}",
            "{:.3f} to {:.3f}".format(*row.win_share_interval),
            f"{row.mean_points:.1f}",
            f"{row.mean_place:.2f}",
            str(row.seats),
        ]
        for row in result.rows
    ]


def _lines_of_ladder(result: "LadderResult") -> list[str]:
    lines = [f"{agent} was skipped: {reason}" for agent, reason in result.skipped.items()]
    lines += [
        f"{row.agent} was always ahead of the others, or always behind: how far, its rating cannot say"
        for row in result.rows
        if row.separated
    ]
    if not result.complete:
        of = result.match.deals
        lines.append(f"{result.deals} of {of} deals were played at every table: {result.why_incomplete}")
    lines += _lines_of_forfeits(forfeit for _, forfeit in result.forfeits)
    return lines + ([f"secret: {result.match.secret}"] if result.match.secret is not None else [])
