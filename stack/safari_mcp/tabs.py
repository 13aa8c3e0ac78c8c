"""Tabs as the driver lists them, and targets as a caller names them.

A target is a handle together with the epoch in which it was listed: a handle alone can be given out again by the next
driver, and then means another tab.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from stack.contract import Json
from stack.errors import ProtocolError

HANDLE: Final = r"^[A-Za-z0-9_-]{1,200}$"
LISTED: Final = 100
"""How many tabs are passed on at the most."""
_HANDLE: Final = re.compile(r"[A-Za-z0-9_-]{1,200}")


@dataclass(frozen=True, slots=True)
class Target:
    """One tab of one epoch."""

    handle: str
    epoch: str

    def shown(self) -> dict[str, Json]:
        return {"targetId": self.handle, "epoch": self.epoch}


@dataclass(frozen=True, slots=True)
class Tab:
    """One row of the list. url, title: None where the driver gives none."""

    handle: str
    url: str | None
    title: str | None


def is_handle(value: Json) -> bool:
    return isinstance(value, str) and _HANDLE.fullmatch(value) is not None


def _bad(what: str) -> NoReturn:
    raise ProtocolError("tab_list_malformed", f"a list of tabs {what}")


def read_tabs(value: Json) -> Sequence[Tab]:
    """The tabs of a list_tabs answer, whole or not at all. ProtocolError(tab_list_malformed)."""
    if not isinstance(value, list):
        _bad("that is none")
    tabs: dict[str, Tab] = {}
    for row in value:
        if not isinstance(row, dict):
            _bad("with a row that is no object")
        handle, url, title = row.get("handle"), row.get("url"), row.get("title")
        if not isinstance(handle, str) or not is_handle(handle):
            _bad("with an invalid handle")
        if handle in tabs:
            _bad("with a handle that stands twice")
        if not isinstance(url, str | None) or not isinstance(title, str | None):
            _bad("with a URL or title that is no text")
        tabs[handle] = Tab(handle, url, title)
    return tuple(tabs.values())
