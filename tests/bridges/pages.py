"""The pages in docs/bridges show the code that the tests run."""

import pathlib
import re
from typing import Any

PAGES = pathlib.Path(__file__).parents[2] / "docs" / "bridges"


def run(page: str) -> dict[str, Any]:
    """Run the code of a page from top to bottom; the names it leaves behind."""
    code = re.findall(r"```python\n(.*?)```", (PAGES / page).read_text(), re.DOTALL)
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile("\n".join(code), page, "exec"), names)
    return names
