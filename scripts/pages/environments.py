"""Run the conformance kit on public environments that are installed here, and write docs/guides/other-environments.md.

    python scripts/pages/environments.py
    python scripts/pages/environments.py --page-only

Each environment is checked in a process of its own, for a limited time; reports stand in
docs/results/environments.json.  What the page says comes from there alone.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from lanterns_env.support.files import write_whole
from lanterns_env.testing import CHECKS

DOCS = pathlib.Path(__file__).parents[2] / "docs"
REPORTS, PAGE = DOCS / "results" / "environments.json", DOCS / "guides" / "other-environments.md"
MARKED = re.compile(r"(<!-- reports -->\n).*(<!-- end -->)", re.DOTALL)
CHECKED = re.compile(r"(<!-- checks -->\n).*(<!-- end of checks -->)", re.DOTALL)
LIMIT = 600  # seconds for one environment
SEEDS, MAX_STEPS = "0,1", "60"
POSITIONS, ACTIONS = "4", "60"
ERROR = 2  # exit status of the command


@dataclass(frozen=True)
class Public:
    """An environment that anybody can install."""

    name: str
    target: str
    options: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def command(self) -> list[str]:
        given = [word for option in self.options for word in ("--option", option)]
        sizes = ["--seeds", SEEDS, "--max-steps", MAX_STEPS]
        sizes += ["--positions-per-game", POSITIONS, "--actions-per-position", ACTIONS]
        return ["check", self.target, *given, *self.flags, *sizes]


OPEN = ("--no-chance", "--no-hidden")
CLASSIC = "pettingzoo.classic"
SHIMMY = "shimmy.openspiel_compatibility:OpenSpielCompatibilityV0"
ENVIRONMENTS = (
    Public("Tic-tac-toe", f"{CLASSIC}.tictactoe_v3:env", (), OPEN),
    Public("Connect Four", f"{CLASSIC}.connect_four_v3:env", (), OPEN),
    Public("Rock paper scissors", f"{CLASSIC}.rps_v2:env", (), ("--no-chance",)),
    Public("Rock paper scissors, parallel", f"{CLASSIC}.rps_v2:parallel_env", (), ("--no-chance",)),
    Public("Leduc hold'em (RLCard)", f"{CLASSIC}.leduc_holdem_v4:env"),
    Public("Texas hold'em (RLCard)", f"{CLASSIC}.texas_holdem_v4:env"),
    Public("Texas hold'em, no limit (RLCard)", f"{CLASSIC}.texas_holdem_no_limit_v6:env"),
    Public("Chess", f"{CLASSIC}.chess_v6:env", (), OPEN),
    Public("Go, 5 by 5", f"{CLASSIC}.go_v5:env", ("board_size=5",), OPEN),
    Public("Kuhn poker (OpenSpiel through Shimmy)", SHIMMY, ("game_name=kuhn_poker",)),
    Public("Tic-tac-toe (OpenSpiel through Shimmy)", SHIMMY, ("game_name=tic_tac_toe",), OPEN),
    Public("Lanterns", "lanterns_env.lanterns_v0:env"),
    Public("Lumen", "lanterns_env.lumen_v0:env"),
    Public("Lighthouse Architects", "lanterns_env.lighthouse_v0:env"),
)


def report_of(public: Public) -> dict[str, Any]:
    """What the command says of one environment, or why there is nothing."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "report.json")
        run = [sys.executable, "-m", "lanterns_env", *public.command, "--json", str(file)]
        try:
            done = subprocess.run(run, capture_output=True, text=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return {"reason": f"not finished in {LIMIT // 60} minutes"}
        if done.returncode == ERROR or not file.exists():
            return {"reason": (done.stderr.strip().splitlines() or ["it ended without a word"])[-1]}
        report: dict[str, Any] = json.loads(file.read_text())
    for finding in report["findings"]:
        del finding["actions"]  # the command gives them again
    return report


def check_all(console: Console) -> dict[str, Any]:
    reports = {}
    for public in ENVIRONMENTS:
        console.print(public.name)
        reports[public.name] = report_of(public)
    return reports


def row_of(public: Public, report: dict[str, Any]) -> str:
    """A line of the table."""
    if "reason" in report:
        return f"| {public.name} | | {report['reason'].replace('|', '/')} |"
    done = [count for count in report["checks"].values() if count != "left out"]
    faulty = [name for name, count in report["checks"].items() if count not in (0, "left out")]
    return f"| {public.name} | {len(done)} of {len(report['checks'])} | {', '.join(faulty) or 'nothing'} |"


def details_of(public: Public, report: dict[str, Any]) -> list[str]:
    """The findings of one environment, as sentences."""
    if not report.get("findings"):
        return []
    sentences = [
        f"* **{each['check']}**: {_plain(each['sentence'])} (seed {each['seed']}, after {each['steps']} steps)"
        for each in report["findings"]
    ]
    named = ", ".join(f"{name} {number}" for name, number in report["versions"].items() if name != "lanterns_env")
    command = f"lanterns {' '.join(public.command)}"
    return [f"### {public.name}", "", *sentences, "", f"Versions: {named}.", "", "```text", command, "```", ""]


def _plain(sentence: str) -> str:
    """Signs that Markdown would take for its own."""
    return re.sub(r"([*_<>\[\]|`])", r"\\\1", sentence)


def current(page: str, reports: dict[str, Any]) -> str:
    """The page with its tables as they ought to be."""
    asked = "| check | what it asks |\n|---|---|\n" + "".join(
        f"| `{name}` | {words} |\n" for name, words in CHECKS.items()
    )
    page = CHECKED.sub(lambda found: found[1] + asked + found[2], page)
    rows = [row_of(public, reports[public.name]) for public in ENVIRONMENTS if public.name in reports]
    details = [line for each in ENVIRONMENTS if each.name in reports for line in details_of(each, reports[each.name])]
    lines = ["| environment | checks made | found by |", "|---|---|---|", *rows, "", "## Findings", "", *details]
    return MARKED.sub(lambda found: found[1] + "\n".join(lines) + found[2], page)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--page-only", action="store_true", help="write the page from the reports that are there")
    if not parser.parse_args().page_only:
        write_whole(REPORTS, json.dumps(check_all(Console(stderr=True)), indent=1) + "\n")
    write_whole(PAGE, current(PAGE.read_text(), json.loads(REPORTS.read_text())))


if __name__ == "__main__":
    main()
