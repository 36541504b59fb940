"""An environment by the name of what makes it: ``package.module:function``."""

import ast
import functools
import importlib
import os
import sys
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from typing import Any

USUAL = "env"  # the function that a PettingZoo module offers


def factory_of(target: str, options: dict[str, Any]) -> Callable[[], Any]:
    """What makes the environment, from an installed package or the current folder."""
    module_name, _, name = target.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except Exception as error:  # whatever somebody's module raises while it is imported
        raise ValueError(f"{module_name} cannot be imported: {type(error).__name__}: {error}") from error
    make_env = getattr(module, name or USUAL, None)
    if not callable(make_env):
        offered = [each for each in ("env", "raw_env", "parallel_env") if callable(getattr(module, each, None))]
        there = f"; it offers {', '.join(offered)}" if offered else ""
        raise ValueError(f"{module_name} has no function {name or USUAL!r} that makes an environment{there}")
    make = functools.partial(make_env, **options)
    try:
        make()
    except Exception as error:
        raise ValueError(f"{target} makes no environment: {type(error).__name__}: {error}") from error
    return make


def parsed(pairs: Iterable[str]) -> dict[str, Any]:
    """ "name=value": numbers, True, None, lists and quoted texts as in Python, anything else as a text."""
    arguments: dict[str, Any] = {}
    for pair in pairs:
        name, sign, value = (part.strip() for part in pair.partition("="))
        if not sign:
            raise ValueError(f"an argument is given as NAME=VALUE, not {pair!r}")
        try:
            arguments[name] = ast.literal_eval(value)
        except (SyntaxError, ValueError):
            arguments[name] = value
    return arguments


def versions(target: str, packages: Iterable[str]) -> dict[str, str]:
    """Versions of these packages and of the one that the environment comes from, where they are installed."""
    top = target.partition(":")[0].partition(".")[0]
    names = dict.fromkeys([*packages_distributions().get(top, ()), *packages])
    found = {}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
