"""Write the tables of the game pages in docs/games and the pictures in docs/images anew, from the games themselves.

    python scripts/pages/games.py

Everything between ``<!-- table NAME -->`` and ``<!-- end -->`` is generated; the rest of a page is left alone.
"""

import pathlib
import re

import numpy as np

from lanterns_env import GAMES
from lanterns_env.engine.game import Game
from lanterns_env.envs.aec import make
from lanterns_env.games.svg import svg
from lanterns_env.support.files import write_whole

FOLDER = pathlib.Path(__file__).parents[2] / "docs" / "games"
IMAGES = FOLDER.with_name("images")
PICTURED_SEED, PICTURED_PLAYERS = 3, 4
PICTURED_DECISIONS = {"lanterns": 45, "lumen": 66, "lighthouse": 102}  # when there is much to see
MARKED = re.compile(r"(<!-- table (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def import_table(game: Game) -> list[str]:
    counts = f"{min(game.players)} to {max(game.players)}"
    return [
        "| | |",
        "|---|---|",
        f"| Import | `from lanterns_env import {game.name}_v{game.version}` |",
        f"| PettingZoo id | `lanterns_env/{game.name}-v{game.version}` (AEC and parallel) |",
        f"| Gymnasium id | `lanterns_env/{game.name.capitalize()}-v{game.version}` |",
        f"| Players | {counts}, by default {game.default_players} |",
        f"| Agents | `player_0` .. `player_{max(game.players) - 1}` |",
        f"| Action space | `Discrete({game.num_actions})` |",
        f"| Observation | `int8[{game.view.itemsize}]`, named fields below |",
        f"| Action mask | `int8[{game.num_actions}]`, in the observation and in `info` |",
        f"| Parallel interface | `{game.name}_v{game.version}.parallel_env()`, turn-based |",
        f"| Layout | `{game.layout}` |",
    ]


def observation_table(game: Game) -> list[str]:
    rows = ["| first | field | shape | low | high | meaning |", "|---|---|---|---|---|---|"]
    first = 0
    for field in game.fields:
        shape = " x ".join(str(size) for size in field.shape) or "1"
        rows.append(f"| {first} | `{field.name}` | {shape} | {field.low} | {field.high} | {field.meaning} |")
        first += field.size
    return rows


def action_table(game: Game) -> list[str]:
    rows = ["| action | meaning |", "|---|---|"]
    for block in game.actions:
        numbers = f"{block.first}" if block.first == block.last else f"{block.first}..{block.last}"
        rows.append(f"| {numbers} | {block.meaning} |")
    return rows


def option_table(game: Game) -> list[str]:
    rows = ["| option | default | values | meaning |", "|---|---|---|---|"]
    for name, option in game.options.items():
        values = option.values
        span = f"{values[0]}..{values[-1]}" if isinstance(values, range) else ", ".join(f"`{v!r}`" for v in values)
        rows.append(f"| `{name}` | `{option.default!r}` | {span} | {option.meaning} |")
    return rows


TABLES = {
    "import": import_table,
    "observation": observation_table,
    "action": action_table,
    "option": option_table,
}


def current(page: str, game: Game) -> str:
    """The page with its tables as they ought to be."""

    def table(found: re.Match[str]) -> str:
        return found[1] + "\n".join(TABLES[found[2]](game)) + "\n" + found[3]

    return MARKED.sub(table, page)


def pictured(name: str) -> str:
    """A game some random moves old, all-seeing."""
    env = make(name, False, num_players=PICTURED_PLAYERS, render_player="all")
    env.reset(seed=PICTURED_SEED)
    rng = np.random.default_rng(PICTURED_SEED)
    for _ in range(PICTURED_DECISIONS[name]):
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        env.step(legal[int(rng.random() * len(legal))])
    return svg(env.picture())


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    for name in GAMES:
        write_whole(IMAGES / f"{name}.svg", pictured(name))
        file = FOLDER / f"{name}.md"
        write_whole(file, current(file.read_text(), GAMES[name]))


if __name__ == "__main__":
    main()
