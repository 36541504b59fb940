"""How the sources are kept: words, sizes, and which way dependencies point."""

import ast
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLACES = (
    "lanterns_env",
    "agents",
    "scripts",
    "configs",
    "docs",
    "integrations",
    "tests",
    "README.md",
    "CONTRIBUTING.md",
    "AGENTS.md",
    "SECURITY.md",
    "CITATION.cff",
    ".github",
    "conda",
)
SOURCES = ("lanterns_env", "agents", "scripts")
TEXT = {".py", ".md", ".toml", ".json", ".yml", ".yaml", ".cff", ".svg", ".txt", ""}
RETIRED = r"(in|fore)?[s]ights?|wi[s]hes|warm[_]bot|tol[d]|over[s]|truncated[s]"  # it does not find itself
LONG_MODULES = {  # what reads best in one piece
    "agents/lanterns_agents/training/ppo.py",
    "lanterns_env/games/lanterns/rules.py",
    "lanterns_env/search/tree.py",
}
MOST_LINES, MOST_LINES_OF_A_FUNCTION, MOST_PARAMETERS, MOST_MODULES = 400, 50, 8, 20
COMPILED = {"jit", "template"}  # decorators
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def files(place):
    """All files of a folder that are written by hand or by a script, or the one file of that name."""
    found = [ROOT / place] if (ROOT / place).is_file() else sorted((ROOT / place).rglob("*"))
    return [file for file in found if file.is_file() and file.suffix in TEXT]


@cache
def modules():
    """The sources by path, parsed."""
    found = [file for place in SOURCES for file in files(place) if file.suffix == ".py"]
    return {file.relative_to(ROOT).as_posix(): ast.parse(file.read_text()) for file in found}


def functions():
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, Function):
                yield f"{path}:{node.lineno} {node.name}", node


# -- words and sizes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", PLACES)
def test_retired_words_are_gone(place):
    """As words of their own and as parts of names."""
    word = re.compile(rf"(?<![a-z])({RETIRED})(?![a-z])", re.IGNORECASE)
    found = [
        f"{file.relative_to(ROOT)}: {match[0]}"
        for file in files(place)
        if file != Path(__file__)
        for match in word.finditer(file.read_text())
    ]
    assert [] == found


def test_modules_are_short():
    lengths = {path: len((ROOT / path).read_text().splitlines()) for path in modules()}
    assert {path for path, length in lengths.items() if length > MOST_LINES} <= LONG_MODULES


def test_functions_are_short():
    lengths = {name: node.end_lineno - node.lineno + 1 for name, node in functions()}
    assert {} == {name: length for name, length in lengths.items() if length > MOST_LINES_OF_A_FUNCTION}


def test_compiled_functions_have_few_parameters():
    numbers = {
        name: len(node.args.args)
        for name, node in functions()
        if COMPILED & {decorator.id for decorator in node.decorator_list if isinstance(decorator, ast.Name)}
    }
    assert numbers
    assert {} == {name: number for name, number in numbers.items() if number > MOST_PARAMETERS}


def test_folders_are_small():
    numbers = Counter(str(Path(path).parent) for path in modules())
    assert {} == {folder: number for folder, number in numbers.items() if number > MOST_MODULES}


# -- dependencies -----------------------------------------------------------------------------------------------

