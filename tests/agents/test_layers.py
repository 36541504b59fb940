"""What imports what: a bot is never a library, and the environments know no agents."""

import ast
from pathlib import Path

import lanterns_agents
import pytest

import lanterns_env
from lanterns_env import GAMES

AGENTS, ENVIRONMENTS = (Path(package.__file__).parent for package in (lanterns_agents, lanterns_env))
BOTS = ("greedy", "expert")
PLAYERS = {f"lanterns_agents.{bot}" for bot in BOTS}  # the agents by name, which find the module of a game
OF_GAMES = {f"lanterns_agents.{game}.{bot}" for game in GAMES for bot in BOTS}


def imports(file):
    """The modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: a relative import"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def modules(package):
    """Name -> what it imports."""
    return {
        ".".join([package.name, *file.relative_to(package).with_suffix("").parts]): set(imports(file))
        for file in package.rglob("*.py")
    }


def behind(name, graph):
    """The modules that one needs, directly or not."""
    found, waiting = set(), [name]
    while waiting:
        for module in graph[waiting.pop()] & graph.keys() - found:
            found.add(module)
            waiting.append(module)
    return found


def test_no_module_imports_a_bot():
    expected = {name: set() for name in modules(AGENTS)}
    assert expected == {name: needed & (OF_GAMES | PLAYERS) for name, needed in modules(AGENTS).items()}


def test_only_the_agents_by_name_find_the_bots_of_the_games():
    """``module_for("greedy", ...)`` stands in greedy.py alone."""
    found = set()
    for file in AGENTS.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "module_for":
                first = node.args[0]
                if isinstance(first, ast.Constant) and first.value in BOTS:
                    found.add((file.relative_to(AGENTS).as_posix(), first.value))
    assert {("greedy.py", "greedy"), ("expert.py", "expert")} == found


@pytest.mark.parametrize("game", ["lumen", "lighthouse"])
def test_features_need_no_heuristics(game):
    needed = behind(f"lanterns_agents.{game}.features", modules(AGENTS))
    assert f"lanterns_agents.{game}.heuristics" not in needed
    assert not needed & (OF_GAMES | PLAYERS)
    assert len(needed) > 3  # it does need some


def test_environments_import_no_agents():
    expected = {name: set() for name in modules(ENVIRONMENTS)}
    found = {
        name: {module for module in needed if module.partition(".")[0] == "lanterns_agents"}
        for name, needed in modules(ENVIRONMENTS).items()
    }
    assert expected == found
