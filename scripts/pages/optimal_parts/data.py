"""What was measured on small variants, as the page and its figures read it: docs/results/optimal/*.json."""

import pathlib
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from lanterns_agents.exploit.result import read_result

from lanterns_env import GAMES
from lanterns_env.support.files import read_json

RESULTS = pathlib.Path(__file__).parents[3] / "docs" / "results" / "optimal"
GAINS, TRAINING, CALIBRATION, EXPLOIT = "gains", "training", "calibration", "exploit"  # how the files begin
SEARCH, SOLVED = "search", "solved"
DRAWN, BEST = "drawn", "best"  # how the policy of a network is played: drawn from, or its most probable action
VARIED = ("ent_coef", "magnet_coef")  # settings of the runs of PPO
CLEAR, NEAR = 0.9, 0.01  # of what can be gained: the fraction to be found, or the distance that is good enough

Entry = dict[str, Any]
Spread = tuple[float, float, float]  # mean, lowest, highest


@dataclass(frozen=True)
class Measured:
    """One file: a variant, and what was found out about it figure by figure."""

    about: Entry

    @property
    def cells(self) -> dict[str, Entry]:
        found: dict[str, Entry] = self.about["cells"]
        return found

    @property
    def variant(self) -> str:
        return f"{GAMES[self.about['game']].title}, {self.about['players']} players, {self.label}"

    @property
    def label(self) -> str:
        """The preset, and what is given beside it."""
        preset, *more = (f"{name}={value}" for name, value in self.about["given"].items())
        return ", ".join([preset.removeprefix("preset="), *more])

    @property
    def brief(self) -> str:
        """For a figure with little room."""
        return f"{self.about['game']}, {self.about['players']}p"

    @property
    def order(self) -> tuple[bool, int, int, int]:
        """In which variants stand on the page."""
        given = self.about["given"]
        return given["preset"] != "tiny", len(given), list(GAMES).index(self.about["game"]), self.about["players"]


def measured(kind: str, folder: pathlib.Path = RESULTS) -> list[Measured]:
    """All files of a kind that have figures in them."""
    files = [Measured(read_json(file)) for file in sorted(folder.glob(f"{kind}-*.json"))]
    return sorted((each for each in files if each.cells), key=lambda each: each.order)


def exploited(folder: pathlib.Path = RESULTS) -> list[Entry]:
    """What `lanterns exploit --json` has written of full games."""
    files = [read_result(file) for file in sorted(folder.glob(f"{EXPLOIT}-*.json"))]
    return sorted(files, key=lambda each: (list(GAMES).index(each["game"]), each["num_players"]))


def grouped(cells: Iterable[Entry], name: Callable[[Entry], str]) -> dict[str, list[Entry]]:
    """Figures that differ in their seed alone, together."""
    groups: dict[str, list[Entry]] = {}
    for cell in cells:
        groups.setdefault(name(cell), []).append(cell)
    return groups


def by_agent(found: Measured) -> dict[str, list[Entry]]:
    return grouped(found.cells.values(), lambda cell: str(cell["agent"]))


def by_simulations(found: Measured) -> dict[int, list[Entry]]:
    """The figures of search:30 and so on; those guided by a network are left out."""
    parts = ((agent.partition(":"), cells) for agent, cells in by_agent(found).items())
    return dict(sorted((int(n), cells) for (kind, _, n), cells in parts if kind == SEARCH and n.isdecimal()))


def by_settings(found: Measured) -> dict[str, list[Entry]]:
    """The runs of PPO that differ in their seed alone, by the weights of entropy and magnet."""
    return grouped(found.cells.values(), lambda cell: " / ".join(f"{cell['settings'][name]:g}" for name in VARIED))


def spread(numbers: Iterable[float]) -> Spread:
    found = list(numbers)
    return statistics.fmean(found), min(found), max(found)


def mean_gain(gains: Sequence[float]) -> float:
    """Of a deviator that takes every seat in turn."""
    return statistics.fmean(gains)
