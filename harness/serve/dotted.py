"""Objects by dotted name, so that the harness starts fakes and stacks that it never imports."""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any


def resolve(name: str) -> Any:
    """The object that `package.module:attribute` names. Raises ImportError or AttributeError, as Python does."""
    module, _, attribute = name.partition(":")
    found: Any = __import__(module, fromlist=[attribute])
    for part in attribute.split("."):
        found = getattr(found, part)
    return found


class Resolved:
    """A mapping of names to dotted names, read as the objects themselves; each is imported on first use."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._found: dict[str, Any] = {}

    def get(self, key: str) -> Any:
        if key not in self._names:
            return None
        if key not in self._found:
            self._found[key] = resolve(self._names[key])
        return self._found[key]

    def __contains__(self, key: object) -> bool:
        return key in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)
