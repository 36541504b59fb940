"""Run the notebooks in docs/notebooks, keep what their cells show, and write them as pages of the site.

    python scripts/pages/notebooks.py           # all
    python scripts/pages/notebooks.py measure   # one

The cells run as plain Python, in the order in which they stand, in one fresh namespace and a folder of their own: no
Jupyter is needed.  The last expression of a cell is shown as Jupyter shows it: as a picture, as HTML or as text.
"""

import argparse
import ast
import base64
import contextlib
import io
import json
import os
import pathlib
import re
import tempfile
from collections.abc import Iterator
from typing import Any

from lanterns_env.support.files import write_whole

FOLDER = pathlib.Path(__file__).parents[2] / "docs" / "notebooks"
SHOWN = {
    "_repr_svg_": "image/svg+xml",
    "_repr_png_": "image/png",
    "_repr_html_": "text/html",
}  # the first that is there
PLAIN = "text/plain"
ADDRESS = re.compile(r" at 0x[0-9a-f]+")
NOTE = "This page is a notebook: [download it]({name}.ipynb), open it in Jupyter and change it.\n"

Cell = dict[str, Any]
Output = dict[str, Any]


# -- running ----------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def folder_of_its_own() -> Iterator[None]:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        yield


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs of its cells."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    with folder_of_its_own():
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                count += 1
                cell = {
                    **cell,
                    "execution_count": count,
                    "outputs": run_cell("".join(cell["source"]), namespace, count),
                }
            cells.append(cell)
    return {**notebook, "cells": cells}


def run_cell(source: str, namespace: dict[str, Any], count: int) -> list[Output]:
    """What a cell prints and shows."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    if value is not None:
        shown = {"data": data_of(value), "execution_count": count, "metadata": {}, "output_type": "execute_result"}
        outputs.append(shown)
    return outputs


def data_of(value: Any) -> dict[str, Any]:
    """A value as Jupyter keeps it, by kind."""
    data: dict[str, Any] = {PLAIN: lines(ADDRESS.sub("", repr(value)))}
    for method, kind in SHOWN.items():
        shown = getattr(value, method)() if hasattr(value, method) else None
        if shown is not None:
            return data | {kind: base64.b64encode(shown).decode() if isinstance(shown, bytes) else lines(shown)}
    return data


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


# -- the page ---------------------------------------------------------------------------------------------------


def page_of(name: str, notebook: dict[str, Any]) -> dict[str, bytes]:
    """The files of a page: its Markdown, and its pictures beside it."""
    files: dict[str, bytes] = {}
    parts = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"``` {{ .python .cell }}\n{source}\n```")
        parts += [shown(output, f"{name}-{cell['execution_count']}", files) for output in cell["outputs"]]
    title, _, rest = "\n\n".join(parts).partition("\n")
    files[f"{name}.md"] = f"{title}\n\n{NOTE.format(name=name)}{rest}\n".encode()
    return files


def shown(output: Output, name: str, files: dict[str, bytes]) -> str:
    """One output as Markdown."""
    if output["output_type"] == "stream":
        return text_block(output["text"])
    data = output["data"]
    for kind, suffix in (("image/svg+xml", "svg"), ("image/png", "png")):
        if kind in data:
            file = f"{name}.{suffix}"
            files[file] = base64.b64decode(data[kind]) if suffix == "png" else "".join(data[kind]).encode()
            return f"![What the cell shows]({file})"
    return "".join(data["text/html"]) if "text/html" in data else text_block(data[PLAIN])


def text_block(text: list[str]) -> str:
    return "``` { .text .shown }\n" + "".join(text).rstrip("\n") + "\n```"


# -- files ------------------------------------------------------------------------------------------------------


def names() -> list[str]:
    return sorted(file.stem for file in FOLDER.glob("*.ipynb"))


def read(name: str) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads((FOLDER / f"{name}.ipynb").read_text())
    return notebook


def write(name: str, notebook: dict[str, Any]) -> None:
    """The notebook and its page; pictures of cells that are no more go."""
    write_whole(FOLDER / f"{name}.ipynb", json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    files = page_of(name, notebook)
    for old in FOLDER.glob(f"{name}-*.*"):
        if old.name not in files:
            os.remove(old)
    for file, data in files.items():
        write_whole(FOLDER / file, data)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="of notebooks (default: all)")
    for name in parser.parse_args().names or names():
        print(name)
        write(name, executed(read(name)))


if __name__ == "__main__":
    main()
