"""Values of any kind: kept, compared, spoilt."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

SHORT = 60  # characters of a value that a sentence shows


@dataclass(frozen=True)
class Failed:
    """What asking raised in place of an answer; two are the same if the exception is of the same type."""

    kind: str
    message: str = field(compare=False)

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"

    def __repr__(self) -> str:
        return f"an exception ({self.kind})"


def ask(function: Any, *arguments: Any) -> Any:
    """The answer, or that it failed."""
    try:
        return function(*arguments)
    except Exception as error:
        return Failed(type(error).__name__, short(str(error), 2 * SHORT))


def freeze(value: Any) -> Any:
    """A copy that later changes do not reach."""
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


def short(value: Any, length: int = SHORT) -> str:
    text = " ".join((value if isinstance(value, str) else repr(value)).split())
    return text if len(text) <= length else text[: length - 3] + "..."


def difference(expected: Any, found: Any, where: str) -> str | None:
    """Where two values differ first, in words; None if they are the same."""
    if isinstance(expected, np.ndarray) and isinstance(found, np.ndarray):
        return _array_difference(expected, found, where)
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        return _mapping_difference(expected, found, where)
    if isinstance(expected, (list, tuple)) and type(expected) is type(found):
        if len(expected) != len(found):
            return f"{where} has {len(found)} entries instead of {len(expected)}"
        pairs = enumerate(zip(expected, found, strict=True))
        parts = (difference(one, other, f"{where}[{place}]") for place, (one, other) in pairs)
        return next((part for part in parts if part), None)
    return None if _equal(expected, found) else f"{where} is {short(found)} instead of {short(expected)}"


def _mapping_difference(expected: Mapping[Any, Any], found: Mapping[Any, Any], where: str) -> str | None:
    if expected.keys() != found.keys():
        return f"{where} has the keys {short(list(found))} instead of {short(list(expected))}"
    parts = (difference(expected[key], found[key], f"{where}[{key!r}]") for key in expected)
    return next((part for part in parts if part), None)


def _array_difference(expected: Any, found: Any, where: str) -> str | None:
    if (expected.shape, expected.dtype) != (found.shape, found.dtype):
        return f"{where} is {found.dtype} of shape {found.shape} instead of {expected.dtype} of shape {expected.shape}"
    if np.array_equal(expected, found, equal_nan=expected.dtype.kind in "fc"):
        return None
    place = tuple(int(number) for number in np.argwhere(np.asarray(expected != found))[0])
    index = f"[{', '.join(map(str, place))}]" if place else ""
    return f"{where}{index} is {short(str(found[place]))} instead of {short(str(expected[place]))}"


def _equal(expected: Any, found: Any) -> bool:
    try:
        if expected is found or bool(expected == found) or bool(expected != expected and found != found):
            return True
    except Exception:
        return type(expected) is type(found)  # values that refuse to be compared
    if type(expected) is not type(found) or not hasattr(expected, "__dict__"):
        return False
    by_identity = getattr(type(expected), "__eq__", None) is getattr(object, "__eq__", None)
    return by_identity and difference(vars(expected), vars(found), "") is None


def spoil(value: Any) -> None:
    """Overwrite every array in something handed out: what was nonzero becomes 0, what was 0 becomes 1."""
    if isinstance(value, np.ndarray):
        if value.flags.writeable and value.dtype.kind in "biuf":
            value[...] = np.logical_not(value)
    elif isinstance(value, Mapping):
        for part in value.values():
            spoil(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            spoil(part)
