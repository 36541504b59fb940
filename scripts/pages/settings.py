"""Write docs/settings.md, all settings of training, from the classes that hold them.

    python scripts/pages/settings.py

What a setting means is the line of help beside its field, which ``--help`` shows too.
"""

import inspect
import pathlib

from lanterns_agents.training.config import Config, ImitationConfig
from lanterns_agents.training.settings import Setting, settings_of

from lanterns_env.support.files import write_whole

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "settings.md"
HEAD = """# Settings

Settings are keys of a TOML file, or stand on the command line, where they override the file: `learning_rate=3e-4`, or
`--learning-rate 3e-4`. `--help` lists them too. Those marked * cannot change when a run is resumed.
[PPO as implemented](guides/ppo.md) has CleanRL's names beside these. This page is written by
`scripts/pages/settings.py`.
"""
PPO = "## Training by PPO\n\n`scripts/train_ppo.py`, or `lanterns train`.\n"
IMITATION = """## Behaviour cloning

`scripts/pretrain_bc.py`, or `lanterns pretrain`. The settings above hold here too, except {without}.
These come in addition:
"""
TABLE = ["| setting | type | default | allowed | meaning |", "|---|---|---|---|---|"]


def row_of(setting: Setting) -> str:
    """A setting's line in the table."""
    kind = inspect.formatannotation(setting.kind).replace("|", "or")
    allowed = f"{setting.range.low:.12g} to {setting.range.high:.12g}" if setting.range else ""
    name = f"`{setting.name}`" + (" *" if setting.fixed else "")
    return f"| {name} | {kind} | `{setting.default!r}` | {allowed} | {setting.help} |"


def page() -> str:
    """The page as it ought to be; what both trainers have in common stands there once."""
    ppo, imitation = ({each.name: each for each in settings_of(kind)} for kind in (Config, ImitationConfig))
    without = ", ".join(f"`{name}`" for name in ppo if name not in imitation)
    more = [row_of(each) for name, each in imitation.items() if name not in ppo]
    lines = [HEAD, PPO, *TABLE, *map(row_of, ppo.values()), "", IMITATION.format(without=without), *TABLE, *more]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    write_whole(PAGE, page())
