"""What a Safari session can be set to: by code that opens it in process, and by nothing else. No field turns a check
off; `pid` is the explicit choice among several running Safaris.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, TypeVar

from stack.contract import Json

TEXT_CHARACTERS: Final = 6000
FILL_CHARACTERS: Final = 2000


@dataclass(frozen=True, slots=True)
class Deadlines:
    """All in milliseconds.

    ready: from the start of osascript to its first line; request: one answer of the bridge; resolve: one look at what
    became of a mutation, of which there are at most two, `pause` apart; load: from open to a document that can be
    used, looked at every `poll`; wait: what the action `wait` takes; close, terminate, kill: the end of osascript.
    """

    ready: int = 10_000
    request: int = 10_000
    resolve: int = 10_000
    pause: int = 500
    load: int = 20_000
    poll: int = 100
    wait: int = 1_000
    close: int = 2_000
    terminate: int = 2_000
    kill: int = 2_000

    @property
    def delivery(self) -> int:
        """The longest that an action takes from its dispatch to an outcome, a lost reply included."""
        return self.request + 2 * self.resolve + self.pause


@dataclass(frozen=True, slots=True)
class Bounds:
    """line_bytes: one line of the bridge without its end; observations: how many a session remembers."""

    line_bytes: int = 4 * 1024 * 1024
    observations: int = 16


@dataclass(frozen=True, slots=True)
class Settings:
    """pid: the one Safari to use where several run; None refuses to choose."""

    pid: int | None = None
    deadlines: Deadlines = Deadlines()
    bounds: Bounds = Bounds()


_Row = TypeVar("_Row", Deadlines, Bounds)


def _row(kind: type[_Row], given: Json, place: str) -> _Row:
    known = {part.name for part in fields(kind)}
    if not isinstance(given, dict) or not set(given) <= known:
        raise ValueError(f"settings: {place} is {given!r}; expected an object with members among {sorted(known)}")
    values: dict[str, Any] = {name: _positive(value, f"{place}.{name}") for name, value in given.items()}
    return kind(**values)


def _positive(value: Json, place: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise ValueError(f"settings: {place} is {value!r}; expected a whole number above 0")
    return value


def from_sheet(given: Mapping[str, Json]) -> Settings:
    """Settings from the `settings` of a run sheet: any of `pid`, and `deadlines` and `bounds` with members of those
    classes. ValueError names what is wrong."""
    unknown = set(given) - {"pid", "deadlines", "bounds"}
    if unknown:
        raise ValueError(f"settings: {sorted(unknown)} unknown; expected pid, deadlines or bounds")
    pid = given.get("pid")
    return Settings(
        pid=None if pid is None else _positive(pid, "pid"),
        deadlines=_row(Deadlines, given.get("deadlines", {}), "deadlines"),
        bounds=_row(Bounds, given.get("bounds", {}), "bounds"),
    )
