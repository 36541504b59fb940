"""Write docs/optimal.md, "How far from optimal", and its figures, from what scripts/bench/calibrate.py measured.

    python scripts/pages/optimal.py

A part of the page for which nothing has been measured yet is left out.
"""

import pathlib
from collections.abc import Sequence

from optimal_parts import text
from optimal_parts.data import (
    BEST,
    CALIBRATION,
    CLEAR,
    DRAWN,
    GAINS,
    NEAR,
    RESULTS,
    SOLVED,
    TRAINING,
    VARIED,
    Entry,
    Measured,
    by_agent,
    by_settings,
    by_simulations,
    exploited,
    mean_gain,
    measured,
    spread,
)
from optimal_parts.figures import SEARCHED, TRAINED, drawings, figures
from results_cache import code, columns, figure, folded, image

from lanterns_env import GAMES
from lanterns_env.support.files import write_whole

PAGE = RESULTS.parents[1] / "optimal.md"
FORM, TINY, TINY_FORM = ".3f", 0.001, ".1e"


def ranged(numbers: Sequence[float]) -> str:
    """A mean, and how far the seeds spread if there are several."""
    mean, low, high = map(shown, spread(numbers))
    return mean if len(numbers) == 1 else f"{mean} ({low} to {high})"


def shown(number: float) -> str:
    return f"{number:{TINY_FORM if 0 < number < TINY else FORM}}"


def row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


# -- variants and agents --------------------------------------------------------------------------------------------


def variants(files: Sequence[Measured]) -> list[str]:
    """How large they are."""
    if not files:
        return []
    lines = columns(["variant", "histories", "information sets by seat", "payoffs", "options"])
    return [text.VARIANTS, *lines, *map(variant_row, files), ""]


def variant_row(found: Measured) -> str:
    about = found.about
    low, high = about["payoffs"]
    changed = {name: value for name, value in about["options"].items() if value != default(found, name)}
    options = ", ".join(f"{name}={value}" for name, value in changed.items())
    sets = ", ".join(f"{count:,}" for count in about["information_sets"])
    return row([found.variant, f"{about['histories']:,}", sets, f"{low:g} to {high:g}", code(options)])


def default(found: Measured, option: str) -> object:
    return GAMES[found.about["game"]].options[option].default


def agents(files: Sequence[Measured]) -> list[str]:
    """A table for every variant: NashConv and gain by seat of each agent."""
    if not files:
        return []
    lines = [text.AGENTS]
    for found in files:
        lines += [f"### {found.variant}\n", *agent_table(found), ""]
        lines += [*solved_words(found), *folded("Commands", [*solve_commands(found), *commands(found)]), ""]
    return lines


def agent_table(found: Measured) -> list[str]:
    seats = range(found.about["players"])
    lines = columns(["agent", "NashConv", *(f"gain of seat {seat}" for seat in seats), "seeds"])
    for name, cells in sorted(by_agent(found).items(), key=lambda each: each[0] == SOLVED):
        gains = (ranged([cell["gains"][seat] for cell in cells]) for seat in seats)
        lines.append(row([code(name), ranged([cell["nash_conv"] for cell in cells]), *gains, str(len(cells))]))
    return lines


def solved_words(found: Measured) -> list[str]:
    """What solving took."""
    low, high = found.about["payoffs"]
    solved = [cell for cell in found.cells.values() if "iterations" in cell]
    return [
        f"`{cell['agent']}`: {cell['iterations']:,} iterations of {cell['algorithm']} in {cell['solve_seconds']:.1f} "
        f"seconds on one core, to {cell['nash_conv'] / (high - low):.5f} of the payoff range.\n"
        for cell in solved
    ]


def solve_commands(found: Measured) -> list[str]:
    """What solves the variant, and what measures some agents there, without a clone."""
    options = " ".join(f"--option {name}={value}" for name, value in found.about["given"].items())
    words = f"lanterns solve --game {found.about['game']} --players {found.about['players']} {options}"
    return [words, f"{words} --agent random --agent greedy --agent search:30"]


def commands(found: Measured) -> list[str]:
    """Of every figure, once."""
    return list(dict.fromkeys(cell["command"] for cell in found.cells.values()))


# -- search and PPO -------------------------------------------------------------------------------------------------


def search(files: Sequence[Measured], drawn: bool) -> list[str]:
    """NashConv by simulations, a column for each number of them."""
    found = {each.variant: by_simulations(each) for each in files}
    found = {name: each for name, each in found.items() if len(each) > 1}
    if not found:
        return []
    numbers = sorted({n for each in found.values() for n in each})
    lines = columns(["variant", *(f"N = {n:,}" for n in numbers)])
    for name, each in found.items():
        cells = (ranged([one["nash_conv"] for one in each[n]]) if n in each else "" for n in numbers)
        lines.append(row([name, *cells]))
    seeds = [len(cells) for each in found.values() for cells in each.values()]
    return [
        text.SEARCH,
        *picture(SEARCHED, "NashConv of search over simulations", drawn),
        *lines,
        "",
        seeds_words(seeds),
    ]


