"""Which nodes the effects of a page name: each must be there from the beginning, or be brought by an effect.

A misspelt name would otherwise be a page that quietly does less than its author wrote.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

INSIDE = {"set": "node", "insert": "into", "replace": "node"}
"""Effect -> the member of its value that names a node."""
PLAIN = ("remove", "rerender", "focus")
"""Effects whose value names a node."""


def handlers(element: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The effects of an element and of those in it."""
    yield from of_events(element.get("on", {}))
    for part in ("children", "shadow"):
        for child in element.get(part, ()):
            if isinstance(child, dict):
                yield from handlers(child)


def of_events(on: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for event, effects in on.items():
        for each in effects.values() if event == "key" else (effects,):
            yield from flat(each)


def flat(effects: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Effects, those within them, and those of elements that they bring."""
    for effect in effects:
        yield effect
        for member in ("then", "else", "do"):
            yield from flat(effect.get(member, []))
        for name in ("insert", "replace"):
            if name in effect:
                yield from handlers(effect[name]["element"])


def named(effects: list[dict[str, Any]]) -> set[str]:
    """The names of nodes that effects act on."""
    found = {effect[name][member] for effect in effects for name, member in INSIDE.items() if name in effect}
    return found | {effect[name] for effect in effects for name in PLAIN if name in effect}


def brought(effects: list[dict[str, Any]]) -> set[str]:
    """The names of elements that effects put into the page, as far as they are given names."""
    return {
        name
        for effect in effects
        for kind in ("insert", "replace")
        if kind in effect
        for name in _ids(effect[kind]["element"])
    }


def _ids(element: dict[str, Any]) -> Iterator[str]:
    if element.get("id"):
        yield element["id"]
    for part in ("children", "shadow"):
        for child in element.get(part, ()):
            if isinstance(child, dict):
                yield from _ids(child)