LAYERS = (  # a module imports from its own layer and from those before it; the longest name that fits decides
    ("lanterns_env.engine.compile", "lanterns_env.engine.sources"),
    ("lanterns_env.support",),
    (
        "lanterns_env.engine.rng",
        "lanterns_env.engine.game",
        "lanterns_env.engine.planes",
        "lanterns_env.engine.words",
        "lanterns_env.games.letters",
        "lanterns_env.games.svg",
        "lanterns_env.games.raster",
    ),
    ("lanterns_env.games", "lanterns_env.games.lanterns", "lanterns_env.games.lumen", "lanterns_env.games.lighthouse"),
    ("lanterns_env.engine", "lanterns_env.envs.bookkeeping"),
    ("lanterns_env.envs", "lanterns_env.agent", "lanterns_env.search"),
    ("lanterns_env.match", "lanterns_env.seat", "lanterns_env.replay", "lanterns_env.solve"),
    ("lanterns_env", "lanterns_env.engine.warmup", "lanterns_env.engine.benchmarking"),
    ("lanterns_env.cli", "lanterns_env.__main__"),
    ("lanterns_agents",),
)
INSIDE_A_GAME = (
    ("components", "lake", "movement", "towers", "rules", "variants", "belief", "hidden", "reach", "search_keys"),
    ("sound",),
    ("observation",),
    ("text", "planes"),
    ("draw_text", "draw_tiles", "draw_panes", "draw_tricks", "draw_towers", "draw_orders", "draw_svg"),
    ("draw_compact", "outcome"),
)
LAZY = {("lanterns_env.engine.game", "lanterns_env.games")}  # pickles name a game, and are read by that name
ROOT_MODULE = "lanterns_env"  # hands out what other modules define, when it is asked for
GAMES = ("lanterns", "lumen", "lighthouse")
CORE = {"numpy", "numba", "gymnasium", "pettingzoo", *sys.stdlib_module_names}
EXTRAS = {  # what single modules may use beyond the core, where it is installed
    "lanterns_env.pytest_plugin": {"pytest"},
    "lanterns_env.sb3": {"stable_baselines3"},
    "lanterns_env.openspiel": {"pyspiel", "open_spiel"},
    "lanterns_env.games.raster": {"PIL"},
    "lanterns_env.envs.rendering": {"pygame"},
    "lanterns_env.match.rating_plot": {"PIL"},
    "lanterns_env.cli.tables": {"rich"},
}


def name_of(path):
    """A module by its dots."""
    parts = Path(path).with_suffix("").parts
    return ".".join(part for part in parts[parts[0] == "agents" :] if part != "__init__")


def imports(tree):
    """What a module imports, at any place but for the type checker alone."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (full_name(node.module or "", alias.name) for alias in node.names)
        elif not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield from imports(node)


@cache
def full_name(module, name):
    """The module itself, or the one of that name inside it."""
    return f"{module}.{name}" if f"{module}.{name}" in map(name_of, modules()) else module


def links():
    for path, tree in modules().items():
        for module in imports(tree):
            yield name_of(path), module


def layer(module):
    fits = [(len(name), number) for number, names in enumerate(LAYERS) for name in names if is_in(module, name)]
    return max(fits)[1]


def is_in(module, package):
    return module == package or module.startswith(package + ".")


def test_dependencies_point_one_way():
    """agents -> matches, environments and search -> engine -> games -> compiler."""
    found = [
        (module, other)
        for module, other in links()
        if ROOT_MODULE not in (module, other) and other.startswith("lanterns_") and module.startswith("lanterns_")
        if layer(other) > layer(module) and (module, other) not in LAZY
    ]
    assert [] == found


def test_games_know_nothing_of_each_other():
    found = [
        (module, other)
        for module, other in links()
        for game in GAMES
        if is_in(module, f"lanterns_env.games.{game}") or is_in(module, f"lanterns_agents.{game}")
        if any(rival in other.split(".")[1:] for rival in GAMES if rival != game)
    ]
    assert [] == found


@pytest.mark.parametrize("game", GAMES)
def test_inside_a_game_rules_know_no_view_and_views_no_words(game):
    folder = f"lanterns_env.games.{game}"
    order = {f"{folder}.{name}": number for number, names in enumerate(INSIDE_A_GAME) for name in names}
    inside = [link for link in links() if is_in(link[0], folder) and link[0] != folder and is_in(link[1], folder)]
    assert len(inside) > 10
    assert [] == [(module, other) for module, other in inside if order[other] > order[module]]


def test_the_environments_import_no_torch_and_nothing_else_that_is_not_theirs():
    found = {
        (module, other)
        for module, other in links()
        if is_in(module, "lanterns_env")
        if other.partition(".")[0] not in {"lanterns_env", *CORE} | EXTRAS.get(module, set())
    }
    assert set() == found


def test_the_compiler_is_reached_through_one_module():
    found = {module for module, other in links() if is_in(other, "numba") and module.startswith("lanterns_")}
    assert {"lanterns_env.engine.compile"} == found
