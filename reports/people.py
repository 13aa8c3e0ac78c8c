"""The checks that need a person or another platform. They are not shown until a dated live run shows them."""
from __future__ import annotations

from typing import NamedTuple


class NeedsSomebody(NamedTuple):
    """One check: what is to be seen, and what it needs."""

    what: str
    needs: str


CHECKS = (
    NeedsSomebody("permission denied at the first use of automation", "a person at a Mac who declines the prompt"),
    NeedsSomebody("Safari quit and started again during a session", "a person at a Mac"),
    NeedsSomebody("a session that expires after five idle minutes", "a Mac and real time"),
    NeedsSomebody("two clients at once", "a Mac with two MCP clients"),
    NeedsSomebody("calls while the Mac is locked", "a person who locks the Mac"),
    NeedsSomebody("focus and signatures by the system's own programs", "macOS 26 and macOS 27"),
    NeedsSomebody("the signed Computer Use helper", "a Mac with the official application"),
    NeedsSomebody("named pipes and registry keys", "Windows"),
    NeedsSomebody("the extension in Microsoft Edge", "Edge"),
)
