"""Find better weights for the agent expert by playing: CMA-ES over the ranges of its weights.

    python scripts/tune.py --game lanterns --players 2 --against greedy --deals 256 --generations 40 --seed 1

Every generation has deals of its own, the same for all candidates, each played from every seat.  What is to be
raised is the mean of outcome and clipped margin.  At the end the candidate in the middle is compared with the
starting weights on fresh deals; only if it is better for certain is it written down.  After every generation the
run is kept in a file of its own: stopped with Ctrl-C, it goes on with --resume.
"""

import argparse
import json
import math
import re
import shlex
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from lanterns_agents import load
from lanterns_agents.per_game import module_for
from lanterns_agents.training.commands import as_command
from lanterns_agents.training.settings import Range, check_agents, check_range, check_values
from lanterns_agents.weights import TABLE, read_weights, vector_for, weights_file
from numpy.typing import NDArray
from rich.console import Console

from lanterns_env import GAMES, Batch
from lanterns_env.agent import Agent, Table
from lanterns_env.engine.streams import stream
from lanterns_env.support.files import check_checksum, check_target, read_json, sealed, write_whole

Vector = NDArray[np.float64]
MIDDLE = "middle"  # in place of a file: the middle of every range
ITSELF = "itself"  # an opponent: the middle of the present generation
OUTCOME = 0.5  # weight of the outcome, the rest is that of the margin
CHECK_STREAM = 1 << 32  # of the deals of the final check; generations count from 0
INTERVAL = 1.96  # standard errors on either side: 95 %
SEEDS = 1 << 63
MOST = 1 << 20  # deals of anything
SECTION = re.compile(rf"((?:^#.*\n)*^\[{TABLE}(\d+)\](?:\n[^\[#\n].*)*)", re.MULTILINE)


@dataclass(frozen=True)
class Settings:
    """What a run depends on; it can only be resumed with the same."""

    game: str
    players: int
    against: list[str]
    start: list[float]
    deals: Annotated[int, Range(1, MOST)] = 256  # of a candidate, each played from every seat
    generations: Annotated[int, Range(1, MOST)] = 40
    seed: Annotated[int, Range(0, SEEDS - 1)] = 1
    population: Annotated[int, Range(2, 1000)] = 16  # candidates of a generation
    step: Annotated[float, Range(1e-6, 1)] = 0.15  # first deviation, as a fraction of the ranges

    def __post_init__(self) -> None:
        check_values(self)
        if not self.against:
            raise ValueError("against needs one agent at least")


# -- games --------------------------------------------------------------------------------------------------


