"""A panel of two quick members at three tables, with a deal or two: it replaces the real one while a test runs."""

import json
from dataclasses import replace

from lanterns_env.score.members import name_of_panel, sources
from lanterns_env.score.panel import Panel, panel_json
from lanterns_env.score.protocol import Protocol
from lanterns_env.support.files import sealed

MEMBERS = ("random", "greedy")
TABLES = (("lanterns", 2), ("lanterns", 3), ("lighthouse", 2))
DEALS = {2: 2, 3: 1}
STRENGTHS = {"random": -4.0, "greedy": -1.0}


def panel_now(**more):
    """Of the members as they are."""
    files = sources()
    made = Panel(name_of_panel(Protocol(), files), 0, (), files, dict.fromkeys(TABLES, STRENGTHS))
    return replace(made, **more)


def write(file, panel):
    file.write_text(json.dumps(sealed(panel_json(panel))))
