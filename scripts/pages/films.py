"""Write the films of the documentation anew, docs/images/<game>.gif: a game of good players each.

python scripts/pages/films.py lanterns
"""

import pathlib
import sys

import numpy as np

from lanterns_env import GAMES, Batch
from lanterns_env.agent import Table, fresh
from lanterns_env.film import film
from lanterns_env.replay import Replay, record

IMAGES = pathlib.Path(__file__).parents[2] / "docs" / "images"
AGENT, SEED = "expert", 3
WIDTH, SECONDS = 560, 0.7


def played(name: str) -> Replay:
    """A game of as few players as may be, all of one kind."""
    table = Batch(name, 1, min(GAMES[name].players), seeds=[SEED], autoreset=False)
    agent, rng, actions = fresh(AGENT), np.random.default_rng(SEED), []
    while not table.dones[0]:
        actions.append(int(agent.act(Table(table, [0], [0]), rng)[0]))
        table.step(actions[-1:])
    return record(table, actions, [AGENT] * table.num_seats)


def main(names: list[str]) -> None:
    for name in names or GAMES:
        pictures = film(played(name), IMAGES / f"{name}.gif", "all", SECONDS, WIDTH)
        print(f"{name}.gif: {pictures} pictures")


if __name__ == "__main__":
    main(sys.argv[1:])