def play(settings: Settings, weights: Vector, middle: Vector, seeds: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Every deal once from every seat: the means of outcome, margin and share of the win, float64[deals, 3]."""
    count, games = settings.players, len(seeds) * settings.players
    batch = Batch(settings.game, games, count, seeds=np.repeat(seeds, count), autoreset=False)
    seats, rows, rng = np.arange(games) % count, np.arange(games), stream("tuning candidate", settings.seed)
    of_row = np.arange(games) // count % len(settings.against)
    opponents = seated(settings, middle)
    while len(rows):
        actions, movers = np.empty(len(rows), np.int64), batch.current_players[rows]
        own = movers == seats[rows]
        actions[own] = Candidate(settings.game, weights).act(Table(batch, rows[own], rows[own]), rng)
        for (seat, mover, other), (agent, of_agent) in opponents.items():
            theirs = (seats[rows] == seat) & (movers == mover) & (of_row[rows] == other)
            if theirs.any():
                actions[theirs] = agent.act(Table(batch, rows[theirs], rows[theirs]), of_agent)
        batch.step(actions, rows)
        rows = rows[~batch.dones[rows]]
    return results(batch, seats).reshape(len(seeds), count, -1).mean(axis=1)


def seated(settings: Settings, middle: Vector) -> dict[tuple[int, ...], tuple[Agent, np.random.Generator]]:
    """By the candidate's seat, another one and an opponent: an agent of its own each, so that none sees two sides."""
    places = [at for at in np.ndindex(settings.players, settings.players, len(settings.against)) if at[0] != at[1]]
    names = [settings.against[other] for _, _, other in places]
    agents = [opponent(name, settings.game, middle) for name in names]
    streams = [stream("tuning opponent", settings.seed, *at) for at in places]
    return dict(zip(places, zip(agents, streams, strict=True), strict=True))


def results(batch: Batch, seats: NDArray[np.int64]) -> NDArray[np.float64]:
    """Outcome, margin and share of the win of one seat of each game, all as of one."""
    points, shares = (array.astype(np.float64) for array in batch.scores())
    games = np.arange(len(batch))
    count, own, share = batch.num_seats, points[games, seats], shares[games, seats]
    points[games, seats] = -np.inf
    margin = (own - points.max(axis=1)) / batch.game.margin_scale
    return np.stack([(count * share - 1) / (count - 1), np.clip(margin, -1, 1), share], axis=1)


class Candidate:
    """The agent expert with weights at hand."""

    def __init__(self, game: str, weights: Vector) -> None:
        self.game, self.weights = game, weights

    def act(self, table: Table, rng: np.random.Generator) -> NDArray[np.int64]:
        actions = np.empty(len(table), np.int64)
        module_for("expert", self.game).choose_rows(table.views, table.action_masks, self.weights, actions)
        return actions


def opponent(name: str, game: str, middle: Vector) -> Agent:
    return Candidate(game, middle) if name == ITSELF else load(name)


def worth(played: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is to be raised, of every deal."""
    return OUTCOME * played[:, 0] + (1 - OUTCOME) * played[:, 1]


def deals(settings: Settings, stream: int, number: int) -> NDArray[np.uint64]:
    return np.random.default_rng([settings.seed, stream]).integers(SEEDS, size=number, dtype=np.uint64)


# -- the search ---------------------------------------------------------------------------------------------


class Search:
    """CMA-ES over the unit cube.  What it does follows from the settings and the values found so far."""

    def __init__(self, settings: Settings, evaluated: list[list[float]], file: Path) -> None:
        self.settings, self.file = settings, file
        bounds = np.array(list(module_for("weights", settings.game).BOUNDS.values()))
        self.low, self.width = bounds[:, 0], bounds[:, 1] - bounds[:, 0]
        self.strategy = self._strategy()
        self.evaluated: list[list[float]] = []
        for values in evaluated:
            self._evaluate(self.strategy.ask(), values)

    def _strategy(self) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # cma's, that no plots can be drawn without matplotlib
            import cma
        settings = self.settings
        draws = np.random.default_rng(settings.seed)
        options = {"bounds": [0, 1], "verbose": -9, "popsize": settings.population, "seed": np.nan}
        options |= {"randn": lambda *shape: draws.standard_normal(shape)}
        start = np.clip((np.array(settings.start) - self.low) / self.width, 0, 1)
        return cma.CMAEvolutionStrategy(start, settings.step, options)

    @property
    def middle(self) -> Vector:
        return self._weights(self.strategy.result.xfavorite)

    def generation(self) -> list[NDArray[np.float64]]:
        """Play all candidates of the next generation."""
        seeds = deals(self.settings, len(self.evaluated), self.settings.deals)
        candidates, middle = self.strategy.ask(), self.middle
        played = [play(self.settings, self._weights(each), middle, seeds) for each in candidates]
        self._evaluate(candidates, [float(worth(each).mean()) for each in played])
        self._save()
        return played

    def _weights(self, point: Any) -> Vector:
        return self.low + self.width * np.asarray(point, np.float64)

    def _evaluate(self, candidates: list[Any], values: list[float]) -> None:
        self.strategy.tell(candidates, [-value for value in values])
        self.evaluated.append(values)

    def _save(self) -> None:
        """A stop at the wrong moment loses nothing."""
        write_whole(self.file, json.dumps(sealed({"settings": asdict(self.settings), "evaluated": self.evaluated})))


def resumed(settings: Settings, file: Path) -> list[list[float]]:
    """What an earlier run with the same settings has found."""
    if not file.exists():
        raise SystemExit(f"there is nothing to resume: no {file}")
    kept = read_json(file)
    check_checksum(kept, str(file))
    before, evaluated = kept.get("settings"), kept.get("evaluated")
    if not isinstance(before, dict) or {**before, "generations": settings.generations} != asdict(settings):
        raise SystemExit(f"{file} is of a run with other settings: {before}")
    if not isinstance(evaluated, list) or not all(is_generation(each, settings) for each in evaluated):
        raise ValueError(f"{file} does not say what every generation brought")
    return evaluated


def is_generation(values: Any, settings: Settings) -> bool:
    """Whether these may be the results of one generation."""
    whole = isinstance(values, list) and len(values) == settings.population
    return whole and all(type(value) is float and math.isfinite(value) for value in values)


# -- the weights found --------------------------------------------------------------------------------------


def check(settings: Settings, weights: Vector, number: int) -> tuple[float, float, float, float]:
    """On fresh deals: by how much the weights are better than at the start, and their share of the wins."""
    seeds, start = deals(settings, CHECK_STREAM, number), np.array(settings.start)
    after, before = (play(settings, each, start, seeds) for each in (weights, start))
    return *interval(worth(after) - worth(before)), *interval(after[:, 2])


def interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """The mean, and how far it may be off."""
    return float(values.mean()), float(INTERVAL * values.std(ddof=1) / np.sqrt(len(values)))


def write_weights(file: Path, count: int, weights: Vector, command: str, names: tuple[str, ...]) -> None:
    """Put the weights for a number of players into a file; those for other numbers stay as they are."""
    parts = SECTION.findall(file.read_text(encoding="utf-8")) if file.exists() else []
    others = [part.strip() for part, number in parts if int(number) != count]
    table = [f"# {command}", f"[{TABLE}{count}]", *(f"{n} = {w:.4g}" for n, w in zip(names, weights, strict=True))]
    sections = sorted([*others, "\n".join(table)], key=lambda part: part[part.index(f"[{TABLE}") :])
    write_whole(file, "\n\n".join(sections) + "\n")


def starting_weights(game: str, count: int, start: str | None) -> Vector:
    """Those of a file, else the middle of every range."""
    bounds = module_for("weights", game).BOUNDS
    middle = np.array([(low + high) / 2 for low, high in bounds.values()])
    file = Path(start) if start else weights_file(game)
    if start == MIDDLE or not (start or file.exists()):
        return middle
    return vector_for(read_weights(file, bounds), count)


# -- the command --------------------------------------------------------------------------------------------


def arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=list(GAMES), required=True)
    parser.add_argument("--players", type=int, help="by default as many as the game is usually played by")
    parser.add_argument("--against", nargs="+", default=["greedy"], help=f"agents by name, or {ITSELF!r}")
    parser.add_argument("--deals", type=int, default=Settings.deals, help="a candidate, each played from every seat")
    parser.add_argument("--generations", type=int, default=Settings.generations)
    parser.add_argument("--population", type=int, default=Settings.population, help="candidates of a generation")
    parser.add_argument("--step", type=float, default=Settings.step, help="first deviation, a fraction of the ranges")
    parser.add_argument("--seed", type=int, default=Settings.seed)
    parser.add_argument("--check", type=int, default=1024, help="fresh deals of the final comparison")
    parser.add_argument("--start", help=f"a file of weights, or {MIDDLE!r} of every range; by default the agent's own")
    parser.add_argument("--out", type=Path, help="where better weights are written; by default the agent's own file")
    parser.add_argument("--run", type=Path, help="where the run is kept; by default in runs/tune")
    parser.add_argument("--resume", action="store_true", help="go on with a run that was stopped")
    return parser.parse_args(words)


def settings_of(options: argparse.Namespace) -> Settings:
    game = GAMES[options.game]
    count = game.check_players(game.default_players if options.players is None else options.players)
    start = starting_weights(options.game, count, options.start)
    numbers = {name: getattr(options, name) for name in ("deals", "generations", "seed", "population", "step")}
    check_range("--check", options.check, 2, MOST)
    settings = Settings(options.game, count, list(options.against), start.tolist(), **numbers)
    check_agents("--against", (name for name in options.against if name != ITSELF), game, [count], {})
    return settings


def search_for(settings: Settings, search: Search, console: Console) -> None:
    """Generation by generation, each shown and kept."""
    while len(search.evaluated) < settings.generations:
        played = np.stack(search.generation())
        shares, values = played[:, :, 2], search.evaluated[-1]
        console.print(
            f"generation {len(search.evaluated):3d} of {settings.generations}: "
            f"mean {np.mean(values):+.4f}, best {max(values):+.4f}, share of the wins {shares.mean():.3f}"
        )


def main(words: list[str]) -> None:
    options, console = arguments(words), Console(highlight=False, soft_wrap=True)
    settings = settings_of(options)
    file = options.run or Path("runs/tune") / f"{settings.game}_{settings.players}_{settings.seed}.json"
    out, names = options.out or weights_file(settings.game), module_for("weights", settings.game).NAMES
    for target in (file, out):
        target.parent.mkdir(parents=True, exist_ok=True)
        check_target(target)
    search = Search(settings, resumed(settings, file) if options.resume else [], file)
    try:
        search_for(settings, search, console)
    except KeyboardInterrupt:
        console.print(f"stopped after {len(search.evaluated)} generations; the same command with --resume goes on")
        return
    better, off, share, share_off = check(settings, search.middle, options.check)
    console.print(
        f"on {options.check} fresh deals: better than at the start by {better:+.4f} ± {off:.4f}, "
        f"share of the wins {share:.4f} ± {share_off:.4f}"
    )
    if better - off <= 0:
        console.print("not better for certain; nothing is written")
        return
    command = shlex.join(["python", "scripts/tune.py", *(word for word in words if word != "--resume")])
    write_weights(out, settings.players, search.middle, command, names)
    console.print(f"written: {out}")


if __name__ == "__main__":
    as_command("tune", main)
