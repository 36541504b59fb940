"""What others read of the package: whose it is, how it is cited, built, tested and published; and all of it agrees."""

import importlib.util
import pathlib
import re
import tomllib

import pytest

ROOT = pathlib.Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = PYPROJECT["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
ADDRESS = re.compile(r"https?://\S+|[\w.+-]+@[\w-]+\.\w+")
PINNED = re.compile(r"[\w-]+/[\w-]+@(v\d+|release/v\d+)")
PYTHON = re.compile(r"Programming Language :: Python :: (3\.\d+)")
PUBLISHING = "pypa/gh-action-pypi-publish@"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FROM_A_CLONE = re.compile(r"(?:make [a-z]|python scripts/|pytest )[^`\n]*")  # commands that no installation brings
SAID = re.compile(r"\b(?:from|in) (?:a|the|this) clone\b", re.IGNORECASE)
FORM_FIELDS = {"name", "description", "labels", "body"}


def script(name):
    """A script of this folder, as a module."""
    spec = importlib.util.spec_from_file_location(pathlib.Path(name).stem, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


publisher = script("publisher")
FILLED = publisher.Publisher(
    repository="https://forge.invalid/us/lanterns_env",
    documentation="https://docs.invalid/lanterns_env",
    contact="https://forge.invalid/us/form",
    archive="https://forge.invalid/us/lanterns_env-0.1.0.tar.gz",
    sha256="0a" * 32,
)


def read_yaml(text):
    return pytest.importorskip("yaml").safe_load(text)


def filled(file):
    """A file as it is with all addresses."""
    return publisher.current((ROOT / file).read_text(), FILLED)


# -- addresses --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", publisher.FILES)
def test_every_file_has_the_addresses_of_the_one_setting(file):
    text = (ROOT / file).read_text()
    assert list(publisher.FILES[file]) == [found[2] for found in publisher.MARKED.finditer(text)]
    assert publisher.current(text, publisher.read_setting(ROOT / publisher.SETTING)) == text


@pytest.mark.parametrize("file", publisher.FILES)
def test_without_a_setting_there_is_no_address_anywhere(file):
    bare = publisher.current((ROOT / file).read_text(), publisher.Publisher())
    assert [] == ADDRESS.findall(bare)
    assert bare == publisher.current(filled(file), publisher.Publisher())


def test_with_a_setting_they_are_everywhere():
    home = FILLED.repository
    assert {
        "Homepage": FILLED.documentation,
        "Documentation": FILLED.documentation,
        "Repository": home,
        "Issues": f"{home}/issues",
        "Changelog": f"{home}/blob/HEAD/CHANGELOG.md",
    } == tomllib.loads(filled("pyproject.toml"))["project"]["urls"]
    citation = read_yaml(filled("CITATION.cff"))
    assert [home, FILLED.documentation] == [citation["repository-code"], citation["url"]]
    assert f"Write to <{FILLED.contact}>.\n" in filled("SECURITY.md")
    links = read_yaml(filled(".github/ISSUE_TEMPLATE/config.yml"))["contact_links"]
    assert [FILLED.documentation, FILLED.contact] == [link["url"] for link in links]
    recipe = read_yaml(filled("conda/recipe.yaml"))
    assert {"url": FILLED.archive, "sha256": FILLED.sha256} == recipe["source"]
    assert {"homepage": FILLED.documentation, "repository": home, "documentation": FILLED.documentation}.items() <= (
        recipe["about"].items()
    )
    site = filled("mkdocs.yml").splitlines()
    assert {f"site_url: {FILLED.documentation}/", f"repo_url: {home}"} <= set(site)


def test_part_of_a_setting_is_enough():
    part = publisher.Publisher(repository="https://forge.invalid/us/", contact="us@forge.invalid")
    project = tomllib.loads(publisher.current((ROOT / "pyproject.toml").read_text(), part))["project"]
    assert ["Homepage", "Repository", "Issues", "Changelog"] == list(project["urls"])
    assert "https://forge.invalid/us/issues" == project["urls"]["Issues"]
    (link,) = read_yaml("\n".join(publisher.links(part)))["contact_links"]
    assert "https://forge.invalid/us/security/policy" == link["url"]
    assert ["Write to <us@forge.invalid>."] == publisher.contact(part)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('repository = "our forge"', "repository = 'our forge' is no such address"),
        ('contact = "nobody"', "contact = 'nobody' is no such address"),
        ("documentation = 5", "documentation = 5 is no such address"),
        ('archive = "https://forge.invalid/a.tar.gz"', "archive and sha256 belong together"),
        ('home = ""', "there is no 'home'; there are repository, documentation, contact, archive, sha256"),
    ],
)
def test_a_setting_that_will_not_do_is_refused(text, said, tmp_path):
    (tmp_path / "publish.toml").write_text(text)
    with pytest.raises(ValueError, match=f"publish.toml: {said}"):
        publisher.read_setting(tmp_path / "publish.toml")


# -- what is said of the package ---------------------------------------------------------------------------------------


def test_the_citation_says_what_the_package_says():
    said = read_yaml((ROOT / "CITATION.cff").read_text())
    assert ("1.2.0", "software") == (said["cff-version"], said["type"])
    assert said["message"]
    names = {"title": "name", "version": "version", "abstract": "description", "license": "license"}
    assert {here: PROJECT[there] for here, there in names.items()} == {here: said[here] for here in names}
    assert PROJECT["keywords"] == said["keywords"]
    assert PROJECT["authors"] == said["authors"] == [{"name": "The lanterns_env developers"}]
    assert f"Copyright (c) 2026 {said['authors'][0]['name']}" in (ROOT / "LICENSE").read_text()


