"""A package of somebody else, installed: its module leaves a mark where it is imported."""

import pathlib
import sys

import pytest

from lanterns_env import agent

MODULE = """import pathlib

pathlib.Path({mark!r}).touch()


class Planted:
    def act(self, table, rng):
        return table.sample(rng)
"""
METADATA = "Metadata-Version: 2.1\nName: planted-agents\nVersion: 1.0\n"


def plant(folder: pathlib.Path, patch: pytest.MonkeyPatch, *names: str) -> pathlib.Path:
    """Install agents of these names; the mark that they leave when one is loaded."""
    mark, info = folder / "mark", folder / "planted_agents-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(METADATA)
    entries = "".join(f"{name} = planted_agents:Planted\n" for name in names)
    (info / "entry_points.txt").write_text(f"[lanterns_env.agents]\n{entries}")
    (folder / "planted_agents.py").write_text(MODULE.format(mark=str(mark)))
    patch.delitem(sys.modules, "planted_agents", raising=False)
    patch.syspath_prepend(str(folder))
    patch.setattr(agent, "_offered", agent._offered.__wrapped__)  # what is looked up once is looked up anew
    return mark
