"""Whether a line of a run has what an assertion wants of it: a pattern against a value, both plain JSON.

Of an object every member of the pattern must fit and there may be more; a list has as many places as the pattern, and
each fits; all else is equal, and true is not 1. An object whose one key begins with `$` is an operator: see OPERATORS.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

ABSENT = object()
"""Stands for a member that is not there."""
PATTERN_LIMIT = 1000
"""Characters of a `$matches`."""


def fits(wanted: Any, seen: Any) -> bool:
    """See the module. seen: ABSENT where the value is not there."""
    if isinstance(wanted, dict):
        operator = operator_of(wanted)
        if operator is not None:
            return OPERATORS[operator][0](wanted[operator], seen)
        return isinstance(seen, Mapping) and all(fits(each, seen.get(key, ABSENT)) for key, each in wanted.items())
    if isinstance(wanted, list):
        return isinstance(seen, list) and len(wanted) == len(seen) and all(map(fits, wanted, seen))
    return equal(wanted, seen)


def equal(one: Any, other: Any) -> bool:
    """Equal as JSON: true is not 1, and a float is the number that it is."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(equal(each, other[key]) for key, each in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal, one, other))
    return bool(one == other)


def operator_of(wanted: Mapping[str, Any]) -> str | None:
    """The operator that an object is, or None where it is a plain one."""
    if len(wanted) == 1:
        (key,) = wanted
        if key.startswith("$"):
            return key
    return None


def _has(wanted: Any, seen: Any) -> bool:
    if isinstance(seen, str):
        return all(isinstance(each, str) and each in seen for each in wanted)
    return isinstance(seen, list) and all(any(fits(each, item) for item in seen) for each in wanted)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_expression(value: Any) -> bool:
    if not isinstance(value, str) or len(value) > PATTERN_LIMIT:
        return False
    try:
        expression(value)
    except re.error:
        return False
    return True


@cache
def expression(text: str) -> re.Pattern[str]:
    return re.compile(text)


OPERATORS: Mapping[str, tuple[Callable[[Any, Any], bool], Callable[[Any], bool], str]] = {
    "$absent": (
        lambda wanted, seen: (seen is ABSENT) == wanted, lambda value: isinstance(value, bool),
        "true: the member is not there; false: it is",
    ),
    "$all": (
        lambda wanted, seen: all(fits(each, seen) for each in wanted), lambda value: isinstance(value, list),
        "each of these patterns fits",
    ),
    "$any": (
        lambda wanted, seen: any(fits(each, seen) for each in wanted), lambda value: isinstance(value, list),
        "one of these patterns fits",
    ),
    "$not": (
        lambda wanted, seen: seen is not ABSENT and not fits(wanted, seen), lambda value: True,
        "the value is there, and this pattern does not fit",
    ),
    "$has": (
        _has, lambda value: isinstance(value, list),
        "of a list: each of these patterns fits some place; of a text: each of these texts is in it",
    ),
    "$is": (
        lambda wanted, seen: equal(wanted, seen), lambda value: True,
        "equal to this value, without further members",
    ),
    "$matches": (
        lambda wanted, seen: isinstance(seen, str) and expression(wanted).search(seen) is not None, _is_expression,
        f"a text in which this regular expression (at most {PATTERN_LIMIT} characters) is found",
    ),
    "$size": (
        lambda wanted, seen: isinstance(seen, str | list | dict) and len(seen) == wanted, _is_size,
        "a text, list or object of this length",
    ),
    "$least": (
        lambda wanted, seen: _is_number(seen) and seen >= wanted, _is_number, "a number, and at least this",
    ),
    "$most": (
        lambda wanted, seen: _is_number(seen) and seen <= wanted, _is_number, "a number, and at most this",
    ),
}  # fmt: skip
"""Name -> (whether a value fits, whether an argument is one, meaning)."""


def faults_of(wanted: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """What is wrong with a pattern: (where in it, what was expected). Nothing for a sound one."""
    if isinstance(wanted, dict):
        operator = operator_of(wanted)
        if operator is None:
            for key, each in wanted.items():
                if key.startswith("$"):
                    yield f"{where}/{key}", "an operator alone in its object"
                yield from faults_of(each, f"{where}/{key}")
        elif operator not in OPERATORS:
            yield f"{where}/{operator}", f"one of {', '.join(OPERATORS)}"
        else:
            _, is_argument, meaning = OPERATORS[operator]
            if not is_argument(wanted[operator]):
                yield f"{where}/{operator}", meaning
            elif operator in ("$all", "$any", "$has", "$not"):
                yield from faults_of(wanted[operator], f"{where}/{operator}")
    elif isinstance(wanted, list):
        for place, each in enumerate(wanted):
            yield from faults_of(each, f"{where}/{place}")


def value_at(value: Any, pointer: str) -> Any:
    """The value at a JSON pointer; ABSENT where there is none."""
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isascii() and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return ABSENT
    return value
