"""A hook of MkDocs: beside the site it writes what programs read that answer questions about the package.

``llms.txt`` lists all pages with a sentence each, ``llms-full.txt`` holds all of them as one text, and every page lies
beside itself as Markdown.  In these, the reference stands written out where a page names what it documents.
"""

import pathlib
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

import griffe

ROOT = pathlib.Path(__file__).parents[2]
SOURCES = [ROOT, ROOT / "agents"]
START = "Start"  # the section of pages that are in none
MARKDOWN = "index.md"  # of a page, in its folder of the site
DIRECTIVE = re.compile(r"^::: ([\w.]+)\n(?:    .*\n|\n(?=    ))*", re.MULTILINE)
NO_TEXT = re.compile(r"<!--.*?-->|^```.*?^```|^ *(?:[#|>!]|\[!|-+$|<).*?$", re.DOTALL | re.MULTILINE)
SNIPPET = re.compile(r'^--8<-- "([^"]+)"$', re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
SENTENCE = re.compile(r"(.+?[.:!?])(?:\s+(?=[A-Z`])|$)", re.DOTALL)

_texts: dict[str, str] = {}  # Markdown of the pages, by source
_navigation: list[Any] = []


def on_nav(nav: Any, **_: Any) -> None:
    _navigation[:] = nav.items


def on_page_markdown(markdown: str, page: Any, **_: Any) -> None:
    whole = SNIPPET.sub(lambda found: included(found[1]), markdown + "\n")
    _texts[page.file.src_uri] = DIRECTIVE.sub(lambda found: documented(found[1]), whole).strip() + "\n"


def included(source: str) -> str:
    """A file, or the section of it that is named behind a colon."""
    name, _, section = source.partition(":")
    text = (ROOT / name).read_text()
    if section:
        text = re.split(rf"<!-- --8<-- \[(?:start|end):{section}\] -->\n", text)[1]
    return text


def on_post_build(config: Any, **_: Any) -> None:
    site = pathlib.Path(config.site_dir)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (site / "llms.txt").write_text(contents(project, config.site_url or ""))
    (site / "llms-full.txt").write_text("\n".join(_texts[page.file.src_uri] for _, page in pages()))
    for _, page in pages():
        (site / address(page)).write_text(_texts[page.file.src_uri])


# -- the list of pages ------------------------------------------------------------------------------------------------


def contents(project: dict[str, Any], site_url: str) -> str:
    """What there is to read, by sections of the navigation."""
    lines = [f"# {project['name']}", "", f"> {project['description']}.", ""]
    lines += [f"Version {project['version']}. All pages as one text: [llms-full.txt]({site_url}llms-full.txt).", ""]
    section = ""
    for name, page in pages():
        if name != section:
            lines += [f"## {name}", ""] if not section else ["", f"## {name}", ""]
            section = name
        said = first_sentence(_texts[page.file.src_uri])
        lines.append(f"- [{page.title}]({site_url}{address(page)}){': ' * bool(said)}{said}")
    return "\n".join(lines) + "\n"


def pages() -> Iterator[tuple[str, Any]]:
    """All pages in their order, each with the section that it stands in; first those that are in none."""
    yield from ((START, item) for item in _navigation if item.is_page)
    for item in _navigation:
        if item.is_section:
            yield from ((item.title, page) for page in item.children if page.is_page)


def address(page: Any) -> str:
    """Of its Markdown, within the site."""
    return f"{page.url.removesuffix('./')}{MARKDOWN}"


def first_sentence(markdown: str) -> str:
    """Of the text of a page: no heading, no table, no code, no picture; nothing where it begins with these alone."""
    for paragraph in NO_TEXT.sub("", markdown).split("\n\n"):
        words = " ".join(LINK.sub(r"\1", paragraph).split())
        found = SENTENCE.match(words)
        if found and not words[0].islower():  # which goes on with what a block of code began
            return f"{found[1].rstrip(':.')}."
    return ""


# -- the reference ----------------------------------------------------------------------------------------------------


@cache
def sources(package: str) -> Any:
    """All of a package, read and not run."""
    return griffe.load(package, search_paths=SOURCES)


def documented(path: str) -> str:
    """What the reference says of a class, a function or a module, as Markdown."""
    package, _, rest = path.partition(".")
    found = sources(package)[rest]
    parts = [f"## `{path}`", *entry(found)]
    if not found.is_function:
        for name, member in found.members.items():
            if not name.startswith("_") and not member.is_alias and (member.is_function or member.is_class):
                parts += [f"### `{name}`", *entry(member)]
    return "\n\n".join(parts) + "\n"


def entry(found: Any) -> Iterator[str]:
    """How it is called, and its docstring."""
    if found.is_function:
        yield f"```python\n{found.signature()}\n```"
    elif found.is_class and found.parameters:
        begun = found.all_members.get("__init__")
        yield f"```python\n{begun.signature() if begun else found.name}\n```"
    if found.docstring:
        yield found.docstring.value
