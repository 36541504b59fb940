"""The texts beside the site: a list of all pages, all of them as one text, each as Markdown."""

import pathlib
import re

import pytest

pytest.importorskip("mkdocs")
pytest.importorskip("mkdocstrings")
pytest.importorskip("material")

from mkdocs.config import load_config
from mkdocs.structure.files import get_files
from mkdocs.structure.nav import get_navigation

from scripts.pages import llms

ROOT = pathlib.Path(__file__).parents[1]
ENTRY = re.compile(r"- \[(.+)\]\((\S+)\)(?:: \S.*[.!?])?")
SITE = "https://docs.invalid/"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """What the hook writes, without the pages themselves."""
    folder = tmp_path_factory.mktemp("site")
    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder), site_url=SITE)
    files = get_files(config)
    llms.on_nav(get_navigation(files, config))
    for _, page in llms.pages():
        page.read_source(config)
        llms.on_page_markdown(page.markdown, page)
        (folder / page.url).mkdir(parents=True, exist_ok=True)
    llms.on_post_build(config)
    return folder


def test_every_page_is_listed_with_a_sentence_and_lies_there_as_markdown(site):
    lines = (site / "llms.txt").read_text().splitlines()
    assert "# lanterns_env" == lines[0]
    assert lines[2].startswith("> Three games of light")
    entries = [ENTRY.fullmatch(line) for line in lines if line.startswith("- ")]
    assert all(entries)
    pages = [found[2].removeprefix(SITE) for found in entries]
    documents = list((ROOT / "docs").rglob("*.md"))
    assert len(documents) == len(pages) == len(set(pages))
    assert {"index.md", "guides/matches/index.md", "reference/batch/index.md"} <= set(pages)
    for page in pages:
        assert (site / page).read_text().strip()
    sections = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    assert "Start" == sections[0]
    assert len(sections) == len(set(sections)) > 3


def test_the_one_text_holds_every_page_and_the_reference(site):
    whole = (site / "llms-full.txt").read_text()
    for page in site.rglob("*.md"):
        assert page.read_text() in whole
    assert not re.search(r"^(:::|--8<--)", whole, re.MULTILINE)
    assert "## `lanterns_env.engine.batch.Batch`" in whole
    assert re.search(r"### `step`\n\n```python\nstep\(actions: ", whole)
    assert "LU-32" in whole  # of the rules, which a page takes from another file


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("# Title\n\nFirst [here](a.md). Second.\n", "First here."),
        ("# Title\n\n```python\n1 + 1\n```\n\nis two. Then more.\n\nA paragraph.\n", "A paragraph."),
        ("# Title\n\n![Picture](a.svg)\n\n| a |\n|---|\n\nAs follows:\n", "As follows."),
        ("# Title\n\n<!-- not this -->\nIt says `a.b` and v1.2 is out. More.", "It says `a.b` and v1.2 is out."),
        ("# Title\n\n| a | b |\n", ""),
    ],
)
def test_a_page_is_summed_up_by_its_first_sentence(text, sentence):
    assert sentence == llms.first_sentence(text)
