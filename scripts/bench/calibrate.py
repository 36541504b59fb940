"""Measure how far agents are from optimal on small variants: docs/results/optimal/*.json, figure by figure.

    python scripts/bench/calibrate.py --minutes 10  # begins no figure later than that; the next run goes on
    python scripts/bench/calibrate.py --list  # what is there, what is missing
    python scripts/bench/calibrate.py training lanterns-2-tiny  # of one kind and variant; also: a game, an agent

What is there already, of the same version and options, is kept: the script can be stopped and started again.
scripts/pages/optimal.py makes a page of the files.
"""

import argparse
import json
import pathlib
import time
from collections.abc import Iterable, Sequence
from typing import Any

from distances import Cell, cells

import lanterns_env
from lanterns_env.support.files import read_json, write_whole

FOLDER = pathlib.Path(__file__).parents[2] / "docs" / "results" / "optimal"
MINUTES = 10.0

Entry = dict[str, Any]


def file_of(cell: Cell, folder: pathlib.Path) -> pathlib.Path:
    return folder / f"{cell.kind}-{cell.variant.name}.json"


def about(cell: Cell) -> Entry:
    """What a file says of all its figures; those of another variant or version are measured anew."""
    variant = cell.variant
    return {
        "kind": cell.kind,
        "game": variant.game,
        "players": variant.players,
        "given": variant.given,
        "options": variant.options,
        "version": lanterns_env.__version__,
        "layout": variant.the_game.layout,
    }


def kept(cell: Cell, folder: pathlib.Path) -> Entry:
    """The file of a figure, or an empty one."""
    file, expected = file_of(cell, folder), about(cell)
    data: Entry = read_json(file) if file.exists() else {}
    same = all(data.get(name) == value for name, value in expected.items())
    return data if same else {**expected, "cells": {}}


def missing(wanted: Iterable[Cell], folder: pathlib.Path) -> list[Cell]:
    wanted = list(wanted)
    files = {file_of(cell, folder): cell for cell in wanted}
    there = {file: kept(cell, folder)["cells"] for file, cell in files.items()}
    return [cell for cell in wanted if cell.name not in there[file_of(cell, folder)]]


def command(cell: Cell) -> str:
    """What measures a figure again, once it has been taken out of its file."""
    return f"python scripts/bench/calibrate.py {cell.kind} {cell.variant.name} '{cell.name}'"


def add(cell: Cell, folder: pathlib.Path) -> None:
    """Measure a figure, and write it down."""
    begun = time.perf_counter()
    shape, found = measure(cell)
    found |= {"seconds": round(time.perf_counter() - begun, 1)}
    data = kept(cell, folder)
    entries = {**data["cells"], cell.name: {"agent": cell.agent, "seed": cell.seed, "command": command(cell), **found}}
    order = {each.name: number for number, each in enumerate(cells()) if file_of(each, folder) == file_of(cell, folder)}
    in_order = sorted(entries, key=lambda name: order.get(name, len(order)))
    data |= {**shape, "cells": {name: entries[name] for name in in_order}}
    write_whole(file_of(cell, folder), json.dumps(data, indent=1) + "\n")


def measure(cell: Cell) -> tuple[Entry, Entry]:
    """What is to be said of the variant, and the figure; torch is imported when the first is measured."""
    import measures

    return measures.measure(cell)


def chosen(words: Sequence[str]) -> list[Cell]:
    """Those that all words fit: a kind, a game, a variant, or a part of the figure's own name."""
    return [cell for cell in cells() if all(fits(word, cell) for word in words)]


def fits(word: str, cell: Cell) -> bool:
    return word in (cell.kind, cell.variant.game, cell.variant.name) or word in cell.name


def full_name(cell: Cell) -> str:
    return f"{cell.kind} {cell.variant.name} {cell.name}"


def run(wanted: Sequence[Cell], folder: pathlib.Path, minutes: float) -> None:
    """Measure one after the other, until the time is up."""
    begun = time.monotonic()
    for number, cell in enumerate(wanted):
        if time.monotonic() - begun >= 60 * minutes:
            print(f"{len(wanted) - number} figures are missing: run this again")
            return
        print(full_name(cell), flush=True)
        add(cell, folder)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="measure what they fit (default: all figures)")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="begin no figure later (default: 10)")
    parser.add_argument("--list", action="store_true", help="say what is missing, and measure nothing")
    parser.add_argument("--folder", type=pathlib.Path, default=FOLDER, help="where the files go")
    args = parser.parse_args(arguments)
    args.folder.mkdir(parents=True, exist_ok=True)
    wanted = chosen(args.words)
    if not wanted:
        raise ValueError(f"there is no figure of {' and '.join(args.words)}; --list shows all")
    lacking = missing(wanted, args.folder)
    if args.list:
        print(*(f"{'missing' if cell in lacking else 'there  '} {full_name(cell)}" for cell in wanted), sep="\n")
    else:
        run(lacking, args.folder, args.minutes)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit("interrupted: the next run goes on from here") from None
    except ValueError as error:
        raise SystemExit(f"calibrate: {error}") from None
