"""The reference names what there is, and docstrings explain every argument of what takes many."""

import inspect
import pathlib
import pydoc
import re

import pytest

FOLDER = pathlib.Path(__file__).parents[1] / "docs" / "reference"
FEW = 4  # arguments that a sentence can explain
SECTION = re.compile(r"^(?:Args|Attributes):\n((?:    .*\n|\n)+)", re.MULTILINE)
ENTRY = re.compile(r"^ {4}\*{0,2}(\w+): ", re.MULTILINE)


def named():
    """What the pages name: functions and classes, of a module all that it defines in public."""
    for page in sorted(FOLDER.glob("*.md")):
        for path in re.findall(r"^::: (\S+)", page.read_text(), re.MULTILINE):
            found = pydoc.locate(path)
            assert found is not None, f"{page.name}: {path}"
            if inspect.ismodule(found):
                members = vars(found).items()
                yield from (each for name, each in members if callable(each) and is_public(name, each, found.__name__))
            else:
                yield found


def is_public(name, member, module):
    return not name.startswith("_") and getattr(member, "__module__", "") == module


def callables():
    """All of these, and the public methods of the classes."""
    for each in named():
        yield each
        if inspect.isclass(each):
            yield from (method for name, method in vars(each).items() if inspect.isfunction(method) and name[0] != "_")


def arguments(function):
    return [name for name in inspect.signature(function).parameters if name != "self"]


def explained(function):
    """The names in the section of arguments, of a dataclass that of attributes."""
    section = SECTION.search((inspect.getdoc(function) or "") + "\n")
    return ENTRY.findall(section[1]) if section else []


LONG = {each.__qualname__: each for each in callables() if len(arguments(each)) > FEW or explained(each)}


@pytest.mark.parametrize("function", sorted(LONG))
def test_every_argument_is_explained(function):
    assert arguments(LONG[function]) == explained(LONG[function])


def test_the_reference_has_what_is_asked_for_most():
    wanted = {"Batch", "GameEnv", "SeatEnv", "SeatVectorEnv", "SeatVecEnv", "Search", "play_match", "play_ladder"}
    assert {*wanted, "check_env", "reproduce"} <= set(LONG)


def test_everything_in_the_reference_has_a_docstring():
    assert [] == [each.__qualname__ for each in named() if not (each.__doc__ or "").strip()]
