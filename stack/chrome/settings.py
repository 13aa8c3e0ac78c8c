"""What a Chrome stack can be set to: by code that opens it in process alone. No field turns a check off."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from stack.chrome.registration import registered_browsers
from stack.contract import Json

NUMBERS: Final = ("ask_ms", "reconnect_ms", "settle_ms")


@dataclass(frozen=True, slots=True)
class Settings:
    """ask_ms: deadline of one request to the extension; reconnect_ms: how long a browser that was connected before may
    take to come back before it counts as gone; settle_ms: how long a page has after a real click before it is
    read again; registered: the browsers that have a usable registration of the native host."""

    ask_ms: int = 10_000
    reconnect_ms: int = 3_000
    settle_ms: int = 300
    registered: Callable[[], Sequence[str]] = registered_browsers


def from_sheet(given: Mapping[str, Json]) -> Settings:
    """Settings from the `settings` of a harness's run sheet: `ask_ms`, `reconnect_ms`, `settle_ms` (numbers above 0)
    and `registered` (names of browsers, chrome where absent). ValueError names what is wrong."""
    unknown = set(given) - {*NUMBERS, "registered"}
    if unknown:
        raise ValueError(f"settings: {sorted(unknown)} unknown; expected {', '.join(NUMBERS)} or registered")
    numbers: dict[str, int] = {}
    for name in NUMBERS:
        value = given.get(name, getattr(Settings(), name))
        if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
            raise ValueError(f"settings: {name} is {value!r}; expected a whole number above 0")
        numbers[name] = value
    names = given.get("registered", ["chrome"])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError(f"settings: registered is {names!r}; expected names of browsers")
    browsers = tuple(str(name) for name in names)
    return Settings(**numbers, registered=lambda: browsers)
