"""Write the tables of sizes in docs/networks anew, from the networks themselves.

    python scripts/pages/networks.py

Everything between ``<!-- table network -->`` and ``<!-- end -->`` is generated; the rest of a page is left alone.
"""

import pathlib
import re

import torch
from lanterns_agents.networks.base import make_network

from lanterns_env import GAMES
from lanterns_env.support.files import write_whole

FOLDER = pathlib.Path(__file__).parents[2] / "docs" / "networks"
MARKED = re.compile(r"(<!-- table network -->\n).*?(<!-- end -->)", re.DOTALL)


def size_table(name: str) -> list[str]:
    """The layers of a game's network with the default sizes, and their parameters."""
    with torch.random.fork_rng():
        network = make_network(GAMES[name])
    rows = ["| layer | shape | parameters |", "|---|---|--:|"]
    total = 0
    for layer, module in network.named_modules():
        count = sum(weight.numel() for weight in module.parameters(recurse=False))
        if count:
            shapes = ", ".join(" x ".join(map(str, weight.shape)) for weight in module.parameters(recurse=False))
            rows.append(f"| `{layer}` | {shapes} | {count:,} |")
            total += count
    sizes = " and ".join(f"`{key}` {size}" for key, size in network.sizes.items())
    return [f"With {sizes}, the defaults: {total:,} parameters.", "", *rows]


def current(page: str, name: str) -> str:
    """The page with its table as it ought to be."""
    return MARKED.sub(lambda found: found[1] + "\n".join(size_table(name)) + "\n" + found[2], page)


def main() -> None:
    for name in GAMES:
        file = FOLDER / f"{name}.md"
        write_whole(file, current(file.read_text(), name))


if __name__ == "__main__":
    main()
