"""What a Safari stack can be set to: by code that opens it in process, and by nothing else.

No field turns a check off. Where no gate is given, restricted actions are refused.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, fields
from typing import Final, TypeAlias

from stack import consent
from stack.contract import Gate, Host, Json

GateOpener: TypeAlias = Callable[[Host], AbstractAsyncContextManager[Gate]]
PLATFORM: Final = "darwin"
"""The platform that has Safari."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """All in milliseconds.

    work: one operation, from its turn to its answer, the driver's start included. cleanup: what a search has besides,
    to close its own tab. load: from the dispatch of a new tab or a navigation until its page has loaded; look: between
    two looks at that. poll: between two looks of `wait`. idle: without an operation, until the driver is closed.
    close, terminate, kill: the end of a driver, from the end of its input on; check: between two looks at that.
    """

    work: int = 20_000
    cleanup: int = 3_000
    load: int = 12_000
    look: int = 50
    poll: int = 200
    idle: int = 300_000
    close: int = 2_000
    terminate: int = 2_000
    kill: int = 2_000
    check: int = 25


@dataclass(frozen=True, slots=True)
class Bounds:
    """message_bytes: one message of the driver. result_bytes: the JSON of one result. text: characters of what the
    driver says that are passed on."""

    message_bytes: int = 256 * 1024
    result_bytes: int = 48 * 1024
    text: int = 12_000


@dataclass(frozen=True, slots=True)
class Settings:
    """gate: opened with the stack, and closed after it; None: one that refuses everything restricted."""

    gate: GateOpener | None = None
    platform: str = sys.platform
    deadlines: Deadlines = Deadlines()
    bounds: Bounds = Bounds()


def _deadlines(given: Json) -> Deadlines:
    known = {part.name for part in fields(Deadlines)}
    if not isinstance(given, dict) or not set(given) <= known:
        raise ValueError(f"settings: deadlines is {given!r}; expected an object with members among {sorted(known)}")
    values: dict[str, int] = {}
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
            raise ValueError(f"settings: deadlines.{name} is {value!r}; expected a whole number above 0")
        values[name] = value
    return Deadlines(**values)


def from_sheet(given: Mapping[str, Json]) -> Settings:
    """Settings from the `settings` of a harness's run sheet: `platform` (as sys.platform has it; the one with Safari
    is the default here), `deadlines`, and `consent` (stack/consent). ValueError names what is wrong.

    For code that runs this stack against fakes; no installed command reads such a file.
    """
    unknown = set(given) - {"platform", "deadlines", "consent"}
    if unknown:
        raise ValueError(f"settings: {sorted(unknown)} unknown; expected platform, deadlines or consent")
    gate = consent.opener(consent.from_sheet(given["consent"])) if "consent" in given else None
    platform = given.get("platform", PLATFORM)
    if not isinstance(platform, str):
        raise ValueError(f"settings: platform is {platform!r}; expected a text")
    return Settings(gate, platform=platform, deadlines=_deadlines(given.get("deadlines", {})))
