"""A pytest plugin: ``pytest --check-env package.module:env`` runs the conformance kit, one test a check.

In a project the environments stand in pytest's settings, and are checked with its other tests:

    [tool.pytest.ini_options]
    check_env = ["package.module:env", "package.other:parallel_env"]
    check_env_arguments = ["chance=False", "hidden=False"]

Nothing heavy is imported unless an environment is named.
"""

from typing import Any

import pytest

ENVIRONMENTS, ARGUMENTS = "check_env", "check_env_arguments"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option and the settings."""
    group = parser.getgroup("lanterns_env", "conformance of PettingZoo environments")
    group.addoption("--check-env", action="append", default=[], metavar="MODULE:ENV", help="check this environment too")
    parser.addini(ENVIRONMENTS, "environments to check, as package.module:function", type="linelist")
    parser.addini(ARGUMENTS, "NAME=VALUE of lanterns_env.testing.check_env, for all of them", type="linelist")


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add a test for every check of every environment named."""
    for target in dict.fromkeys([*config.getini(ENVIRONMENTS), *config.getoption("--check-env")]):
        from lanterns_env.testing import CHECKS

        environment = CheckedEnv(target, config.getini(ARGUMENTS))
        items += [
            CheckItem.from_parent(session, name=f"{target}::{check}", of=environment, check=check) for check in CHECKS
        ]


class CheckedEnv:
    """An environment and what was found in it: its games are played once for all checks."""

    def __init__(self, target: str, arguments: list[str]) -> None:
        self.target, self.arguments = target, arguments
        self._found: dict[str, Any] | None = None

    @property
    def found(self) -> dict[str, Any]:
        if self._found is None:
            from lanterns_env.testing import run_checks
            from lanterns_env.testing.play import Kit
            from lanterns_env.testing.target import factory_of, parsed

            kit = Kit(make_env=factory_of(self.target, {}), **parsed(self.arguments))
            self._found = run_checks(kit)
        return self._found


class CheckItem(pytest.Item):
    """One check of one environment."""

    def __init__(self, *, of: CheckedEnv, check: str, **given: Any) -> None:
        super().__init__(**given)
        self.environment, self.check = of, check

    def runtest(self) -> None:
        """Fail with what the check found."""
        findings = self.environment.found[self.check]
        if findings is None:
            pytest.skip("left out: what it builds on has a fault")
        if findings:
            pytest.fail("\n".join(map(str, findings)), pytrace=False)

    def reportinfo(self) -> tuple[str, None, str]:
        """Where pytest says that a test stands."""
        return self.environment.target, None, self.name
