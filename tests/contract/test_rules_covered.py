"""Every numbered rule has a test that bears its number, or a reason why it has none."""

import importlib
import pathlib
import re

import lanterns_env

GAMES_FOLDER = pathlib.Path(lanterns_env.__file__).parent / "games"
TESTS = pathlib.Path(__file__).parents[1]
NUMBER = re.compile(r"\b([A-Z]{2}-A?\d+[a-z]?)\b")


def test_every_rule_has_a_test(name):
    rules = set(NUMBER.findall((GAMES_FOLDER / name / "RULES.md").read_text()))
    sources = [file.read_text() for file in (TESTS / name).glob("test_*.py")]
    named = re.findall(r"def test_([A-Z]{2})_(A?\d+[a-z]?)_", "\n".join(sources))
    tested = {f"{letters}-{number}" for letters, number in named}
    untested = importlib.import_module(f"tests.{name}.test_rules").NO_BEHAVIOUR
    assert len(rules) > 20
    assert all(untested.values())
    assert rules - tested - set(untested) == set()
    assert set(untested) & tested == set()


def test_every_worked_example_has_a_test(name):
    sources = (TESTS / name / "test_examples.py").read_text()
    numbers = {int(number) for number in re.findall(r"def test_[A-Z]{2}_T(\d+)", sources)}
    assert numbers == set(range(1, max(numbers) + 1))
    assert len(numbers) >= 27
