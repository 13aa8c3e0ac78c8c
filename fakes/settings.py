"""Strict reading of what a run sheet says about a world or a program: a table of keys, their kinds and meanings.

The same tables make the lists of keys in docs/fakes-codex.md, so that no key is accepted and undocumented.
"""

from __future__ import annotations

from harness.problem import UsageProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from harness.wire.jsontext import Json

    Table: TypeAlias = Mapping[str, tuple[str, Any, str]]
    """Key -> (kind, default, meaning). A kind is a key of `KINDS`, or words divided by `|`, of which it is one."""


class SettingsProblem(UsageProblem):
    """A run sheet says something about a world or program that it does not know."""


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


KINDS: dict[str, Callable[[Json], bool]] = {
    "bool": lambda value: isinstance(value, bool),
    "int": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": _is_number,
    "text": lambda value: isinstance(value, str),
    "texts": lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value),
    "list": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "object or null": lambda value: value is None or isinstance(value, dict),
    "int or null": lambda value: value is None or KINDS["int"](value),
    "text or null": lambda value: value is None or isinstance(value, str),
    "texts or null": lambda value: value is None or KINDS["texts"](value),
    "any": lambda value: True,
}
REQUIRED = ("required",)
"""As a default: the key has none and must be there."""


def read(given: Json, table: Table, where: str) -> dict[str, Any]:
    """Every key of the table, from `given` or by default. Raises SettingsProblem with the place and what was seen."""
    if not isinstance(given, dict):
        raise SettingsProblem(f"{given!r}", f"an object for {where}", "write it as keys and values")
    unknown = [key for key in given if key not in table]
    if unknown:
        raise SettingsProblem(
            f"unknown key {unknown[0]!r} in {where}", f"one of {', '.join(sorted(table))}", "correct or remove it"
        )
    values: dict[str, Any] = {}
    for key, (kind, default, _) in table.items():
        if key not in given:
            if default is REQUIRED:
                raise SettingsProblem(f"no {key!r} in {where}", f"{kind}", "add it")
            values[key] = default
            continue
        value = given[key]
        if not _fits(kind, value):
            raise SettingsProblem(f"{value!r} for {key!r} in {where}", kind, "correct it")
        values[key] = value
    return values


def _fits(kind: str, value: Json) -> bool:
    check = KINDS.get(kind)
    return check(value) if check is not None else isinstance(value, str) and value in kind.split("|")