def test_the_recipe_needs_what_the_package_needs():
    recipe = read_yaml((ROOT / "conda" / "recipe.yaml").read_text())
    python = PROJECT["requires-python"].removeprefix(">=")
    assert {"version": PROJECT["version"], "python_min": python} == recipe["context"]
    assert PROJECT["name"] == recipe["package"]["name"]
    needed = sorted(re.sub(r"([<>=!])", r" \1", each, count=1) for each in PROJECT["dependencies"])
    assert needed == sorted(set(recipe["requirements"]["run"]) - {"python >=${{ python_min }}"})
    build = [each.replace(">=", " >=") for each in PYPROJECT["build-system"]["requires"]]
    assert ["python ${{ python_min }}.*", "pip", *build] == recipe["requirements"]["host"]
    programs = [f"{name} = {where}" for name, where in PROJECT["scripts"].items()]
    assert programs == recipe["build"]["python"]["entry_points"]
    assert (PROJECT["description"], PROJECT["license"]) == (recipe["about"]["summary"], recipe["about"]["license"])


def test_extras_that_have_the_same_need_it_alike():
    """One range for a package, whichever extra brings it."""
    ranges = {}
    for needs in PROJECT["optional-dependencies"].values():
        for need in needs:
            name, _, wanted = need.partition(">=")
            ranges.setdefault(name, set()).add(wanted)
    assert {} == {name: wanted for name, wanted in ranges.items() if len(wanted) > 1}


# -- where it is built -------------------------------------------------------------------------------------------------


def makefile():
    return re.findall(r"^([\w-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE)


def steps(workflow):
    for name, job in workflow["jobs"].items():
        yield from ((name, step) for step in job["steps"])


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_workflows_run_targets_that_there_are_and_name_versions(file):
    workflow = read_yaml(file.read_text())
    assert {"contents": "read"} == workflow["permissions"]
    for _, step in steps(workflow):
        if "uses" in step:
            assert PINNED.fullmatch(step["uses"]), step["uses"]
        elif step["run"].startswith("make"):
            assert step["run"].split()[1] in makefile()
            assert "PYTHON=python" == step["run"].split()[2]


def test_the_tests_run_with_every_python_that_is_named():
    workflow = read_yaml((ROOT / ".github" / "workflows" / "tests.yml").read_text())
    named = PYTHON.findall("\n".join(PROJECT["classifiers"]))
    assert named == workflow["jobs"]["test"]["strategy"]["matrix"]["python"]
    assert PROJECT["requires-python"] == f">={named[0]}"
    assert {"make test PYTHON=python", "make check PYTHON=python", "make wheel PYTHON=python"} <= {
        step.get("run") for _, step in steps(workflow)
    }


def test_a_release_is_published_without_a_password_and_signed():
    workflow = read_yaml((ROOT / ".github" / "workflows" / "release.yml").read_text())
    ((name, step),) = [each for each in steps(workflow) if each[1].get("uses", "").startswith(PUBLISHING)]
    assert {"attestations": True} == step["with"]
    job = workflow["jobs"][name]
    assert ("build", "release", {"id-token": "write"}) == (job["needs"], job["environment"], job["permissions"])
    assert "permissions" not in workflow["jobs"]["build"]
    assert "make wheel PYTHON=python" in {step.get("run") for _, step in steps(workflow)}


@pytest.mark.parametrize("file", [file for file in FORMS if file.name != "config.yml"], ids=lambda file: file.name)
def test_the_forms_for_issues_are_whole(file):
    form = read_yaml(file.read_text())
    assert set(form) == FORM_FIELDS
    names = [part["id"] for part in form["body"]]
    assert len(set(names)) == len(names)
    assert all(part["attributes"]["label"] for part in form["body"])
    assert any(part["validations"]["required"] for part in form["body"] if "validations" in part)


def test_the_form_for_rules_names_the_games():
    from lanterns_env import GAMES

    form = read_yaml((ROOT / ".github" / "ISSUE_TEMPLATE" / "rules.yml").read_text())
    (games,) = (part["attributes"]["options"] for part in form["body"] if part["id"] == "game")
    assert sorted(game.title for game in GAMES.values()) == sorted(games)


@pytest.mark.parametrize("file", ["AGENTS.md", "SECURITY.md"])
def test_what_a_guide_names_is_there(file):
    text = (ROOT / file).read_text()
    named = re.findall(r"\]\(([\w./-]+)\)", text) + re.findall(r"`((?:tests|docs|agents|lanterns_env)/[\w/.]*)`", text)
    assert named
    for path in named:
        assert (ROOT / path).exists(), path
    assert set(re.findall(r"`make ([\w-]+)", text)) <= set(makefile())


def commands(text):
    """In blocks, and in the middle of a sentence."""
    for block in re.findall(r"```(?:sh|console)\n(.*?)```", text, re.DOTALL):
        yield from block.splitlines()
    yield from re.findall(r"`([^`\n]+)`", text)


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_a_page_that_needs_a_clone_says_so(file):
    text = re.sub(r"<!--.*?-->", "", file.read_text(), flags=re.DOTALL)
    needing = [command for command in commands(text) if FROM_A_CLONE.fullmatch(command)]
    assert not needing or SAID.search(text), needing[0]