def seeds_words(seeds: Sequence[int]) -> str:
    few, many = min(seeds), max(seeds)
    return f"Each figure has {few if few == many else f'{few} to {many}'} seeds.\n"


def picture(name: str, words: str, drawn: bool) -> list[str]:
    return image(f"images/{name}", words) if drawn else []


def training(files: Sequence[Measured], drawn: bool) -> list[str]:
    """The ends of all runs."""
    if not files:
        return []
    lines = [text.PPO, *picture(TRAINED, "NashConv of PPO over training", drawn)]
    lines += columns(["variant", " / ".join(VARIED), "decisions", "NashConv, drawn", "NashConv, best", "runs"])
    for found in files:
        for words, runs in by_settings(found).items():
            ends = [run["points"][-1] for run in runs]
            played = (ranged([end[how]["nash_conv"] for end in ends]) for how in (DRAWN, BEST))
            decisions = f"{spread(end['decisions'] for end in ends)[0]:,.0f}"
            lines.append(row([found.variant, words, decisions, *played, str(len(runs))]))
    return [*lines, *folded("Commands", [each for found in files for each in commands(found)]), ""]


# -- what the tool finds ----------------------------------------------------------------------------------------------


def calibration(files: Sequence[Measured]) -> list[str]:
    """What can be gained beside what was found."""
    if not files:
        return []
    names = [
        "variant",
        "victim",
        "perfect recall",
        "own decisions",
        "view alone",
        "found",
        "of what a view alone can gain",
    ]
    lines = [text.CALIBRATED, *columns(names)]
    cells = [(found, cell) for found in files for cell in found.cells.values()]
    lines += [calibrated_row(found, cell) for found, cell in cells]
    met = sum(enough(cell) for _, cell in cells)
    words = (
        f"In {met} of {len(cells)} cases it finds at least {CLEAR:.0%} of what a player with the view alone can gain, "
        f"or comes within {NEAR} of it."
    )
    return [*lines, "", words, *folded("Commands", [each for found in files for each in commands(found)]), ""]


def calibrated_row(found: Measured, cell: Entry) -> str:
    low, high, gained = mean_gain(cell["view_alone"]), mean_gain(cell["view_alone_at_most"]), mean_gain(cell["found"])
    alone = f"{low:{FORM}}" if high - low < NEAR / 10 else f"{low:{FORM}} to {high:{FORM}}"
    parts = (f"{mean_gain(cell[name]):{FORM}}" for name in ("perfect_recall", "own_decisions"))
    return row(
        [
            found.variant,
            code(cell["agent"]),
            *parts,
            alone,
            f"{gained:{FORM}}",
            f"{gained / high:.0%}" if high > 0 else "",
        ]
    )


def enough(cell: Entry) -> bool:
    """Whether the tool finds what there is to find, or nearly."""
    gained, most = mean_gain(cell["found"]), mean_gain(cell["view_alone_at_most"])
    return gained >= CLEAR * most or most - gained <= NEAR


def full_games(files: Sequence[Entry]) -> list[str]:
    """Gains found against agents in the full games."""
    if not files:
        return []
    names = ["game, players", "victim", "by", "gain", "fair share", "games", "decisions learnt from", "minutes"]
    return [
        text.FULL,
        *columns(names),
        *map(full_row, files),
        *folded("Commands", [each["command"] for each in files]),
        "",
    ]


def full_row(found: Entry) -> str:
    timing, players = found["timing"], found["num_players"]
    learnt = f"{timing['decisions']:,}", f"{timing['learning_seconds'] / 60:.0f}"
    cells = [
        f"{GAMES[found['game']].title}, {players}",
        code(found["victim"]),
        code(found["by"]) if found["by"] else f"learning, {found['seeds']} seeds",
        figure(found["gain"], found["interval"], "+.3f"),
        f"{1 / players:{FORM}}",
        f"{found['games']:,}",
    ]
    return row([*cells, *(("", "") if found["by"] else learnt)])


# -- the page ---------------------------------------------------------------------------------------------------------


def page(folder: pathlib.Path = RESULTS) -> str:
    """As it ought to be."""
    gains, drawn = measured(GAINS, folder), drawings(folder)
    lines = [text.HEAD, *variants(gains), *agents(gains), *search(gains, SEARCHED in drawn)]
    lines += training(measured(TRAINING, folder), TRAINED in drawn)
    lines += calibration(measured(CALIBRATION, folder))
    lines += full_games(exploited(folder))
    return "\n".join([*lines, text.REPEAT])


def main() -> None:
    for file, drawing in figures().items():
        write_whole(file, drawing)
    write_whole(PAGE, page())


if __name__ == "__main__":
    main()
