"""Write docs/settings.md, all settings of the trainer, from the dataclass that holds them.

    python scripts/pages/settings.py

What a setting means is the comment beside its field, which ``--help`` shows too.
"""

import ast
import dataclasses
import inspect
import io
import pathlib
import tokenize
from typing import Any

from lanterns_env.engine.files import write_whole

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "settings.md"
RANGE, FIXED = "range", "fixed"  # what the metadata of a field may hold
HEAD = """# Settings

Written by `python scripts/pages/settings.py`: do not edit.

The settings of `scripts/train_ppo.py`, as keys of a TOML file or on the command line, where they override the file:
`--learning-rate 3e-4`. Settings marked * cannot change when a run is resumed. `--help` shows the same list.
[PPO as implemented](guides/ppo.md) has CleanRL's names beside these.
"""
TABLE = ["| setting | type | default | allowed | meaning |", "|---|---|---|---|---|"]


def meanings(settings: type) -> dict[str, str]:
    """What is said of every field: the comment at the end of its line, or the lines of comments before it."""
    found: dict[str, str] = {}
    for kind in reversed(settings.__mro__):
        if dataclasses.is_dataclass(kind):
            source = inspect.cleandoc(inspect.getsource(kind))
            beside, before = comments_of(source)
            for node in ast.parse(source).body[0].body:  # type: ignore[attr-defined]
                if isinstance(node, ast.AnnAssign):
                    meaning = beside.get(node.end_lineno or 0) or before.get(node.lineno - 1, "")
                    found[ast.unparse(node.target)] = meaning.replace("|", "\\|")
    return found


def comments_of(source: str) -> tuple[dict[int, str], dict[int, str]]:
    """Comments by their lines: those beside code, and those of whole lines with the lines before joined to them."""
    beside: dict[int, str] = {}
    before: dict[int, str] = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        line, words = token.start[0], token.string.lstrip("# ")
        if token.type != tokenize.COMMENT:
            continue
        if token.line.lstrip().startswith("#"):
            before[line] = f"{before.get(line - 1, '')} {words}".strip()
        else:
            beside[line] = words
    return beside, before


def default_of(field: dataclasses.Field[Any]) -> Any:
    return field.default if field.default is not dataclasses.MISSING else field.default_factory()  # type: ignore[misc]


def row_of(field: dataclasses.Field[Any], meaning: str) -> str:
    """A setting's line in the table."""
    kind = field.type if isinstance(field.type, str) else inspect.formatannotation(field.type)
    low_high = field.metadata.get(RANGE)
    allowed = "{:.12g} to {:.12g}".format(*low_high) if low_high else ""
    name = f"`{field.name}`" + (" *" if field.metadata.get(FIXED) else "")
    return f"| {name} | `{kind}` | `{default_of(field)!r}` | {allowed} | {meaning} |"


def page_of(settings: type) -> str:
    """The page as it ought to be."""
    said = meanings(settings)
    rows = [row_of(field, said[field.name]) for field in dataclasses.fields(settings)]
    return "\n".join([HEAD, *TABLE, *rows]) + "\n"


def main() -> None:
    from lanterns_agents.training.config import Config

    write_whole(PAGE, page_of(Config))


if __name__ == "__main__":
    main()
