"""Write the addresses of whoever publishes the package, from publish.toml, into every file that names one.

    python scripts/publisher.py

What stands between ``-- publisher: ...`` and ``-- end`` is written here; the rest of these files is left alone.
"""

import dataclasses
import pathlib
import re
import tomllib
from collections.abc import Callable
from typing import Any

from lanterns_env.support.files import write_whole

ROOT = pathlib.Path(__file__).parents[1]
SETTING = "publish.toml"
MARKED = re.compile(r"^(.*-- publisher: (\w+) --.*\n)(?:.*\n)*?(.*-- end --.*\n)", re.MULTILINE)
WEB = re.compile(r"https?://[^\s\"\\<>]+")
MAIL = re.compile(r"[^\s\"\\<>@]+@[^\s\"\\<>@]+")
SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclasses.dataclass(frozen=True)
class Publisher:
    """Where the package is published; what is not known is empty."""

    repository: str = ""
    documentation: str = ""
    contact: str = ""
    archive: str = ""
    sha256: str = ""

    def __post_init__(self) -> None:
        for name in ("repository", "documentation", "archive"):
            check(name, getattr(self, name), WEB)
        check("sha256", self.sha256, SHA256)
        check("contact", self.contact, WEB, MAIL)
        if bool(self.archive) != bool(self.sha256):
            raise ValueError(f"{SETTING}: archive and sha256 belong together: give both, or none")

    @property
    def home(self) -> str:
        return self.documentation or self.repository

    def within(self, path: str) -> str:
        """An address in the repository."""
        return f"{self.repository.rstrip('/')}/{path}" if self.repository else ""


def check(name: str, value: Any, *allowed: re.Pattern[str]) -> None:
    if value != "" and not (isinstance(value, str) and any(kind.fullmatch(value) for kind in allowed)):
        raise ValueError(f"{SETTING}: {name} = {value!r} is no such address or number; leave it empty if there is none")


def read_setting(file: pathlib.Path) -> Publisher:
    values = tomllib.loads(file.read_text())
    known = [each.name for each in dataclasses.fields(Publisher)]
    for name in values:
        if name not in known:
            raise ValueError(f"{SETTING}: there is no {name!r}; there are {', '.join(known)}")
    return Publisher(**values)


# -- what stands in the files: lines, none for an address that is not known -------------------------------------------


def lines_of(form: str, addresses: dict[str, str]) -> list[str]:
    return [form.format(name, address) for name, address in addresses.items() if address]


def urls(publisher: Publisher) -> list[str]:
    """Of pyproject.toml."""
    addresses = {
        "Homepage": publisher.home,
        "Documentation": publisher.documentation,
        "Repository": publisher.repository,
        "Issues": publisher.within("issues"),
        "Changelog": publisher.within("blob/HEAD/CHANGELOG.md"),
    }
    lines = lines_of('{} = "{}"', addresses)
    return ["[project.urls]", *lines] if lines else []


def citation(publisher: Publisher) -> list[str]:
    """Of CITATION.cff."""
    return lines_of('{}: "{}"', {"repository-code": publisher.repository, "url": publisher.documentation})


def site(publisher: Publisher) -> list[str]:
    """Of mkdocs.yml."""
    begin = publisher.documentation and publisher.documentation.rstrip("/") + "/"
    return lines_of("{}: {}", {"site_url": begin, "repo_url": publisher.repository})


def contact(publisher: Publisher) -> list[str]:
    """Of SECURITY.md."""
    if publisher.contact:
        return [f"Write to <{publisher.contact}>."]
    return [
        "This copy does not name a contact: whoever publishes the package fills one in, in `publish.toml`. Until then",
        "report privately to whom you have it from.",
    ]


def links(publisher: Publisher) -> list[str]:
    """Of the page on which a new issue is begun."""
    form = publisher.contact if WEB.fullmatch(publisher.contact) else publisher.within("security/policy")
    found = {
        "Documentation": (publisher.documentation, "Guides, rules and the reference."),
        "A weakness": (form, "How to report it privately."),
    }
    lines = [
        line
        for name, (address, about) in found.items()
        if address
        for line in (f"  - name: {name}", f"    url: {address}", f"    about: {about}")
    ]
    return ["contact_links:", *lines] if lines else []


def source(publisher: Publisher) -> list[str]:
    """Of the recipe for conda: a release, or the clone that the recipe lies in."""
    if publisher.archive:
        return [f"  url: {publisher.archive}", f"  sha256: {publisher.sha256}"]
    return ["  path: .."]


def about(publisher: Publisher) -> list[str]:
    """Of the same recipe."""
    names = {"homepage": publisher.home, "repository": publisher.repository, "documentation": publisher.documentation}
    return lines_of("  {}: {}", names)


BLOCKS: dict[str, Callable[[Publisher], list[str]]] = {
    each.__name__: each for each in (urls, citation, site, contact, links, source, about)
}
FILES = {
    "pyproject.toml": ("urls",),
    "CITATION.cff": ("citation",),
    "mkdocs.yml": ("site",),
    "SECURITY.md": ("contact",),
    ".github/ISSUE_TEMPLATE/config.yml": ("links",),
    "conda/recipe.yaml": ("source", "about"),
}


def current(text: str, publisher: Publisher) -> str:
    """A file as it ought to be."""

    def written(found: re.Match[str]) -> str:
        return found[1] + "".join(f"{line}\n" for line in BLOCKS[found[2]](publisher)) + found[3]

    return MARKED.sub(written, text)


def main() -> None:
    publisher = read_setting(ROOT / SETTING)
    for name in FILES:
        write_whole(ROOT / name, current((ROOT / name).read_text(), publisher))


if __name__ == "__main__":
    try:
        main()
    except ValueError as error:
        raise SystemExit(f"publisher: {error}") from None
